"""Measure the second prover beside ours on real changes: how much it proves, and what it costs.

    uv run python -m benchmarks.second_prover

Every changed inputSchema of consecutive published versions, and every labelled pair, asked of both in one run. The
figures decide whether its YES serves as a fast path before ours; see docs/concepts/prover.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import TypeVar

from compatgate.jsonio import Json
from compatgate.model import Relation
from compatgate.prover import contains, covers
from compatgate.prover.same import same_json
from compatgate.schema.references import Document
from compatgate.sources import load
from tests.data import find, rows, suites

T = TypeVar("T")


def main() -> int:
    """Print counts and the ratio of the two; 2 where the data is missing, 1 where the two contradict each other."""
    if not find()[0].is_dir():
        print("the data is not here; see README, section For developers", file=sys.stderr)
        return 2
    asked = list(questions())
    ours, took_ours = timed(lambda: [contains(left, right).relation for left, right in asked])
    theirs, took_theirs = timed(lambda: [covers(left, right) for left, right in asked])
    proved = [yes for relation, yes in zip(ours, theirs, strict=True) if relation is Relation.PROVEN_SUBSET]
    against = sum(yes and relation is Relation.PROVEN_NOT_SUBSET for relation, yes in zip(ours, theirs, strict=True))
    print(f"questions             {len(asked):7}")
    print(f"PROVEN_SUBSET         {len(proved):7}   of which the second prover proves {sum(proved)}")
    print(f"YES against a witness {against:7}")
    print(f"time, ours / theirs   {took_ours / took_theirs:7.1f} x   (one run, all questions)")
    return int(against > 0)


def questions() -> Iterator[tuple[Document, Document]]:
    """Yield the changes that both are asked about."""
    for suite in suites():
        if suite.startswith("pairs/"):
            for row in rows(suite):
                yield Document(row.old), Document(row.new)
    directory, _ = find()
    for package in sorted((directory / "snapshots").iterdir()):
        before: dict[str, Json] = {}
        for version in sorted(package.glob("*.json")):
            now = {tool.name: tool.input_schema for tool in load(str(version)).tools}
            for name in now.keys() & before.keys():
                if not same_json(before[name], now[name]):
                    yield Document(before[name]), Document(now[name])
            before = now


def timed(work: Callable[[], list[T]]) -> tuple[list[T], float]:
    """Return the result of some work and the seconds it took."""
    started = perf_counter()
    result = work()
    return result, perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())
