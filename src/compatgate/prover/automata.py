"""Decide sets of strings: texts that match some patterns, do not match others, and have a length in bounds.

The product automaton is built lazily from derivatives. Lengths are not part of its states: the sets of states that
are reachable with exactly n characters form a sequence that repeats itself in the end, so a length of a million costs
as much as the first repetition, and only the word itself is ever as long as it has to be.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import TypeAlias

from compatgate.prover.derivatives import AFTER_WORD, AT_START, Algebra, Node, minterms
from compatgate.prover.regex import Pattern
from compatgate.prover.unicode_sets import ANY, characters

Spend: TypeAlias = Callable[[int], None]
#: A state: what the rest may be, the context of this place, and how far each look-behind has come.
State: TypeAlias = tuple[Node, int, tuple[Node, ...]]


def words(
    must: Sequence[Pattern],
    must_not: Sequence[Pattern],
    min_length: int,
    max_length: int | None,
    spend: Spend,
) -> Iterator[str]:
    """Yield every text that matches all of `must` and none of `must_not` with a length (code points) in bounds.

    Shortest first, among equals those with characters that read best; ends when there are no more. `spend` is told
    of the work and may raise. Raises Opaque for patterns that the algebra cannot express.
    """
    if max_length is not None and min_length > max_length:
        return iter(())
    if not must and not must_not:
        return _unbounded(min_length, max_length, spend)
    return _Words(Automaton(must, must_not, spend), spend).between(min_length, max_length)


def _unbounded(min_length: int, max_length: int | None, spend: Spend) -> Iterator[str]:
    for length in count(min_length) if max_length is None else range(min_length, max_length + 1):
        spend(1 + length // 16)
        if length == 0:
            yield ""
            continue
        lead = "a" * (length - 1)
        for character in characters(ANY):
            spend(1)
            yield lead + character
        yield from (w for w in _Words(Automaton((), (), spend), spend).between(length, length) if w[:-1] != lead)


class Automaton:
    """The lazily built product of patterns."""

    def __init__(self, must: Sequence[Pattern], must_not: Sequence[Pattern], spend: Spend) -> None:
        masks, self.classes = minterms(pattern.tree for pattern in (*must, *must_not))
        self.algebra = Algebra(masks, len(self.classes), spend)
        algebra = self.algebra
        sought = [algebra.search(pattern.tree) for pattern in must]
        sought += [algebra.negation(algebra.search(pattern.tree)) for pattern in must_not]
        self.behind = tuple(algebra.behind)
        self.start: State = (algebra.meet(sought), self._context(AT_START, self.behind), self.behind)
        self._moves: dict[State, list[tuple[State, list[int]]]] = {}

    def _context(self, base: int, behind: tuple[Node, ...]) -> int:
        for index, node in enumerate(behind):
            if self.algebra.holds_of_nothing(node, base):
                base |= 1 << (2 + index)
        return base

    def step(self, state: State, letter: int) -> State:
        """Return the state after one character of a class."""
        node, context, behind = state
        after = self.algebra.derive(node, letter, context)
        if after.kind in ("none", "all"):
            return after, 0, ()
        moved = tuple(self.algebra.derive(look, letter, context) for look in behind)
        base = AFTER_WORD if self.algebra.word >> letter & 1 else 0
        return after, self._context(base, moved) if after.contextual or moved else 0, moved

    def accepts(self, state: State) -> bool:
        """Tell whether the text may end here."""
        return self.algebra.holds_of_nothing(state[0], state[1])

    def moves(self, state: State) -> list[tuple[State, list[int]]]:
        """List the states one character away, each with the classes that lead there; the dead one is left out."""
        found = self._moves.get(state)
        if found is None:
            by_target: dict[State, list[int]] = {}
            self.algebra.spend(self.algebra.size)
            for letter in range(self.algebra.size):
                target = self.step(state, letter)
                if target[0] is not self.algebra.none:
                    by_target.setdefault(target, []).append(letter)
            found = self._moves[state] = list(by_target.items())
        return found


class _Words:
    """Enumerate the words of an automaton by length."""

    def __init__(self, automaton: Automaton, spend: Spend) -> None:
        self.automaton = automaton
        self.spend = spend
        self.layers: list[tuple[State, ...]] = [(automaton.start,)]
        self.repeats: tuple[int, int] | None = None  # from layer i on, the layers repeat with period p
        self._known: dict[frozenset[State], int] = {frozenset(self.layers[0]): 0}
        self._seen: set[State] = {automaton.start}
        self._live: set[State] | None = None

    def between(self, low: int, high: int | None) -> Iterator[str]:
        length = low
        while high is None or length <= high:
            if not self._layer(length):
                return
            accepting = [state for state in self._layer(length) if self.automaton.accepts(state)]
            if accepting:
                yield from self._of_length(length, frozenset(accepting))
            elif self.repeats is not None and not self._accepts_ahead(length):
                return
            length += 1

    def _accepts_ahead(self, length: int) -> bool:
        assert self.repeats is not None
        return any(
            self.automaton.accepts(state) for ahead in range(self.repeats[1]) for state in self._layer(length + ahead)
        )

    def _layer(self, length: int) -> tuple[State, ...]:
        """Return the live states that are reachable with exactly `length` characters."""
        while length >= len(self.layers) and self.repeats is None:
            self._grow()
        if self.repeats is not None and length >= len(self.layers):
            first, period = self.repeats
            return self.layers[first + (length - first) % period]
        return self.layers[length]

    def _grow(self) -> None:
        grown: dict[State, None] = {}
        fresh = False
        for state in self.layers[-1]:
            self.spend(1)
            for target, _ in self.automaton.moves(state):
                if self._live is None or target in self._live:
                    grown[target] = None
                    if target not in self._seen:
                        self._seen.add(target)
                        fresh = True
        layer = tuple(grown)
        if not fresh and self._live is None:
            self._live = self._find_live()
            layer = tuple(state for state in layer if state in self._live)
        key = frozenset(layer)
        if key in self._known and self._live is not None:
            first = self._known[key]
            self.repeats = (first, len(self.layers) - first)
            return
        self._known.setdefault(key, len(self.layers))
        self.layers.append(layer)

    def _find_live(self) -> set[State]:
        """Return the states from which some accepting one is reachable (all states are known by now)."""
        back: dict[State, list[State]] = {}
        todo: list[State] = []
        reached: set[State] = {self.automaton.start}
        queue = [self.automaton.start]
        while queue:
            state = queue.pop()
            self.spend(1)
            if self.automaton.accepts(state):
                todo.append(state)
            for target, _ in self.automaton.moves(state):
                back.setdefault(target, []).append(state)
                if target not in reached:
                    reached.add(target)
                    queue.append(target)
        live = set(todo)
        while todo:
            for state in back.get(todo.pop(), ()):
                if state not in live:
                    live.add(state)
                    todo.append(state)
        return live

    def _of_length(self, length: int, accepting: frozenset[State]) -> Iterator[str]:
        """Yield the words of one length, depth first, never entering what cannot end in time."""
        alive: list[frozenset[State]] = [accepting]
        for position in range(length - 1, -1, -1):
            layer = self._layer(position)
            self.spend(1 + len(layer))
            ahead = alive[-1]
            alive.append(frozenset(s for s in layer if any(target in ahead for target, _ in self.automaton.moves(s))))
        alive.reverse()
        if self.automaton.start not in alive[0]:
            return
        text: list[str] = []
        ways: list[Iterator[tuple[str, State]]] = []
        state = self.automaton.start
        while True:
            if len(text) == length:
                yield "".join(text)
            else:
                ways.append(self._ways(state, alive[len(text) + 1]))
                text.append("")
            while ways:
                following = next(ways[-1], None)
                if following is not None:
                    self.spend(1)
                    text[len(ways) - 1 :] = [following[0]]
                    state = following[1]
                    break
                ways.pop()
                text.pop()
            else:
                return

    def _ways(self, state: State, ahead: frozenset[State]) -> Iterator[tuple[str, State]]:
        """Yield the characters that lead on, those that read best first, class by class."""
        options: list[tuple[tuple[int, str], int, State]] = []
        for target, letters in self.automaton.moves(state):
            if target in ahead:
                for letter in letters:
                    best = next(characters(self.automaton.classes[letter]), None)
                    if best is not None:
                        options.append((_rank(best), letter, target))
        options.sort(key=lambda option: option[0])
        for _, letter, target in options:
            for character in characters(self.automaton.classes[letter]):
                yield character, target


def _rank(character: str) -> tuple[int, str]:
    point = ord(character)
    for rank, (low, high) in enumerate(((97, 122), (48, 57), (65, 90), (33, 126), (32, 32))):
        if low <= point <= high:
            return rank, character
    return (5 if character.isprintable() else 6), character


class Matcher:
    """Match one pattern against texts, keeping the states it has seen."""

    def __init__(self, pattern: Pattern) -> None:
        self._automaton = Automaton((pattern,), (), lambda steps: None)
        pieces = [(low, high, i) for i, found in enumerate(self._automaton.classes) for low, high in found]
        pieces.sort()
        self._starts = [low for low, _, _ in pieces]
        self._pieces = pieces
        self._steps: dict[tuple[State, int], State] = {}

    def accepts(self, text: str) -> bool:
        """Tell whether the pattern matches somewhere in the text."""
        state = self._automaton.start
        for character in text:
            if state[0].kind in ("none", "all"):
                break
            letter = self._letter(ord(character))
            if letter is None:
                return False  # a lone surrogate is in no JSON text
            following = self._steps.get((state, letter))
            if following is None:
                following = self._automaton.step(state, letter)
                if len(self._steps) < 100_000:
                    self._steps[state, letter] = following
            state = following
        return self._automaton.accepts(state)

    def _letter(self, point: int) -> int | None:
        at = bisect_right(self._starts, point) - 1
        if at < 0 or self._pieces[at][1] < point:
            return None
        return self._pieces[at][2]
