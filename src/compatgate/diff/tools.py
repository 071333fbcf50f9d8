"""Compare tools and snapshots: pair the tools by name, classify what changed, mention likely renames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from compatgate.canonical import byte_pin
from compatgate.diff import align
from compatgate.diff.catalogue import RULES
from compatgate.diff.impact import SchemaDiff, classify_schemas, gravest, in_order
from compatgate.diff.oracle import Callers
from compatgate.diff.values import Value, same
from compatgate.diff.wording import Direction, quote
from compatgate.jsonio import Json, pointer
from compatgate.model import ABSENT, Change, Impact, Snapshot, Tool
from compatgate.prover import Budget
from compatgate.schema.references import Document

Status: TypeAlias = Literal["added", "removed", "changed", "unchanged"]
Pin: TypeAlias = Literal["ok", "BLOCK"]

#: A tool less alike than this is no likely rename: two thirds of name, description and parameters.
TOOL_LIKENESS: Final = 0.7

#: Members of a tool that are compared as texts, with the rule that fires.
_MEMBERS: Final = {
    "title": "title-changed",
    "description": "description-changed",
    "annotations": "annotations-changed",
    "execution": "execution-changed",
}
_SCHEMAS: Final[dict[str, Direction]] = {"inputSchema": "input", "outputSchema": "output"}


@dataclass(frozen=True)
class ToolDiff:
    """Hold what happened to one tool; `old_pin` and `new_pin` are its byte pins, None where it is not there."""

    name: str
    status: Status
    changes: tuple[Change, ...]
    old_pin: str | None
    new_pin: str | None
    input: SchemaDiff | None = None
    output: SchemaDiff | None = None

    @property
    def impact(self) -> Impact:
        """Return the gravest impact of all changes; COMPATIBLE where there is none."""
        return gravest(self.changes)

    @property
    def byte_pin(self) -> Pin:
        """Return what the byte pin says: `ok` only where name, description and inputSchema are the same text."""
        return "ok" if self.old_pin == self.new_pin else "BLOCK"


@dataclass(frozen=True)
class SnapshotDiff:
    """Hold what happened to every tool of two snapshots, by name."""

    tools: tuple[ToolDiff, ...]

    @property
    def changes(self) -> tuple[Change, ...]:
        """Return the changes of all tools, tool by tool."""
        return tuple(change for tool in self.tools for change in tool.changes)

    @property
    def impact(self) -> Impact:
        """Return the gravest impact of all tools; COMPATIBLE where nothing changed."""
        return gravest(self.changes)

    def names(self, status: Status) -> tuple[str, ...]:
        """Return the names of the tools with this status."""
        return tuple(tool.name for tool in self.tools if tool.status == status)


def classify_tools(
    old: Tool,
    new: Tool,
    *,
    callers: Callers = "declared",
    budget: Budget | None = None,
    deadline: Callable[[], bool] | None = None,
    assert_formats: bool = False,
) -> ToolDiff:
    """Classify everything that differs between two versions of one tool: texts, hints and both schemas.

    An absent outputSchema is the schema that accepts everything; an absent inputSchema accepts every object.
    """
    old_pin, new_pin = byte_pin(old.raw), byte_pin(new.raw)
    changes = _members(old, new)
    schemas: dict[str, SchemaDiff] = {}
    for member, direction in _SCHEMAS.items():
        before, after = _schema(old, member), _schema(new, member)
        if same(before, after):
            continue
        absent: Json = {"type": "object"} if direction == "input" else True
        diff = classify_schemas(
            Document(absent if before is ABSENT else before),
            Document(absent if after is ABSENT else after),
            direction=direction,
            callers=callers,
            budget=budget,
            deadline=deadline,
            tool=new.name,
            assert_formats=assert_formats,
        )
        if before is ABSENT or after is ABSENT:
            diff = _came_or_went(diff, member, before, after)
        schemas[direction] = diff
        changes += diff.changes
    status: Status = "changed" if changes or not same(old.raw, new.raw) else "unchanged"
    return ToolDiff(new.name, status, in_order(changes), old_pin, new_pin, schemas.get("input"), schemas.get("output"))


def classify_snapshots(
    old: Snapshot,
    new: Snapshot,
    *,
    callers: Callers = "declared",
    budget: Budget | None = None,
    deadline: Callable[[], bool] | None = None,
    assert_formats: bool = False,
) -> SnapshotDiff:
    """Classify two snapshots tool by tool, by name; the order of tools does not matter.

    `budget` is that of each pair of schemas, so one hard tool never starves the others.
    """
    before, after = old.by_name, new.by_name
    likely = likely_renames(
        [tool for tool in old.tools if tool.name not in after], [tool for tool in new.tools if tool.name not in before]
    )
    origin = {new_name: (old_name, score) for old_name, (new_name, score) in likely.items()}
    found: list[ToolDiff] = []
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            found.append(_removed(before[name], likely.get(name)))
        elif name not in before:
            found.append(_added(after[name], origin.get(name)))
        else:
            found.append(
                classify_tools(
                    before[name],
                    after[name],
                    callers=callers,
                    budget=budget,
                    deadline=deadline,
                    assert_formats=assert_formats,
                )
            )
    return SnapshotDiff(tuple(found))


def _members(old: Tool, new: Tool) -> list[Change]:
    changes: list[Change] = []
    names = dict.fromkeys([*old.raw, *new.raw])
    for member in names:
        before: Value = old.raw.get(member, ABSENT)
        after: Value = new.raw.get(member, ABSENT)
        if member in _SCHEMAS or same(before, after):
            continue
        verb = "added" if before is ABSENT else "removed" if after is ABSENT else "changed"
        if member == "name":
            text = f"the tool was renamed from {quote(old.name)} to {quote(new.name)}: calls by the old name fail"
            changes.append(_change(new.name, "name", "tool-renamed", text, before, after))
            continue
        rule = _MEMBERS.get(member, "metadata-changed")
        text = f"{member if member in _MEMBERS else quote(member)} {verb}"
        if member == "annotations":
            text = f"annotations {verb}: {_which(old.annotations, new.annotations)}"
        changes.append(_change(new.name, member, rule, text, before, after))
    return changes


def _which(old: dict[str, Json], new: dict[str, Json]) -> str:
    names = [name for name in dict.fromkeys([*old, *new]) if not same(_get(old, name), _get(new, name))]
    return ", ".join(quote(name) for name in names[:8]) or "the same hints, spelt differently"


def _get(members: dict[str, Json], name: str) -> Value:
    value: Value = members.get(name, ABSENT)
    return value


def _schema(tool: Tool, member: str) -> Value:
    value: Value = tool.raw.get(member, ABSENT)
    return ABSENT if value is None else value


def _came_or_went(diff: SchemaDiff, member: str, before: Value, after: Value) -> SchemaDiff:
    """Name the change of a schema that is there on one side only, and leave its verdict."""
    came = before is ABSENT
    rule = ("input" if member == "inputSchema" else "output") + ("-schema-added" if came else "-schema-removed")
    what = f"{member} was {'added' if came else 'removed'}"
    changes = tuple(
        replace(change, rule=rule, reason=f"{what}: {change.reason.rpartition(': ')[2]}", before=before, after=after)
        if change.rule in ("schema-replaced", "respelt") and change.path == ""
        else change
        for change in diff.changes
    )
    return replace(diff, changes=changes)


def likely_renames(gone: list[Tool], come: list[Tool]) -> dict[str, tuple[str, float]]:
    """Find tools that probably only have a new name: by name, description and parameters."""
    if not gone or not come or len(gone) * len(come) > align.MAX_PAIRS:
        return {}
    scored = []
    for old in gone:
        for new in come:
            score = _likeness(old, new)
            if score >= TOOL_LIKENESS:
                scored.append((-score, old.name, new.name))
    found: dict[str, tuple[str, float]] = {}
    taken: set[str] = set()
    for negative, old_name, new_name in sorted(scored):
        if old_name not in found and new_name not in taken:
            found[old_name] = (new_name, round(-negative, 2))
            taken.add(new_name)
    return found


def _likeness(old: Tool, new: Tool) -> float:
    by_name = align.name_likeness(old.name, new.name)
    schemas = align.likeness(old.raw.get("inputSchema"), new.raw.get("inputSchema"))
    if not _has_parameters(old) and not _has_parameters(new):
        schemas = by_name  # two tools without parameters are alike in nothing but that
    texts = 1.0 if old.description is not None and old.description == new.description else None
    parts = [by_name, schemas] if texts is None else [by_name, schemas, texts]
    return sum(parts) / len(parts)


def _has_parameters(tool: Tool) -> bool:
    schema = tool.raw.get("inputSchema")
    return isinstance(schema, dict) and bool(schema.get("properties"))


def _removed(tool: Tool, twin: tuple[str, float] | None) -> ToolDiff:
    text = "the tool is gone: every call of it fails"
    if twin:
        text += f"; likely renamed to {quote(twin[0])} (similarity {twin[1]:.2f})"
    change = _change(tool.name, None, "tool-removed", text, ABSENT, ABSENT)
    return ToolDiff(tool.name, "removed", (change,), byte_pin(tool.raw), None)


def _added(tool: Tool, twin: tuple[str, float] | None) -> ToolDiff:
    text = "a new tool: models may choose it in place of another"
    if twin:
        text += f"; likely the new name of {quote(twin[0])} (similarity {twin[1]:.2f})"
    change = _change(tool.name, None, "tool-added", text, ABSENT, ABSENT)
    return ToolDiff(tool.name, "added", (change,), None, byte_pin(tool.raw))


def _change(tool: str, member: str | None, rule: str, reason: str, before: Value, after: Value) -> Change:
    path = "" if member is None else pointer.join([member])
    return Change(tool, "tool", path, member, RULES[rule].input, rule, reason, before=before, after=after)
