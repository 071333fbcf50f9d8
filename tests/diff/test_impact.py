"""What each edit means: single causes, sums of edits, the two caller models, what is not proved."""

from __future__ import annotations

import pytest

from compatgate.diff import SchemaDiff, classify_schemas
from compatgate.jsonio import Json
from compatgate.model import NO_WITNESS, Change, Impact, Relation
from compatgate.prover import Budget
from compatgate.schema.references import Document
from tests.diff.test_law import Callers, Direction, check

SQL: Json = {"type": "string"}


def _query(**more: Json) -> dict[str, Json]:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"sql": SQL, "limit": {"type": "integer"}, "format": {"enum": ["json", "csv"]}},
        "required": ["sql"],
        "additionalProperties": False,
    }
    return {**schema, **more}


def _properties(**more: Json) -> dict[str, Json]:
    return {"sql": SQL, "limit": {"type": "integer"}, "format": {"enum": ["json", "csv"]}, **more}


def _input(old: Json, new: Json, callers: Callers = "declared") -> SchemaDiff:
    return check(old, new, "input", callers)


def _only(diff: SchemaDiff) -> Change:
    (change,) = diff.changes
    return change


def _by_rule(diff: SchemaDiff, rule: str) -> Change:
    (change,) = [change for change in diff.changes if change.rule == rule]
    return change


def test_a_new_required_parameter_is_the_cause_and_its_declaration_is_not() -> None:
    new = _query(properties=_properties(tenant_id=SQL), required=["sql", "tenant_id"])
    diff = _input(_query(), new)
    breaking = _by_rule(diff, "required-added")
    assert breaking.reason == 'now required: calls without "tenant_id" are rejected'
    assert breaking.witness == {"sql": ""}
    assert _by_rule(diff, "property-added").impact is Impact.COMPATIBLE
    assert "required parameter" in _by_rule(diff, "property-added").reason


def test_each_of_several_breaking_edits_has_a_witness_of_its_own() -> None:
    new = _query(properties={"sql": SQL, "format": {"enum": ["json"]}}, required=["sql", "format"])
    found = {c.rule: c.witness for c in _input(_query(), new).changes if c.impact is Impact.BREAKING}
    assert found.keys() == {"required-added", "enum-value-removed", "property-removed"}
    assert found["enum-value-removed"] == {"sql": "", "format": "csv"}
    assert found["property-removed"] == {"sql": "", "limit": 0} or found["property-removed"] == {
        "sql": "",
        "format": "json",
        "limit": 0,
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "integer"}, {"type": "integer", "minLength": 3}),
        ({"enum": [1, 2, 3]}, {"enum": [1, 2, 3], "maximum": 3}),
        ({"type": "string", "maxLength": 3}, {"type": "string", "maxLength": 3, "maxItems": 1}),
    ],
)
def test_a_tightening_that_rejects_nothing_new_says_so(old: Json, new: Json) -> None:
    change = _only(_input(old, new))
    assert change.impact is Impact.COMPATIBLE
    assert "rejects nothing new" in change.reason


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": ["string", "null"]}),
        ({"items": {"$ref": "#/$defs/D"}, "$defs": {"D": SQL}}, {"items": SQL}),
        ({"required": ["a", "b"]}, {"required": ["b", "a"]}),
        ({"const": 1}, {"enum": [1.0]}),
        ({"minimum": 1, "type": "integer"}, {"exclusiveMinimum": 0, "type": "integer"}),
    ],
)
@pytest.mark.parametrize("direction", ["input", "output"])
def test_a_refactoring_is_the_same_set_spelt_differently(old: Json, new: Json, direction: Direction) -> None:
    for before, after in ((old, new), (new, old)):
        diff = check(before, after, direction, "declared")
        assert diff.same_set
        assert diff.changes
        for change in diff.changes:
            assert change.impact is Impact.COMPATIBLE
            assert "same set, spelt differently" in change.reason


def test_a_new_optional_parameter_of_an_open_object_breaks_only_by_undeclared_names() -> None:
    old: Json = {"type": "object", "properties": {"sql": SQL}}
    new: Json = {"type": "object", "properties": {"sql": SQL, "cache": {"type": "boolean"}}}
    declared, whole = _input(old, new), _input(old, new, "any")
    change = _only(declared)
    assert (change.impact, change.via_undeclared_names) == (Impact.COMPATIBLE, True)
    assert "only if undeclared names were sent" in change.reason
    assert declared.via_undeclared_names
    change = _only(whole)
    assert (change.impact, change.via_undeclared_names) == (Impact.BREAKING, True)
    assert isinstance(change.witness, dict)
    assert "cache" in change.witness


@pytest.mark.parametrize("keyword", ["additionalProperties", "unevaluatedProperties"])
@pytest.mark.parametrize("nested", [False, True])
def test_closing_an_object_is_breaking_under_both_models_with_an_undeclared_name(keyword: str, nested: bool) -> None:
    old: Json = {"type": "object", "properties": {"a": SQL}}
    new: Json = {"type": "object", "properties": {"a": SQL}, keyword: False}
    if nested:
        old, new = {"items": old, "type": "array"}, {"items": new, "type": "array"}
    for callers in ("declared", "any"):
        change = _only(_input(old, new, "declared" if callers == "declared" else "any"))
        assert (change.rule, change.impact, change.via_undeclared_names) == ("object-closed", Impact.BREAKING, True)
        value = change.witness
        assert value is not NO_WITNESS
        sent = value[0] if isinstance(value, list) else value
        assert isinstance(sent, dict)
        assert sent.keys() - {"a"}


def test_closing_an_object_uses_an_undeclared_name_although_a_declared_one_is_gone() -> None:
    old: Json = {"type": "object", "properties": {"a": SQL, "b": SQL}}
    new: Json = {"type": "object", "properties": {"a": SQL}, "additionalProperties": False}
    diff = _input(old, new)
    closed = _by_rule(diff, "object-closed")
    assert isinstance(closed.witness, dict)
    assert closed.witness.keys() - {"a", "b"}
    gone = _by_rule(diff, "property-removed")
    assert gone.impact is Impact.BREAKING
    assert isinstance(gone.witness, dict)
    assert "b" in gone.witness


def test_closing_an_object_that_has_no_room_for_other_names_rejects_nothing_new() -> None:
    old: Json = {"type": "object", "properties": {"a": SQL}, "propertyNames": {"enum": ["a"]}}
    change = _only(_input(old, {**old, "additionalProperties": False}))  # type: ignore[dict-item]
    assert (change.rule, change.impact) == ("object-closed", Impact.COMPATIBLE)


def test_opening_an_output_breaks_only_by_undeclared_names() -> None:
    old: Json = {"type": "object", "properties": {"a": SQL}, "additionalProperties": False}
    new: Json = {"type": "object", "properties": {"a": SQL}}
    change = _only(check(old, new, "output", "declared"))
    assert (change.impact, change.via_undeclared_names) == (Impact.COMPATIBLE, True)
    change = _only(check(old, new, "output", "any"))
    assert (change.impact, change.via_undeclared_names) == (Impact.BREAKING, True)


def test_a_dropped_parameter_is_risky_where_it_is_ignored_and_breaking_where_it_is_rejected() -> None:
    old: Json = {"type": "object", "properties": {"sql": SQL, "zone": {"type": "integer"}}}
    new: Json = {"type": "object", "properties": {"sql": SQL}}
    change = _only(_input(old, new))
    assert (change.rule, change.impact) == ("property-dropped", Impact.RISKY)
    assert "silently ignored" in change.reason
    closed: Json = {"additionalProperties": False}
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    assert isinstance(closed, dict)
    change = _only(_input(old | closed, new | closed))
    assert (change.rule, change.impact) == ("property-removed", Impact.BREAKING)


def test_a_parameter_that_moved_within_the_same_object_was_not_dropped() -> None:
    old: Json = {"type": "object", "properties": {"a": SQL}}
    new: Json = {"type": "object", "allOf": [{"$ref": "#/$defs/A"}], "$defs": {"A": {"properties": {"a": SQL}}}}
    assert all(change.impact is Impact.COMPATIBLE for change in _input(old, new).changes)


def test_a_likely_rename_is_mentioned_on_both_sides() -> None:
    old: Json = {"type": "object", "properties": {"timeout_ms": {"type": "integer"}, "sql": SQL}}
    new: Json = {"type": "object", "properties": {"timeoutMs": {"type": "integer"}, "sql": SQL}}
    diff = _input(old, new)
    gone = _by_rule(diff, "property-renamed")
    assert gone.impact is Impact.RISKY
    assert 'likely renamed to "timeoutMs" (similarity 1.00)' in gone.reason
    assert 'likely the new name of "timeout_ms"' in _by_rule(diff, "property-added").reason


def _majority(*limits: int) -> Json:
    """Accept what at least two of three definitions accept."""
    names = ["X", "Y", "Z"]
    references: list[Json] = [{"$ref": f"#/$defs/{name}"} for name in names]
    return {
        "type": "integer",
        "allOf": [{"anyOf": [references[i], references[j]]} for i, j in ((0, 1), (1, 2), (0, 2))],
        "$defs": {name: {"maximum": limit} for name, limit in zip(names, limits, strict=True)},
    }


def test_edits_that_break_only_together_are_one_change_at_their_common_place() -> None:
    diff = _input(_majority(10, 10, 10), _majority(5, 5, 5))
    (joint,) = [change for change in diff.changes if change.impact is Impact.BREAKING]
    assert (joint.rule, joint.path) == ("jointly-narrowed", "/$defs")
    assert set(joint.parts) < {"/$defs/X/maximum", "/$defs/Y/maximum", "/$defs/Z/maximum"}
    assert len(joint.parts) == 2
    back = check(_majority(5, 5, 5), _majority(10, 10, 10), "output", "any")
    assert [change.rule for change in back.changes if change.impact is Impact.BREAKING] == ["jointly-narrowed"]


def test_a_breaking_edit_does_not_hide_others_that_break_together() -> None:
    old: Json = {"type": "object", "properties": {"symbol": SQL}}
    new: Json = {
        "type": "object",
        "properties": {"symbols": SQL},
        "required": ["symbols"],
        "additionalProperties": False,
    }
    diff = _input(old, new)
    joint = _by_rule(diff, "jointly-narrowed")
    assert joint.parts == ("/additionalProperties", "/properties/symbol")
    assert isinstance(joint.witness, dict)
    assert "symbol" in joint.witness
    assert not any("silently ignored" in change.reason for change in diff.changes)


def test_what_is_not_proved_is_unknown_and_names_the_place() -> None:
    old: Json = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a)\\1$"}}}
    new: Json = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a)(?:\\1)$"}}}
    for direction in ("input", "output"):
        diff = check(old, new, "input" if direction == "input" else "output", "declared")
        change = _only(diff)
        assert diff.relation.relation is Relation.UNKNOWN
        assert change.impact is Impact.UNKNOWN
        assert change.reason.startswith("INCONCLUSIVE at /properties/a")
        assert not diff.same_set


def test_what_is_not_proved_although_every_edit_is_harmless_is_unknown_as_a_whole() -> None:
    old: Json = {"type": "object", "properties": {"a": {"type": "integer", "maximum": 5}}}
    new: Json = {"type": "object", "properties": {"a": {"type": "integer", "maximum": 9}}}
    diff = classify_schemas(Document(old), Document(new), direction="input", budget=Budget(steps=1))
    assert [change.rule for change in diff.changes] == ["inconclusive", "bound-loosened"]
    assert diff.changes[0].impact is Impact.UNKNOWN


def test_a_single_edit_may_be_decided_where_the_whole_is_not() -> None:
    hard: dict[str, Json] = {"type": "string", "pattern": "^(a)\\1$"}
    old: Json = {"type": "object", "properties": {"a": hard, "n": {"type": "integer"}}}
    new: Json = {
        "type": "object",
        "properties": {"a": {"type": "string", "pattern": "^(a)(?:\\1)$"}, "n": {"type": "integer"}},
        "required": ["n"],
    }
    diff = _input(old, new)
    assert _by_rule(diff, "required-added").impact is Impact.BREAKING
    assert diff.relation.relation is Relation.PROVEN_NOT_SUBSET


def test_asserted_formats_count_and_others_are_risky() -> None:
    old: Json = {"type": "string"}
    new: Json = {"type": "string", "format": "date"}
    assert _only(_input(old, new)).impact is Impact.RISKY
    diff = classify_schemas(Document(old), Document(new), direction="input", assert_formats=True)
    assert _only(diff).impact in (Impact.BREAKING, Impact.UNKNOWN)


def test_annotations_alone_ask_the_prover_nothing() -> None:
    hostile: dict[str, Json] = {"$ref": "http://example.com/far", "pattern": "(", "description": "a"}
    diff = _input(hostile, {**hostile, "description": "b"})
    assert diff.relation.steps == 0
    assert diff.same_set
    assert _only(diff).impact is Impact.RISKY


def test_hostile_text_is_made_visible_in_reasons() -> None:
    name = "a\u202e\x1b[31m\u200b"
    old: Json = {"type": "object", "properties": {}, "additionalProperties": False}
    new: Json = {"type": "object", "properties": {name: SQL}, "required": [name], "additionalProperties": False}
    for change in _input(old, new).changes:
        assert change.reason.isprintable()
        assert "\\u{202E}\\u{001B}" in change.reason


def test_many_edits_are_judged_in_groups_and_the_guilty_found() -> None:
    def schema(changed: bool) -> Json:
        properties: dict[str, Json] = {}
        for number in range(300):
            limit = {"maxLength": 9} if changed else {"minItems": 1}
            properties[f"p{number:03}"] = {"type": "string", **limit} if number == 177 else {"type": "integer", **limit}
        return {"type": "object", "properties": properties, "additionalProperties": False}

    diff = _input(schema(False), schema(True), "any")
    breaking = [change for change in diff.changes if change.impact is Impact.BREAKING]
    assert [(change.path, change.rule) for change in breaking] == [("/properties/p177", "bound-tightened")]
