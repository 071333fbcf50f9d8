"""The benchmark keeps its limit: it is a ratio within one run, so it can be a test."""

from __future__ import annotations

from benchmarks.verdict import main


def test_a_verdict_costs_a_few_times_what_reading_costs() -> None:
    assert main() == 0
