"""Equal text is seen before anything is proved, so it must be typed equality and nothing more."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest

from compatgate.jsonio import Json
from compatgate.model import Relation
from compatgate.prover import contains, satisfies
from compatgate.prover.same import same_json


def nested(levels: int) -> Json:
    value: Json = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, 1.0),
        (1, Decimal("1.0")),
        (Decimal("0.10"), Decimal("0.1")),
        (0.1, Decimal("0.1")),
        (Decimal("1e400"), Decimal("1E+400")),
        (2**64, 2**64),
        (10**5000, 10**5000),
        ("\ud800", "\ud800"),
        ({"a": 1, "b": [None]}, {"b": [None], "a": 1}),
        (nested(5_000), nested(5_000)),
    ],
    ids=lambda value: ascii(value)[:20] if not isinstance(value, (int, list)) else type(value).__name__,
)
def test_same(left: Json, right: Json) -> None:
    assert same_json(left, right)
    assert same_json(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, True),
        (0, False),
        ({"a": [1]}, {"a": [True]}),
        (0.1, "0.1"),
        (Decimal("0.1"), "0.1"),
        (None, math.nan),  # written, both are null
        ({"a": None}, {"a": math.inf}),
        ([1, 2], [2, 1]),
        (2**64, 2**64 + 1),
        (10**5000, 10**5000 + 1),
        ("\ud800", "\ud801"),
        ({"a": None}, {}),
        (nested(5_000), nested(5_001)),
    ],
    ids=lambda value: ascii(value)[:20] if not isinstance(value, (int, list)) else type(value).__name__,
)
def test_not_same(left: Json, right: Json) -> None:
    assert not same_json(left, right)
    assert not same_json(right, left)


def test_a_constant_of_another_type_is_no_equal_text() -> None:
    assert contains({"const": 1}, {"const": True}).relation is Relation.PROVEN_NOT_SUBSET


def test_many_members_are_read_as_few_are() -> None:
    """An AND of many parts is asked by name: what is required, forbidden and left open must come out all the same."""
    schema: Json = {
        "properties": {f"p{index}": {"type": "integer", "minimum": index} for index in range(40)},
        "patternProperties": {"^p1": {"maximum": 100}},
        "required": ["p3"],
        "additionalProperties": False,
        "maxProperties": 3,
    }
    for value, expected in (
        ({"p3": 3}, True),
        ({"p3": 2}, False),
        ({}, False),
        ({"p3": 3, "p39": 38}, False),
        ({"p3": 3, "p39": 39, "p1": 100}, True),
        ({"p3": 3, "p1": 101}, False),
        ({"p3": 3, "q": 1}, False),
        ({"p3": 3, "p4": 4, "p5": 5, "p6": 6}, False),
        ({"p3": True}, False),
    ):
        assert satisfies(schema, value) is expected, value  # type: ignore[arg-type]  # invariant dict
    members: dict[str, Json] = {f"p{index}": {"type": "string"} for index in range(40)}
    members["p5"] = {"pattern": r"(a)\1"}  # nobody can tell
    assert satisfies({"properties": members}, {"p5": "aa"}) is None
    assert satisfies({"properties": members}, {"p6": "aa"}) is True
    assert satisfies({"properties": members}, {"p5": "aa", "p6": 1}) is False
