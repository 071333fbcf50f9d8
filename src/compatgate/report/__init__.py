"""Reports: records of what came out, and pure functions that write them as text or JSON."""

from __future__ import annotations

from importlib.resources import files

from compatgate.report import as_json, text
from compatgate.report.records import (
    Classification,
    ContainsReport,
    DemoCase,
    DemoReport,
    GateResult,
    Report,
    Signal,
    ToolReport,
)

__all__ = [
    "Classification",
    "ContainsReport",
    "DemoCase",
    "DemoReport",
    "GateResult",
    "Report",
    "Signal",
    "ToolReport",
    "as_json",
    "schema",
    "text",
]


def schema() -> str:
    """Return the JSON Schema of what `as_json` writes."""
    return files(__name__).joinpath("report.schema.json").read_text("utf-8")
