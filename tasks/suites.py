"""Judge the prover by whole suites, each row in a worker process that may be killed.

    uv run python -m tasks.suites [--file NAME]... [--jobs N] [--limit SECONDS] [--report PATH] [--write]

Prints a table (rows, right, wrong, undecided, milliseconds of the prover per row). `--report` gets the rows that
are not right, with reasons; `--write` records the result, against which the tests compare.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from tasks.workers import Lost, each
from tests.data import find, rows, suites
from tests.suites.judge import OUTCOMES, Judgement, judge, record

ROW_LIMIT = 10.0


def main() -> int:
    """Run the task; 1 when something is wrong, crashed or took too long."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--file", action="append", default=[], help="a suite: hard.jsonl, pairs/basic.json, pairs")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=ROW_LIMIT, help="seconds a row may take")
    parser.add_argument("--report", type=Path, help="where to list what is not right")
    parser.add_argument("--write", action="store_true", help="record the result")
    options = parser.parse_args()
    if not find()[0].exists():
        print(f"there is no data at {find()[0]}", file=sys.stderr)
        return 2
    names = [name for name in suites() if not options.file or _chosen(name, options.file)]
    print(f"{'suite':32}{'rows':>7}{'right':>7}{'wrong':>7}{'undec.':>7}{'median':>9}{'p99':>9}{'max ms':>9}")
    results: dict[str, Sequence[Judgement]] = {}
    for name in names:
        results[name] = run(name, options.jobs, options.limit)
        print(_line(name, results[name]), flush=True)
    everything = [judgement for judgements in results.values() for judgement in judgements]
    if len(names) > 1 and everything:
        print(_line("all", everything))
    if options.report:
        options.report.write_text(_report(results), encoding="utf-8")
    if options.write:
        record(results)
    return int(any(judgement.outcome == "wrong" for judgement in everything))


def run(name: str, jobs: int, limit: float) -> list[Judgement]:
    """Judge every row of a suite; a row that crashes its worker or takes too long is wrong."""
    suite = rows(name)
    found: dict[int, Judgement] = {}
    for index, result in each(_judging, (name,), range(len(suite)), workers=min(jobs, len(suite)), limit=limit):
        if isinstance(result, Lost):
            result = Judgement(suite[index].id, "wrong", result.reason, result.seconds * 1000)
        found[index] = result
    return [found[index] for index in sorted(found)]


def _judging(name: str) -> Callable[[int], Judgement]:
    suite = rows(name)

    def work(index: int) -> Judgement:
        started = perf_counter()
        try:
            return judge(suite[index])
        except Exception as error:
            spent = (perf_counter() - started) * 1000
            reason = f"raised {type(error).__name__}: {str(error)[:200]}"
            return Judgement(suite[index].id, "wrong", reason, spent)

    return work


def _chosen(name: str, files: list[str]) -> bool:
    return any(name in (file, f"{file}.jsonl", f"{file}.json") or name.startswith(f"{file}/") for file in files)


def _line(name: str, judgements: Sequence[Judgement]) -> str:
    counts = Counter(judgement.outcome for judgement in judgements)
    times = sorted(judgement.milliseconds for judgement in judgements)
    p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
    numbers = "".join(f"{counts[outcome]:>7}" for outcome in OUTCOMES)
    return f"{name:32}{len(judgements):>7}{numbers}{median(times):>9.2f}{p99:>9.1f}{times[-1]:>9.0f}"


def _report(results: dict[str, Sequence[Judgement]]) -> str:
    lines = [
        f"{outcome}\t{name}\t{judgement.id}\t{judgement.milliseconds:.0f} ms\t{judgement.reason}"
        for outcome in ("wrong", "undecided")
        for name, judgements in results.items()
        for judgement in judgements
        if judgement.outcome == outcome
    ]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.exit(main())
