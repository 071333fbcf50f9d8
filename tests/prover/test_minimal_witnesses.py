"""The smallest witness, exactly, for a catalogue of questions.

Smallest means: fewest values, then fewest characters, then nearest to zero; a declared name before an invented one.
The catalogue is `minimal_witnesses.json`, by family.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from compatgate.canonical import value_key
from compatgate.jsonio import Json, dumps, loads
from compatgate.model import Missing, Relation
from compatgate.prover import contains
from compatgate.prover.containment import separate
from compatgate.prover.validators import compile_pair
from compatgate.schema.dialects import ASSERTING
from compatgate.schema.references import Document

CATALOGUE = loads((Path(__file__).parent / "minimal_witnesses.json").read_bytes())
assert isinstance(CATALOGUE, dict)

#: Keywords that no witness can be about: formats assert nothing unless asked.
SILENT = {"format"}


def cases() -> Iterator[tuple[str, Json, Json, Json]]:
    """Yield every case with its name."""
    assert isinstance(CATALOGUE, dict)
    for family, listed in CATALOGUE.items():
        assert isinstance(listed, list)
        for number, case in enumerate(listed, 1):
            assert isinstance(case, dict)
            yield f"{family} {number}", case["left"], case["right"], case["witness"]


CASES = list(cases())
every_case = pytest.mark.parametrize(("left", "right", "witness"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])


def keywords(value: Json) -> set[str]:
    """Collect every name in a document: more than its keywords, never less."""
    if isinstance(value, dict):
        return set(value).union(*map(keywords, value.values()))
    return set[str]().union(*map(keywords, value)) if isinstance(value, list) else set()


def test_the_catalogue_speaks_of_every_keyword() -> None:
    assert len(CASES) >= 60
    named = set[str]().union(*(keywords(left) | keywords(right) for _, left, right, _ in CASES))
    assert ASSERTING - SILENT - named == set()


def test_no_question_is_asked_twice() -> None:
    assert len({dumps([left, right], sort_keys=True) for _, left, right, _ in CASES}) == len(CASES)


@every_case
def test_the_witness_is_the_smallest(left: Json, right: Json, witness: Json) -> None:
    answer = contains(left, right)
    assert answer.relation is Relation.PROVEN_NOT_SUBSET, answer
    assert not isinstance(answer.witness, Missing)
    assert not any("bug" in note for note in answer.notes), "found by trying values, not by the prover"
    assert value_key(answer.witness) == value_key(witness), answer.witness


@every_case
def test_the_expected_value_is_a_witness(left: Json, right: Json, witness: Json) -> None:
    assert compile_pair(Document(left)).verdict(witness) == "valid"
    assert compile_pair(Document(right)).verdict(witness) == "invalid"


def smaller(witness: Json) -> Json | None:
    """Return a schema of what is plainly smaller than this value, None where nothing is."""
    if isinstance(witness, dict):
        return {"type": "object", "maxProperties": len(witness) - 1} if witness else None
    if isinstance(witness, list):
        return {"type": "array", "maxItems": len(witness) - 1} if witness else None
    if isinstance(witness, str):
        return {"type": "string", "maxLength": len(witness) - 1} if witness else None
    if isinstance(witness, int) and not isinstance(witness, bool) and witness:
        return {"type": "integer", "exclusiveMinimum": -abs(witness), "exclusiveMaximum": abs(witness)}
    return None


@pytest.mark.parametrize(
    ("left", "right", "less"),
    [(left, right, smaller(witness)) for _, left, right, witness in CASES if smaller(witness) is not None],
    ids=[name for name, _, _, witness in CASES if smaller(witness) is not None],
)
def test_nothing_smaller_is_a_witness(left: Json, right: Json, less: Json) -> None:
    assert separate([left, less], [right]).relation is Relation.PROVEN_SUBSET
