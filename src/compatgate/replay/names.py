"""See which members of a call a schema declares by name, at every depth of the call.

This is about names, not about validity: a name counts as declared where any part of the schema that applies to the
same object declares it, whichever branch of a choice the value takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from compatgate.jsonio import Json, pointer
from compatgate.prover.patterns import Patterns
from compatgate.schema.references import Document, Place, References, UnresolvableError

_BRANCHES = ("allOf", "anyOf", "oneOf")
_SINGLE = ("if", "then", "else")
_SILENT: tuple[Json, ...] = (True, {})  # additionalProperties absent, true and {} are the same silence


@dataclass
class _Seen:
    """Hold what is known of one object in the call; `speaks` says that some name is declared for it at all."""

    declared: set[str] = field(default_factory=set)
    speaks: bool = False


class Names:
    """Look up declared names in one schema; not shared between threads."""

    def __init__(self, document: Document) -> None:
        self._references = References(document)
        self._start = self._references.place(document.pointer)
        self._patterns = Patterns()

    def ignored(self, arguments: Json, before: Names) -> tuple[str, ...]:
        """Return the pointers of members that `before` declares and this schema does not.

        A nested object for which this schema declares no name at all is a free map: nothing in it is ignored.
        """
        ours, theirs = self._walk(arguments), before._walk(arguments)
        found = []
        for at, here in ours.items():
            if at != () and not here.speaks:
                continue
            known = theirs.get(at)
            if known is not None:
                found += [pointer.join([*at, name]) for name in sorted(known.declared - here.declared)]
        return tuple(sorted(found))

    def _walk(self, arguments: Json) -> dict[tuple[str | int, ...], _Seen]:
        objects: dict[tuple[str | int, ...], _Seen] = {}
        done: set[tuple[int, tuple[str | int, ...]]] = set()
        kept: list[Json] = []  # visited schemas stay alive, as they are told apart by identity
        todo: list[tuple[Place, Json, tuple[str | int, ...]]] = [(self._start, arguments, ())]
        while todo:
            place, value, at = todo.pop()
            if isinstance(value, dict):
                objects.setdefault(at, _Seen())
            schema = place.schema
            if not isinstance(schema, dict) or (id(schema), at) in done:
                continue
            done.add((id(schema), at))
            kept.append(schema)
            target = self._target(place, schema)
            if target is not None:
                todo.append((target, value, at))
                if place.dialect.ref_hides_siblings:
                    continue
            todo += [(inner, value, at) for inner in self._same_object(place, schema)]
            if isinstance(value, dict):
                todo += self._members(place, schema, value, at, objects[at])
            elif isinstance(value, list):
                todo += self._items(place, schema, value, at)
        return objects

    def _target(self, place: Place, schema: dict[str, Json]) -> Place | None:
        resolve = {
            "$ref": self._references.resolve,
            "$dynamicRef": self._references.resolve_dynamic,
            "$recursiveRef": self._references.resolve_recursive,
        }
        for keyword, follow in resolve.items():
            reference = schema.get(keyword)
            if isinstance(reference, str) and keyword in place.dialect.keywords:
                try:
                    return follow(place, reference)
                except UnresolvableError:
                    return None
        return None

    def _same_object(self, place: Place, schema: dict[str, Json]) -> Iterator[Place]:
        for keyword in _BRANCHES:
            branches = schema.get(keyword)
            if isinstance(branches, list):
                for index, branch in enumerate(branches):
                    yield self._child(place, branch, keyword, index)
        for keyword in _SINGLE:
            if keyword in schema:
                yield self._child(place, schema[keyword], keyword)
        for keyword in ("dependentSchemas", "dependencies"):
            by_name = schema.get(keyword)
            if isinstance(by_name, dict):
                for name, inner in by_name.items():
                    yield self._child(place, inner, keyword, name)

    def _members(
        self, place: Place, schema: dict[str, Json], value: dict[str, Json], at: tuple[str | int, ...], here: _Seen
    ) -> Iterator[tuple[Place, Json, tuple[str | int, ...]]]:
        listed = set(_named(schema))
        properties = schema.get("properties")
        known = properties if isinstance(properties, dict) else {}
        by_pattern = schema.get("patternProperties")
        regions = by_pattern if isinstance(by_pattern, dict) else {}
        here.speaks = here.speaks or bool(known) or bool(listed) or bool(regions)
        here.declared |= (listed | known.keys()) & value.keys()
        for name in known.keys() & value.keys():
            yield self._child(place, known[name], "properties", name), value[name], (*at, name)
        rest = value.keys() - known.keys()
        for text, inner in regions.items():
            pattern = self._patterns.get(text)
            # A pattern that cannot be read might match: nothing is called ignored for its sake.
            matching = {name for name in value if pattern is None or pattern.matches(name)}
            rest -= matching
            here.declared |= matching
            for name in sorted(matching):
                yield self._child(place, inner, "patternProperties", text), value[name], (*at, name)
        for keyword in ("additionalProperties", "unevaluatedProperties"):
            inner = schema.get(keyword)
            if isinstance(inner, dict) and inner not in _SILENT:
                here.speaks = True
                here.declared |= rest
                for name in sorted(rest):
                    yield self._child(place, inner, keyword), value[name], (*at, name)

    def _items(
        self, place: Place, schema: dict[str, Json], value: list[Json], at: tuple[str | int, ...]
    ) -> Iterator[tuple[Place, Json, tuple[str | int, ...]]]:
        first: list[Json] = []
        prefix, items = schema.get("prefixItems"), schema.get("items")
        keyword, others = "prefixItems", "items"
        if place.dialect.array_items and isinstance(items, list):
            first, keyword, others = items, "items", "additionalItems"
        elif isinstance(prefix, list) and "prefixItems" in place.dialect.keywords:
            first = prefix
        for index, (inner, item) in enumerate(zip(first, value, strict=False)):
            yield self._child(place, inner, keyword, index), item, (*at, index)
        rest = schema.get(others)
        if isinstance(rest, dict):
            for index in range(len(first), len(value)):
                yield self._child(place, rest, others), value[index], (*at, index)

    def _child(self, place: Place, schema: Json, *tokens: str | int) -> Place:
        try:
            return self._references.child(place, schema, place.below(*tokens))
        except UnresolvableError:
            return Place(True, place.below(*tokens), place.dialect)


def _named(schema: dict[str, Json]) -> Iterator[str]:
    """Yield the names that count as declared without `properties`: the rule of the caller model `declared`."""
    required = schema.get("required")
    if isinstance(required, list):
        yield from (name for name in required if isinstance(name, str))
    for keyword in ("dependentRequired", "dependencies"):
        by_name = schema.get(keyword)
        if isinstance(by_name, dict):
            for trigger, names in by_name.items():
                if isinstance(names, list):
                    yield trigger
                    yield from (name for name in names if isinstance(name, str))
    listed = schema.get("enum")
    for value in [schema.get("const"), *(listed if isinstance(listed, list) else [])]:
        if isinstance(value, dict):
            yield from value
