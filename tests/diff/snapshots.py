"""Classify all consecutive versions of the published servers and keep what came out, counts only.

`python -m tests.diff.snapshots` writes the expectations anew, after looking at every difference by hand.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from compatgate.diff import SnapshotDiff, classify_snapshots
from compatgate.jsonio import Json
from compatgate.model import Snapshot, Tool
from tests import data

EXPECTED = Path(__file__).with_name("snapshots.json")
MODELS: tuple[Literal["declared", "any"], ...] = ("declared", "any")


def packages() -> list[str]:
    """Return the names of the packages there are; none where the data is absent."""
    directory = data.find()[0] / "snapshots"
    return sorted(path.name for path in directory.iterdir()) if directory.is_dir() else []


def versions(package: str) -> list[Path]:
    """Return the snapshots of a package, oldest first: versions sort as versions, a pre-release before its release."""
    return sorted((data.find()[0] / "snapshots" / package).glob("*.json"), key=lambda path: _order(path.stem))


def load(path: Path) -> Snapshot:
    """Read one snapshot as the collector wrote it."""
    raw = data.loads(path.read_text("utf-8"))
    assert isinstance(raw, dict)
    listed = raw["tools"]
    assert isinstance(listed, list)
    tools = [_tool(item) for item in listed]
    return Snapshot(path.stem, tuple(tools), raw)


def consecutive(package: str) -> Iterator[tuple[str, Snapshot, Snapshot]]:
    """Yield the consecutive versions of a package with a name for the pair."""
    files = versions(package)
    for old, new in itertools.pairwise(files):
        yield f"{package}@{old.stem}..{new.stem}", load(old), load(new)


def status(diff: SnapshotDiff) -> str:
    """Say in one word what came out for a pair."""
    return diff.impact.value.lower() if diff.changes else "unchanged"


def record() -> dict[str, Json]:
    """Classify every pair under both caller models; return one word a pair and the counts."""
    pairs: dict[str, Json] = {}
    counts: dict[str, Counter[str]] = {model: Counter() for model in MODELS}
    for package in packages():
        for name, old, new in consecutive(package):
            words = {model: status(classify_snapshots(old, new, callers=model)) for model in MODELS}
            for model, word in words.items():
                counts[model][word] += 1
            pairs[name] = " ".join(words[model] for model in MODELS)
    totals: dict[str, Json] = {model: {**sorted_counts(counts[model])} for model in MODELS}
    return {"totals": totals, "pairs": pairs}


def sorted_counts(counts: Counter[str]) -> dict[str, int]:
    """Return counts in the order of their names."""
    return dict(sorted(counts.items()))


def expected() -> dict[str, dict[str, str]]:
    """Return what is expected of each pair: its name -> caller model -> one word."""
    pairs = json.loads(EXPECTED.read_text("utf-8"))["pairs"]
    return {name: dict(zip(MODELS, words.split(), strict=True)) for name, words in pairs.items()}


def _tool(item: Json) -> Tool:
    assert isinstance(item, dict)
    return Tool(str(item["name"]), item)


def _order(version: str) -> tuple[tuple[int, ...], bool, list[tuple[int, str]]]:
    match = re.match(r"\d+(\.\d+)*", version)
    numbers = tuple(int(part) for part in match.group().split(".")) if match else ()
    rest = version[match.end() :] if match else version
    parts = [(int(part), "") if part.isdigit() else (-1, part) for part in re.findall(r"\d+|[A-Za-z]+", rest)]
    return numbers, not rest, parts


if __name__ == "__main__":
    EXPECTED.write_text(json.dumps(record(), indent=1) + "\n", "utf-8")
