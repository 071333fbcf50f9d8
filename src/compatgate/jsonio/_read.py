"""Reading: the standard library's C scanner where all is well, the careful scanner where it is not."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections.abc import Iterator
from decimal import Decimal
from io import BytesIO, StringIO
from typing import BinaryIO, NoReturn, TextIO, cast

from compatgate.errors import InputError, Where
from compatgate.jsonio import pointer
from compatgate.jsonio._numbers import exact_decimal
from compatgate.jsonio._scan import Scanner, place
from compatgate.jsonio._types import Json, Limits

_DEFAULT = Limits()
LINE_LIMITS = Limits(max_bytes=8 * 1024 * 1024)
"""The bounds of one line of JSON Lines: 8 MiB, as much as one request to the service may hold."""

_BOM = "\ufeff"
_MAYBE_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_HARMLESS = re.compile(r"\\(?:[^u]|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})", re.DOTALL)


class _RefusedError(Exception):
    """Leave the fast path; the careful scanner says why."""


def _members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _RefusedError
    return members


def _decimal(literal: str) -> Decimal:
    if len(literal) > _SHORT:
        raise _RefusedError
    return exact_decimal(literal)


def _integer(literal: str) -> int:
    if len(literal) > _SHORT:
        raise _RefusedError
    return int(literal)


def _constant(literal: str) -> NoReturn:
    raise _RefusedError


# Longer literals are the careful scanner's. Integers need no hook of ours (it would cost a call for each)
# while Python itself refuses them at this length, its default; where that was changed, they get the hook.
_SHORT = 4300
_PLAIN = json.JSONDecoder(object_pairs_hook=_members, parse_float=_decimal, parse_constant=_constant)
_GUARDED = json.JSONDecoder(
    object_pairs_hook=_members, parse_float=_decimal, parse_constant=_constant, parse_int=_integer
)


def loads(text: str | bytes, *, source: str | None = "<input>", limits: Limits = _DEFAULT, first_line: int = 1) -> Json:
    """Return the value of one JSON document, exactly: int, Decimal for any literal with fraction or exponent.

    Bytes are UTF-8; one leading byte order mark is skipped, UTF-16 and UTF-32 are refused. Refused are
    duplicate keys, NaN and infinities, a literal with fraction or exponent beyond double range (1e400; plain
    integers may have any size up to `limits.max_digits`), lone surrogates raw or escaped, invalid UTF-8, text
    after the document, and what is over `limits`. `-0` is the integer 0.
    Raises InputError with source, line (counted from `first_line`), column and JSON Pointer.
    """
    size = len(text)
    if size > limits.max_bytes:
        _too_large(source, limits)
    from_bytes = isinstance(text, bytes)
    if isinstance(text, bytes):
        text, clean = _decode(text, source)
    else:
        text, clean = _check_text(text, source, limits)
    if text.startswith(_BOM):
        text = text[1:]
    if clean and limits.max_digits >= _SHORT and not _lone_escape(text):
        decoder = _PLAIN if _digit_limit() == _SHORT else _GUARDED
        try:
            value: Json = decoder.decode(text)
        except (_RefusedError, ValueError, RecursionError):
            pass
        else:
            if not _deeper(value, text, limits.max_depth):
                return value
    return Scanner(text, source, limits, from_bytes=from_bytes, first_line=first_line).read()


def _digit_limit() -> int:
    read = getattr(sys, "get_int_max_str_digits", None)  # absent in 3.11 builds before the limit was invented
    return read() if read is not None else 0


def _decode(data: bytes, source: str | None) -> tuple[str, bool]:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in data[:2]:
        where = Where(source, 1, 1, "")
        raise InputError("not UTF-8: it looks like UTF-16 or UTF-32", where, "save it as UTF-8")
    try:
        return data.decode("utf-8"), True
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape"), False


def _check_text(text: str, source: str | None, limits: Limits) -> tuple[str, bool]:
    if text.isascii():
        return text, True
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        return text, False
    if size > limits.max_bytes:
        _too_large(source, limits)
    return text, True


def _too_large(source: str | None, limits: Limits) -> NoReturn:
    raise InputError(
        f"larger than the {limits.max_bytes} bytes that are read",
        Where(source),
        "split it or raise the size limit",
    )


def _lone_escape(text: str) -> bool:
    """Say whether a lone surrogate may be written as an escape; the C scanner would let it pass."""
    if "\\u" not in text or _MAYBE_SURROGATE.search(text) is None:
        return False
    # What is left without the proper pairs, and without other escapes (of a backslash, say), is alone.
    return _MAYBE_SURROGATE.search(_HARMLESS.sub("", text)) is not None


def _deeper(value: Json, text: str, max_depth: int) -> bool:
    """Say whether containers are nested deeper than allowed, level by level."""
    if text.count("[") + text.count("{") <= max_depth:
        return False
    level: list[Json] = [value] if isinstance(value, (list, dict)) else []
    for _ in range(max_depth):
        if not level:
            return False
        inner: list[Json] = []
        for outer in level:
            for member in outer.values() if type(outer) is dict else cast("list[Json]", outer):
                kind = type(member)
                if kind is dict or kind is list:  # plain comparisons in plain loops are what is fastest here
                    inner.append(member)
        level = inner
    return bool(level)


def locate(text: str | bytes, where: str) -> tuple[int, int]:
    """Return line and column, both from 1, of the value a JSON Pointer names in a JSON text.

    Where the pointer names nothing, or the text is broken, it is the deepest place on the way that there is.
    """
    decoded = text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text
    decoded = decoded.removeprefix(_BOM)
    size = len(decoded) + 1
    scanner = Scanner(decoded, None, Limits(max_depth=size, max_digits=size))
    with contextlib.suppress(InputError):
        scanner.target = pointer.split(where)
        scanner.read()
    return place(decoded, scanner.best[1])


def read_lines(
    stream: BinaryIO | TextIO | bytes | str, *, source: str | None = "<input>", limits: Limits = LINE_LIMITS
) -> Iterator[tuple[int, Json | InputError]]:
    """Iterate JSON Lines as (line number from 1, value or error of that line), holding one line at a time.

    A bad line does not end the iteration. Lines of white space only are passed over. A line longer than
    `limits.max_bytes` is an error and is skipped without being held. Binary streams are preferred: a text
    stream has decoded before any of this is checked. Lines end at a line feed (or as the text stream says).
    """
    if isinstance(stream, bytes):
        stream = BytesIO(stream)
    elif isinstance(stream, str):
        stream = StringIO(stream, newline="\n")
    number = 0
    while True:
        line: bytes | str = stream.readline(limits.max_bytes + 2)
        if not line:
            return
        number += 1
        if len(line) == limits.max_bytes + 2 and not _ends(line):
            while line and not _ends(line):
                line = stream.readline(1024 * 1024)
            yield number, _line_too_long(source, number, limits)
            continue
        line = line.rstrip(b"\r\n") if isinstance(line, bytes) else line.rstrip("\r\n")
        if not line.strip():
            continue
        try:
            value = loads(line, source=source, limits=limits, first_line=number)
        except InputError as error:
            yield number, error if error.line is not None else _line_too_long(source, number, limits)
        else:
            yield number, value


def _ends(line: bytes | str) -> bool:
    return line[-1:] in (b"\n", "\n")


def _line_too_long(source: str | None, number: int, limits: Limits) -> InputError:
    return InputError(
        f"the line is longer than the {limits.max_bytes} bytes that are read",
        Where(source, number),
        "one JSON document per line",
    )
