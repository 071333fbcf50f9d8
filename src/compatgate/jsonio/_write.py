"""Writing: exact, the same every time, and as deep as the value."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from json.encoder import encode_basestring, encode_basestring_ascii

from compatgate.errors import InputError
from compatgate.jsonio._numbers import integer_text
from compatgate.jsonio._types import Json


def dumps(value: Json, *, indent: int | None = None, sort_keys: bool = False, ascii_only: bool = False) -> str:
    """Return the JSON text of a value; `loads` gives the same value back.

    Members keep their order, or are sorted by code points with `sort_keys`. Without `indent` there is a space
    after commas and colons, as in the standard library. With `ascii_only` everything else is escaped, so that
    no hostile character reaches a terminal.
    Raises InputError for what is not JSON: NaN, infinities, lone surrogates, other Python types.
    """
    encode = encode_basestring_ascii if ascii_only else encode_basestring
    out: list[str] = []
    comma = ", " if indent is None else ","
    breaks = indent is not None
    # Each entry is an open container: what is left of it, and its closing bracket.
    stack: list[tuple[Iterator[Json] | Iterator[tuple[str, Json]], str]] = []
    current = value
    while True:
        opened = False
        if isinstance(current, dict):
            if current:
                names = sorted(map(check_text, current)) if sort_keys else current
                stack.append((iter([(name, current[name]) for name in names]), "}"))
                out.append("{")
                opened = True
            else:
                out.append("{}")
        elif isinstance(current, list):
            if current:
                stack.append((iter(current), "]"))
                out.append("[")
                opened = True
            else:
                out.append("[]")
        else:
            out.append(_text(current, encode) if isinstance(current, str) else scalar(current))
        while stack:
            members, closer = stack[-1]
            try:
                following = next(members)
            except StopIteration:
                stack.pop()
                if indent is not None:
                    out.append("\n" + " " * (indent * len(stack)))
                out.append(closer)
                opened = False
                continue
            if not opened:
                out.append(comma)
            if breaks:
                out.append("\n" + " " * ((indent or 0) * len(stack)))
            if closer == "}":
                assert isinstance(following, tuple)
                name, current = following
                out.append(_text(name, encode) + ": ")
            else:
                current = following  # type: ignore[assignment]
            break
        else:
            return "".join(out)


def scalar(value: object) -> str:
    """Return the JSON text of null, a boolean or a number.

    Raises InputError where the value is none of these.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return integer_text(value)
    if isinstance(value, Decimal) and value.is_finite():
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return float.__repr__(value)
    raise not_json(value)


def check_text(text: object) -> str:
    """Return a text that can be written as JSON.

    Raises InputError for lone surrogates, and for member names that are no texts.
    """
    if not isinstance(text, str):
        raise InputError(f"a member name is a Python {type(text).__name__}", hint="member names are texts")
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(f"lone surrogate U+{ord(text[error.start]):04X} in a text") from None
    return text


def not_json(value: object) -> InputError:
    """Return the error for a Python value that is no JSON value."""
    if isinstance(value, (float, Decimal)):
        return InputError(f"{value} is not a JSON number", hint="JSON numbers are finite")
    return InputError(f"a Python {type(value).__name__} is not a JSON value", hint="use plain JSON types")


def _text(text: object, encode: object) -> str:
    return encode(check_text(text))  # type: ignore[operator, no-any-return]
