"""Say at the end of a run how many rows of each suite were judged, and what was skipped for want of data."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import settings

from tests.data import SKIPPED, find

ROWS = "suite-rows:"

# The time of one example says more about the machine than about the code: no deadline for it.
settings.register_profile("compatgate", deadline=None)
settings.load_profile("compatgate")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print one line a run, collected from the properties that tests record (they survive pytest-xdist)."""
    judged: Counter[str] = Counter()
    without_data = 0
    for reports in terminalreporter.stats.values():
        for report in reports:
            if not isinstance(report, pytest.TestReport):
                continue
            if report.when == "call":
                for name, value in report.user_properties:
                    if name.startswith(ROWS):
                        judged[name.removeprefix(ROWS)] += int(str(value))
            if report.skipped and SKIPPED in str(report.longrepr):
                without_data += 1
    if judged:
        counts = ", ".join(f"{name} {count}" for name, count in sorted(judged.items()))
        terminalreporter.write_line(f"suite rows judged: {sum(judged.values())} ({counts})")
    if without_data:
        terminalreporter.write_line(f"{without_data} tests skipped: {SKIPPED} ({find()[0]})")
