"""Ask behind a fence, where every value can be tried: the prover has to say what trying them all says."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compatgate.jsonio import Json
from compatgate.model import Relation
from compatgate.prover import contains, satisfies
from compatgate.prover.inhabit import Prover
from compatgate.prover.outcomes import Empty, Found
from compatgate.prover.validators import compile_pair
from compatgate.schema.nodes import Arena
from compatgate.schema.parse import Parser
from compatgate.schema.references import Document
from tests.drawing.small import FENCES, VALUES, SmallDrawer

DIALECTS = ("draft-04", "draft-06", "draft-07", "2019-09", "2020-12")
#: Below this seed every pair is asked on every run; Hypothesis draws beyond.
SEEDS = 60

bounded = settings(
    max_examples=60,
    deadline=None,  # it would measure the machine
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
worlds = pytest.mark.parametrize("world", FENCES)
dialects = pytest.mark.parametrize("dialect", DIALECTS)


def check(drawer: SmallDrawer) -> None:
    """Compare the prover's answer with what all values say; the judge of a value is a pair of validators."""
    drawn, right = drawer.pair()
    left: Json = {"allOf": [FENCES[drawer.world], drawn]}
    documents = [Document(schema, "", drawer.dialect) for schema in (left, right)]
    pairs = [compile_pair(document) for document in documents]
    verdicts = [(value, *(pair.verdict(value) for pair in pairs)) for value in VALUES[drawer.world]]
    if any("disputed" in found for _, *found in verdicts):
        return  # not a schema on which both validators agree: nobody can judge
    arena = Arena()
    inside, outside = (Parser(arena, document).parse() for document in documents)
    prover = Prover(arena)
    for value, *found in verdicts:
        own = [prover.evaluator.member(schema, value) for schema in (inside, outside)]
        assert own == [verdict == "valid" for verdict in found], (left, right, value)
    apart = [value for value, *found in verdicts if found == ["valid", "invalid"]]
    outcome = prover.inhabit([inside], [outside])
    if apart:
        assert isinstance(outcome, Found), (left, right, apart[0])
        assert outcome.value in apart, (left, right, outcome.value)
    else:
        assert isinstance(outcome, Empty), (left, right, outcome)


@worlds
@dialects
@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_value_has_been_tried(seed: int, dialect: str, world: str) -> None:
    check(SmallDrawer(Random(f"{dialect} {world} {seed}"), world, dialect))


@worlds
@dialects
@bounded
@given(data=st.data())
def test_trying_every_value_finds_nothing_else(data: st.DataObject, dialect: str, world: str) -> None:
    check(SmallDrawer(data.draw(st.randoms(use_true_random=False)), world, dialect))


@worlds
@bounded
@given(random=st.randoms(use_true_random=False))
def test_the_public_face_says_the_same(random: Random, world: str) -> None:
    drawn, right = SmallDrawer(random, world, "2020-12").pair()
    left: Json = {"allOf": [FENCES[world], drawn]}
    apart = [v for v in VALUES[world] if satisfies(left, v) is True and satisfies(right, v) is False]
    answer = contains(left, right)
    if answer.relation is Relation.UNKNOWN:  # only the validators may stand in the way of a witness
        assert answer.reason.startswith("validators-disagree"), answer
        assert apart, (left, right)
    else:
        assert (answer.relation is Relation.PROVEN_NOT_SUBSET) == bool(apart), (left, right)
