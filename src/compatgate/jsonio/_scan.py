"""The careful scanner: reads what the fast one reads, always knows where it is, and never recurses.

It runs when the fast path refuses a document, to say what is wrong and where, or to read after all what only
the machinery of the fast path could not hold (long integers, nesting beyond the recursion limit).
"""

from __future__ import annotations

import re

from compatgate.errors import InputError, Where, neutralise
from compatgate.jsonio import pointer
from compatgate.jsonio._numbers import NumberError, exact_decimal, integer
from compatgate.jsonio._types import Json, Limits

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NUMBER_LIKE = re.compile(r"[-+.0-9][-+.0-9a-zA-Z_]*")
_WORD = re.compile(r"-?[A-Za-z_][A-Za-z0-9_]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f\ud800-\udfff]*')
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_ESCAPES = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}
_CONSTANTS: dict[str, Json] = {"true": True, "false": False, "null": None}
_NOT_FINITE = {"NaN", "Infinity", "-Infinity", "nan", "inf", "-inf", "-NaN"}
_FOREIGN = {
    "True": "true",
    "False": "false",
    "None": "null",
    "undefined": "null",
    "TRUE": "true",
    "FALSE": "false",
}
_PAIRS = "surrogates come in pairs, high then low"
_NO_KEY = object()


class _Frame:
    """Hold one open container and the name or index of the member being read."""

    __slots__ = ("array", "key", "members")

    def __init__(self, array: list[Json] | None) -> None:
        self.array = array
        self.members: dict[str, Json] = {}
        self.key: object = _NO_KEY


class Scanner:
    """Read one JSON text; `where` of every refusal counts lines from `first_line`."""

    def __init__(
        self, text: str, source: str | None, limits: Limits, *, from_bytes: bool = False, first_line: int = 1
    ) -> None:
        self.text = text
        self.source = source
        self.limits = limits
        self.from_bytes = from_bytes  # undecodable bytes stand in the text as U+DC80 to U+DCFF
        self.first_line = first_line
        self.frames: list[_Frame] = []
        self.target: list[str] | None = None
        self.best: tuple[int, int] = (-1, 0)  # how many tokens of the target are matched, and where

    def read(self) -> Json:
        """Return the value of the whole text.

        Raises InputError with file, line, column and pointer.
        """
        at = self._space(0)
        if at == len(self.text):
            raise self._error(at, "there is no JSON here, only nothing", "is it the right file?")
        value: Json
        while True:
            # A value begins here. Containers are opened until a finished value is in hand.
            if self.target is not None and self._reaches(self.target, at):
                return None
            character = self.text[at : at + 1]
            if character in ("{", "["):
                if len(self.frames) >= self.limits.max_depth:
                    raise self._error(
                        at,
                        f"nested deeper than {self.limits.max_depth} levels",
                        "flatten it or raise the depth limit",
                    )
                frame = _Frame([] if character == "[" else None)
                self.frames.append(frame)
                at = self._space(at + 1)
                if self.text[at : at + 1] != ("]" if character == "[" else "}"):
                    if character == "[":
                        frame.key = 0
                    else:
                        at = self._name(at)
                    continue
            elif character == '"':
                value, at = self._string(at)
                at = self._space(at)
            else:
                value, at = self._scalar(at)
                at = self._space(at)
            # A value is finished, or the container on top closes; closing one finishes a value again.
            if character in ("{", "["):
                value, at = self._close(at)
            while self.frames:
                frame = self.frames[-1]
                if frame.array is not None:
                    frame.array.append(value)
                else:
                    assert isinstance(frame.key, str)
                    frame.members[frame.key] = value
                found = self.text[at : at + 1]
                if found == ",":
                    at = self._space(at + 1)
                    if frame.array is not None:
                        frame.key = len(frame.array)
                        if self.text[at : at + 1] == "]":
                            raise self._error(at, "expected a value after ',', found ']'", "remove the last comma")
                    else:
                        frame.key = _NO_KEY
                        at = self._name(at)
                    break
                if found == ("]" if frame.array is not None else "}"):
                    value, at = self._close(at)
                    continue
                frame.key = _NO_KEY
                closer = "']'" if frame.array is not None else "'}'"
                raise self._error(at, f"expected ',' or {closer}, found {self._found(at)}")
            else:
                if at < len(self.text):
                    raise self._error(
                        at,
                        f"unexpected text after the end of the document: {self._found(at)}",
                        "a file holds one JSON document",
                    )
                return value

    def _close(self, at: int) -> tuple[Json, int]:
        frame = self.frames.pop()
        return (frame.array if frame.array is not None else frame.members), self._space(at + 1)

    def _space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        assert match is not None
        return match.end()

    def _name(self, at: int) -> int:
        """Read a member name and its colon; return where the value begins."""
        if self.text[at : at + 1] != '"':
            found = self.text[at : at + 1]
            hint = "remove the last comma" if found == "}" else None
            if found == "'" or found.isalpha() or found == "_":
                hint = "names are written in double quotes"
            raise self._error(at, f"expected a member name in double quotes, found {self._found(at)}", hint)
        start = at
        name, at = self._string(at)
        frame = self.frames[-1]
        frame.key = name
        if name in frame.members:
            raise self._error(start, f"duplicate key {_quote(name)}", "keep one of them")
        at = self._space(at)
        if self.text[at : at + 1] != ":":
            raise self._error(at, f"expected ':' after the member name, found {self._found(at)}")
        return self._space(at + 1)

    def _scalar(self, at: int) -> tuple[Json, int]:
        match = _NUMBER.match(self.text, at)
        like = _NUMBER_LIKE.match(self.text, at)
        if match is not None and like is not None and match.end() == like.end():
            literal = match.group()
            if len(literal) > self.limits.max_digits:
                raise self._error(
                    at,
                    f"the number has {len(literal)} digits, more than {self.limits.max_digits}",
                    "send such a number as a string",
                )
            try:
                if match.lastindex is None:
                    return integer(literal), match.end()
                return exact_decimal(literal), match.end()
            except NumberError as refused:
                what = str(refused)
                raise self._error(at, what, "many JSON readers take it for infinity or zero") from None
        word_match = _WORD.match(self.text, at)
        word = word_match.group() if word_match else ""
        if word in _CONSTANTS:
            return _CONSTANTS[word], at + len(word)
        if word in _NOT_FINITE:
            raise self._error(at, f"{word} is not a JSON number", "write null, or leave the member out")
        if word in _FOREIGN:
            raise self._error(at, f"{word} is not JSON", f"write {_FOREIGN[word]}")
        if like is not None:
            raise self._error(
                at,
                f"{_quote(like.group())} is not a JSON number",
                "no leading zeros or plus, digits on both sides of the point",
            )
        hint: str | None = None
        if self.text[at : at + 1] == "'":
            hint = "strings are written in double quotes"
        elif self.text[at : at + 2] in ("//", "/*"):
            hint = "JSON has no comments"
        raise self._error(at, f"expected a value, found {self._found(at)}", hint)

    def _string(self, start: int) -> tuple[str, int]:
        pieces: list[str] = []
        at = start + 1
        while True:
            match = _PLAIN.match(self.text, at)
            assert match is not None
            pieces.append(match.group())
            at = match.end()
            found = self.text[at : at + 1]
            if found == '"':
                return "".join(pieces), at + 1
            if found == "":
                raise self._error(start, "the string that begins here never ends", 'a closing " is missing')
            if found == "\\":
                piece, at = self._escape(at)
                pieces.append(piece)
            elif found < " ":
                raise self._error(
                    at,
                    f"raw control character U+{ord(found):04X} in a string",
                    f"write it as {_control_escape(found)}; or a closing quote is missing before it",
                )
            else:
                raise self._surrogate(at)

    def _escape(self, at: int) -> tuple[str, int]:
        letter = self.text[at + 1 : at + 2]
        if letter in _ESCAPES:
            return _ESCAPES[letter], at + 2
        if letter != "u" or _HEX.match(self.text, at + 2) is None:
            raise self._error(
                at,
                f"invalid escape {_quote(self.text[at : at + (6 if letter == 'u' else 2)])} in a string",
                "a backslash itself is written \\\\",
            )
        unit = int(self.text[at + 2 : at + 6], 16)
        if not 0xD800 <= unit <= 0xDFFF:
            return chr(unit), at + 6
        if unit < 0xDC00 and self.text[at + 6 : at + 8] == "\\u" and _HEX.match(self.text, at + 8):
            low = int(self.text[at + 8 : at + 12], 16)
            if 0xDC00 <= low <= 0xDFFF:
                return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)), at + 12
        raise self._error(at, f"lone surrogate \\u{unit:04x} in a string", _PAIRS)

    def _surrogate(self, at: int) -> InputError:
        code = ord(self.text[at])
        if self.from_bytes:
            return self._error(at, f"invalid UTF-8: byte 0x{code & 0xFF:02X}", "save the file as UTF-8")
        return self._error(at, f"lone surrogate U+{code:04X} in a string", _PAIRS)

    def _found(self, at: int) -> str:
        character = self.text[at : at + 1]
        if character == "":
            return "the end of the text"
        if self.from_bytes and "\ud800" <= character <= "\udfff":
            raise self._surrogate(at)
        word = _WORD.match(self.text, at)
        return _quote(word.group() if word else character)

    def _reaches(self, target: list[str], at: int) -> bool:
        depth = len(self.frames)
        if depth > self.best[0] and self._tokens() == target[:depth]:
            self.best = (depth, at)
            return depth == len(target)
        return False

    def _tokens(self) -> list[str]:
        return [str(frame.key) for frame in self.frames if frame.key is not _NO_KEY]

    def _error(self, at: int, what: str, hint: str | None = None) -> InputError:
        line, column = place(self.text, at)
        where = Where(self.source, line + self.first_line - 1, column, pointer.join(self._tokens()))
        return InputError(what, where, hint)


def place(text: str, at: int) -> tuple[int, int]:
    """Return line and column, both from 1, of a character offset; lines end at a line feed."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _quote(text: str) -> str:
    return f'"{neutralise(text, 60)}"'


def _control_escape(character: str) -> str:
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character, f"\\u{ord(character):04x}")
