"""Read the keywords that assert: types, values, numbers, strings, sizes.

Each reader takes the keyword's value and adds formulas to a `Parts`. A value that the dialect does not allow is
never guessed at: it becomes an opaque formula, equal to itself and otherwise unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Literal

from compatgate.canonical import value_key
from compatgate.errors import CompatgateError
from compatgate.jsonio import Json
from compatgate.schema.nodes import (
    ARRAY,
    BOOLEAN,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Arena,
    Formula,
    Number,
    Schema,
    World,
)
from compatgate.schema.references import Place

#: Decimal exponents beyond this are not expanded into exact integers: such numbers are opaque.
MAX_EXPONENT: Final = 2_000

_TYPES: Final = {
    "null": NULL,
    "boolean": BOOLEAN,
    "integer": NUMBER,
    "number": NUMBER,
    "string": STRING,
    "array": ARRAY,
    "object": OBJECT,
}


class Parts:
    """Gather the formulas of one schema, world by world, until they are joined."""

    def __init__(self, arena: Arena, place: Place, identity: Callable[[Any], object]) -> None:
        self.arena = arena
        self.place = place
        self._identity = identity
        self._worlds: tuple[list[Formula], ...] = ([], [], [], [], [], [])

    def add(self, world: World, formula: Formula) -> None:
        """Assert a formula in one world."""
        self._worlds[world].append(formula)

    def add_schema(self, schema: Schema) -> None:
        """Assert a whole schema."""
        for parts, formula in zip(self._worlds, schema.worlds, strict=True):
            parts.append(formula)

    def opaque(self, keyword: str, reason: str, *worlds: World, identity: object = None) -> None:
        """Assert that `keyword` says something unknown in these worlds (in all, when none is named).

        Where the keyword says the same, `identity` is the same: by default for equal schema objects alone, since what a
        keyword says may depend on any of its neighbours.
        """
        if identity is None:
            identity = self._identity(self.place.schema)
        key = (keyword, self.place.dialect.name, identity)
        for world in worlds or range(6):
            self.add(world, self.arena.opaque((*key, world), reason, self.place.below(keyword)))

    def join(self) -> Schema:
        """Return the schema that asserts everything added."""
        return self.arena.schema(tuple(self.arena.conjunction(parts) for parts in self._worlds))


def to_number(value: Json) -> Number | None:
    """Return the exact number of a JSON number, or None where it is none or cannot be expanded."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        value = Decimal(repr(value))
    if not isinstance(value, Decimal) or not value.is_finite():
        return None
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exponent) > MAX_EXPONENT or len(value.as_tuple().digits) > MAX_EXPONENT:
        return None
    number = Fraction(value)
    return number.numerator if number.denominator == 1 else number


def world_of(value: Json) -> World:
    """Return the world that a JSON value lives in."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return BOOLEAN
    if isinstance(value, (int, float, Decimal)):
        return NUMBER
    if isinstance(value, str):
        return STRING
    return ARRAY if isinstance(value, list) else OBJECT


def read_type(parts: Parts, value: Json) -> None:
    """Read `type`: a name or a list of names."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) and name in _TYPES for name in names):
        parts.opaque("type", "not a type name or a list of them")
        return
    worlds = {_TYPES[name] for name in names if isinstance(name, str)}
    for world in range(6):
        if world not in worlds:
            parts.add(world, parts.arena.false)
    if "integer" in names and "number" not in names:
        parts.add(NUMBER, parts.arena.atom("multiple", 1, 1))


def read_enum(parts: Parts, value: Json) -> None:
    """Read `enum`: the finite set of its values under typed equality."""
    if not isinstance(value, list):
        parts.opaque("enum", "not a list of values")
        return
    parts.add_schema(finite_schema(parts.arena, value))


def read_const(parts: Parts, value: Json) -> None:
    """Read `const`: the set of one value."""
    parts.add_schema(finite_schema(parts.arena, [value]))


def finite_schema(arena: Arena, values: list[Json]) -> Schema:
    """Make the schema of exactly these values."""
    worlds: tuple[dict[Any, Json], ...] = ({}, {}, {}, {}, {}, {})
    for value in values:
        worlds[world_of(value)].setdefault(value_key(value), value)
    return arena.schema(tuple(arena.finite(world, found) for world, found in enumerate(worlds)))


def read_multiple(parts: Parts, value: Json) -> None:
    """Read `multipleOf`: a number above zero."""
    number = to_number(value)
    if number is None or number <= 0:
        parts.opaque("multipleOf", "not a number above zero", NUMBER)
    else:
        parts.add(NUMBER, parts.arena.atom("multiple", number, number))


def read_bounds(parts: Parts, schema: dict[str, Json]) -> None:
    """Read `minimum`, `maximum` and the exclusive bounds, which draft-04 spells as booleans beside them."""
    arena, boolean = parts.arena, parts.place.dialect.boolean_exclusive
    for keyword, exclusive, lower in (
        ("minimum", "exclusiveMinimum", True),
        ("maximum", "exclusiveMaximum", False),
    ):
        strict = schema.get(exclusive)
        if boolean and exclusive in schema and not isinstance(strict, bool):
            parts.opaque(exclusive, "not a boolean (it is one in draft-04)", NUMBER)
            continue
        if keyword in schema:
            number = to_number(schema[keyword])
            if number is None:
                parts.opaque(keyword, "not a number", NUMBER)
            else:
                parts.add(NUMBER, _bound(arena, number, lower=lower, strict=boolean and strict is True))
        if not boolean and exclusive in schema:
            number = to_number(strict)
            if number is None:
                hint = "; looks like draft-04: true" if isinstance(strict, bool) else ""
                parts.opaque(exclusive, f"not a number{hint}", NUMBER)
            else:
                parts.add(NUMBER, _bound(arena, number, lower=lower, strict=True))


def _bound(arena: Arena, number: Number, *, lower: bool, strict: bool) -> Formula:
    kind = "above" if strict == lower else "at_least"
    atom = arena.atom(kind, number, number)
    return atom if lower else arena.neg(atom)


_SIZES: Final[tuple[tuple[str, World, Literal["length", "count", "size"], bool], ...]] = (
    ("minLength", STRING, "length", True),
    ("maxLength", STRING, "length", False),
    ("minItems", ARRAY, "count", True),
    ("maxItems", ARRAY, "count", False),
    ("minProperties", OBJECT, "size", True),
    ("maxProperties", OBJECT, "size", False),
)


def read_sizes(parts: Parts, schema: dict[str, Json]) -> None:
    """Read the size bounds of strings (code points), arrays and objects."""
    for keyword, world, kind, lower in _SIZES:
        if keyword not in schema:
            continue
        size = natural(schema[keyword])
        if size is None:
            parts.opaque(keyword, "not a whole number from 0", world)
        elif lower:
            parts.add(world, parts.arena.at_least(kind, size))
        else:
            parts.add(world, parts.arena.neg(parts.arena.at_least(kind, size + 1)))


def natural(value: Json) -> int | None:
    """Return a whole number from 0 (3.0 is one), or None."""
    number = to_number(value)
    return number if isinstance(number, int) and number >= 0 else None


def read_pattern(parts: Parts, value: Json) -> None:
    """Read `pattern`; the text is parsed by the prover, where an unreadable one becomes unknown."""
    if isinstance(value, str):
        parts.add(STRING, parts.arena.atom("pattern", value, (value, parts.place.below("pattern"))))
    else:
        parts.opaque("pattern", "not a string", STRING)


def identity_of(value: Json) -> object:
    """Return what makes an unreadable part equal to another: its value by typed equality.

    `$schema` does not count: the dialect it names is compared by itself.
    """
    if isinstance(value, dict) and "$schema" in value:
        value = {name: item for name, item in value.items() if name != "$schema"}
    try:
        return value_key(value)
    except CompatgateError:
        return ("not JSON", id(value))
