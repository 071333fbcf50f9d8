"""Which arguments a schema no longer declares, at every depth."""

from __future__ import annotations

import pytest

from compatgate.jsonio import Json
from compatgate.replay.names import Names
from compatgate.schema.references import Document


def ignored(old: Json, new: Json, arguments: Json) -> tuple[str, ...]:
    return Names(Document(new)).ignored(arguments, Names(Document(old)))


AB: dict[str, Json] = {"type": "object", "properties": {"a": {}, "b": {}}}
A: dict[str, Json] = {"type": "object", "properties": {"a": {}}}


def test_a_dropped_argument_that_is_sent() -> None:
    assert ignored(AB, A, {"a": 1, "b": 2}) == ("/b",)


def test_a_dropped_argument_that_is_not_sent() -> None:
    assert ignored(AB, A, {"a": 1}) == ()


def test_a_name_that_was_never_declared() -> None:
    assert ignored(A, A, {"zzz": 1}) == ()


@pytest.mark.parametrize(
    "new",
    [
        {"allOf": [A, {"properties": {"b": {}}}]},
        {"anyOf": [A, {"properties": {"b": {}}}]},
        {"if": A, "then": {"properties": {"b": {}}}},
        {"dependentSchemas": {"a": AB}},
        {"$ref": "#/$defs/x", "$defs": {"x": AB}},
        {"properties": {"a": {}}, "required": ["b"]},
        {"properties": {"a": {}}, "patternProperties": {"^b": {}}},
        {"properties": {"a": {}}, "additionalProperties": {"type": "integer"}},
        {"enum": [{"a": 1, "b": 2}]},
        {"dependentRequired": {"a": ["b"]}},
    ],
)
def test_every_way_of_declaring_a_name(new: Json) -> None:
    assert ignored(AB, new, {"a": 1, "b": 2}) == ()


@pytest.mark.parametrize("new", [True, {}, {"type": "object"}, {**A, "additionalProperties": True}])
def test_silence_declares_nothing(new: Json) -> None:
    assert "/b" in ignored(AB, new, {"b": 2})


def test_below_draft_2019_a_reference_hides_what_stands_beside_it() -> None:
    beside: dict[str, Json] = {"$ref": "#/definitions/x", "definitions": {"x": A}, "properties": {"b": {}}}
    assert ignored(AB, beside, {"b": 2}) == ()
    assert ignored(AB, {"$schema": "http://json-schema.org/draft-07/schema#", **beside}, {"b": 2}) == ("/b",)


def test_nested_objects_and_items() -> None:
    old: Json = {"properties": {"f": AB, "l": {"items": AB}, "m~/": AB}}
    new: Json = {"properties": {"f": A, "l": {"items": A}, "m~/": A}}
    sent: Json = {"f": {"b": 1}, "l": [{"a": 1}, {"b": 1}], "m~/": {"b": 1}}
    assert ignored(old, new, sent) == ("/f/b", "/l/1/b", "/m~0~1/b")


def test_tuples_in_both_spellings() -> None:
    old: Json = {"properties": {"l": {"prefixItems": [AB], "items": AB}}}
    new: Json = {"$schema": "http://json-schema.org/draft-07/schema#",
                 "properties": {"l": {"items": [A], "additionalItems": AB}}}  # fmt: skip
    assert ignored(old, new, {"l": [{"b": 1}, {"b": 1}]}) == ("/l/0/b",)


def test_a_nested_free_map_ignores_nothing() -> None:
    assert ignored({"properties": {"f": AB}}, {"properties": {"f": {"type": "object"}}}, {"f": {"b": 1}}) == ()


def test_recursion_ends() -> None:
    old: Json = {"properties": {"child": {"$ref": "#"}, "b": {}}}
    new: Json = {"properties": {"child": {"$ref": "#"}}, "allOf": [{"$ref": "#"}]}
    assert ignored(old, new, {"child": {"child": {"b": 1}}}) == ("/child/child/b",)


def test_a_pattern_that_cannot_be_read_ignores_nothing() -> None:
    assert ignored(AB, {"properties": {"a": {}}, "patternProperties": {"(?P<x>b)": {}}}, {"b": 1}) == ()


def test_dangling_references_end_the_search() -> None:
    assert ignored(AB, {"$ref": "#/nowhere", "properties": {"a": {}}}, {"b": 1}) == ("/b",)
