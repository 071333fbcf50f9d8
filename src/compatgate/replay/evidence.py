"""Say how much a count of broken calls proves: the upper bound of the break rate behind it.

The bound is the one-sided Clopper-Pearson bound (Biometrika 26, 1934): the largest break rate under which seeing so
few broken calls still has a probability of 5 %. It assumes independent calls, and so does whoever quotes it.
"""

from __future__ import annotations

import math
from typing import Final

#: The chance of being wrong that the bound allows: 95 % confidence.
ALPHA: Final = 0.05
# A double has 53 bits: further halvings change nothing.
_HALVINGS: Final = 60
# Terms below this share of the first one no longer change the sum.
_NEGLIGIBLE: Final = 1e-17


def upper_bound(broken: int, calls: int, alpha: float = ALPHA) -> float:
    """Return the upper bound of the break rate, between 0 and 1, after `broken` of `calls` broke.

    For 0 of n it is 1 - alpha**(1/n); for n of n, and where there are no calls, it is 1: nothing is excluded.
    Raises ValueError where the counts are no counts.
    """
    if not 0 <= broken <= calls:
        raise ValueError(f"{broken} of {calls} is no count")
    if broken == calls:
        return 1.0
    if broken == 0:
        return -math.expm1(math.log(alpha) / calls)
    low, high = broken / calls, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _at_most(broken, calls, middle) > alpha:
            low = middle
        else:
            high = middle
    return high


def percent(rate: float) -> str:
    """Write a bound as a percentage: two digits below 10 %, else whole ones.

    It is rounded up, so that what is said is never less than what was computed.
    """
    hundredths = rate * 100
    places = max(0, 1 - math.floor(math.log10(hundredths))) if 0 < hundredths < 10 else 0
    # Rounding up must not add a digit for the last bit of a double: 0.07 * 100 is 7.000000000000001.
    digits = math.ceil(round(hundredths * 10**places, 9))
    text = f"{digits / 10**places:.{places}f}"
    return (text.rstrip("0").rstrip(".") if places else text) + " %"


def phrase(broken: int, calls: int) -> str:
    """Say in words what the count proves, for printing beside it."""
    if calls == 0:
        return "no evidence"
    bound = upper_bound(broken, calls)
    return "up to 100 %" if bound >= 1 else f"below {percent(bound)}"


def _at_most(broken: int, calls: int, rate: float) -> float:
    """Return the probability of at most `broken` broken calls at a break rate above broken/calls."""
    log_first = (
        math.lgamma(calls + 1)
        - math.lgamma(broken + 1)
        - math.lgamma(calls - broken + 1)
        + broken * math.log(rate)
        + (calls - broken) * math.log1p(-rate)
        if rate < 1
        else -math.inf
    )
    # From `broken` downwards the terms fall like a geometric series: few of them count, however many calls there are.
    total = term = 1.0
    for count in range(broken, 0, -1):
        term *= count * (1 - rate) / ((calls - count + 1) * rate)
        total += term
        if term < _NEGLIGIBLE * total:
            break
    return math.exp(log_first) * total
