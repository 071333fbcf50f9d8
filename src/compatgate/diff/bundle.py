"""Make two documents comparable: each self-contained, and shared definitions under the same names.

A schema that is a place in a larger document takes along the definitions that it reaches. A definition that was
renamed (or moved from `definitions` to `$defs`) is brought to its new name in OLD, references included: what remains
is then found where it is, and the new name itself is one edit that changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from compatgate.canonical import value_key
from compatgate.diff.keywords import DEFINITIONS, SCHEMA, SCHEMA_MAP, SCHEMA_SET
from compatgate.jsonio import Json, pointer
from compatgate.model import ABSENT, Absent
from compatgate.schema.references import Document

#: Python's stack is not ours to spend.
MAX_DEPTH: Final = 150

_LISTS = SCHEMA_SET | {"prefixItems", "items"}
_MAPS = SCHEMA_MAP | {"dependencies"}


@dataclass(frozen=True, slots=True)
class Rename:
    """Name a definition by its place in OLD and in NEW: (container, name) each."""

    old: tuple[str, str]
    new: tuple[str, str]

    @property
    def old_pointer(self) -> str:
        """Return the pointer in OLD."""
        return pointer_of(*self.old)

    @property
    def new_pointer(self) -> str:
        """Return the pointer in NEW."""
        return pointer_of(*self.new)


def pointer_of(*tokens: str | int) -> str:
    """Return the JSON Pointer of these tokens."""
    return pointer.join(tokens)


def tokens_of(place: str) -> list[str]:
    """Return the tokens of a JSON Pointer; a malformed one, which servers do write, is read as far as it goes."""
    return [token.replace("~1", "/").replace("~0", "~") for token in place.split("/")[1:]]


def at(root: Json, place: str) -> Json | Absent:
    """Return what stands at a pointer, ABSENT where nothing does."""
    here = root
    for token in tokens_of(place):
        found, here = pointer.step(here, token)
        if not found:
            return ABSENT
    return here


def target_of(reference: Json) -> str | None:
    """Return the pointer of a reference into the same document, None for every other."""
    if isinstance(reference, str) and (reference == "#" or reference.startswith("#/")):
        return unquote(reference[1:])
    return None


def parts(schema: Json) -> Iterator[tuple[tuple[str, ...], Json]]:
    """Yield the subschemas that stand directly in a schema, with the tokens that lead there."""
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        if keyword in _LISTS and isinstance(value, list):
            for index, member in enumerate(value):
                yield (keyword, str(index)), member
        elif keyword in _MAPS and isinstance(value, dict):
            for name, member in value.items():
                if isinstance(member, (dict, bool)):
                    yield (keyword, name), member
        elif keyword in SCHEMA and isinstance(value, (dict, bool)):
            yield (keyword,), value


def references(schema: Json) -> Iterator[tuple[tuple[str, ...], Json]]:
    """Yield every `$ref` at a schema position at or below, with the tokens of its schema."""
    todo: list[tuple[tuple[str, ...], Json]] = [((), schema)]
    while todo:
        tokens, here = todo.pop()
        if isinstance(here, dict) and "$ref" in here:
            yield tokens, here["$ref"]
        todo.extend((tokens + inner, part) for inner, part in parts(here))


def unusual_targets(root: Json) -> set[str]:
    """Return the keywords that are annotations, or unknown, and yet hold schemas, as references point into them."""
    found = set()
    for _, reference in references(root):
        tokens = tokens_of(target_of(reference) or "")
        while tokens:
            keyword = tokens.pop(0)
            if keyword in _MAPS or (keyword in _LISTS and tokens and tokens[0].isdigit()):
                tokens = tokens[1:]
            elif keyword not in SCHEMA:
                found.add(keyword)
                break
    return found


def self_contained(document: Document) -> Document:
    """Return a document whose root is the schema, with the definitions that it reaches; the same set of values."""
    if not document.pointer:
        return document
    schema = at(document.root, document.pointer)
    if not isinstance(schema, dict):
        return Document(True if schema is ABSENT else schema, "", document.dialect)
    names: dict[str, tuple[str, str]] = {}

    def name_of(reference: Json) -> Json:
        place = target_of(reference)
        if place is None or at(document.root, place) is ABSENT:
            return reference
        tokens = tokens_of(place)
        if len(tokens) >= 2 and tokens[0] in DEFINITIONS:
            names.setdefault(pointer_of(*tokens[:2]), (tokens[0], tokens[1]))
            return reference
        names.setdefault(place, ("$defs", place or "#"))
        return "#" + pointer_of("$defs", place or "#")

    bundled = rewrite(schema, name_of)
    assert isinstance(bundled, dict)
    bundled = dict(bundled)
    done: set[str] = set()
    while pending := [place for place in names if place not in done]:
        for place in pending:
            done.add(place)
            container, name = names[place]
            target = at(document.root, place)
            if target is not ABSENT:
                home = bundled.get(container)
                bundled[container] = {
                    **(home if isinstance(home, dict) else {}),
                    name: rewrite(target, name_of),
                }
    if isinstance(document.root, dict) and "$schema" in document.root:
        bundled.setdefault("$schema", document.root["$schema"])
    return Document(bundled, "", document.dialect)


def rewrite(schema: Json, change: Callable[[Json], Json], depth: int = 0) -> Json:
    """Return a schema with every `$ref` at a schema position changed; parts without one are shared.

    Below `MAX_DEPTH` nested schemas nothing is changed: only what is said about single edits can suffer.
    """
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return schema
    result = schema
    if "$ref" in schema and (changed := change(schema["$ref"])) != schema["$ref"]:
        result = {**schema, "$ref": changed}
    for keyword, value in schema.items():
        replaced: Json = value
        if keyword in _LISTS and isinstance(value, list):
            members = [rewrite(member, change, depth + 1) for member in value]
            if any(a is not b for a, b in zip(members, value, strict=True)):
                replaced = members
        elif keyword in _MAPS and isinstance(value, dict):
            named = {name: rewrite(member, change, depth + 1) for name, member in value.items()}
            if any(named[name] is not value[name] for name in value):
                replaced = named
        elif keyword in SCHEMA:
            replaced = rewrite(value, change, depth + 1)
        if replaced is not value:
            result = {**result, keyword: replaced}
    return result


def renamed_definitions(old: Json, new: Json) -> list[Rename]:
    """Find the definitions that only have another name or container in NEW, by equal text or by who refers to them."""
    gone, come = _only_in(old, new), _only_in(new, old)
    if not gone or not come:
        return []
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for container, name in gone:  # `definitions` became `$defs`, or the other way round
        other = DEFINITIONS[1 - DEFINITIONS.index(container)]
        if (other, name) in come:
            found[container, name] = (other, name)
    for place, target in _by_position(old, new, gone, come).items():
        if place not in found and target not in found.values():
            found[place] = target
    waiting = {value_key(schema): place for place, schema in come.items() if place not in found.values()}
    for place, schema in gone.items():
        key = value_key(schema)
        if place not in found and key in waiting:
            found[place] = waiting.pop(key)
    return [Rename(place, target) for place, target in sorted(found.items())]


def rename(root: Json, renames: list[Rename], *, back: bool = False) -> Json:
    """Return a document with its definitions renamed, references included; `back` undoes it."""
    if not renames or not isinstance(root, dict):
        return root
    table = {(r.new if back else r.old): (r.old if back else r.new) for r in renames}

    def change(reference: Json) -> Json:
        tokens = tokens_of(target_of(reference) or "")
        target = table.get((tokens[0], tokens[1])) if len(tokens) >= 2 else None
        return "#" + pointer_of(*target, *tokens[2:]) if target else reference

    renamed = rewrite(root, change)
    assert isinstance(renamed, dict)
    result = {name: value for name, value in renamed.items() if name not in DEFINITIONS}
    homes: dict[str, dict[str, Json]] = {}
    for container in DEFINITIONS:
        value = renamed.get(container)
        if isinstance(value, dict):
            moved = [(table.get((container, name), (container, name)), member) for name, member in value.items()]
            if not moved:
                homes.setdefault(container, {})
            for (home, name), member in moved:
                homes.setdefault(home, {})[name] = member
        elif container in renamed:
            result[container] = value
    return {**result, **homes}


def _only_in(root: Json, other: Json) -> dict[tuple[str, str], Json]:
    found: dict[tuple[str, str], Json] = {}
    if isinstance(root, dict):
        for container in DEFINITIONS:
            here = root.get(container)
            there = other.get(container) if isinstance(other, dict) else None
            if isinstance(here, dict):
                known = there if isinstance(there, dict) else {}
                found.update({(container, name): value for name, value in here.items() if name not in known})
    return found


def _by_position(
    old: Json, new: Json, gone: dict[tuple[str, str], Json], come: dict[tuple[str, str], Json]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Pair definitions that the same places refer to; every such place has to agree."""
    there = dict(references(new))
    votes: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for place, reference in references(old):
        a, b = tokens_of(target_of(reference) or ""), tokens_of(target_of(there.get(place)) or "")
        if len(a) == 2 and (a[0], a[1]) in gone and len(b) == 2 and (b[0], b[1]) in come:
            votes.setdefault((a[0], a[1]), set()).add((b[0], b[1]))
    single = {place: next(iter(targets)) for place, targets in votes.items() if len(targets) == 1}
    counts = list(single.values())
    return {place: target for place, target in single.items() if counts.count(target) == 1}
