"""JSON Pointers (RFC 6901): written, read and followed."""

from __future__ import annotations

from collections.abc import Iterable

from compatgate.errors import InputError, Where
from compatgate.jsonio._types import Json


def escape(token: str | int) -> str:
    """Return one reference token as it is written inside a pointer."""
    return str(token).replace("~", "~0").replace("/", "~1")


def join(tokens: Iterable[str | int], base: str = "") -> str:
    """Return the pointer made of tokens (member names or array indices), appended to `base`."""
    return base + "".join("/" + escape(token) for token in tokens)


def split(pointer: str) -> list[str]:
    """Return the unescaped tokens of a pointer.

    Raises InputError where the text is no JSON Pointer.
    """
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise InputError(f"{pointer!r} is no JSON Pointer", hint="a pointer is empty or begins with '/'")
    tokens = pointer[1:].split("/")
    for token in tokens:
        if "~" in token.replace("~0", "").replace("~1", ""):
            raise InputError(f"{pointer!r} is no JSON Pointer", hint="'~' is written ~0 and '/' ~1 in a pointer")
    return [token.replace("~1", "/").replace("~0", "~") for token in tokens]


def step(value: Json, token: str) -> tuple[bool, Json]:
    """Go one token down: (True, the value there), or (False, None) where there is nothing."""
    if isinstance(value, dict):
        return (True, value[token]) if token in value else (False, None)
    # Indices are plain: "01", "+1" or Arabic-Indic digits name nothing (RFC 6901, section 4). Python refuses
    # to read thousands of digits as an int, and no array is that long.
    if isinstance(value, list) and token.isascii() and token.isdigit() and len(token) < 20:
        index = int(token)
        if str(index) == token and index < len(value):
            return True, value[index]
    return False, None


def resolve(value: Json, pointer: str, *, source: str | None = None) -> Json:
    """Return the value that a pointer names inside `value`.

    Raises InputError at the deepest place that exists, where there is nothing under the pointer.
    """
    tokens = split(pointer)
    for depth, token in enumerate(tokens):
        found, value_there = step(value, token)
        if not found:
            hint = None
            if isinstance(value, dict) and value:
                hint = "there are: " + ", ".join(sorted(value)[:12]) + (", …" if len(value) > 12 else "")
            elif isinstance(value, list):
                hint = f"the array has {len(value)} items"
            raise InputError(
                f"nothing is at the pointer {pointer}: no {token!r} here",
                Where(source, pointer=join(tokens[:depth])),
                hint,
            )
        value = value_there
    return value
