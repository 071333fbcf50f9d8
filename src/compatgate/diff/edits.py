"""Edits as an invertible patch: one tree of the differences, and every mixture of OLD and NEW it allows.

The tree holds both documents and shares every part that did not change. An edit is one bit; `mix(selected)` takes
the selected edits from NEW and the others from OLD. So applying one edit to OLD is `mix(bit)`, reverting it in NEW
is `mix(all ^ bit)`, and applying all of them gives NEW itself: nothing that differs can get lost.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from compatgate.canonical import value_key
from compatgate.jsonio import Json, pointer
from compatgate.model import ABSENT, Absent

#: Rules, without what happened, whose edits stand at a member and not at its keyword.
_MEMBERS = frozenset("property pattern-property definition dependency alternative conjunct".split())


class Effect(Enum):
    """Say what an edit does to the set accepted at its own place."""

    NARROWS = "narrows"
    WIDENS = "widens"
    EITHER = "either"
    NOTHING = "nothing"  # an annotation: no value is accepted or rejected because of it


@dataclass(frozen=True, slots=True)
class Edit:
    """Hold one edit at one place.

    `path` is the JSON Pointer of the place: in NEW, or in OLD where the place is gone. `name` is the property,
    definition, pattern or type it is about. `twin` is the other name of a likely rename and `similarity` (0 to 1)
    how alike the two are. `bit` is the edit's own bit in the masks of the tree.
    """

    rule: str
    keyword: str | None
    path: str
    bit: int
    effect: Effect
    before: Json | Absent = ABSENT
    after: Json | Absent = ABSENT
    name: str | None = None
    twin: str | None = None
    similarity: float | None = None

    @property
    def spot(self) -> str:
        """Return the pointer of what was edited: the keyword at the place, or the member itself."""
        if self.keyword is None or self.rule.rpartition("-")[0] in _MEMBERS:
            return self.path
        return self.path + pointer.join([self.keyword])


class Node(Protocol):
    """A place that differs: `mask` are the edits at or below it, `old` and `new` what stands there."""

    @property
    def mask(self) -> int: ...
    @property
    def old(self) -> Json | Absent: ...
    @property
    def new(self) -> Json | Absent: ...
    def partial(self, selected: int) -> Json | Absent: ...


def build(node: Node, selected: int) -> Json | Absent:
    """Return what stands at a place when only the selected edits are made; unmixed parts are shared, not copied."""
    if not node.mask & selected:
        return node.old
    if not node.mask & ~selected:
        return node.new
    return node.partial(selected)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One edit that is made or not."""

    mask: int
    old: Json | Absent
    new: Json | Absent

    def partial(self, selected: int) -> Json | Absent:
        """Return OLD: a leaf has one bit, so it is never mixed; a leaf with more than one is made as a whole."""
        return self.old


@dataclass(frozen=True, slots=True)
class Members:
    """An object: `children` are the members that differ, by name; absent on one side means absent there."""

    mask: int
    old: Json | Absent
    new: Json | Absent
    children: Mapping[str, Node]

    def partial(self, selected: int) -> Json | Absent:
        """Return NEW's members in NEW's order, each differing one as mixed, then what only OLD has."""
        new = self.new if isinstance(self.new, dict) else {}
        mixed: dict[str, Json] = {}
        for name, value in new.items():
            child = self.children.get(name)
            built = value if child is None else build(child, selected)
            if built is not ABSENT:
                mixed[name] = built
        for name, child in self.children.items():
            if name not in new and (built := build(child, selected)) is not ABSENT:
                mixed[name] = built
        return mixed


@dataclass(frozen=True, slots=True)
class Items:
    """A list of schemas: `slots` are its places in NEW's order (a value that is the same, or a node)."""

    mask: int
    old: Json | Absent
    new: Json | Absent
    slots: Sequence[tuple[Json, Node | None]]

    def partial(self, selected: int) -> Json | Absent:
        """Return the places that are there when only the selected edits are made."""
        built = (value if node is None else build(node, selected) for value, node in self.slots)
        return [value for value in built if value is not ABSENT]


@dataclass(frozen=True, slots=True)
class Elements:
    """A list read as a set: `removed` and `added` map an element's key to the bit of its edit."""

    mask: int
    old: Json | Absent
    new: Json | Absent
    removed: Mapping[Hashable, int]
    added: Mapping[Hashable, int]
    empty: Json | Absent = field(default=ABSENT)

    def partial(self, selected: int) -> Json | Absent:
        """Return OLD's elements without those removed, then those added; `empty` stands for an empty set."""
        old = self.old if isinstance(self.old, list) else []
        new = self.new if isinstance(self.new, list) else []
        kept = [value for value in old if not self.removed.get(value_key(value), 0) & selected]
        kept += [value for value in new if self.added.get(value_key(value), 0) & selected]
        return kept if kept else self.empty


@dataclass(frozen=True, slots=True)
class Inlined:
    """A schema that is a reference on one side and spelt out on the other; `spelt` compares the two spelt out."""

    mask: int
    old: Json | Absent
    new: Json | Absent
    spelt: Node | None

    def partial(self, selected: int) -> Json | Absent:
        """Return the mixture spelt out: which of the two spellings is used accepts the same values."""
        if self.spelt is None:
            return self.old
        return build(self.spelt, selected)
