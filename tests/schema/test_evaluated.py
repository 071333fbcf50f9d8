"""unevaluatedProperties and unevaluatedItems: what was evaluated, branch by branch, as both validators see it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from compatgate.prover import satisfies
from compatgate.prover.validators import compile_pair
from compatgate.schema.evaluated import MAX_VISITS
from compatgate.schema.nodes import Arena
from compatgate.schema.parse import Parser
from compatgate.schema.references import Document
from tests.prover.asking import exact, said, table

REST: dict[str, Any] = {"unevaluatedProperties": False}
TAIL: dict[str, Any] = {"unevaluatedItems": False}
A: dict[str, Any] = {"properties": {"a": {}}}
B: dict[str, Any] = {"properties": {"b": {}}}
PAIR: dict[str, Any] = {"a": 1, "b": 1}

#: A schema, values that it accepts, values that it does not.
CASES: dict[str, tuple[Any, list[Any], list[Any]]] = {
    "beside properties": ({**A, **REST}, [{}, {"a": 1}], [{"b": 1}]),
    "beside patternProperties": ({"patternProperties": {"^a": {}}, **REST}, [{"ab": 1}], [{"b": 1}]),
    "beside additionalProperties": ({"additionalProperties": {"type": "integer"}, **REST}, [{"x": 1}], [{"x": "s"}]),
    "through allOf": ({"allOf": [A, B], **REST}, [PAIR], [{"c": 1}]),
    "through anyOf, what held": (
        {"anyOf": [{**A, "required": ["a"]}, {**B, "required": ["b"]}], **REST},
        [{"a": 1}, {"b": 1}, PAIR],
        [{"a": 1, "c": 1}, {"c": 1}],
    ),
    "through anyOf, what did not hold": (
        {"anyOf": [{"properties": {"a": {"const": 1}}}, {**B, "required": ["b"]}], **REST},
        [{"a": 1}, {"a": 1, "b": 2}],
        [{"a": 2, "b": 2}, {"a": 2}],
    ),
    "through oneOf": (
        {"oneOf": [{**A, "required": ["a"]}, {**B, "required": ["b"]}], **REST},
        [{"a": 1}, {"b": 1}],
        [PAIR, {"a": 1, "c": 1}],
    ),
    "not through not": ({"not": {"not": A}, **REST}, [{}], [{"a": 1}]),
    "if alone": ({"if": {**A, "required": ["a"]}, **REST}, [{"a": 1}, {}], [{"b": 1}, PAIR]),
    "if and then": (
        {
            "if": {"properties": {"a": {"const": 1}}, "required": ["a"]},
            "then": B,
            "else": {"properties": {"c": {}}},
            **REST,
        },
        [PAIR, {"c": 1}],
        [{"a": 1, "c": 1}, {"a": 2}, {"b": 1}],
    ),
    "through a reference": ({"$defs": {"a": A}, "$ref": "#/$defs/a", **REST}, [{"a": 1}], [{"b": 1}]),
    "through dependentSchemas": ({"dependentSchemas": {"b": B}, **A, **REST}, [PAIR, {"b": 1}], [{"c": 1}]),
    "an inner one evaluates all": ({"allOf": [{"unevaluatedProperties": True}], **REST}, [{"x": 1}], []),
    "a schema for the rest": ({**A, "unevaluatedProperties": {"type": "integer"}}, [{"a": "s", "x": 1}], [{"x": "s"}]),
    "cousins do not see each other": ({"allOf": [A, REST]}, [{}], [{"a": 1}]),
    "only of the object itself": ({"properties": {"o": A}, **REST}, [{"o": {"z": 1}}], [{"a": 1}]),
    "items: a prefix": ({"prefixItems": [{}], **TAIL}, [[], [1]], [[1, 2]]),
    "items: the rest": ({"prefixItems": [{}], "items": {"type": "integer"}, **TAIL}, [[1, 2, 3]], [[1, "s"]]),
    "items: the longest prefix that held": (
        {"anyOf": [{"prefixItems": [{}]}, {"prefixItems": [{}, {"const": 2}]}], **TAIL},
        [[1], [1, 2]],
        [[1, 3], [1, 2, 3]],
    ),
    "items: what contains matched": (
        {"contains": {"type": "string"}, "unevaluatedItems": {"type": "integer"}},
        [["s", 1], [1, "s", "t"]],
        [["s", None], [1]],
    ),
    "items: contains in a branch": (
        {"allOf": [{"contains": {"const": 1}}, {"contains": {"const": 2}}], **TAIL},
        [[1, 2], [2, 1, 1]],
        [[1, 2, 3], [1]],
    ),
    "items: by if": (
        {"if": {"prefixItems": [{"const": 1}]}, "then": {"prefixItems": [{}, {}]}, **TAIL},
        [[1], [1, 2], []],
        [[2], [1, 2, 3]],
    ),
}


@table(CASES, "schema accepted rejected")
def test_what_is_evaluated(schema: Any, accepted: list[Any], rejected: list[Any]) -> None:
    pair = compile_pair(Document(exact(schema)))
    for value in accepted:
        assert pair.verdict(value) == "valid", value
        assert satisfies(exact(schema), value) is True, value
        assert said({"const": value}, schema) == "in", value
    for value in rejected:
        assert pair.verdict(value) == "invalid", value
        assert satisfies(exact(schema), value) is False, value
        assert said({"const": value}, schema) == "out", value


def test_more_branches_than_are_told_apart_are_unknown() -> None:
    names = [f"p{n}" for n in range(12)]
    many = {"allOf": [{"anyOf": [{"properties": {n: {}}, "required": [n]}, True]} for n in names], **REST}
    assert said(many, {"maxProperties": 1}) == "open"
    assert said({"const": {"z": 1}}, {"properties": {"z": {"type": "integer"}}}) == "in"


def test_what_an_unknown_reference_evaluates_is_unknown() -> None:
    assert said({"const": {"a": 1}}, {"$ref": "https://example.org/x", **REST}) == "open"


BRANCHES: list[dict[str, Any]] = [
    A,
    {**A, "required": ["a"]},
    {"properties": {"a": {"const": 1}}},
    {"patternProperties": {"^[ab]$": {"type": "integer"}}},
    {**B, "additionalProperties": {"const": 2}},
    {"dependentSchemas": {"a": B}},
    {"required": ["b"]},
    {"propertyNames": {"maxLength": 1}},
]


def nested(random: Random, depth: int) -> dict[str, Any]:
    """Draw a schema whose in-place applicators nest."""
    if depth == 0 or random.random() < 0.3:
        return random.choice(BRANCHES)
    inner = [nested(random, depth - 1) for _ in range(3)]
    keyword = random.choice(("allOf", "anyOf", "anyOf", "oneOf", "if", "not"))
    drawn: dict[str, Any] = {keyword: inner[:2]}
    if keyword == "if":
        drawn = dict(zip(("if", "then", "else"), inner, strict=True))
    elif keyword == "not":
        drawn = {"not": inner[0]}
    if random.random() < 0.3:
        drawn["unevaluatedProperties"] = random.choice((False, {"const": 1}))
    return drawn


@pytest.mark.parametrize("dialect", ["2019-09", "2020-12"])
@pytest.mark.parametrize("seed", range(100))
def test_nested_branches_are_read_as_validators_read_them(seed: int, dialect: str) -> None:
    random = Random(f"evaluated {seed}")
    rest: Any = random.choice((False, {"const": 2}))
    schema = Document({**nested(random, 3), "unevaluatedProperties": rest}, "", dialect)
    pair = compile_pair(schema)
    values: list[Any] = [{}, *({"a": x} for x in (1, 2, "s")), *({"b": x} for x in (1, 2)), {"c": 1}, {"cc": 2}]
    values += [{"a": x, "b": y} for x in (1, 2) for y in (1, 2, "s")] + [{"a": 1, "b": 2, "c": 2}]
    for value in values:
        own, verdict = satisfies(schema, value), pair.verdict(value)
        assert own is None or verdict == "disputed" or own == (verdict == "valid"), (schema.root, value)


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("declared", [False, True])
def test_definitions_that_are_met_again_and_again_are_not_walked_for_ever(keyword: str, declared: bool) -> None:
    """Three references to the next of fifteen definitions: three to the fifteenth ways down."""
    kinds: dict[str, Any] = {f"d{n}": {keyword: [{"$ref": f"#/$defs/d{n + 1}"}] * 3} for n in range(15)}
    schema: dict[str, Any] = {"$defs": {**kinds, "d15": A}, "$ref": "#/$defs/d0", **({} if declared else REST)}
    parser = Parser(Arena(), Document(schema), declared=declared)
    parser.parse()
    assert parser.walked < 2 * MAX_VISITS
    if declared and keyword != "oneOf":  # the same three times is one too often: no object at all is sent
        assert any("left open" in note for note in parser.notes)
