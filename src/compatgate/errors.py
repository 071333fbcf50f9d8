"""Errors as records, and the one function that makes hostile text safe to print."""

from __future__ import annotations

from dataclasses import dataclass

# Printable by Unicode category, yet drawn as nothing: fillers, joiners and variation selectors can hide text.
_INVISIBLE = frozenset(
    [
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x180B, 0x180C, 0x180D, 0x180F),
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
    ]
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ELLIPSIS = "…"


def neutralise(text: str, limit: int = 200) -> str:
    r"""Make text of unknown origin safe for a terminal, a log line or a page of plain text.

    Everything that is not visibly drawn becomes a visible escape, `\u{XXXX}` (or `\n`, `\r`, `\t`): C0 and C1
    controls and with them ANSI sequences, bidirectional controls, zero-width and tag characters, variation
    selectors, exotic spaces, line separators, private-use and unassigned code points, lone surrogates.
    The result has at most `limit` characters (at least one) and ends with an ellipsis when something was cut;
    an escape is never cut in half.
    """
    limit = max(limit, 1)
    pieces: list[str] = []
    length = 0
    fits = 0  # how many pieces still leave room for the ellipsis
    for character in text:
        if character.isprintable() and ord(character) not in _INVISIBLE:
            piece = character
        else:
            piece = _SHORT.get(character) or f"\\u{{{ord(character):04X}}}"
        if length + len(piece) > limit:
            return "".join(pieces[:fits]) + _ELLIPSIS
        pieces.append(piece)
        length += len(piece)
        if length < limit:
            fits = len(pieces)
    return "".join(pieces)


@dataclass(frozen=True, slots=True)
class Where:
    """Name a place: a file, a line and a column (both from 1, in characters), a JSON Pointer."""

    file: str | None = None
    line: int | None = None
    column: int | None = None
    pointer: str | None = None

    def __str__(self) -> str:
        place = neutralise(self.file, 300) if self.file is not None else ""
        numbers = [str(number) for number in (self.line, self.column) if number is not None]
        if numbers:
            place = ":".join([place, *numbers]) if place else "line " + ":".join(numbers)
        if self.pointer is None:
            return place
        pointer = neutralise(self.pointer, 160) or "the root"
        return f"{place} at {pointer}" if place else f"at {pointer}"


class CompatgateError(Exception):
    """Report one failure as a record: what happened, where, and what to do about it.

    `str()` is one line, safe to print. `exit_code` is what the command line ends with.
    """

    exit_code: int = 2

    def __init__(self, what: str, where: Where | None = None, hint: str | None = None) -> None:
        super().__init__(what, where, hint)  # all of them positional, so that the error survives pickling
        self.what = what
        self.where = where
        self.hint = hint

    @property
    def file(self) -> str | None:
        """Return the file or source the error is about."""
        return self.where.file if self.where else None

    @property
    def line(self) -> int | None:
        """Return the line, counted from 1."""
        return self.where.line if self.where else None

    @property
    def column(self) -> int | None:
        """Return the column in characters, counted from 1."""
        return self.where.column if self.where else None

    @property
    def pointer(self) -> str | None:
        """Return the JSON Pointer of the place; the empty string is the root."""
        return self.where.pointer if self.where else None

    def __str__(self) -> str:
        line = neutralise(self.what, 600)
        place = str(self.where) if self.where else ""
        if place:
            line = f"{place}: {line}"
        if self.hint:
            line = f"{line}; {neutralise(self.hint, 400)}"
        return line


class InputError(CompatgateError):
    """Report input that cannot be read or is refused."""


class UsageError(CompatgateError):
    """Report a request that makes no sense as asked: options, arguments, combinations."""


class IncompleteError(CompatgateError):
    """Report that nothing could be checked: a snapshot that says of itself that it is not complete."""

    exit_code = 3


def to_json(error: CompatgateError) -> dict[str, str | int | None]:
    """Return the error as a JSON object with raw, not neutralised, texts."""
    return {
        "error": type(error).__name__,
        "what": error.what,
        "file": error.file,
        "line": error.line,
        "column": error.column,
        "pointer": error.pointer,
        "hint": error.hint,
    }
