"""The harness itself: what it must notice, it notices."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from compatgate.jsonio import Json
from compatgate.model import NO_WITNESS, Relation
from compatgate.schema.references import Document
from tasks import fuzz
from tasks.shrinking import shrunk
from tasks.workers import Lost, each
from tests.data import Row
from tests.suites import judge as judging
from tests.suites.judge import Judgement, judge, record
from tests.suites.real import version


def _doubling(offset: int) -> Callable[[int], int]:
    def work(job: int) -> int:
        if job == 3:
            os.abort()
        if job == 5:
            time.sleep(60)
        return 2 * job + offset

    return work


def test_a_worker_that_crashes_or_hangs_loses_only_its_job() -> None:
    found = dict(each(_doubling, (1,), range(8), workers=2, limit=1.0))
    lost = {job: result for job, result in found.items() if isinstance(result, Lost)}
    assert sorted(lost) == [3, 5]
    assert "ended" in lost[3].reason
    assert "took more than 1 s" in lost[5].reason
    assert {job: result for job, result in found.items() if job not in lost} == {
        n: 2 * n + 1 for n in (0, 1, 2, 4, 6, 7)
    }


def test_shrinking_ends_at_what_matters() -> None:
    value: Json = {"a": [1, 2, {"keep": "needle", "x": {}}], "b": {"c": "d"}}
    small = shrunk(value, lambda candidate: "needle" in str(candidate), 5.0)
    assert small == {"keep": "needle"} or small == {"a": [{"keep": "needle"}]}


def test_a_seed_and_a_number_are_a_case() -> None:
    assert [fuzz.draw("s", n) for n in range(20)] == [fuzz.draw("s", n) for n in range(20)]
    assert fuzz.draw("s", 1) != fuzz.draw("t", 1)


def _says(*answers: tuple[Relation, Any]) -> Callable[[Document, Document, str], Any]:
    left = list(answers)

    def prove(*_: object) -> Any:
        relation, witness = left.pop(0)
        return SimpleNamespace(relation=relation, witness=witness, reason="why", path="/at")

    return prove


SUBSET = (Relation.PROVEN_SUBSET, NO_WITNESS)
UNKNOWN = (Relation.UNKNOWN, NO_WITNESS)


def _not(witness: Json) -> tuple[Relation, Json]:
    return Relation.PROVEN_NOT_SUBSET, witness


NARROWED = Row("s", "1", {"type": "integer"}, {"type": "integer", "minimum": 0}, "not_subset")
SAME = Row("s", "2", {"type": "integer"}, {"type": "integer"}, "equivalent")
OPEN = Row("s", "3", {"type": "object"}, {"properties": {"a": {"type": "null"}}}, "not_subset", open_object=True)


@pytest.mark.parametrize(
    ("row", "answers", "outcome"),
    [
        (NARROWED, [_not(-1)], "right"),
        (NARROWED, [_not(1)], "wrong"),  # valid on both sides: the witness is refused
        (NARROWED, [_not("x")], "wrong"),
        (NARROWED, [SUBSET], "wrong"),
        (NARROWED, [UNKNOWN], "undecided"),
        (SAME, [SUBSET, SUBSET], "right"),
        (SAME, [SUBSET, UNKNOWN], "undecided"),
        (SAME, [UNKNOWN, _not(1)], "wrong"),
        (OPEN, [_not({"a": 1}), SUBSET], "right"),
        (OPEN, [_not({"a": 1}), _not({"a": 1})], "wrong"),
    ],
)
def test_rows_are_judged(row: Row, answers: list[tuple[Relation, Any]], outcome: str) -> None:
    assert judge(row, _says(*answers)).outcome == outcome


def test_what_was_once_not_right_stays_in_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "EXPECTED", tmp_path / "expected.json")
    judging.expectations.cache_clear()
    try:
        record({"jsts_const.jsonl": [Judgement("a", "undecided", "", 1), Judgement("b", "right", "", 1)]})
        assert judging.expectations()["jsts_const.jsonl"].of("a") == "undecided"
        record({"jsts_const.jsonl": [Judgement("a", "right", "", 1), Judgement("b", "wrong", "", 1)]})
        expected = judging.expectations()["jsts_const.jsonl"]
        assert (expected.right, expected.wrong, expected.undecided, expected.once) == (1, ("b",), (), ("a",))
        rows = [Row("jsts_const.jsonl", name, True, True, "subset") for name in ("a", *map(str, range(2000)))]
        drawn = {row.id for row in judging.sample("jsts_const.jsonl", rows)}
        assert "a" in drawn
        assert len(drawn) in (judging.QUOTAS["jsts_const.jsonl"], judging.QUOTAS["jsts_const.jsonl"] + 1)
    finally:
        judging.expectations.cache_clear()


def test_versions_are_sorted_as_versions() -> None:
    names = ["0.9.0.json", "0.10.0.json", "1.0.0-beta.1.json", "1.0.0.json", "1.0.0-beta.json", "2.json"]
    ordered = [path.name for path in sorted(map(Path, reversed(names)), key=version)]
    assert ordered.index("0.9.0.json") < ordered.index("0.10.0.json") < ordered.index("1.0.0.json")
    assert ordered.index("1.0.0-beta.1.json") < ordered.index("1.0.0.json") < ordered.index("2.json")
