"""Ask about the schemas that real servers published: each against itself and against the next version's."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter

from compatgate.jsonio import Json
from compatgate.model import Missing, Relation
from compatgate.prover import contains
from compatgate.prover.validators import compile_pair
from compatgate.schema.references import Document
from tests.data import find, loads
from tests.drawing.places import embedded
from tests.drawing.schemas import Drawer


@dataclass(frozen=True, slots=True)
class Question:
    """Hold a sender's and a receiver's schema; `names` says where they come from."""

    names: str
    left: Json
    right: Json


@dataclass(frozen=True, slots=True)
class Answered:
    """Hold what came of one question; `refused` is set when a validator does not confirm the witness."""

    names: str
    relation: str
    milliseconds: float
    reason: str
    refused: bool


@cache
def questions() -> tuple[Question, ...]:
    """Return every question once: schemas that are alike in text are one."""
    found: dict[str, Question] = {}
    for names, left, right in _all():
        found.setdefault(json.dumps([left, right], sort_keys=True, default=str), Question(names, left, right))
    return tuple(found.values())


@cache
def edits(each: int) -> tuple[Question, ...]:
    """Return every schema against seeded random edits of itself, both ways round."""
    found: list[Question] = []
    schemas = {json.dumps(left, sort_keys=True, default=str): (names, left) for names, left, _ in _all()}
    for text, (names, schema) in schemas.items():
        drawer = Drawer(Random(text))
        for number in range(each):
            edited = drawer.edit(copy.deepcopy(schema))
            found.append(Question(f"{names}, edit {number}", schema, edited))
            found.append(Question(f"{names}, edit {number} undone", edited, schema))
    return tuple(found)


def ask(question: Question, callers: str = "any") -> Answered:
    """Ask the prover, and both validators about its witness."""
    left, right = Document(question.left), Document(question.right)
    started = perf_counter()
    answer = contains(left, right, callers="declared" if callers == "declared" else "any")
    spent = (perf_counter() - started) * 1000
    refused = False
    if not isinstance(answer.witness, Missing):
        verdicts = compile_pair(left).verdict(answer.witness), compile_pair(right).verdict(answer.witness)
        refused = verdicts != ("valid", "invalid")
    reason = answer.reason if answer.relation is Relation.UNKNOWN else ""
    return Answered(
        question.names, answer.relation.value, spent, f"{reason} at {answer.path}" if reason else "", refused
    )


def _all() -> Iterator[tuple[str, Json, Json]]:
    for package in sorted(path for path in (find()[0] / "snapshots").iterdir() if path.is_dir()):
        before: dict[tuple[str, str], Json] = {}
        for path in sorted(package.glob("*.json"), key=version):
            now = dict(_schemas(path))
            for key, schema in now.items():
                names = f"{package.name}/{path.stem} {key[0]} {key[1]}"
                # In other words, so that equal texts are no answer.
                yield f"{names}: itself", schema, embedded(schema, "allOf", {"not": {"not": {}}})
                if key in before and before[key] != schema:
                    yield f"{names}: old in new", before[key], schema
                    yield f"{names}: new in old", schema, before[key]
            before = now


def _schemas(path: Path) -> Iterator[tuple[tuple[str, str], Json]]:
    snapshot = loads(path.read_text("utf-8"))
    assert isinstance(snapshot, dict)
    tools = snapshot["tools"]
    assert isinstance(tools, list)
    for tool in tools:
        assert isinstance(tool, dict)
        for side in ("inputSchema", "outputSchema"):
            if isinstance(tool.get(side), dict):
                yield (str(tool["name"]), side), tool[side]


def version(path: Path) -> tuple[tuple[int, str], ...]:
    """Order the names of snapshot files as versions: 0.10 after 0.9, a pre-release before its release."""
    stem = path.stem
    parts = [(int(part), "") if part.isdigit() else (-1, part) for part in re.findall(r"\d+|[A-Za-z]+", stem)]
    return (*parts, (0, ""))
