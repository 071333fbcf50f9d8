"""What the use cases hand over: records that every report format is a pure function of."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal, TypeAlias

from compatgate.diff import SchemaDiff
from compatgate.diff.impact import gravest
from compatgate.model import Change, Impact
from compatgate.prover import Callers, Containment
from compatgate.replay import Replay

Pin: TypeAlias = Literal["ok", "BLOCK"]
Status: TypeAlias = Literal["added", "removed", "changed", "unchanged"]
Verdict: TypeAlias = Literal["PASS", "FAIL", "ERROR"]


@dataclass(frozen=True)
class ContainsReport:
    """Hold the prover's answer about two named schemas."""

    left: str
    right: str
    callers: Callers
    answer: Containment
    exit_code: int


@dataclass(frozen=True)
class ToolReport:
    """Hold what happened to one tool, or to a bare schema (which has no name)."""

    name: str | None
    status: Status
    changes: tuple[Change, ...]
    byte_pin: Pin
    old_pin: str | None
    new_pin: str | None
    input: SchemaDiff | None = None
    output: SchemaDiff | None = None

    @property
    def impact(self) -> Impact:
        """Return the gravest impact of all changes; COMPATIBLE where there is none."""
        return gravest(self.changes)


@dataclass(frozen=True)
class Classification:
    """Hold what changed between OLD and NEW, and what that means under a caller model."""

    old: str
    new: str
    callers: Callers
    tools: tuple[ToolReport, ...]

    @property
    def changes(self) -> tuple[Change, ...]:
        """Return the changes of all tools, tool by tool, the gravest of each first."""
        return tuple(change for tool in self.tools for change in tool.changes)

    @property
    def impact(self) -> Impact:
        """Return the gravest impact of all changes; COMPATIBLE where there is none."""
        return gravest(self.changes)

    @property
    def byte_pin(self) -> Pin:
        """Return what the byte pin says: `ok` only where every tool is there on both sides with the same pin."""
        return "ok" if all(tool.byte_pin == "ok" for tool in self.tools) else "BLOCK"

    def count(self, impact: Impact) -> int:
        """Return how many changes have this impact."""
        return sum(change.impact is impact for change in self.changes)

    def statuses(self) -> Counter[Status]:
        """Return how many tools were added, removed, changed, or left as they were."""
        return Counter(tool.status for tool in self.tools)


@dataclass(frozen=True)
class Signal:
    """Hold one sentence on where schemas and recorded calls agree or differ, for one tool."""

    tool: str | None
    text: str
    agree: bool


@dataclass(frozen=True)
class GateResult:
    """Hold both signals and the verdict.

    `verdict` is ERROR where nothing can be said: the calls are unusable (exit code 2), or proof and calls contradict
    each other (exit code 3, a bug in compatgate). `reasons` say why it is not PASS.
    """

    classification: Classification
    calls: str
    replay: Replay
    verdict: Verdict
    exit_code: int
    reasons: tuple[str, ...]
    signals: tuple[Signal, ...]
    notes: tuple[str, ...] = ()

    @property
    def breaks(self) -> tuple[int, int]:
        """Return k and n: how many of the recorded calls that were valid under OLD are broken under NEW."""
        total = self.replay.total
        return total.broken, total.calls


@dataclass(frozen=True)
class DemoCase:
    """Hold one case of the demonstration and what the gate made of it."""

    id: str
    title: str
    gate: GateResult


@dataclass(frozen=True)
class DemoReport:
    """Hold all cases of the demonstration."""

    cases: tuple[DemoCase, ...]

    @property
    def byte_pin_fired(self) -> int:
        """Return for how many cases the byte pin blocks."""
        return sum(case.gate.classification.byte_pin == "BLOCK" for case in self.cases)

    @property
    def gate_fired(self) -> int:
        """Return for how many cases the gate does not pass."""
        return sum(case.gate.verdict != "PASS" for case in self.cases)


Report: TypeAlias = ContainsReport | Classification | GateResult | DemoReport
