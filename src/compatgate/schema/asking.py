"""Say how the readers of keywords ask for subschemas, and for what use."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from compatgate.jsonio import Json
from compatgate.schema.assertions import Parts
from compatgate.schema.nodes import Arena, Schema
from compatgate.schema.references import Place, References, UnresolvableError


class Mode(IntEnum):
    """Say how a schema is used: as written, at a position that a sender fills, or as a member of one."""

    OPEN = 0
    SENT = 1  # a position of a sender under the caller model `declared`: undeclared names are not sent
    MEMBER = 2  # an in-place member of such a position: not closed itself, but its own positions are


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the driver for a subschema.

    `structural` when it speaks of another value than its parent does; `guarded` when it stands where adding nothing
    is no neutral answer (under anyOf, oneOf, not, if, a dependency).
    """

    place: Place
    mode: Mode
    structural: bool
    guarded: bool = False


@dataclass(slots=True)
class Closed:
    """Tell which position was closed for the caller model `declared`, and what it was before."""

    pointer: str
    before: Schema
    after: Schema


#: A reader yields what it asks for and is sent the answers; None means "the same value once more".
Reading: TypeAlias = Generator[Ask, "Schema | None", None]
Build: TypeAlias = Generator[Ask, "Schema | None", "Schema"]


class Reader:
    """Offer the readers of keywords what they need: the arena, references, and ways to ask."""

    def __init__(self, arena: Arena, references: References) -> None:
        self.arena = arena
        self.references = references
        self.closed: list[Closed] = []
        self.notes: dict[str, None] = {}
        self.root_pointer = ""
        self.root_is_input = True
        self.walked = 0  # branches looked at for what they evaluate

    def child_place(self, place: Place, schema: Json, *tokens: str | int) -> Place:
        """Return the place of a subschema."""
        return self.references.child(place, schema, place.below(*tokens))

    def below(self, place: Place, schema: Json, mode: Mode, *tokens: str | int) -> Ask:
        """Ask for a subschema that speaks of a part of the value."""
        return Ask(self.child_place(place, schema, *tokens), mode, structural=True)

    def beside(self, place: Place, schema: Json, mode: Mode, *tokens: str | int) -> Ask:
        """Ask for a subschema that speaks of the same value."""
        return Ask(self.child_place(place, schema, *tokens), mode, structural=False)

    def guarded(self, place: Place, schema: Json, mode: Mode, *tokens: str | int) -> Ask:
        """Ask for a subschema that speaks of the same value under a negation or a condition; never answered None."""
        return Ask(self.child_place(place, schema, *tokens), mode, structural=False, guarded=True)

    def targets(self, place: Place) -> Iterable[tuple[str, Place | str]]:
        """List what the references of a schema point at: the place, or why there is none."""
        schema = place.schema
        assert isinstance(schema, dict)
        for keyword, resolve in (
            ("$ref", self.references.resolve),
            ("$dynamicRef", self.references.resolve_dynamic),
            ("$recursiveRef", self.references.resolve_recursive),
        ):
            if keyword not in schema or keyword not in place.dialect.keywords:
                continue
            reference = schema[keyword]
            try:
                yield keyword, resolve(place, reference) if isinstance(reference, str) else "not a reference"
            except UnresolvableError as error:
                yield keyword, str(error)

    def schema_list(self, parts: Parts, keyword: str, value: Json, *worlds: int) -> list[Json] | None:
        """Return the value as a list of schemas, or make the keyword opaque in these worlds."""
        if isinstance(value, list):
            return value
        parts.opaque(keyword, "not a list of schemas", *worlds)
        return None


def value_mode(mode: Mode) -> Mode:
    """Return the mode of the values inside a schema read in `mode`."""
    return Mode.OPEN if mode is Mode.OPEN else Mode.SENT
