"""Read ECMA-262 regular expressions into trees: by the grammar of the `u` flag, or by Annex B over code points.

A group waits on a list while its parts are read, so nesting costs no recursion.
"""

from __future__ import annotations

from typing import Final

from compatgate.prover import unicode_sets as sets
from compatgate.prover.trees import Alt, Chars, Edge, Look, NotEcma, Opaque, Repeat, Seq, Tree
from compatgate.prover.unicode_sets import Intervals, complement, normalised

#: Groups nested deeper than this are refused: derivatives recur through them, a few calls a level.
MAX_NESTING: Final = 64
#: A pattern with more assertions than this is refused: derivatives recur through them.
MAX_ASSERTIONS: Final = 100
#: Assertions in a loop with a larger least and a greatest number of rounds would have to be written out.
MAX_ASSERTED: Final = 64
#: A pattern with more different sets of characters, or more intervals in them, is refused: they are cut against each
#: other before any work is counted.
MAX_SETS: Final = 1_000
MAX_INTERVALS: Final = 100_000
#: Counted repetitions beyond this are treated as this many: no JSON text is longer.
MAX_COUNT: Final = 1 << 40

_CLASSES: Final = {
    "d": sets.DIGIT,
    "D": complement(sets.DIGIT),
    "w": sets.WORD,
    "W": complement(sets.WORD),
    "s": sets.SPACE,
    "S": complement(sets.SPACE),
}
_CONTROLS: Final = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
#: How a look-around begins, whether it looks behind, and whether it is negative.
_LOOKS: Final = (("<=", True, False), ("<!", True, True), ("=", False, False), ("!", False, True))
_SYNTAX: Final = frozenset("^$\\.*+?()[]{}|/")
_HEX: Final = frozenset("0123456789abcdefABCDEF")
_DIGITS: Final = frozenset("0123456789")


class _Group:
    """Hold what has been read of one group."""

    def __init__(self, look: tuple[bool, bool] | None) -> None:
        self.look = look
        self.start = 0
        self.options: list[Tree] = []
        self.parts: list[Tree] = []
        self.names: set[str] = set()  # of the groups in the alternative that is being read
        self.earlier: set[str] = set()  # of those in the alternatives before it


class Parser:
    """Read one text by one grammar: `strict` is the grammar of the `u` flag, else Annex B."""

    def __init__(self, text: str, *, strict: bool) -> None:
        self.text = text
        self.strict = strict
        self.at = 0
        self.opaque = ""
        self.assertions = 0
        self.intervals = 0
        self.sets: dict[Intervals, Chars] = {}
        self.classes: dict[tuple[bool, Intervals], Intervals] = {}
        self.groups, self.names = _groups_of(text)

    def read(self) -> Tree:
        """Read the whole text; groups wait on a list, so that nesting costs no recursion."""
        waiting: list[_Group] = []
        group = _Group(None)
        while True:
            character = self._peek()
            if character == "|":
                self.at += 1
                group.options.append(_sequence(group.parts))
                group.parts = []
                group.earlier |= group.names
                group.names = set()
            elif character == "(":
                start = self.at
                waiting.append(group)
                group = _Group(self._open(waiting))
                group.start = start
                if len(waiting) > MAX_NESTING:
                    raise Opaque(f"groups nested deeper than {MAX_NESTING}")
            elif character == ")" or not character:
                group.options.append(_sequence(group.parts))
                tree = group.options[0] if len(group.options) == 1 else Alt(tuple(group.options))
                if not waiting:
                    if character:
                        self._fail("unmatched )")
                    break
                if not character:
                    self._fail("a group that is not closed")
                self.at += 1
                start, look, names = group.start, group.look, group.names | group.earlier
                group = waiting.pop()
                group.names |= names
                group.parts.append(self._repeated(tree if look is None else Look(tree, *look), start, look is None))
            else:
                start = self.at
                atom = self._atom()
                group.parts.append(self._repeated(atom, start, isinstance(atom, Chars)))
        if self.opaque:
            raise Opaque(self.opaque)
        return tree

    def _repeated(self, atom: Tree, start: int, repeatable: bool) -> Tree:
        quantifier = self._quantifier()
        if not repeatable:
            self.assertions += 1
            if self.assertions > MAX_ASSERTIONS:
                self.opaque = f"more than {MAX_ASSERTIONS} assertions"
        if quantifier is None:
            return atom
        if not repeatable and (self.strict or not isinstance(atom, Look) or atom.behind):
            self.at = start
            self._fail("nothing to repeat")
        low, high = quantifier
        if high is not None and low > MAX_ASSERTED and _asserts(atom):
            self.opaque = f"an assertion in a loop of more than {MAX_ASSERTED} rounds"
        return Repeat(atom, low, high)

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

    # -- structure -----------------------------------------------------------------------------------

    def _quantifier(self) -> tuple[int, int | None] | None:
        found: tuple[int, int | None] | None = None
        if self._take("*"):
            found = (0, None)
        elif self._take("+"):
            found = (1, None)
        elif self._take("?"):
            found = (0, 1)
        elif self._peek() == "{":
            found = self._braces()
        if found is not None:
            self._take("?")
        return found

    def _braces(self) -> tuple[int, int | None] | None:
        end = self.text.find("}", self.at)
        body = self.text[self.at + 1 : end] if end >= 0 else ""
        low, comma, high = body.partition(",")
        if not low or not _DIGITS.issuperset(low + high) or (high and not comma):
            if self.strict:
                self._fail("a brace that is no quantifier")
            return None
        first = min(_number(low), MAX_COUNT)
        last = first if not comma else min(_number(high), MAX_COUNT) if high else None
        if last is not None and last < first:
            self._fail("a quantifier out of order")
        self.at = end + 1
        return first, last

    def _atom(self) -> Tree:
        character = self._peek()
        if character == "[":
            return self._class()
        if character == "\\":
            return self._escape()
        self.at += 1
        if character == "^":
            return Edge("start")
        if character == "$":
            return Edge("end")
        if character == ".":
            return self._chars(sets.DOT)
        if character in "*+?":
            self.at -= 1
            self._fail("nothing to repeat")
        if character in "{}]":
            self.at -= 1
            if self.strict:
                self._fail(f"a lone {character}")
            if character == "{" and self._braces() is not None:
                self._fail("nothing to repeat")
            self.at += 1
        return self._chars(_one(ord(character)))

    def _chars(self, intervals: Intervals) -> Chars:
        found = self.sets.get(intervals)
        if found is None:
            found = self.sets[intervals] = Chars(intervals)
            self.intervals += len(intervals)
            if len(self.sets) > MAX_SETS or self.intervals > MAX_INTERVALS:
                raise Opaque("too many different sets of characters")
        return found

    def _open(self, outer: list[_Group]) -> tuple[bool, bool] | None:
        """Read the beginning of a group; return (behind, negative) for an assertion."""
        self.at += 1
        if not self._take("?"):
            return None
        for mark, behind, negative in _LOOKS:
            if self._take(mark):
                return behind, negative
        if self._take("<"):
            name = self._name(">")
            if any(name in group.names for group in outer):
                self._fail("a second group of the same name")
            outer[-1].names.add(name)
        elif not self._take(":"):
            flags = self.text[self.at : self.at + 8].partition(":")
            if flags[1] and flags[0] and set(flags[0]) <= set("ims-"):
                self.opaque = "a group with flags of its own"
                self.at += len(flags[0]) + 1
            else:
                self._fail("a group of another regular-expression dialect")
        return None

    def _name(self, end: str) -> str:
        close = self.text.find(end, self.at)
        name = self.text[self.at : close] if close >= 0 else ""
        if not name.replace("$", "_").isidentifier():
            if not name or (name.isascii() and "\\u" not in name):
                self._fail("a group name that is no identifier")
            self.opaque = "a group name whose letters are not known here"
        self.at = close + 1
        return name

    # -- escapes -------------------------------------------------------------------------------------

    def _escape(self) -> Tree:
        following = self._peek(1)
        if following == "b" or following == "B":
            self.at += 2
            return Edge("word" if following == "b" else "inside")
        if following in _DIGITS and following != "0":
            end = self.at + 1
            while end < len(self.text) and self.text[end] in _DIGITS:
                end += 1
            if self.strict or _number(self.text[self.at + 1 : end]) <= self.groups:
                if _number(self.text[self.at + 1 : end]) > self.groups:
                    self._fail("a reference to a group that is not there")
                self.opaque = "a back-reference"
                self.at = end
                return Chars(sets.ANY)
        if following == "k" and (self.strict or self.names):
            self.at += 2
            if not self._take("<"):
                self._fail("a reference without a name")
            if self._name(">") not in self.names:
                self._fail("a reference to a group that is not there")
            self.opaque = "a back-reference"
            return Chars(sets.ANY)
        return self._chars(self._escaped(in_class=False))

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
            return _one(_CONTROLS[character])
        if character in "pP" and self.strict:
            return self._property(negative=character == "P")
        if character == "x":
            return self._hexadecimal(2, "x")
        if character == "u":
            return self._unicode()
        if character == "c":
            return self._control(in_class=in_class)
        if character in _DIGITS:
            return self._octal(character)
        if character == "b" and in_class:
            return _one(8)
        if self.strict and character not in _SYNTAX and not (in_class and character == "-"):
            self.at -= 1
            shown = f" (\\{character})" if character.isascii() else ""
            self._fail(f"an escape that means nothing here{shown}")
        if character in "AZzGQE" and not self.strict:
            self.at -= 1
            self._fail(f"an escape of another regular-expression dialect (\\{character})")
        return _one(ord(character))

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
            return _one(int(text, 16))
        if self.strict:
            self._fail("an incomplete escape")
        return _one(ord(letter))

    def _unicode(self) -> Intervals:
        if self.strict and self._take("{"):
            end = self.text.find("}", self.at)
            text = self.text[self.at : end] if end >= 0 else ""
            if not text or not _HEX.issuperset(text) or int(text, 16) > 0x10FFFF:
                self._fail("an incomplete escape")
            self.at = end + 1
            return _one(int(text, 16))
        lead = self._quad(self.at)
        trail = self._quad(self.at + 6) if self.text.startswith("\\u", self.at + 4) else None
        if lead is not None and trail is not None and 0xD800 <= lead < 0xDC00 <= trail < 0xE000:
            self.at += 10
            return _one(0x10000 + ((lead - 0xD800) << 10) + (trail - 0xDC00))
        return self._hexadecimal(4, "u")

    def _quad(self, at: int) -> int | None:
        text = self.text[at : at + 4]
        return int(text, 16) if len(text) == 4 and _HEX.issuperset(text) else None

    def _control(self, *, in_class: bool) -> Intervals:
        letter = self._peek()
        if letter.isascii() and letter.isalpha():
            self.at += 1
            return _one(ord(letter) % 32)
        if self.strict:
            self._fail("an incomplete escape")
        if in_class and letter and (letter in _DIGITS or letter == "_"):
            self.at += 1
            return _one(ord(letter) % 32)
        self.at -= 1  # Annex B: the backslash stands for itself and the c is read again
        return _one(ord("\\"))

    def _octal(self, first: str) -> Intervals:
        if self.strict:
            if first == "0" and self._peek() not in _DIGITS:
                return _one(0)
            self._fail("an octal escape")
        if first in "89":
            return _one(ord(first))
        text = first
        while len(text) < (3 if first in "0123" else 2) and self._peek() and self._peek() in "01234567":
            text += self._peek()
            self.at += 1
        return _one(int(text, 8))

    # -- classes -------------------------------------------------------------------------------------

    def _class(self) -> Tree:
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
        return self._chars(intervals)

    def _member(self) -> Intervals:
        character = self._peek()
        if not character:
            self._fail("a class that is not closed")
        if character == "\\":
            return self._escaped(in_class=True)
        self.at += 1
        return ((ord(character), ord(character)),)


def _one(point: int) -> Intervals:
    return ((point, point),)  # a lone surrogate stays until classes are cut: it may begin a range


def _single(intervals: Intervals) -> int | None:
    return intervals[0][0] if len(intervals) == 1 and intervals[0][0] == intervals[0][1] else None


def _number(digits: str) -> int:
    digits = digits.lstrip("0")
    return int(digits or "0") if len(digits) < 16 else MAX_COUNT


def _sequence(parts: list[Tree]) -> Tree:
    return parts[0] if len(parts) == 1 else Seq(tuple(parts))


def _asserts(tree: Tree) -> bool:
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, (Edge, Look)):
            return True
        if isinstance(node, (Seq, Alt)):
            todo += node.parts
        elif isinstance(node, Repeat):
            todo.append(node.part)
    return False


def _groups_of(text: str) -> tuple[int, frozenset[str]]:
    """Count the capturing groups of a pattern, and return their names."""
    count, names, at, in_class = 0, set(), 0, False
    while at < len(text):
        character = text[at]
        if character == "\\":
            at += 1
        elif character == "[":
            in_class = True
        elif character == "]":
            in_class = False
        elif character == "(" and not in_class:
            if not text.startswith("(?", at):
                count += 1
            elif text.startswith("(?<", at) and text[at + 3 : at + 4] not in ("=", "!"):
                count += 1
                names.add(text[at + 3 :].partition(">")[0])
        at += 1
    return count, frozenset(names)
