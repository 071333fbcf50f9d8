"""The glance that tells members of a oneOf apart: a True has to be certain."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from compatgate.prover.inhabit import Prover
from compatgate.prover.outcomes import Found
from compatgate.schema.disjoint import disjoint
from compatgate.schema.nodes import Arena, Schema
from compatgate.schema.parse import Parser
from compatgate.schema.references import Document
from tests.drawing.small import FENCES, SmallDrawer
from tests.prover.asking import table

A = {"type": "object", "properties": {"kind": {"const": "a"}}}
B = {"type": "object", "properties": {"kind": {"const": "b"}}}
NEEDED = {"required": ["kind"]}

ROWS: dict[str, tuple[Any, Any, bool]] = {
    "types": ({"type": "string"}, {"type": "integer"}, True),
    "a discriminator that one requires": ({**A, **NEEDED}, B, True),
    "a discriminator that both require": ({**A, **NEEDED}, {**B, **NEEDED}, True),
    "a discriminator that may be missing": (A, B, False),
    "another member is required": ({**A, "required": ["other"]}, B, False),
    "required and forbidden": ({"type": "object", **NEEDED}, {"type": "object", "properties": {"kind": False}}, True),
    "constants": ({"enum": [1, 2]}, {"enum": [3]}, True),
    "constants that meet": ({"enum": [1, 2]}, {"enum": [2, 3]}, False),
    "a constant and its exclusion": ({"enum": [1]}, {"type": "integer", "not": {"enum": [1, 2]}}, True),
    "a constant and another's exclusion": ({"enum": [1, 5]}, {"type": "integer", "not": {"enum": [1, 2]}}, False),
    "a nested discriminator": (
        {"type": "object", "properties": {"o": {**A, **NEEDED}}, "required": ["o"]},
        {"type": "object", "properties": {"o": B}},
        True,
    ),
    "all of several alternatives": ({"anyOf": [{"const": "x"}, {"const": "y"}]}, {"const": "z"}, True),
    "one of several alternatives": ({"anyOf": [{"const": "x"}, {"minLength": 1}]}, {"const": "z"}, False),
}


def read(arena: Arena, schema: Any) -> Schema:
    return Parser(arena, Document(schema)).parse()


def apart(arena: Arena, left: Schema, right: Schema) -> bool:
    return all(disjoint(arena, a, b) for a, b in zip(left.worlds, right.worlds, strict=True))


@table(ROWS, "left right expected")
def test_what_is_seen_at_a_glance(left: Any, right: Any, expected: bool) -> None:
    arena = Arena()
    one, two = read(arena, left), read(arena, right)
    assert apart(arena, one, two) is expected
    assert apart(arena, two, one) is expected


@pytest.mark.parametrize("world", FENCES)
@pytest.mark.parametrize("seed", range(150))
def test_a_true_is_certain(seed: int, world: str) -> None:
    drawer = SmallDrawer(Random(f"disjoint {world} {seed}"), world, "2020-12")
    arena = Arena()
    left, right = read(arena, drawer.schema(2)), read(arena, drawer.schema(2))
    for index, (a, b) in enumerate(zip(left.worlds, right.worlds, strict=True)):
        if disjoint(arena, a, b):
            both = arena.schema(tuple(arena.conjunction((a, b)) if w == index else arena.false for w in range(6)))
            assert not isinstance(Prover(arena).inhabit([both]), Found)
