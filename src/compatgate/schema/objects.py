"""Read the keywords of objects: members by name, by pattern, all the rest, and what depends on them."""

from __future__ import annotations

from collections.abc import Set

from compatgate.jsonio import Json
from compatgate.schema.asking import Mode, Reader, Reading, value_mode
from compatgate.schema.assertions import Parts
from compatgate.schema.nodes import OBJECT, STRING, Arena, Formula
from compatgate.schema.references import Place


def read_objects(reader: Reader, parts: Parts, schema: dict[str, Json], mode: Mode, has: Set[str]) -> Reading:
    """Read everything about the members of objects."""
    inner = value_mode(mode)
    if not has.isdisjoint({"properties", "patternProperties", "additionalProperties"}):
        yield from _read_members(reader, parts, schema, inner, has)
    if "propertyNames" in has:
        found = yield reader.below(parts.place, schema["propertyNames"], Mode.OPEN, "propertyNames")
        assert found is not None
        arena = parts.arena
        parts.add(OBJECT, arena.forall(arena.neg(found.worlds[STRING]), arena.nothing))
    if "required" in has:
        names = name_list(schema["required"])
        if names is None:
            hint = "; looks like draft-03: a boolean" if isinstance(schema["required"], bool) else ""
            parts.opaque("required", f"not a list of names{hint}", OBJECT)
        else:
            for name in names:
                parts.add(OBJECT, present(parts.arena, name))
    for keyword in ("dependencies", "dependentRequired", "dependentSchemas"):
        if keyword in has:
            yield from _read_dependent(reader, parts, keyword, schema[keyword], mode)


def present(arena: Arena, name: str) -> Formula:
    """Say that a member of this name is there (object world)."""
    return arena.neg(arena.forall(arena.names(name), arena.nothing))


def name_list(value: Json) -> list[str] | None:
    """Return the value as a list of names, or None."""
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return [name for name in value if isinstance(name, str)]
    return None


def pattern_names(arena: Arena, place: Place, pattern: str) -> Formula:
    """Make the string set of the names that a patternProperties pattern matches."""
    return arena.atom("pattern", pattern, (pattern, place.below("patternProperties", pattern)))


def declared_names(arena: Arena, place: Place, schema: dict[str, Json]) -> list[Formula]:
    """List the name regions that `properties` and `patternProperties` speak of."""
    regions: list[Formula] = []
    properties = schema.get("properties")
    if isinstance(properties, dict) and properties:
        regions.append(arena.names(*properties))
    patterns = schema.get("patternProperties")
    if isinstance(patterns, dict):
        regions += [pattern_names(arena, place, pattern) for pattern in patterns]
    return regions


def _read_members(reader: Reader, parts: Parts, schema: dict[str, Json], mode: Mode, has: Set[str]) -> Reading:
    arena, place = parts.arena, parts.place
    for keyword in ("properties", "patternProperties"):
        if keyword not in has:
            continue
        value = schema[keyword]
        if not isinstance(value, dict):
            parts.opaque(keyword, "not a map of schemas", OBJECT)
            continue
        for name, sub in value.items():
            found = yield reader.below(place, sub, mode, keyword, name)
            region = arena.names(name) if keyword == "properties" else pattern_names(arena, place, name)
            parts.add(OBJECT, arena.forall(region, found or arena.anything))
    if "additionalProperties" in has:
        rest = schema["additionalProperties"]
        if isinstance(rest, bool):  # a boolean in draft-04 too, where it is no schema
            found = arena.anything if rest else arena.nothing
        else:
            answer = yield reader.below(place, rest, mode, "additionalProperties")
            found = answer or arena.anything
        others = arena.neg(arena.disjunction(declared_names(arena, place, schema)))
        parts.add(OBJECT, arena.forall(others, found))


def _read_dependent(reader: Reader, parts: Parts, keyword: str, value: Json, mode: Mode) -> Reading:
    arena, place = parts.arena, parts.place
    if not isinstance(value, dict):
        parts.opaque(keyword, "not a map", OBJECT)
        return
    for name, needed in value.items():
        absent = arena.neg(present(arena, name))
        names = name_list(needed) if keyword != "dependentSchemas" else None
        if names is not None:
            parts.add(OBJECT, arena.disjunction((absent, arena.conjunction(present(arena, n) for n in names))))
        elif keyword == "dependentRequired":
            parts.opaque(keyword, "not a list of names", OBJECT)
        else:
            found = yield reader.guarded(place, needed, mode, keyword, name)
            assert found is not None
            parts.add(OBJECT, arena.disjunction((absent, found.worlds[OBJECT])))
