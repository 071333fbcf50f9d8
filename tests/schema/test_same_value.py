"""A reference that leads back to the same value says nothing under allOf, and is not guessed at elsewhere."""

from __future__ import annotations

import pytest

from compatgate.jsonio import Json
from compatgate.model import Relation
from compatgate.prover import contains


def test_under_all_of_it_adds_nothing() -> None:
    schema: Json = {"allOf": [{"$ref": "#"}, {"type": "string"}]}
    assert contains(schema, {"type": "string"}).relation is Relation.PROVEN_SUBSET


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"$ref": "#"}, {"type": "string"}]},
        {"oneOf": [{"$ref": "#"}, {"type": "string"}]},
        {"not": {"$ref": "#"}},
        {"if": {"$ref": "#"}, "then": {"type": "string"}},
        {"if": {"type": "string"}, "then": {"$ref": "#"}},
        {"anyOf": [{"allOf": [{"$ref": "#"}]}, {"type": "string"}]},
    ],
)
def test_elsewhere_it_is_unknown(schema: Json) -> None:
    assert contains({}, schema).relation is Relation.UNKNOWN
    assert contains(schema, {"type": "string"}).relation is not Relation.PROVEN_SUBSET
    assert contains(schema, schema).relation is Relation.PROVEN_SUBSET
