"""Break one rule of the prover at a time, and see that the tests notice.

    uv run python -m tasks.sabotage [--jobs N] [--only NAME…] [--thorough] [--list]

Every mutation is applied to a copy of the project in a temporary directory, never to the work tree; then the tests
that ought to catch it run there, until the first failure. `--thorough` runs the whole of `tests/prover`,
`tests/schema` and the laws, and not the fast ones alone. Exits 1 where a mutation survived, 2 where one no longer
fits the text it changes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

from tasks.mutations import MUTATIONS, Mutation

ROOT: Final = Path(__file__).resolve().parent.parent
#: Cheapest first: most mutations fall to the catalogue of witnesses within a few seconds.
FAST: Final = (
    "tests/prover/test_minimal_witnesses.py",
    "tests/prover/test_inhabit.py",
    "tests/prover/test_search.py",
    "tests/prover/test_recursion.py",
    "tests/prover/test_numbers.py",
    "tests/prover/test_arrays.py",
    "tests/prover/test_objects.py",
    "tests/prover/test_senders.py",
    "tests/schema",
    "tests/prover/test_brute_force.py",
)
THOROUGH: Final = ("tests/prover", "tests/schema", "tests/test_laws.py")
#: A mutant that makes the prover run in circles is caught by the clock.
SECONDS: Final = 300.0
#: What is copied: everything a test run needs, nothing that is made by one.
COPIED: Final = ("src", "tests", "tasks", "pyproject.toml", "README.md")


@dataclass(frozen=True, slots=True)
class Report:
    """Say what became of one mutation: caught (by which test), survived, or without a place to break."""

    mutation: Mutation
    outcome: str
    by: str
    seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the task; returns its exit code."""
    parser = argparse.ArgumentParser(prog="sabotage", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=1, help="mutations tried at a time")
    parser.add_argument("--only", nargs="*", default=(), metavar="NAME", help="only these mutations")
    parser.add_argument("--thorough", action="store_true", help="all tests of the prover, not the fast ones alone")
    parser.add_argument("--list", action="store_true", help="name the mutations and end")
    options = parser.parse_args(arguments)
    chosen = [mutation for mutation in MUTATIONS if not options.only or mutation.name in options.only]
    if options.list:
        print("\n".join(f"{mutation.name:32} {mutation.file}" for mutation in chosen))
        return 0
    tests = [test for test in (THOROUGH if options.thorough else FAST) if (ROOT / test).exists()]
    reports = list(_shown(sabotage(chosen, tests, options.jobs)))
    counts = {outcome: sum(r.outcome == outcome for r in reports) for outcome in ("caught", "survived", "stale")}
    print(f"{len(reports)} mutations: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return 2 if counts["stale"] else 1 if counts["survived"] else 0


def sabotage(mutations: Iterable[Mutation], tests: Sequence[str], jobs: int = 1) -> Iterator[Report]:
    """Yield a report for each mutation, in their order; the unbroken copy has to pass first."""
    with tempfile.TemporaryDirectory(prefix="sabotage-") as scratch:
        sound = _copy(ROOT, Path(scratch), "sound")  # once: the work tree may change meanwhile
        failed = _run(sound, tests)
        if failed:
            raise SystemExit(f"the tests fail without any sabotage: {failed}")
        with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
            yield from pool.map(lambda mutation: _try(Path(scratch), mutation, tests), mutations)


def broken(text: str, mutation: Mutation) -> str | None:
    """Return the text with the mutation in it, or None where its place is not there exactly once."""
    return text.replace(mutation.old, mutation.new) if text.count(mutation.old) == 1 else None


def _shown(reports: Iterable[Report]) -> Iterator[Report]:
    for report in reports:
        by = f"  {report.by}" if report.by else ""
        print(f"{report.outcome:9} {report.seconds:6.1f} s  {report.mutation.name}{by}", flush=True)
        yield report


def _try(scratch: Path, mutation: Mutation, tests: Sequence[str]) -> Report:
    started = perf_counter()
    home = _copy(scratch / "sound", scratch, mutation.name)
    try:
        file = home / "src" / "compatgate" / mutation.file
        text = broken(file.read_text(encoding="utf-8"), mutation)
        if text is None:
            return Report(mutation, "stale", "its text is not there exactly once", perf_counter() - started)
        file.write_text(text, encoding="utf-8")
        failed = _run(home, tests)
        return Report(mutation, "caught" if failed else "survived", failed, perf_counter() - started)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _copy(project: Path, scratch: Path, name: str) -> Path:
    home = scratch / name
    home.mkdir()
    for part in COPIED:
        source = project / part
        if source.is_dir():
            shutil.copytree(source, home / part, ignore=shutil.ignore_patterns("__pycache__", ".hypothesis"))
        elif source.exists():
            shutil.copy(source, home / part)
    return home


def _run(home: Path, tests: Sequence[str]) -> str:
    """Run tests in a copy; returns the first failure, or nothing where all pass."""
    environment = {**os.environ, "PYTHONPATH": str(home / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"no end within {SECONDS:.0f} s"
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return (lines or [done.stdout.strip().rpartition("\n")[2] or "no output"])[0][:160]


if __name__ == "__main__":
    raise SystemExit(main())
