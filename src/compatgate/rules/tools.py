"""Rules about tools as a whole: which there are, how they are called, what their names look like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from compatgate.diff.wording import quote
from compatgate.jsonio import Json
from compatgate.jsonio.pointer import join
from compatgate.model import Relation, Tool
from compatgate.rules.characters import without_hidden
from compatgate.rules.confusables import look
from compatgate.rules.context import ServerPair, ToolPair
from compatgate.rules.rule import (
    CONTRACT,
    COSAI,
    SAFE_SHADOWING,
    SPEC_TASKS,
    SPEC_TOOLS,
    UTS39,
    Finding,
    Rule,
)

#: The only revision that defines `execution`.
EXECUTION_REVISION: Final = "2025-11-25"


def _removed(pair: ToolPair) -> Iterator[Finding]:
    if pair.new is None:
        text = "The tool is gone: every call of it fails."
        if pair.twin:
            text += f" It was likely renamed to {quote(pair.twin[0].name)} (similarity {pair.twin[1]:.2f})."
        yield Finding(pair.name, pair.path(), text)


def _added(pair: ToolPair) -> Iterator[Finding]:
    if pair.old is None:
        text = "The tool is new: what it does was not reviewed, and models may choose it in place of another."
        if pair.twin:
            text += f" It is likely the new name of {quote(pair.twin[0].name)} (similarity {pair.twin[1]:.2f})."
        yield Finding(pair.name, pair.path(), text)


def task_support(tool: Tool | None) -> Json:
    """Return what a tool says of being called as a task, by default forbidden."""
    execution = tool.raw.get("execution") if tool is not None else None
    value = execution.get("taskSupport") if isinstance(execution, dict) else None
    return "forbidden" if value is None else value


def _defines_execution(version: str | None) -> bool:
    """Say whether a revision may define `execution`; where none is named it may."""
    return version is None or version == EXECUTION_REVISION


def comparable_revisions(server: ServerPair) -> bool:
    """Say whether both revisions may define `execution`."""
    return all(_defines_execution(snapshot.protocol_version) for snapshot in (server.old, server.new))


def _comparable(pair: ToolPair) -> bool:
    return pair.both and comparable_revisions(pair.server)


def _task_change(pair: ToolPair) -> tuple[Json, Json] | None:
    if not _comparable(pair) or "execution" in pair.same:
        return None
    before, after = task_support(pair.old), task_support(pair.new)
    return None if before == after else (before, after)


def _task_relaxed(pair: ToolPair) -> Iterator[Finding]:
    change = _task_change(pair)
    if change and change[1] == "optional" and change[0] in ("forbidden", "required"):
        text = f"Task support changed from {change[0]} to optional: calls of the old kind still work."
        yield Finding(pair.name, pair.path("execution", "taskSupport"), text, shown=change)


def _task_incompatible(pair: ToolPair) -> Iterator[Finding]:
    change = _task_change(pair)
    if change is None or (change[1] == "optional" and change[0] in ("forbidden", "required")):
        return
    known = all(value in ("forbidden", "optional", "required") for value in change)
    path = pair.path("execution", "taskSupport")
    if known:
        text = f"Task support changed from {change[0]} to {change[1]}: calls of the old kind are refused."
        yield Finding(pair.name, path, text, shown=change)
    else:
        text = "Task support changed to or from a value that MCP does not define."
        yield Finding(pair.name, path, text, hashed=change)


def _feature_gone(pair: ToolPair) -> Iterator[Finding]:
    if not pair.both or _comparable(pair):
        return
    before, after = task_support(pair.old), task_support(pair.new)
    if "forbidden" == before == after:  # the default, spelt out or not: nothing is hidden
        return
    old, new = (snapshot.protocol_version for snapshot in (pair.server.old, pair.server.new))
    text = (
        f"Task support is declared and not compared: it is defined by revision {EXECUTION_REVISION} only, and the "
        f"snapshots were taken under {_revision(old)} and {_revision(new)}."
    )
    yield Finding(pair.name, pair.path("execution", "taskSupport"), text, hashed=(before, after))


def _revision(version: str | None) -> str:
    return quote(version, 20) if version is not None else "no named revision"


def _lookalike(server: ServerPair) -> Iterator[Finding]:
    """Compare each new name with the names beside it, and a name in disguise with those it may have replaced."""
    if not server.added:
        return
    added = {tool.name for tool in server.added}
    known = [name for name in server.new.by_name if name not in added]
    gone = [name for name in server.old.by_name if name not in server.new.by_name]
    looks: dict[str, tuple[str, str]] = {}  # how it looks -> (a name that looks so, where it is)
    for where, names in (("of another server", server.other_tools), ("that is gone", gone), ("beside it", known)):
        for name in sorted(names):
            looks.update(dict.fromkeys(look(name), (name, where)))
    for name in sorted(added):
        hit = next((looks[key] for key in sorted(look(name)) if key in looks), None)
        looks.update(dict.fromkeys(look(name) - looks.keys(), (name, "beside it")))
        if hit is None or hit[0] == name:
            continue
        other, where = hit
        if where != "beside it" and not _disguised(name, other):
            continue  # the same name in another spelling, in place of the old one or elsewhere
        text = f"The name is {_alike(name, other)} the tool {quote(other)} {where}: one is easily called for the other."
        yield Finding(name, join(["tools", name, "name"]), text)


def _disguised(name: str, other: str) -> bool:
    """Say whether a name looks like another through characters that are not the other's, not by case or separators."""
    letters, others = ("".join(filter(str.isalnum, text)).casefold() for text in (name, other))
    return letters != others


def _alike(name: str, other: str) -> str:
    if name.casefold() == other.casefold():
        return "only by case different from"
    if not _disguised(without_hidden(name), other):
        return "only by separators, case or hidden characters different from"
    strange = ", ".join(f"U+{ord(c):04X}" for c in dict.fromkeys(name) if not c.isascii())
    return f"confusable{f' ({strange})' if strange else ''} with"


RULES: Final = (
    Rule(
        "tool-removed", "tools", "tool", "contract", "breaking", Relation.PROVEN_NOT_SUBSET,
        "A tool is gone.", "Every call of it fails. Where a new tool is much like it, the reason names it.",
        (CONTRACT, SPEC_TOOLS), "capability-added", reference=True, tool=_removed,
    ),
    Rule(
        "capability-added", "tools", "tool", "contract", "review", Relation.NOT_APPLICABLE,
        "A tool is new.", "What it does was not reviewed; models may choose it in place of the one they used.",
        (CONTRACT, SPEC_TOOLS, COSAI), "tool-removed", reference=True, tool=_added,
    ),
    Rule(
        "task-support-relaxed", "tools", "tool", "contract", "info", Relation.PROVEN_SUBSET,
        "Task support went from forbidden or required to optional.", "Calls of the old kind still work.",
        (CONTRACT, SPEC_TASKS), "task-support-incompatible", reference=True, tool=_task_relaxed,
    ),
    Rule(
        "task-support-incompatible", "tools", "tool", "contract", "breaking", Relation.PROVEN_NOT_SUBSET,
        "Task support changed so that calls of the old kind are refused.",
        "A client that calls with a task where it is forbidden, or without one where it is required, gets an error.",
        (CONTRACT, SPEC_TASKS), "task-support-relaxed", reference=True, tool=_task_incompatible,
    ),
    Rule(
        "protocol-feature-gone", "tools", "tool", "contract", "review", Relation.NOT_APPLICABLE,
        "Task support is declared and one side's protocol revision does not define it.",
        "It is not compared; what was declared may no longer hold.",
        (CONTRACT, SPEC_TASKS), "protocol-feature-gone", reference=True, tool=_feature_gone,
    ),
    Rule(
        "lookalike-tool-name", "tools", "server", "security", "security", Relation.NOT_APPLICABLE,
        "A new tool's name looks like another's: by case, by separators, by confusable or hidden characters.",
        "A model or a person that picks one calls the other.",
        (UTS39, SAFE_SHADOWING, COSAI), None, "a look-alike that goes away is tool-removed", server=_lookalike,
    ),
)  # fmt: skip
