"""What must hold of containment whatever the schemas: each test is named after its law."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from compatgate.canonical import value_key
from compatgate.jsonio import Json, dumps, loads
from compatgate.model import Missing, Relation
from compatgate.prover import contains, satisfies
from compatgate.prover.validators import compile_pair
from compatgate.schema.references import Document
from tests.drawing.places import embedded
from tests.drawing.schemas import Drawer
from tests.drawing.values import DIALECTS
from tests.strategies import drawers

SUBSET, NOT_SUBSET, UNKNOWN = Relation.PROVEN_SUBSET, Relation.PROVEN_NOT_SUBSET, Relation.UNKNOWN

laws = settings(
    max_examples=150,
    deadline=None,  # it would measure the machine
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
dialects = pytest.mark.parametrize("dialect", DIALECTS)


@dialects
@laws
@given(data=st.data())
def test_containment_is_reflexive(dialect: str, data: st.DataObject) -> None:
    schema = data.draw(drawers(dialect)).document()
    left = Document(schema, "", dialect)
    assert contains(left, left).relation is SUBSET
    # In other words, so that equal texts are no answer.
    other = Document(embedded(schema, "allOf", {}), "", dialect)
    assert contains(left, other).relation is not NOT_SUBSET
    assert contains(other, left).relation is not NOT_SUBSET


@laws
@given(drawer=drawers())
def test_containment_is_transitive_where_proven(drawer: Drawer) -> None:
    first, second = drawer.pair()
    third = drawer.edit(loads(dumps(second)))
    assume(contains(first, second).relation is SUBSET)
    assume(contains(second, third).relation is SUBSET)
    assert contains(first, third).relation is not NOT_SUBSET


@dialects
@laws
@given(data=st.data())
def test_adding_a_constraint_can_only_narrow(dialect: str, data: st.DataObject) -> None:
    drawer = data.draw(drawers(dialect))
    schema, constraint = drawer.schema(3), drawer.schema(2)
    narrowed = Document({"allOf": [schema, constraint]}, "", dialect)
    answer = contains(narrowed, Document(schema, "", dialect))
    assert answer.relation is not NOT_SUBSET, answer


@dialects
@laws
@given(data=st.data())
def test_adding_an_alternative_can_only_widen(dialect: str, data: st.DataObject) -> None:
    drawer = data.draw(drawers(dialect))
    schema, alternative = drawer.schema(3), drawer.schema(2)
    widened = Document({"anyOf": [alternative, schema]}, "", dialect)
    answer = contains(Document(schema, "", dialect), widened)
    assert answer.relation is not NOT_SUBSET, answer


@dialects
@laws
@given(data=st.data())
def test_a_witness_is_valid_left_and_invalid_right(dialect: str, data: st.DataObject) -> None:
    old, new = data.draw(drawers(dialect)).pair()
    left, right = Document(old, "", dialect), Document(new, "", dialect)
    answer = contains(left, right)
    assert (answer.relation is NOT_SUBSET) == (not isinstance(answer.witness, Missing))
    if not isinstance(answer.witness, Missing):
        assert compile_pair(left).verdict(answer.witness) == "valid"
        assert compile_pair(right).verdict(answer.witness) == "invalid"


@dialects
@laws
@given(data=st.data())
def test_a_proven_subset_has_no_counterexample(dialect: str, data: st.DataObject) -> None:
    drawer = data.draw(drawers(dialect))
    old, new = drawer.pair()
    left, right = Document(old, "", dialect), Document(new, "", dialect)
    assume(contains(left, right).relation is SUBSET)
    judges = compile_pair(left), compile_pair(right)
    for value in drawer.candidates(old, new, 10):
        assert [judge.verdict(value) for judge in judges] != ["valid", "invalid"], value


@dialects
@laws
@given(data=st.data())
def test_the_prover_reads_a_value_as_both_validators_do(dialect: str, data: st.DataObject) -> None:
    drawer = data.draw(drawers(dialect))
    schema = drawer.document()
    document = Document(schema, "", dialect)
    judge = compile_pair(document)
    for value in drawer.candidates(schema, schema, 5):
        own, outcome = satisfies(document, value), judge.verdict(value)
        assert own is None or outcome == "disputed" or own == (outcome == "valid"), value


@laws
@given(drawer=drawers())
def test_the_same_question_has_the_same_answer(drawer: Drawer) -> None:
    old, new = drawer.pair()
    first, second = contains(old, new), contains(loads(dumps(old)), loads(dumps(new)))
    assert (first.relation, first.steps) == (second.relation, second.steps)
    if not isinstance(first.witness, Missing) and not isinstance(second.witness, Missing):
        assert value_key(first.witness) == value_key(second.witness)


decimals = st.builds(
    lambda digits, exponent: Decimal(digits).scaleb(exponent), st.integers(-(10**12), 10**12), st.integers(-30, 30)
)
numbers: st.SearchStrategy[Json] = st.one_of(st.integers(-(10**40), 10**40), decimals)


@laws
@given(first=numbers, second=numbers)
def test_numbers_are_compared_exactly(first: int | Decimal, second: int | Decimal) -> None:
    at_most: list[Json] = [{"type": "number", "maximum": limit} for limit in (first, second)]
    relation = contains(at_most[0], at_most[1]).relation
    assert relation is SUBSET if first <= second else relation in (NOT_SUBSET, UNKNOWN)
    same = contains({"const": first}, {"const": second}).relation
    assert same is SUBSET if first == second else same in (NOT_SUBSET, UNKNOWN)


@laws
@given(first=st.integers(1, 10**6), second=st.integers(1, 10**6), places=st.integers(0, 6))
def test_multiples_are_exact(first: int, second: int, places: int) -> None:
    scale = Decimal(1).scaleb(-places)
    answer = contains({"type": "number", "multipleOf": first * scale}, {"multipleOf": second * scale})
    assert (answer.relation is SUBSET) == (first % second == 0), answer
