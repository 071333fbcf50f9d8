"""Every pair of published versions gets a valid verdict, the same one as recorded; and the documentation says so."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema_rs
import pytest

from compatgate.drift import Options, output_schema, verdict_of_request
from compatgate.jsonio import dumps
from tasks.real_pairs import DOCUMENT, RECORDED, judge, read, request, summary
from tests import data
from tests.diff.snapshots import packages, versions

PACKAGES = [pytest.param(name) for name in packages()] or [
    pytest.param("", marks=pytest.mark.skip(reason=data.SKIPPED))
]


@cache
def recorded() -> dict[str, str]:
    """Return what is expected of each pair."""
    found: dict[str, str] = json.loads(RECORDED.read_text("utf-8"))
    return found


def test_the_documentation_shows_what_was_recorded() -> None:
    assert len(recorded()) == 251
    assert summary(recorded()) in DOCUMENT.read_text("utf-8")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_pair_gets_a_valid_verdict(package: str) -> None:
    schema = jsonschema_rs.validator_for(dumps(output_schema()))
    for pair, answers in judge(package):
        assert pair.words == recorded()[pair.name], pair.name
        for answer in answers.values():
            schema.validate(answer)
            _proved(answer)


def _proved(answer: dict[str, Any]) -> None:
    for finding in answer["findings"]:
        assert finding["reason"].isprintable()
        assert "the prover failed" not in finding["reason"]
        needs_witness = finding["relation"] == "PROVEN_NOT_SUBSET" and finding["category"] not in (
            "TOOL_REMOVED",
            "TASK_SUPPORT_INCOMPATIBLE",
        )
        assert ("witness" in finding) == needs_witness


@pytest.mark.parametrize("package", PACKAGES)
def test_old_against_old_is_unchanged_on_the_whole_surface(package: str) -> None:
    for path in versions(package):
        snapshot = read(path)
        answer, status = verdict_of_request(request(snapshot, snapshot), Options(surface="all"))
        assert (status, answer["verdict"], answer["findings"]) == (200, "UNCHANGED", [])


@pytest.mark.parametrize("package", PACKAGES)
def test_the_whole_surface_adds_findings_and_takes_none_away(package: str) -> None:
    files = versions(package)
    if len(files) < 2:
        pytest.skip("a single version")
    asked = request(read(files[0]), read(files[-1]))
    tools, _ = verdict_of_request(asked)
    everything, status = verdict_of_request(asked, Options(surface="all"))
    assert status == 200
    total: Any = everything["coverage"]
    fewer: Any = tools["coverage"]
    assert total["total_findings"] >= fewer["total_findings"]
    assert everything["hashes"] == tools["hashes"]
