"""Spell one array or object out as a formula, so that excluding it is a choice of where to differ."""

from __future__ import annotations

from compatgate.jsonio import Json
from compatgate.schema.assertions import finite_schema
from compatgate.schema.nodes import Arena, Formula
from compatgate.schema.objects import present


def shape_of(arena: Arena, value: Json) -> Formula:
    """Return the formula, of the value's own world, that holds of this array or object alone."""
    if isinstance(value, list):
        items = [arena.each(i, i + 1, finite_schema(arena, [item])) for i, item in enumerate(value)]
        longer = arena.at_least("count", len(value) + 1)
        return arena.conjunction((*items, arena.at_least("count", len(value)), arena.neg(longer)))
    assert isinstance(value, dict)
    parts: list[Formula] = []
    for name, item in value.items():
        parts.append(present(arena, name))
        parts.append(arena.forall(arena.names(name), finite_schema(arena, [item])))
    others = arena.neg(arena.names(*value) if value else arena.false)
    return arena.conjunction((*parts, arena.forall(others, arena.nothing)))
