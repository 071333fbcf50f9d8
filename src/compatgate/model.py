"""The records everything else speaks in: frozen, plain, and cheap to import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum, StrEnum
from functools import cached_property
from typing import Final, Literal, TypeAlias

from compatgate.jsonio import Json


class Relation(StrEnum):
    """Say how the set of values of one schema relates to that of another; never a guess."""

    PROVEN_SUBSET = "PROVEN_SUBSET"
    PROVEN_NOT_SUBSET = "PROVEN_NOT_SUBSET"
    UNKNOWN = "UNKNOWN"
    NOT_APPLICABLE = "NOT_APPLICABLE"


class Impact(StrEnum):
    """Say what one change means for those who call the tool, in the direction of its side."""

    COMPATIBLE = "COMPATIBLE"
    RISKY = "RISKY"
    BREAKING = "BREAKING"
    UNKNOWN = "UNKNOWN"


class Missing(Enum):
    """Stand where a JSON value could be and none is; `None` cannot, as null is a JSON value."""

    NO_WITNESS = "NO_WITNESS"
    ABSENT = "ABSENT"

    def __repr__(self) -> str:
        return self.name

    def __str__(self) -> str:
        return self.name


NO_WITNESS: Final = Missing.NO_WITNESS
"""There is no witness."""

ABSENT: Final = Missing.ABSENT
"""There is no value at this place (a keyword that was added has no `before`)."""

NoWitness: TypeAlias = Literal[Missing.NO_WITNESS]
Absent: TypeAlias = Literal[Missing.ABSENT]
Side: TypeAlias = Literal["input", "output", "tool"]


@dataclass(frozen=True)
class Tool:
    """Hold one tool as its server declared it: `raw` is the whole object, untouched."""

    name: str
    raw: dict[str, Json]

    @property
    def input_schema(self) -> Json:
        """Return the raw inputSchema."""
        return self.raw["inputSchema"]

    @property
    def output_schema(self) -> Json | None:
        """Return the raw outputSchema, or None where the tool has none (or null)."""
        return self.raw.get("outputSchema")

    @property
    def title(self) -> str | None:
        """Return the title where it is a text."""
        return _text(self.raw.get("title"))

    @property
    def description(self) -> str | None:
        """Return the description where it is a text."""
        return _text(self.raw.get("description"))

    @property
    def annotations(self) -> dict[str, Json]:
        """Return the annotations as declared; empty where there are none."""
        value = self.raw.get("annotations")
        return value if isinstance(value, dict) else {}


@dataclass(frozen=True)
class Snapshot:
    """Hold everything that one server declares; tools in the order the server sent them, names unique."""

    source: str
    tools: tuple[Tool, ...]
    raw: Json
    protocol_version: str | None = None

    @cached_property
    def by_name(self) -> Mapping[str, Tool]:
        """Return the tools by their names."""
        return {tool.name: tool for tool in self.tools}


@dataclass(frozen=True)
class Change:
    """Hold one edit at one place of a tool, with its meaning for callers.

    `path` is a JSON Pointer inside the schema of `side` (inside the tool object where `side` is "tool").
    `witness` is a value the sender may send and the receiver rejects; every BREAKING change has one.
    `parts` are the paths that only together narrow the set (rule `jointly-narrowed`).
    """

    tool: str | None
    side: Side
    path: str
    keyword: str | None
    impact: Impact
    rule: str
    reason: str
    witness: Json | NoWitness = NO_WITNESS
    via_undeclared_names: bool = False
    before: Json | Absent = ABSENT
    after: Json | Absent = ABSENT
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class CallRecord:
    """Hold one recorded call; `line` counts from 1 in the file it came from."""

    line: int
    tool: str | None
    arguments: dict[str, Json] = field(default_factory=dict)
    id: Json = None
    ts: Json = None
    client: Json = None
    session: Json = None


def to_json(record: Tool | Snapshot | Change | CallRecord) -> dict[str, Json]:
    """Return a record as a JSON object; members without a value (NO_WITNESS, ABSENT) are left out."""
    if isinstance(record, Tool):
        return dict(record.raw)
    if isinstance(record, Snapshot):
        return {
            "source": record.source,
            "protocol_version": record.protocol_version,
            "complete": True,
            "tools": [dict(tool.raw) for tool in record.tools],
        }
    members: dict[str, Json] = {}
    for member in fields(record):
        value = getattr(record, member.name)
        if isinstance(value, Missing):
            continue
        if isinstance(value, StrEnum):
            value = value.value
        elif isinstance(value, tuple):
            value = list(value)
        members[member.name] = value
    return members


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None
