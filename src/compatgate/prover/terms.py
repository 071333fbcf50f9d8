"""Say what the whole rest of a text may be, in terms, and bring sets of terms into a normal form.

The basic term is `LOOP`: a fragment, low to high times, then another term; counters stay symbolic, so {1,255} is one
term. A language is a set of terms, any one of which may hold; `BOTH` is a conjunction (from look-ahead), `NOT` a
complement (from negative look-ahead). As a term always speaks about the rest of the text up to its end, look-ahead is
plain boolean algebra, and `$` is the empty rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from compatgate.prover import fragments as f
from compatgate.prover.fragments import ENDLESS, Fragment, Fragments, add

Term: TypeAlias = int
Terms: TypeAlias = frozenset[int]
Spend: TypeAlias = Callable[[int], None]

_NONE: Final = 0
_END: Final = 1
_ALL: Final = 2
LOOP: Final = 3  # fragment, low, high, term
EITHER: Final = 4  # terms (only as what follows in a LOOP)
BOTH: Final = 5  # terms
NOT: Final = 6  # terms
MARK: Final = 7  # here a look-behind ends

NO_TERM: Final[Term] = 0
AT_END: Final[Term] = 1
ANYTHING: Final[Term] = 2
HERE: Final[Term] = 3

NO_TERMS: Final[Terms] = frozenset()
ALL_TERMS: Final[Terms] = frozenset({ANYTHING})

DEPENDS: Final = 1  # depends on the surroundings
MARKED: Final = 2  # holds a MARK
_BOOLEAN: Final = 4  # a conjunction or complement


def _free(_: int) -> None:
    """Count nothing."""


class Algebra:
    """Make terms over one set of fragments.

    `every` are all classes of characters. The owner sets `spend`: it is told of the work and may raise.
    """

    def __init__(self, fragments: Fragments, every: int) -> None:
        self.spend: Spend = _free
        self.fragments = fragments
        self.any_char = fragments.chars(every)
        self.cells: list[tuple[Any, ...]] = []
        self.flags_of: list[int] = []
        self.nullable_of: list[bool] = []
        self._numbers: dict[tuple[Any, ...], Term] = {}
        self._chained: dict[tuple[Fragment, Term], Term] = {}
        self._cell(0, False, _NONE)
        self._cell(0, True, _END)
        self._cell(0, True, _ALL)
        self._cell(MARKED, False, MARK)

    def _cell(self, flags: int, nullable: bool, *cell: Any) -> Term:
        number = self._numbers.get(cell)
        if number is None:
            number = len(self.cells)
            self.cells.append(cell)
            self.flags_of.append(flags)
            self.nullable_of.append(nullable)
            self._numbers[cell] = number
        return number

    def depends(self, terms: Terms) -> bool:
        """Tell whether what some term says depends on the surroundings."""
        flags = self.flags_of
        return any(flags[term] & DEPENDS for term in terms)

    # -- making ------------------------------------------------------------------------------------------

    def then(self, fragment: Fragment, rest: Term, low: int = 1, high: int = 1) -> Term:
        """Make the term "the fragment, low to high times, then the rest"."""
        cells = self.fragments.cells
        if high == 0 or fragment == f.EMPTY:
            return rest
        if rest == NO_TERM:
            return NO_TERM
        cell = cells[fragment]
        kind = cell[0]
        if low == 1 == high:
            if kind == f.CAT:
                return self._chain(fragment, rest)
            if kind == f.REP:
                return self.then(cell[1], rest, cell[2], cell[3])
            if kind == f.ALT and self.fragments.idle(fragment) == f.EMPTY:
                return self._optional(cell[1], rest)
            if kind == f.END and not self.flags_of[rest] & (DEPENDS | MARKED):
                return AT_END if self.nullable_of[rest] else NO_TERM
        if kind == f.VOID:
            return rest if low == 0 else NO_TERM
        if rest == ANYTHING:
            if low == 0:
                return ANYTHING
            high = low  # more of them is part of the rest
        below = self.cells[rest]
        if below[0] == LOOP and below[1] == fragment:
            low, high, rest = low + below[2], add(high, below[3]), below[4]
            below = self.cells[rest]
        if rest == AT_END and low == 0 and high == ENDLESS and fragment == self.any_char:
            return ANYTHING
        flags = self.flags_of[rest] & (DEPENDS | MARKED)
        if self.fragments.is_conditional(fragment):
            flags |= DEPENDS
        return self._cell(flags, low == 0 and self.nullable_of[rest], LOOP, fragment, low, high, rest)

    def _optional(self, ways: tuple[Fragment, ...], rest: Term) -> Term:
        """Make "any of the ways, then the rest" where some of the ways may match the empty text."""
        others = [way for way in ways if way != f.EMPTY]
        choice = self.fragments.alt(others)
        if len(others) < len(ways) and self.fragments.idle(choice) != f.EMPTY:
            return self.then(choice, rest, 0, 1)
        found: set[Term] = set()
        for way in others:
            found |= self.opened(self.then(way, rest))
        return self.either(self.reduced(found))

    def _chain(self, fragment: Fragment, rest: Term) -> Term:
        """Make "a sequence, then the rest", part by part from the last one; what was made before is found again."""
        cells, chained = self.fragments.cells, self._chained
        waiting: list[tuple[Fragment, Fragment]] = []
        start = rest
        while True:
            found = chained.get((fragment, start))
            if found is not None:
                rest = found
                break
            cell = cells[fragment]
            if cell[0] != f.CAT:
                rest = self.then(fragment, rest)
                break
            waiting.append((fragment, cell[1]))
            fragment = cell[2]
        self.spend(len(waiting) >> 3)
        for whole, head in reversed(waiting):
            rest = chained[whole, start] = self.then(head, rest)
        return rest

    def either(self, terms: Terms) -> Term:
        """Make one term of a set of them."""
        if len(terms) == 1:
            return next(iter(terms))
        if not terms:
            return NO_TERM
        return self._cell(
            self._joined(terms) & ~_BOOLEAN, any(self.nullable_of[t] for t in terms), EITHER, tuple(sorted(terms))
        )

    def _joined(self, terms: Iterable[Term]) -> int:
        flags = 0
        for term in terms:
            flags |= self.flags_of[term]
        return flags

    def opened(self, term: Term) -> Terms:
        """Return a term as a set of terms."""
        if term == NO_TERM:
            return NO_TERMS
        cell = self.cells[term]
        return frozenset(cell[1]) if cell[0] == EITHER else frozenset({term})

    def both(self, left: Terms, right: Terms) -> Terms:
        """Make the conjunction of two sets of terms."""
        if not left or not right:
            return NO_TERMS
        if left == ALL_TERMS:
            return right
        if right == ALL_TERMS:
            return left
        self.spend(len(left) * len(right))
        return self.reduced({self._conjunction(a, b) for a in left for b in right})

    def _conjunction(self, a: Term, b: Term) -> Term:
        atoms: set[Term] = set()
        for term in (a, b):
            cell = self.cells[term]
            if cell[0] == BOTH:
                atoms.update(cell[1])
            elif term == NO_TERM:
                return NO_TERM
            elif term != ANYTHING:
                atoms.add(term)
        if not atoms:
            return ANYTHING
        if len(atoms) == 1:
            return atoms.pop()
        flags = self._joined(atoms)
        if AT_END in atoms and not flags & (DEPENDS | MARKED):
            return AT_END if all(self.nullable_of[atom] for atom in atoms) else NO_TERM
        for atom in atoms:
            cell = self.cells[atom]
            if cell[0] == NOT and any(term in atoms for term in cell[1]):
                return NO_TERM
        return self._cell(flags | _BOOLEAN, all(self.nullable_of[atom] for atom in atoms), BOTH, tuple(sorted(atoms)))

    def complement(self, terms: Terms) -> Terms:
        """Make the complement of a set of terms."""
        if not terms:
            return ALL_TERMS
        if ANYTHING in terms:
            return NO_TERMS
        if len(terms) == 1:
            cell = self.cells[next(iter(terms))]
            if cell[0] == NOT:
                return frozenset(cell[1])
        flags = self._joined(terms) | _BOOLEAN
        return frozenset({self._cell(flags, not any(self.nullable_of[t] for t in terms), NOT, tuple(sorted(terms)))})

    def reduced(self, terms: set[Term]) -> Terms:
        """Return a set of terms without those that others include; touching counters are merged."""
        if ANYTHING in terms:
            return ALL_TERMS
        terms.discard(NO_TERM)
        if len(terms) < 2:
            return frozenset(terms)
        loops: dict[tuple[Fragment, Term], list[Term]] = {}
        cells = self.cells
        for term in terms:
            cell = cells[term]
            if cell[0] == LOOP:
                loops.setdefault((cell[1], cell[4]), []).append(term)
        for (fragment, rest), found in loops.items():
            if rest in terms and any(cells[term][2] <= 1 for term in found):
                # x{1,h}K or K is x{0,h}K, which holds K
                terms.discard(rest)
                term = next(term for term in found if cells[term][2] <= 1)
                if cells[term][2] == 1:
                    terms.discard(term)
                    wider = self.then(fragment, rest, 0, cells[term][3])
                    terms.add(wider)
                    found = [wider if each == term else each for each in found]
            if len(found) > 1:
                self._merge(fragment, rest, found, terms)
        if self._joined(terms) & _BOOLEAN:
            self._absorb(terms)
        return frozenset(terms)

    def _merge(self, fragment: Fragment, rest: Term, found: list[Term], terms: set[Term]) -> None:
        cells = self.cells
        ranges = sorted((cells[term][2], cells[term][3]) for term in found)
        low, high = ranges[0]
        merged = []
        for least, most in ranges[1:]:
            if high == ENDLESS or least <= high + 1:
                high = ENDLESS if ENDLESS in (high, most) else max(high, most)
            else:
                merged.append((low, high))
                low, high = least, most
        merged.append((low, high))
        if len(merged) < len(found):
            terms.difference_update(found)
            terms.update(self.then(fragment, rest, least, most) for least, most in merged)

    def _absorb(self, terms: set[Term]) -> None:
        both = [(term, frozenset(self.cells[term][1])) for term in terms if self.cells[term][0] == BOTH]
        for term, atoms in both:
            if not terms.isdisjoint(atoms) or any(
                other < atoms for each, other in both if each in terms and each != term
            ):
                terms.discard(term)
