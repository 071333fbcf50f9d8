"""Put the verdict together: findings with ids in order, counts, the verdict and what to do."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from compatgate.drift.compare import Comparison, Surface
from compatgate.drift.normal import encode
from compatgate.drift.request import CONTRACT_VERSION, Request
from compatgate.jsonio import Json
from compatgate.model import ABSENT, NO_WITNESS, Relation
from compatgate.prover import Callers
from compatgate.rules import SEVERITIES, Finding, Rule

Verdict: TypeAlias = Literal["UNCHANGED", "SAFE_ADDITIVE", "REVIEW", "INCONCLUSIVE", "BREAKING", "SECURITY_REGRESSION"]
Action: TypeAlias = Literal["ACCEPT_CURRENT", "REVIEW_CURRENT", "HOLD_BASELINE", "BLOCK_CURRENT"]

#: The contract's constant, not the version of our catalogue.
RULESET_VERSION: Final = "2026-07-20.1"
MAX_FINDINGS: Final = 256
_WHEN: Final = ("before", "after")
ACTIONS: Final[dict[Verdict, Action]] = {
    "UNCHANGED": "ACCEPT_CURRENT",
    "SAFE_ADDITIVE": "ACCEPT_CURRENT",
    "REVIEW": "REVIEW_CURRENT",
    "INCONCLUSIVE": "HOLD_BASELINE",
    "BREAKING": "HOLD_BASELINE",
    "SECURITY_REGRESSION": "BLOCK_CURRENT",
}
SERVICE_REUSE: Final = (
    "Call MCPDriftVerdict after every notifications/tools/list_changed, at agent startup when the current tools/list "
    "snapshot hash differs from the pinned baseline, and before accepting an MCP server upgrade. Reuse only for the "
    "exact baseline_snapshot hash, current_snapshot hash, and ruleset_version tuple."
)
_ALWAYS: Final = (
    "MCPDriftVerdict compares caller-supplied declared contracts only; it does not verify server identity, pagination, "
    "runtime behavior, authorization, or annotation truthfulness.",
    "Catalog text, icon URLs, and opaque metadata are treated as untrusted data and are never fetched, executed, or "
    "followed.",
)
_UNTRUSTED: Final = "MCP clients must not make tool-use decisions from untrusted annotations."
_TRUSTED: Final = "Annotations are trusted because the caller says so; nothing here verified their source."
_CALLERS: Final[dict[Callers, str]] = {
    "any": "Caller model: any. Every value that a sender's schema accepts may be sent.",
    "declared": "Caller model: declared. Senders send only names that their own schema declares.",
}


def answer(
    request: Request, found: Comparison, *, callers: Callers, surface: Surface, witnesses: bool
) -> dict[str, Json]:
    """Return the response of mcp-drift/1."""
    findings = _in_order(found.findings, witnesses=witnesses)
    counts = {severity: sum(f["severity"] == severity for f in findings) for severity in SEVERITIES}
    truncated = len(findings) > MAX_FINDINGS
    unknown = sum(f["relation"] == Relation.UNKNOWN for f in findings)
    verdict = decide(counts, unknown=unknown, truncated=truncated)
    returned: list[Json] = [*findings[:MAX_FINDINGS]]
    relations = found.relations
    return {
        "service": "MCPDriftVerdict",
        "contract_version": CONTRACT_VERSION,
        "ruleset_version": RULESET_VERSION,
        "subject": {"server_id": request.server_id, "identity": "caller_asserted"},
        "verdict": verdict,
        "action": ACTIONS[verdict],
        "trust": {
            "annotation_source": "caller_asserted_trusted" if request.trust == "trusted" else "untrusted",
            "server_identity": "not_verified",
            "runtime_behavior": "not_verified",
            "completeness": "caller_asserted",
        },
        "hashes": {**found.hashes},
        "summary": {
            "baseline_tools": len(request.baseline.tools),
            "current_tools": len(request.current.tools),
            "added": found.added,
            "removed": found.removed,
            "changed": found.changed,
            "compatible_changes": counts["info"],
            "review_findings": counts["review"],
            "breaking_findings": counts["breaking"],
            "security_findings": counts["security"],
            "unknown_relations": unknown,
        },
        "findings": returned,
        "coverage": {
            "compared_tools": found.compared,
            "schema_nodes": request.schema_nodes,
            "relation_checks": sum(relations.values()),
            "proven_subset": relations.get(Relation.PROVEN_SUBSET, 0),
            "proven_not_subset": relations.get(Relation.PROVEN_NOT_SUBSET, 0),
            "unknown": relations.get(Relation.UNKNOWN, 0),
            "returned_findings": len(returned),
            "total_findings": len(findings),
            "truncated": truncated,
        },
        "limitations": [*_limitations(request, callers, surface)],
        "service_reuse": SERVICE_REUSE,
    }


def decide(
    counts: dict[Literal["security", "breaking", "review", "info"], int], *, unknown: int, truncated: bool
) -> Verdict:
    """Return the verdict: the gravest thing that was found decides."""
    if counts["security"]:
        return "SECURITY_REGRESSION"
    if counts["breaking"]:
        return "BREAKING"
    if unknown or truncated:
        return "INCONCLUSIVE"
    if counts["review"]:
        return "REVIEW"
    return "SAFE_ADDITIVE" if counts["info"] else "UNCHANGED"


def _limitations(request: Request, callers: Callers, surface: Surface) -> list[str]:
    lines = [*_ALWAYS, _UNTRUSTED if request.trust == "untrusted" else _TRUSTED, _CALLERS[callers]]
    versions = {"baseline": request.baseline.protocol_version, "current": request.current.protocol_version}
    missing = [name for name, version in versions.items() if version is None]
    if missing:
        which = " and ".join(missing)
        lines.append(f"No protocol version is named in {which}; none was assumed, and it is null in the hashes.")
    elif versions["baseline"] != versions["current"]:
        lines.append("The snapshots name different protocol revisions; what only one of them defines is not compared.")
    if surface == "all":
        lines.append("Prompts, resources, instructions and capabilities were compared too; the hashes hold tools only.")
    return lines


def _in_order(found: Sequence[tuple[Rule, Finding]], *, witnesses: bool) -> list[dict[str, Json]]:
    """Return the findings as objects with ids: severity, tool, path, category, id; the same finding once."""
    unique: dict[str, dict[str, Json]] = {}
    for rule, finding in found:
        body = _body(rule, finding, witnesses=witnesses)
        identity = _sha256({**body})
        unique[identity] = {"id": identity, **body}
    rank = {severity: index for index, severity in enumerate(SEVERITIES)}
    return sorted(
        unique.values(),
        key=lambda f: (rank[f["severity"]], f["tool"] or "", f["path"], f["category"], f["id"]),  # type: ignore[index]
    )


def _body(rule: Rule, finding: Finding, *, witnesses: bool) -> dict[str, Json]:
    body: dict[str, Json] = {
        "category": rule.category,
        "severity": finding.severity or rule.severity,
        "tool": finding.tool,
        "path": finding.path,
        "relation": (finding.relation or rule.relation).value,
        "reason": finding.reason,
    }
    hashed, shown = finding.hashed, finding.shown
    body |= {f"{when}_hash": _sha256(value) for when, value in zip(_WHEN, hashed, strict=True) if value is not ABSENT}
    body |= {when: value for when, value in zip(_WHEN, shown, strict=True) if value is not ABSENT}
    if finding.witness is not NO_WITNESS and witnesses:
        body["witness"] = finding.witness
        body["witness_hash"] = _sha256(finding.witness)
    return body


def _sha256(value: Json) -> str:
    return "sha256:" + hashlib.sha256(encode(value)).hexdigest()
