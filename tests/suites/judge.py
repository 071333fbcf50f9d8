"""Judge the prover's answer to one row of a suite: right, wrong, or undecided."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, TypeAlias

from compatgate.jsonio import Json, dumps
from compatgate.model import Relation
from compatgate.prover.validators import compile_pair
from compatgate.schema.references import Document
from tests.data import Row

Outcome: TypeAlias = Literal["right", "wrong", "undecided"]
OUTCOMES: tuple[Outcome, ...] = ("right", "wrong", "undecided")
Prove: TypeAlias = Callable[[Document, Document, str], Any]
"""Answers `contains(left, right, callers=...)` with `.relation`, `.witness`, `.reason`, `.path`."""

EXPECTED = Path(__file__).with_name("expected.json")
WAIVERS = Path(__file__).with_name("waivers.json")


@dataclass(frozen=True, slots=True)
class Judgement:
    """Hold what came of one row; milliseconds are of the prover alone."""

    id: str
    outcome: Outcome
    reason: str
    milliseconds: float


def prove(left: Document, right: Document, callers: str) -> Any:
    """Ask the prover."""
    from compatgate.prover import contains

    return contains(left, right, callers="declared" if callers == "declared" else "any")


def judge(row: Row, prove: Prove = prove) -> Judgement:
    """Ask every question of a row: `equivalent` is two, an open object is asked under both caller models."""
    old = Document(row.old, "", row.dialect)
    new = Document(row.new, "", row.dialect)
    refuted = waivers(row.suite).get(row.id, {}).get("refutes")
    questions = [(old, new, "any", row.truth != "not_subset" and refuted != "old in new")]
    if row.truth == "equivalent":
        questions.append((new, old, "any", refuted != "new in old"))
    if row.open_object:
        questions.append((old, new, "declared", True))
    outcomes: set[Outcome] = set()
    reasons: list[str] = []
    spent = 0.0
    for left, right, callers, contained in questions:
        started = perf_counter()
        answer = prove(left, right, callers)
        spent += perf_counter() - started
        outcome, reason = _outcome(answer, left, right, contained)
        outcomes.add(outcome)
        if reason:
            reasons.append(reason if len(questions) == 1 else f"{callers} {'<=' if left is old else '>='}: {reason}")
    worst: Outcome = "wrong" if "wrong" in outcomes else "undecided" if "undecided" in outcomes else "right"
    return Judgement(row.id, worst, "; ".join(reasons), spent * 1000)


def _outcome(answer: Any, left: Document, right: Document, contained: bool) -> tuple[Outcome, str]:
    if answer.relation == Relation.PROVEN_SUBSET:
        return ("right", "") if contained else ("wrong", "said to be contained, and is not")
    if answer.relation != Relation.PROVEN_NOT_SUBSET:
        return "undecided", f"{answer.reason} at {answer.path or '/'}"
    first = compile_pair(left).examine(answer.witness)
    second = compile_pair(right).examine(answer.witness)
    if (first.outcome, second.outcome) == ("valid", "invalid"):
        return ("right", "") if not contained else ("wrong", f"said not to be contained: {_short(answer.witness)}")
    said = f"{first.outcome} {first.reason} / {second.outcome} {second.reason}"
    return "wrong", f"witness {_short(answer.witness)} is refused: {said}"


def _short(value: Json) -> str:
    text = dumps(value)
    return text if len(text) <= 120 else text[:117] + "..."


@cache
def waivers(suite: str) -> dict[str, dict[str, Json]]:
    """Return the rows of a suite whose label is wrong, each with the value that refutes it; a test shows that.

    `value_at` points into the row where the value stands there already.
    """
    recorded: dict[str, dict[str, dict[str, Json]]] = json.loads(WAIVERS.read_text("utf-8"))
    return recorded.get(suite, {})


# -- what is expected --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Expected:
    """Hold the recorded result of one suite: counts, and by name the rows that are not right.

    `once` names rows that were undecided or wrong at some time: they stay in the sample for good.
    """

    rows: int = 0
    right: int = 0
    wrong: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    once: tuple[str, ...] = ()

    def of(self, identifier: str) -> Outcome:
        """Return what is expected of one row."""
        if identifier in self.wrong:
            return "wrong"
        return "undecided" if identifier in self.undecided else "right"


@cache
def expectations() -> dict[str, Expected]:
    """Return what is recorded, by the name of the suite."""
    if not EXPECTED.exists():
        return {}
    recorded = json.loads(EXPECTED.read_text("utf-8"))
    return {
        name: Expected(
            entry["rows"], entry["right"], *(tuple(entry.get(key, ())) for key in ("wrong", "undecided", "once"))
        )
        for name, entry in recorded.items()
    }


def record(results: dict[str, Sequence[Judgement]]) -> None:
    """Write down the results of whole suites; suites that were not run keep what is recorded."""
    kept = dict(expectations())
    for name, judgements in results.items():
        ids = {outcome: [j.id for j in judgements if j.outcome == outcome] for outcome in OUTCOMES}
        before = kept.get(name, Expected())
        once = sorted({*before.once, *before.wrong, *before.undecided} - {*ids["wrong"], *ids["undecided"]})
        kept[name] = Expected(
            len(judgements), len(ids["right"]), tuple(ids["wrong"]), tuple(ids["undecided"]), tuple(once)
        )
    entries = {
        name: {
            "rows": entry.rows,
            "right": entry.right,
            **{key: list(getattr(entry, key)) for key in ("wrong", "undecided", "once") if getattr(entry, key)},
        }
        for name, entry in sorted(kept.items())
    }
    EXPECTED.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    expectations.cache_clear()


# -- the sample that every run judges ----------------------------------------------------------------

SEED = "compatgate"
#: Rows of each file that every run judges; files without an entry are judged whole.
QUOTAS = {
    "jsts_const.jsonl": 700,
    "jsts_inverse.jsonl": 700,
    "jsts_const_optional.jsonl": 200,
    "fruth_containment.jsonl": 1200,
    "witgen_containment.jsonl": 400,
    "witgen_tricky.jsonl": 150,
    "witgen_issta.jsonl": 120,
    "ibm_tests.jsonl": 250,
    "jrs_canonical.jsonl": 400,
}


def sample(name: str, rows: Iterable[Row]) -> list[Row]:
    """Return the rows of a suite that every run judges: a fixed draw, and all that once were not right."""
    rows = list(rows)
    if name not in QUOTAS:
        return rows
    drawn = {row.id for row in sorted(rows, key=lambda row: sha256((SEED + row.id).encode()).digest())[: QUOTAS[name]]}
    expected = expectations().get(name, Expected())
    drawn.update(expected.wrong, expected.undecided, expected.once)
    return [row for row in rows if row.id in drawn]
