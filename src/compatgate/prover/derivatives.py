"""Take partial derivatives of patterns: what may follow one more character (Antimirov 1996, with look-around).

What is behind a place comes as its Surroundings: whether the last character was a word character, and for every
look-behind a set of terms saying what the rest has to be for it to hold here (nearly always everything, or nothing).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from compatgate.prover import fragments as f
from compatgate.prover.fragments import Fragment, Fragments
from compatgate.prover.terms import (
    ALL_TERMS,
    ANYTHING,
    AT_END,
    BOTH,
    DEPENDS,
    EITHER,
    HERE,
    LOOP,
    MARKED,
    NO_TERM,
    NO_TERMS,
    NOT,
    Algebra,
    Term,
    Terms,
)

#: Of so many terms together, those that end alike are walked through once.
_MANY: Final = 16


class Surroundings(NamedTuple):
    """Hold what is known about a place from the text before it."""

    after_word: bool
    behind: tuple[Terms, ...]


class Calculus(Algebra):
    """Ask terms about the empty rest, and take their derivatives.

    `mask_word` are the classes of word characters. `behind` maps the fragment of a look-behind to its number among the
    surroundings.
    """

    def __init__(self, fragments: Fragments, mask_word: int, every: int) -> None:
        super().__init__(fragments, every)
        self.mask_word = mask_word
        self.behind: dict[Fragment, int] = {}
        self._derived: dict[tuple[Term, int], Terms] = {}
        self._derived_here: dict[tuple[Term, int, Surroundings], Terms] = {}

    # -- asking ------------------------------------------------------------------------------------------

    def nullable(self, terms: Terms, place: Surroundings) -> bool:
        """Tell whether the empty rest is among the terms, at the end of a text."""
        return any(self._ends(term, place) for term in terms)

    def _ends(self, term: Term, place: Surroundings) -> bool:
        while True:
            if not self.flags_of[term] & DEPENDS:
                return self.nullable_of[term]
            cell = self.cells[term]
            kind = cell[0]
            if kind == EITHER:
                return any(self._ends(part, place) for part in cell[1])
            if kind == BOTH:
                return all(self._ends(part, place) for part in cell[1])
            if kind == NOT:
                return not any(self._ends(part, place) for part in cell[1])
            if cell[2] > 0 and not self.nullable(self.idle(cell[1], place), place):
                return False
            term = cell[4]

    def idle(self, fragment: Fragment, place: Surroundings) -> Terms:
        """Return what the rest has to be for a fragment to match the empty text here."""
        return self._asked(self.fragments.idle(fragment), place)

    def _asked(self, condition: Fragment, place: Surroundings) -> Terms:
        cell: tuple[Any, ...] = self.fragments.cells[condition]
        kind = cell[0]
        if kind == f.BLANK:
            return ALL_TERMS
        if kind == f.ALT:
            found: set[Term] = set()
            for part in cell[1]:
                found |= self._asked(part, place)
            return self.reduced(found)
        if kind == f.CAT:
            result = ALL_TERMS
            while kind == f.CAT:
                result = self.both(result, self._asked(cell[1], place))
                condition = cell[2]
                cell = self.fragments.cells[condition]
                kind = cell[0]
            return self.both(result, self._asked(condition, place))
        if kind == f.END:
            return frozenset({AT_END})
        if kind == f.BOUNDARY:
            word = self.opened(self.then(self.fragments.chars(self.mask_word), ANYTHING))
            return self.complement(word) if place.after_word != bool(cell[1]) else word
        if kind == f.AHEAD:
            terms = self.opened(self.then(cell[1], ANYTHING))
        elif kind == f.BEHIND:
            terms = place.behind[self.behind[cell[1]]]
        else:
            return NO_TERMS
        return self.complement(terms) if cell[2] else terms

    def ended(self, terms: Terms, place: Surroundings) -> Terms:
        """Return what the rest has to be if the MARK in the terms is here."""
        found: set[Term] = set()
        for term in terms:
            found |= self._ended(term, place)
        return self.reduced(found)

    def _ended(self, term: Term, place: Surroundings) -> Terms:
        before = ALL_TERMS
        while True:
            if term == HERE:
                return before
            if not self.flags_of[term] & MARKED:
                return self.both(before, self.opened(term))
            cell = self.cells[term]
            if cell[0] == LOOP:
                if cell[2] > 0:
                    before = self.both(before, self.idle(cell[1], place))
                if not before:
                    return NO_TERMS
                term = cell[4]
                continue
            parts = [self._ended(part, place) for part in cell[1]]
            if cell[0] == EITHER:
                return self.both(before, self.reduced(set().union(*parts)))
            for part in parts:
                before = self.both(before, part)
            return before

    # -- deriving ----------------------------------------------------------------------------------------

    def derive(self, terms: Terms, letter: int, place: Surroundings) -> Terms:
        """Return what the rest may be after one character of a class, read at this place."""
        if len(terms) > 4:
            self.spend(len(terms) >> 1)
        found: set[Term] = set()
        if len(terms) <= _MANY:
            for term in terms:
                found |= self._derive(term, letter, place)
            return self.reduced(found)
        # In a?b?c?... every term is the end of another: what one has walked through, the next need not walk again.
        walked: set[Term] = set()
        for term in sorted(terms):  # the ends were made first
            if self.cells[term][0] == LOOP and (term, letter) not in self._derived:
                found |= self._derive_loops(term, letter, place, walked)
            else:
                found |= self._derive(term, letter, place)
        return self.reduced(found)

    def _derive(self, term: Term, letter: int, place: Surroundings) -> Terms:
        """Derive one term; it recurs as deep as groups and assertions nest, not with the length of a pattern."""
        depends = self.flags_of[term] & DEPENDS
        found = self._derived_here.get((term, letter, place)) if depends else self._derived.get((term, letter))
        if found is not None:
            return found
        self.spend(1)
        cell = self.cells[term]
        kind = cell[0]
        if kind == LOOP:
            found = self.reduced(self._derive_loops(term, letter, place))
        elif term == ANYTHING:
            found = ALL_TERMS
        elif kind == BOTH:
            found = ALL_TERMS
            for part in cell[1]:
                found = self.both(found, self._derive(part, letter, place))
        elif kind == NOT:
            found = self.complement(self.derive(frozenset(cell[1]), letter, place))
        elif kind == EITHER:
            found = self.derive(frozenset(cell[1]), letter, place)
        else:
            found = NO_TERMS
        if depends:
            self._derived_here[term, letter, place] = found
        else:
            self._derived[term, letter] = found
        return found

    def _derive_loops(self, term: Term, letter: int, place: Surroundings, walked: set[Term] | None = None) -> set[Term]:
        """Derive a term and the terms behind its idle loops, but for those walked through (their part is known)."""
        found: set[Term] = set()
        parts = self.fragments.cells
        steps = 0
        while True:
            steps += 1
            if not steps & 3:
                self.spend(1)
            if walked is not None:
                if term in walked:
                    return found
                walked.add(term)
            cell = self.cells[term]
            if cell[0] != LOOP:
                if term not in (AT_END, NO_TERM, HERE):
                    found |= self._derive(term, letter, place)
                return found
            _, fragment, low, high, rest = cell
            part: tuple[Any, ...] = parts[fragment]
            kind = part[0]
            if kind == f.CLASS:
                if part[1] >> letter & 1:
                    found |= self.opened(self.then(fragment, rest, max(low - 1, 0), high - (high > 0)))
            elif kind == f.ALT or kind == f.CAT or kind == f.REP:
                again = self.then(fragment, rest, max(low - 1, 0), high - (high > 0))
                ways = part[1] if kind == f.ALT else (fragment,)
                self.spend(len(ways) >> 2)
                for way in ways:
                    begun = self.then(way, again)
                    if begun != NO_TERM:
                        found |= self._derive(begun, letter, place)
            else:
                if low > 0:
                    asked = self._asked(fragment, place)
                    if asked == NO_TERMS:
                        return found
                    if asked != ALL_TERMS:
                        following = self.derive(self.opened(rest), letter, place)
                        if following:
                            following = self.both(following, self.derive(asked, letter, place))
                        return found | following
                term = rest
                continue
            if low > 0:
                return found
            term = rest
