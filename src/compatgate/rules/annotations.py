"""Rules about hints of behaviour: compared by what they mean, absent ones by their defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from compatgate.diff.values import same
from compatgate.jsonio import Json
from compatgate.model import ABSENT, Absent, Relation, Tool
from compatgate.rules.context import ToolPair
from compatgate.rules.rule import CONTRACT, COSAI, OWASP_SCOPE, SAFE_RUG_PULL, SPEC_HINTS, Finding, Rule

#: What each hint means where it is absent (MCP schema, ToolAnnotations).
DEFAULTS: Final = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}
#: The effective values before and after that admit more than was admitted.
_WEAKER: Final = {
    "readOnlyHint": (True, False),
    "destructiveHint": (False, True),
    "idempotentHint": (True, False),
    "openWorldHint": (False, True),
}
#: Hints that say nothing of a tool that only reads.
_OF_WRITERS: Final = frozenset(["destructiveHint", "idempotentHint"])


def effective(tool: Tool | None, hint: str) -> bool:
    """Return what a hint means: as declared where that is a boolean, else the default."""
    value = tool.annotations.get(hint) if tool is not None else None
    return value if isinstance(value, bool) else DEFAULTS[hint]


def _weakened(pair: ToolPair, hint: str) -> bool:
    if not pair.differs("annotations"):
        return False
    if hint in _OF_WRITERS and effective(pair.new, "readOnlyHint"):
        return False
    return (effective(pair.old, hint), effective(pair.new, hint)) == _WEAKER[hint]


def _weakening(hint: str, text: str) -> Callable[[ToolPair], Iterator[Finding]]:
    def check(pair: ToolPair) -> Iterator[Finding]:
        if _weakened(pair, hint):
            before, after = _WEAKER[hint]
            yield Finding(pair.name, pair.path("annotations", hint), text, shown=(before, after))

    return check


def _changed(pair: ToolPair) -> Iterator[Finding]:
    if not pair.differs("annotations"):
        return
    old, new = _declared(pair.old), _declared(pair.new)
    if old is None or new is None:
        before, after = pair.member("annotations")
        text = "The annotations are not an object on both sides."
        yield Finding(pair.name, pair.path("annotations"), text, hashed=(before, after))
        return
    for hint in sorted(DEFAULTS.keys() | old.keys() | new.keys()):
        if hint == "title" or (hint in DEFAULTS and _weakened(pair, hint)):
            continue
        before, after = _value(old, hint), _value(new, hint)
        if same(before, after):
            continue
        path = pair.path("annotations", hint)
        if isinstance(before, bool) and isinstance(after, bool):
            text = f"The effective value of the hint changed from {_word(before)} to {_word(after)}."
            yield Finding(pair.name, path, text, shown=(before, after))
        else:
            yield Finding(pair.name, path, "The annotation changed.", hashed=(before, after))


def _declared(tool: Tool | None) -> dict[str, Json] | None:
    value = tool.raw.get("annotations") if tool is not None else None
    if value is None:
        return {}
    return {name: hint for name, hint in value.items() if hint is not None} if isinstance(value, dict) else None


def _value(hints: dict[str, Json], name: str) -> Json | Absent:
    value: Json | Absent = hints.get(name, ABSENT)
    return DEFAULTS[name] if value is ABSENT and name in DEFAULTS else value


def _word(value: bool) -> str:
    return "true" if value else "false"


_RUG_PULL: Final = (
    " Clients ask people, or do not, by these hints; a server that takes one back after approval does what was not "
    "approved. Whether the hints are trusted or not, the server now admits more."
)
_SOURCES: Final = (CONTRACT, SPEC_HINTS, SAFE_RUG_PULL, COSAI)

RULES: Final = (
    Rule(
        "read-only-weakened", "annotations", "tool", "security", "security", Relation.NOT_APPLICABLE,
        "The tool is no longer said to be read-only.", "A tool that only read may write now." + _RUG_PULL,
        _SOURCES, "annotation-changed", reference=True,
        tool=_weakening("readOnlyHint", "The tool is no longer declared read-only: it may change what it works on."),
    ),
    Rule(
        "open-world-expanded", "annotations", "tool", "security", "security", Relation.NOT_APPLICABLE,
        "The tool is no longer said to keep to a closed world.",
        "A tool that kept to its own domain may reach others." + _RUG_PULL,
        (*_SOURCES, OWASP_SCOPE), "annotation-changed", reference=True,
        tool=_weakening("openWorldHint", "The tool no longer declares a closed world: it may reach external entities."),
    ),
    Rule(
        "destructive-risk-increased", "annotations", "tool", "security", "security", Relation.NOT_APPLICABLE,
        "A tool that is not read-only is no longer said to be harmless.",
        "A tool that only added may delete or overwrite now." + _RUG_PULL,
        _SOURCES, "annotation-changed", reference=True,
        tool=_weakening("destructiveHint", "The tool no longer declares that it is not destructive."),
    ),
    Rule(
        "idempotency-weakened", "annotations", "tool", "security", "security", Relation.NOT_APPLICABLE,
        "A tool that is not read-only is no longer said to be safe to repeat.",
        "A call repeated after a time-out may take effect twice." + _RUG_PULL,
        _SOURCES, "annotation-changed", reference=True,
        tool=_weakening("idempotentHint", "The tool no longer declares that repeating a call has no further effect."),
    ),
    Rule(
        "annotation-changed", "annotations", "tool", "contract", "review", Relation.NOT_APPLICABLE,
        "A hint changed in effect without a weakening, or an annotation that MCP does not define changed.",
        "A server that says it is safer than before may be, or may want fewer questions asked.",
        (CONTRACT, SPEC_HINTS), "annotation-changed", reference=True, tool=_changed,
    ),
)  # fmt: skip
