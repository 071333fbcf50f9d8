"""The law of changes: BREAKING exactly where the relation is refuted or an object was closed, with its witness."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given, settings

from compatgate.diff import SchemaDiff, classify_schemas
from compatgate.diff.schemas import compare
from compatgate.jsonio import Json
from compatgate.model import NO_WITNESS, Change, Impact, Relation
from compatgate.prover import contains, satisfies
from compatgate.prover.validators import compile_pair
from compatgate.schema.references import Document
from tests import data
from tests.diff.strategies import Schema, pairs

Direction = Literal["input", "output"]
Callers = Literal["declared", "any"]
EVERY: list[tuple[Direction, Callers]] = [
    ("input", "declared"),
    ("input", "any"),
    ("output", "declared"),
    ("output", "any"),
]


def check(old: Json, new: Json, direction: Direction, callers: Callers) -> SchemaDiff:
    """Check the law and every witness of one classification, and return it."""
    diff = classify_schemas(Document(old), Document(new), direction=direction, callers=callers)
    left, right = (old, new) if direction == "input" else (new, old)
    breaking = [change for change in diff.changes if change.impact is Impact.BREAKING]
    closed = [change for change in breaking if change.rule == "object-closed"]
    refuted = diff.relation.relation is Relation.PROVEN_NOT_SUBSET
    assert bool(breaking) == (refuted or bool(closed)), diff
    if not refuted:
        assert breaking == closed
        assert all(change.via_undeclared_names for change in closed)
    if diff.relation.relation is Relation.UNKNOWN:
        assert any(change.impact is Impact.UNKNOWN for change in diff.changes)
    for change in breaking:
        _check_witness(change, old, new, left, right, direction)
    for change in diff.changes:
        assert (change.witness is not NO_WITNESS) == (change.impact is Impact.BREAKING)
    ordered = ["BREAKING", "UNKNOWN", "RISKY", "COMPATIBLE"]
    assert [c.impact for c in diff.changes] == sorted((c.impact for c in diff.changes), key=ordered.index)
    return diff


def _check_witness(change: Change, old: Json, new: Json, left: Json, right: Json, direction: Direction) -> None:
    witness = change.witness
    assert witness is not NO_WITNESS, change
    assert compile_pair(Document(left)).verdict(witness) == "valid", change
    assert compile_pair(Document(right)).verdict(witness) == "invalid", change
    if change.rule == "jointly-narrowed":
        assert change.parts, change
        return
    comparison = compare(Document(old), Document(new))
    mine = [
        edit
        for edit in comparison.edits
        if edit.path == change.path and edit.keyword == change.keyword and edit.rule == change.rule
    ]
    freed = direction == "input"
    assert any(
        satisfies(comparison.question(comparison.every & ~edit.bit), witness) is freed
        or satisfies(comparison.question(edit.bit), witness) is not freed
        for edit in mine
    ), change


@pytest.mark.parametrize(("direction", "callers"), EVERY)
@settings(max_examples=120, deadline=None)
@given(drawn=pairs())
def test_some_change_is_breaking_exactly_where_the_relation_is_refuted(
    direction: Direction, callers: Callers, drawn: tuple[Schema, Schema]
) -> None:
    check(*drawn, direction, callers)


@settings(max_examples=60, deadline=None)
@given(drawn=pairs())
def test_the_two_directions_mirror_each_other_under_any(drawn: tuple[Schema, Schema]) -> None:
    old, new = drawn
    forth = classify_schemas(Document(old), Document(new), direction="input", callers="any")
    back = classify_schemas(Document(new), Document(old), direction="output", callers="any")
    assert forth.relation.relation is back.relation.relation
    assert forth.same_set == back.same_set


@settings(max_examples=60, deadline=None)
@given(drawn=pairs())
def test_what_breaks_under_declared_breaks_under_any(drawn: tuple[Schema, Schema]) -> None:
    old, new = drawn
    declared = classify_schemas(Document(old), Document(new), direction="input", callers="declared")
    whole = classify_schemas(Document(old), Document(new), direction="input", callers="any")
    if declared.relation.relation is Relation.PROVEN_NOT_SUBSET:
        assert whole.relation.relation is Relation.PROVEN_NOT_SUBSET
    assert declared.via_undeclared_names == whole.via_undeclared_names


@settings(max_examples=60, deadline=None)
@given(drawn=pairs())
def test_the_relation_is_that_of_the_bare_prover(drawn: tuple[Schema, Schema]) -> None:
    old, new = drawn
    diff = classify_schemas(Document(old), Document(new), direction="input", callers="any")
    assert diff.relation.relation is contains(old, new).relation


@settings(max_examples=40, deadline=None)
@given(drawn=pairs())
def test_the_same_question_has_the_same_answer(drawn: tuple[Schema, Schema]) -> None:
    first = check(*drawn, "input", "declared")
    second = check(*drawn, "input", "declared")
    assert first.changes == second.changes


@pytest.mark.parametrize(("direction", "callers"), EVERY)
def test_the_law_holds_on_every_labelled_pair(direction: Direction, callers: Callers) -> None:
    data.need("pairs")
    wrong = []
    for name in data.suites():
        if not name.startswith("pairs/"):
            continue
        for row in data.rows(name):
            diff = check(row.old, row.new, direction, callers)
            if direction == "input" and callers == "any":
                expected = Relation.PROVEN_SUBSET if row.truth == "subset" else Relation.PROVEN_NOT_SUBSET
                if diff.relation.relation not in (expected, Relation.UNKNOWN):
                    wrong.append(row.id)
            if direction == "input" and callers == "declared" and row.open_object:
                assert diff.relation.relation is Relation.PROVEN_SUBSET, row.id
    assert wrong == []
