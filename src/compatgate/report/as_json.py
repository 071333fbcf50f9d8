"""Reports as JSON, described by `report.schema.json`; texts are raw, as JSON escapes what a terminal must not see."""

from __future__ import annotations

from decimal import Decimal

from compatgate.errors import to_json as error_to_json
from compatgate.jsonio import Json, dumps
from compatgate.model import Impact, Missing
from compatgate.model import to_json as record_to_json
from compatgate.prover import Containment
from compatgate.replay import BadCall, Replay, Result, Tally
from compatgate.report.records import (
    Classification,
    ContainsReport,
    DemoCase,
    DemoReport,
    GateResult,
    Report,
    ToolReport,
)

#: Raised when a member changes its meaning or goes; new members may come at any time.
REPORT_VERSION = 1


def render(report: Report) -> str:
    """Return a report as indented JSON text in ASCII, which shows no hostile character to a terminal."""
    # DEL is the one control that JSON leaves alone; it can only stand inside a text.
    return dumps(to_json(report), indent=2, ascii_only=True).replace("\x7f", "\\u007f")


def to_json(report: Report) -> dict[str, Json]:
    """Return a report as a JSON object."""
    if isinstance(report, ContainsReport):
        return _contains(report)
    if isinstance(report, Classification):
        return {"report": "classify", "report_version": REPORT_VERSION, **_classification(report)}
    if isinstance(report, GateResult):
        return {"report": "gate", "report_version": REPORT_VERSION, **_gate(report)}
    return _demo(report)


def _contains(report: ContainsReport) -> dict[str, Json]:
    return {
        "report": "contains",
        "report_version": REPORT_VERSION,
        "left": report.left,
        "right": report.right,
        "callers": report.callers,
        "exit_code": report.exit_code,
        **_answer(report.answer),
    }


def _answer(answer: Containment) -> dict[str, Json]:
    members: dict[str, Json] = {
        "relation": answer.relation.value,
        "reason": answer.reason,
        "path": answer.path,
        "keyword": answer.keyword,
        "steps": answer.steps,
        "notes": list(answer.notes),
    }
    if not isinstance(answer.witness, Missing):
        members["witness"] = answer.witness
    if answer.proof is not None:
        members["proof"] = [{"depth": depth, "text": line} for depth, line in answer.proof.lines()]
    return members


def _classification(report: Classification) -> dict[str, Json]:
    statuses = report.statuses()
    return {
        "old": report.old,
        "new": report.new,
        "callers": report.callers,
        "impact": report.impact.value,
        "byte_pin": report.byte_pin,
        "summary": {
            **{impact.value.lower(): report.count(impact) for impact in Impact},
            "tools": {name: statuses[name] for name in ("added", "removed", "changed", "unchanged")},
        },
        "tools": [_tool(tool) for tool in report.tools],
    }


def _tool(tool: ToolReport) -> dict[str, Json]:
    return {
        "name": tool.name,
        "status": tool.status,
        "impact": tool.impact.value,
        "byte_pin": tool.byte_pin,
        "old_pin": tool.old_pin,
        "new_pin": tool.new_pin,
        "input": None if tool.input is None else _answer(tool.input.relation),
        "output": None if tool.output is None else _answer(tool.output.relation),
        "changes": [record_to_json(change) for change in tool.changes],
    }


def _gate(report: GateResult) -> dict[str, Json]:
    return {
        "verdict": report.verdict,
        "exit_code": report.exit_code,
        "reasons": list(report.reasons),
        "signals": [{"tool": signal.tool, "text": signal.text, "agree": signal.agree} for signal in report.signals],
        "notes": list(report.notes),
        "classification": _classification(report.classification),
        "replay": {"source": report.calls, **_replay(report.replay)},
    }


def _replay(found: Replay) -> dict[str, Json]:
    names: dict[str, Json] = dict(found.unmatched_names)
    return {
        "lines": found.lines,
        "total": _tally(found.total),
        "tools": [{"tool": tally.tool, **_tally(tally)} for tally in found.tallies],
        "unmatched": found.unmatched,
        "unmatched_tools": names,
        "bad": found.bad,
        "bad_lines": [_bad(line) for line in found.bad_lines],
        "calls": [_result(result) for result in found.listed],
    }


def _tally(tally: Tally) -> dict[str, Json]:
    return {
        "breaks": f"{tally.broken}/{tally.calls}",
        "calls": tally.calls,
        "ok": tally.ok,
        "broken": tally.broken,
        "ignored": tally.ignored,
        "invalid_before": tally.invalid_before,
        "disputed": tally.disputed,
        "disputed_may_break": tally.doubtful,
        "break_rate_below": Decimal(f"{tally.bound:.12g}") if tally.calls else None,
    }


def _result(result: Result) -> dict[str, Json]:
    call = result.call
    return {
        "line": call.line,
        "tool": call.tool,
        "id": call.id,
        "outcome": result.outcome.value,
        "may_break": result.may_break,
        "reason": result.reason,
        "ignored": list(result.ignored),
        "arguments": call.arguments,
        "errors": [
            {
                "instance_path": error.instance_path,
                "schema_path": error.schema_path,
                "keyword": error.keyword,
                "message": error.message,
            }
            for error in result.errors
        ],
    }


def _bad(line: BadCall) -> dict[str, Json]:
    return {"line": line.line, "message": str(line.error), **error_to_json(line.error)}


def _demo(report: DemoReport) -> dict[str, Json]:
    return {
        "report": "demo",
        "report_version": REPORT_VERSION,
        "cases": [_case(case) for case in report.cases],
        "byte_pin_fired": report.byte_pin_fired,
        "gate_fired": report.gate_fired,
    }


def _case(case: DemoCase) -> dict[str, Json]:
    broken, calls = case.gate.breaks
    return {
        "id": case.id,
        "title": case.title,
        "byte_pin": case.gate.classification.byte_pin,
        "gate": case.gate.verdict,
        "breaks": f"{broken}/{calls}",
        "result": _gate(case.gate),
    }
