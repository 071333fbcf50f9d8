"""`verdict`, `rules` and `explain` on the command line: what is printed, where, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compatgate.drift import verdict_of_request
from compatgate.rules import CATALOGUE
from tests import data
from tests.cli.helpers import TOOL, edited, ran, spawned, written

RENAMED = {**TOOL, "title": "T"}
SIDES = ("--server-id", "acme/tools", "--annotations", "untrusted")


def _request(old: object, new: object) -> dict[str, Any]:
    return {
        "contract_version": "mcp-drift/1",
        "subject": {"server_id": "acme/tools"},
        "annotation_source_trust": "untrusted",
        "baseline": {"protocol_version": "2025-11-25", "complete": True, "tools": [old]},
        "current": {"protocol_version": "2025-11-25", "complete": True, "tools": [new]},
    }


@pytest.mark.parametrize(
    ("new", "verdict", "codes"),
    [
        (TOOL, "UNCHANGED", (0, 0, 0)),
        (edited(c={"type": "string"}), "SAFE_ADDITIVE", (0, 0, 0)),
        (RENAMED, "REVIEW", (1, 0, 0)),
        (edited(b=None), "BREAKING", (1, 1, 0)),
        ({**TOOL, "description": "a\u200bb"}, "SECURITY_REGRESSION", (1, 1, 1)),
    ],
)
def test_exit_codes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], new: Any, verdict: str, codes: tuple[int, int, int]
) -> None:
    path = written(tmp_path, "request.json", _request(TOOL, new))
    for least, code in zip(("review", "breaking", "security"), codes, strict=True):
        done = ran(capsys, "verdict", path, "--fail-on", least)
        assert (done.code, json.loads(done.out)["verdict"], done.err) == (code, verdict, "")
    assert ran(capsys, "verdict", path).code == codes[0]


def test_prints_what_the_library_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    request = _request(TOOL, edited(b=None))
    done = ran(capsys, "verdict", written(tmp_path, "r.json", request))
    assert json.loads(done.out) == verdict_of_request(request)[0]
    assert done.out.isascii()


def test_options_reach_the_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    opened = {**TOOL, "inputSchema": {"type": "object", "properties": {}}}
    more = {**TOOL, "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}
    path = written(tmp_path, "r.json", _request(opened, more))
    assert json.loads(ran(capsys, "verdict", path).out)["verdict"] == "BREAKING"
    assert json.loads(ran(capsys, "verdict", path, "--callers", "declared").out)["verdict"] == "SAFE_ADDITIVE"
    found = json.loads(ran(capsys, "verdict", path, "--no-witnesses").out)["findings"]
    assert all("witness" not in finding and "witness_hash" not in finding for finding in found)
    dated = {**TOOL, "inputSchema": {"type": "object", "properties": {"a": {"format": "date"}}}}
    path = written(tmp_path, "r.json", _request(more, {**more, **dated}))
    categories = {f["category"] for f in json.loads(ran(capsys, "verdict", path, "--assert-formats").out)["findings"]}
    assert "INPUT_CONTRACT_RELAXED" not in categories


def test_two_snapshots_of_any_shape(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shapes: list[Any] = [
        TOOL,
        [TOOL],
        {"tools": [TOOL]},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL]}},
        {"protocolVersion": "2025-11-25", "serverInfo": {"name": "s"}, "tools": [TOOL]},
    ]
    new = written(tmp_path, "new.json", {"tools": [edited(b=None)]})
    for shape in shapes:
        old = written(tmp_path, "old.json", shape)
        done = ran(capsys, "verdict", "--baseline", old, "--current", new, *SIDES)
        assert (done.code, json.loads(done.out)["verdict"]) == (1, "BREAKING")
    whole = written(tmp_path, "whole.json", {"servers": [{"tools": [TOOL]}]})
    done = ran(capsys, "verdict", "--baseline", f"{whole}#/servers/0", "--current", f"{whole}#/servers/0", *SIDES)
    assert (done.code, json.loads(done.out)["verdict"]) == (0, "UNCHANGED")


def test_a_broken_schema_in_a_snapshot_file_sinks_only_its_tool(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = (written(tmp_path, f"{n}.json", {"tools": [{"name": "t", "inputSchema": s}]}) for n, s in ("a5", "b6"))
    done = ran(capsys, "verdict", "--baseline", old, "--current", new, *SIDES)
    assert (done.code, json.loads(done.out)["verdict"]) == (1, "INCONCLUSIVE")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"a": 1, "a": 2}', "/a"),
        ("[]", ""),
        ("nonsense", ""),
        (json.dumps({**_request(TOOL, TOOL), "baseline": {"complete": False, "tools": []}}), "/baseline/complete"),
    ],
)
def test_a_refused_request(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, path: str) -> None:
    done = ran(capsys, "verdict", written(tmp_path, "r.json", text))
    assert done.code == 2
    error = json.loads(done.out)
    assert (error["error"], error["path"]) == ("INVALID_INPUT", path)
    assert done.err.startswith("error: INVALID_INPUT")
    assert done.err.count("\n") == 1


def test_refused_snapshots(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = written(tmp_path, "good.json", {"tools": [TOOL]})
    for value in ({"tools": [TOOL], "nextCursor": "2"}, {"tools": [TOOL, TOOL]}, "no snapshot", {"x": 1}):
        bad = written(tmp_path, "bad.json", value)
        done = ran(capsys, "verdict", "--baseline", good, "--current", bad, *SIDES)
        assert done.code == 2, value
        assert json.loads(done.out)["error"] == "INVALID_INPUT"
        assert json.loads(done.out)["path"].startswith("/current") or value == "no snapshot"
    done = ran(
        capsys, "verdict", "--baseline", good, "--current", good, "--server-id", "a b", "--annotations", "trusted"
    )
    assert (done.code, json.loads(done.out)["path"]) == (2, "/subject/server_id")


def test_a_request_that_is_too_large(tmp_path: Path) -> None:
    request = json.dumps(_request({**TOOL, "description": "x" * (8 * 1024 * 1024)}, TOOL)).encode()
    done = spawned("verdict", "-", stdin=request)
    assert done.code == 2
    assert json.loads(done.out)["error"] == "INPUT_TOO_LARGE"


@pytest.mark.parametrize(
    "arguments",
    [
        ["verdict"],
        ["verdict", "--baseline", "a.json"],
        ["verdict", "r.json", "--baseline", "a.json"],
        ["verdict", "no-such-file.json"],
        ["explain", "no-such-rule"],
        ["explain"],
    ],
)
def test_usage(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    done = ran(capsys, *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_text_for_people_is_safe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hostile = {**TOOL, "name": "t\u001b[31m\u202e"}
    done = ran(capsys, "verdict", written(tmp_path, "r.json", _request(TOOL, hostile)), "--format", "text")
    assert done.code == 1
    assert done.out.splitlines()[0].startswith("SECURITY_REGRESSION  BLOCK_CURRENT")
    assert all(line.isprintable() for line in done.out.splitlines())


def test_the_tools_of_other_servers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = {**TOOL, "description": "Pays with transfer_money."}
    request = written(tmp_path, "r.json", _request(TOOL, new))
    other = written(tmp_path, "o.json", {"tools": [{**TOOL, "name": "transfer_money"}]})
    without, given = ran(capsys, "verdict", request).out, ran(capsys, "verdict", request, "--other", other).out
    assert "MODEL_DIRECTED_TEXT_ADDED" not in without
    assert "MODEL_DIRECTED_TEXT_ADDED" in given


def test_the_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    listed = ran(capsys, "rules")
    rows = json.loads(ran(capsys, "rules", "--format", "json").out)
    assert listed.code == 0
    assert [row["id"] for row in rows["findings"]] == [rule.id for rule in CATALOGUE]
    for rule in CATALOGUE:
        assert rule.id in listed.out
        page = ran(capsys, "explain", rule.id)
        assert (page.code, page.err) == (0, "")
        assert rule.summary in page.out


def test_the_published_exchange(capsys: pytest.CaptureFixture[str]) -> None:
    folder = data.need("mcp-drift-1")
    done = ran(capsys, "verdict", folder / "example.input.json")
    answer, published = json.loads(done.out), json.loads((folder / "example.output.json").read_text("utf-8"))
    assert done.code == 0
    assert answer["limitations"][:3] == published["limitations"]
    assert {**answer, "limitations": []} == {**published, "limitations": []}
