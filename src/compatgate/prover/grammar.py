"""Read ECMA-262 regular expressions into trees: by the grammar of the `u` flag, or by Annex B over code points.

A group waits on a list while its parts are read, so nesting costs no recursion.
"""

from __future__ import annotations

from typing import Final

from compatgate.prover import unicode_sets as sets
from compatgate.prover.escapes import DIGITS, Reader, one
from compatgate.prover.trees import Alt, Chars, Edge, Look, Opaque, Repeat, Seq, Tree
from compatgate.prover.unicode_sets import Intervals

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

#: How a look-around begins, whether it looks behind, and whether it is negative.
_LOOKS: Final = (("<=", True, False), ("<!", True, True), ("=", False, False), ("!", False, True))


class _Group:
    """Hold what has been read of one group."""

    def __init__(self, look: tuple[bool, bool] | None) -> None:
        self.look = look
        self.start = 0
        self.options: list[Tree] = []
        self.parts: list[Tree] = []
        self.names: set[str] = set()  # of the groups in the alternative that is being read
        self.earlier: set[str] = set()  # of those in the alternatives before it


class Parser(Reader):
    """Read one text by one grammar: `strict` is the grammar of the `u` flag, else Annex B."""

    def __init__(self, text: str, *, strict: bool) -> None:
        super().__init__(text, strict=strict)
        self.assertions = 0
        self.intervals = 0
        self.sets: dict[Intervals, Chars] = {}
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
        if not low or not DIGITS.issuperset(low + high) or (high and not comma):
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
        return self._chars(one(ord(character)))

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
        if following in DIGITS and following != "0":
            end = self.at + 1
            while end < len(self.text) and self.text[end] in DIGITS:
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

    def _class(self) -> Tree:
        return self._chars(self._members())


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
