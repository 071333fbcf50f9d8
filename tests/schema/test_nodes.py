"""The normal form: equal parts are one object, and what is joined means what its parts mean together."""

from __future__ import annotations

from itertools import combinations

import pytest

from compatgate.jsonio import Json
from compatgate.prover.inhabit import Prover
from compatgate.schema.assertions import finite_schema
from compatgate.schema.nodes import (
    ARRAY,
    BOOLEAN,
    MAX_NESTING,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Arena,
    Formula,
    TooDeepError,
)

VALUES: list[Json] = [0, 1, 2, 3, 4]


def numbers(arena: Arena, *values: int) -> Formula:
    return finite_schema(arena, [*values]).worlds[NUMBER]


def members(arena: Arena, formula: Formula) -> set[Json]:
    evaluator = Prover(arena).evaluator
    return {value for value in VALUES if evaluator.holds(formula, value)}


def test_equal_parts_are_one_object() -> None:
    arena = Arena()
    assert arena.at_least("length", 3) is arena.at_least("length", 3)
    assert arena.at_least("length", 3) is not arena.at_least("count", 3)
    assert numbers(arena, 1, 2) is numbers(arena, 2, 1)
    one, two = arena.at_least("size", 1), arena.at_least("size", 2)
    assert arena.conjunction((one, two)) is arena.conjunction((two, one, two))
    assert arena.types(STRING, NULL) is arena.types(NULL, STRING)


def test_negation_is_its_own_inverse() -> None:
    arena = Arena()
    formula = arena.conjunction((arena.at_least("size", 1), arena.neg(arena.at_least("size", 4))))
    assert arena.neg(arena.neg(formula)) is formula
    schema = arena.only(OBJECT, formula)
    assert arena.without(arena.without(schema)) is schema


def test_de_morgan() -> None:
    arena = Arena()
    one, two = arena.at_least("size", 1), arena.atom("pattern", "a", ("a", ""))
    assert arena.neg(arena.conjunction((one, two))) is arena.disjunction((arena.neg(one), arena.neg(two)))
    assert arena.neg(arena.disjunction((one, two))) is arena.conjunction((arena.neg(one), arena.neg(two)))


def test_what_excludes_itself_is_false_and_what_leaves_nothing_out_is_true() -> None:
    arena = Arena()
    one = arena.at_least("size", 1)
    assert arena.conjunction((one, arena.neg(one))) is arena.false
    assert arena.disjunction((one, arena.neg(one))) is arena.true
    assert arena.conjunction(()) is arena.true
    assert arena.disjunction(()) is arena.false


SETS = [(0, 1, 2), (1, 2, 3), (0, 2, 4), (2, 3)]


@pytest.mark.parametrize("chosen", [c for size in (1, 2, 3, 4) for c in combinations(SETS, size)])
@pytest.mark.parametrize("excluded", [(), ((2,),), ((0, 1), (3,))])
def test_finite_sets_meet_and_join(chosen: tuple[tuple[int, ...], ...], excluded: tuple[tuple[int, ...], ...]) -> None:
    arena = Arena()
    plain = [numbers(arena, *values) for values in chosen]
    without = [arena.neg(numbers(arena, *values)) for values in excluded]
    inside = [set(values) for values in chosen] + [set(range(5)) - set(values) for values in excluded]
    assert members(arena, arena.conjunction((*plain, *without))) == set.intersection(*inside)
    assert members(arena, arena.disjunction((*plain, *without))) == set.union(*inside)


def test_values_are_kept_apart_by_type() -> None:
    arena = Arena()
    schema = finite_schema(arena, [1, True, "1", None, [1], {"1": 1}])
    assert all(world is not arena.false for world in schema.worlds)
    assert schema.worlds[NULL] is arena.true
    assert finite_schema(arena, [True]).worlds[NUMBER] is arena.false
    assert finite_schema(arena, [1]).worlds[BOOLEAN] is arena.false
    assert finite_schema(arena, [True, False]).worlds[BOOLEAN] is arena.true
    true, false = (finite_schema(arena, [value]).worlds[BOOLEAN] for value in (True, False))
    assert arena.neg(true) is false


def test_atoms_that_say_nothing_are_true() -> None:
    arena = Arena()
    assert arena.at_least("length", 0) is arena.true
    assert arena.forall(arena.names("a"), arena.anything) is arena.true
    assert arena.forall(arena.false, arena.nothing) is arena.true
    assert arena.each(2, 2, arena.nothing) is arena.true
    assert arena.contains(0, arena.types(STRING)) is arena.true
    assert arena.contains(1, arena.nothing) is arena.false


def test_forbidden_items_bound_the_length() -> None:
    arena = Arena()
    assert arena.each(2, None, arena.nothing) is arena.neg(arena.at_least("count", 3))
    assert arena.each(2, 3, arena.nothing) is arena.neg(arena.at_least("count", 3))
    assert arena.contains(2, arena.anything) is arena.at_least("count", 2)


def test_a_keyword_that_cannot_matter_vanishes() -> None:
    arena = Arena()
    whole = arena.both((arena.types(NUMBER), arena.only(NUMBER, arena.atom("multiple", 1, 1))))
    assert arena.both((whole, arena.only(STRING, arena.at_least("length", 5)))) is whole
    assert arena.either((arena.types(ARRAY), arena.types(STRING))) is arena.types(STRING, ARRAY)


def test_nesting_in_place_has_a_limit() -> None:
    arena = Arena()
    formula = arena.at_least("size", 1)
    for depth in range(MAX_NESTING):
        join = arena.conjunction if depth % 2 else arena.disjunction
        formula = join((formula, arena.at_least("size", depth + 2)))
    assert formula.depth == MAX_NESTING
    with pytest.raises(TooDeepError):
        arena.disjunction((formula, arena.at_least("size", MAX_NESTING + 2)))
