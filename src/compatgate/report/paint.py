"""Colour for terminals, and values shown so that nothing of them reaches a terminal raw."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from compatgate.errors import neutralise
from compatgate.jsonio import Json, dumps

Role: TypeAlias = Literal["good", "bad", "warn", "dim", "strong"]

#: Characters of one value in a text report; JSON has all of it.
MAX_VALUE: Final = 400

_CODES: Final[dict[Role, str]] = {"good": "32", "bad": "31;1", "warn": "33", "dim": "2", "strong": "1"}
ROLES: Final[dict[str, Role]] = {
    "BREAKING": "bad",
    "UNKNOWN": "bad",
    "RISKY": "warn",
    "COMPATIBLE": "good",
    "PASS": "good",
    "FAIL": "bad",
    "ERROR": "bad",
    "ok": "good",
    "BLOCK": "warn",
    "PROVEN_SUBSET": "good",
    "PROVEN_NOT_SUBSET": "bad",
    "broken": "bad",
    "disputed": "bad",
    "ignored": "warn",
    "invalid_before": "warn",
}


class Paint:
    """Colour texts that are safe already, or leave them alone."""

    def __init__(self, color: bool = False) -> None:
        self._color = color

    def __call__(self, text: str, role: Role | None) -> str:
        """Return the text in the colour of a role."""
        return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if self._color and role is not None else text

    def word(self, word: str, width: int = 0) -> str:
        """Return a word of the reports in its own colour, padded to a width."""
        return self(word, ROLES.get(word)) + " " * (width - len(word))


def value(json: Json, limit: int = MAX_VALUE) -> str:
    """Return a JSON value in one line that can be copied, unless it had to be cut (then it ends in an ellipsis)."""
    text = dumps(json)
    if neutralise(text, max(len(text), 1)) != text:
        text = dumps(json, ascii_only=True).replace("\x7f", "\\u007f")
    return neutralise(text, limit)


def name(text: str | None, limit: int = 80) -> str:
    """Return the name of a tool or a source, safe to print."""
    return neutralise(text, limit) if text is not None else "(schema)"


def place(pointer: str) -> str:
    """Return a JSON Pointer, safe to print; the empty one is the root."""
    return neutralise(pointer, 160) or "(root)"
