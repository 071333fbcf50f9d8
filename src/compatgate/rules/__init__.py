"""The catalogue: every rule as a row with its function, and what runs them over two snapshots."""

from compatgate.rules.catalogue import CATALOGUE, RULES, explain, near
from compatgate.rules.context import Asker, ServerPair, ToolPair
from compatgate.rules.rule import SEVERITIES, Finding, Rule, Severity

__all__ = [
    "CATALOGUE",
    "RULES",
    "SEVERITIES",
    "Asker",
    "Finding",
    "Rule",
    "ServerPair",
    "Severity",
    "ToolPair",
    "explain",
    "near",
]
