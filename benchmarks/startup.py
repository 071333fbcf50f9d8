"""Measure what a cold `compatgate --version` costs, as a ratio to `python -c pass` in the same run.

    uv run python -m benchmarks.startup [--runs N]

Runs of both are interleaved, so that a busy machine slows both alike; medians are compared. Exit code 1 when the
ratio is above the limit.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

LIMIT = 4.0
BARE = [sys.executable, "-c", "pass"]
#: What pip installs beside the interpreter: the command as a user starts it.
INSTALLED = [str(Path(sys.executable).parent / "compatgate"), "--version"]


def main() -> int:
    """Print both medians and their ratio; 1 when it is above the limit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=21)
    runs = max(3, parser.parse_args().runs)
    bare, version = measure(runs)
    ratio = version / bare
    print(f"python -c pass        {bare * 1000:7.1f} ms   (median of {runs})")
    print(f"compatgate --version  {version * 1000:7.1f} ms")
    print(f"ratio                 {ratio:7.2f} x    (limit {LIMIT:g} x)")
    return int(ratio > LIMIT)


def measure(runs: int) -> tuple[float, float]:
    """Return the median seconds of a bare interpreter and of `compatgate --version`."""
    bare: list[float] = []
    version: list[float] = []
    for command in (BARE, INSTALLED):
        _seconds(command)  # the first start fills caches of the operating system
    for _ in range(runs):
        bare.append(_seconds(BARE))
        version.append(_seconds(INSTALLED))
    return median(bare), median(version)


def _seconds(command: list[str]) -> float:
    started = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())
