"""Hostile schemas end in an answer, in time, whatever they hold."""

from __future__ import annotations

import time

import pytest

from compatgate.diff import classify_schemas
from compatgate.jsonio import Json
from compatgate.model import Impact
from compatgate.schema.references import Document

ALLOWED = 10.0


def _deep(levels: int, leaf: Json, keyword: str = "properties") -> Json:
    schema = leaf
    for _ in range(levels):
        schema = {keyword: {"a": schema}} if keyword == "properties" else {keyword: [schema, {"type": "string"}]}
    return schema


def _nest(levels: int, leaf: Json) -> Json:
    schema = leaf
    for level in range(levels):
        schema = {"anyOf": [{"allOf": [schema, {"minimum": level}]}, {"oneOf": [schema, {"multipleOf": level + 2}]}]}
    return schema


def _with(schema: Json, definition: str) -> Json:
    assert isinstance(schema, dict)
    return {**schema, "$defs": {definition: {}}}


HOSTILE: dict[str, tuple[Json, Json]] = {
    "deep": (_deep(900, {"type": "string"}), _deep(900, {"type": "integer"})),
    "deep behind references": (
        _with(_deep(400, {"$ref": "#/$defs/D"}), "D"),
        _with(_deep(400, {"$ref": "#/$defs/E"}), "E"),
    ),
    "wide enumeration": ({"enum": list(range(50_000))}, {"enum": list(range(1, 50_001))}),
    "combinators": (_nest(10, {"type": "integer"}), _nest(10, {"type": "number"})),
    "cycle without structure": ({"$ref": "#"}, {"allOf": [{"$ref": "#"}]}),
    "cycle through not": ({"not": {"$ref": "#"}}, {"type": "string"}),
    "missing reference": ({"$ref": "#/$defs/gone"}, {"$ref": "#/$defs/also-gone"}),
    "missing definition": ({"$ref": "#/$defs/D", "$defs": {"D": {"type": "string"}}}, {"$ref": "#/$defs/D"}),
    "remote reference": ({"$ref": "http://example.invalid/a"}, {"$ref": "http://example.invalid/b"}),
    "malformed pointers": ({"$ref": "#/~2/%zz"}, {"$ref": "#/$defs/~"}),
    "no schemas at all": ([1, 2], "nothing"),
    "malformed keywords": (
        {
            "properties": [],
            "required": "a",
            "type": 5,
            "enum": {},
            "anyOf": {},
            "items": 3,
            "$defs": [],
            "minimum": "x",
        },
        {
            "properties": 1,
            "required": [[]],
            "type": [5],
            "enum": 7,
            "anyOf": [1],
            "items": [3],
            "$defs": 2,
            "minimum": [],
        },
    ),
    "catastrophic pattern": ({"pattern": "^(a+)+$"}, {"pattern": "^(a|aa)+$"}),
    "many renamed names": (
        {"properties": {f"name_{n}": {"type": "string"} for n in range(600)}},
        {"properties": {f"Name{n}": {"type": "string"} for n in range(600)}},
    ),
    "many members": (
        {"anyOf": [{"const": n} for n in range(2000)]},
        {"anyOf": [{"const": n} for n in range(1000, 3000)]},
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("backwards", [False, True])
def test_a_hostile_pair_ends_in_an_answer(name: str, backwards: bool) -> None:
    old, new = reversed(HOSTILE[name]) if backwards else HOSTILE[name]
    for direction in ("input", "output"):
        start = time.process_time()
        diff = classify_schemas(Document(old), Document(new), direction="input" if direction == "input" else "output")
        assert time.process_time() - start < ALLOWED
        assert diff.changes
        assert diff.impact in Impact
        assert all(change.reason.isprintable() for change in diff.changes)
        same = classify_schemas(Document(old), Document(old), direction="input")
        assert same.changes == ()
