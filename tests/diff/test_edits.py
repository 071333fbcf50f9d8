"""The patch algebra: nothing that differs gets lost, and every edit can be made and undone alone."""

from __future__ import annotations

from hypothesis import given, settings

from compatgate.diff.catalogue import RULES
from compatgate.diff.edits import Effect
from compatgate.diff.schemas import Comparison, compare
from compatgate.diff.values import same
from compatgate.jsonio import Json
from compatgate.schema.references import Document
from tests import data
from tests.diff.strategies import Schema, pairs


def _compare(old: Json, new: Json) -> Comparison:
    return compare(Document(old), Document(new))


def _check(old: Json, new: Json) -> None:
    comparison = _compare(old, new)
    assert same(comparison.mix(0).root, old)
    assert same(comparison.mix(comparison.every).root, new)
    assert bool(comparison.edits) == (not same(old, new))
    assert [edit.bit for edit in comparison.edits] == [1 << n for n in range(len(comparison.edits))]
    for edit in comparison.edits[:20]:
        spelling = RULES[edit.rule].kind == "spelling"  # which spelling a mixture has does not matter
        assert spelling or not same(comparison.mix(edit.bit).root, old), edit
        comparison.mix(comparison.every & ~edit.bit)


@settings(max_examples=300, deadline=None)
@given(pairs())
def test_applying_all_edits_to_old_gives_new_exactly(drawn: tuple[Schema, Schema]) -> None:
    _check(*drawn)


@settings(max_examples=100, deadline=None)
@given(pairs())
def test_old_against_old_has_no_edit(drawn: tuple[Schema, Schema]) -> None:
    assert _compare(drawn[0], drawn[0]).edits == ()


def test_applying_all_edits_gives_new_exactly_on_every_labelled_pair() -> None:
    data.need("pairs")
    for name in data.suites():
        if name.startswith("pairs/"):
            for row in data.rows(name):
                _check(row.old, row.new)
                _check(row.new, row.old)


def _rules(old: Json, new: Json) -> list[tuple[str, str]]:
    return [(edit.rule, edit.path) for edit in _compare(old, new).edits]


def test_an_edit_of_a_shared_definition_is_found_once_at_the_definition() -> None:
    def schema(maximum: int) -> Json:
        return {
            "properties": {"a": {"$ref": "#/$defs/N"}, "b": {"$ref": "#/$defs/N"}},
            "$defs": {"N": {"type": "integer", "maximum": maximum}},
        }

    assert _rules(schema(9), schema(5)) == [("bound-tightened", "/$defs/N")]


def test_a_renamed_definition_is_one_edit_and_what_changed_inside_is_found_there() -> None:
    old: Json = {
        "properties": {"x": {"$ref": "#/definitions/F"}, "y": {"$ref": "#/definitions/F"}},
        "definitions": {"F": {"type": "object", "properties": {"a": {"type": "string"}}}},
    }
    new: Json = {
        "properties": {"x": {"$ref": "#/$defs/Filter"}, "y": {"$ref": "#/$defs/Filter"}},
        "$defs": {"Filter": {"type": "object", "properties": {"a": {"type": "integer"}}}},
    }
    assert _rules(old, new) == [
        ("definition-renamed", "/$defs/Filter"),
        ("type-changed", "/$defs/Filter/properties/a"),
    ]
    _check(old, new)
    _check(new, old)


def test_definitions_with_swapped_names_are_no_renames() -> None:
    old: Json = {"properties": {"a": {"$ref": "#/$defs/P"}}, "$defs": {"P": {}, "Q": {"type": "integer"}}}
    new: Json = {"properties": {"a": {"$ref": "#/$defs/Q"}}, "$defs": {"P": {}, "Q": {"type": "integer"}}}
    assert _rules(old, new) == [("reference-changed", "/properties/a")]


def test_an_inlined_reference_is_one_edit_and_what_changed_with_it_another() -> None:
    old: Json = {"properties": {"a": {"$ref": "#/$defs/N"}}, "$defs": {"N": {"type": "integer", "maximum": 9}}}
    new: Json = {"properties": {"a": {"type": "integer", "maximum": 5}}}
    assert sorted(_rules(old, new)) == [
        ("bound-tightened", "/properties/a"),
        ("definition-removed", "/$defs/N"),
        ("reference-inlined", "/properties/a"),
    ]
    _check(old, new)
    assert [rule for rule, _ in _rules(new, old)].count("reference-extracted") == 1


def test_members_of_a_union_are_paired_by_what_tells_them_apart() -> None:
    def member(kind: str, **more: Json) -> Json:
        return {"type": "object", "properties": {"kind": {"const": kind}, "v": {"type": "string", **more}}}

    old: Json = {"anyOf": [member("a"), member("b"), member("c")]}
    new: Json = {"anyOf": [member("c"), member("b", maxLength=3), member("d")]}
    assert sorted(_rules(old, new)) == [
        ("alternative-added", "/anyOf/2"),
        ("alternative-removed", "/anyOf/0"),
        ("bound-tightened", "/anyOf/1/properties/v"),
        ("reordered", ""),
    ]


def test_names_in_properties_are_no_keywords() -> None:
    old: Json = {"properties": {"title": {"type": "string"}, "required": {"type": "string"}}}
    new: Json = {"properties": {"title": {"type": "integer"}, "required": {"type": "string", "title": "R"}}}
    assert sorted(_rules(old, new)) == [
        ("title-changed", "/properties/required"),
        ("type-changed", "/properties/title"),
    ]


def test_what_stands_in_data_is_no_schema() -> None:
    old: Json = {"default": {"$ref": "#/a", "required": ["a"]}, "const": {"type": "a"}}
    new: Json = {"default": {"$ref": "#/b", "required": ["b"]}, "const": {"type": "b"}}
    assert sorted(_rules(old, new)) == [("const-changed", ""), ("default-changed", "")]


def test_an_unknown_keyword_that_holds_a_schema_in_use_is_no_annotation() -> None:
    old: Json = {"$ref": "#/components/X", "components": {"X": {"type": "string"}}}
    new: Json = {"$ref": "#/components/X", "components": {"X": {"type": "integer"}}}
    edits = _compare(old, new).edits
    assert [(edit.rule, edit.effect) for edit in edits] == [("keyword-changed", Effect.EITHER)]


def test_a_place_in_a_larger_document_takes_along_what_it_reaches_and_nothing_else() -> None:
    def document(maximum: int, unrelated: str) -> Document:
        return Document(
            {
                "definitions": {
                    "Tool": {"properties": {"n": {"$ref": "#/definitions/N"}, "t": {"$ref": "#/definitions/Tool"}}},
                    "N": {"maximum": maximum},
                    "Unrelated": {"title": unrelated},
                }
            },
            "/definitions/Tool",
        )

    assert compare(document(5, "a"), document(5, "b")).edits == ()
    edits = compare(document(5, "a"), document(4, "b")).edits
    assert [(edit.rule, edit.path) for edit in edits] == [("bound-tightened", "/definitions/N")]


def test_deep_and_wide_documents_are_compared_without_recursion_errors() -> None:
    def deep(leaf: Json) -> Json:
        schema = leaf
        for _ in range(150):
            schema = {"properties": {"a": schema}}
        return schema

    _check(deep({"type": "string"}), deep({"type": "integer"}))
    wide_old: Json = {"enum": list(range(20_000))}
    wide_new: Json = {"enum": list(range(1, 20_001))}
    assert [rule for rule, _ in _rules(wide_old, wide_new)] == ["enum-value-removed", "enum-value-added"]
