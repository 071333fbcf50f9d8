"""The use case that shows what the gate is for: six cases, decided live from bundled files."""

from __future__ import annotations

from io import BytesIO

from compatgate.app.gating import gate
from compatgate.demo import CASES, Case, read
from compatgate.jsonio import loads
from compatgate.prover import Callers
from compatgate.report.records import DemoCase, DemoReport
from compatgate.sources import Loaded, recognise


def demo(*, callers: Callers = "declared") -> DemoReport:
    """Run the gate on the six founding cases; nothing in the result is written down beforehand."""
    return DemoReport(tuple(_run(case, callers) for case in CASES))


def _run(case: Case, callers: Callers) -> DemoCase:
    old, new = _load(case.old, case.at[0]), _load(case.new, case.at[1])
    result = gate(old, new, BytesIO(read(case.calls)), callers=callers, source=case.calls)
    return DemoCase(case.id, case.title, result)


def _load(name: str, at: str) -> Loaded:
    return recognise(loads(read(name), source=name), at=at.removeprefix("#"), source=name + at, explicit=bool(at))
