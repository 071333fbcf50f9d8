"""What the commands print, word for word; `pytest --snapshot-update` after a change that is meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.helpers import TOOL, edited, lines, ran, written

EVIL = "x\x1b[2J\u202e\u200b"

OLD = {
    "tools": [
        TOOL,
        {"name": "gone", "inputSchema": {"type": "object"}},
        {"name": "same", "inputSchema": {"type": "object"}},
        {
            "name": EVIL,
            "description": "old",
            "inputSchema": {"type": "object", "properties": {EVIL: {"enum": [EVIL, 1]}}},
        },
    ]
}
NEW = {
    "tools": [
        {**edited(b={"type": "integer", "maximum": 9}, c={"type": "boolean"}), "description": "new"},
        {"name": "came", "inputSchema": {"type": "object"}},
        {"name": "same", "inputSchema": {"type": "object"}},
        {"name": EVIL, "description": EVIL, "inputSchema": {"type": "object", "properties": {EVIL: {"enum": [1]}}}},
    ]
}
CALLS = (
    lines(
        {"tool": "t", "arguments": {"a": "x", "b": 10}},
        {"tool": "t", "arguments": {"b": 1}},
        {"tool": "gone", "arguments": {}},
        {"tool": "elsewhere", "arguments": {}},
        {"tool": EVIL, "arguments": {EVIL: EVIL}},
    )
    + '{"tool": "t", "arguments": 3}\n'
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "old.json", OLD)
    written(tmp_path, "new.json", NEW)
    written(tmp_path, "calls.jsonl", CALLS)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "command",
    [
        "classify old.json new.json",
        "classify old.json old.json",
        "classify old.json new.json --tool t --callers any --format json",
        "gate old.json new.json calls.jsonl",
        "gate old.json new.json calls.jsonl --skip-bad-calls --list 1",
        "contains old.json#/tools/0 new.json#/tools/0",
        "contains new.json#/tools/0 old.json#/tools/0 --format json",
        "demo",
    ],
)
def test_output(command: str, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion) -> None:
    result = ran(capsys, *command.split())
    # How many steps a proof takes is the prover's affair.
    out = re.sub(r'(effort +|"steps": )\d+', r"\1N", result.out)
    assert f"exit code {result.code}\n{result.err}---\n{out}" == snapshot
