"""The use case that is the product: both signals, and one exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Final

from compatgate import prover
from compatgate.app.classifying import classify_pair
from compatgate.app.pairing import Pair, Schemas, Tools, pair
from compatgate.errors import UsageError, neutralise
from compatgate.jsonio import Json
from compatgate.model import CallRecord, Change, Impact, Relation, Tool
from compatgate.prover import Budget, Callers
from compatgate.replay import MAX_LISTED, CallReader, Check, Form, Replay, Tally, Target, replay
from compatgate.report.records import Classification, GateResult, Signal, Verdict
from compatgate.schema.references import Document
from compatgate.sources import Loaded

#: Undecided places that are named one by one among the reasons.
MAX_REASONS: Final = 10
_ANY_OBJECT: Final[Json] = {"type": "object"}


def gate(
    old: Loaded,
    new: Loaded,
    calls: BinaryIO | Iterable[Json | CallRecord],
    *,
    callers: Callers = "declared",
    form: Form = "auto",
    tool: str | None = None,
    skip_bad_calls: bool = False,
    source: str = "<calls>",
    max_listed: int = MAX_LISTED,
    budget: Budget | None = None,
    deadline: Callable[[], bool] | None = None,
) -> GateResult:
    """Classify the change, replay recorded calls, and decide.

    `calls` is a binary stream of JSON Lines, or calls in memory. `tool` names the tool that calls without a name
    belong to; nothing is left out for its sake. `max_listed` calls of each outcome are kept, all are counted.
    Raises UsageError where OLD and NEW are not alike, where the tool is not in OLD, and for a call that can be read
    in two ways.
    """
    both = pair(old, new)
    checks = [Check(target) for target in _targets(both, tool)]
    reader = _reader(checks, form, tool, source)
    classification = classify_pair(both, (old.source, new.source), callers=callers, budget=budget, deadline=deadline)
    records = reader.values(calls) if not hasattr(calls, "readline") else reader.read(calls)  # type: ignore[arg-type]
    found = replay(checks, records, max_listed=max_listed)
    contradictions = list(_contradictions(checks, found, budget, deadline))
    verdict, exit_code, reasons = decide(classification, found, contradictions, skip_bad_calls=skip_bad_calls)
    signals = tuple(_signals(classification, found))
    return GateResult(classification, source, found, verdict, exit_code, reasons, signals, tuple(_notes(found)))


def decide(
    classification: Classification, found: Replay, contradictions: list[str], *, skip_bad_calls: bool
) -> tuple[Verdict, int, tuple[str, ...]]:
    """Return verdict, exit code and reasons: the strict rule of `gate`, which has no policy."""
    failures = _failures(classification, found)
    unusable = []
    if found.bad and not skip_bad_calls:
        unusable.append(f"{_many(found.bad, 'bad line')} among the calls; mend the file, or pass --skip-bad-calls")
    if found.lines and not found.total.calls:
        unusable.append(f"no evidence: none of {_many(found.lines, 'recorded line')} is a call that OLD accepts")
    if contradictions:
        return "ERROR", 3, (*contradictions, *unusable, *failures)
    if unusable:
        return "ERROR", 2, (*unusable, *failures)
    return ("FAIL", 1, tuple(failures)) if failures else ("PASS", 0, ())


def _failures(classification: Classification, found: Replay) -> list[str]:
    reasons = []
    breaking = classification.count(Impact.BREAKING)
    if breaking:
        reasons.append(f"{_many(breaking, 'breaking change')} by schema")
    if found.total.broken:
        reasons.append(f"{found.total.broken} of {_many(found.total.calls, 'recorded call')} broken")
    if found.total.doubtful:
        reasons.append(
            f"INCONCLUSIVE: the two validators differ about {_many(found.total.doubtful, 'recorded call')} "
            "that may be broken"
        )
    undecided = [change for change in classification.changes if change.impact is Impact.UNKNOWN]
    reasons += map(_inconclusive, undecided[:MAX_REASONS])
    if len(undecided) > MAX_REASONS:
        reasons.append(f"INCONCLUSIVE at {len(undecided) - MAX_REASONS} more places")
    return reasons


def _inconclusive(change: Change) -> str:
    """Say where and why nothing is proved; the change's own reason begins with the same word."""
    text = change.reason
    if not text.startswith("INCONCLUSIVE at "):
        text = f"INCONCLUSIVE at {neutralise(change.path) or 'the root'}: {text}"
    return text if change.tool is None else f"{neutralise(change.tool, 80)}: {text}"


def _targets(both: Pair, tool: str | None) -> Iterator[Target]:
    if isinstance(both, Schemas):
        yield Target(tool, both.old, both.new)
    elif isinstance(both, Tools):
        same = both.old.name == both.new.name
        yield Target(both.old.name, _arguments(both.old), _arguments(both.new) if same else None)
    else:
        for old in both.old.tools:
            new = both.new.by_name.get(old.name)
            yield Target(old.name, _arguments(old), _arguments(new) if new is not None else None)


def _arguments(tool: Tool) -> Document:
    return Document(tool.raw.get("inputSchema", _ANY_OBJECT))


def _reader(checks: list[Check], form: Form, tool: str | None, source: str) -> CallReader:
    names = [check.target.name for check in checks]
    if tool is not None and tool not in names:
        shown = ", ".join(sorted(name for name in names if name is not None)[:12])
        raise UsageError(f'OLD has no tool "{tool}"', hint=f"there are: {shown}" if shown else None)
    default = next((c for c in checks if c.target.name == tool), checks[0] if checks else None)
    return CallReader(
        names, default.fits_bare if default is not None else lambda _: False, form=form, tool=tool, source=source
    )


def _contradictions(
    checks: list[Check], found: Replay, budget: Budget | None, deadline: Callable[[], bool] | None
) -> Iterator[str]:
    """Find calls that both validators call broken although no value at all can be: a bug in compatgate."""
    for check in checks:
        broken = found.first_broken.get(check.target.name)
        if broken is None or check.target.new is None:
            continue
        answer = prover.contains(check.target.old, check.target.new, callers="any", budget=budget, deadline=deadline)
        if answer.relation is Relation.PROVEN_SUBSET:
            yield (
                f"contradiction at line {broken.call.line}: the schemas are proved to accept this call, and both "
                "validators say that NEW rejects it; this is a bug in compatgate, please report it"
            )


def _signals(classification: Classification, found: Replay) -> Iterator[Signal]:
    """Say for every tool that breaks by schema or by calls how the two signals stand to each other."""
    for tool in classification.tools:
        # Recorded calls speak of what is sent to the tool, never of what it answers.
        inputs = [change for change in tool.changes if change.side != "output"]
        breaking = any(change.impact is Impact.BREAKING for change in inputs)
        tally = found.of(tool.name) or (found.tallies[0] if tool.name is None and found.tallies else None)
        if tally is None:
            renamed = [change for change in inputs if change.rule == "tool-renamed"]
            tally = found.tallies[0] if renamed and len(found.tallies) == 1 else Tally(tool.name)
        if breaking:
            yield _breaking(tool.name, tally)
        elif tally.broken:
            yield Signal(
                tool.name,
                f"not breaking by schema for callers that send declared names only, yet {tally.broken} of "
                f"{_many(tally.calls, 'recorded call')} broken: they send more than is declared",
                agree=False,
            )
        if any(change.side == "output" and change.impact is Impact.BREAKING for change in tool.changes):
            yield Signal(tool.name, "breaking in its results, of which recorded calls say nothing", agree=True)


def _breaking(name: str | None, tally: Tally) -> Signal:
    if not tally.calls:
        return Signal(name, "breaking by schema; no recorded call of it, so no evidence either way", agree=True)
    if tally.broken:
        calls = _many(tally.calls, "recorded call")
        return Signal(name, f"breaking by schema, and {tally.broken} of {calls} broken", agree=True)
    return Signal(
        name,
        f"breaking by schema, 0 of {_many(tally.calls, 'recorded call')} touch it, silent on your traffic",
        agree=False,
    )


def _notes(found: Replay) -> Iterator[str]:
    total = found.total
    if total.invalid_before:
        yield (
            f"negative control FAILED for {_many(total.invalid_before, 'call')}: invalid under OLD already, "
            "reported and not counted"
        )
    if total.disputed:
        yield f"the two validators differ about {_many(total.disputed, 'call')}"
    if total.ignored:
        yield f"{_many(total.ignored, 'call')} with an argument that NEW ignores"
    if found.unmatched:
        names = ", ".join(neutralise(name, 60) or "(none)" for name in list(found.unmatched_names)[:8])
        yield f"{_many(found.unmatched, 'call')} of tools that OLD does not have: {names}"
    if found.bad:
        yield f"{_many(found.bad, 'bad line')}, not replayed"
    if not found.lines:
        yield "no recorded calls: no evidence"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
