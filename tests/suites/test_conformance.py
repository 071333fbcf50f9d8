"""Judge the prover by suites that others wrote: exact counts, where a drop fails and so does a gain unrecorded."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import pytest

from tests.conftest import ROWS
from tests.data import find, need, rows, suites
from tests.suites.judge import QUOTAS, Expected, expectations, judge, sample

CHUNK = 150
SECONDS_PER_ROW = 10.0


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
        started = perf_counter()
        judgement = judge(row)
        spent = perf_counter() - started
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


def test_the_sample_is_large_and_spread() -> None:
    need()
    sizes = {name: len(sample(name, rows(name))) for name in suites()}
    assert sum(size for name, size in sizes.items() if not name.startswith("pairs/")) >= 4000
    assert all(sizes[name] >= quota for name, quota in QUOTAS.items())
    assert sum(size for name, size in sizes.items() if name.startswith("pairs/")) == 360
