"""The worst that servers can send ends in a valid answer or a clear error, in time, with nothing echoed."""

from __future__ import annotations

import json
import time
from typing import Any

import jsonschema_rs
import pytest

from compatgate.drift import Options, output_schema, verdict_of_request
from compatgate.jsonio import Json, dumps

SECONDS = 20.0


def _request(old: list[Json], new: list[Json]) -> dict[str, Json]:
    return {
        "contract_version": "mcp-drift/1",
        "subject": {"server_id": "s"},
        "annotation_source_trust": "untrusted",
        "baseline": {"protocol_version": "2025-11-25", "complete": True, "tools": old},
        "current": {"protocol_version": "2025-11-25", "complete": True, "tools": new},
    }


def _tool(schema: Json, **members: Json) -> dict[str, Json]:
    return {"name": "t", "inputSchema": schema, **members}


def _nest(depth: int, leaf: Json) -> Json:
    value = leaf
    for _ in range(depth):
        value = {"anyOf": [{"not": value}, value]} if depth < 15 else {"not": value}
    return value


def _many(count: int, kind: str) -> dict[str, Json]:
    return {"type": "object", "properties": {f"p{i}": {"type": kind, "description": f"d{i}"} for i in range(count)}}


def _clauses(seed: int) -> dict[str, Json]:
    names = [f"x{i}" for i in range(24)]
    picks = [[names[(seed * 7 + i * k) % 24] for k in (1, 5, 11)] for i in range(100)]
    literal: Any = lambda name, on: {"properties": {name: {"const": on}}, "required": [name]}  # noqa: E731
    return {
        "type": "object",
        "allOf": [{"anyOf": [literal(n, (i + j) % 2 == 0) for j, n in enumerate(p)]} for i, p in enumerate(picks)],
    }


PAIRS: dict[str, tuple[Json, Json]] = {
    "a chain of negations": (_nest(80, {"type": "string"}), _nest(81, {"type": "string"})),
    "doubling nests": (_nest(12, {"type": "string"}), _nest(13, {"type": "string"})),
    "a large enum": ({"enum": [*range(30_000)]}, {"enum": [*range(1, 30_001)]}),
    "many parameters": (_many(2_000, "string"), _many(2_000, "integer")),
    "clauses": (_clauses(1), _clauses(2)),
    "a reference to itself": ({"$ref": "#"}, {"not": {"$ref": "#"}}),
    "a dangling reference": ({"$ref": "#/nowhere"}, {"$ref": "#/neither"}),
    "a local file": ({"type": "object"}, {"$ref": "file:///etc/passwd"}),
    "a broken URI": ({"type": "object"}, {"$ref": "http://[broken"}),
    "a catastrophic pattern": ({"pattern": "^(a+)+$"}, {"pattern": "^(a|aa)+$", "maxLength": 100_000}),
    "keywords of wrong types": (
        {"type": "object"},
        {"type": 7, "properties": [1], "required": {"a": 1}, "enum": "x", "items": 3, "$defs": None, "allOf": {}},
    ),
    "names like keywords": (
        {"type": "object", "properties": {"$ref": {"type": "string"}, "properties": {"type": "object"}}},
        {"type": "object", "properties": {"$ref": {"type": "number"}, "properties": {"type": "object"}}},
    ),
    "recursion": (
        {"$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n"}}}}, "$ref": "#/$defs/n"},
        {"$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n"}}, "required": ["v"]}}, "$ref": "#/$defs/n"},
    ),
    "huge numbers": ({"maximum": 10**4000}, {"maximum": 10**4000 - 1, "multipleOf": 3}),
    "values that are no schemas": (None, "x"),
}


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize("callers", ["any", "declared"])
def test_hostile_schemas_end_in_a_valid_verdict(pair: tuple[Json, Json], callers: Any) -> None:
    old, new = pair
    start = time.perf_counter()
    for left, right in ((old, new), (new, old)):
        request = _request([_tool(left, outputSchema=right)], [_tool(right, outputSchema=left)])
        answer, status = verdict_of_request(request, Options(callers=callers))
        assert status == 200
        jsonschema_rs.validator_for(dumps(output_schema())).validate(json.loads(dumps(answer)))
        findings: Any = answer["findings"]
        reasons = [finding["reason"] for finding in findings]
        assert not [reason for reason in reasons if "the prover failed" in reason]
    assert time.perf_counter() - start < SECONDS


def test_one_purse_for_all_proofs() -> None:
    def tools(extra: str) -> list[Json]:
        pattern = f"^(?:(?:a|b)*a(?:a|b){{12}}|{extra})$"
        return [
            {"name": f"t{i}", "inputSchema": {"properties": {"a": {"type": "string", "pattern": pattern}}}}
            for i in range(40)
        ]

    answer, _ = verdict_of_request(_request(tools("x"), tools("y+")), Options(total_steps=200))
    coverage: Any = answer["coverage"]
    assert coverage["relation_checks"] == 40
    assert coverage["unknown"] > 0
    findings: Any = answer["findings"]
    assert any("the whole comparison" in finding["reason"] for finding in findings)


def test_a_deadline_ends_in_unknown() -> None:
    request = _request([_tool(_clauses(1))], [_tool(_clauses(2))])
    answer, status = verdict_of_request(request, Options(deadline=lambda: True))
    assert status == 200
    assert answer["verdict"] in ("INCONCLUSIVE", "BREAKING")


def test_texts_of_servers_are_not_echoed() -> None:
    secret = "EVIL-TEXT-OF-THE-SERVER"
    schema: Json = {
        "type": "object",
        "properties": {"a": {"type": "string", "description": secret, "$comment": secret}},
    }
    members: dict[str, Json] = {
        "description": secret,
        "title": secret,
        "_meta": {"k": secret},
        "icons": [{"src": f"https://e.example/{secret}.svg"}],
        "annotations": {"title": secret, "note": secret},
        "x-unknown": secret,
    }
    old: Json = {"type": "object", "properties": {"a": {"type": "string"}}}
    answer, _ = verdict_of_request(_request([_tool(old)], [_tool(schema, **members)]), Options(surface="all"))
    assert answer["summary"]["changed"] == 1  # type: ignore[index, call-overload]
    assert secret not in dumps(answer)


def test_reasons_are_printable_whatever_names_are() -> None:
    name = "a\u001b[31m\u202e\n"
    old: Json = {"type": "object", "properties": {name: {"type": "string"}}, "additionalProperties": False}
    new: Json = {"type": "object", "properties": {name: {"type": "integer"}, name + "s": {}}}
    answer, _ = verdict_of_request(_request([_tool(old)], [_tool(new)]))
    findings: Any = answer["findings"]
    assert findings
    assert all(finding["reason"].isprintable() for finding in findings)


def test_many_tools_are_paired_in_time() -> None:
    def listed(prefix: str) -> list[Json]:
        return [{"name": f"{prefix}_{i}", "inputSchema": {}} for i in range(4_000)]

    start = time.perf_counter()
    answer, status = verdict_of_request(_request(listed("old"), listed("new")))
    assert status == 200
    assert answer["coverage"]["total_findings"] == 8_000  # type: ignore[index, call-overload]
    assert time.perf_counter() - start < SECONDS
