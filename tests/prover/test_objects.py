"""The object world: names, regions of names, sizes, what depends on what, and their negations."""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from compatgate.prover.inhabit import Prover
from compatgate.prover.outcomes import Empty, Found
from compatgate.schema.nodes import Arena
from compatgate.schema.parse import Parser
from compatgate.schema.references import Document
from tests.prover.asking import said, same, table, witness

OBJECT = {"type": "object"}
INT = {"type": "integer"}
CLOSED = {"additionalProperties": False}

DEAD = {"type": "integer", "minimum": 3, "maximum": 2}
SHORT = {"^a": INT, "^.?$": {"type": "string"}}

CONTAINED: dict[str, tuple[Any, Any, str]] = {
    "a new optional name, closed": (
        {**OBJECT, "properties": {"a": {}}, **CLOSED},
        {**OBJECT, "properties": {"a": {}, "b": {}}, **CLOSED},
        "in",
    ),
    "a name forbidden": ({**OBJECT, "properties": {"a": False}}, {"not": {"required": ["a"]}}, "in"),
    "required and forbidden": ({**OBJECT, "properties": {"a": False}, "required": ["a"]}, False, "in"),
    "more required than fit": ({**OBJECT, "required": ["a", "b", "c"], "maxProperties": 2}, False, "in"),
    "as many required as fit": (
        {**OBJECT, "required": ["a", "b"], "maxProperties": 2},
        {**CLOSED, "properties": {"a": {}, "b": {}}},
        "in",
    ),
    "finitely many names": (
        {**OBJECT, "propertyNames": {"enum": ["a", "b"]}, "minProperties": 2},
        {"required": ["a", "b"]},
        "in",
    ),
    "finitely many names of a pattern": (
        {**OBJECT, "propertyNames": {"pattern": "^[ab]$"}, "minProperties": 2},
        {"required": ["a", "b"]},
        "in",
    ),
    "one name short": (
        {**OBJECT, "propertyNames": {"pattern": "^[abc]$"}, "minProperties": 2},
        {"required": ["a"]},
        "out",
    ),
    "too many for the names": ({**OBJECT, "propertyNames": {"pattern": "^[ab]?$"}, "minProperties": 4}, False, "in"),
    "the empty name counts": (
        {**OBJECT, "propertyNames": {"pattern": "^[ab]?$"}, "minProperties": 3},
        {"required": [""]},
        "in",
    ),
    "two patterns on one name": (
        {**OBJECT, "patternProperties": {"^a": INT, "b$": {"type": "string"}}},
        {"properties": {"ab": False}},
        "in",
    ),
    "a pattern covers a declared name": (
        {**OBJECT, "properties": {"ab": {"minimum": 1}}, "patternProperties": {"^a": INT}},
        {"properties": {"ab": {"type": "integer", "minimum": 1}}},
        "in",
    ),
    "additional is what no pattern matches": (
        {**OBJECT, "patternProperties": {"^a": True}, "additionalProperties": INT},
        {"patternProperties": {"^b": INT}},
        "in",
    ),
    "additional is not what a pattern matches": (
        {**OBJECT, "patternProperties": {"^a": True}, "additionalProperties": INT},
        {"patternProperties": {"^ab": INT}},
        "out",
    ),
    "some member, not all": ({**OBJECT, "not": {"additionalProperties": INT}}, {"minProperties": 1}, "in"),
    "some member of each of two kinds": (
        {
            **OBJECT,
            "allOf": [{"not": {"additionalProperties": INT}}, {"not": {"additionalProperties": {"type": "string"}}}],
        },
        {"minProperties": 2},
        "out",
    ),
    "kinds that need two members": (
        {**OBJECT, "allOf": [{"not": {"additionalProperties": INT}}, {"not": {"additionalProperties": {"not": INT}}}]},
        {"minProperties": 2},
        "in",
    ),
    "kinds that need two names of one": (
        {
            **OBJECT,
            "propertyNames": {"const": "a"},
            "allOf": [{"not": {"additionalProperties": INT}}, {"not": {"additionalProperties": {"not": INT}}}],
        },
        False,
        "in",
    ),
    "a dependency is met": ({**OBJECT, "required": ["a", "b"]}, {"dependentRequired": {"a": ["b"]}}, "in"),
    "a dependency is not triggered": (
        {**OBJECT, "properties": {"a": False}},
        {"dependentRequired": {"a": ["b"]}},
        "in",
    ),
    "dependencies in a row": (
        {**OBJECT, "dependentRequired": {"a": ["b"], "b": ["c"]}, "required": ["a"]},
        {"required": ["c"]},
        "in",
    ),
    "dependencies in a circle": (
        {
            **OBJECT,
            "dependentRequired": {"a": ["b"], "b": ["a"]},
            "minProperties": 1,
            "propertyNames": {"enum": ["a", "b"]},
        },
        {"minProperties": 2},
        "in",
    ),
    "one name, closed, at least two": ({**OBJECT, "properties": {"a": {}}, **CLOSED, "minProperties": 2}, False, "in"),
    "a dead optional is no name": (
        {**OBJECT, "properties": {"a": {"allOf": [INT, {"type": "string"}]}, "b": INT}, **CLOSED, "minProperties": 1},
        {"required": ["b"]},
        "in",
    ),
    "ten thousand members wanted": ({**OBJECT, "minProperties": 3_000}, {"minProperties": 2_000}, "in"),
    "a dead optional is no reason against other names": (
        {**OBJECT, "properties": {"a": DEAD}, "anyOf": [{"required": ["a", "c"]}, {"required": ["b", "d"]}]},
        False,
        "out",
    ),
    "more members than a constant": (
        {**OBJECT, "properties": {"a": {"const": 1}}, "required": ["a"]},
        {"const": {"a": 1}},
        "out",
    ),
    "no more members than a constant": (
        {**OBJECT, "properties": {"a": {"const": 1}}, "required": ["a"], "maxProperties": 1},
        {"const": {"a": 1}},
        "in",
    ),
    "names that fail in two regions, not in one": (
        {**OBJECT, "propertyNames": {"pattern": "^a"}, "minProperties": 1, "patternProperties": SHORT},
        False,
        "out",
    ),
    "some member that fails in two regions, not in one": (
        {**OBJECT, "not": {"patternProperties": {"^a": False}}, "patternProperties": SHORT},
        False,
        "out",
    ),
    "unevaluated sees through allOf": (
        {**OBJECT, "allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
        {**OBJECT, "properties": {"a": {}}, **CLOSED},
        "in",
    ),
    "additional does not": (
        {**OBJECT, "allOf": [{"properties": {"a": {}}}], "additionalProperties": False},
        {"maxProperties": 0},
        "in",
    ),
    "unevaluated where the branch held": (
        {
            **OBJECT,
            "anyOf": [{"properties": {"a": {"const": 1}}, "required": ["a"]}, True],
            "unevaluatedProperties": False,
        },
        {"properties": {"a": {"const": 1}}},
        "in",
    ),
    "unevaluated under not sees nothing": (
        {**OBJECT, "not": {"not": {"properties": {"a": {}}}}, "unevaluatedProperties": False},
        {"maxProperties": 0},
        "in",
    ),
}


@table(CONTAINED, "left right expected")
def test_what_is_said_of_objects(left: Any, right: Any, expected: str) -> None:
    assert said(left, right) == expected


SAME: dict[str, tuple[Any, Any]] = {
    "closed by names": ({**OBJECT, "properties": {"a": {}}, **CLOSED}, {**OBJECT, "propertyNames": {"enum": ["a"]}}),
    "required, said otherwise": ({"required": ["a"]}, {"not": {**OBJECT, "properties": {"a": False}}}),
    "no member": ({**OBJECT, "maxProperties": 0}, {"const": {}}),
    "a dependency by if": (
        {"dependentSchemas": {"a": {"required": ["b"]}}},
        {"if": {**OBJECT, "required": ["a"]}, "then": {"required": ["b"]}},
    ),
    "a constant, taken apart": (
        {"const": {"a": 1}},
        {**OBJECT, "properties": {"a": {"const": 1}}, "required": ["a"], **CLOSED},
    ),
}


@table(SAME, "left right")
def test_the_same_set_spelt_differently(left: Any, right: Any) -> None:
    assert same(left, right)


def test_names_are_words_of_their_region() -> None:
    left = {**OBJECT, "propertyNames": {"pattern": "^x[0-9]{2}$"}, "minProperties": 2}
    assert witness(left, False) == {"x00": "", "x01": ""}


def test_a_declared_name_comes_before_an_invented_one() -> None:
    left = {**OBJECT, "properties": {"zeta": INT}, "minProperties": 1}
    assert witness(left, {"required": ["alpha"]}) == {"zeta": 0}


# -- against trying them all -------------------------------------------------------------------------

NAMES = ("a", "b", "c")
ALL: list[dict[str, Any]] = [
    dict(zip(names, values, strict=True))
    for size in range(4)
    for names in combinations(NAMES, size)
    for values in product((0, 1, "s"), repeat=size)
]
FENCE: dict[str, Any] = {**OBJECT, "propertyNames": {"enum": [*NAMES]}, "additionalProperties": {"enum": [0, 1, "s"]}}


def drawn(random: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw demands for members in regions of names, and limits on how many there are."""

    def region() -> dict[str, Any]:
        value = {"enum": random.sample([0, 1, "s"], random.randint(1, 2))}
        roll = random.random()
        if roll < 0.3:
            return {"additionalProperties": value}
        if roll < 0.7:
            return {"patternProperties": {random.choice(("^[ab]$", "[bc]", "a|c", "^b")): value}}
        return {"properties": {random.choice(NAMES): value}}

    def clause() -> dict[str, Any]:
        roll = random.random()
        if roll < 0.6:
            return region() if roll < 0.2 else {"not": region()}
        if roll < 0.8:
            return {random.choice(("minProperties", "maxProperties")): random.randint(0, 3)}
        return {"required": [random.choice(NAMES)]} if roll < 0.9 else {"dependentRequired": {"a": ["b"]}}

    return {"allOf": [FENCE, *(clause() for _ in range(4))]}, {"anyOf": [clause() for _ in range(random.randint(1, 2))]}


@pytest.mark.parametrize("seed", range(150))
def test_members_are_placed_as_by_trying(seed: int) -> None:
    left, right = drawn(Random(f"members {seed}"))
    arena = Arena()
    inside, outside = (Parser(arena, Document(schema)).parse() for schema in (left, right))
    prover = Prover(arena)
    member = prover.evaluator.member
    apart = [value for value in ALL if member(inside, value) and not member(outside, value)]
    outcome = prover.inhabit([inside], [outside])
    if apart:
        assert isinstance(outcome, Found), (left, right, apart[0])
        assert outcome.value in apart
    else:
        assert isinstance(outcome, Empty), (left, right, outcome)
