"""Hold regular languages as hash-consed expressions and take their derivatives (Brzozowski; Owens et al. 2009).

A node denotes what the *rest of the text* may be. Patterns are compiled in continuation style: compile(tree, K) is
"the tree, then K", where K is again about the rest of the text up to its end. That makes look-ahead plain boolean
algebra (`(?=Y)` then K is Y.* and K) and `$` the empty rest. What lies behind a place is told by its context, a bit
mask: bit 0 at the start of the text, bit 1 behind a word character, further bits where a look-behind matches; those
are followed by automata of their own. Repetition counters stay symbolic: {1,255} is one node, not 255.

Characters are cut into the few classes (minterms) that the patterns can tell apart.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, Final, Literal, TypeAlias

from compatgate.prover import unicode_sets as sets
from compatgate.prover.regex import Alt, Chars, Edge, Look, Opaque, Repeat, Seq, Tree
from compatgate.prover.unicode_sets import Intervals, normalised

AT_START: Final = 1
AFTER_WORD: Final = 2
_FIRST_LOOK: Final = 2  # look-behinds take the bits from here on

Kind: TypeAlias = Literal["none", "empty", "all", "cat", "alt", "and", "not"]


class Node:
    """One language; made by an `Algebra` only, compared by identity."""

    __slots__ = ("args", "contextual", "kind", "nullable", "uid")

    def __init__(self, uid: int, kind: Kind, args: Any, contextual: bool, nullable: bool) -> None:
        self.uid = uid
        self.kind = kind
        self.args = args
        self.contextual = contextual  # whether what it says depends on the context
        self.nullable = nullable  # whether it holds of the empty rest (only if not contextual)


# Heads of a `cat`: ("set", mask) | ("rep", node, low, high) | ("loop", tree, low, high) | ("if", bit, wanted)


def minterms(trees: Iterable[Tree]) -> tuple[dict[Intervals, int], list[Intervals]]:
    """Cut the scalar values into the classes that the trees tell apart: a mask for each set, and the classes."""
    found: dict[Intervals, None] = {sets.ANY: None}
    todo = list(trees)
    while todo:
        tree = todo.pop()
        if isinstance(tree, Chars):
            found[tree.intervals] = None
        elif isinstance(tree, (Seq, Alt)):
            todo += tree.parts
        elif isinstance(tree, (Repeat, Look)):
            todo.append(tree.part)
        elif tree.kind in ("word", "inside"):
            found[sets.WORD] = None
    cut = {intervals: normalised(intervals) for intervals in found}
    points = sorted({p for intervals in cut.values() for low, high in intervals for p in (low, high + 1)})
    classes: dict[int, list[tuple[int, int]]] = {}
    listed = list(cut.values())
    starts = [[low for low, _ in intervals] for intervals in listed]
    for start, end in pairwise(points):
        key = 0
        for index, intervals in enumerate(listed):
            at = bisect_right(starts[index], start) - 1
            if at >= 0 and intervals[at][1] >= start:
                key |= 1 << index
        if key:
            classes.setdefault(key, []).append((start, end - 1))
    keys = list(classes)
    masks = {
        intervals: sum(1 << position for position, key in enumerate(keys) if key >> index & 1)
        for index, intervals in enumerate(cut)
    }
    return masks, [normalised(classes[key]) for key in keys]


class Algebra:
    """Make nodes over one set of minterms and take their derivatives; `spend` counts the work."""

    def __init__(self, masks: dict[Intervals, int], size: int, spend: Callable[[int], None]) -> None:
        self.masks = masks
        self.size = size
        self.spend = spend
        self.every = (1 << size) - 1
        self.word = masks.get(sets.WORD, 0)
        self._nodes: dict[Any, Node] = {}
        self._derived: dict[tuple[int, int, int], Node] = {}
        self.none = self._make("none", None, False, False)
        self.empty = self._make("empty", None, False, True)
        self.all = self._make("all", None, False, True)
        #: The look-behinds met so far: their language over what was read, inner ones first.
        self.behind: list[Node] = []
        self._looks: dict[tuple[Tree, bool], int] = {}

    # -- making nodes --------------------------------------------------------------------------------

    def _make(self, kind: Kind, args: Any, contextual: bool, nullable: bool) -> Node:
        key = (kind, args)
        node = self._nodes.get(key)
        if node is None:
            self.spend(1)
            node = self._nodes[key] = Node(len(self._nodes), kind, args, contextual, nullable)
        return node

    def negation(self, node: Node) -> Node:
        """Make the language of all other texts."""
        if node.kind == "not":
            inner: Node = node.args
            return inner
        if node is self.none:
            return self.all
        if node is self.all:
            return self.none
        return self._make("not", node, node.contextual, not node.nullable)

    def union(self, nodes: Iterable[Node]) -> Node:
        """Make the union; counters of the same loop before the same rest are merged where they touch."""
        return self._join("alt", nodes, self.none, self.all)

    def meet(self, nodes: Iterable[Node]) -> Node:
        """Make the intersection."""
        return self._join("and", nodes, self.all, self.none)

    def _join(self, kind: Literal["alt", "and"], nodes: Iterable[Node], unit: Node, zero: Node) -> Node:
        found: dict[Node, None] = {}
        for node in nodes:
            for part in node.args if node.kind == kind else (node,):
                if part is zero:
                    return zero
                if part is not unit:
                    found[part] = None
        self.spend(len(found) >> 3)
        if self.empty in found and len(found) > 1:
            if kind == "and" and all(not part.contextual for part in found):
                return self.empty if all(part.nullable for part in found) else self.none
            if kind == "alt" and any(part.nullable and not part.contextual for part in found if part is not self.empty):
                del found[self.empty]
        if any(part.kind == "not" and part.args in found for part in found):
            return zero
        parts = list(found) if kind == "and" else self._merge_counters(list(found))
        if not parts:
            return unit
        if len(parts) == 1:
            return parts[0]
        parts.sort(key=lambda node: node.uid)
        contextual = any(part.contextual for part in parts)
        holds = all if kind == "and" else any
        return self._make(kind, tuple(parts), contextual, holds(part.nullable for part in parts))

    def _merge_counters(self, parts: list[Node]) -> list[Node]:
        """Merge a{1,3}K and a{2,5}K into a{1,5}K: it keeps ambiguous counters from multiplying."""
        loops: dict[tuple[Node, Node], list[tuple[int, int | None]]] = {}
        rest: list[Node] = []
        for part in parts:
            if part.kind == "cat" and part.args[0][0] == "rep":
                (_, body, low, high), following = part.args
                loops.setdefault((body, following), []).append((low, high))
            else:
                rest.append(part)
        for (body, following), ranges in loops.items():
            ranges.sort(key=lambda r: r[0])
            merged = [ranges[0]]
            for low, high in ranges[1:]:
                first, last = merged[-1]
                if last is None or low <= last + 1:
                    merged[-1] = (first, None if last is None or high is None else max(last, high))
                else:
                    merged.append((low, high))
            rest += [self.repeat(body, low, high, following) for low, high in merged]
        return rest

    def then(self, head: tuple[Any, ...], rest: Node) -> Node:
        """Make "head, then rest"."""
        if rest is self.none or (head[0] == "set" and not head[1]):
            return self.none
        contextual = rest.contextual or head[0] in ("loop", "if")
        return self._make("cat", (head, rest), contextual, False if head[0] == "set" else self._skips(head, rest))

    @staticmethod
    def _skips(head: tuple[Any, ...], rest: Node) -> bool:
        return bool(head[0] == "rep" and head[2] == 0 and rest.nullable)

    def repeat(self, body: Node, low: int, high: int | None, rest: Node) -> Node:
        """Make "body, low to high times, then rest"; the body is free of contexts."""
        if high == 0 or body is self.empty:
            return rest
        if body is self.none:
            return rest if low == 0 else self.none
        if body.nullable:
            low = 0
        if rest is self.all:
            if low == 0:
                return self.all
            high = low  # more of them is part of the rest
        if low == 1 and high == 1:
            return self.concat(body, rest)
        return self.then(("rep", body, low, high), rest)

    def concat(self, node: Node, rest: Node) -> Node:
        """Make "node, then rest" for a node that is free of contexts and of intersections."""
        if node is self.empty:
            return rest
        if node is self.none or rest is self.none:
            return self.none
        if node.kind == "alt":
            return self.union([self.concat(part, rest) for part in node.args])
        heads: list[Any] = []
        while node.kind == "cat":
            head, node = node.args
            heads.append(head)
        result = rest if node is self.empty else self.concat(node, rest)
        for head in reversed(heads):
            result = self.repeat(head[1], head[2], head[3], result) if head[0] == "rep" else self.then(head, result)
        return result

    # -- compiling -----------------------------------------------------------------------------------

    def search(self, tree: Tree) -> Node:
        """Compile a pattern: it may match anywhere in the text."""
        anything = self.then(("set", self.every), self.empty)
        return self.repeat(anything, 0, None, self.compile(tree, self.all))

    def compile(self, tree: Tree, rest: Node) -> Node:
        """Compile "tree, then rest"."""
        if isinstance(tree, Chars):
            return self.then(("set", self.masks[tree.intervals]), rest)
        if isinstance(tree, Seq):
            for part in reversed(tree.parts):
                rest = self.compile(part, rest)
            return rest
        if isinstance(tree, Alt):
            return self.union([self.compile(part, rest) for part in tree.parts])
        if isinstance(tree, Repeat):
            return self._compile_repeat(tree, rest)
        if isinstance(tree, Edge):
            return self._compile_edge(tree.kind, rest)
        if tree.behind:
            return self.then(("if", self._look_behind(tree.part), not tree.negative), rest)
        ahead = self.compile(tree.part, self.all)
        return self.meet((self.negation(ahead) if tree.negative else ahead, rest))

    def _compile_repeat(self, tree: Repeat, rest: Node) -> Node:
        if not _looks_around(tree.part):
            return self.repeat(self.compile(tree.part, self.empty), tree.low, tree.high, rest)
        if tree.high == 0:
            return rest
        if _may_be_empty(tree.part):
            if tree.low == 0 and tree.high == 1:
                return self.union((rest, self.compile(tree.part, rest)))
            raise Opaque("a repeated assertion")
        return self.then(("loop", tree.part, tree.low, tree.high), rest)

    def _compile_edge(self, kind: str, rest: Node) -> Node:
        if kind == "start":
            return self.then(("if", 0, True), rest)
        if kind == "end":
            return self.meet((self.empty, rest))
        word = self.then(("set", self.word), self.all)
        other = self.negation(word)
        behind, ahead = (other, word) if kind == "word" else (word, other)
        return self.union(
            (
                self.then(("if", 1, True), self.meet((behind, rest))),
                self.then(("if", 1, False), self.meet((ahead, rest))),
            )
        )

    def _look_behind(self, part: Tree) -> int:
        key = (part, True)
        if key not in self._looks:
            if _asks_ahead(part):
                raise Opaque("a look-behind that looks ahead")
            anything = self.then(("set", self.every), self.empty)
            self.behind.append(self.repeat(anything, 0, None, self.compile(part, self.empty)))
            self._looks[key] = _FIRST_LOOK + len(self.behind) - 1
        return self._looks[key]

    # -- deriving ------------------------------------------------------------------------------------

    def holds_of_nothing(self, node: Node, context: int) -> bool:
        """Tell whether the language has the empty rest, at the end of the text."""
        if not node.contextual:
            return node.nullable
        if node.kind == "not":
            return not self.holds_of_nothing(node.args, context)
        if node.kind == "alt":
            return any(self.holds_of_nothing(part, context) for part in node.args)
        if node.kind == "and":
            return all(self.holds_of_nothing(part, context) for part in node.args)
        while node.kind == "cat":
            head, node = node.args
            if head[0] == "set" or (head[0] in ("rep", "loop") and head[2] > 0):
                return False
            if head[0] == "if" and bool(context >> head[1] & 1) is not head[2]:
                return False
        return self.holds_of_nothing(node, context)

    def derive(self, node: Node, letter: int, context: int) -> Node:
        """Return what the rest may be after one character of class `letter`, read in this context."""
        if node.kind in ("none", "empty"):
            return self.none
        if node is self.all:
            return node
        key = (node.uid, letter, context if node.contextual else 0)
        found = self._derived.get(key)
        if found is None:
            self.spend(1)
            found = self._derived[key] = self._derive(node, letter, context)
        return found

    def _derive(self, node: Node, letter: int, context: int) -> Node:
        if node.kind == "not":
            return self.negation(self.derive(node.args, letter, context))
        if node.kind == "alt":
            return self.union([self.derive(part, letter, context) for part in node.args])
        if node.kind == "and":
            return self.meet([self.derive(part, letter, context) for part in node.args])
        results: list[Node] = []
        while node.kind == "cat":
            head, rest = node.args
            if head[0] == "set":
                if head[1] >> letter & 1:
                    results.append(rest)
                break
            if head[0] == "if":
                if bool(context >> head[1] & 1) is not head[2]:
                    break
            else:
                results.append(self._derive_loop(head, rest, letter, context))
                if head[2] > 0:
                    break
            node = rest
        else:
            results.append(self.derive(node, letter, context))
        return self.union(results)

    def _derive_loop(self, head: tuple[Any, ...], rest: Node, letter: int, context: int) -> Node:
        kind, body, low, high = head
        fewer, most = max(0, low - 1), None if high is None else high - 1
        if kind == "rep":
            first = self.derive(body, letter, 0)
            return self.none if first is self.none else self.concat(first, self.repeat(body, fewer, most, rest))
        again = rest if most == 0 else self.then(("loop", body, fewer, most), rest)
        return self.derive(self.compile(body, again), letter, context)


def _looks_around(tree: Tree) -> bool:
    if isinstance(tree, (Edge, Look)):
        return True
    if isinstance(tree, (Seq, Alt)):
        return any(_looks_around(part) for part in tree.parts)
    return isinstance(tree, Repeat) and _looks_around(tree.part)


def _asks_ahead(tree: Tree) -> bool:
    """Tell whether a tree depends on what follows it."""
    if isinstance(tree, Edge):
        return tree.kind != "start"
    if isinstance(tree, Look):
        return not tree.behind or _asks_ahead(tree.part)
    if isinstance(tree, (Seq, Alt)):
        return any(_asks_ahead(part) for part in tree.parts)
    return isinstance(tree, Repeat) and _asks_ahead(tree.part)


def _may_be_empty(tree: Tree) -> bool:
    if isinstance(tree, Chars):
        return False
    if isinstance(tree, Seq):
        return all(_may_be_empty(part) for part in tree.parts)
    if isinstance(tree, Alt):
        return any(_may_be_empty(part) for part in tree.parts)
    if isinstance(tree, Repeat):
        return tree.low == 0 or _may_be_empty(tree.part)
    return True
