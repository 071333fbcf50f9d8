"""RFC 8785 bytes with exact numbers, and the hash of them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from decimal import Decimal
from json.encoder import encode_basestring

from compatgate.errors import InputError
from compatgate.jsonio import Json, check_text, integer_text, not_json

# Plain digits of an integer written with an exponent: no input holds one this large (`loads` refuses literals
# beyond double range), and 1e999999999 must not become a gigabyte of zeros.
_MAX_EXPANDED = 100_000
_EXACT_BELOW = 1 << 53  # every smaller integer is a double and is written as its digits


def canonical_bytes(value: Json) -> bytes:
    """Return the RFC 8785 bytes of a value, in UTF-8, with exact numbers.

    A number that is a finite double, or is the shortest decimal of one, is written as RFC 8785 (ECMAScript)
    writes the double; any other integer in plain digits; any other decimal exactly, its digits without trailing
    zeros in the same layout. Members are sorted by the UTF-16 code units of their names.
    Raises InputError where the value is not JSON (lone surrogates and non-finite numbers included).
    """
    out: list[str] = []
    todo: list[tuple[bool, object]] = [(False, value)]  # (is text to be put down as it is, what), last one first
    while todo:
        verbatim, item = todo.pop()
        if verbatim:
            out.append(item)  # type: ignore[arg-type]
        elif isinstance(item, dict):
            out.append("{")
            todo.append((True, "}"))
            names = utf16_sorted(map(check_text, item))
            for index in range(len(names) - 1, -1, -1):
                name = names[index]
                todo.append((False, item[name]))
                todo.append((True, ("," if index else "") + encode_basestring(name) + ":"))
        elif isinstance(item, list):
            out.append("[")
            todo.append((True, "]"))
            for index in range(len(item) - 1, -1, -1):
                todo.append((False, item[index]))
                if index:
                    todo.append((True, ","))
        elif isinstance(item, str):
            out.append(encode_basestring(check_text(item)))
        else:
            out.append(_scalar(item))
    return "".join(out).encode("utf-8")


def sha256(value: Json) -> str:
    """Return `sha256:` and the hex digest of the canonical bytes of a value."""
    return "sha256:" + hashlib.sha256(canonical_bytes(value)).hexdigest()


def utf16_sorted(texts: Iterable[str]) -> list[str]:
    """Return the texts sorted by UTF-16 code units, which puts U+10000 and above before U+E000 to U+FFFF."""
    listed = list(texts)
    if all(text.isascii() for text in listed):
        return sorted(listed)
    return sorted(listed, key=lambda text: text.encode("utf-16-be"))


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if -_EXACT_BELOW < value < _EXACT_BELOW:
            return int.__repr__(value)
        return _integer(value)
    if isinstance(value, float) and math.isfinite(value):
        return _ecmascript(value)
    if isinstance(value, Decimal) and value.is_finite():
        return _decimal(value)
    raise not_json(value)


def _integer(value: int) -> str:
    try:
        double = float(value)
    except OverflowError:
        return integer_text(value)
    if double == value or Decimal(repr(double)) == value:
        return _ecmascript(double)
    return integer_text(value)


def _decimal(value: Decimal) -> str:
    if not value:
        return "0"
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    if -400 < value.adjusted() < 309:
        double = float(value)
        if double and math.isfinite(double) and (Decimal(double) == value or Decimal(repr(double)) == value):
            return _ecmascript(double)
    text = "".join(map(str, digits))
    kept = text.rstrip("0")
    exponent += len(text) - len(kept)
    minus = "-" if sign else ""
    if exponent < 0:
        return minus + _layout(kept, len(kept) + exponent)
    if exponent > _MAX_EXPANDED:
        raise InputError(f"the number {value} is too large to be written in plain digits")
    return minus + kept + "0" * exponent


def _ecmascript(value: float) -> str:
    """Write a double as ECMAScript's Number::toString does (RFC 8785, section 3.2.2.3)."""
    if value == 0:
        return "0"
    # repr gives the shortest digits that read back as this double, as ECMAScript asks; only the layout differs.
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or 0)
    digits = whole + fraction
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    return ("-" if value < 0 else "") + _layout(stripped.rstrip("0"), point)


def _layout(digits: str, point: int) -> str:
    """Place the decimal point in 0.DIGITS times 10 to the power of `point`, as ECMAScript does."""
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    exponent = point - 1
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return f"{mantissa}e{'+' if exponent > 0 else '-'}{abs(exponent)}"
