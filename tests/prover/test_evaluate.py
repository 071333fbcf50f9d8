"""The prover's own eye: exact on values, None where an unreadable part decides, and never out of breath."""

from __future__ import annotations

from typing import Any

import pytest

from compatgate.jsonio import Json
from compatgate.prover import contains, satisfies
from compatgate.schema.references import Document
from tests.prover.asking import exact

BACK = {"type": "string", "pattern": "^(a)\\1$"}


def nested(depth: int) -> Json:
    value: Json = 0
    for _ in range(depth):
        value = [value]
    return value


def laced(levels: int) -> dict[str, Any]:
    """Make a schema of nested arrays whose items stand below many levels of allOf and anyOf."""
    inner: dict[str, Any] = {"type": ["array", "integer"], "items": {"$ref": "#/$defs/d"}}
    for level in range(levels):
        other = {"maxItems": 5 + level} if level % 2 else {"type": "array", "minItems": 7 + level}
        inner = {"allOf" if level % 2 else "anyOf": [inner, other]}
    return {"$defs": {"d": inner}, "$ref": "#/$defs/d"}


@pytest.mark.parametrize("levels", [0, 1, 5, 20, 60])
@pytest.mark.parametrize("depth", [1, 20, 60, 110, 190])
def test_depth_of_value_and_schema_together_never_meet_the_recursion_limit(levels: int, depth: int) -> None:
    schema, value = laced(levels), nested(depth)
    assert satisfies(schema, value) in (True, None)
    assert contains({"const": value}, schema).relation.value in ("PROVEN_SUBSET", "UNKNOWN")


def test_ordinary_depth_is_decided() -> None:
    assert satisfies(laced(6), nested(30)) is True
    assert satisfies(laced(0), nested(90)) is True


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (BACK, "x", None),
        (BACK, 1, False),
        ({"anyOf": [BACK, {"const": "x"}]}, "x", True),
        ({"anyOf": [BACK, {"const": "x"}]}, "y", None),
        ({"allOf": [BACK, {"minLength": 3}]}, "y", False),
        ({"not": BACK}, "x", None),
        ({"items": BACK}, ["x"], None),
        ({"items": BACK}, [], True),
        ({"items": BACK}, ["x", 1], False),
        ({"contains": BACK}, ["x"], None),
        ({"contains": BACK}, [1], False),
        ({"contains": {"anyOf": [BACK, {"const": 1}]}, "minContains": 2}, [1, "x", 1], True),
        ({"contains": BACK, "maxContains": 1}, [1], False),
        ({"patternProperties": {"(a)\\1": False}}, {}, True),
        ({"patternProperties": {"(a)\\1": False}}, {"x": 1}, None),
        ({"patternProperties": {"(a)\\1": True}}, {"x": 1}, True),
        ({"properties": {"a": {"$ref": "https://example.org/x"}}}, {"b": 1}, True),
        ({"properties": {"a": {"$ref": "https://example.org/x"}}}, {"a": 1}, None),
    ],
)
def test_unknown_only_where_it_decides(schema: Any, value: Any, expected: bool | None) -> None:
    assert satisfies(Document(exact(schema)), exact(value)) is expected
