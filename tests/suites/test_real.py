"""The prover on what real servers published: decided, confirmed, and quick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from tests.conftest import ROWS
from tests.data import need
from tests.suites.real import ask, questions

PARTS = 4
SECONDS = 10.0
#: Questions that the prover does not decide, of all of them; more fail, fewer want this number lowered.
UNDECIDED = 0


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("callers", ["any", "declared"])
def test_every_published_schema_against_itself_and_the_next(
    part: int, callers: str, record_property: Callable[[str, object], None]
) -> None:
    need("snapshots")
    mine = questions()[part::PARTS]
    answers = [ask(question, callers) for question in mine]
    record_property(f"{ROWS}snapshots", len(answers))
    relations = Counter(answer.relation for answer in answers)
    unknown = [f"{answer.names}: {answer.reason}" for answer in answers if answer.relation == "UNKNOWN"]
    slow = [
        f"{answer.names}: {answer.milliseconds:.0f} ms" for answer in answers if answer.milliseconds > SECONDS * 1000
    ]
    refused = [answer.names for answer in answers if answer.refused and callers == "any"]
    strangers = [a.names for a in answers if a.names.endswith("itself") and a.relation == "PROVEN_NOT_SUBSET"]
    assert not refused, "a validator does not confirm the witness"
    assert not slow
    assert not strangers, "a schema that is not in itself"
    assert len(unknown) <= UNDECIDED, "\n".join([str(relations), *unknown])
