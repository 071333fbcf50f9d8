"""Run every rule over two snapshots: tools that did not change cost a comparison and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from compatgate.canonical import utf16_sorted
from compatgate.diff.tools import likely_renames
from compatgate.drift.normal import CONTRACT, NormalTool, digest, same_text
from compatgate.model import Relation, Tool
from compatgate.rules import CATALOGUE, Finding, Rule, ServerPair, ToolPair
from compatgate.rules.tools import comparable_revisions, task_support

Surface: TypeAlias = Literal["tools", "all"]


@dataclass
class Comparison:
    """Hold what two snapshots come to: hashes, counts, and findings each with its rule, in no order yet."""

    hashes: dict[str, str]
    added: int
    removed: int
    changed: int
    compared: int
    relations: dict[Relation, int] = field(default_factory=dict)
    findings: list[tuple[Rule, Finding]] = field(default_factory=list)


def compare_snapshots(server: ServerPair, surface: Surface) -> Comparison:
    """Compare two snapshots under every rule of the catalogue."""
    pairs, hashes = _pairs(server)
    common = len(server.old.by_name.keys() & server.new.by_name.keys())
    changed = sum(pair.both for pair in pairs)
    result = Comparison(hashes, len(server.added), len(server.removed), changed, common)
    pairs += _hidden_execution(server, {pair.name for pair in pairs})
    for pair in pairs:
        for rule in CATALOGUE:
            if rule.tool is not None:
                result.findings += [(rule, finding) for finding in rule.tool(pair)]
        for check in pair.relations.values():
            result.relations[check.relation] = result.relations.get(check.relation, 0) + 1
    for rule in CATALOGUE:
        if rule.server is not None and (surface == "all" or rule.family != "surface"):
            result.findings += [(rule, finding) for finding in rule.server(server)]
    return result


def _pairs(server: ServerPair) -> tuple[list[ToolPair], dict[str, str]]:
    """Pair the tools by name, leave out those that are the same in normal form, and hash both snapshots."""
    old, new = server.old.by_name, server.new.by_name
    before: dict[str, NormalTool] = {}
    after: dict[str, NormalTool] = {}
    pairs: list[ToolPair] = []
    for name, tool in old.items():
        before[name] = NormalTool(tool)
        other = new.get(name)
        if other is None:
            continue
        if same_text(tool.raw, other.raw):
            after[name] = before[name]
            continue
        after[name] = NormalTool(other)
        if before[name].whole != after[name].whole:
            pairs.append(ToolPair(tool, other, server, _same_members(before[name], after[name])))
    for tool in server.added:
        after[tool.name] = NormalTool(tool)
    pairs += _came_and_went(server)
    return pairs, {
        "baseline_snapshot": digest(server.old, [before[name].whole for name in utf16_sorted(before)]),
        "current_snapshot": digest(server.new, [after[name].whole for name in utf16_sorted(after)]),
        "baseline_contract": digest(server.old, [before[name].contract for name in utf16_sorted(before)]),
        "current_contract": digest(server.new, [after[name].contract for name in utf16_sorted(after)]),
    }


def _same_members(before: NormalTool, after: NormalTool) -> frozenset[str]:
    return (before.names() | after.names()) - before.differing(after)


def _came_and_went(server: ServerPair) -> Iterator[ToolPair]:
    twins: dict[str, tuple[Tool, float]] = {}
    for old_name, (new_name, score) in likely_renames(list(server.removed), list(server.added)).items():
        twins[old_name] = (server.new.by_name[new_name], score)
        twins[new_name] = (server.old.by_name[old_name], score)
    for tool in server.removed:
        yield ToolPair(tool, None, server, twin=twins.get(tool.name))
    for tool in server.added:
        yield ToolPair(None, tool, server, twin=twins.get(tool.name))


def _hidden_execution(server: ServerPair, known: set[str]) -> Iterator[ToolPair]:
    """Yield tools that are the same text and yet declare what one side's revision does not define."""
    if comparable_revisions(server):
        return
    for name, tool in server.old.by_name.items():
        if name in server.new.by_name and name not in known and task_support(tool) != "forbidden":
            every = CONTRACT | tool.raw.keys() | {"icons", "_meta"}
            yield ToolPair(tool, server.new.by_name[name], server, every)
