"""Reports as plain text for people: aligned, one thing a line, coloured only on demand."""

from __future__ import annotations

from collections.abc import Iterator

from compatgate.errors import neutralise
from compatgate.model import Change, Impact, Missing
from compatgate.prover import Containment
from compatgate.replay import Outcome, Replay, Result, Tally, phrase
from compatgate.report.paint import Paint, name, place, value
from compatgate.report.records import (
    Classification,
    ContainsReport,
    DemoReport,
    GateResult,
    Report,
    ToolReport,
)

_WIDTH = len("COMPATIBLE")
_GRAVEST = (Impact.BREAKING, Impact.UNKNOWN, Impact.RISKY, Impact.COMPATIBLE)
_LABEL = 14  # the widest outcome: invalid_before


def render(report: Report, *, color: bool = False) -> str:
    """Return a report as text without a newline at the end."""
    paint = Paint(color)
    if isinstance(report, ContainsReport):
        lines = _contains(report, paint)
    elif isinstance(report, Classification):
        lines = _classification(report, paint)
    elif isinstance(report, GateResult):
        lines = _gate(report, paint)
    else:
        lines = _demo(report, paint)
    return "\n".join(lines)


def _contains(report: ContainsReport, paint: Paint) -> Iterator[str]:
    yield f"left      {name(report.left, 300)}"
    yield f"right     {name(report.right, 300)}"
    yield f"callers   {report.callers}"
    yield f"relation  {paint.word(report.answer.relation.value)}"
    yield from _answer(report.answer, paint)


def _answer(answer: Containment, paint: Paint) -> Iterator[str]:
    if not isinstance(answer.witness, Missing):
        yield f"witness   {value(answer.witness)}"
    if answer.reason:
        yield f"reason    {neutralise(answer.reason, 400)}"
    if answer.path or answer.keyword:
        keyword = f" ({neutralise(answer.keyword, 60)})" if answer.keyword else ""
        yield f"where     {place(answer.path)}{keyword}"
    yield f"effort    {answer.steps} steps"
    for note in answer.notes:
        yield paint(f"note      {neutralise(note, 300)}", "dim")
    if answer.proof is not None:
        for depth, line in answer.proof.lines():
            yield "  " * depth + neutralise(line, 400)


def _classification(report: Classification, paint: Paint) -> Iterator[str]:
    yield f"old       {name(report.old, 300)}"
    yield f"new       {name(report.new, 300)}"
    yield f"callers   {report.callers}"
    yield ""
    shown = [tool for tool in report.tools if tool.status != "unchanged"]
    for tool in shown:
        yield from _tool(tool, paint)
        yield ""
    yield from _sums(report, paint)


def _sums(report: Classification, paint: Paint) -> Iterator[str]:
    if len(report.tools) != 1 or report.tools[0].name is not None:
        statuses = report.statuses()
        counts = ", ".join(f"{statuses[s]} {s}" for s in ("added", "removed", "changed", "unchanged") if statuses[s])
        yield f"tools     {counts or 'none on either side'}"
    counts = ", ".join(f"{report.count(impact)} {impact.value.lower()}" for impact in _GRAVEST if report.count(impact))
    yield f"changes   {counts or 'none'}"
    yield f"byte-pin  {paint.word(report.byte_pin)}"
    yield f"schema    {paint.word(report.impact.value)}"


def _tool(tool: ToolReport, paint: Paint) -> Iterator[str]:
    title = "schema" if tool.name is None else f"tool {paint(name(tool.name), 'strong')}"
    yield f"{title}  {tool.status}, byte-pin {paint.word(tool.byte_pin)}, {paint.word(tool.impact.value)}"
    for change in tool.changes:
        yield from _change(change, paint)
    if not tool.changes:
        yield "  only what no caller and no model relies on differs"
    for side, diff in (("input", tool.input), ("output", tool.output)):
        for note in diff.relation.notes if diff is not None else ():
            yield paint(f"  note: {side} {neutralise(note, 300)}", "dim")


def _change(change: Change, paint: Paint) -> Iterator[str]:
    side = "" if change.side == "input" else f"{change.side} "
    yield f"  {paint.word(change.impact.value, _WIDTH)}  {side}{place(change.path)}  {paint(change.rule, 'dim')}"
    indent = " " * (_WIDTH + 4)
    yield f"{indent}{neutralise(change.reason, 500)}"
    if change.parts:
        yield f"{indent}parts: {', '.join(place(part) for part in change.parts[:8])}" + (
            f" and {len(change.parts) - 8} more" if len(change.parts) > 8 else ""
        )
    if not isinstance(change.witness, Missing):
        yield f"{indent}witness {value(change.witness)}"


def _gate(report: GateResult, paint: Paint) -> Iterator[str]:
    yield from _classification(report.classification, paint)
    yield ""
    yield f"calls     {name(report.calls, 300)}: {report.replay.lines} recorded"
    yield from _tallies(report.replay, paint)
    yield from _results(report.replay, paint)
    for note in report.notes:
        yield paint(f"note      {note}", "warn")
    yield ""
    for signal in report.signals:
        who = f"{name(signal.tool)}: " if signal.tool is not None and len(report.classification.tools) > 1 else ""
        yield f"signals   {who}{paint(signal.text, None if signal.agree else 'warn')}"
    yield f"gate      {paint.word(report.verdict)}"
    for reason in report.reasons:
        yield f"          {neutralise(reason, 500)}"


def _tallies(found: Replay, paint: Paint) -> Iterator[str]:
    several = [tally for tally in found.tallies if tally.calls or tally.invalid_before or tally.disputed]
    if len(found.tallies) > 1:
        width = max((len(name(tally.tool, 40)) for tally in several), default=0)
        for tally in several:
            yield f"  {name(tally.tool, 40):<{width}}  {_breaks(tally, paint)}"
    yield f"replay    {_breaks(found.total, paint)}"


def _breaks(tally: Tally, paint: Paint) -> str:
    counts = f"breaks={tally.broken}/{tally.calls}"
    shown = paint(counts, "bad" if tally.broken else "good" if tally.calls else "warn")
    if not tally.calls:
        return f"{shown}: {phrase(0, 0)}"
    bound = phrase(tally.broken + tally.doubtful_counted, tally.calls)
    parts = [bound if tally.bound >= 1 else f"{bound} (95 %, if calls are independent)"]
    for label, count in (
        ("ignored", tally.ignored),
        ("invalid before", tally.invalid_before),
        ("disputed", tally.disputed),
    ):
        if count:
            parts.append(f"{count} {label}")
    return f"{shown}: {', '.join(parts)}"


def _results(found: Replay, paint: Paint) -> Iterator[str]:
    listed: dict[Outcome, int] = {}
    for result in found.listed:
        listed[result.outcome] = listed.get(result.outcome, 0) + 1
        yield from _result(result, paint)
    for outcome, shown in listed.items():
        total = getattr(found.total, outcome.value)
        if total > shown:
            yield f"  {paint.word(outcome.value, _LABEL)}  and {total - shown} more (--list shows more)"
    for line in found.bad_lines:
        yield f"  {paint('bad line', 'warn')}{' ' * (_LABEL - 8)}  {line.error}"
    if found.bad > len(found.bad_lines):
        yield f"  {paint('bad line', 'warn')}{' ' * (_LABEL - 8)}  and {found.bad - len(found.bad_lines)} more"


def _result(result: Result, paint: Paint) -> Iterator[str]:
    call = result.call
    tool = f" {name(call.tool, 40)}" if call.tool is not None else ""
    yield f"  {paint.word(result.outcome.value, _LABEL)}  line {call.line}{tool} {value(call.arguments, 160)}"
    indent = " " * (_LABEL + 4)
    if result.outcome is Outcome.INVALID_BEFORE:
        yield f"{indent}negative control FAILED: OLD rejects it"
    if result.reason:
        yield f"{indent}{neutralise(result.reason, 300)}"
    if result.ignored:
        yield f"{indent}ignored now: {', '.join(place(pointer) for pointer in result.ignored[:8])}"
    for error in result.errors[:5]:
        at = f"at {place(error.instance_path)}: " if error.instance_path else ""
        yield f"{indent}{at}{neutralise(error.message, 300)}"
    if len(result.errors) > 5:
        yield f"{indent}and {len(result.errors) - 5} more errors"


def _demo(report: DemoReport, paint: Paint) -> Iterator[str]:
    for case in report.cases:
        yield paint(f"{case.id}  {case.title}", "strong")
        for change in case.gate.classification.changes:
            yield from _change(change, paint)
        if not case.gate.classification.changes:
            yield "  nothing changed but the bytes on the wire"
        yield from _results(case.gate.replay, paint)
        yield f"  {_breaks(case.gate.replay.total, paint)}"
        for signal in case.gate.signals:
            yield f"  {paint(signal.text, None if signal.agree else 'warn')}"
        yield ""
    yield from _table(report, paint)


def _table(report: DemoReport, paint: Paint) -> Iterator[str]:
    width = max(len(case.title) for case in report.cases)
    yield f"      {'':<{width}}  byte-pin  gate  breaks"
    for case in report.cases:
        broken, calls = case.gate.breaks
        pin, verdict = case.gate.classification.byte_pin, case.gate.verdict
        yield (f"  {case.id}  {case.title:<{width}}  {paint.word(pin, 8)}  {paint.word(verdict, 4)}  {broken}/{calls}")
    yield ""
    total = len(report.cases)
    yield f"byte-pin fired {report.byte_pin_fired}/{total}, gate fired {report.gate_fired}/{total}"
