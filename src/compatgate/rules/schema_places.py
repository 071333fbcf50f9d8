"""Walk the schemas inside a schema, and only those: what stands under const, enum, default or examples is data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from compatgate.diff.keywords import SCHEMA, SCHEMA_MAP, SCHEMA_SET
from compatgate.jsonio import Json
from compatgate.jsonio.pointer import escape

_MAPS: Final = SCHEMA_MAP | {"dependencies"}
_LISTS: Final = SCHEMA_SET | {"prefixItems", "items"}
_INSIDE: Final = SCHEMA | _MAPS | _LISTS


def schema_places(schema: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield (JSON Pointer, schema) for a schema and every schema object inside it; boolean schemas are left out."""
    todo: list[tuple[str, Json]] = [("", schema)]
    while todo:
        path, here = todo.pop()
        if not isinstance(here, dict):
            continue
        yield path, here
        for word in _INSIDE.intersection(here):
            value = here[word]
            if isinstance(value, dict):
                if word in _MAPS:
                    todo += [(f"{path}/{word}/{escape(name)}", part) for name, part in value.items()]
                elif word in SCHEMA:
                    todo.append((f"{path}/{word}", value))
            elif isinstance(value, list) and word in _LISTS:
                todo += [(f"{path}/{word}/{index}", part) for index, part in enumerate(value)]


def count_schemas(schema: Json) -> int:
    """Count a schema and every schema object inside it; boolean schemas are not counted."""
    count = 0
    todo: list[Json] = [schema]
    while todo:
        here = todo.pop()
        if type(here) is not dict:
            continue
        count += 1
        if _INSIDE.isdisjoint(here):
            continue
        for word, value in here.items():
            kind = type(value)
            if kind is dict:
                if word in _MAPS:
                    for part in value.values():  # type: ignore[union-attr]
                        if type(part) is dict:
                            if _INSIDE.isdisjoint(part):
                                count += 1
                            else:
                                todo.append(part)
                elif word in SCHEMA:
                    todo.append(value)
            elif kind is list and word in _LISTS:
                todo.extend(value)  # type: ignore[arg-type]
    return count
