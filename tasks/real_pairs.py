"""Give the verdict on all consecutive versions of the published servers, and count.

    uv run python -m tasks.real_pairs [--table PATH] [--record]

`--table` writes a line per package and pair, `--record` writes what the tests expect and the summary in the
documentation, after looking at every difference by hand.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from compatgate.canonical import byte_pin
from compatgate.drift import Options, verdict_of_request
from compatgate.jsonio import Json, loads
from tests.data import PROJECT, find
from tests.diff.snapshots import packages, versions

Model: TypeAlias = Literal["any", "declared"]
MODELS: Final[tuple[Model, ...]] = ("any", "declared")
VERDICTS: Final = ("UNCHANGED", "SAFE_ADDITIVE", "REVIEW", "INCONCLUSIVE", "BREAKING", "SECURITY_REGRESSION")
RECORDED: Final = PROJECT / "tests" / "verdict" / "real_pairs.json"
DOCUMENT: Final = PROJECT / "docs" / "measurements.md"
BEGIN: Final = "<!-- verdicts on published pairs: written by tasks.real_pairs -->"
END: Final = "<!-- end of verdicts on published pairs -->"


@dataclass(frozen=True)
class Pair:
    """Hold what came out for one pair: a verdict a model, and whether a byte pin over all tools would block."""

    package: str
    old: str
    new: str
    verdicts: dict[Model, str]
    blocked: bool
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """Return the name of the pair."""
        return f"{self.package}@{self.old}..{self.new}"

    @property
    def words(self) -> str:
        """Return what is recorded of the pair."""
        return " ".join([*(self.verdicts[model] for model in MODELS), "BLOCK" if self.blocked else "ok"])


def read(path: Path) -> dict[str, Json]:
    """Read one snapshot without the collector's notes."""
    value = loads(path.read_bytes(), source=path.name)
    assert isinstance(value, dict)
    return {name: member for name, member in value.items() if name != "_collect"}


def request(old: dict[str, Json], new: dict[str, Json]) -> dict[str, Json]:
    """Return the request about two snapshots."""
    return {
        "contract_version": "mcp-drift/1",
        "subject": {"server_id": "published"},
        "annotation_source_trust": "untrusted",
        "baseline": old,
        "current": new,
    }


def pins(snapshot: dict[str, Json]) -> dict[str, str]:
    """Return the byte pin of every tool."""
    listed: Any = snapshot["tools"]
    return {tool["name"]: byte_pin(tool) for tool in listed}


def judge(package: str) -> Iterator[tuple[Pair, dict[Model, dict[str, Any]]]]:
    """Yield the consecutive pairs of a package with the answers under both caller models."""
    for old_path, new_path in pairwise(versions(package)):
        old, new = read(old_path), read(new_path)
        answers: dict[Model, dict[str, Any]] = {}
        start = time.perf_counter()
        for model in MODELS:
            answer, status = verdict_of_request(request(old, new), Options(callers=model))
            assert status == 200, (package, old_path.stem, answer)
            answers[model] = answer
        seconds = time.perf_counter() - start
        words = {model: str(answers[model]["verdict"]) for model in MODELS}
        yield Pair(package, old_path.stem, new_path.stem, words, pins(old) != pins(new), seconds), answers


def summary(recorded: dict[str, str]) -> str:
    """Return the summary in Markdown of what was recorded: pair -> its words."""
    rows = [words.split() for words in recorded.values()]
    lines = [
        f"{len(rows)} pairs of consecutive versions of {len({name.rpartition('@')[0] for name in recorded})} published "
        "MCP servers, compared by their tools, hints untrusted. The byte pin blocks a pair when the pin of any tool "
        "changed, came or went.",
        "",
        "| verdict | under `any` | byte pin blocks of these | under `declared` | byte pin blocks of these |",
        "|---|---:|---:|---:|---:|",
    ]
    for verdict in VERDICTS:
        cells = []
        for column in range(len(MODELS)):
            found = [row for row in rows if row[column] == verdict]
            cells += [str(len(found)), str(sum(row[-1] == "BLOCK" for row in found))]
        lines.append(f"| {verdict} | {' | '.join(cells)} |")
    blocked = str(sum(row[-1] == "BLOCK" for row in rows))
    lines.append(f"| all | {len(rows)} | {blocked} | {len(rows)} | {blocked} |")
    return "\n".join(lines) + "\n"


def documented(text: str, part: str) -> str:
    """Return a document with the part between the two marks exchanged, or appended where there are none."""
    section = f"{BEGIN}\n\n{part}\n{END}"
    if BEGIN in text and END in text:
        return text[: text.index(BEGIN)] + section + text[text.index(END) + len(END) :]
    return text.rstrip("\n") + f"\n\n## Verdicts on published servers\n\n{section}\n"


def table(pairs: Iterable[Pair]) -> str:
    """Return the table per package and pair in Markdown."""
    lines = ["| package | from | to | `any` | `declared` | byte pin | seconds |", "|---|---|---|---|---|---|---:|"]
    for pair in pairs:
        words = pair.words.split()
        lines.append(f"| {pair.package} | {pair.old} | {pair.new} | {' | '.join(words)} | {pair.seconds:.2f} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the task."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--table", type=Path)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    if not packages():
        print(f"there is no data at {find()[0]}", file=sys.stderr)
        return 2
    pairs: list[Pair] = []
    categories: Counter[str] = Counter()
    for package in packages():
        for pair, answers in judge(package):
            pairs.append(pair)
            categories.update(f"{f['severity']:<9}{f['category']}" for f in answers["any"]["findings"])
    recorded = {pair.name: pair.words for pair in pairs}
    print(summary(recorded))
    print("\n".join(f"{count:6} {name}" for name, count in sorted(categories.items())))
    print(f"slowest pair, both models: {max(pair.seconds for pair in pairs):.1f} s")
    if options.table:
        options.table.write_text(table(pairs), "utf-8")
    if options.record:
        RECORDED.write_text(json.dumps(recorded, indent=1) + "\n", "utf-8")
        text = DOCUMENT.read_text("utf-8") if DOCUMENT.exists() else "# Measurements\n"
        DOCUMENT.write_text(documented(text, summary(recorded)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
