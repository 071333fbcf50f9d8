"""Find another witness where the validators differ about the first: plainer values, on which they agree.

What they differ about is known: numbers that are no doubles, integral floats, text beyond ASCII. So the search is
repeated among plain values, and where a number has to be huge, one is tried that a double holds exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from compatgate.jsonio import Json
from compatgate.prover.shrink import MAX_DEPTH
from compatgate.schema.nodes import ARRAY, NUMBER, OBJECT, STRING, Arena, Schema

#: Numbers up to here are the same for everyone.
_LARGEST: Final = 1_000_000_000
_ASCII: Final = "^[ -~]*$"
_KEY: Final = "plain values"


def plain_values(arena: Arena) -> Schema:
    """Return the schema of all values whose numbers are small and whose texts are printable ASCII, at every depth."""
    if _KEY in arena.targets:
        return arena.targets[_KEY]
    same = arena.recursive(_KEY)
    text = arena.atom("pattern", _ASCII, (_ASCII, ""))
    worlds = [arena.true] * 6
    worlds[STRING] = text
    worlds[NUMBER] = arena.conjunction(
        (
            arena.atom("at_least", -_LARGEST, -_LARGEST),
            arena.neg(arena.atom("above", _LARGEST, _LARGEST)),
            arena.atom("multiple", 1, 1),
        )
    )
    worlds[ARRAY] = arena.each(0, None, same)
    worlds[OBJECT] = arena.conjunction((arena.forall(arena.true, same), arena.forall(arena.neg(text), arena.nothing)))
    arena.targets[_KEY] = arena.schema(tuple(worlds))
    return arena.targets[_KEY]


def rounder(value: Json, depth: int = 0) -> Iterator[Json]:
    """Yield variants of a value whose large numbers are ones that a double holds exactly."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, int) and not isinstance(value, bool):
        if abs(value) >= 2**53:
            unit = 1 << (value.bit_length() - 50)
            for times in (value // unit, value // unit + 1, 2 * (value // unit) + 2):
                yield times * unit
    elif isinstance(value, Decimal):
        yield Decimal(repr(float(value)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            for other in rounder(item, depth + 1):
                yield [*value[:index], other, *value[index + 1 :]]
    elif isinstance(value, dict):
        for name, item in value.items():
            for other in rounder(item, depth + 1):
                yield {**value, name: other}
