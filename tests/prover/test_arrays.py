"""The array world: positions, lengths, counting, repetition, and their negations."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from compatgate.canonical import value_key
from compatgate.jsonio import Json
from compatgate.prover.budget import Budget, Meter
from compatgate.prover.distinct import choose_distinct
from compatgate.prover.inhabit import Prover
from compatgate.prover.outcomes import Empty, Found
from compatgate.schema.nodes import Arena
from compatgate.schema.parse import Parser
from compatgate.schema.references import Document
from tests.prover.asking import said, table, witness

ARRAY = {"type": "array"}
BIT = {"enum": [0, 1]}

CONTAINED: dict[str, tuple[Any, Any, str]] = {
    "a forbidden position bounds the length": ({**ARRAY, "prefixItems": [True, False]}, {"maxItems": 1}, "in"),
    "behind a closed prefix nothing follows": (
        {**ARRAY, "prefixItems": [True, True], "items": False},
        {"maxItems": 2},
        "in",
    ),
    "a longer prefix may be shorter": ({**ARRAY, "prefixItems": [True, True]}, {"minItems": 1}, "out"),
    "as many different items as there are values": (
        {**ARRAY, "items": {"enum": [1, 2, 3]}, "uniqueItems": True},
        {"maxItems": 3},
        "in",
    ),
    "one more than there are values": (
        {**ARRAY, "items": {"enum": [1, 2, 3]}, "uniqueItems": True, "minItems": 4},
        False,
        "in",
    ),
    "all values are there": (
        {**ARRAY, "items": BIT, "uniqueItems": True, "minItems": 2},
        {"allOf": [{"contains": {"const": 0}}, {"contains": {"const": 1}}]},
        "in",
    ),
    "1 and 1.0 are the same item": ({"const": [1, 1.0]}, {"uniqueItems": True}, "out"),
    "1 and true are two items": ({"const": [1, True]}, {"uniqueItems": True}, "in"),
    "pigeons among positions": (
        {**ARRAY, "prefixItems": [BIT, BIT, {"enum": [0, 1, 2]}], "minItems": 3, "uniqueItems": True},
        {"prefixItems": [True, True, {"const": 2}]},
        "in",
    ),
    "at least three, at most two": (
        {**ARRAY, "contains": BIT, "minContains": 3, "allOf": [{"contains": BIT, "maxContains": 2}]},
        False,
        "in",
    ),
    "a window is wider": (
        {**ARRAY, "contains": BIT, "minContains": 2, "maxContains": 3},
        {"contains": BIT, "minContains": 1, "maxContains": 4},
        "in",
    ),
    "a window is narrower at the top": (
        {**ARRAY, "contains": BIT, "minContains": 2, "maxContains": 4},
        {"contains": BIT, "minContains": 2, "maxContains": 3},
        "out",
    ),
    "minContains 0 asserts nothing": (ARRAY, {"contains": BIT, "minContains": 0}, "in"),
    "two kinds need two items": (
        {**ARRAY, "allOf": [{"contains": {"const": 0}}, {"contains": {"const": 1}}]},
        {"minItems": 2},
        "in",
    ),
    "two kinds that overlap need one": (
        {**ARRAY, "allOf": [{"contains": {"minimum": 0}}, {"contains": {"maximum": 9}}]},
        {"minItems": 2},
        "out",
    ),
    "all are, so one is": (
        {**ARRAY, "items": {"type": "string"}, "minItems": 1},
        {"contains": {"type": "string"}},
        "in",
    ),
    "no item but strings": ({**ARRAY, "not": {"contains": {"type": "string"}}}, {"items": {"type": "string"}}, "out"),
    "none is, so all are not": (
        {**ARRAY, "not": {"contains": {"type": "string"}}},
        {"items": {"not": {"type": "string"}}},
        "in",
    ),
    "repeated among two values": ({**ARRAY, "items": BIT, "minItems": 3}, {"not": {"uniqueItems": True}}, "in"),
    "repeated needs two": ({**ARRAY, "not": {"uniqueItems": True}}, {"minItems": 2}, "in"),
    "twins count twice": (
        {**ARRAY, "items": {"const": 1}, "not": {"uniqueItems": True}},
        {"contains": {"const": 1}, "minContains": 2},
        "in",
    ),
    "twins far apart": (
        {**ARRAY, "prefixItems": [{"const": 1}, {"const": 2}, {"const": 1}], "items": False},
        {"uniqueItems": True},
        "out",
    ),
    "twins where positions differ": (
        {**ARRAY, "prefixItems": [{"const": 1}, {"const": 2}, {"const": 3}], "items": False},
        {"uniqueItems": True},
        "in",
    ),
    "every item is somewhere": (
        {**ARRAY, "not": {"items": {"type": "string"}}, "maxItems": 1},
        {"contains": {"not": {"type": "string"}}},
        "in",
    ),
    "prefix and rest by another spelling": (
        {**ARRAY, "prefixItems": [{"type": "string"}], "items": {"type": "string"}},
        {**ARRAY, "items": {"type": "string"}},
        "in",
    ),
    "longer than a constant": ({**ARRAY, "items": {"const": 0}, "minItems": 1}, {"const": [0]}, "out"),
    "no longer than a constant": ({**ARRAY, "items": {"const": 0}, "minItems": 1, "maxItems": 1}, {"const": [0]}, "in"),
    "a huge minimum is a counter": ({**ARRAY, "minItems": 90_000}, {"minItems": 80_000}, "in"),
}


@table(CONTAINED, "left right expected")
def test_what_is_said_of_arrays(left: Any, right: Any, expected: str) -> None:
    assert said(left, right) == expected


@pytest.mark.parametrize("turned", [False, True])
def test_a_purpose_that_leaves_no_distinct_values_is_tried_elsewhere(turned: bool) -> None:
    """If the first item is the 1, the two others are both 3; so the second has to be."""
    purposes: list[Any] = [{"contains": {"const": 1}}, {"contains": {"enum": [2, 3]}, "minContains": 2}]
    at = [{"enum": [1, 2]}, {"enum": [1, 3]}, {"const": 3}]
    schema = {**ARRAY, "uniqueItems": True, "minItems": 3, "maxItems": 3, "prefixItems": at}
    assert witness({"allOf": purposes[:: -1 if turned else 1], **schema}, False) == [2, 1, 3]


def test_limits_that_are_used_up_cost_nothing() -> None:
    """Forty kinds that no item may be of: not two to the forty ways for an item to be of some of them."""
    kinds = [{"contains": {"const": number}} for number in range(40)]
    assert said({**ARRAY, "minItems": 1, "items": {"enum": [*range(40)]}}, {"anyOf": kinds}) == "in"
    assert said({**ARRAY, "minItems": 1, "items": {"enum": [*range(41)]}}, {"anyOf": kinds}) == "out"


def test_no_length_beyond_what_serves_a_purpose_is_needed() -> None:
    """The last position that can matter is tried: two behind the prefix, one for each purpose."""
    left = {
        **ARRAY,
        "prefixItems": [{"const": "p"}],
        "allOf": [
            {"contains": {"const": 1}},
            {"contains": {"const": 2}},
            {"not": {"items": {"type": ["integer", "string"]}}},
        ],
    }
    found = witness(left, False)
    assert isinstance(found, list)
    assert len(found) == 4
    assert found[0] == "p"


# -- counting against trying them all ----------------------------------------------------------------


def drawn(random: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw limits on how many items lie in what, both ways."""

    def limit() -> dict[str, Any]:
        kind = {"enum": random.sample(range(4), random.randint(1, 3))}
        least, most = random.randint(0, 3), random.randint(0, 3)
        return {"contains": kind, "minContains": least, **({"maxContains": most} if random.random() < 0.6 else {})}

    def clause() -> dict[str, Any]:
        roll = random.random()
        if roll < 0.55:
            return limit() if roll < 0.4 else {"not": limit()}
        if roll < 0.7:
            return {"uniqueItems": True} if random.random() < 0.6 else {"not": {"uniqueItems": True}}
        at = [{"enum": random.sample(range(4), 2)} for _ in range(random.randint(1, 2))]
        return {"prefixItems": at} if roll < 0.9 else {"not": {"prefixItems": at}}

    left = {"allOf": [{**ARRAY, "maxItems": 4, "items": {"enum": [0, 1, 2, 3]}}, *(clause() for _ in range(3))]}
    return left, {random.choice(("anyOf", "allOf", "oneOf")): [clause() for _ in range(random.randint(1, 2))]}


ALL: list[Json] = [list(items) for length in range(5) for items in product(range(4), repeat=length)]


@pytest.mark.parametrize("seed", range(150))
def test_counting_is_as_by_counting(seed: int) -> None:
    left, right = drawn(Random(f"counting {seed}"))
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


@pytest.mark.parametrize("seed", range(60))
def test_distinct_values_are_found_whenever_there_are_any(seed: int) -> None:
    random = Random(f"distinct {seed}")
    sets = [random.sample(range(5), random.randint(1, 3)) for _ in range(random.randint(2, 5))]
    schema: Json = {
        **ARRAY,
        "uniqueItems": True,
        "prefixItems": [{"enum": [*values]} for values in sets],
        "minItems": len(sets),
    }
    arena = Arena()
    outcome = Prover(arena).inhabit([Parser(arena, Document(schema)).parse()])
    assert isinstance(outcome, Found) == any(len(set(chosen)) == len(chosen) for chosen in product(*sets))
    if isinstance(outcome, Found):
        assert isinstance(outcome.value, list)
        assert len({value_key(item) for item in outcome.value}) == len(outcome.value)


def test_no_position_is_no_choice() -> None:
    def nothing(schemas: Any, known: Any) -> Any:
        raise AssertionError
        yield

    choosing = choose_distinct(nothing, [], Meter(Budget()))
    with pytest.raises(StopIteration) as stopped:
        next(choosing)
    assert stopped.value.value == []
