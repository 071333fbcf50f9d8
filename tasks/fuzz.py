"""Draw pairs of schemas and look for anything on which prover, validators and a second prover do not agree.

    uv run python -m tasks.fuzz --minutes M --cases DIRECTORY [--seed S] [--jobs N] [--pairs N]

For every pair: the prover's answer; a witness is asked of both validators; values drawn near both schemas try to
refute a proven subset, and compare the prover's own reading of a value with the validators'; a schema is asked
against itself; `covers` of jsonschema-rs is the second prover, of which only a YES counts. What does not fit is
shrunk by deletion and saved as JSON, one file a case. Every pair is a function of the seed and its number.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter

import jsonschema_rs

from compatgate.jsonio import Json, dumps
from compatgate.model import Missing, Relation
from compatgate.prover import Containment, contains, satisfies
from compatgate.prover.validators import compile_pair
from compatgate.schema.references import Document
from tasks.shrinking import shrunk
from tasks.workers import Lost, each
from tests.drawing.places import embedded
from tests.drawing.schemas import Drawer
from tests.drawing.values import DIALECTS

JOB_LIMIT = 60.0
SHRINK_SECONDS = 20.0
CANDIDATES = 25
_DRAFTS = {
    "draft4": jsonschema_rs.Draft4,
    "draft6": jsonschema_rs.Draft6,
    "draft7": jsonschema_rs.Draft7,
    "2019-09": jsonschema_rs.Draft201909,
    "2020-12": jsonschema_rs.Draft202012,
}


@dataclass(frozen=True, slots=True)
class Question:
    """Hold a pair of schemas with the dialects they are meant in."""

    old: Json
    new: Json
    dialects: tuple[str, str]

    @property
    def left(self) -> Document:
        """Return the old schema as a document."""
        return Document(self.old, "", self.dialects[0])

    @property
    def right(self) -> Document:
        """Return the new schema as a document."""
        return Document(self.new, "", self.dialects[1])


@dataclass(slots=True)
class Finding:
    """Hold what does not fit: `kind` says how, `detail` with which value."""

    kind: str
    detail: str
    question: Question


@dataclass(slots=True)
class Result:
    """Hold what came of one pair."""

    relation: str
    milliseconds: float
    unknown: str = ""
    findings: list[Finding] = field(default_factory=list)


def main() -> int:
    """Run the task; 1 when the prover was found wrong, raised, crashed or hung."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--pairs", type=int, default=0, help="stop after so many pairs")
    parser.add_argument("--cases", type=Path, required=True, help="the directory that takes the cases found")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    options.cases.mkdir(parents=True, exist_ok=True)
    counts: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    slowest: list[tuple[float, int]] = []
    until = perf_counter() + options.minutes * 60

    def numbers() -> Iterator[int]:
        number = 0
        while perf_counter() < until and (not options.pairs or number < options.pairs):
            yield number
            number += 1

    for number, result in each(working, (options.seed,), numbers(), workers=options.jobs, limit=JOB_LIMIT):
        counts["pairs"] += 1
        if isinstance(result, Lost):
            question = draw(options.seed, number)
            result = Result("LOST", result.seconds * 1000, findings=[Finding("lost", result.reason, question)])
        counts[result.relation] += 1
        slowest = sorted([*slowest, (result.milliseconds, number)], reverse=True)[:5]
        if result.unknown:
            unknown[result.unknown] += 1
        for finding in result.findings:
            counts[f"! {finding.kind}"] += 1
            _save(options.cases, f"{options.seed}-{number}", finding)
            print(f"{finding.kind}: {options.seed}-{number}: {finding.detail[:200]}", file=sys.stderr, flush=True)
    for name, count in counts.most_common():
        print(f"{count:>9}  {name}")
    print("slowest (ms, number):", ", ".join(f"{spent:.0f} #{number}" for spent, number in slowest))
    for reason, count in unknown.most_common(20):
        print(f"{count:>9}  UNKNOWN: {reason}")
    return int(any(name.startswith("! ") and name != "! oracle" for name in counts))


def draw(seed: str, number: int) -> Question:
    """Draw the pair of this seed and number."""
    random = Random(f"{seed}:{number}")
    dialect = random.choice((*DIALECTS, "2020-12", "2020-12", "2020-12"))
    old, new = Drawer(random, dialect).pair()
    other = random.choice(DIALECTS) if random.random() < 0.05 else dialect
    return Question(old, new, (dialect, other))


def working(seed: str) -> Callable[[int], Result]:
    """Return what a worker does with one number."""

    def work(number: int) -> Result:
        question = draw(seed, number)
        result, findings = examine(question, Random(f"{seed}:{number}:values"))
        for finding in findings:
            small = _smaller(finding, f"{seed}:{number}:values")
            result.findings.append(small)
        return result

    return work


def examine(question: Question, random: Random) -> tuple[Result, list[Finding]]:
    """Ask everybody about a pair, and return the prover's answer and what does not fit."""
    findings: list[Finding] = []

    def found(kind: str, detail: str) -> None:
        if all(finding.kind != kind for finding in findings):
            findings.append(Finding(kind, detail, question))

    left, right = question.left, question.right
    started = perf_counter()
    try:
        answer = contains(left, right)
    except Exception as error:
        found("raised", f"{type(error).__name__}: {error}")
        return Result("RAISED", (perf_counter() - started) * 1000), findings
    result = Result(answer.relation.value, (perf_counter() - started) * 1000)
    judges = (compile_pair(left), compile_pair(right))
    if not isinstance(witness := answer.witness, Missing):
        verdicts = [judge.examine(witness) for judge in judges]
        if [verdict.outcome for verdict in verdicts] != ["valid", "invalid"]:
            found("witness refused", f"{dumps(witness)}: {verdicts}")
        if _covers(question):
            found("oracle", f"covers says YES against {dumps(witness)}")
    elif answer.relation is Relation.UNKNOWN:
        result.unknown = answer.reason[:60]
    narrower = _declared(left, right)
    if not isinstance(narrower, str):
        if answer.relation is Relation.PROVEN_SUBSET and narrower.relation is Relation.PROVEN_NOT_SUBSET:
            found("declared is wider", dumps(_shown(narrower.witness)))
        if not isinstance(narrower.witness, Missing):
            outcomes = [judge.verdict(narrower.witness) for judge in judges]
            if outcomes != ["valid", "invalid"]:
                found("declared witness refused", f"{dumps(narrower.witness)}: {outcomes}")
    else:
        found("declared raised", narrower)
    drawer = Drawer(random, question.dialects[0])
    for value in drawer.candidates(question.old, question.new, CANDIDATES):
        outcomes = [judge.verdict(value) for judge in judges]
        if answer.relation is Relation.PROVEN_SUBSET and outcomes == ["valid", "invalid"]:
            found("not a subset", dumps(value))
        for side, document, outcome in zip(("old", "new"), (left, right), outcomes, strict=True):
            own = _satisfies(document, value)
            if isinstance(own, str):
                found("satisfies raised", f"{side}: {dumps(value)}: {own}")
            elif own is not None and outcome != "disputed" and own != (outcome == "valid"):
                found("read differently", f"{side}: {dumps(value)} is {outcome}, the prover says {own}")
    for side, document in (("old", left), ("new", right)):
        copied = Document(embedded(document.root, "allOf", {"not": {"not": {}}}), "", document.dialect)
        with contextlib.suppress(Exception):
            if contains(document, copied).relation is Relation.PROVEN_NOT_SUBSET:
                found("not in itself", side)
    return result, findings


def _declared(left: Document, right: Document) -> Containment | str:
    try:
        return contains(left, right, callers="declared")
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _shown(witness: Json | Missing) -> Json:
    return None if isinstance(witness, Missing) else witness


def _satisfies(document: Document, value: Json) -> bool | str | None:
    try:
        return satisfies(document, value)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _covers(question: Question) -> bool:
    try:
        old, new = (
            jsonschema_rs.canonicalize(document.root, draft=_DRAFTS[str(document.dialect)], offline=True)  # type: ignore[arg-type]
            for document in (question.left, question.right)
        )
        return bool(new.covers(old) == jsonschema_rs.canonical.Containment.YES)
    except BaseException as error:  # it refuses much, and panics
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        return False


def _smaller(finding: Finding, seed: str) -> Finding:
    best = finding

    def fits(schemas: Json) -> bool:
        nonlocal best
        if not isinstance(schemas, list) or len(schemas) != 2:
            return False
        question = Question(schemas[0], schemas[1], finding.question.dialects)
        for again in examine(question, Random(seed))[1]:
            if again.kind == finding.kind:
                best = again
                return True
        return False

    shrunk([finding.question.old, finding.question.new], fits, SHRINK_SECONDS)
    return best


def _save(directory: Path, name: str, finding: Finding) -> None:
    question = finding.question
    case: dict[str, Json] = {
        "kind": finding.kind,
        "detail": finding.detail,
        "dialects": list(question.dialects),
        "old": question.old,
        "new": question.new,
    }
    path = directory / f"{finding.kind.replace(' ', '-')}-{name}.json"
    path.write_text(dumps(case, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
