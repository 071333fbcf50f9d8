"""A verdict of mcp-drift/1 and the catalogue of rules as text for people; what servers wrote is made safe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from compatgate.diff.catalogue import RULES as CHANGES
from compatgate.errors import neutralise
from compatgate.jsonio import Json, dumps
from compatgate.rules import CATALOGUE

_LISTED: Final = 60


def verdict_text(answer: dict[str, Any]) -> str:
    """Return a verdict as lines: what it is, what to do, what was found."""
    summary, coverage = answer["summary"], answer["coverage"]
    lines = [
        f"{answer['verdict']}  {answer['action']}  {neutralise(answer['subject']['server_id'], 256)}",
        f"tools: {summary['baseline_tools']} -> {summary['current_tools']}, {summary['added']} added, "
        f"{summary['removed']} removed, {summary['changed']} changed",
        f"findings: {summary['security_findings']} security, {summary['breaking_findings']} breaking, "
        f"{summary['review_findings']} review, {summary['compatible_changes']} info",
        f"relations: {coverage['relation_checks']} checked, {coverage['proven_subset']} hold, "
        f"{coverage['proven_not_subset']} refuted, {coverage['unknown']} unknown",
    ]
    findings = answer["findings"]
    for finding in findings[:_LISTED]:
        lines += ["", f"{finding['severity']:<8}  {finding['category']}  {neutralise(finding['path'], 160)}"]
        lines.append(f"          {neutralise(finding['reason'], 600)}")
        if "witness" in finding:
            lines.append(f"          witness: {neutralise(dumps(finding['witness']), 300)}")
    more = coverage["total_findings"] - min(len(findings), _LISTED)
    if more:
        lines += ["", f"and {more} more; --format json lists {len(findings)}"]
    return "\n".join(lines)


def rules_text() -> str:
    """Return the catalogue as a table: findings of `verdict`, then changes of `classify` and `gate`."""
    findings = [(rule.id, rule.severity, rule.family, rule.summary) for rule in CATALOGUE]
    changes = [(rule.id, rule.input.value, rule.output.value, rule.summary) for rule in CHANGES.values()]
    return "\n".join(
        [
            "Findings of `compatgate verdict`",
            *_table([("RULE", "SEVERITY", "FAMILY", "FIRES WHEN"), *findings]),
            "",
            "Changes of `compatgate classify` and `compatgate gate`",
            *_table([("RULE", "INPUT", "OUTPUT", "FIRES WHEN"), *changes]),
            "",
            "`compatgate explain RULE` tells more.",
        ]
    )


def rules_json() -> Json:
    """Return the catalogue as data."""
    findings: list[Json] = [
        {
            "id": rule.id,
            "category": rule.category,
            "origin": "mcp-drift/1" if rule.reference else "compatgate",
            "family": rule.family,
            "direction": rule.direction,
            "kind": rule.kind,
            "severity": rule.severity,
            "relation": rule.relation.value,
            "summary": rule.summary,
            "why": rule.why,
            "sources": [*rule.sources],
            "mirror": rule.mirror,
        }
        for rule in CATALOGUE
    ]
    changes: list[Json] = [
        {
            "id": rule.id,
            "keywords": [*rule.keywords.split()],
            "scope": rule.scope,
            "kind": rule.kind,
            "input": rule.input.value,
            "output": rule.output.value,
            "summary": rule.summary,
            "why": rule.why,
            "mirror": rule.mirror,
        }
        for rule in CHANGES.values()
    ]
    return {"findings": findings, "changes": changes}


def _table(rows: Iterable[tuple[str, str, str, str]]) -> list[str]:
    rows = list(rows)
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return ["  ".join([*(row[c].ljust(widths[c]) for c in range(3)), row[3]]) for row in rows]
