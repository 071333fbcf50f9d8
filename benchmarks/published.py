"""Find real questions: what changed, and what did not, between consecutive published versions and in labelled pairs."""

from __future__ import annotations

from collections.abc import Iterator

from compatgate.jsonio import Json
from compatgate.prover.same import same_json
from compatgate.sources import load
from tests.data import find, rows, suites


def changed() -> Iterator[tuple[Json, Json]]:
    """Yield the labelled pairs, then every inputSchema that a version changed, each with what it became."""
    for suite in suites():
        if suite.startswith("pairs/"):
            for row in rows(suite):
                yield row.old, row.new
    for before, now in _neighbours():
        if not same_json(before, now):
            yield before, now


def unchanged() -> Iterator[tuple[Json, Json]]:
    """Yield every inputSchema that a version left as it was, as each of the two versions has it."""
    for before, now in _neighbours():
        if same_json(before, now):
            yield before, now


def _neighbours() -> Iterator[tuple[Json, Json]]:
    directory, _ = find()
    for package in sorted((directory / "snapshots").iterdir()):
        before: dict[str, Json] = {}
        for version in sorted(package.glob("*.json")):
            now = {tool.name: tool.input_schema for tool in load(str(version)).tools}
            for name in sorted(now.keys() & before.keys()):
                yield before[name], now[name]
            before = now
