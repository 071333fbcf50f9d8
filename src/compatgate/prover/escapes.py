"""Read the smallest parts of a pattern: escapes and classes, which stand for sets of characters."""

from __future__ import annotations

from typing import Final

from compatgate.prover import unicode_sets as sets
from compatgate.prover.trees import NotEcma
from compatgate.prover.unicode_sets import Intervals, complement, normalised

_CLASSES: Final = {
    "d": sets.DIGIT,
    "D": complement(sets.DIGIT),
    "w": sets.WORD,
    "W": complement(sets.WORD),
    "s": sets.SPACE,
    "S": complement(sets.SPACE),
}
_CONTROLS: Final = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_SYNTAX: Final = frozenset("^$\\.*+?()[]{}|/")
_HEX: Final = frozenset("0123456789abcdefABCDEF")
DIGITS: Final = frozenset("0123456789")


class Reader:
    """Go through one text by one grammar: `strict` is the grammar of the `u` flag, else Annex B.

    `opaque` says why what was read is a pattern and yet not modelled.
    """

    def __init__(self, text: str, *, strict: bool) -> None:
        self.text = text
        self.strict = strict
        self.at = 0
        self.opaque = ""
        self.classes: dict[tuple[bool, Intervals], Intervals] = {}

    def _fail(self, reason: str) -> None:
        raise NotEcma(reason, min(self.at, len(self.text)))

    def _peek(self, offset: int = 0) -> str:
        at = self.at + offset
        return self.text[at] if at < len(self.text) else ""

    def _take(self, expected: str) -> bool:
        if self.text.startswith(expected, self.at):
            self.at += len(expected)
            return True
        return False

    def _escaped(self, *, in_class: bool) -> Intervals:
        """Read one escape that stands for characters."""
        self.at += 1
        character = self._peek()
        if not character:
            self._fail("a backslash at the end")
        self.at += 1
        if character in _CLASSES:
            return _CLASSES[character]
        if character in _CONTROLS:
            return one(_CONTROLS[character])
        if character in "pP" and self.strict:
            return self._property(negative=character == "P")
        if character == "x":
            return self._hexadecimal(2, "x")
        if character == "u":
            return self._unicode()
        if character == "c":
            return self._control(in_class=in_class)
        if character in DIGITS:
            return self._octal(character)
        if character == "b" and in_class:
            return one(8)
        if self.strict and character not in _SYNTAX and not (in_class and character == "-"):
            self.at -= 1
            shown = f" (\\{character})" if character.isascii() else ""
            self._fail(f"an escape that means nothing here{shown}")
        if character in "AZzGQE" and not self.strict:
            self.at -= 1
            self._fail(f"an escape of another regular-expression dialect (\\{character})")
        return one(ord(character))

    def _property(self, *, negative: bool) -> Intervals:
        if not self._take("{"):
            self._fail("a property without a name")
        end = self.text.find("}", self.at)
        name = self.text[self.at : end] if end >= 0 else ""
        if not name or name[0] == "=" or not name.replace("_", "").replace("=", "").isalnum():
            self._fail("a property without a name")
        found = sets.property_set(name)
        self.at = end + 1
        if found is None:
            self.opaque = f"the property {name} is not known here"
            return sets.ANY
        return complement(found) if negative else found

    def _hexadecimal(self, digits: int, letter: str) -> Intervals:
        text = self.text[self.at : self.at + digits]
        if len(text) == digits and _HEX.issuperset(text):
            self.at += digits
            return one(int(text, 16))
        if self.strict:
            self._fail("an incomplete escape")
        return one(ord(letter))

    def _unicode(self) -> Intervals:
        if self.strict and self._take("{"):
            end = self.text.find("}", self.at)
            text = self.text[self.at : end] if end >= 0 else ""
            if not text or not _HEX.issuperset(text) or int(text, 16) > 0x10FFFF:
                self._fail("an incomplete escape")
            self.at = end + 1
            return one(int(text, 16))
        lead = self._quad(self.at)
        trail = self._quad(self.at + 6) if self.text.startswith("\\u", self.at + 4) else None
        if lead is not None and trail is not None and 0xD800 <= lead < 0xDC00 <= trail < 0xE000:
            self.at += 10
            return one(0x10000 + ((lead - 0xD800) << 10) + (trail - 0xDC00))
        return self._hexadecimal(4, "u")

    def _quad(self, at: int) -> int | None:
        text = self.text[at : at + 4]
        return int(text, 16) if len(text) == 4 and _HEX.issuperset(text) else None

    def _control(self, *, in_class: bool) -> Intervals:
        letter = self._peek()
        if letter.isascii() and letter.isalpha():
            self.at += 1
            return one(ord(letter) % 32)
        if self.strict:
            self._fail("an incomplete escape")
        if in_class and letter and (letter in DIGITS or letter == "_"):
            self.at += 1
            return one(ord(letter) % 32)
        self.at -= 1  # Annex B: the backslash stands for itself and the c is read again
        return one(ord("\\"))

    def _octal(self, first: str) -> Intervals:
        if self.strict:
            if first == "0" and self._peek() not in DIGITS:
                return one(0)
            self._fail("an octal escape")
        if first in "89":
            return one(ord(first))
        text = first
        while len(text) < (3 if first in "0123" else 2) and self._peek() and self._peek() in "01234567":
            text += self._peek()
            self.at += 1
        return one(int(text, 8))

    def _members(self) -> Intervals:
        """Read a class; equal ones are worked out once."""
        self.at += 1
        negative = self._take("^")
        found: list[tuple[int, int]] = []
        while not self._take("]"):
            first = self._member()
            if self._peek() != "-" or self._peek(1) in ("]", ""):
                found += first
                continue
            self.at += 1
            last = self._member()
            low, high = _single(first), _single(last)
            if low is None or high is None:
                if self.strict:
                    self._fail("a range between sets")
                found += [*first, *last, (45, 45)]
            elif low > high:
                self._fail("a range out of order")
            else:
                found.append((low, high))
        key = (negative, tuple(found))
        intervals = self.classes.get(key)
        if intervals is None:
            intervals = normalised(found)
            if negative:
                intervals = complement(intervals)
            self.classes[key] = intervals
        return intervals

    def _member(self) -> Intervals:
        character = self._peek()
        if not character:
            self._fail("a class that is not closed")
        if character == "\\":
            return self._escaped(in_class=True)
        self.at += 1
        return ((ord(character), ord(character)),)


def one(point: int) -> Intervals:
    """Return the set of one code point."""
    return ((point, point),)  # a lone surrogate stays until classes are cut: it may begin a range


def _single(intervals: Intervals) -> int | None:
    return intervals[0][0] if len(intervals) == 1 and intervals[0][0] == intervals[0][1] else None
