"""Find the data that tests and measurements read; it is never part of the project.

`COMPATGATE_DATA` names the directory; set and missing is an error. Unset (or empty), it is `../shared/data`
beside the project, and where that is missing too, tests that need it are skipped with a plain reason.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Literal, NoReturn

import pytest

from compatgate.jsonio import Json

PROJECT = Path(__file__).resolve().parent.parent
VARIABLE = "COMPATGATE_DATA"
SKIPPED = "the data is not here"

Truth = Literal["subset", "not_subset", "equivalent"]
_TRUTHS: dict[str, Truth] = {
    "subset": "subset",
    "not_subset": "not_subset",
    "equivalent": "equivalent",
    "compatible": "subset",
    "breaking": "not_subset",
}


@dataclass(frozen=True, slots=True)
class Row:
    """Hold one question of a suite: is `old` contained in `new`? `dialect` is meant where `$schema` is missing."""

    suite: str
    id: str
    old: Json
    new: Json
    truth: Truth
    dialect: str = "2020-12"
    has_witness: bool = False
    witness: Json = None
    unknown_ok: bool = False
    open_object: bool = False


def find() -> tuple[Path, bool]:
    """Return the directory of the data and whether it was asked for by the environment."""
    named = os.environ.get(VARIABLE, "")
    return (Path(named), True) if named else (PROJECT.parent / "shared" / "data", False)


def need(part: str = "") -> Path:
    """Return a part of the data; fail the test where it was asked for and is missing, else skip it."""
    directory, asked_for = find()
    path = directory / part
    if path.exists():
        return path
    if asked_for:
        missing(f"{VARIABLE}={directory}, but there is no {path}")
    pytest.skip(f"{SKIPPED}: no {path} (set {VARIABLE})")


def missing(what: str) -> NoReturn:
    """Fail the running test because data that was asked for is not there."""
    pytest.fail(what, pytrace=False)


def loads(text: str) -> Json:
    """Read JSON with exact numbers and nothing refused: the suites hold what strict input refuses."""
    value: Json = json.loads(text, parse_float=Decimal)
    return value


@cache
def rows(name: str) -> tuple[Row, ...]:
    """Return the rows of a suite: `pairs/basic.json` or `hard.jsonl`, in the order of the file."""
    directory, _ = find()
    if name.startswith("pairs/"):
        return tuple(_pair(name, item) for item in _list(loads((directory / name).read_text("utf-8"))))
    with (directory / "containment" / name).open(encoding="utf-8") as lines:
        return tuple(_row(name, loads(line)) for line in lines)


def suites() -> Iterator[str]:
    """Yield the names of all suites there are, the small ones first."""
    directory, _ = find()
    yield from (f"pairs/{path.name}" for path in sorted((directory / "pairs").glob("*.json")))
    yield from (path.name for path in sorted((directory / "containment").glob("*.jsonl"), key=_size))


def _size(path: Path) -> int:
    return path.stat().st_size


def _row(suite: str, item: Json) -> Row:
    assert isinstance(item, dict)
    return Row(
        suite=suite,
        id=str(item["id"]),
        old=item["old"],
        new=item["new"],
        truth=_TRUTHS[str(item["truth"])],
        dialect=str(item["dialect"]),
        has_witness="witness" in item,
        witness=item.get("witness"),
        unknown_ok=item.get("unknown_ok") is True,
    )


def _pair(suite: str, item: Json) -> Row:
    assert isinstance(item, dict)
    return Row(
        suite=suite,
        id=str(item["id"]),
        old=item["old"],
        new=item["new"],
        truth=_TRUTHS[str(item["truth"])],
        has_witness="witness" in item,
        witness=item.get("witness"),
        open_object="open-object" in _list(item.get("tags", [])),
    )


def _list(value: Json) -> list[Json]:
    assert isinstance(value, list)
    return value
