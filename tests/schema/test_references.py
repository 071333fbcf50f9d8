"""References inside one document: pointers, identifiers, anchors, dynamic scopes; nothing is ever fetched."""

from __future__ import annotations

from typing import Any

import pytest

from compatgate.prover import contains
from compatgate.schema.dialects import DEFAULT
from compatgate.schema.references import Document, Place, References, UnresolvableError
from tests.prover.asking import exact, said, same, table, witness

STRING = {"type": "string"}
DRAFT7 = "http://json-schema.org/draft-07/schema#"
DRAFT2019 = "https://json-schema.org/draft/2019-09/schema"
HOME = "https://example.org/home"

RESOLVED: dict[str, tuple[Any]] = {
    "a pointer": ({"$defs": {"s": STRING}, "$ref": "#/$defs/s"},),
    "a pointer with escapes": ({"$defs": {"a/b~c": STRING}, "$ref": "#/$defs/a~1b~0c"},),
    "a pointer with percent signs": ({"$defs": {"a b%": STRING}, "$ref": "#/$defs/a%20b%25"},),
    "a pointer into a list": ({"allOf": [True, STRING], "$ref": "#/allOf/1"},),
    "a pointer into any place": ({"x-shared": {"s": STRING}, "$ref": "#/x-shared/s"},),
    "a chain": ({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/c"}, "c": STRING}, "$ref": "#/$defs/a"},),
    "a relative identifier": ({"$id": HOME, "$defs": {"s": {"$id": "other", **STRING}}, "$ref": "other"},),
    "an absolute identifier": (
        {
            "$id": HOME,
            "$defs": {"s": {"$id": "https://example.org/other", **STRING}},
            "$ref": "https://example.org/other",
        },
    ),
    "a pointer into another resource": (
        {"$id": HOME, "$defs": {"r": {"$id": "other", "$defs": {"s": STRING}}}, "$ref": "other#/$defs/s"},
    ),
    "a pointer read within its resource": (
        {"$id": HOME, "$defs": {"r": {"$id": "other", "$defs": {"s": STRING}, "$ref": "#/$defs/s"}}, "$ref": "other"},
    ),
    "an anchor": ({"$defs": {"s": {"$anchor": "here", **STRING}}, "$ref": "#here"},),
    "an anchor of another resource": (
        {"$id": HOME, "$defs": {"r": {"$id": "other", "$defs": {"s": {"$anchor": "x", **STRING}}}}, "$ref": "other#x"},
    ),
    "a plain-name identifier of draft-07": (
        {"$schema": DRAFT7, "definitions": {"s": {"$id": "#here", **STRING}}, "allOf": [{"$ref": "#here"}]},
    ),
    "an identifier of draft-04": (
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "id": HOME,
            "definitions": {"s": {"id": "other", **STRING}},
            "allOf": [{"$ref": "other"}],
        },
    ),
    "a dynamic reference to a plain anchor": ({"$defs": {"s": {"$anchor": "x", **STRING}}, "$dynamicRef": "#x"},),
    "a property called $ref": ({**STRING, "properties": {"$ref": {"type": "integer"}}},),
    "a $ref that is data": ({**STRING, "default": {"$ref": "#/nowhere"}, "examples": [{"$ref": "#/nowhere"}]},),
}


@table(RESOLVED, "schema")
def test_what_a_reference_stands_for(schema: Any) -> None:
    assert same(schema, STRING)


NOT_RESOLVED: dict[str, tuple[Any]] = {
    "nothing there": ({"$ref": "#/$defs/none"},),
    "beyond a list": ({"allOf": [True], "$ref": "#/allOf/7"},),
    "remote": ({"$ref": "https://example.org/schema"},),
    "a file": ({"$ref": "file:///etc/hostname"},),
    "a relative file": ({"$ref": "other.json"},),
    "an unknown anchor": ({"$ref": "#nowhere"},),
    "no reference": ({"$ref": 7},),
    "not a URI": ({"$ref": "http://[bad"},),
}


@table(NOT_RESOLVED, "schema")
def test_what_leads_nowhere_is_unknown_there_and_nowhere_else(schema: Any) -> None:
    assert said(schema, STRING) == "open"
    below = {"type": "object", "properties": {"a": schema, "b": STRING}, "required": ["b"]}
    assert said(below, {"type": "object", "properties": {"b": STRING}}) == "in"
    assert said(below, {"type": "object", "properties": {"b": {"type": ["string", "null"]}, "a": schema}}) == "in"


def test_a_constant_that_looks_like_a_reference_is_data() -> None:
    assert said({"const": {"$ref": "#/nowhere"}}, {"required": ["$ref"]}) == "in"


def test_siblings_of_a_reference_are_deaf_up_to_draft_7() -> None:
    def schema(dialect: str) -> Any:
        return Document(exact({"definitions": {"s": STRING}, "$ref": "#/definitions/s", "minLength": 2}), "", dialect)

    assert witness(schema("draft-07"), {"minLength": 1}) == ""
    assert said(schema("2019-09"), {"minLength": 1}) == "in"


def test_an_identifier_beside_a_reference_is_deaf_in_draft_7() -> None:
    schema = {
        "$schema": DRAFT7,
        "$id": "http://example.org/root",
        "definitions": {"s": STRING},
        "allOf": [{"$id": "http://example.org/elsewhere", "$ref": "#/definitions/s"}],
    }
    assert same(schema, STRING)


def tree(strict: bool) -> dict[str, Any]:
    """Make the tree of the specification, extended by a resource that closes every node (or leaves it open)."""
    node = {
        "$id": "tree",
        "$dynamicAnchor": "node",
        "type": "object",
        "properties": {"value": True, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}},
    }
    outer: dict[str, Any] = {"$id": "https://example.org/outer", "$ref": "tree", "$defs": {"t": node}}
    return {**outer, "$dynamicAnchor": "node", "unevaluatedProperties": False} if strict else outer


def test_a_dynamic_reference_leads_to_the_outermost_anchor() -> None:
    deep = {"children": [{"x": 1}]}
    assert said({"const": deep}, tree(strict=False)) == "in"
    assert said({"const": deep}, tree(strict=True)) == "out"
    assert said(tree(strict=True), tree(strict=False)) == "in"


def test_a_static_reference_to_a_dynamic_anchor_stays() -> None:
    inner = {"$id": "inner", "$dynamicAnchor": "x", "type": "integer", "$defs": {}}
    schema = {"$id": HOME, "$dynamicAnchor": "x", "properties": {"a": {"$ref": "inner#x"}}, "$defs": {"i": inner}}
    assert said(schema, {"properties": {"a": {"type": "integer"}}}) == "in"
    assert said({"const": {"a": "s"}}, schema) != "in"  # the validators do not agree about it


def recursive(anchored: bool) -> dict[str, Any]:
    """Make the tree of 2019-09 in the same way."""
    node = {
        "$id": "tree",
        "$recursiveAnchor": True,
        "type": "object",
        "properties": {"value": True, "children": {"type": "array", "items": {"$recursiveRef": "#"}}},
    }
    outer = {"$schema": DRAFT2019, "$id": HOME, "$ref": "tree", "$defs": {"t": node}, "unevaluatedProperties": False}
    return {**outer, "$recursiveAnchor": True} if anchored else outer


def test_a_recursive_reference_leads_to_the_outermost_anchor() -> None:
    deep = {"children": [{"x": 1}]}
    assert said({"const": deep}, recursive(anchored=False)) == "in"
    assert said({"const": deep}, recursive(anchored=True)) == "out"


@pytest.mark.parametrize(
    "uri",
    [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        DRAFT7,
        DRAFT2019,
        "https://json-schema.org/draft/2020-12/schema",
    ],
)
def test_the_published_meta_schemas_are_known(uri: str) -> None:
    assert said({"$ref": uri}, {"type": ["object", "boolean"]}) == "in"
    # Under 2020-12 a validator refuses the meta-schema of draft-04, so no witness against it is confirmed.
    assert said({"const": {"minLength": -1}}, {"$ref": uri}) == ("open" if "draft-04" in uri else "out")
    assert said({"const": {"minLength": 1}}, {"$ref": uri}) == "in"


# -- places in a document ----------------------------------------------------------------------------

WHOLE = {"$defs": {"a/b": {"type": "integer"}, "p%25": STRING, "r": {"$ref": "#/$defs/p%2525"}}}


@pytest.mark.parametrize("more", [{}, {"$id": HOME}], ids=["plain", "with an identifier"])
@pytest.mark.parametrize("pointer", ["/$defs/p%25", "/$defs/r"])
def test_a_document_is_entered_at_a_pointer(pointer: str, more: dict[str, Any]) -> None:
    document = Document(exact({**WHOLE, **more}), pointer)
    assert contains(document, Document(exact(STRING))).relation.value == "PROVEN_SUBSET"


def test_a_pointer_to_nothing_is_unknown() -> None:
    answer = contains(Document(exact(WHOLE), "/$defs/none"), Document(exact(STRING)))
    assert answer.relation.value == "UNKNOWN"
    assert "none" in answer.reason


def test_references_raise_only_what_they_say() -> None:
    references = References(Document({"$defs": {}}))
    place = references.place("")
    assert place == Place({"$defs": {}}, "", DEFAULT)
    for reference in ("#/$defs/x", "#/$defs/", "#x", "x", "http://example.org/", "http://["):
        with pytest.raises(UnresolvableError, match=r"\S"):
            references.resolve(place, reference)
    for reference in ("", "#"):
        assert references.resolve(place, reference).schema == place.schema
