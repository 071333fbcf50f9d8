"""Replay recorded calls: each is validated under OLD first, then under NEW, by two validators.

A call that OLD rejects is reported and not counted: it says nothing about the change. A call about which the two
validators differ is "disputed": it is never taken for proof, and where it may be broken it counts against NEW.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Final

from compatgate.jsonio import Json
from compatgate.model import CallRecord
from compatgate.prover.same import same_document
from compatgate.prover.validators import Violation, compile_pair
from compatgate.replay.calls import BadCall
from compatgate.replay.evidence import upper_bound
from compatgate.replay.names import Names
from compatgate.schema.references import Document, UnresolvableError

#: Calls of one outcome that are kept for the report; all are counted.
MAX_LISTED: Final = 20
#: Different names of unmatched tools that are counted each for itself.
MAX_UNMATCHED: Final = 1000


class Outcome(StrEnum):
    """Say what became of one recorded call."""

    OK = "ok"
    BROKEN = "broken"
    IGNORED = "ignored"
    INVALID_BEFORE = "invalid_before"
    UNMATCHED = "unmatched"
    DISPUTED = "disputed"


@dataclass(frozen=True)
class Target:
    """Name a tool to replay against: its input schema in OLD, and in NEW where it is still there.

    `name` is None for a bare schema: it takes the calls that name no tool.
    """

    name: str | None
    old: Document
    new: Document | None


@dataclass(frozen=True)
class Result:
    """Hold what became of one call.

    `errors` are those of the schema that rejected it; `reason` says in words what they do not: that the tool is
    gone, or what the validators differ about. `ignored` are pointers of arguments that NEW no longer declares.
    `counted` says that it was valid under OLD, `may_break` that a break is proved or cannot be excluded.
    """

    call: CallRecord
    outcome: Outcome
    errors: tuple[Violation, ...] = ()
    reason: str = ""
    ignored: tuple[str, ...] = ()
    counted: bool = True
    may_break: bool = False


@dataclass
class Tally:
    """Count the calls of one tool; `calls` (n) are those that were valid under OLD."""

    tool: str | None
    ok: int = 0
    broken: int = 0
    ignored: int = 0
    invalid_before: int = 0
    disputed: int = 0
    calls: int = 0
    doubtful: int = 0  # disputed, and a break cannot be excluded
    doubtful_counted: int = 0  # of these, the ones that were valid under OLD

    @property
    def bound(self) -> float:
        """Return the 95 % upper bound of the break rate; what may be broken counts as broken here."""
        return upper_bound(self.broken + self.doubtful_counted, self.calls)

    def add(self, result: Result) -> None:
        """Count one more call."""
        name = result.outcome.value
        setattr(self, name, getattr(self, name) + 1)
        self.calls += result.counted
        if result.outcome is Outcome.DISPUTED and result.may_break:
            self.doubtful += 1
            self.doubtful_counted += result.counted


@dataclass
class Replay:
    """Hold what became of all calls: counts for all of them, and the first few of every kind that needs a look."""

    tallies: list[Tally]
    lines: int = 0
    unmatched: int = 0
    unmatched_names: dict[str, int] = field(default_factory=dict)
    bad: int = 0
    listed: list[Result] = field(default_factory=list)
    bad_lines: list[BadCall] = field(default_factory=list)
    first_broken: dict[str | None, Result] = field(default_factory=dict)

    @cached_property
    def total(self) -> Tally:
        """Return the counts over all tools; read it when the replay is over."""
        total = Tally(None)
        for tally in self.tallies:
            for name in vars(total):
                if name != "tool":
                    setattr(total, name, getattr(total, name) + getattr(tally, name))
        return total

    def of(self, tool: str | None) -> Tally | None:
        """Return the counts of one tool."""
        return next((tally for tally in self.tallies if tally.tool == tool), None)


def replay(checks: Iterable[Check], calls: Iterable[CallRecord | BadCall], *, max_listed: int = MAX_LISTED) -> Replay:
    """Replay calls one by one against their tools; memory does not grow with their number.

    `max_listed` calls of every outcome but ok, and as many bad lines, are kept; all are counted.
    Never raises for what a schema or a call holds.
    """
    by_name = {check.target.name: check for check in checks}
    tallies = {name: Tally(name) for name in by_name}
    found = Replay(list(tallies.values()))
    kept: dict[Outcome, int] = {}
    for call in calls:
        found.lines += 1
        if isinstance(call, BadCall):
            found.bad += 1
            if len(found.bad_lines) < max_listed:
                found.bad_lines.append(call)
            continue
        check = by_name.get(call.tool)
        if check is None:
            found.unmatched += 1
            _count(found.unmatched_names, call.tool)
            continue
        result = check.result(call)
        tallies[call.tool].add(result)
        if result.outcome is Outcome.BROKEN:
            found.first_broken.setdefault(call.tool, result)
        if result.outcome is not Outcome.OK and kept.get(result.outcome, 0) < max_listed:
            kept[result.outcome] = kept.get(result.outcome, 0) + 1
            found.listed.append(check.explain(result))
    return found


def _count(names: dict[str, int], name: str | None) -> None:
    key = name if name is not None else ""
    if key in names or len(names) < MAX_UNMATCHED:
        names[key] = names.get(key, 0) + 1


class Check:
    """Judge calls of one tool."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._old = compile_pair(target.old)
        self._new = compile_pair(target.new) if target.new is not None else None
        self._same = target.new is not None and same_document(target.old, target.new)

    def fits_bare(self, value: Json) -> bool:
        """Say whether OLD may accept a value as arguments: where the validators differ, it may."""
        return self._old.verdict(value) != "invalid"

    def result(self, call: CallRecord) -> Result:
        """Validate one call under OLD, and if that is passed, under NEW; see `explain` for the errors."""
        before = self._old.examine(call.arguments)
        if before.outcome == "invalid":
            return Result(call, Outcome.INVALID_BEFORE, counted=False)
        counted = before.outcome == "valid"
        if self._new is None:
            if counted:
                return Result(call, Outcome.BROKEN, reason="the tool is gone", may_break=True)
            return Result(call, Outcome.DISPUTED, reason=_differ("OLD", before.reason), counted=False, may_break=True)
        # The same text cannot accept a call and reject it, whatever the validators make of it.
        after = before if self._same else self._new.examine(call.arguments)
        if not counted:
            reason = _differ("OLD", before.reason)
            may_break = not self._same and after.outcome != "valid"
            return Result(call, Outcome.DISPUTED, reason=reason, counted=False, may_break=may_break)
        if after.outcome == "disputed":
            return Result(call, Outcome.DISPUTED, reason=_differ("NEW", after.reason), may_break=True)
        if after.outcome == "invalid":
            return Result(call, Outcome.BROKEN, may_break=True)
        ignored = () if self._same else self._ignored(call)
        return Result(call, Outcome.IGNORED if ignored else Outcome.OK, ignored=ignored)

    def explain(self, result: Result) -> Result:
        """Add the errors of the schema that rejects the call: they cost as much again, and few are looked at."""
        rejecting = {Outcome.INVALID_BEFORE: self._old, Outcome.BROKEN: self._new}.get(result.outcome)
        return result if rejecting is None else replace(result, errors=tuple(rejecting.errors(result.call.arguments)))

    def _ignored(self, call: CallRecord) -> tuple[str, ...]:
        names = self._names
        return names[1].ignored(call.arguments, names[0]) if names else ()

    @cached_property
    def _names(self) -> tuple[Names, Names] | None:
        assert self.target.new is not None
        try:
            return Names(self.target.old), Names(self.target.new)
        except UnresolvableError:
            return None  # no validator takes such a document either


def _differ(side: str, reason: str) -> str:
    return f"the two validators differ about it under {side}: {reason}"
