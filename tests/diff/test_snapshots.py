"""Every consecutive pair of published versions ends in an answer, in time, and the same one as recorded."""

from __future__ import annotations

import json
import time
from collections import Counter

import pytest

from compatgate.diff import classify_snapshots
from compatgate.model import NO_WITNESS, Impact
from tests import data
from tests.diff.snapshots import EXPECTED, MODELS, consecutive, expected, load, packages, status, versions

#: What one pair of snapshots may take, in seconds of work, as other tests may run beside; the slowest took 5.
ALLOWED = 10.0


def test_the_data_holds_what_was_recorded() -> None:
    data.need("snapshots")
    names = [name for package in packages() for name, _, _ in consecutive(package)]
    assert sorted(names) == sorted(expected())


def test_the_totals_are_those_of_the_pairs() -> None:
    totals = json.loads(EXPECTED.read_text("utf-8"))["totals"]
    for model in MODELS:
        counted = Counter(words[model] for words in expected().values())
        assert dict(counted) == totals[model]
        assert sum(counted.values()) == 251


@pytest.mark.parametrize("package", packages() or [pytest.param("", marks=pytest.mark.skip(reason=data.SKIPPED))])
def test_every_consecutive_pair_is_classified_as_recorded(package: str) -> None:
    recorded = expected()
    for name, old, new in consecutive(package):
        for model in MODELS:
            start = time.process_time()
            diff = classify_snapshots(old, new, callers=model)
            assert time.process_time() - start < ALLOWED, name
            assert status(diff) == recorded[name][model], (name, model)
            for change in diff.changes:
                assert change.reason.isprintable()
                needs_witness = change.impact is Impact.BREAKING and change.rule not in ("tool-removed", "tool-renamed")
                assert (change.witness is not NO_WITNESS) == needs_witness, (name, change)


@pytest.mark.parametrize("package", packages() or [pytest.param("", marks=pytest.mark.skip(reason=data.SKIPPED))])
def test_old_against_old_is_silent_for_every_snapshot(package: str) -> None:
    for path in versions(package):
        diff = classify_snapshots(load(path), load(path))
        assert diff.changes == (), path.name
        assert all(tool.byte_pin == "ok" for tool in diff.tools)
