"""Changes: what differs between two tools, place by place, and what each edit means for callers."""

from compatgate.diff.catalogue import RULES, Rule
from compatgate.diff.impact import SchemaDiff, classify_schemas
from compatgate.diff.tools import SnapshotDiff, ToolDiff, classify_snapshots, classify_tools

__all__ = [
    "RULES",
    "Rule",
    "SchemaDiff",
    "SnapshotDiff",
    "ToolDiff",
    "classify_schemas",
    "classify_snapshots",
    "classify_tools",
]
