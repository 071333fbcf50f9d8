"""Reports: JSON that its published schema describes, and text that nothing hostile gets through."""

from __future__ import annotations

import json
import unicodedata
from functools import cache
from typing import Any

import jsonschema_rs
import pytest

from compatgate import classify, gate
from compatgate.app import contains, demo
from compatgate.jsonio import Json, loads
from compatgate.report import Report, as_json, schema, text
from compatgate.sources import recognise
from tests.cli.helpers import TOOL, edited

#: ANSI, carriage return, right-to-left override, zero width, tag character, C1, DEL, line separator, BOM.
EVIL = "a\x1b[31m\x1b]0;t\x07\r\n\u202e\u200b\U000e0041\x9b2J\x7f\u2028\ufeffz"


def hostile(marker: int) -> dict[str, Any]:
    """Return a tool that is hostile wherever it can be."""
    word = EVIL + str(marker)
    return {
        "name": EVIL,
        "title": word,
        "description": word,
        EVIL: word,
        "annotations": {EVIL: word},
        "inputSchema": {
            "type": "object",
            "$comment": word,
            "properties": {
                EVIL: {"enum": [word, EVIL], "default": word, "description": word},
                "p" + EVIL: {"type": "string", "pattern": "^" + EVIL * marker},
                "r": {"$ref": "#/$defs/" + EVIL},
                "f": {"format": word, "x-" + EVIL: word},
                "n": {"const": {EVIL: word}},
            },
            "required": [EVIL] if marker == 2 else [],
            "$defs": {EVIL: {"type": "string" if marker == 1 else "integer"}},
        },
        "outputSchema": {"$ref": EVIL * marker},
    }


def loaded(value: Json, source: str) -> Any:
    return recognise(value, source=source, explicit=True)


@cache
def reports() -> dict[str, Report]:
    old, new = hostile(1), hostile(2)
    calls: list[Json] = [
        {EVIL: EVIL},
        {EVIL: EVIL + "1", "r": EVIL},
        {"r": EVIL, EVIL * 2: EVIL},
        {EVIL: 3},
        {"tool": EVIL + "?", "arguments": {}},
        EVIL,
    ]
    both: Any = {"tools": [old, {**TOOL, "name": "gone" + EVIL}]}, {"tools": [new, {**TOOL, "name": "new" + EVIL}]}
    left, right = loaded(old["inputSchema"], EVIL), loaded(new["inputSchema"], EVIL)
    return {
        "demo": demo(),
        "contains": contains(left, right),
        "proved": contains(loaded({"enum": [1]}, "a"), loaded(True, "b")),
        "unknown": contains(loaded(True, "a"), loaded({"$ref": EVIL}, "b")),
        "classify": classify(*both),
        "any": classify(*both, callers="any"),
        "schemas": classify(old["inputSchema"], new["inputSchema"]),
        "results": classify(old["inputSchema"], new["inputSchema"], side="output"),
        "gate": gate(old, new, calls, form="bare"),
        "skipped": gate(old, new, calls, form="envelope", skip_bad_calls=True),
        "several": gate(both[0], both[1], [*calls, {"tool": EVIL, "arguments": {EVIL: EVIL}}]),
        "dropped": gate(TOOL, edited(b=None), [{"a": "x", "b": 1}]),
        "nothing": gate(TOOL, TOOL, []),
        "huge-numbers": gate({"enum": [10**400, {"a": 1}]}, True, [{"a": 1}]),
    }


NAMES = (
    "demo contains proved unknown classify any schemas results gate skipped several dropped nothing huge-numbers"
).split()


@pytest.fixture(params=NAMES)
def report(request: pytest.FixtureRequest) -> Report:
    return reports()[request.param]


@pytest.fixture(scope="module")
def validator() -> jsonschema_rs.Draft202012Validator:
    described = json.loads(schema())
    assert jsonschema_rs.meta.is_valid(described)
    return jsonschema_rs.Draft202012Validator(described)


def test_every_report_is_looked_at() -> None:
    assert list(reports()) == NAMES


def test_json_is_what_the_published_schema_says(report: Report, validator: jsonschema_rs.Draft202012Validator) -> None:
    value = json.loads(as_json.render(report))
    assert [error.message for error in validator.iter_errors(value)] == []


def test_json_reads_back_exactly(report: Report) -> None:
    assert loads(as_json.render(report)) == as_json.to_json(report)


def test_the_published_schema_is_strict_enough_to_fail(validator: jsonschema_rs.Draft202012Validator) -> None:
    for name, value in reports().items():
        whole = json.loads(as_json.render(value))
        for member in whole:
            fewer = {key: inner for key, inner in whole.items() if key != member}
            if member == "witness" and whole.get("relation") != "PROVEN_NOT_SUBSET":
                continue
            assert not validator.is_valid(fewer), f"{name} without {member}"


def visible(shown: str) -> bool:
    """Say whether a text holds nothing but what is drawn."""
    return all(unicodedata.category(c)[0] not in "CZ" or c in " \n" for c in shown)


def test_nothing_hostile_gets_through(report: Report) -> None:
    assert visible(text.render(report))
    shown = as_json.render(report)
    assert shown.isascii()
    assert visible(shown)


def test_what_is_neutralised_is_shown_all_the_same() -> None:
    shown = text.render(reports()["classify"])
    for escape in ("\\u{001B}", "\\u{202E}", "\\u{200B}", "\\u{E0041}"):
        assert escape in shown


def test_values_can_be_copied() -> None:
    shown = text.render(contains(loaded({"const": EVIL}, "a"), loaded(False, "b")))
    witness = next(line for line in shown.splitlines() if line.startswith("witness")).removeprefix("witness").strip()
    assert json.loads(witness) == EVIL


def test_text_has_no_trailing_space_and_sane_lines(report: Report) -> None:
    for line in text.render(report).splitlines():
        assert line == line.rstrip()
        assert len(line) < 1500
