"""The use cases that ask the schemas alone: `contains` and `classify`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from compatgate import prover
from compatgate.app.pairing import Pair, Schemas, Tools, pair, schema_of
from compatgate.canonical import byte_pin
from compatgate.diff import ToolDiff, classify_schemas, classify_snapshots, classify_tools
from compatgate.diff.wording import Direction
from compatgate.jsonio import pointer
from compatgate.model import Relation
from compatgate.prover import Budget, Callers
from compatgate.report.records import Classification, ContainsReport, ToolReport
from compatgate.schema.references import Document
from compatgate.sources import Loaded

_EXIT: Final = {Relation.PROVEN_SUBSET: 0, Relation.PROVEN_NOT_SUBSET: 1}


def contains(
    left: Loaded,
    right: Loaded,
    *,
    callers: Callers = "any",
    tool: str | None = None,
    budget: Budget | None = None,
    deadline: Callable[[], bool] | None = None,
    dialect: str | None = None,
    assert_formats: bool = False,
    explain: bool = False,
    cross_check: bool = False,
) -> ContainsReport:
    """Ask the prover whether every value that LEFT accepts is accepted by RIGHT.

    A tool stands for its inputSchema. Raises UsageError where one side is several tools.
    """
    (left_name, left_schema), (right_name, right_schema) = schema_of(left, tool=tool), schema_of(right, tool=tool)
    if dialect is not None:
        left_schema, right_schema = replace(left_schema, dialect=dialect), replace(right_schema, dialect=dialect)
    answer = prover.contains(
        left_schema,
        right_schema,
        callers=callers,
        budget=budget,
        deadline=deadline,
        root_is_input=not left.source.endswith("/outputSchema"),
        assert_formats=assert_formats,
        explain=explain,
    )
    if cross_check:
        told = prover.second_opinion(left_schema, right_schema, answer.relation)
        answer = replace(answer, notes=(*answer.notes, told))
    return ContainsReport(left_name, right_name, callers, answer, _EXIT.get(answer.relation, 3))


def classify(
    old: Loaded,
    new: Loaded,
    *,
    callers: Callers = "declared",
    side: Direction = "input",
    tool: str | None = None,
    budget: Budget | None = None,
    deadline: Callable[[], bool] | None = None,
) -> Classification:
    """Say what changed from OLD to NEW, place by place, and what each change means.

    `side` says how bare schemas are used: as arguments ("input") or as results ("output").
    Raises UsageError where OLD and NEW are not alike.
    """
    return classify_pair(
        pair(old, new, only=tool),
        (old.source, new.source),
        callers=callers,
        side=side,
        budget=budget,
        deadline=deadline,
    )


def classify_pair(
    both: Pair,
    sources: tuple[str, str],
    *,
    callers: Callers,
    side: Direction = "input",
    budget: Budget | None = None,
    deadline: Callable[[], bool] | None = None,
) -> Classification:
    """Classify what has been paired already."""
    tools: tuple[ToolReport, ...]
    if isinstance(both, Schemas):
        tools = (_schemas(both, callers, side, budget, deadline),)
    elif isinstance(both, Tools):
        found = classify_tools(both.old, both.new, callers=callers, budget=budget, deadline=deadline)
        tools = (_tool(found),)
    else:
        diff = classify_snapshots(both.old, both.new, callers=callers, budget=budget, deadline=deadline)
        tools = tuple(map(_tool, diff.tools))
    return Classification(*sources, callers, tools)


def _schemas(
    both: Schemas, callers: Callers, side: Direction, budget: Budget | None, deadline: Callable[[], bool] | None
) -> ToolReport:
    diff = classify_schemas(both.old, both.new, direction=side, callers=callers, budget=budget, deadline=deadline)
    old_pin, new_pin = _pin(both.old), _pin(both.new)
    same = not diff.changes and old_pin == new_pin
    return ToolReport(
        None,
        "unchanged" if same else "changed",
        diff.changes,
        "ok" if old_pin == new_pin else "BLOCK",
        old_pin,
        new_pin,
        diff if side == "input" else None,
        diff if side == "output" else None,
    )


def _pin(document: Document) -> str:
    """Pin a bare schema as the inputSchema of a tool that has nothing else."""
    return byte_pin({"inputSchema": pointer.resolve(document.root, document.pointer)})


def _tool(diff: ToolDiff) -> ToolReport:
    return ToolReport(
        diff.name, diff.status, diff.changes, diff.byte_pin, diff.old_pin, diff.new_pin, diff.input, diff.output
    )
