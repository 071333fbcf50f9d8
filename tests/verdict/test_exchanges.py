"""The conformance suite of mcp-drift/1: every exchange gives the answer that the contract asks for."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema_rs
import pytest

from compatgate.canonical import sha256
from compatgate.drift import input_schema, output_schema, verdict_of_request
from compatgate.jsonio import dumps
from compatgate.rules import CATALOGUE
from tests.verdict.suite import EXCHANGES, Exchange

ANSWERED = [e for e in EXCHANGES if "verdict" in e.expect]
REFUSED = [e for e in EXCHANGES if "error" in e.expect]


def _name(exchange: Exchange) -> str:
    return f"{exchange.file}: {exchange.name}"


@cache
def _answer(index: int) -> dict[str, Any]:
    exchange = ANSWERED[index]
    answer, status = verdict_of_request(exchange.body, exchange.options)
    assert status == 200, answer
    return answer


@cache
def _validator() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(dumps(output_schema()))


CASES = pytest.mark.parametrize("index", range(len(ANSWERED)), ids=[_name(e) for e in ANSWERED])


def test_there_are_enough_and_all_are_used() -> None:
    assert len(ANSWERED) + len(REFUSED) == len(EXCHANGES) >= 120
    verdicts = {e.expect["verdict"] for e in ANSWERED}
    assert len(verdicts) == 6
    assert {e.expect["status"] for e in REFUSED} == {400, 413, 422}


def test_every_category_is_expected_somewhere() -> None:
    expected = {f["category"] for e in ANSWERED for f in e.expect.get("findings", [])}
    assert expected == {rule.category for rule in CATALOGUE}


@CASES
def test_verdict_and_findings(index: int) -> None:
    expect, answer = ANSWERED[index].expect, _answer(index)
    found = [(f["category"], f["path"]) for f in answer["findings"]]
    if "findings" in expect:
        assert found == [(f["category"], f["path"]) for f in expect["findings"]]
        for wanted, finding in zip(expect["findings"], answer["findings"], strict=True):
            _same(wanted, finding)
    assert (answer["verdict"], answer["action"]) == (expect["verdict"], expect["action"])


def _same(wanted: dict[str, Any], finding: dict[str, Any]) -> None:
    for name, value in wanted.items():
        if name == "reason":
            assert value in finding["reason"]
        elif name == "witness":
            assert ("witness" in finding) is value
        elif name == "hashes":
            assert "before_hash" in finding or "after_hash" in finding
        else:
            assert finding[name] == value, name


@CASES
def test_counts_hashes_and_limitations(index: int) -> None:
    expect, answer = ANSWERED[index].expect, _answer(index)
    for part in ("summary", "coverage"):
        wanted = expect.get(part, {})
        assert {name: answer[part][name] for name in wanted} == wanted
    for text in expect.get("limitations", []):
        assert any(text in line for line in answer["limitations"])
    for kind in expect.get("same_hashes", []):
        assert answer["hashes"][f"baseline_{kind}"] == answer["hashes"][f"current_{kind}"]
    for kind in expect.get("differ_hashes", []):
        assert answer["hashes"][f"baseline_{kind}"] != answer["hashes"][f"current_{kind}"]
    if "trust_value" in expect:
        assert answer["trust"]["annotation_source"] == expect["trust_value"]


@CASES
def test_the_answer_is_one_of_the_contract(index: int) -> None:
    answer = _answer(index)
    _validator().validate(answer)
    _consistent(answer)


def _consistent(answer: dict[str, Any]) -> None:
    """Check what the contract says of every answer: ids, order, counts."""
    findings, coverage, summary = answer["findings"], answer["coverage"], answer["summary"]
    for finding in findings:
        rest = {name: value for name, value in finding.items() if name != "id"}
        assert finding["id"] == sha256(rest)
        assert ("witness" in finding) == ("witness_hash" in finding)
        if "witness" in finding:
            assert finding["witness_hash"] == sha256(finding["witness"])
    ranks = ["security", "breaking", "review", "info"]
    order = [(ranks.index(f["severity"]), f["tool"] or "", f["path"], f["category"], f["id"]) for f in findings]
    assert order == sorted(order)
    assert len({f["id"] for f in findings}) == len(findings) == coverage["returned_findings"] <= 256
    assert coverage["truncated"] == (coverage["total_findings"] > 256)
    checks = coverage["proven_subset"] + coverage["proven_not_subset"] + coverage["unknown"]
    assert coverage["relation_checks"] == checks
    counted = ("compatible_changes", "review_findings", "breaking_findings", "security_findings")
    assert sum(summary[name] for name in counted) == coverage["total_findings"]


@CASES
def test_the_same_again_and_as_a_value(index: int) -> None:
    exchange = ANSWERED[index]
    assert verdict_of_request(exchange.request, exchange.options)[0] == _answer(index)


@CASES
def test_old_against_old_is_silent(index: int) -> None:
    exchange = ANSWERED[index]
    for side in ("baseline", "current"):
        request = {**exchange.request, "baseline": exchange.row[side], "current": exchange.row[side]}
        answer, status = verdict_of_request(request, exchange.options)
        assert status == 200
        assert [f for f in answer["findings"] if f["category"] != "PROTOCOL_FEATURE_GONE"] == []  # type: ignore[union-attr, index, call-overload]


@CASES
def test_requests_are_those_of_the_contract(index: int) -> None:
    jsonschema_rs.validator_for(dumps(input_schema())).validate(ANSWERED[index].request)


@pytest.mark.parametrize("exchange", REFUSED, ids=_name)
def test_a_refused_request_is_answered_by_the_error_object(exchange: Exchange) -> None:
    answer, status = verdict_of_request(exchange.body, exchange.options)
    assert (status, answer["error"]) == (exchange.expect["status"], exchange.expect["error"])
    assert answer.keys() == {"error", "message", "path"}
    if exchange.expect["path"] is not None:
        assert answer["path"] == exchange.expect["path"]
    message = answer["message"]
    assert isinstance(message, str)
    assert message
    assert message.isprintable()
