"""Find the places of a document that a validator would read as schemas, and what must not reach it there.

The validators are given a document only after this survey: content keywords are annotations and go, references
that cannot be resolved inside the document or that come back to themselves on the same value are marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from compatgate.errors import neutralise
from compatgate.jsonio import Json
from compatgate.schema.dialects import Dialect, by_uri
from compatgate.schema.references import Document, References, UnresolvableError
from compatgate.schema.references import Place as Spot

#: Deeper documents and values are not given to a validator: its native stack is not ours to measure, and a
#: thread may have half a megabyte of it. Strict input stops at 200 anyway.
MAX_DEPTH: Final = 500
#: Python objects may share parts; a walk over more nodes than this is a bomb, not a document.
MAX_PARTS: Final = 5_000_000

_IN_PLACE_ONE = ("not", "if", "then", "else")
_IN_PLACE_LISTS = ("allOf", "anyOf", "oneOf")
_IN_PLACE_MAPS = ("dependentSchemas", "dependencies")
_CHILD_ONE = (
    *("additionalItems", "contains", "additionalProperties", "propertyNames"),
    *("unevaluatedItems", "unevaluatedProperties", "items"),
)
_CHILD_LISTS = ("items", "prefixItems")
_HOLDER_MAPS = ("definitions", "$defs")
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
CONTENT = ("contentEncoding", "contentMediaType")


class Refused(Exception):  # noqa: N818 - a plain "no", raised and caught inside the package
    """Say why a document or a value is not given to a validator; the text is safe to print."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class Place:
    """Hold one schema position: its node, where it leads on the same value, and where on parts of the value.

    `named` are alternatives (a member has one name, an item one index), `parts` may all apply to one part.
    """

    node: dict[str, Json]
    in_place: list[int] = field(default_factory=list)
    named: list[int] = field(default_factory=list)
    parts: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Survey:
    """Hold what was found, by node identity; valid as long as the document lives.

    `places`: positions that evaluation can reach from `start`, empty without references. `content`: positions
    with content keywords. `idle`: positions that nothing reaches, whose references lead out of the document.
    `broken`: positions whose reference must not be followed, with the reason. `published`: a reference leads to
    a published meta-schema.
    """

    start: Spot
    places: dict[int, Place]
    content: frozenset[int]
    idle: frozenset[int]
    broken: dict[int, str]
    published: bool


def shape(value: Json, leaf: Callable[[Json], None], most: int = MAX_PARTS) -> tuple[int, int, frozenset[str]]:
    """Return depth, number of parts and the set of member names of a JSON value; `leaf` is given what holds nothing.

    Never recurses. Raises `Refused` beyond `MAX_DEPTH` or `most` parts, which also ends a walk of a value that holds
    itself.
    """
    depth = parts = 0
    names: set[str] = set()
    level: list[Json] = [value]
    while level:
        depth += 1
        parts += len(level)
        if depth > MAX_DEPTH:
            raise Refused(f"nested deeper than {MAX_DEPTH}")
        if parts > most:
            raise Refused(f"more than {most} parts")
        below: list[Json] = []
        for item in level:
            if isinstance(item, list):
                below += item
            elif isinstance(item, dict):
                names.update(item)
                below += item.values()
            elif item is not None and item is not True and item is not False:
                leaf(item)
        level = below
    return depth, parts, frozenset(names)


def survey(document: Document, names: frozenset[str]) -> Survey:
    """Walk every schema position of a document and every one that evaluation can reach.

    `names` are all member names of the document (see `shape`): a document without references is not resolved.
    Raises `Refused` where the document's pointer leads nowhere or its identifiers cannot be read.
    """
    has_references = not names.isdisjoint(REFERENCES)
    has_content = not names.isdisjoint(CONTENT)
    references = References(document)
    try:
        start = references.place(document.pointer)
    except UnresolvableError as error:
        raise Refused(neutralise(str(error))) from None
    places: dict[int, Place] = {}
    broken: dict[int, str] = {}
    if has_references and isinstance(start.schema, dict):
        _Walk(document.root, references, names, places, broken).reach(start)
        for key in _on_cycles(places):
            if any(name in places[key].node for name in REFERENCES):
                broken.setdefault(key, "a reference comes back to itself on the same value")
    content: set[int] = set()
    idle: set[int] = set()
    if has_content or has_references:
        for node in _positions([document.root, start.schema, *(place.node for place in places.values())]):
            if not node.keys().isdisjoint(CONTENT):
                content.add(id(node))
            if id(node) not in places and any(_leaves(node.get(name)) for name in REFERENCES):
                idle.add(id(node))
    published = any("://json-schema.org/" in str(place.node.get("$ref")) for place in places.values())
    return Survey(start, places, frozenset(content), frozenset(idle), broken, published)


class _Walk:
    """Collect the places that evaluation can reach, following references inside the document."""

    def __init__(
        self,
        root: Json,
        references: References,
        names: frozenset[str],
        places: dict[int, Place],
        broken: dict[int, str],
    ) -> None:
        self._references = references
        self._places = places
        self._broken = broken
        self._anchors: dict[str, list[dict[str, Json]]] = {}  # dynamic ones by name; recursive ones under "#"
        if not names.isdisjoint(("$dynamicAnchor", "$recursiveAnchor")):
            for node in _objects(root):
                name = "#" if node.get("$recursiveAnchor") is True else node.get("$dynamicAnchor")
                if isinstance(name, str):
                    self._anchors.setdefault(name, []).append(node)

    def reach(self, start: Spot) -> None:
        todo = [start]
        while todo:
            spot = todo.pop()
            node = spot.schema
            if not isinstance(node, dict) or id(node) in self._places:
                continue
            place = self._places[id(node)] = Place(node)
            if "$schema" in node and by_uri(node["$schema"]) is None:
                self._broken[id(node)] = f"unsupported dialect {neutralise(repr(node['$schema']))}"
                continue
            try:
                for kind, child in _subschemas(node, spot.dialect):
                    if isinstance(child, dict):
                        getattr(place, kind).append(id(child))
                        todo.append(self._references.child(spot, child, ""))
                for target in self._targets(spot, node):
                    if isinstance(target.schema, dict):
                        place.in_place.append(id(target.schema))
                        todo.append(target)
            except UnresolvableError as error:
                self._broken[id(node)] = f"unsupported: {neutralise(str(error))}"

    def _targets(self, spot: Spot, node: dict[str, Json]) -> Iterator[Spot]:
        for keyword in REFERENCES:
            reference = node.get(keyword)
            if keyword not in spot.dialect.keywords or not isinstance(reference, str):
                continue
            yield self._references.resolve(spot, reference)
            if keyword != "$ref":  # where it leads depends on the way here: take every possible one
                name = "#" if keyword == "$recursiveRef" else reference.partition("#")[2]
                for anchored in self._anchors.get(name, ()):
                    yield self._references.child(spot, anchored, "")


def _leaves(reference: Json) -> bool:
    return isinstance(reference, str) and not reference.startswith("#")


def _positions(todo: list[Json]) -> Iterator[dict[str, Json]]:
    """Yield the objects at and below the given schemas that stand where a schema does, whoever may reach them."""
    seen: set[int] = set()
    while todo:
        node = todo.pop()
        if isinstance(node, dict) and id(node) not in seen:
            seen.add(id(node))
            yield node
            todo.extend(child for _, child in _subschemas(node, None))


def _objects(root: Json) -> Iterator[dict[str, Json]]:
    todo: list[Json] = [root]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            yield item
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)


def _subschemas(node: dict[str, Json], dialect: Dialect | None) -> Iterator[tuple[str, Json]]:
    """Yield (field of `Place`, subschema); without a dialect also the positions that only hold schemas."""
    if dialect is not None and dialect.ref_hides_siblings and isinstance(node.get("$ref"), str):
        return
    for name in _IN_PLACE_ONE:
        if name in node:
            yield "in_place", node[name]
    for names, kind in ((_IN_PLACE_LISTS, "in_place"), (_CHILD_LISTS, "named")):
        for name in names:
            members = node.get(name)
            if isinstance(members, list):
                yield from ((kind, member) for member in members)
    for name in _CHILD_ONE:
        child = node.get(name)
        if isinstance(child, dict):
            yield "parts", child
    maps = [(name, "in_place") for name in _IN_PLACE_MAPS]
    maps += [("properties", "named"), ("patternProperties", "parts")]
    if dialect is None:
        maps += [(name, "parts") for name in _HOLDER_MAPS]
        yield "parts", node.get("contentSchema")
    for name, kind in maps:
        members = node.get(name)
        if isinstance(members, dict):
            yield from ((kind, member) for member in members.values())


def _on_cycles(places: dict[int, Place]) -> frozenset[int]:
    """Return the places from which in-place steps alone lead back to themselves (Tarjan, without recursion)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    cyclic: set[int] = set()
    for first in places:
        if first in order:
            continue
        work: list[tuple[int, Iterator[int]]] = []
        _enter(first, places, order, low, stack, on_stack, work)
        while work:
            key, successors = work[-1]
            for successor in successors:
                if successor not in places:
                    continue
                if successor not in order:
                    _enter(successor, places, order, low, stack, on_stack, work)
                    break
                if successor in on_stack:
                    low[key] = min(low[key], order[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[key])
                if low[key] == order[key]:
                    component = [stack.pop()]
                    while component[-1] != key:
                        component.append(stack.pop())
                    on_stack.difference_update(component)
                    if len(component) > 1 or key in places[key].in_place:
                        cyclic.update(component)
    return frozenset(cyclic)


def _enter(
    key: int,
    places: dict[int, Place],
    order: dict[int, int],
    low: dict[int, int],
    stack: list[int],
    on_stack: set[int],
    work: list[tuple[int, Iterator[int]]],
) -> None:
    order[key] = low[key] = len(order)
    stack.append(key)
    on_stack.add(key)
    work.append((key, iter(places[key].in_place)))
