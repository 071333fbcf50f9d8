"""The six founding cases as files: a tool, what became of it, and recorded calls."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Final


@dataclass(frozen=True, slots=True)
class Case:
    """Name the files of one case; `at` is the place of the schema in them, empty for the whole."""

    id: str
    title: str
    old: str
    new: str
    calls: str
    at: tuple[str, str] = ("", "")


_TOOL, _CALLS = "run_query.json", "run_query.calls.jsonl"

CASES: Final = (
    Case("C1", "the same tool, serialised again", _TOOL, "c1.json", _CALLS),
    Case(
        "C2",
        "MCP Implementation, 2025-06-18 to 2025-11-25",
        "mcp-2025-06-18.json",
        "mcp-2025-11-25.json",
        "handshakes.calls.jsonl",
        ("#/definitions/Implementation", "#/$defs/Implementation"),
    ),
    Case("C3", "a required tenant_id is added", _TOOL, "c3.json", _CALLS),
    Case("C4", "format no longer takes csv", _TOOL, "c4.json", _CALLS),
    Case("C5", "the optional timeout_ms is removed", _TOOL, "c5.json", _CALLS),
    Case("C6", "another description, an optional cache is added", _TOOL, "c6.json", _CALLS),
)


def read(name: str) -> bytes:
    """Return the bytes of one bundled file."""
    return files(__name__).joinpath(name).read_bytes()
