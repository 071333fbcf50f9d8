"""Read the keywords of arrays: items in all their spellings, contains with its window, uniqueItems."""

from __future__ import annotations

from collections.abc import Set

from compatgate.jsonio import Json
from compatgate.schema.asking import Mode, Reader, Reading, value_mode
from compatgate.schema.assertions import Parts, natural
from compatgate.schema.nodes import ARRAY


def read_arrays(reader: Reader, parts: Parts, schema: dict[str, Json], mode: Mode, has: Set[str]) -> Reading:
    """Read everything about the items of arrays."""
    if "items" in has or "prefixItems" in has:
        yield from _read_items(reader, parts, schema, value_mode(mode), has)
    if "contains" in has:
        yield from _read_contains(reader, parts, schema)
    if "uniqueItems" in has:
        value = schema["uniqueItems"]
        if value is True:
            parts.add(ARRAY, parts.arena.atom("unique", None, None))
        elif value is not False:
            parts.opaque("uniqueItems", "not a boolean", ARRAY)


def _read_items(reader: Reader, parts: Parts, schema: dict[str, Json], mode: Mode, has: Set[str]) -> Reading:
    """Read a prefix and what follows it: prefixItems/items, or the older array items/additionalItems."""
    place, dialect = parts.place, parts.place.dialect
    prefix_keyword, rest_keyword = "prefixItems", "items"
    if dialect.array_items and isinstance(schema.get("items"), list):
        prefix_keyword, rest_keyword = "items", "additionalItems"
    prefix: list[Json] = []
    if prefix_keyword in has:
        listed = reader.schema_list(parts, prefix_keyword, schema[prefix_keyword], ARRAY)
        if listed is None:
            return
        prefix = listed
    elif rest_keyword not in has:
        return
    for index, sub in enumerate(prefix):
        found = yield reader.below(place, sub, mode, prefix_keyword, index)
        parts.add(ARRAY, parts.arena.each(index, index + 1, found or parts.arena.anything))
    if rest_keyword not in has:
        return
    rest = schema[rest_keyword]
    if isinstance(rest, list):
        parts.opaque(rest_keyword, "an array of schemas; looks like draft-07, here it is `prefixItems`", ARRAY)
    elif isinstance(rest, bool) and not dialect.boolean_schemas and rest_keyword == "additionalItems":
        if not rest:
            parts.add(ARRAY, parts.arena.each(len(prefix), None, parts.arena.nothing))
    else:
        found = yield reader.below(place, rest, mode, rest_keyword)
        parts.add(ARRAY, parts.arena.each(len(prefix), None, found or parts.arena.anything))


def _read_contains(reader: Reader, parts: Parts, schema: dict[str, Json]) -> Reading:
    arena, known = parts.arena, parts.place.dialect.keywords
    found = yield reader.below(parts.place, schema["contains"], Mode.OPEN, "contains")
    assert found is not None
    least: int | None = 1
    if "minContains" in known and "minContains" in schema:
        least = natural(schema["minContains"])
    if least is None:
        parts.opaque("minContains", "not a whole number from 0", ARRAY)
    else:
        parts.add(ARRAY, arena.contains(least, found))
    if "maxContains" in known and "maxContains" in schema:
        most = natural(schema["maxContains"])
        if most is None:
            parts.opaque("maxContains", "not a whole number from 0", ARRAY)
        else:
            parts.add(ARRAY, arena.neg(arena.contains(most + 1, found)))
