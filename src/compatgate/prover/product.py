"""Run several automata side by side: all of some accept, none of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compatgate.prover.alphabets import joint
from compatgate.prover.recognisers import DEAD, FULL, Recogniser

#: One way on: the class of characters (a number, the best class first) and the state it leads to.
Move = tuple[int, int]


class Product:
    """Number the states of a product as they are met; states that can accept nothing any more are left out."""

    def __init__(self, must: Sequence[Recogniser], must_not: Sequence[Recogniser]) -> None:
        self._parts = [*must, *must_not]
        self._sought = len(must)
        self._letters, self.ranked = joint([part.alphabet for part in self._parts])
        self._states: list[tuple[int, ...]] = []
        self._numbers: dict[tuple[int, ...], int] = {}
        self._accepts: list[bool] = []
        self._moves: list[list[Move] | None] = []
        start = tuple(part.start for part in self._parts)
        hopeless = DEAD in start[: self._sought] or FULL in start[self._sought :]
        self.start: int | None = None if hopeless else self._number(start)

    def _number(self, state: tuple[int, ...]) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = len(self._states)
            sought = self._sought
            accepts = True
            for index, part in enumerate(self._parts):
                if part.accepts(state[index]) is not (index < sought):
                    accepts = False
                    break
            self._states.append(state)
            self._accepts.append(accepts)
            self._moves.append(None)
            self._numbers[state] = number
        return number

    def accepts(self, number: int) -> bool:
        """Tell whether a text may end in this state."""
        return self._accepts[number]

    def moves(self, number: int, spend: Callable[[int], None]) -> list[Move]:
        """List the ways on from a state, the best class of characters first."""
        found = self._moves[number]
        if found is not None:
            return found
        spend(1)
        state = self._states[number]
        parts = self._parts
        sought = self._sought
        size = len(parts)
        found = []
        for index, letter in enumerate(self._letters):
            target = []
            for place in range(size):
                following = state[place]
                if following > FULL:
                    following = parts[place].step(following, letter[place], spend)
                if following <= FULL and (following == DEAD) is (place < sought):
                    break
                target.append(following)
            else:
                found.append((index, self._number(tuple(target))))
        self._moves[number] = found
        return found
