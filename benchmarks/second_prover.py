"""Measure the second prover beside ours on real changes: how much it proves, and what it costs.

    uv run python -m benchmarks.second_prover

Every changed inputSchema of consecutive published versions, and every labelled pair, asked of both in one run. The
figures decide whether its YES serves as a fast path before ours; see docs/concepts/prover.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

from benchmarks.published import changed
from compatgate.model import Relation
from compatgate.prover import contains, covers
from compatgate.schema.references import Document
from tests.data import find

T = TypeVar("T")


def main() -> int:
    """Print counts and the ratio of the two; 2 where the data is missing, 1 where the two contradict each other."""
    if not find()[0].is_dir():
        print("the data is not here; see README, section For developers", file=sys.stderr)
        return 2
    asked = [(Document(left), Document(right)) for left, right in changed()]
    ours, took_ours = timed(lambda: [contains(left, right).relation for left, right in asked])
    theirs, took_theirs = timed(lambda: [covers(left, right) for left, right in asked])
    proved = [yes for relation, yes in zip(ours, theirs, strict=True) if relation is Relation.PROVEN_SUBSET]
    against = sum(yes and relation is Relation.PROVEN_NOT_SUBSET for relation, yes in zip(ours, theirs, strict=True))
    print(f"questions             {len(asked):7}")
    print(f"PROVEN_SUBSET         {len(proved):7}   of which the second prover proves {sum(proved)}")
    print(f"YES against a witness {against:7}")
    print(f"time, ours / theirs   {took_ours / took_theirs:7.1f} x   (one run, all questions)")
    return int(against > 0)


def timed(work: Callable[[], list[T]]) -> tuple[list[T], float]:
    """Return the result of some work and the seconds it took."""
    started = perf_counter()
    result = work()
    return result, perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())
