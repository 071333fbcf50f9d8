"""Schemas that refer to themselves: least fixpoints, different spellings, what is ill-founded."""

from __future__ import annotations

from typing import Any

from compatgate.prover import contains
from compatgate.prover.budget import Budget
from compatgate.schema.references import Document
from tests.prover.asking import said, same, table, witness


def defined(start: str, **definitions: Any) -> dict[str, Any]:
    """Make a schema that is one of its definitions."""
    return {"$ref": f"#/$defs/{start}", "$defs": definitions}


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def node(needs: tuple[str, ...] = (), **members: Any) -> dict[str, Any]:
    return {"type": "object", "properties": members, "required": list(needs)}


LEAF = {"type": "null"}
LIST = defined("list", list={"anyOf": [LEAF, node(("next",), next=ref("list"))]})
EVEN = defined(
    "even",
    even={"anyOf": [LEAF, node(("next",), next=ref("odd"))]},
    odd=node(("next",), next=ref("even")),
)
PAIRS = defined("two", two={"anyOf": [LEAF, node(("next",), next=node(("next",), next=ref("two")))]})

DEAD: dict[str, tuple[Any]] = {
    "a member of its own kind is required": (defined("n", n=node(("n",), n=ref("n"))),),
    "two kinds require each other": (defined("a", a=node(("b",), b=ref("b")), b=node(("a",), a=ref("a"))),),
    "an item of its own kind": (defined("n", n={"type": "array", "items": ref("n"), "minItems": 1}),),
    "it contains its own kind": (defined("n", n={"type": "array", "contains": ref("n")}),),
    "every branch goes on": (
        defined("n", n={"anyOf": [node(("l",), l=ref("n")), {"type": "array", "items": ref("n"), "minItems": 2}]}),
    ),
    "some name, always its own kind": (
        defined("n", n={"type": "object", "minProperties": 1, "additionalProperties": ref("n")}),
    ),
    "the way out is closed": (
        {"allOf": [LIST, {"not": LEAF}, {"properties": {"next": {"type": "string"}}}], "$defs": LIST["$defs"]},
    ),
}


@table(DEAD, "schema")
def test_dead_recursion_is_empty(schema: Any) -> None:
    assert said(schema, False) == "in"


ALIVE: dict[str, tuple[Any, Any]] = {
    "a list may end": (LIST, None),
    "a member may be missing": (defined("n", n=node(n=ref("n"))), {}),
    "an array may be empty": (defined("n", n={"type": "array", "items": ref("n")}), []),
    "one branch ends": (defined("n", n={"anyOf": [node(("l",), l=ref("n")), {"const": 7}]}), 7),
    "alive only through the other": (
        defined("a", a=node(("b",), b=ref("b")), b={"anyOf": [{"const": 1}, node(("a",), a=ref("a"))]}),
        {"b": 1},
    ),
}


@table(ALIVE, "schema smallest")
def test_recursion_that_can_end_is_alive(schema: Any, smallest: Any) -> None:
    assert witness(schema, False) == smallest


NARROWER: dict[str, tuple[Any, Any]] = {
    "even in all": (EVEN, LIST),
    "even in pairs": (EVEN, PAIRS),
    "pairs in even": (PAIRS, EVEN),
    "unfolded once": (LIST, {"anyOf": [LEAF, node(("next",), next=ref("list"))], "$defs": LIST["$defs"]}),
    "folded again": ({"anyOf": [LEAF, node(("next",), next=ref("list"))], "$defs": LIST["$defs"]}, LIST),
    "under a narrower leaf": (
        defined("t", t={"anyOf": [{"const": 1}, {"type": "array", "items": ref("t")}]}),
        defined("t", t={"anyOf": [{"type": "integer"}, {"type": "array", "items": ref("t")}]}),
    ),
    "by exclusion": ({"allOf": [LIST, {"not": EVEN}], "$defs": {**LIST["$defs"], **EVEN["$defs"]}}, LIST),
}


@table(NARROWER, "left right")
def test_narrower_recursion_is_proved(left: Any, right: Any) -> None:
    assert said(left, right) == "in"


WIDER: dict[str, tuple[Any, Any, Any]] = {
    "all in even": (LIST, EVEN, {"next": None}),
    "deep below": (
        defined("t", t={"anyOf": [{"type": "integer"}, {"type": "array", "items": ref("t")}]}),
        defined("t", t={"anyOf": [{"type": "integer"}, {"type": "array", "items": ref("t"), "maxItems": 1}]}),
        [0, 0],
    ),
    "the third level": (LIST, {"not": node(("next",), next=node(("next",)))}, {"next": {"next": None}}),
}


@table(WIDER, "left right smallest")
def test_wider_recursion_has_a_smallest_witness(left: Any, right: Any, smallest: Any) -> None:
    assert said(left, right) == "out"
    assert witness(left, right) == smallest


STANDING_STILL: dict[str, tuple[Any, Any]] = {
    "allOf itself": (defined("a", a={"allOf": [ref("a"), {"type": "string"}]}), {"type": "string"}),
    "two that name each other": (
        defined("a", a={"allOf": [ref("b"), {"type": "string"}]}, b={"allOf": [ref("a"), {"minLength": 1}]}),
        {"type": "string", "minLength": 1},
    ),
}


@table(STANDING_STILL, "schema meaning")
def test_a_cycle_that_stands_still_adds_nothing(schema: Any, meaning: Any) -> None:
    assert same(schema, meaning)


def test_a_cycle_through_anyOf_never_takes_anything_away() -> None:  # noqa: N802
    assert said({"type": "string"}, defined("a", a={"anyOf": [ref("a"), {"type": "string"}]})) == "in"


ILL_FOUNDED: dict[str, tuple[Any]] = {
    "not itself": (defined("a", a={"not": ref("a")}),),
    "oneOf itself": (defined("a", a={"oneOf": [ref("a"), {"type": "string"}]}),),
    "if itself": (defined("a", a={"if": ref("a"), "then": {"type": "string"}, "else": {"type": "null"}}),),
    "not, by way of another": (defined("a", a={"allOf": [ref("b")]}, b={"not": ref("a")}),),
}


@table(ILL_FOUNDED, "schema")
def test_an_ill_founded_cycle_is_unknown(schema: Any) -> None:
    assert said(schema, {"type": "string"}) == "open"
    assert said({"type": "string"}, schema) == "open"


def closed(needs: tuple[str, ...], **members: Any) -> dict[str, Any]:
    return {**node(needs, **members), "additionalProperties": False}


def test_a_provisional_refutation_is_forgotten_when_its_assumption_falls() -> None:
    """Below `a`, `c` is empty only as long as `a` is: `v` asks for it there, `w` where the assumption is gone."""
    kinds = {
        "a": {"anyOf": [closed(("b",), b=ref("b")), closed(("c",), c=ref("c")), closed(("s",), s={"const": 1})]},
        "b": closed(("a",), a=ref("a")),
        "c": closed(("a",), a=ref("a"), z=True),
    }
    schema = {"$defs": kinds, **node(("v", "w"), v=ref("a"), w={"allOf": [ref("a"), {"required": ["c"]}]})}
    found = witness(schema, False)
    assert isinstance(found, dict)
    assert found["w"] == {"c": {"a": {"s": 1}}}


def test_a_clause_learnt_below_can_empty_a_choice_above() -> None:
    left = defined(
        "d0",
        d0={
            "allOf": [
                {"items": ref("d1"), "minItems": 2},
                {"not": {"items": {"not": {"enum": ["a"]}}, "minItems": 1}},
            ]
        },
        d1={"type": "array", "items": ref("d0")},
    )
    right = defined("d0", d0={"items": {"$ref": "#/$defs/d2"}})
    assert said(left, right) in ("in", "out", "open")
    assert said(left, {"type": ["string", "number", "boolean", "null", "object"]}) == "in"


def test_definitions_that_all_name_each_other_end() -> None:
    names = [f"d{number}" for number in range(24)]
    tangle = defined("d0", **{name: {"allOf": [ref(other) for other in names if other != name]} for name in names})
    answer = contains(Document(tangle), Document({"type": "object"}), budget=Budget(steps=50_000))
    assert answer.relation.value == "UNKNOWN"
