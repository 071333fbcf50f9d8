"""Walk the places of a schema, and read what stands there without trusting it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, TypeAlias

from compatgate.canonical import value_key
from compatgate.jsonio import Json

Path: TypeAlias = tuple[str | int, ...]

_ONE = (
    *("not", "if", "then", "else", "items", "contains", "additionalProperties", "propertyNames"),
    *("additionalItems", "unevaluatedItems", "unevaluatedProperties"),
)
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_MAPS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")


def positions(schema: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Yield every schema position with its path, the root first."""
    yield path, schema
    if not isinstance(schema, dict):
        return
    for name, child in schema.items():
        if name in _LISTS and isinstance(child, list):
            for index, member in enumerate(child):
                yield from positions(member, (*path, name, index))
        elif name in _ONE and isinstance(child, (dict, bool)):
            yield from positions(child, (*path, name))
        elif name in _MAPS and isinstance(child, dict):
            for key, member in child.items():
                yield from positions(member, (*path, name, key))


def replaced(schema: Json, path: Path, part: Json) -> Json:
    """Return the schema with one place replaced, in place unless it is the root."""
    if not path:
        return part
    holder: Any = schema
    for token in path[:-1]:
        holder = holder[token]
    holder[path[-1]] = part
    return schema


def at(root: Json, pointer: str) -> Json:
    here: Any = root
    for token in pointer.split("/")[1:]:
        here = here.get(token) if isinstance(here, dict) else None
    result: Json = here if here is not None else True
    return result


def merged_with(schema: dict[str, Json], branch: dict[str, Json]) -> dict[str, Json]:
    merged = schema | branch
    for name in ("properties", "patternProperties"):
        mine, theirs = schema.get(name), branch.get(name)
        if isinstance(mine, dict) and isinstance(theirs, dict):
            merged[name] = mine | theirs
    required: list[Json] = [*texts(schema.get("required")), *texts(branch.get("required"))]
    return merged | {"required": required}


def constants_of(schema: Json) -> list[Json]:
    found: list[Json] = []
    for _, place in positions(schema):
        if isinstance(place, dict):
            found += [place["const"]] if "const" in place else []
            listed = place.get("enum")
            found += listed if isinstance(listed, list) else []
    return found


def members(value: Json) -> list[Json]:
    """Return the members of an array, none where it is something else."""
    return value if isinstance(value, list) else []


def texts(value: Json) -> list[str]:
    if isinstance(value, list):
        return [item for item in value if isinstance(item, str)]
    return [value] if isinstance(value, str) else []


def number(value: Json) -> bool:
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def size(value: Json) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def same(left: Json, right: Json) -> bool:
    return value_key(left) == value_key(right)


def embedded(schema: Json, combinator: str, other: Json) -> Json:
    """Return a schema with one more member of a combinator beside what it says; definitions stay where they are."""
    if not isinstance(schema, dict):
        return {combinator: [schema, other]}
    if "$ref" in schema:
        return schema
    return schema | {combinator: [*members(schema.get(combinator)), other]}
