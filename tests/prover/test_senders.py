"""The caller model `declared`: what a sender is assumed to send, row by row."""

from __future__ import annotations

from typing import Any

import pytest

from compatgate.prover import contains
from compatgate.schema.references import Document
from tests.prover.asking import exact, said, table

A: dict[str, Any] = {"properties": {"a": {}}}
B: dict[str, Any] = {"properties": {"b": {}}}
OBJECT = {"type": "object"}
DRAFT7 = "http://json-schema.org/draft-07/schema#"


def only(*names: str) -> dict[str, Any]:
    """Say that an object has no other names than these."""
    return {"properties": {name: {} for name in names}, "additionalProperties": False}


# Each row: the sender's schema, a receiver that admits just what is sent, one that admits less than that.
SENT: dict[str, tuple[Any, Any, Any]] = {
    "each item is closed": ({"items": A}, {"items": only("a")}, {"items": only()}),
    "a map's values are closed": (
        {"additionalProperties": A, "properties": {"k": True}},
        {"additionalProperties": only("a"), "properties": {"k": True}},
        {"additionalProperties": only(), "properties": {"k": True}},
    ),
    "allOf is closed once": ({**OBJECT, "allOf": [A, B]}, only("a", "b"), only("a")),
    "anyOf: a branch that lets strings in": (
        {**OBJECT, "anyOf": [A, {**B, "additionalProperties": {"type": "string"}}]},
        {"properties": {"a": {}, "b": {}}, "additionalProperties": {"type": "string"}},
        only("a", "b"),
    ),
    "anyOf: the first branch alone": (
        {**OBJECT, "anyOf": [A, {**B, "required": ["b"], "additionalProperties": {"type": "string"}}]},
        {"if": {"required": ["b"]}, "then": True, "else": only("a")},
        {"if": {"required": ["b"]}, "then": True, "else": only()},
    ),
    "draft-07 $ref alone": (
        {"$schema": DRAFT7, "definitions": {"d": A}, "$ref": "#/definitions/d", "properties": {"z": {}}},
        only("a"),
        only("z"),
    ),
    "2020-12 $ref and its siblings": (
        {"$defs": {"d": A}, "$ref": "#/$defs/d", "properties": {"z": {}}},
        only("a", "z"),
        only("a"),
    ),
    "patternProperties stay": (
        {**OBJECT, **A, "patternProperties": {"^x-": {}}},
        {"properties": {"a": {}}, "patternProperties": {"^x-": {}}, "additionalProperties": False},
        only("a"),
    ),
    "the root without properties sends {}": (OBJECT, {"maxProperties": 0}, {"minProperties": 1}),
    "additionalProperties true is silence": (
        {**OBJECT, **A, "additionalProperties": True},
        only("a"),
        only(),
    ),
    "additionalProperties {} is silence": (
        {**OBJECT, **A, "additionalProperties": {"description": "anything"}},
        only("a"),
        only(),
    ),
    "required names are declared": ({**OBJECT, **A, "required": ["r"]}, only("a", "r"), only("r")),
    "names that others require are declared": (
        {**OBJECT, **A, "dependentRequired": {"a": ["d"]}},
        only("a", "d"),
        only("a"),
    ),
    "members of constants are declared": (
        {"properties": {"o": {"enum": [{"k": 1}], "properties": {"a": {}}}}},
        {"properties": {"o": only("k")}, "additionalProperties": False},
        {"properties": {"o": only("a")}},
    ),
    "then declares, if does not": (
        {**OBJECT, **A, "if": {"properties": {"q": {}}, "required": ["a"]}, "then": {"properties": {"t": {}}}},
        only("a", "t"),
        only("a"),
    ),
}


@table(SENT, "sender receiver narrower")
def test_what_is_sent(sender: Any, receiver: Any, narrower: Any) -> None:
    assert said(sender, receiver, callers="declared") == "in"
    assert said(sender, narrower, callers="declared") == "out"


@table(SENT, "sender receiver narrower")
def test_any_sender_is_not_so_kind(sender: Any, receiver: Any, narrower: Any) -> None:
    """Pure set logic: whatever the schema accepts may be sent, so closing is what made the difference."""
    assert said(sender, receiver, callers="any") == "out"


def test_a_nested_free_map_stays_open() -> None:
    sender = {"properties": {"filter": OBJECT}}
    assert said(sender, {"properties": {"filter": {"maxProperties": 0}}}, callers="declared") == "out"


def test_items_that_are_only_contained_stay_open() -> None:
    sender = {"properties": {"l": {"type": "array", "contains": {**OBJECT, **A}}}}
    receiver = {"properties": {"l": {"contains": {**OBJECT, **only("a")}}}}
    assert said(sender, receiver, callers="declared") == "out"


def test_what_a_negation_mentions_stays_as_written() -> None:
    sender = {**OBJECT, "properties": {"a": {"not": {**OBJECT, **A}}}}
    receiver = {"properties": {"a": {"not": {**OBJECT, "minProperties": 0}}}}
    assert said(sender, receiver, callers="declared") == "in"


def test_a_node_is_closed_at_every_depth() -> None:
    def node(**more: Any) -> dict[str, Any]:
        inner = {"properties": {"child": {"$ref": "#/$defs/node"}}, **OBJECT, **more}
        return {"$ref": "#/$defs/node", "$defs": {"node": inner}}

    assert said(node(), node(additionalProperties=False), callers="declared") == "in"
    assert said(node(), node(additionalProperties=False), callers="any") == "out"


def test_one_definition_is_closed_as_a_value_and_open_as_a_member() -> None:
    definition = {"d": {**OBJECT, **A}}
    sender = {"$defs": definition, "allOf": [{"$ref": "#/$defs/d"}, B], "properties": {"v": {"$ref": "#/$defs/d"}}}
    receiver = {"properties": {"a": {}, "b": {}, "v": only("a")}, "additionalProperties": False}
    assert said(sender, receiver, callers="declared") == "in"
    assert said(sender, {**receiver, "properties": {"b": {}, "v": {}}}, callers="declared") == "out"


def test_an_output_without_properties_is_not_a_tool_without_parameters() -> None:
    receiver = {"maxProperties": 0}
    assert said(OBJECT, receiver, callers="declared", root_is_input=False) == "out"
    assert said(OBJECT, receiver, callers="declared", root_is_input=True) == "in"


def test_the_receiver_is_never_closed() -> None:
    assert said({**OBJECT, **only("a", "b")}, {**OBJECT, **A}, callers="declared") == "in"


@pytest.mark.parametrize(
    "sender",
    [
        {**OBJECT, **A, "minProperties": 2},
        {"properties": {"o": {**OBJECT, **A, "minProperties": 2}}, "required": ["o"], **OBJECT},
    ],
)
def test_a_position_that_closing_would_empty_is_left_open_and_said(sender: Any) -> None:
    answer = contains(Document(exact(sender)), Document(False), callers="declared")
    assert answer.relation.value == "PROVEN_NOT_SUBSET"
    assert any("left open" in note for note in answer.notes), answer.notes


def test_a_sender_of_nothing_is_not_said_to_be_left_open() -> None:
    answer = contains(Document({**OBJECT, **A, "allOf": [False]}), Document(False), callers="declared")
    assert answer.relation.value == "PROVEN_SUBSET"
    assert not any("left open" in note for note in answer.notes)
