"""Judge the prover by suites that others wrote: exact counts, where a drop fails and so does a gain unrecorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from compatgate.prover.validators import compile_pair
from compatgate.schema.references import Document
from tests.conftest import ROWS
from tests.data import find, need, rows, suites
from tests.suites.judge import QUOTAS, WAIVERS, Expected, expectations, judge, sample, waivers

CHUNK = 150
#: Of processor time; a run of everything reports rows above ten, and machines that test are slower.
SECONDS_PER_ROW = 20.0


def _chunks() -> list[tuple[str, int]]:
    directory, _ = find()
    if not directory.exists():
        return [(name, 0) for name in expectations()]
    return [(name, start) for name in suites() for start in range(0, len(sample(name, rows(name))), CHUNK)]


def _update(name: str) -> str:
    return f"update with: uv run python -m tasks.suites --file {name} --write"


@pytest.mark.parametrize(("name", "start"), _chunks(), ids=lambda value: str(value))
def test_the_prover_answers_as_recorded(name: str, start: int, record_property: Callable[[str, object], None]) -> None:
    need()
    expected = expectations().get(name)
    assert expected is not None, f"nothing is recorded for {name}; {_update(name)}"
    chunk = sample(name, rows(name))[start : start + CHUNK]
    dropped: list[str] = []
    gained: list[str] = []
    for row in chunk:
        started = process_time()
        judgement = judge(row)
        spent = process_time() - started
        before = expected.of(row.id)
        if spent > SECONDS_PER_ROW:
            dropped.append(f"{row.id}: took {spent:.1f} s")
        elif judgement.outcome != before:
            changed = f"{row.id}: {before} -> {judgement.outcome} {judgement.reason}"
            (gained if judgement.outcome == "right" else dropped).append(changed)
    record_property(f"{ROWS}{name.partition('/')[0].removesuffix('.jsonl')}", len(chunk))
    assert not dropped, "worse than recorded:\n" + "\n".join(dropped)
    assert not gained, "\n".join(["better than recorded:", *gained, _update(name)])


def test_every_suite_is_recorded_whole() -> None:
    need()
    for name in suites():
        recorded = expectations().get(name, Expected())
        assert recorded.rows == len(rows(name)), f"{name} has changed; {_update(name)}"
        assert recorded.right + len(recorded.wrong) + len(recorded.undecided) == recorded.rows
        unfair = {row.id for row in rows(name)} & set(recorded.wrong)
        assert not unfair, f"{name}: wrong answers stand recorded"


def _waived() -> list[tuple[str, str]]:
    return [(name, identifier) for name in json.loads(WAIVERS.read_text("utf-8")) for identifier in waivers(name)]


@pytest.mark.parametrize(("name", "identifier"), _waived())
def test_a_waived_label_is_refuted_by_a_value(name: str, identifier: str) -> None:
    need()
    row = next(row for row in rows(name) if row.id == identifier)
    waiver = waivers(name)[identifier]
    value: Any = waiver.get("value", {"old": row.old, "new": row.new})
    for token in str(waiver.get("value_at", "")).split("/")[1:]:
        value = value[int(token)] if isinstance(value, list) else value[token]
    left, right = str(waiver["refutes"]).split(" in ")
    judges = {
        "old": compile_pair(Document(row.old, "", row.dialect)),
        "new": compile_pair(Document(row.new, "", row.dialect)),
    }
    assert row.truth != "not_subset"
    assert (judges[left].verdict(value), judges[right].verdict(value)) == ("valid", "invalid")


def test_the_sample_is_large_and_spread() -> None:
    need()
    sizes = {name: len(sample(name, rows(name))) for name in suites()}
    assert sum(size for name, size in sizes.items() if not name.startswith("pairs/")) >= 4000
    assert all(sizes[name] >= quota for name, quota in QUOTAS.items())
    assert sum(size for name, size in sizes.items() if name.startswith("pairs/")) == 360
