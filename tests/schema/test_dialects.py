"""Dialects: which keywords assert where, and how the same text means something else."""

from __future__ import annotations

from typing import Any

import pytest

from compatgate.prover import contains
from compatgate.prover.validators import compile_pair
from compatgate.schema.dialects import ALL, ASSERTING, by_name, by_uri
from compatgate.schema.references import Document
from tests.prover.asking import exact, table

NAMES = [dialect.name for dialect in ALL]
every_dialect = pytest.mark.parametrize("dialect", NAMES)

#: keyword: a schema in which it alone forbids a value, that value, and the dialects where it does so.
ASSERTED: dict[str, tuple[Any, Any, set[str]]] = {
    "const": ({"const": 1}, 2, {"draft-06", "draft-07", "2019-09", "2020-12"}),
    "contains": ({"contains": {"type": "string"}}, [1], {"draft-06", "draft-07", "2019-09", "2020-12"}),
    "propertyNames": ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, {"draft-06", "draft-07", "2019-09", "2020-12"}),
    "if": ({"if": {"type": "string"}, "then": {"minLength": 2}}, "a", {"draft-07", "2019-09", "2020-12"}),
    "else": ({"if": {"type": "string"}, "else": {"type": "null"}}, 1, {"draft-07", "2019-09", "2020-12"}),
    "dependentRequired": ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, {"2019-09", "2020-12"}),
    "dependentSchemas": ({"dependentSchemas": {"a": {"maxProperties": 1}}}, {"a": 1, "b": 1}, {"2019-09", "2020-12"}),
    "minContains": ({"contains": {"type": "string"}, "minContains": 2}, ["a"], {"2019-09", "2020-12"}),
    "maxContains": ({"contains": {"type": "string"}, "maxContains": 1}, ["a", "b"], {"2019-09", "2020-12"}),
    "unevaluatedProperties": ({"unevaluatedProperties": False}, {"a": 1}, {"2019-09", "2020-12"}),
    "unevaluatedItems": ({"unevaluatedItems": False}, [1], {"2019-09", "2020-12"}),
    "prefixItems": ({"prefixItems": [{"type": "string"}]}, [1], {"2020-12"}),
    "an array of items": ({"items": [{"type": "string"}]}, [1], {"draft-04", "draft-06", "draft-07", "2019-09"}),
    "additionalItems": (
        {"items": [{}], "additionalItems": False},
        [1, 2],
        {"draft-04", "draft-06", "draft-07", "2019-09"},
    ),
    "dependencies": ({"dependencies": {"a": ["b"]}}, {"a": 1}, set(NAMES)),
    "a number as exclusiveMinimum": ({"exclusiveMinimum": 1}, 1, {"draft-06", "draft-07", "2019-09", "2020-12"}),
    "a boolean exclusiveMinimum": ({"minimum": 1, "exclusiveMinimum": True}, 1, {"draft-04"}),
    "a boolean exclusiveMaximum": ({"maximum": 1, "exclusiveMaximum": True}, 1, {"draft-04"}),
    "siblings of $ref": (
        {"$ref": "#/definitions/x", "maximum": 1, "definitions": {"x": {}}},
        2,
        {"2019-09", "2020-12"},
    ),
    "false as a schema": ({"properties": {"a": False}}, {"a": 1}, {"draft-06", "draft-07", "2019-09", "2020-12"}),
}


@every_dialect
@table(ASSERTED, "schema value dialects")
def test_a_keyword_asserts_where_its_dialect_has_it(schema: Any, value: Any, dialects: set[str], dialect: str) -> None:
    document = Document(exact(schema), "", dialect)
    answer = contains(Document({"const": value}), document)
    if dialect in dialects:
        assert answer.relation.value == "PROVEN_NOT_SUBSET", answer
        assert compile_pair(document).verdict(value) == "invalid"
    else:  # inert, or nothing that the dialect allows: then it is unknown, and never a guess
        assert answer.relation.value in ("PROVEN_SUBSET", "UNKNOWN"), answer


@every_dialect
def test_an_inert_keyword_is_noted(dialect: str) -> None:
    asserting = next(row for row in ALL if row.name == dialect).keywords
    for keyword in sorted(ASSERTING - asserting - {"$ref", "$dynamicRef", "$recursiveRef"}):
        answer = contains(Document({"const": 1}), Document({keyword: True}, "", dialect))
        assert answer.relation.value == "PROVEN_SUBSET", (keyword, answer)
        assert any(f"`{keyword}` says nothing in {dialect}" in note for note in answer.notes), (keyword, answer.notes)


@every_dialect
def test_the_dialect_is_named_by_the_schema(dialect: str) -> None:
    row = next(row for row in ALL if row.name == dialect)
    for uri in (row.uri, row.uri + "#", row.uri.replace("http:", "https:"), row.uri.replace("https:", "http:")):
        assert by_uri(uri) is row
    assert by_name(dialect) is row
    assert by_name(row.uri) is row


@pytest.mark.parametrize("uri", ["", "draft-07", "http://example.org/schema", 7, None])
def test_an_unknown_dialect_is_none(uri: object) -> None:
    assert by_uri(uri) is None


def test_the_schema_outranks_the_default() -> None:
    named = Document({"$schema": ALL[0].uri, "const": 1}, "", "2020-12")
    assert contains(Document(True), named).relation.value == "PROVEN_SUBSET"


def test_a_change_of_dialect_alone_wakes_keywords() -> None:
    def written(uri: str) -> Document:
        return Document({"$schema": uri, "type": "integer", "const": 1})

    draft4, draft6 = ALL[0].uri, ALL[1].uri
    assert contains(written(draft6), written(draft4)).relation.value == "PROVEN_SUBSET"
    assert contains(written(draft4), written(draft6)).witness == 0


def test_the_same_tuple_in_two_dialects() -> None:
    items: list[Any] = [{"type": "string"}, {"type": "integer"}]
    old = Document({"items": items, "additionalItems": False}, "", "draft-07")
    new = Document({"prefixItems": items, "items": False}, "", "2020-12")
    assert contains(old, new).relation.value == contains(new, old).relation.value == "PROVEN_SUBSET"
