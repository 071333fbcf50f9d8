"""The number world: bounds, multiples and their exclusions, exact at every size."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import isqrt, prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compatgate.prover import numbers
from compatgate.prover.budget import Budget, Meter
from compatgate.prover.numbers import least_common_multiple, solve_numbers, to_json
from compatgate.prover.outcomes import Found, Refuted, Unknown
from compatgate.schema.assertions import finite_schema
from compatgate.schema.nodes import NUMBER, Arena, Formula
from tests.prover.asking import said, table, witness

NUM = {"type": "number"}
INT = {"type": "integer"}

CONTAINED: dict[str, tuple[Any, Any, str]] = {
    "a stricter bound": ({**NUM, "minimum": 1}, {**NUM, "minimum": 0}, "in"),
    "open in closed": ({**NUM, "exclusiveMinimum": 0}, {**NUM, "minimum": 0}, "in"),
    "closed in open": ({**NUM, "minimum": 0}, {**NUM, "exclusiveMinimum": 0}, "out"),
    "whole numbers skip gaps": ({**INT, "exclusiveMinimum": 0}, {**INT, "minimum": 1}, "in"),
    "a bound between whole numbers": ({**INT, "minimum": 0.5}, {**INT, "minimum": 1}, "in"),
    "decimals do not skip gaps": ({**NUM, "exclusiveMinimum": 0}, {**NUM, "minimum": 1e-9}, "out"),
    "tenths in hundredths": ({**NUM, "multipleOf": 0.1}, {**NUM, "multipleOf": 0.01}, "in"),
    "hundredths in tenths": ({**NUM, "multipleOf": 0.01}, {**NUM, "multipleOf": 0.1}, "out"),
    "sixths": ({"allOf": [{"multipleOf": 2}, {"multipleOf": 3}], **INT}, {"multipleOf": 6}, "in"),
    "a common multiple that is no product": (
        {"allOf": [{"multipleOf": 4}, {"multipleOf": 6}], **INT},
        {"multipleOf": 24},
        "out",
    ),
    "the common multiple of 4 and 6": (
        {"allOf": [{"multipleOf": 4}, {"multipleOf": 6}], **INT},
        {"multipleOf": 12},
        "in",
    ),
    "1.0 is whole": ({"const": 1.0}, INT, "in"),
    "true is no number": ({"const": True}, NUM, "out"),
    "beyond 64 bits": ({**INT, "minimum": 2**70}, {**INT, "minimum": 2**70 - 1}, "in"),
    "a point": ({**NUM, "minimum": 3, "maximum": 3}, {"const": 3}, "in"),
    "a point that is excluded": ({**NUM, "minimum": 3, "maximum": 3, "not": {"const": 3}}, False, "in"),
    "nothing between": ({**INT, "exclusiveMinimum": 3, "exclusiveMaximum": 4}, False, "in"),
    "no multiple between": ({**NUM, "multipleOf": 5, "minimum": 11, "maximum": 14}, False, "in"),
    "a multiple at the edge": ({**NUM, "multipleOf": 5, "minimum": 11, "maximum": 15}, {"const": 15}, "in"),
    "a multiple at the lower edge": ({**NUM, "multipleOf": 5, "minimum": 10, "maximum": 14}, {"const": 10}, "in"),
    "a multiple at an open edge": ({**NUM, "multipleOf": 5, "minimum": 11, "exclusiveMaximum": 15}, False, "in"),
    "odd numbers": ({**INT, "not": {"multipleOf": 2}}, {"not": {"multipleOf": 4}}, "in"),
    "not odd": ({**INT, "not": {"multipleOf": 4}}, {"not": {"multipleOf": 2}}, "out"),
    "even by exclusion": ({**INT, "not": {"not": {"multipleOf": 2}}}, {"multipleOf": 2}, "in"),
    "tiny and huge exponents": ({"const": 1e-300}, {**NUM, "maximum": 1e300}, "in"),
    "all whole numbers, by two": (INT, {"anyOf": [{"multipleOf": 2}, {"not": {"multipleOf": 2}}]}, "in"),
    "not all whole numbers": (
        {**INT, "minimum": 1, "maximum": 30},
        {"anyOf": [{"multipleOf": 2}, {"multipleOf": 3}, {"multipleOf": 5}, {"enum": [1, 7, 11, 13, 17, 19, 23]}]},
        "out",
    ),
    "all of a range": (
        {**INT, "minimum": 1, "maximum": 28},
        {"anyOf": [{"multipleOf": 2}, {"multipleOf": 3}, {"multipleOf": 5}, {"enum": [1, 7, 11, 13, 17, 19, 23]}]},
        "in",
    ),
    "integers are all there is": (NUM, {"anyOf": [INT, {"not": INT}]}, "in"),
}


@table(CONTAINED, "left right expected")
def test_what_is_said_of_numbers(left: Any, right: Any, expected: str) -> None:
    assert said(left, right) == expected


def test_the_smallest_integer_that_three_kinds_leave_out() -> None:
    kinds = {"anyOf": [{"multipleOf": 2}, {"multipleOf": 3}, {"multipleOf": 5}, {"enum": [1, 7, 11, 13, 17, 19, 23]}]}
    assert witness({**INT, "minimum": 1, "maximum": 30}, kinds) == 29


def test_more_excluded_multiples_than_can_be_tried_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of numbers in a row, each a multiple of some prime: 1 beyond a common multiple is the way out."""
    monkeypatch.setattr(numbers, "MAX_TRIES", 300)
    limit = 330
    primes = [n for n in range(2, limit) if all(n % d for d in range(2, isqrt(n) + 1))]
    low = prod(primes) + 2
    arena = Arena()
    literals = [arena.atom("multiple", 1, 1), arena.atom("at_least", low, low)]
    literals += [arena.neg(arena.atom("multiple", prime, prime)) for prime in primes]
    answer = solve_numbers(literals, Meter(Budget()))
    assert isinstance(answer, Found)
    assert isinstance(answer.value, int)
    assert answer.value >= low
    assert all(answer.value % prime for prime in primes)


# -- against trying them all -------------------------------------------------------------------------

small = st.fractions(min_value=-4, max_value=4, max_denominator=4).filter(lambda q: q.denominator != 3)


@settings(max_examples=200, deadline=None)
@given(
    low=small,
    high=small,
    strict=st.tuples(st.booleans(), st.booleans()),
    steps=st.lists(st.sampled_from((1, 2, 3, Fraction(1, 2), Fraction(3, 4))), min_size=1, max_size=2),
    others=st.lists(st.sampled_from((1, 2, 3, Fraction(3, 2))), max_size=2),
    excluded=st.sets(st.integers(-3, 3), max_size=4),
)
def test_every_multiple_in_bounds_has_been_tried(
    low: Fraction,
    high: Fraction,
    strict: tuple[bool, bool],
    steps: list[Fraction],
    others: list[Fraction],
    excluded: set[int],
) -> None:
    arena = Arena()
    literals: list[Formula] = [
        arena.atom("above" if strict[0] else "at_least", low, low),
        arena.neg(arena.atom("at_least" if strict[1] else "above", high, high)),
        *(arena.atom("multiple", step, step) for step in steps),
        *(arena.neg(arena.atom("multiple", other, other)) for other in others),
    ]
    if excluded:
        literals.append(arena.neg(finite_schema(arena, [*sorted(excluded)]).worlds[NUMBER]))
    candidates = [Fraction(n, 4) for n in range(-40, 41)]
    fitting = [
        value
        for value in candidates
        if (low < value or (not strict[0] and low == value))
        and (value < high or (not strict[1] and high == value))
        and all(value % step == 0 for step in steps)
        and not any(value % other == 0 for other in others)
        and value not in excluded
    ]
    answer = solve_numbers(literals, Meter(Budget()))
    if fitting:
        assert isinstance(answer, Found)
        assert isinstance(answer.value, int | Decimal)
        assert abs(Fraction(answer.value)) == min(map(abs, fitting))
    else:
        assert isinstance(answer, Refuted)
        assert answer.core <= set(literals)
        smaller = solve_numbers([literal for literal in literals if literal in answer.core], Meter(Budget()))
        assert isinstance(smaller, Refuted), "the core alone must be impossible"


@given(first=st.integers(1, 400), second=st.integers(1, 400), scale=st.sampled_from((1, 10, 8)))
def test_the_least_common_multiple_is_common_and_least(first: int, second: int, scale: int) -> None:
    a, b = Fraction(first, scale), Fraction(second, scale)
    joint = least_common_multiple(a, b)
    assert joint % a == joint % b == 0
    assert not any((a * k) % b == 0 for k in range(1, int(joint / a)))


@pytest.mark.parametrize(
    ("value", "shown"), [(Fraction(1, 8), "0.125"), (Fraction(-7, 2), "-3.5"), (Fraction(12), "12")]
)
def test_fractions_become_exact_json_numbers(value: Fraction, shown: str) -> None:
    assert str(to_json(value)) == shown


@given(digits=st.integers(-(10**40), 10**40), places=st.integers(0, 60))
def test_no_digit_is_lost(digits: int, places: int) -> None:
    assert Fraction(to_json(Fraction(digits, 10**places))) == Fraction(digits, 10**places)


def test_a_common_multiple_of_too_many_digits_is_not_computed() -> None:
    arena = Arena()
    literals = [arena.atom("multiple", n, n) for n in (10**17_000 + 3, 10**17_000 + 9)]
    assert isinstance(solve_numbers(literals, Meter(Budget())), Unknown)
