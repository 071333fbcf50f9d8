"""The list of mutations fits the prover as it stands, and a mutation that breaks something is caught."""

from __future__ import annotations

from collections import Counter

import pytest

from tasks import sabotage
from tasks.mutations import MUTATIONS, Mutation


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[mutation.name for mutation in MUTATIONS])
def test_a_mutation_fits_its_file(mutation: Mutation) -> None:
    text = (sabotage.ROOT / "src" / "compatgate" / mutation.file).read_text(encoding="utf-8")
    broken = sabotage.broken(text, mutation)
    assert broken is not None, "its text is not there exactly once"
    assert broken != text
    compile(broken, mutation.file, "exec")


def test_there_are_enough_and_each_has_its_name() -> None:
    assert len(MUTATIONS) >= 30
    assert not [name for name, count in Counter(mutation.name for mutation in MUTATIONS).items() if count > 1]


def test_a_text_that_is_not_there_once_is_stale() -> None:
    mutation = Mutation("x", "y", "a", "b")
    assert sabotage.broken("a", mutation) == "b"
    assert sabotage.broken("aa", mutation) is None
    assert sabotage.broken("", mutation) is None


def test_what_breaks_is_caught_and_what_breaks_nothing_survives() -> None:
    nothing = "tests/schema/test_nodes.py"
    harmful = next(mutation for mutation in MUTATIONS if mutation.name == "excluded-values-forgotten")
    harmless = Mutation("harmless", harmful.file, harmful.old, harmful.old + "  # the same")
    stale = Mutation("stale", harmful.file, "no such text", "")
    reports = list(sabotage.sabotage([harmful, harmless, stale], [nothing]))
    assert [report.outcome for report in reports] == ["caught", "survived", "stale"]
    assert "test_nodes" in reports[0].by
