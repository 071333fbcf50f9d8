"""Run several automata side by side: all of some accept, none of the others."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeAlias

from compatgate.prover.alphabets import joint
from compatgate.prover.outlines import Bounds
from compatgate.prover.recognisers import DEAD, FULL, Recogniser

#: One way on: the class of characters (a number, the best class first) and the state it leads to.
Move: TypeAlias = tuple[int, int]
#: The states of all parts.
State: TypeAlias = tuple[int, ...]


class Product:
    """Number the states of a product as they are met; states that can accept nothing any more are left out."""

    def __init__(self, must: Sequence[Recogniser], must_not: Sequence[Recogniser]) -> None:
        self._parts = [*must, *must_not]
        self._sought = len(must)
        self._letters, self.ranked = joint([part.alphabet for part in self._parts])
        self._states: list[State] = []
        self._numbers: dict[State, int] = {}
        self._accepts: list[bool] = []
        self._moves: list[list[Move] | None] = []
        start = tuple(part.start for part in self._parts)
        hopeless = DEAD in start[: self._sought] or FULL in start[self._sought :]
        self.start: int | None = None if hopeless else self._number(start)

    def _number(self, state: State) -> int:
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
        found = [(letter, self._number(target)) for letter, target in self.ways(self._states[number], spend)]
        self._moves[number] = found
        return found

    def ways(self, state: State, spend: Callable[[int], None]) -> Iterator[tuple[int, State]]:
        """Yield the ways on from the states of the parts, the best class of characters first."""
        parts = self._parts
        sought = self._sought
        size = len(parts)
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
                yield index, tuple(target)

    def outline(self, number: int) -> tuple[Hashable, list[Bounds]]:
        """Return a state without the bounds of what its sought parts count, and these: the wider accepts more."""
        state = self._states[number]
        found = [part.outline(each) for part, each in zip(self._parts, state[: self._sought], strict=False)]
        key = *[outline for outline, _ in found], state[self._sought :]
        return key, [each for _, bounds in found for each in bounds]

    # -- for scouting ------------------------------------------------------------------------------------

    def start_state(self) -> State:
        """Return where the parts start."""
        return tuple(part.start for part in self._parts)

    def accepts_state(self, state: State) -> bool:
        """Tell whether a text may end in these states of the parts."""
        return all(
            part.accepts(each) is (index < self._sought)
            for index, (part, each) in enumerate(zip(self._parts, state, strict=True))
        )

    def split(self, state: State) -> tuple[Iterator[State], State]:
        """Return the states of the sought parts, for every choice of one term in each, and those of the others."""
        sought = [part.apart(each) for part, each in zip(self._parts, state[: self._sought], strict=False)]
        return itertools.product(*sought), state[self._sought :]

    def is_easier(self, one: State, other: State) -> bool:
        """Tell whether unwanted parts match no more from `one` than from `other`, as far as their terms show."""
        parts = self._parts[self._sought :]
        return all(a == b or part.holds(a, b) for part, a, b in zip(parts, one, other, strict=True))
