"""Number literals to exact numbers and back, in time that stays near the length of the literal."""

from __future__ import annotations

import decimal
import math
from decimal import Decimal
from typing import cast

# Digits that Python converts directly: below 640, the lowest limit a process can set on such conversions.
_CHUNK = 600
_CHUNK_BITS = 1990


class NumberError(ValueError):
    """Say why a literal is no number that can be kept; the scanner adds the place."""


def integer(literal: str) -> int:
    """Return the integer of a JSON literal without fraction and exponent, whatever its length."""
    if len(literal) <= _CHUNK:
        return int(literal)
    negative = literal[0] == "-"
    magnitude = _join_digits(literal[negative:])
    return -magnitude if negative else magnitude


def _join_digits(digits: str) -> int:
    """Halve the text and multiply: Python multiplies below quadratic time, and 10^k is 5^k shifted."""
    if len(digits) <= _CHUNK:
        return int(digits)
    low = len(digits) // 2
    high_part = _join_digits(digits[:-low]) * cast("int", 5**low)
    return (high_part << low) + _join_digits(digits[-low:])


def exact_decimal(literal: str) -> Decimal:
    """Return the exact Decimal of a JSON literal with a fraction or an exponent.

    Raises NumberError beyond double range (1e400), and where the exponent is below what a Decimal can hold.
    """
    try:
        value = Decimal(literal)  # exact by definition, whatever the context says
    except decimal.InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite():  # 19 digits of exponent; a context without traps gives NaN by itself
        if not literal.lower().partition("e")[0].strip("-0."):
            return Decimal("-0.0" if literal[0] == "-" else "0.0")
        raise NumberError(_out_of_range(literal))
    # A double ends at about 1.797e308: only the last decade needs the real conversion.
    if value.adjusted() >= 308 and value and (value.adjusted() > 308 or math.isinf(float(value))):
        raise NumberError(_out_of_range(literal))
    return value


def _out_of_range(literal: str) -> str:
    _, _, exponent = literal.lower().partition("e")
    short = literal if len(literal) <= 40 else literal[:36] + "…"
    if exponent.startswith("-"):
        return f"the exponent of the number {short} is too far below zero to be kept exactly"
    return f"the number {short} is beyond the range of a double"


def integer_text(value: int) -> str:
    """Return the digits of an integer of any size, untouched by Python's limit on such conversions."""
    bits = value.bit_length()
    if bits <= _CHUNK_BITS:
        return int.__repr__(value)
    # Exact or not at all: any rounding raises.
    context = decimal.Context(
        prec=decimal.MAX_PREC,
        Emax=decimal.MAX_EMAX,
        Emin=decimal.MIN_EMIN,
        traps=[decimal.InvalidOperation, decimal.Overflow, decimal.Inexact],
    )
    text = format(_to_decimal(abs(value), bits, context, {}), "f")
    return "-" + text if value < 0 else text


def _to_decimal(value: int, bits: int, context: decimal.Context, powers: dict[int, Decimal]) -> Decimal:
    """Halve the bits and multiply as Decimal, whose multiplication of long numbers is nearly linear."""
    if bits <= _CHUNK_BITS:
        return Decimal(value)
    half = bits // 2
    if half not in powers:
        powers[half] = context.power(2, half)
    high = _to_decimal(value >> half, bits - half, context, powers)
    low = _to_decimal(value & ((1 << half) - 1), half, context, powers)
    return context.add(context.multiply(high, powers[half]), low)
