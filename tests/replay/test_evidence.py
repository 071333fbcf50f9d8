"""The bound of the break rate, against exact arithmetic and published numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compatgate.replay.evidence import ALPHA, percent, phrase, upper_bound


def tail(broken: int, calls: int, rate: Fraction) -> Fraction:
    """Return the exact probability of at most `broken` of `calls`."""
    return sum(
        (math.comb(calls, i) * rate**i * (1 - rate) ** (calls - i) for i in range(broken + 1)), start=Fraction(0)
    )


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n))))
def test_the_bound_is_where_the_exact_tail_crosses_five_percent(counts: tuple[int, int]) -> None:
    broken, calls = counts
    bound = upper_bound(broken, calls)
    below, above = Fraction(bound) - Fraction(1, 10**9), Fraction(bound) + Fraction(1, 10**9)
    assert tail(broken, calls, below) > Fraction(ALPHA) > tail(broken, calls, min(above, Fraction(1)))


@pytest.mark.parametrize("calls", [1, 3, 4, 299, 10**6])
def test_none_broken_has_the_closed_form(calls: int) -> None:
    assert upper_bound(0, calls) == pytest.approx(1 - 0.05 ** (1 / calls), rel=1e-9)


# Quantiles of the beta distribution, one-sided 95 %, as tables of exact binomial limits print them.
@pytest.mark.parametrize(
    ("broken", "calls", "bound"), [(1, 10, 0.3942), (2, 20, 0.2826), (5, 100, 0.1023), (1, 4, 0.7514), (9, 10, 0.9949)]
)
def test_published_limits(broken: int, calls: int, bound: float) -> None:
    assert upper_bound(broken, calls) == pytest.approx(bound, abs=5e-5)


@given(st.integers(1, 10**7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_bound_is_above_the_rate_and_falls_with_more_calls(counts: tuple[int, int]) -> None:
    broken, calls = counts
    bound = upper_bound(broken, calls)
    assert broken / calls <= bound <= 1
    assert upper_bound(broken, calls + 1) <= bound


def test_all_broken_and_no_calls_exclude_nothing() -> None:
    assert upper_bound(4, 4) == upper_bound(0, 0) == 1.0
    assert phrase(4, 4) == "up to 100 %"
    assert phrase(0, 0) == "no evidence"


def test_impossible_counts_are_refused() -> None:
    for broken, calls in [(5, 4), (-1, 4)]:
        with pytest.raises(ValueError, match="is no count"):
            upper_bound(broken, calls)


@pytest.mark.parametrize(
    ("broken", "calls", "text"),
    [(0, 4, "below 53 %"), (0, 3, "below 64 %"), (0, 299, "below 1 %"), (0, 298, "below 1.1 %"), (1, 4, "below 76 %")],
)
def test_the_phrase(broken: int, calls: int, text: str) -> None:
    assert phrase(broken, calls) == text


@given(st.floats(1e-9, 1))
def test_percentages_are_rounded_up(rate: float) -> None:
    said = float(percent(rate).removesuffix(" %")) / 100
    assert said >= rate * (1 - 1e-7)
    assert said <= rate * 1.11 + 1e-12
