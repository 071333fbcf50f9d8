"""Decide what is compared with what: schema with schema, tool with tool, snapshot with snapshot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TypeAlias

from compatgate.errors import UsageError, Where
from compatgate.model import Snapshot, Tool
from compatgate.schema.references import Document
from compatgate.sources import Loaded


@dataclass(frozen=True)
class Schemas:
    """Hold two bare schemas."""

    old: Document
    new: Document


@dataclass(frozen=True)
class Tools:
    """Hold two versions of one tool, paired whatever their names are."""

    old: Tool
    new: Tool


@dataclass(frozen=True)
class Snapshots:
    """Hold two snapshots, compared tool by tool."""

    old: Snapshot
    new: Snapshot


Pair: TypeAlias = Schemas | Tools | Snapshots


def pair(old: Loaded, new: Loaded, *, only: str | None = None) -> Pair:
    """Return OLD and NEW as a pair of like things; `only` names the one tool of snapshots to look at.

    A single tool beside a snapshot is compared with the tool of that name in it.
    Raises UsageError where they are not alike, or where neither has the tool asked for.
    """
    if old.document is not None and new.document is not None:
        if only is not None:
            raise UsageError("bare schemas have no tools to choose from", hint="leave --tool out")
        return Schemas(old.document, new.document)
    before, after = old.snapshot, new.snapshot
    if before is None or after is None:
        bare, other = (old, new) if before is None else (new, old)
        raise UsageError(
            f"a bare schema cannot be compared with a {other.kind}",
            Where(bare.source),
            "point at the schema inside the other: FILE#/inputSchema, FILE#/tools/0/inputSchema",
        )
    if only is not None:
        _known(only, before, after)
        before, after = _restricted(before, only), _restricted(after, only)
    if old.tool is not None and new.tool is not None and before.tools and after.tools:
        return Tools(before.tools[0], after.tools[0])
    if old.tool is not None:
        after = _restricted(after, old.tool.name)
    elif new.tool is not None:
        before = _restricted(before, new.tool.name)
    return Snapshots(before, after)


def schema_of(loaded: Loaded, *, tool: str | None = None) -> tuple[str, Document]:
    """Return one schema and its name: the schema itself, or the inputSchema of the only tool or the one named.

    Raises UsageError where there are several tools and none is named.
    """
    if loaded.document is not None:
        return loaded.source, loaded.document
    assert loaded.snapshot is not None
    found = loaded.snapshot.tools
    if tool is not None:
        _known(tool, loaded.snapshot)
        found = (loaded.snapshot.by_name[tool],)
    if len(found) != 1:
        raise UsageError(
            f"{len(found)} tools are not one schema",
            Where(loaded.source),
            "name one: --tool NAME, or FILE#/tools/0/inputSchema",
        )
    if "inputSchema" not in found[0].raw:
        raise UsageError(f'the tool "{found[0].name}" has no inputSchema', Where(loaded.source))
    return f'inputSchema of "{found[0].name}" in {loaded.source}', Document(found[0].input_schema)


def _restricted(snapshot: Snapshot, name: str) -> Snapshot:
    return replace(snapshot, tools=tuple(tool for tool in snapshot.tools if tool.name == name))


def _known(name: str, *snapshots: Snapshot) -> None:
    names = {tool.name for snapshot in snapshots for tool in snapshot.tools}
    if name in names:
        return
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(sorted(names)[:12]) or 'none'}"
    raise UsageError(f'there is no tool "{name}"', Where(" and ".join(s.source for s in snapshots)), hint)
