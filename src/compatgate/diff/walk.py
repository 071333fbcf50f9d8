"""Walk OLD and NEW in parallel and put down every edit, each at its own place, as a tree that can be mixed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from compatgate.canonical import value_key
from compatgate.diff import align
from compatgate.diff.bundle import at, pointer_of, target_of
from compatgate.diff.edits import Edit, Effect, Elements, Inlined, Items, Leaf, Members, Node
from compatgate.diff.keywords import ANNOTATIONS, DEFINITIONS, SCHEMA, SCHEMA_MAP, SCHEMA_SET
from compatgate.diff.values import (
    Name,
    Value,
    is_open,
    name_constraint,
    name_dialect,
    name_rest,
    name_scalar,
    name_schema,
    name_type,
    same,
)
from compatgate.jsonio import Json
from compatgate.model import ABSENT
from compatgate.schema.references import Document

#: Schemas nested deeper than this are compared as a whole: Python's stack is not ours to spend.
MAX_DEPTH: Final = 80
#: A reference is followed this often while one side spells out what the other refers to.
MAX_INLINED: Final = 6

Handler = Callable[[Value, Value, str, str, str], Node | None]


class Walker:
    """Collect the edits that turn one self-contained document into another; used once."""

    def __init__(
        self, old: Document, new: Document, *, assert_formats: bool, unusual: set[str], referenced: set[str]
    ) -> None:
        self.edits: list[Edit] = []
        self._old, self._new = old.root, new.root
        self._default = new.dialect
        self._assert_formats = assert_formats
        self._unusual = unusual
        self._referenced = referenced
        self._depth = 0
        self._inlined: list[str] = []

    def edit(
        self,
        name: Name,
        keyword: str | None,
        path: str,
        before: Value = ABSENT,
        after: Value = ABSENT,
        about: str | None = None,
        twin: tuple[str, float] | None = None,
    ) -> int:
        """Put down one edit and return its bit."""
        bit = 1 << len(self.edits)
        twin_name, similarity = twin or (None, None)
        self.edits.append(Edit(name[0], keyword, path, bit, name[1], before, after, about, twin_name, similarity))
        return bit

    # -- schemas -------------------------------------------------------------------------------------

    def schema(self, old: Json, new: Json, old_path: str = "", new_path: str = "") -> Node | None:
        """Compare two schemas; None where they are the same."""
        if same(old, new):
            return None
        if not isinstance(old, dict) or not isinstance(new, dict) or self._depth >= MAX_DEPTH:
            return Leaf(self.edit(name_schema(old, new), None, new_path, old, new), old, new)
        self._depth += 1
        try:
            node = self._inline(old, new, old_path, new_path)
            return node if node is not None else self._keywords(old, new, old_path, new_path)
        finally:
            self._depth -= 1

    def _keywords(self, old: dict[str, Json], new: dict[str, Json], old_path: str, new_path: str) -> Members:
        children: dict[str, Node] = {}
        for keyword in [*new, *(k for k in old if k not in new)]:
            before, after = _get(old, keyword), _get(new, keyword)
            if not same(before, after):
                node = self._handler(keyword, before, after)(before, after, keyword, old_path, new_path)
                if node is not None:
                    children[keyword] = node
        return _members(old, new, children)

    def _handler(self, keyword: str, old: Value, new: Value) -> Handler:
        if keyword in self._unusual:
            return self._scalar
        if keyword in ("additionalProperties", "unevaluatedProperties"):
            return self._rest
        if keyword in SCHEMA_MAP and _objects(old, new):
            return self._map
        if keyword in ("dependencies", "dependentRequired") and _objects(old, new):
            return self._dependencies
        if keyword in SCHEMA_SET and isinstance(old, list) and isinstance(new, list):
            return self._set_of_schemas
        if keyword in ("prefixItems", "items") and isinstance(old, list) and isinstance(new, list):
            return self._tuple
        if keyword == "required" and _lists(old, new):
            return self._required
        if keyword == "enum":
            return self._enum
        if keyword in SCHEMA or keyword in SCHEMA_SET or keyword in SCHEMA_MAP:
            return self._one_schema
        if keyword in ("prefixItems", "dependencies", "dependentRequired"):
            return self._one_schema
        return self._scalar

    # -- one keyword each (before, after, keyword, old place, new place) -------------------------------

    def _scalar(self, old: Value, new: Value, keyword: str, old_path: str, new_path: str) -> Node:
        if keyword == "type":
            name = name_type(old, new)
        elif keyword == "$schema":
            name = name_dialect(old, new, self._default)
        else:
            name = name_scalar(keyword, old, new, assert_formats=self._assert_formats, unusual=keyword in self._unusual)
        return Leaf(self.edit(name, keyword, new_path, old, new), old, new)

    def _one_schema(self, old: Value, new: Value, keyword: str, old_path: str, new_path: str) -> Node | None:
        if isinstance(old, (dict, bool)) and isinstance(new, (dict, bool)) and keyword in SCHEMA:
            tail = pointer_of(keyword)
            return self.schema(old, new, old_path + tail, new_path + tail)
        name = name_constraint(old, new)
        if is_open(old) and is_open(new) and keyword != "contains" and keyword not in ("not", "if"):
            name = "respelt", Effect.EITHER
        return Leaf(self.edit(name, keyword, new_path, old, new), old, new)

    def _rest(self, old: Value, new: Value, keyword: str, old_path: str, new_path: str) -> Node | None:
        name = name_rest(old, new)
        if name is None:
            return self._one_schema(old, new, keyword, old_path, new_path)
        return Leaf(self.edit(name, keyword, new_path, old, new), old, new)

    def _map(self, old: Value, new: Value, keyword: str, old_path: str, new_path: str) -> Node:
        before, after = old if isinstance(old, dict) else {}, new if isinstance(new, dict) else {}
        if not before and not after:
            return Leaf(self.edit(("respelt", Effect.NOTHING), keyword, new_path, old, new), old, new)
        gone = {name: schema for name, schema in before.items() if name not in after}
        come = {name: schema for name, schema in after.items() if name not in before}
        renamed = align.renames(gone, come) if keyword == "properties" else {}
        origin = {new_name: (old_name, score) for old_name, (new_name, score) in renamed.items()}
        children: dict[str, Node] = {}
        for name in [*after, *gone]:
            tail = pointer_of(keyword, name)
            node: Node | None
            if name in gone:
                title = self._member_name(keyword, "removed", old_path + tail)
                bit = self.edit(title, keyword, old_path + tail, gone[name], ABSENT, name, renamed.get(name))
                node = Leaf(bit, gone[name], ABSENT)
            elif name in come:
                title = self._member_name(keyword, "added", new_path + tail)
                bit = self.edit(title, keyword, new_path + tail, ABSENT, come[name], name, origin.get(name))
                node = Leaf(bit, ABSENT, come[name])
            else:
                node = self.schema(before[name], after[name], old_path + tail, new_path + tail)
            if node is not None:
                children[name] = node
        return _members(old, new, children)

    def _member_name(self, keyword: str, what: str, pointer: str) -> Name:
        if keyword in DEFINITIONS:
            used = any(target == pointer or target.startswith(pointer + "/") for target in self._referenced)
            return f"definition-{what}", Effect.EITHER if used else Effect.NOTHING
        if keyword == "properties":
            return f"property-{what}", Effect.EITHER
        if keyword == "patternProperties":
            return f"pattern-property-{what}", Effect.EITHER
        return f"dependency-{what}", Effect.NARROWS if what == "added" else Effect.WIDENS

    def _dependencies(self, old: Value, new: Value, keyword: str, old_path: str, new_path: str) -> Node:
        before, after = old if isinstance(old, dict) else {}, new if isinstance(new, dict) else {}
        if not before and not after:
            return Leaf(self.edit(("respelt", Effect.NOTHING), keyword, new_path, old, new), old, new)
        children: dict[str, Node] = {}
        for name in [*after, *(n for n in before if n not in after)]:
            was, now = _get(before, name), _get(after, name)
            if same(was, now):
                continue
            tail = pointer_of(keyword, name)
            if isinstance(was, (dict, bool)) and isinstance(now, (dict, bool)):
                node = self.schema(was, now, old_path + tail, new_path + tail)
                assert node is not None
                children[name] = node
                continue
            what = "added" if was is ABSENT else "removed" if now is ABSENT else "changed"
            effect = {"added": Effect.NARROWS, "removed": Effect.WIDENS, "changed": Effect.EITHER}[what]
            place = (old_path if now is ABSENT else new_path) + tail
            bit = self.edit((f"dependency-{what}", effect), keyword, place, was, now, name)
            children[name] = Leaf(bit, was, now)
        return _members(old, new, children)

    def _set_of_schemas(self, old: Value, new: Value, keyword: str, old_path: str, new_path: str) -> Node:
        assert isinstance(old, list)
        assert isinstance(new, list)
        pairs, gone, _ = align.pair(old, new)
        if not pairs:
            return Leaf(self.edit(name_constraint(old, new), keyword, new_path, old, new), old, new)
        partner = {j: i for i, j in pairs}
        stem = "conjunct" if keyword == "allOf" else "alternative"
        narrows, widens = Effect.NARROWS, Effect.WIDENS
        if keyword == "oneOf":
            narrows = widens = Effect.EITHER
        slots: list[tuple[Json, Node | None]] = []
        for j, value in enumerate(new):
            tail_new = pointer_of(keyword, j)
            if j in partner:
                tail_old = pointer_of(keyword, partner[j])
                slots.append((value, self.schema(old[partner[j]], value, old_path + tail_old, new_path + tail_new)))
            else:
                name = (f"{stem}-added", narrows if stem == "conjunct" else widens)
                slots.append((value, Leaf(self.edit(name, keyword, new_path + tail_new, ABSENT, value), ABSENT, value)))
        for i in gone:
            name = (f"{stem}-removed", widens if stem == "conjunct" else narrows)
            bit = self.edit(name, keyword, old_path + pointer_of(keyword, i), old[i], ABSENT)
            slots.append((old[i], Leaf(bit, old[i], ABSENT)))
        mask = 0
        if [j for _, j in pairs] != sorted(j for _, j in pairs):
            mask = self.edit(("reordered", Effect.NOTHING), keyword, new_path)
        for _, node in slots:
            mask |= node.mask if node is not None else 0
        return Items(mask, old, new, slots)

    def _tuple(self, old: Value, new: Value, keyword: str, old_path: str, new_path: str) -> Node:
        assert isinstance(old, list)
        assert isinstance(new, list)
        shared = min(len(old), len(new))
        slots: list[tuple[Json, Node | None]] = []
        for index in range(shared):
            tail = pointer_of(keyword, index)
            slots.append((new[index], self.schema(old[index], new[index], old_path + tail, new_path + tail)))
        if len(new) > shared:
            bit = self.edit(("tuple-lengthened", Effect.EITHER), keyword, new_path, old, new)
            slots += [(value, Leaf(bit, ABSENT, value)) for value in new[shared:]]
        elif len(old) > shared:
            bit = self.edit(("tuple-shortened", Effect.EITHER), keyword, new_path, old, new)
            slots += [(value, Leaf(bit, value, ABSENT)) for value in old[shared:]]
        mask = 0
        for _, node in slots:
            mask |= node.mask if node is not None else 0
        return Items(mask, old, new, slots)

    def _required(self, old: Value, new: Value, keyword: str, old_path: str, new_path: str) -> Node:
        before, after = old if isinstance(old, list) else [], new if isinstance(new, list) else []
        known, wanted = {value_key(v) for v in before}, {value_key(v) for v in after}
        if known == wanted:
            return self._respelt_set(old, new, keyword, new_path)
        removed, added = {}, {}
        for value in after:
            if (key := value_key(value)) not in known and key not in added:
                about = value if isinstance(value, str) else None
                added[key] = self.edit(("required-added", Effect.NARROWS), keyword, new_path, ABSENT, value, about)
        for value in before:
            if (key := value_key(value)) not in wanted and key not in removed:
                about = value if isinstance(value, str) else None
                removed[key] = self.edit(("required-removed", Effect.WIDENS), keyword, new_path, value, ABSENT, about)
        return _elements(old, new, removed, added)

    def _enum(self, old: Value, new: Value, keyword: str, old_path: str, new_path: str) -> Node:
        if not isinstance(old, list) or not isinstance(new, list):
            rule = "enum-added" if old is ABSENT else "enum-removed" if new is ABSENT else "enum-changed"
            effect = {"enum-added": Effect.NARROWS, "enum-removed": Effect.WIDENS}.get(rule, Effect.EITHER)
            return Leaf(self.edit((rule, effect), keyword, new_path, old, new), old, new)
        known, wanted = {value_key(v) for v in old}, {value_key(v) for v in new}
        if known == wanted:
            return self._respelt_set(old, new, keyword, new_path)
        if not known & wanted:
            effect = Effect.WIDENS if not known else Effect.NARROWS if not wanted else Effect.EITHER
            return Leaf(self.edit(("enum-changed", effect), keyword, new_path, old, new), old, new)
        gone: list[Json] = [v for v in old if value_key(v) not in wanted]
        come: list[Json] = [v for v in new if value_key(v) not in known]
        removed = added = 0
        if gone:
            removed = self.edit(("enum-value-removed", Effect.NARROWS), keyword, new_path, gone, ABSENT)
        if come:
            added = self.edit(("enum-value-added", Effect.WIDENS), keyword, new_path, ABSENT, come)
        return _elements(old, new, {value_key(v): removed for v in gone}, {value_key(v): added for v in come})

    def _respelt_set(self, old: Value, new: Value, keyword: str, path: str) -> Node:
        reordered = isinstance(old, list) and isinstance(new, list) and len(old) == len(new)
        name = ("reordered" if reordered else "respelt"), Effect.NOTHING
        return Leaf(self.edit(name, keyword, path, old, new), old, new)

    # -- a reference on one side, its target spelt out on the other -----------------------------------

    def _inline(self, old: dict[str, Json], new: dict[str, Json], old_path: str, new_path: str) -> Node | None:
        if ("$ref" in old) == ("$ref" in new) or len(self._inlined) >= MAX_INLINED:
            return None
        if "$ref" in old:
            spelt = _spell_out(old, self._old)
            reference, name = str(old["$ref"]), "reference-inlined"
        else:
            spelt = _spell_out(new, self._new)
            reference, name = str(new["$ref"]), "reference-extracted"
        if spelt is None or reference in self._inlined:
            return None
        bit = self.edit((name, Effect.EITHER), "$ref", new_path, old.get("$ref", ABSENT), new.get("$ref", ABSENT))
        self._inlined.append(reference)
        try:
            inner = (
                self.schema(spelt, new, old_path, new_path)
                if "$ref" in old
                else self.schema(old, spelt, old_path, new_path)
            )
        finally:
            self._inlined.pop()
        return Inlined(bit | (inner.mask if inner is not None else 0), old, new, inner)


def _spell_out(schema: dict[str, Json], root: Json) -> dict[str, Json] | None:
    """Put a reference's target in its place; None where that could change what is accepted."""
    pointer = target_of(schema["$ref"])
    target = at(root, pointer) if pointer else ABSENT
    siblings = {name: value for name, value in schema.items() if name != "$ref"}
    if not isinstance(target, dict) or not siblings.keys() <= ANNOTATIONS:
        return None
    return {**target, **siblings}


def _get(members: dict[str, Json], name: str) -> Value:
    value: Value = members.get(name, ABSENT)
    return value


def _objects(old: Value, new: Value) -> bool:
    return all(value is ABSENT or isinstance(value, dict) for value in (old, new))


def _lists(old: Value, new: Value) -> bool:
    return all(value is ABSENT or isinstance(value, list) for value in (old, new))


def _members(old: Value, new: Value, children: dict[str, Node]) -> Members:
    mask = 0
    for node in children.values():
        mask |= node.mask
    return Members(mask, old, new, children)


def _elements(old: Value, new: Value, removed: dict[object, int], added: dict[object, int]) -> Elements:
    mask = 0
    for bit in (*removed.values(), *added.values()):
        mask |= bit
    return Elements(mask, old, new, removed, added)
