"""Follow one pattern through a text: the states are sets of terms, made when they are first met."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Final, TypeAlias

from compatgate.prover import fragments as f
from compatgate.prover import unicode_sets as sets
from compatgate.prover.alphabets import Alphabet
from compatgate.prover.derivatives import Calculus, Surroundings
from compatgate.prover.fragments import ENDLESS, Fragment, Fragments
from compatgate.prover.outlines import Bounds, Outlines
from compatgate.prover.regex import Pattern
from compatgate.prover.terms import ALL_TERMS, ANYTHING, AT_END, HERE, LOOP, NO_TERMS, Spend, Terms
from compatgate.prover.trees import Alt, Chars, Edge, Seq, Tree
from compatgate.prover.unicode_sets import Intervals

#: A state: what the rest may be, whether a word character is behind, how far the look-behinds have come.
Key: TypeAlias = tuple[Terms, bool, tuple[Terms, ...]]

DEAD: Final = 0
FULL: Final = 1

#: A matcher forgets its states when it has met this many.
_MAX_KEPT: Final = 4_000


def _sets(tree: Tree) -> list[Intervals]:
    """List the sets of characters that a tree names."""
    found: list[Intervals] = []
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, Chars):
            found.append(node.intervals)
        elif isinstance(node, (Seq, Alt)):
            todo += node.parts
        elif isinstance(node, Edge):
            if node.kind in ("word", "inside"):
                found.append(sets.WORD)
        else:
            todo.append(node.part)
    return found


class Recogniser:
    """Hold the automaton of "the pattern matches somewhere", as far as it has been followed.

    `lengths` are bounds for the length of the text that the automaton itself no longer checks: a pattern such as
    ^[a-z]{1,64}$ is [a-z]* and a length.
    """

    def __init__(self, pattern: Pattern) -> None:
        wanted = _sets(pattern.tree)
        self.alphabet = Alphabet(wanted)
        fragments = Fragments(self.alphabet.masks)
        whole = fragments.read(pattern.tree)
        every = (1 << self.alphabet.size) - 1
        calculus = self._calculus = Calculus(fragments, self.alphabet.masks.get(sets.WORD, 0), every)
        first, later = fragments.at_start(whole), fragments.inside(whole)
        self._register(fragments, first)
        self._register(fragments, later)
        terms = self._sought(first, later, ANYTHING)
        looks = tuple(self._sought(fragments.at_start(part), fragments.inside(part), HERE) for part in calculus.behind)
        self.lengths: tuple[int, int | None] = (0, None)
        terms = self._without_length(terms)
        self._keys: list[Key] = []
        self._numbers: dict[Key, int] = {}
        self._places: list[Surroundings | None] = []
        self._accepts: list[bool] = []
        self._steps: list[list[int]] = []
        self._apart: dict[int, list[int]] = {}
        self._outlines = Outlines(calculus.cells)
        self._number((NO_TERMS, False, ()))
        self._number((ALL_TERMS, False, ()))
        self.start = self._number(self._key(terms, False, looks))

    def _sought(self, first: Fragment, later: Fragment, rest: int) -> Terms:
        calculus = self._calculus
        skipped = calculus.then(calculus.any_char, calculus.then(later, rest), 1, ENDLESS)
        return calculus.reduced({*calculus.opened(calculus.then(first, rest)), *calculus.opened(skipped)})

    def _register(self, fragments: Fragments, whole: Fragment) -> None:
        """Number the look-behinds of a fragment, inner ones first."""
        todo = [(whole, False)]
        met: set[Fragment] = set()
        while todo:
            fragment, ready = todo.pop()
            cell = fragments.cells[fragment]
            if ready:
                self._calculus.behind.setdefault(cell[1], len(self._calculus.behind))
                continue
            if fragment in met or not fragments.is_conditional(fragment):
                continue
            met.add(fragment)
            if cell[0] == f.CAT:
                todo += [(cell[1], False), (cell[2], False)]
            elif cell[0] == f.ALT:
                todo += [(part, False) for part in cell[1]]
            elif cell[0] in (f.REP, f.AHEAD):
                todo.append((cell[1], False))
            elif cell[0] == f.BEHIND:
                todo.append((fragment, True))
                todo.append((fragments.at_start(cell[1]), False))
                todo.append((fragments.inside(cell[1]), False))

    def _without_length(self, terms: Terms) -> Terms:
        """Take a length out of the terms where it is all that they count."""
        calculus = self._calculus
        cell = calculus.cells[next(iter(terms))] if len(terms) == 1 else (None,)
        if cell[0] != LOOP:
            return terms
        _, fragment, low, high, rest = cell
        is_any = fragment == calculus.any_char
        if calculus.fragments.cells[fragment][0] != f.CLASS or not (rest == AT_END or (rest == ANYTHING and is_any)):
            return terms
        endless = high == ENDLESS or rest == ANYTHING
        self.lengths = (low, None if endless else high)
        return ALL_TERMS if is_any else frozenset({calculus.then(fragment, AT_END, 0, ENDLESS)})

    # -- states ------------------------------------------------------------------------------------------

    def _key(self, terms: Terms, after_word: bool, looks: tuple[Terms, ...]) -> Key:
        return (terms, after_word, looks) if self._calculus.depends(terms) else (terms, False, ())

    def _number(self, key: Key) -> int:
        number = self._numbers.get(key)
        if number is None:
            terms, after_word, looks = key
            place = Surroundings(after_word, ())
            for look in looks:
                place = Surroundings(after_word, (*place.behind, self._calculus.ended(look, place)))
            accepts = self._calculus.nullable(terms, place)
            number = len(self._keys)
            self._keys.append(key)
            self._places.append(place)
            self._accepts.append(accepts)
            self._steps.append([-1] * self.alphabet.size)
            self._numbers[key] = number
        return number

    def step(self, state: int, letter: int, spend: Spend) -> int:
        """Return the state after one character of a class."""
        following = self._steps[state][letter]
        if following < 0:
            following = self._step(state, letter, spend)
        return following

    def _step(self, state: int, letter: int, spend: Spend) -> int:
        calculus = self._calculus
        calculus.spend = spend
        spend(1)
        terms, _, looks = self._keys[state]
        place = self._places[state]
        assert place is not None
        after = calculus.derive(terms, letter, place)
        if calculus.depends(after):
            spend(len(looks) >> 1)
            moved = tuple(calculus.derive(look, letter, place) for look in looks)
            key = (after, bool(calculus.mask_word >> letter & 1), moved)
        else:
            key = (after, False, ())
        following = self._number(key)
        self._steps[state][letter] = following
        return following

    def accepts(self, state: int) -> bool:
        """Tell whether a text may end here."""
        return self._accepts[state]

    def apart(self, state: int) -> list[int]:
        """Return the states of the single terms of a state: a text is accepted by it if one of them accepts it."""
        terms, after_word, looks = self._keys[state]
        if len(terms) < 2:
            return [state]
        found = self._apart.get(state)
        if found is None:
            single = [self._key(frozenset({term}), after_word, looks) for term in sorted(terms)]
            found = self._apart[state] = [self._number(key) for key in single]
        return found

    def holds(self, one: int, other: int) -> bool:
        """Tell whether the terms of one state are among those of another at a like place."""
        terms, *place = self._keys[one]
        others, *like = self._keys[other]
        return terms <= others and (place == like or not self._calculus.depends(terms))

    def outline(self, state: int) -> tuple[Hashable, list[Bounds]]:
        """Return what a state is beside the bounds of counters, and these: of like states the wider accepts more."""
        terms, *place = self._keys[state]
        found = sorted([self._outlines.of(term) for term in terms])
        return (*place, *[outline for outline, _ in found]), [bounds for _, bounds in found]

    def forget(self, state: int) -> int:
        """Drop all states but one; return its new number."""
        key = self._keys[state]
        start = self._keys[self.start]
        self._keys, self._numbers, self._places, self._accepts, self._steps = [], {}, [], [], []
        self._apart = {}
        self._number((NO_TERMS, False, ()))
        self._number((ALL_TERMS, False, ()))
        self.start = self._number(start)
        return self._number(key)

    @property
    def size(self) -> int:
        """Return how many states are known."""
        return len(self._keys)


def _free(_: int) -> None:
    """Count nothing."""


class Matcher:
    """Match one pattern against texts; several threads may share it."""

    def __init__(self, pattern: Pattern) -> None:
        self._recogniser = Recogniser(pattern)
        self._letters: dict[str, int] = {}
        self._lock = threading.Lock()

    def accepts(self, text: str) -> bool:
        """Tell whether the pattern matches somewhere in the text."""
        recogniser = self._recogniser
        low, high = recogniser.lengths
        if len(text) < low or (high is not None and len(text) > high):
            return False
        letters = self._letters
        with self._lock:
            state = recogniser.start
            for character in text:
                if state <= FULL:
                    break
                letter = letters.get(character)
                if letter is None:
                    letter = recogniser.alphabet.letter(character)
                    if len(letters) < _MAX_KEPT:
                        letters[character] = letter
                if letter < 0:
                    return False  # a lone surrogate is in no JSON text
                state = recogniser.step(state, letter, _free)
                if recogniser.size > _MAX_KEPT:
                    state = recogniser.forget(state)
            return recogniser.accepts(state)
