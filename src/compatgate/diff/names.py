"""Which names a schema declares for the object at a place, through everything that applies to the same object."""

from __future__ import annotations

from typing import Final

from compatgate.diff.bundle import at, pointer_of, target_of, tokens_of
from compatgate.jsonio import Json
from compatgate.model import ABSENT

_IN_PLACE_LISTS: Final = ("allOf", "anyOf", "oneOf")
_IN_PLACE: Final = ("if", "then", "else")
#: Schemas looked at for one place: a document cannot make this search long.
MAX_VISITED: Final = 500


def declared(root: Json, pointer: str) -> set[str]:
    """Return the property names declared for the object that the schema at this pointer speaks of."""
    tokens = tokens_of(pointer)
    while True:  # a branch of anyOf speaks of the same object as the schema around it
        before = tokens[-2] if len(tokens) >= 2 else ""
        if before == "dependentSchemas" or (before in _IN_PLACE_LISTS and tokens[-1].isdigit()):
            tokens = tokens[:-2]
        elif tokens and tokens[-1] in _IN_PLACE and (len(tokens) < 2 or tokens[-2] != "properties"):
            tokens = tokens[:-1]
        else:
            break
    start = at(root, pointer_of(*tokens))
    names: set[str] = set()
    seen: set[int] = set()
    todo = [] if start is ABSENT else [start]
    while todo and len(seen) < MAX_VISITED:
        here = todo.pop()
        if not isinstance(here, dict) or id(here) in seen:
            continue
        seen.add(id(here))
        properties = here.get("properties")
        if isinstance(properties, dict):
            names.update(properties)
        for keyword in _IN_PLACE_LISTS:
            members = here.get(keyword)
            if isinstance(members, list):
                todo.extend(members)
        todo.extend(here[keyword] for keyword in _IN_PLACE if keyword in here)
        dependent = here.get("dependentSchemas")
        if isinstance(dependent, dict):
            todo.extend(dependent.values())
        target = target_of(here.get("$ref"))
        if target is not None and (found := at(root, target)) is not ABSENT:
            todo.append(found)
    return names


def with_names(root: Json, pointer: str, names: set[str]) -> Json:
    """Return a document where the schema at this pointer declares these names too, with any value."""
    return _put(root, tokens_of(pointer), names)


def _put(here: Json, tokens: list[str], names: set[str]) -> Json:
    if not tokens:
        if not isinstance(here, dict):
            return here
        properties = here.get("properties")
        known = properties if isinstance(properties, dict) else {}
        added: dict[str, Json] = {name: {} for name in sorted(names) if name not in known}
        return {**here, "properties": {**known, **added}}
    head, *rest = tokens
    if isinstance(here, dict) and head in here:
        return {**here, head: _put(here[head], rest, names)}
    if isinstance(here, list) and head.isdigit() and int(head) < len(here):
        return [_put(item, rest, names) if index == int(head) else item for index, item in enumerate(here)]
    return here
