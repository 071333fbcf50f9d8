"""Measure the prover as ratios, in one run: against two peers, against reading, and against its own growth.

    uv run python -m benchmarks.prover [--python PYTHON] [--seconds S] [--every N]

The questions are every changed inputSchema of consecutive published versions and every labelled pair, each once. Peers
are installed from PyPI into environments of their own in a temporary directory and asked in turn, question by question.
Exit code 1 when a limit is missed, 2 where the data is missing.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

from benchmarks.peers import NoPeerError, Peer, Times, ours, peer
from benchmarks.published import changed, unchanged
from compatgate.jsonio import Json, dumps
from compatgate.model import Relation
from compatgate.prover import contains
from tests.data import find

#: Limits of the ratios ours / theirs, of the medians and of the 99th percentiles.
PEERS = {"subschema": (1 / 5, 1 / 20), "jsonsubschema": (1.0, 1 / 20)}
SIZES = (10, 100, 1_000, 10_000)
CHANGES = (1, 10, 100, 1_000)
#: How much more than in proportion the added time may grow: two differences of times are compared.
NOISE = 1.25
ROUNDS = 9


@dataclass(frozen=True, slots=True)
class Ratio:
    """Hold one measured ratio and its limit."""

    what: str
    value: float
    limit: float

    def __str__(self) -> str:
        missed = "" if self.value <= self.limit else "   MISSED"
        return f"  {self.what:44} {self.value:8.4f} x   (limit {self.limit:.4g} x){missed}"


def main() -> int:
    """Print every ratio with its limit; 1 when one is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--python", default=">=3.12", help="the Python for subschema, as uv names it (3.12 or later)")
    parser.add_argument("--seconds", type=float, default=10.0, help="the time-out of a question, which counts as that")
    parser.add_argument("--every", type=int, default=1, help="ask every N-th question only")
    options = parser.parse_args()
    if not find()[0].is_dir():
        print("the data is not here; see README, section For developers", file=sys.stderr)
        return 2
    missed = 0
    for part in (against_peers(options.python, options.seconds, options.every), against_reading(), growth(), changes()):
        for line in part:
            print(line, flush=True)
            missed += isinstance(line, Ratio) and line.value > line.limit
    print(f"{missed} limits missed" if missed else "every limit that was measured and is judged is kept")
    return int(missed > 0)


# -- against peers ---------------------------------------------------------------------------------------


def against_peers(python: str, seconds: float, every: int) -> Iterator[str | Ratio]:
    """Ask all provers the same questions; yield what each did, and the ratios of medians and of 99th percentiles."""
    questions = list(dict.fromkeys(dumps([left, right], ascii_only=True) for left, right in changed()))[::every]
    yield f"{len(questions)} distinct changes, {seconds:g} s each at most"
    asked: list[Peer] = []
    with tempfile.TemporaryDirectory() as directory:
        try:
            own = ours(seconds)
            asked.append(own)
            for name in PEERS:
                version = python if name == "subschema" else sys.executable
                try:
                    asked.append(peer(name, version, Path(directory), seconds))
                except NoPeerError as error:
                    yield f"  NOT MEASURED: {error}"
            for question in questions:
                for one in asked:
                    one.ask(question)
        finally:
            for one in asked:
                one.close()
    for one in asked:
        yield _did(one)
    for question in own.times.lost:
        yield f"  OURS GAVE NO ANSWER: {question[:300]}"
    for one in asked[1:]:
        of_medians, of_p99 = PEERS[one.name]
        yield Ratio(f"median, ours / {one.name}", _ratio(median, own.times, one.times), of_medians)
        yield Ratio(f"p99, ours / {one.name}", _ratio(p99, own.times, one.times), of_p99)


def p99(seconds: Sequence[float]) -> float:
    """Return the time that 99 of 100 stay within."""
    return sorted(seconds)[math.ceil(0.99 * len(seconds)) - 1]


def _ratio(of: Callable[[Sequence[float]], float], own: Times, theirs: Times) -> float:
    return of(own.seconds) / of(theirs.seconds)


def _did(one: Peer) -> str:
    times = one.times
    return (
        f"  {one.name + ' ' + one.version:22} median {median(times.seconds) * 1e3:8.2f} ms   "
        f"p99 {p99(times.seconds) * 1e3:8.1f} ms   "
        f"decided {times.decided:5}   refused {times.refused:4}   timed out {times.timed_out:3}   died {times.died}"
    )


# -- ours alone ------------------------------------------------------------------------------------------


def against_reading() -> Iterator[str | Ratio]:
    """Compare a question about what did not change with reading one of the two by `json.loads`."""
    pairs = list(unchanged())
    texts = [dumps(now) for _, now in pairs]
    reading, proving = best(
        lambda: [json.loads(text) for text in texts],
        lambda: [contains(before, now) for before, now in pairs],
    )
    yield f"{len(pairs)} unchanged inputSchemas, {sum(map(len, texts)) / 1e6:.1f} million characters"
    yield f"  json.loads {reading * 1e3:8.1f} ms   contains {proving * 1e3:8.1f} ms"
    yield Ratio("contains / json.loads of one of the two", proving / reading, 1.0)


def growth() -> Iterator[str | Ratio]:
    """Compare neighbouring sizes when one property changes, widened or narrowed.

    The limit holds without Python's cyclic collector, as `timeit` measures: its full runs look at all of the process,
    none falls into a small question and some into a large one. What it adds is printed beside.
    """
    for what, narrower, relation in (
        ("widened", False, Relation.PROVEN_SUBSET),
        ("narrowed", True, Relation.PROVEN_NOT_SUBSET),
    ):
        yield f"one property {what} of {', '.join(f'{size:,}' for size in SIZES)}; the limit is n log n"
        times = [_asked(size, 1, narrower, relation) for size in SIZES]
        yield _times("without the collector", [without for without, _ in times])
        yield _times("with it", [collected for _, collected in times])
        ratios = [large / small for (_, small), (_, large) in pairwise(times)]
        yield "  with it, not judged: " + ", ".join(f"{ratio:.1f} x" for ratio in ratios)
        for (small, large), ((before, _), (after, _)) in zip(pairwise(SIZES), pairwise(times), strict=True):
            limit = large * math.log(large) / (small * math.log(small))
            yield Ratio(f"{large:,} / {small:,} properties", after / before, limit)


def changes() -> Iterator[str | Ratio]:
    """Compare numbers of changed properties among a thousand, by the time that they add to one alone."""
    yield f"{', '.join(f'{number:,}' for number in CHANGES)} of 1,000 properties widened; the limit is in proportion"
    times = [_asked(1_000, number, False, Relation.PROVEN_SUBSET)[0] for number in CHANGES]
    yield _times("without the collector", times)
    first, _, some, every = times
    limit = (CHANGES[3] - CHANGES[0]) / (CHANGES[2] - CHANGES[0]) * NOISE
    yield Ratio("time added by 1,000 / by 100", (every - first) / (some - first), limit)


def _times(what: str, seconds: Sequence[float]) -> str:
    return f"  {what + ':':22} " + "   ".join(f"{time * 1e3:.1f} ms" for time in seconds)


def properties(size: int, changed: int = 0, *, narrower: bool = False) -> dict[str, Json]:
    """Return the schema of an object; each property is like no other, so that no answer about one serves for two."""
    step = size // max(changed, 1)
    members: dict[str, Json] = {}
    for index in range(size):
        longest = 1_000 + index
        if changed and index % step == 0 and index // step < changed:
            longest += -500 if narrower else size
        members[f"property_{index}"] = (
            {"type": "string", "maxLength": longest, "description": f"What property {index} is for."}
            if index % 3
            else {"type": ["integer", "null"], "minimum": -longest, "maximum": longest}
        )
    return {"type": "object", "properties": members, "required": ["property_0"], "additionalProperties": False}


def _asked(size: int, changed: int, narrower: bool, relation: Relation) -> tuple[float, float]:
    """Return the seconds of one question without the cyclic collector and with it."""
    left, right = properties(size), properties(size, changed, narrower=narrower)
    answer = contains(left, right)
    assert answer.relation is relation, answer
    gc.collect()
    gc.disable()
    try:
        without = best(lambda: contains(left, right))[0]
    finally:
        gc.enable()
    return without, best(lambda: contains(left, right))[0]


def best(*actions: Callable[[], object]) -> list[float]:
    """Return the shortest of several runs of each, in seconds of this process; rounds are interleaved."""
    shortest = [math.inf] * len(actions)
    for _ in range(ROUNDS):
        for index, action in enumerate(actions):
            started = time.process_time()
            action()
            shortest[index] = min(shortest[index], time.process_time() - started)
    return shortest


if __name__ == "__main__":
    sys.exit(main())
