"""Every keyword as its dialect allows it, and as it does not: then it is unknown, and equal to itself."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from compatgate.prover import contains, satisfies
from compatgate.prover.validators import compile_pair
from compatgate.schema.dialects import ASSERTING, by_name
from compatgate.schema.nodes import Arena
from compatgate.schema.parse import MAX_DEPTH, Parser
from compatgate.schema.references import Document
from tests.prover.asking import exact, said, table

#: A schema in which the keyword is the point, values that it accepts, values that it does not, and the dialect.
VALID: dict[str, tuple[Any, list[Any], list[Any], str]] = {
    "type": ({"type": "integer"}, [1, 1.0, -3], [1.5, "1", True, None], "2020-12"),
    "type, a list": ({"type": ["integer", "null"]}, [1, None], [1.5, "x"], "2020-12"),
    "type, number and integer": ({"type": ["integer", "number"]}, [1.5], ["x"], "2020-12"),
    "enum": (
        {"enum": [1, "a", None, [1], {"a": 1}]},
        [1.0, "a", None, [1], {"a": 1.0}],
        [True, "1", [True], {}],
        "2020-12",
    ),
    "const": ({"const": [1, {"a": None}]}, [[1, {"a": None}]], [[1], [True, {"a": None}]], "2020-12"),
    "multipleOf": ({"multipleOf": 0.1}, [0.3, 1, "x"], [0.25], "2020-12"),
    "minimum": ({"minimum": 1.5}, [1.5, "x"], [1.4], "2020-12"),
    "maximum": ({"maximum": 1.5}, [1.5], [1.6], "2020-12"),
    "exclusiveMinimum": ({"exclusiveMinimum": 1}, [1.1], [1], "2020-12"),
    "exclusiveMaximum": ({"exclusiveMaximum": 1}, [0.9], [1], "2020-12"),
    "exclusiveMinimum, draft-04": ({"minimum": 1, "exclusiveMinimum": True}, [2], [1, 0], "draft-04"),
    "exclusiveMinimum false": ({"minimum": 1, "exclusiveMinimum": False}, [1], [0], "draft-04"),
    "exclusiveMaximum, draft-04": ({"maximum": 1, "exclusiveMaximum": True}, [0], [1, 2], "draft-04"),
    "exclusiveMaximum alone": ({"exclusiveMaximum": True}, [1, 2], [], "draft-04"),
    "both bounds": ({"minimum": 1, "exclusiveMinimum": 3}, [4], [2, 3], "2020-12"),
    "minLength": ({"minLength": 2}, ["ab", "😀😀", 1], ["a", "😀"], "2020-12"),
    "maxLength": ({"maxLength": 1}, ["", "😀"], ["ab"], "2020-12"),
    "pattern": ({"pattern": "^a+$"}, ["a", "aa", 1], ["", "ab"], "2020-12"),
    "minItems": ({"minItems": 2.0}, [[1, 2], {}], [[1]], "2020-12"),
    "maxItems": ({"maxItems": 1}, [[], [1]], [[1, 2]], "2020-12"),
    "uniqueItems": ({"uniqueItems": True}, [[1, True, "1"], [[1], [2]]], [[1, 1.0], [{"a": 1}, {"a": 1}]], "2020-12"),
    "uniqueItems false": ({"uniqueItems": False}, [[1, 1]], [], "2020-12"),
    "items": ({"items": {"type": "integer"}}, [[], [1]], [["x"], [1, "x"]], "2020-12"),
    "prefixItems": ({"prefixItems": [{"type": "integer"}]}, [[], [1, "x"]], [["x"]], "2020-12"),
    "prefixItems and items": ({"prefixItems": [True], "items": False}, [[], [1]], [[1, 2]], "2020-12"),
    "an array of items": ({"items": [{"type": "integer"}]}, [[], [1, "x"]], [["x"]], "draft-07"),
    "additionalItems": ({"items": [{}], "additionalItems": {"type": "integer"}}, [["x", 1]], [["x", "y"]], "draft-07"),
    "additionalItems beside one schema": ({"items": {}, "additionalItems": False}, [[1, 2]], [], "draft-07"),
    "contains": ({"contains": {"type": "integer"}}, [["x", 1], {}], [[], ["x"]], "2020-12"),
    "minContains 0": ({"contains": {"type": "integer"}, "minContains": 0}, [[]], [], "2020-12"),
    "minContains": ({"contains": {"type": "integer"}, "minContains": 2}, [[1, "x", 2]], [[1]], "2020-12"),
    "maxContains": ({"contains": {"type": "integer"}, "maxContains": 1}, [[1, "x"]], [[1, 2], []], "2020-12"),
    "minContains without contains": ({"minContains": 2}, [[]], [], "2020-12"),
    "required": ({"required": ["a"]}, [{"a": None}, 1], [{}], "2020-12"),
    "properties": ({"properties": {"a": {"type": "integer"}}}, [{}, {"a": 1, "b": "x"}], [{"a": "x"}], "2020-12"),
    "patternProperties": ({"patternProperties": {"^a": False}}, [{"b": 1}], [{"ab": 1}], "2020-12"),
    "additionalProperties": (
        {"properties": {"a": {}}, "patternProperties": {"^x": {}}, "additionalProperties": False},
        [{"a": 1, "x": 1}],
        [{"b": 1}],
        "2020-12",
    ),
    "additionalProperties false, draft-04": ({"additionalProperties": False}, [{}], [{"a": 1}], "draft-04"),
    "propertyNames": ({"propertyNames": {"maxLength": 1}}, [{"a": 1}], [{"ab": 1}], "2020-12"),
    "minProperties": ({"minProperties": 1}, [{"a": 1}], [{}], "2020-12"),
    "maxProperties": ({"maxProperties": 0}, [{}], [{"a": 1}], "2020-12"),
    "dependentRequired": ({"dependentRequired": {"a": ["b"]}}, [{}, {"a": 1, "b": 1}], [{"a": 1}], "2020-12"),
    "dependentSchemas": ({"dependentSchemas": {"a": {"maxProperties": 1}}}, [{"a": 1}], [{"a": 1, "b": 1}], "2020-12"),
    "dependencies, names": ({"dependencies": {"a": ["b"]}}, [{"b": 1}], [{"a": 1}], "draft-07"),
    "dependencies, a schema": (
        {"dependencies": {"a": {"maxProperties": 1}}},
        [{"a": 1}],
        [{"a": 1, "b": 1}],
        "draft-04",
    ),
    "dependencies, false": ({"dependencies": {"a": False}}, [{"b": 1}], [{"a": 1}], "draft-07"),
    "allOf": ({"allOf": [{"minimum": 1}, {"maximum": 2}]}, [1, 2], [0, 3], "2020-12"),
    "anyOf": ({"anyOf": [{"type": "string"}, {"minimum": 2}]}, ["a", 2, None], [1], "2020-12"),
    "oneOf": ({"oneOf": [{"multipleOf": 2}, {"multipleOf": 3}]}, [2, 3], [1, 6, "x"], "2020-12"),
    "oneOf, one says nothing": ({"oneOf": [{}, {"type": "string"}]}, [1], ["x"], "2020-12"),
    "oneOf, the same twice": ({"oneOf": [{"type": "string"}, {"type": "string"}]}, [], ["x", 1], "2020-12"),
    "oneOf of three": ({"oneOf": [{"minimum": 1}, {"minimum": 2}, {"minimum": 3}]}, [1], [0, 2, 3], "2020-12"),
    "not": ({"not": {"type": "string"}}, [1], ["x"], "2020-12"),
    "if, then, else": (
        {"if": {"minimum": 5}, "then": {"maximum": 7}, "else": {"multipleOf": 2}},
        [6, 4],
        [8, 3],
        "2020-12",
    ),
    "if alone": ({"if": False}, [1], [], "2020-12"),
    "then without if": ({"then": False, "else": False}, [1], [], "2020-12"),
    "format is an annotation": ({"format": "date"}, ["x"], [], "2020-12"),
    "content is an annotation": ({"contentMediaType": "application/json"}, ["{"], [], "2020-12"),
    "metadata": ({"title": 1, "default": 2, "deprecated": "x", "x-any": [], "$comment": 3}, [1], [], "2020-12"),
}


@table(VALID, "schema accepted rejected dialect")
def test_a_keyword_means_what_validators_say(
    schema: Any, accepted: list[Any], rejected: list[Any], dialect: str
) -> None:
    document = Document(exact(schema), "", dialect)
    pair = compile_pair(document)
    for value in map(exact, accepted):
        assert satisfies(document, value) is True, value
        assert pair.verdict(value) in ("valid", "disputed"), value  # 1.0 is a matter of dispute in draft-04 alone
        assert contains(Document({"enum": [value]}), document).relation.value == "PROVEN_SUBSET", value
    for value in map(exact, rejected):
        assert satisfies(document, value) is False, value
        assert pair.verdict(value) == "invalid", value
        assert contains(Document({"enum": [value]}), document).relation.value == "PROVEN_NOT_SUBSET", value


def test_the_table_has_every_keyword() -> None:
    elsewhere = {"$ref", "$dynamicRef", "$recursiveRef", "unevaluatedItems", "unevaluatedProperties"}
    assert ASSERTING - elsewhere - {keyword for schema, *_ in VALID.values() for keyword in schema} == set()


INVALID: dict[str, tuple[Any, str]] = {
    "type, an unknown name": ({"type": "int"}, "2020-12"),
    "type, a number": ({"type": 7}, "2020-12"),
    "type, a list with another": ({"type": ["string", None]}, "2020-12"),
    "enum, no list": ({"enum": "a"}, "2020-12"),
    "multipleOf 0": ({"multipleOf": 0}, "2020-12"),
    "multipleOf below 0": ({"multipleOf": -1}, "2020-12"),
    "multipleOf, a text": ({"multipleOf": "2"}, "2020-12"),
    "minimum, a text": ({"minimum": "1"}, "2020-12"),
    "maximum, a boolean": ({"maximum": True}, "2020-12"),
    "exclusiveMinimum, a boolean": ({"minimum": 1, "exclusiveMinimum": True}, "2020-12"),
    "exclusiveMaximum, a number in draft-04": ({"exclusiveMaximum": 1}, "draft-04"),
    "minLength below 0": ({"minLength": -1}, "2020-12"),
    "maxLength, a fraction": ({"maxLength": 1.5}, "2020-12"),
    "minItems, a text": ({"minItems": "1"}, "2020-12"),
    "maxProperties, null": ({"maxProperties": None}, "2020-12"),
    "pattern, no text": ({"pattern": 1}, "2020-12"),
    "pattern, not of ECMA-262": ({"type": "string", "pattern": "(?P<n>a)"}, "2020-12"),
    "uniqueItems, a text": ({"uniqueItems": "yes"}, "2020-12"),
    "items, a list in 2020-12": ({"items": [{"type": "string"}]}, "2020-12"),
    "items, a number": ({"items": 1}, "2020-12"),
    "prefixItems, no list": ({"prefixItems": {}}, "2020-12"),
    "contains, a list": ({"contains": []}, "2020-12"),
    "minContains below 0": ({"contains": {}, "minContains": -1}, "2020-12"),
    "maxContains, a text": ({"contains": {"type": "string"}, "maxContains": "1"}, "2020-12"),
    "required, a boolean": ({"required": True}, "2020-12"),
    "required, numbers": ({"required": [1]}, "2020-12"),
    "properties, a list": ({"properties": []}, "2020-12"),
    "patternProperties, a list": ({"patternProperties": []}, "2020-12"),
    "additionalProperties, a text": ({"additionalProperties": "no"}, "2020-12"),
    "propertyNames, a text": ({"propertyNames": "a"}, "2020-12"),
    "dependentRequired, a schema": ({"dependentRequired": {"a": {}}}, "2020-12"),
    "dependentSchemas, names": ({"dependentSchemas": {"a": ["b"]}}, "2020-12"),
    "dependencies, a list": ({"dependencies": ["a"]}, "draft-07"),
    "allOf, empty": ({"allOf": []}, "2020-12"),
    "anyOf, no list": ({"anyOf": {}}, "2020-12"),
    "oneOf, a list of numbers": ({"oneOf": [1]}, "2020-12"),
    "not, a number": ({"not": 1}, "2020-12"),
    "if, a number": ({"if": 1, "then": False}, "2020-12"),
    "true as a schema in draft-04": ({"not": True}, "draft-04"),
    "unevaluatedProperties, a text": ({"unevaluatedProperties": "x"}, "2020-12"),
}


@table(INVALID, "schema dialect")
def test_what_a_dialect_does_not_allow_is_unknown_and_never_guessed(schema: Any, dialect: str) -> None:
    document = Document(exact(schema), "", dialect)
    answers = [
        contains(Document(True), document).relation.value,
        contains(document, Document(False)).relation.value,
    ]
    assert "UNKNOWN" in answers
    assert set(answers) <= {"UNKNOWN", "PROVEN_NOT_SUBSET"}


@table(INVALID, "schema dialect")
def test_an_unreadable_part_is_equal_to_itself(schema: Any, dialect: str) -> None:
    old = Document({"properties": {"a": exact(schema)}, "minProperties": 1}, "", dialect)
    new = Document({"properties": {"a": exact(schema)}}, "", dialect)
    assert contains(old, new).relation.value == "PROVEN_SUBSET"


def test_an_unreadable_part_says_where_it_stands() -> None:
    answer = contains(Document({"required": ["a"]}), Document({"properties": {"a": {"multipleOf": 0}}}))
    assert answer.relation.value == "UNKNOWN"
    assert answer.path == "/properties/a/multipleOf"


@pytest.mark.parametrize("keyword", ["properties", "items", "not", "allOf"])
def test_depth_never_meets_the_recursion_limit(keyword: str) -> None:
    deep: Any = {"type": "string"}
    for _ in range(MAX_DEPTH + 3_000):
        deep = {keyword: {"a": deep} if keyword == "properties" else [deep] if keyword == "allOf" else deep}
    schema = Parser(Arena(), Document(deep)).parse()
    assert any(world.op != "true" for world in schema.worlds)


def test_equal_texts_are_read_once() -> None:
    shared: Any = {"type": "object", "properties": {"x": {"type": "string"}}}
    arena = Arena()
    one = Parser(arena, Document({"properties": {"a": shared}})).parse()
    two = Parser(arena, Document(exact({"properties": {"a": shared}, "title": "other"}))).parse()
    assert one is two


def test_numbers_beyond_reach_are_unknown_and_numbers_within_are_exact() -> None:
    def at_most(bound: str) -> Document:
        return Document({"type": "number", "maximum": Decimal(bound)})

    assert said(at_most("1"), at_most("1e5000")) == "open"
    assert said(at_most("1"), at_most("1e1000")) == "in"
    assert said(at_most("1.00000000000000000000000000000001"), at_most("1")) != "in"


def test_a_format_is_asserted_on_request_and_then_not_modelled() -> None:
    schema, date = {"type": "string"}, {"type": "string", "format": "date"}
    assert said(schema, date) == "in"
    assert said(schema, date, assert_formats=True) == "open"
    assert said({**date, "minLength": 1}, date, assert_formats=True) == "in"


def test_every_dialect_has_a_name() -> None:
    assert all(by_name(dialect) for _, _, _, dialect in VALID.values())
