"""Compare terms that differ in the bounds of their counters only: the wider one holds all that the narrower holds."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from compatgate.prover.fragments import ENDLESS
from compatgate.prover.terms import LOOP, Term

#: The bounds of the counters of a term, outermost first: least, most, the bounds further in.
Bounds: TypeAlias = tuple[Any, ...]
#: What a term is beside these bounds, how many of them there are, and they themselves.
_Shape: TypeAlias = tuple[int, int, Bounds]

#: This many counters in a row are told apart from what they count; those further in are compared as they are.
_MAX_COUNTERS: Final = 8

_NO_BOUNDS: Final[Bounds] = ()


class Outlines:
    """Number the outlines of the terms of one calculus: two terms have the same if they differ in counters only."""

    def __init__(self, cells: list[tuple[Any, ...]]) -> None:
        self._cells = cells
        self._shapes: dict[Term, _Shape] = {}
        self._numbers: dict[tuple[int, ...], int] = {}

    def of(self, term: Term) -> tuple[int, Bounds]:
        """Return the number of a term's outline, and the bounds that it leaves out."""
        cells, shapes = self._cells, self._shapes
        waiting = []
        found = shapes.get(term)
        while found is None:
            cell = cells[term]
            if cell[0] != LOOP:
                found = shapes[term] = self._number(term), 0, _NO_BOUNDS
                break
            waiting.append(term)
            term = cell[4]
            found = shapes.get(term)
        for each in reversed(waiting):
            _, fragment, low, high, rest = cells[each]
            outline, count, bounds = found
            if count == _MAX_COUNTERS:
                outline, count, bounds = self._number(rest), 0, _NO_BOUNDS
            if low == high:
                found = self._number(fragment, low, outline), count, bounds
            else:
                found = self._number(fragment, ENDLESS, outline), count + 1, (low, high, bounds)
            shapes[each] = found
        return found[0], found[2]

    def _number(self, *key: int) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


def is_wider(one: Bounds, other: Bounds) -> bool:
    """Tell whether the bounds of one term hold those of another with the same outline."""
    while one:
        low, high, one = one
        least, most, other = other
        if low > least or (high != ENDLESS and (most == ENDLESS or most > high)):
            return False
    return True
