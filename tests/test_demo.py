"""The demonstration is a real run, on the real objects."""

from __future__ import annotations

import hashlib
import json
from io import BytesIO
from typing import Any

import pytest

from compatgate import gate, load
from compatgate.app import demo
from compatgate.demo import CASES, read
from compatgate.model import Impact
from compatgate.report import DemoReport, text
from tests.data import need

REVISIONS = {
    "2025-06-18": (
        "b3db8f1ca839bc5171ceb4ba013fdf240c5a8a13d4653bb1bdf21f94677aa220",
        "definitions",
        ["Implementation"],
    ),
    "2025-11-25": (
        "7b2d96fd95efd2216aa953606b83f5a740ddeaa5ebd3a5d27b45a8296545a118",
        "$defs",
        ["Icon", "Implementation"],
    ),
}


@pytest.fixture(scope="module")
def report() -> DemoReport:
    return demo()


def test_the_closing_table(report: DemoReport) -> None:
    rows = [line.split() for line in text.render(report).splitlines()[-9:-2]]
    assert rows[0] == ["byte-pin", "gate", "breaks"]
    assert [(row[0], *row[-3:]) for row in rows[1:]] == [
        ("C1", "ok", "PASS", "0/4"),
        ("C2", "BLOCK", "PASS", "0/3"),
        ("C3", "BLOCK", "FAIL", "4/4"),
        ("C4", "BLOCK", "FAIL", "1/4"),
        ("C5", "BLOCK", "FAIL", "0/4"),
        ("C6", "BLOCK", "PASS", "0/4"),
    ]
    assert text.render(report).splitlines()[-1] == "byte-pin fired 5/6, gate fired 3/6"


def test_what_each_case_shows(report: DemoReport) -> None:
    by_id = {case.id: case.gate for case in report.cases}
    assert by_id["C1"].classification.changes == ()
    assert by_id["C2"].classification.impact is Impact.COMPATIBLE
    assert [c.rule for c in by_id["C3"].classification.changes if c.impact is Impact.BREAKING] == ["required-added"]
    assert by_id["C4"].replay.listed[0].errors[0].instance_path == "/format"
    assert [signal.text for signal in by_id["C5"].signals] == [
        "breaking by schema, 0 of 4 recorded calls touch it, silent on your traffic"
    ]
    assert by_id["C6"].classification.impact is Impact.RISKY


def test_the_first_case_differs_in_bytes_only() -> None:
    old, new = read(CASES[0].old), read(CASES[0].new)
    assert old != new
    assert json.loads(old) == json.loads(new)


def bundled(revision: str) -> Any:
    return json.loads(read(f"mcp-{revision}.json"))


def without_prose(schema: Any) -> Any:
    """Take titles and descriptions out of a schema, not out of its properties."""
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if key not in ("title", "description")}
    if "properties" in kept:
        kept["properties"] = {name: without_prose(inner) for name, inner in kept["properties"].items()}
    if "items" in kept:
        kept["items"] = without_prose(kept["items"])
    return kept


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_bundled_objects_are_the_published_ones(revision: str) -> None:
    digest, home, names = REVISIONS[revision]
    data = need(f"mcp-spec/{revision}.schema.json").read_bytes()
    assert hashlib.sha256(data).hexdigest() == digest
    published = json.loads(data)
    expected = {"$schema": published["$schema"], home: {name: without_prose(published[home][name]) for name in names}}
    assert bundled(revision) == expected


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_bundled_objects_are_closed_under_reference(revision: str) -> None:
    document = json.dumps(bundled(revision))
    home = REVISIONS[revision][1]
    for name in {part.split('"')[0] for part in document.split(f"#/{home}/")[1:]}:
        assert name in bundled(revision)[home]


def test_the_gate_says_the_same_of_the_whole_documents(report: DemoReport) -> None:
    old = load(f"{need('mcp-spec/2025-06-18.schema.json')}#/definitions/Implementation")
    new = load(f"{need('mcp-spec/2025-11-25.schema.json')}#/$defs/Implementation")
    result = gate(old, new, BytesIO(read("handshakes.calls.jsonl")))
    case = report.cases[1].gate
    assert (result.verdict, result.breaks, result.classification.byte_pin) == ("PASS", (0, 3), "BLOCK")
    assert (case.verdict, case.breaks, case.classification.byte_pin) == ("PASS", (0, 3), "BLOCK")
    assert result.classification.count(Impact.BREAKING) == result.classification.count(Impact.UNKNOWN) == 0
    icons = gate(old, new, [{"name": "x", "version": "1", "icons": [{"src": 3}]}])
    assert icons.verdict == "FAIL"
    assert icons.replay.listed[0].errors[0].instance_path == "/icons/0/src"
