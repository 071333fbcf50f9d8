"""Decide whether an update of an MCP server breaks the agents that call it, and prove it.

Everything is imported when it is first used, so that `import compatgate` and `compatgate --version` cost nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatgate._version import __version__

if TYPE_CHECKING:
    from compatgate.api import Surface, classify, contains, gate, load
    from compatgate.drift import verdict
    from compatgate.errors import CompatgateError, IncompleteError, InputError, UsageError, Where
    from compatgate.jsonio import Json
    from compatgate.model import ABSENT, NO_WITNESS, CallRecord, Change, Impact, Relation, Snapshot, Tool
    from compatgate.prover import Budget, Containment
    from compatgate.replay import Outcome, Replay
    from compatgate.report import Classification, GateResult, ToolReport
    from compatgate.schema.references import Document
    from compatgate.sources import Loaded

_HOMES = {
    "compatgate.api": ("Surface", "classify", "contains", "gate", "load"),
    "compatgate.errors": ("CompatgateError", "IncompleteError", "InputError", "UsageError", "Where"),
    "compatgate.jsonio": ("Json",),
    "compatgate.model": ("ABSENT", "NO_WITNESS", "CallRecord", "Change", "Impact", "Relation", "Snapshot", "Tool"),
    "compatgate.prover": ("Budget", "Containment"),
    "compatgate.replay": ("Outcome", "Replay"),
    "compatgate.report": ("Classification", "GateResult", "ToolReport"),
    "compatgate.schema.references": ("Document",),
    "compatgate.sources": ("Loaded",),
    "compatgate.drift": ("verdict",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "ABSENT",
    "NO_WITNESS",
    "Budget",
    "CallRecord",
    "Change",
    "Classification",
    "CompatgateError",
    "Containment",
    "Document",
    "GateResult",
    "Impact",
    "IncompleteError",
    "InputError",
    "Json",
    "Loaded",
    "Outcome",
    "Relation",
    "Replay",
    "Snapshot",
    "Surface",
    "Tool",
    "ToolReport",
    "UsageError",
    "Where",
    "__version__",
    "classify",
    "contains",
    "gate",
    "load",
    "verdict",
]


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(home), name)
    globals()[name] = value  # found once: the next look-up does not come here
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
