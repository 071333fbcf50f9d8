"""Hold the parts of a pattern as hash-consed fragments over its classes of characters, brought into a normal form.

The form is what makes derivatives short: the body of a loop never matches the empty text by itself, the start of the
text is resolved here (a pattern is split into what may match at position 0 and what may match later), and loops of
loops, classes side by side and alternatives of one head are melted together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from compatgate.prover.grammar import MAX_ASSERTED
from compatgate.prover.trees import Alt, Chars, Edge, Look, Opaque, Repeat, Seq, Tree
from compatgate.prover.unicode_sets import Intervals

#: A fragment is the number of its cell; a cell is (kind, operands...).
Fragment: TypeAlias = int

CLASS: Final = 0  # mask of character classes
CAT: Final = 1  # head, tail (the head is no CAT)
ALT: Final = 2  # tuple of fragments
REP: Final = 3  # body, low, high (ENDLESS: without end)
START: Final = 4
END: Final = 5
BOUNDARY: Final = 6  # negative
AHEAD: Final = 7  # fragment, negative
BEHIND: Final = 8  # fragment, negative
VOID: Final = 9  # no text at all
BLANK: Final = 10  # the empty text

ENDLESS: Final = -1

NOTHING: Final[Fragment] = 0
EMPTY: Final[Fragment] = 1

#: Common beginnings of alternatives are taken out this many times in a row at most (it recurs).
_MAX_FACTORED: Final = 3

_SITE: Final = 1  # depends on whether the text starts here
_CONDITIONS: Final = 2  # asks for something about its surroundings


def add(a: int, b: int) -> int:
    """Add two upper bounds."""
    return ENDLESS if a == ENDLESS or b == ENDLESS else a + b


class Fragments:
    """Make fragments over the classes of one pattern."""

    def __init__(self, masks: dict[Intervals, int]) -> None:
        self._masks = masks
        self.cells: list[tuple[Any, ...]] = []
        self._flags: list[int] = []
        self._numbers: dict[tuple[Any, ...], Fragment] = {}
        self._memo: dict[tuple[str, Fragment], Fragment] = {}
        self._cell(0, VOID)
        self._cell(0, BLANK)

    def _cell(self, flags: int, *cell: Any) -> Fragment:
        number = self._numbers.get(cell)
        if number is None:
            number = len(self.cells)
            self.cells.append(cell)
            self._flags.append(flags)
            self._numbers[cell] = number
        return number

    # -- making ------------------------------------------------------------------------------------------

    def chars(self, mask: int) -> Fragment:
        """Make one character of the classes in the mask."""
        return self._cell(0, CLASS, mask) if mask else NOTHING

    def cat(self, *parts: Fragment) -> Fragment:
        """Make one part after the other."""
        result = EMPTY
        for part in reversed(parts):
            result = self._cat(part, result)
        return result

    def _cat(self, first: Fragment, rest: Fragment) -> Fragment:
        if first == NOTHING or rest == NOTHING:
            return NOTHING
        if first == EMPTY:
            return rest
        if rest == EMPTY:
            return first
        heads = []
        cells = self.cells
        while cells[first][0] == CAT:
            _, head, first = cells[first]
            heads.append(head)
        heads.append(first)
        for head in reversed(heads):
            rest = self._cell(self._flags[head] | self._flags[rest], CAT, head, rest)
        return rest

    def alt(self, parts: Iterable[Fragment], depth: int = 0) -> Fragment:
        """Make any one of the parts; single characters become one class, equal heads are taken out."""
        mask = 0
        by_head: dict[Fragment, dict[Fragment, None]] = {}
        for part in self._flat(parts):
            cell = self.cells[part]
            if cell[0] == CLASS:
                mask |= cell[1]
            elif cell[0] == CAT:
                by_head.setdefault(cell[1], {})[cell[2]] = None
            else:
                by_head.setdefault(part, {})[EMPTY] = None
        found: dict[Fragment, None] = {}
        if mask:
            single = self.chars(mask)
            if single in by_head:
                by_head[single][EMPTY] = None
            else:
                found[single] = None
        for head, tails in by_head.items():
            found[head if EMPTY in tails and len(tails) == 1 else self._headed(head, list(tails), depth)] = None
        if not found:
            return NOTHING
        if len(found) == 1:
            return next(iter(found))
        members = tuple(sorted(found))
        flags = 0
        for member in members:
            flags |= self._flags[member]
        return self._cell(flags, ALT, members)

    def _headed(self, head: Fragment, tails: list[Fragment], depth: int) -> Fragment:
        if len(tails) == 1:
            return self._cat(head, tails[0])
        if depth < _MAX_FACTORED:
            return self._cat(head, self.alt(tails, depth + 1))
        flags = 0
        for tail in tails:
            flags |= self._flags[tail]
        return self._cat(head, self._cell(flags, ALT, tuple(sorted(tails))))

    def _flat(self, parts: Iterable[Fragment]) -> Iterable[Fragment]:
        for part in parts:
            if self.cells[part][0] == ALT:
                yield from self.cells[part][1]
            elif part != NOTHING:
                yield part

    def rep(self, body: Fragment, low: int, high: int) -> Fragment:
        """Make a part repeated; what it matches without reading anything is taken out of the loop.

        Raises Opaque where a condition without characters is counted too often to be written out.
        """
        if high == 0 or body == EMPTY:
            return EMPTY
        if body == NOTHING:
            return EMPTY if low == 0 else NOTHING
        if low == 1 and high == 1:
            return body
        idle = self.idle(body)
        if idle == NOTHING:
            return self._counted(body, low, high)
        busy = self.busy(body)
        if low == 0 or self._is_blank(idle):
            return self.rep(busy, 0, high)
        # Some of the required rounds may be idle: one idle round anywhere stands for as many as are wanted.
        ways = [self.rep(busy, low, high)]
        if high == ENDLESS:
            free = self.rep(busy, 0, ENDLESS)
            ways.append(self.cat(free, idle, free))
        elif low > MAX_ASSERTED:
            raise Opaque("an assertion inside a loop that is counted far")
        else:
            ways += [
                self.cat(self.rep(busy, done, done), idle, self.rep(busy, 0, low - 1 - done)) for done in range(low)
            ]
        return self.alt(ways)

    def _counted(self, body: Fragment, low: int, high: int) -> Fragment:
        cell = self.cells[body]
        if cell[0] == REP:
            _, inner, least, most = cell
            # (x{a,b}){c,d} is x{ac,bd} where the ranges of neighbouring rounds touch.
            first = max(low, 1)
            seamless = most == ENDLESS or (first + 1) * least <= first * most + 1 or high == low
            if seamless and (low > 0 or least <= 1):
                return self._counted(
                    inner, low * least, ENDLESS if ENDLESS in (high, most) and high != 0 else high * most
                )
        return self._cell(self._flags[body], REP, body, low, high)

    def _is_blank(self, idle: Fragment) -> bool:
        cell = self.cells[idle]
        return idle == EMPTY or (cell[0] == ALT and EMPTY in cell[1])

    def condition(self, *cell: Any) -> Fragment:
        """Make an assertion: START, END, BOUNDARY, AHEAD, BEHIND with their operands."""
        flags = _CONDITIONS
        if cell[0] in (START, BEHIND):
            flags |= _SITE
        elif cell[0] == AHEAD:
            flags |= self._flags[cell[1]] & _SITE
        return self._cell(flags, *cell)

    # -- reading a tree ----------------------------------------------------------------------------------

    def read(self, tree: Tree) -> Fragment:
        """Turn the tree of a pattern into a fragment, without recursion."""
        done: list[Fragment] = []
        todo: list[tuple[Tree, bool]] = [(tree, False)]
        while todo:
            node, ready = todo.pop()
            if isinstance(node, Chars):
                done.append(self.chars(self._masks[node.intervals]))
            elif isinstance(node, Edge):
                done.append(self._edge(node.kind))
            elif not ready:
                todo.append((node, True))
                parts = node.parts if isinstance(node, (Seq, Alt)) else (node.part,)
                todo += [(part, False) for part in reversed(parts)]
            elif isinstance(node, (Seq, Alt)):
                count = len(node.parts)
                parts_read = done[len(done) - count :]
                del done[len(done) - count :]
                done.append(self.cat(*parts_read) if isinstance(node, Seq) else self.alt(parts_read))
            elif isinstance(node, Repeat):
                done.append(self.rep(done.pop(), node.low, ENDLESS if node.high is None else node.high))
            else:
                done.append(self._look(node, done.pop()))
        return done[0]

    def _edge(self, kind: str) -> Fragment:
        if kind == "start":
            return self.condition(START)
        if kind == "end":
            return self.condition(END)
        return self.condition(BOUNDARY, kind == "inside")

    def _look(self, look: Look, part: Fragment) -> Fragment:
        if part == NOTHING:
            return EMPTY if look.negative else NOTHING
        if self._is_blank(self.idle(part)):
            return NOTHING if look.negative else EMPTY
        return self.condition(BEHIND if look.behind else AHEAD, part, look.negative)

    # -- splitting ---------------------------------------------------------------------------------------

    def idle(self, fragment: Fragment) -> Fragment:
        """Return the conditions under which a fragment matches the empty text (NOTHING: never, EMPTY: always)."""
        cell = self.cells[fragment]
        kind = cell[0]
        if kind in (CLASS, VOID):
            return NOTHING
        if kind == REP:
            return EMPTY if cell[2] == 0 else NOTHING
        if kind not in (CAT, ALT):
            return fragment
        key = ("idle", fragment)
        found = self._memo.get(key)
        if found is None:
            if kind == ALT:
                found = self.alt([self.idle(part) for part in cell[1]])
            else:
                found = self._idle_of_sequence(fragment)
            if self._is_blank(found):
                found = EMPTY
            self._memo[key] = found
        return found

    def _idle_of_sequence(self, fragment: Fragment) -> Fragment:
        waiting = []
        rest = fragment
        while self.cells[rest][0] == CAT and ("idle", rest) not in self._memo:
            waiting.append(rest)
            rest = self.cells[rest][2]
        found = self.idle(rest)
        for part in reversed(waiting):
            found = self.cat(self.idle(self.cells[part][1]), found) if found != NOTHING else NOTHING
            self._memo["idle", part] = found
        return found

    def busy(self, fragment: Fragment) -> Fragment:
        """Return what a fragment matches beside the empty text."""
        cell = self.cells[fragment]
        kind = cell[0]
        if kind == CLASS:
            return fragment
        if kind == REP:
            _, body, low, high = cell
            return fragment if low else body if high == 1 else self._counted(body, 1, high)
        if kind not in (CAT, ALT):
            return NOTHING
        key = ("busy", fragment)
        found = self._memo.get(key)
        if found is None:
            if kind == ALT:
                found = self.alt([self.busy(part) for part in cell[1]])
            else:
                ways = []
                before = EMPTY
                rest = fragment
                while rest != EMPTY and before != NOTHING:
                    head, rest = self._split(rest)
                    ways.append(self.cat(before, self.busy(head), rest))
                    before = self.cat(before, self.idle(head))
                found = self.alt(ways)
            self._memo[key] = found
        return found

    def _split(self, fragment: Fragment) -> tuple[Fragment, Fragment]:
        cell = self.cells[fragment]
        return (cell[1], cell[2]) if cell[0] == CAT else (fragment, EMPTY)

    def _parts(self, fragment: Fragment) -> Iterable[Fragment]:
        while fragment != EMPTY:
            head, fragment = self._split(fragment)
            yield head

    def at_start(self, fragment: Fragment) -> Fragment:
        """Return what is left of a fragment that begins at the start of the text."""
        if not self._flags[fragment] & _SITE:
            return fragment
        cell = self.cells[fragment]
        kind = cell[0]
        if kind == START:
            return EMPTY
        if kind == AHEAD:
            return self._asked(self.at_start(cell[1]), bool(cell[2]))
        if kind == BEHIND:  # nothing is behind: it holds if its part matches the empty text
            return self._asked(self.idle(self.at_start(cell[1])), bool(cell[2]))
        key = ("start", fragment)
        found = self._memo.get(key)
        if found is None:
            if kind == ALT:
                found = self.alt([self.at_start(part) for part in cell[1]])
            elif kind == REP:
                _, body, low, high = cell
                again = self.rep(self.inside(body), max(low - 1, 0), high - 1 if high != ENDLESS else ENDLESS)
                found = self.cat(self.at_start(body), again)
                if low == 0:
                    found = self.alt([EMPTY, found])
            else:
                found = self._start_of_sequence(fragment)
            self._memo[key] = found
        return found

    def _start_of_sequence(self, fragment: Fragment) -> Fragment:
        ways = []
        before = EMPTY
        rest = fragment
        while before != NOTHING:
            head, rest = self._split(rest)
            head = self.at_start(head)
            if not self._flags[rest] & _SITE:
                ways.append(self.cat(before, head, rest))
                break
            ways.append(self.cat(before, self.busy(head), self.inside(rest)))
            before = self.cat(before, self.idle(head))
        return self.alt(ways)

    def _asked(self, part: Fragment, negative: bool) -> Fragment:
        if part == NOTHING:
            return EMPTY if negative else NOTHING
        if self._is_blank(self.idle(part)):
            return NOTHING if negative else EMPTY
        return self.condition(AHEAD, part, negative)

    def inside(self, fragment: Fragment) -> Fragment:
        """Return what is left of a fragment that begins after the start of the text."""
        if not self._flags[fragment] & _SITE:
            return fragment
        cell = self.cells[fragment]
        kind = cell[0]
        if kind == START:
            return NOTHING
        if kind == AHEAD:
            return self._asked(self.inside(cell[1]), bool(cell[2]))
        if kind == BEHIND:
            return fragment
        key = ("inside", fragment)
        found = self._memo.get(key)
        if found is None:
            if kind == ALT:
                found = self.alt([self.inside(part) for part in cell[1]])
            elif kind == REP:
                found = self.rep(self.inside(cell[1]), cell[2], cell[3])
            else:
                found = self.cat(*[self.inside(part) for part in self._parts(fragment)])
            self._memo[key] = found
        return found

    def is_conditional(self, fragment: Fragment) -> bool:
        """Tell whether a fragment asks for anything about its surroundings."""
        return bool(self._flags[fragment] & _CONDITIONS)
