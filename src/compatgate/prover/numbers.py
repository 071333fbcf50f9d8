"""Decide the number world: bounds, multiples, excluded multiples, excluded values; exact rationals only.

JSON numbers are the terminating decimals. With a `multipleOf` the candidates are the multiples of the least common
multiple; without one they are dense, and the simplest decimals are tried first.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Context, Decimal
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Final

from compatgate.canonical import value_key
from compatgate.prover.budget import Meter
from compatgate.prover.outcomes import Answer, Found, Refuted, Unknown
from compatgate.schema.nodes import Formula, Number

#: Least common multiples beyond this many bits are not computed with.
MAX_BITS: Final = 60_000
#: How many multiples are tried one by one before the answer is UNKNOWN.
MAX_TRIES: Final = 20_000
#: How many decimals the simplest dense candidate may need.
MAX_DECIMALS: Final = 2_200


class _Bounds:
    def __init__(self) -> None:
        self.low: Number | None = None
        self.high: Number | None = None
        self.low_strict = self.high_strict = False
        self.low_from: Formula | None = None
        self.high_from: Formula | None = None

    def raise_low(self, value: Number, strict: bool, source: Formula) -> None:
        if self.low is None or value > self.low or (value == self.low and strict and not self.low_strict):
            self.low, self.low_strict, self.low_from = value, strict, source

    def lower_high(self, value: Number, strict: bool, source: Formula) -> None:
        if self.high is None or value < self.high or (value == self.high and strict and not self.high_strict):
            self.high, self.high_strict, self.high_from = value, strict, source

    def core(self) -> set[Formula]:
        return {source for source in (self.low_from, self.high_from) if source is not None}

    def empty(self) -> bool:
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.low_strict or self.high_strict))

    def admit(self, value: Number) -> bool:
        above = self.low is None or (value > self.low if self.low_strict else value >= self.low)
        return above and (self.high is None or (value < self.high if self.high_strict else value <= self.high))


def solve_numbers(literals: list[Formula], meter: Meter) -> Answer:
    """Find the simplest number that satisfies every literal, or the literals that exclude each other."""
    bounds, multiples, others, excluded = _Bounds(), list[Formula](), list[Formula](), list[Formula]()
    for literal in literals:
        atom: Formula = literal.args if literal.op == "not" else literal
        if literal.op == "not" and atom.kind == "finite":
            excluded.append(literal)
        elif atom.kind == "multiple":
            (others if literal.op == "not" else multiples).append(literal)
        elif literal.op == "not":
            bounds.lower_high(atom.args, atom.kind == "at_least", literal)
        else:
            bounds.raise_low(atom.args, atom.kind == "above", literal)
    if bounds.empty():
        return Refuted(frozenset(bounds.core()))
    taken = [literal.args.args[1].values for literal in excluded]
    if multiples:
        return _on_multiples(bounds, multiples, others, excluded, meter)
    divisors = [literal.args.args for literal in others]
    for value in _decimals(bounds, sum(map(len, taken)), len(divisors)):
        meter.spend()
        if bounds.admit(value) and not any(value % q == 0 for q in divisors):
            shown = to_json(value)
            if not any(value_key(shown) in values for values in taken):
                return Found(shown)
    if bounds.low is not None and bounds.low == bounds.high:
        return Refuted(frozenset(bounds.core()) | set(others) | set(excluded))
    return Unknown("no number with few enough decimals was found")


def to_json(value: Number) -> int | Decimal:
    """Return an exact rational with a terminating decimal expansion as a JSON number."""
    if isinstance(value, int) or value.denominator == 1:
        return int(value)
    scale, denominator = 0, value.denominator
    while denominator % 10 == 0:
        denominator //= 10
        scale += 1
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator //= prime
            scale += 1
    digits = value.numerator * 10**scale // value.denominator
    exact = Context(prec=max(28, len(bin(digits))))
    return Decimal(digits).scaleb(-scale, exact).normalize(exact)


def least_common_multiple(a: Number, b: Number) -> Number:
    """Return the smallest positive rational that is a whole multiple of both."""
    left, right = Fraction(a), Fraction(b)
    scale = lcm(left.denominator, right.denominator)
    joined = Fraction(lcm(int(left * scale), int(right * scale)), scale)
    return joined.numerator if joined.denominator == 1 else joined


def _on_multiples(
    bounds: _Bounds, multiples: list[Formula], others: list[Formula], excluded: list[Formula], meter: Meter
) -> Answer:
    step: Number = multiples[0].args
    for literal in multiples[1:]:
        step = least_common_multiple(step, literal.args)
        if Fraction(step).numerator.bit_length() > MAX_BITS:
            return Unknown("the least common multiple is too large")
    core = frozenset(bounds.core() | set(multiples))
    low = _first(bounds.low, step, bounds.low_strict)
    high = _last(bounds.high, step, bounds.high_strict)
    if low is not None and high is not None and low > high:
        return Refuted(core)
    periods: list[int] = []
    for literal in others:
        period = Fraction(least_common_multiple(step, literal.args.args)) / Fraction(step)
        if period == 1:
            return Refuted(frozenset((*multiples, literal)))
        periods.append(int(period))
    taken = [literal.args.args[1].values for literal in excluded]

    cost = 1 + len(periods) // 4

    def fits(index: int) -> int | Decimal | None:
        meter.spend(cost)
        if any(index % period == 0 for period in periods):
            return None
        shown = to_json(index * step)
        return None if any(value_key(shown) in values for values in taken) else shown

    for tried, index in enumerate(_outward(low, high)):
        if tried >= MAX_TRIES + sum(map(len, taken)):
            break
        shown = fits(index)
        if shown is not None:
            return Found(shown)
    else:
        return Refuted(core | set(others) | set(excluded))
    # An index that is 1 modulo every period is a multiple of none of them.
    joint = lcm(*periods) if periods else 1
    if joint.bit_length() <= MAX_BITS:
        index = (low if low is not None else high if high is not None else 0) // joint * joint + 1
        for _ in range(sum(map(len, taken)) + 2):
            if (low is None or index >= low) and (high is None or index <= high):
                shown = fits(index)
                if shown is not None:
                    return Found(shown)
            index += joint if high is None or low is not None else -joint
    return Unknown("too many multiples to try one by one")


def _first(low: Number | None, step: Number, strict: bool) -> int | None:
    if low is None:
        return None
    quotient = Fraction(low) / Fraction(step)
    return floor(quotient) + 1 if strict else ceil(quotient)


def _last(high: Number | None, step: Number, strict: bool) -> int | None:
    if high is None:
        return None
    quotient = Fraction(high) / Fraction(step)
    return ceil(quotient) - 1 if strict else floor(quotient)


def _outward(low: int | None, high: int | None) -> Iterator[int]:
    """Yield the whole numbers of an interval, nearest to zero first, the positive one before the negative."""
    start = 0
    if low is not None and low > 0:
        start = low
    elif high is not None and high < 0:
        start = high
    up, down = start, start - 1
    while True:
        rising, falling = high is None or up <= high, low is None or down >= low
        if not rising and not falling:
            return
        if rising and (abs(up) <= abs(down) or not falling):
            yield up
            up += 1
        else:
            yield down
            down -= 1


def _decimals(bounds: _Bounds, excluded: int, divisors: int) -> Iterator[Number]:
    """Yield decimals of an interval, those with fewer decimals first, nearest to zero first among equals.

    A number with k decimals whose last is not zero is a multiple of nothing that has fewer, so going beyond the
    decimals of every excluded multiple is certain to succeed in an interval that is not a point.
    """
    if bounds.low is not None and bounds.low == bounds.high:
        yield bounds.low
        return
    tries = 24 + excluded + 4 * divisors
    for scale in range(MAX_DECIMALS):
        unit: Number = 1 if scale == 0 else Fraction(1, 10**scale)
        low = _first(bounds.low, unit, bounds.low_strict)
        high = _last(bounds.high, unit, bounds.high_strict)
        for count, index in enumerate(_outward(low, high)):
            if count >= tries:
                break
            if scale and index % 10 == 0:
                continue
            value = index * unit
            yield value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value
