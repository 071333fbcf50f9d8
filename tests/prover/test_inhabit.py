"""The one function: is there a value in all of these and none of those; which answers are kept."""

from __future__ import annotations

from typing import Any

import pytest

from compatgate.jsonio import Json
from compatgate.prover.budget import Budget
from compatgate.prover.containment import separate
from compatgate.prover.inhabit import Prover
from compatgate.prover.outcomes import Empty, Found, Unknown
from compatgate.schema.nodes import Arena, Schema
from compatgate.schema.parse import Parser
from compatgate.schema.references import Document
from tests.prover.asking import exact, said, table


class Asking:
    """Hold an arena and a prover, to be asked about several schemas."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.arena = Arena()
        self.prover = Prover(self.arena, budget)

    def read(self, schema: Any) -> Schema:
        return Parser(self.arena, Document(exact(schema))).parse()

    def ask(self, pos: list[Any], neg: list[Any]) -> Found | Empty | Unknown:
        return self.prover.inhabit([self.read(s) for s in pos], [self.read(s) for s in neg])


WORLDS: dict[str, tuple[Json, Json]] = {
    "null": ({"type": "null"}, None),
    "boolean": ({"type": "boolean"}, False),
    "number": ({"type": "number"}, 0),
    "string": ({"type": "string"}, ""),
    "array": ({"type": "array"}, []),
    "object": ({"type": "object"}, {}),
}


@table(WORLDS, "schema smallest")
def test_every_type_has_a_simplest_value(schema: Json, smallest: Json) -> None:
    assert Asking().ask([schema], []) == Found(smallest)


@table(WORLDS, "schema smallest")
def test_the_types_are_disjoint_and_there_is_no_seventh(schema: Json, smallest: Json) -> None:
    others = [other for other, _ in WORLDS.values() if other != schema]
    for other in others:
        assert isinstance(Asking().ask([schema, other], []), Empty)
    assert Asking().ask([], others) == Found(smallest)
    assert isinstance(Asking().ask([], [schema, *others]), Empty)


def test_a_value_in_none_but_all_of_nothing() -> None:
    assert isinstance(Asking().ask([], []), Found)
    assert isinstance(Asking().ask([False], []), Empty)
    assert isinstance(Asking().ask([], [True]), Empty)


def test_an_empty_answer_names_members_that_exclude_each_other() -> None:
    asking = Asking()
    low, high, beside = (
        asking.read(s) for s in ({"type": "integer", "maximum": 1}, {"type": "integer", "minimum": 2}, {"minimum": -9})
    )
    answer = asking.prover.inhabit([low, beside, high])
    assert isinstance(answer, Empty)
    assert answer.core == {low, high}


#: Sets of schemas that exclude each other as a whole; the core that is named has to do so by itself.
TOGETHER: dict[str, tuple[list[Any]]] = {
    "sizes": (
        [{"minProperties": 3}, {"type": "object"}, {"propertyNames": {"enum": ["a", "b"]}}, {"required": ["a"]}],
    ),
    "names": ([{"type": "object", "required": ["a"]}, {"properties": {"a": False}}, {"minProperties": 1}],),
    "regions": (
        [{"type": "object", "minProperties": 1}, {"patternProperties": {"^a": False}}, {"additionalProperties": False}],
    ),
    "items": ([{"type": "array", "contains": {"const": 1}}, {"items": {"type": "string"}}, {"maxItems": 9}],),
    "unique": (
        [{"type": "array", "uniqueItems": True}, {"minItems": 3}, {"items": {"type": "boolean"}}, {"maxItems": 5}],
    ),
    "somewhere": (
        [
            {"type": "object", "not": {"additionalProperties": {"type": "integer"}}},
            {"patternProperties": {"": {"type": "integer"}}},
            {"maxProperties": 4},
        ],
    ),
    "constants": ([{"enum": [{"a": 1}, [1], 1]}, {"not": {"const": 1}}, {"maxItems": 0}, {"maxProperties": 0}],),
    "cases": (
        [
            {"type": "string"},
            {"anyOf": [{"minLength": 5}, {"pattern": "^b"}]},
            {"maxLength": 4},
            {"pattern": "^a"},
            {"minLength": 1},
        ],
    ),
}


@table(TOGETHER, "schemas")
def test_a_core_excludes_by_itself(schemas: list[Any]) -> None:
    asking = Asking()
    read = [asking.read(schema) for schema in schemas]
    answer = asking.prover.inhabit(read)
    assert isinstance(answer, Empty)
    assert answer.core <= set(read)
    fresh = Prover(asking.arena)
    assert isinstance(fresh.inhabit([schema for schema in read if schema in answer.core]), Empty)


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    node = {
        "$defs": {
            "a": {"type": "object", "properties": {"b": {"$ref": "#/$defs/b"}}, "required": ["b"]},
            "b": {"anyOf": [{"$ref": "#/$defs/a"}, {"const": 3}]},
        }
    }
    first, second = {**node, "$ref": "#/$defs/a"}, {**node, "$ref": "#/$defs/b"}
    asking = Asking()
    one, two = asking.read(first), asking.read(second)
    forwards = [asking.prover.inhabit([one]), asking.prover.inhabit([two])]
    other = Asking()
    one, two = other.read(first), other.read(second)
    backwards = [other.prover.inhabit([two]), other.prover.inhabit([one])]
    assert forwards == backwards[::-1] == [Found({"b": 3}), Found(3)]


def test_values_may_nest_as_deep_as_the_budget_says() -> None:
    deep: Any = {"const": 1}
    for _ in range(60):
        deep = {"type": "array", "items": deep, "minItems": 1}
    assert isinstance(Asking().ask([deep], []), Found)
    answer = Asking(Budget(depth=30)).ask([deep], [])
    assert isinstance(answer, Unknown)
    assert "deeper" in answer.reason


def test_an_unknown_says_where() -> None:
    answer = Asking().ask(
        [{"properties": {"a": {"type": "string", "pattern": "(x)\\1"}}, "required": ["a"]}],
        [{"type": ["null", "boolean", "number", "string", "array"]}],
    )
    assert isinstance(answer, Unknown)
    assert answer.path


def test_several_on_both_sides() -> None:
    answer = separate([{"type": "integer"}, {"minimum": 3}], [{"const": 3}, {"multipleOf": 2}])
    assert answer.witness == 5


@pytest.mark.parametrize("schema", [7, "x", [], None])
def test_what_is_no_schema_is_unknown_and_equal_to_itself(schema: Any) -> None:
    assert said({"properties": {"a": schema}}, {"properties": {"a": {"type": "string"}}}) == "open"
    assert said({"properties": {"a": schema}, "minProperties": 1}, {"properties": {"a": schema}}) == "in"
