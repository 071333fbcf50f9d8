"""Work out which members and items a schema has evaluated, branch by branch.

`unevaluatedProperties: U` holds of a value when, for some set of branches that hold, every member outside the
regions those branches speak of has a value in U. More branches holding can only evaluate more, so it is enough to
say "some set of branches that hold": no branch has to be denied, and the keyword becomes a union over cases.

The caller model `declared` is the same thing with U = false and one difference: there, silence
(`additionalProperties` absent or true) declares nothing, and names in `required` count as declared.
"""

from __future__ import annotations

from collections.abc import Generator, Set
from dataclasses import dataclass
from typing import Final, TypeAlias

from compatgate.jsonio import Json
from compatgate.schema.asking import Ask, Build, Closed, Mode, Reader, Reading, value_mode
from compatgate.schema.assertions import Parts
from compatgate.schema.nodes import ARRAY, OBJECT, Formula, Schema
from compatgate.schema.objects import declared_names, name_list, present
from compatgate.schema.references import Place

#: More combinations of branches than this are not told apart: the keyword is opaque there.
MAX_CASES: Final = 64
#: In-place nesting beyond this is not followed.
MAX_NESTING: Final = 32
#: Branches looked at for one keyword: definitions that refer to each other twice are met two to the depth times.
MAX_VISITS: Final = 1_000
#: Branches looked at for all keywords and positions of a document.
MAX_WALK: Final = 200_000


@dataclass(frozen=True, slots=True)
class Case:
    """Hold one way of being evaluated: if `holds`, these names and items are.

    `names` are regions (string formulas; TRUE is every name), `prefix` counts items from the front (None is
    every item), `items` are schemas whose items count as evaluated wherever they stand (`contains`).
    """

    holds: Formula
    names: frozenset[Formula] = frozenset()
    prefix: int | None = 0
    items: frozenset[Schema] = frozenset()

    @property
    def empty(self) -> bool:
        """Tell whether nothing is evaluated."""
        return not self.names and self.prefix == 0 and not self.items


class TooManyCasesError(Exception):
    """Report more branch combinations, or deeper nesting, than are followed."""


Casing: TypeAlias = Generator[Ask, "Schema | None", list[Case]]


def read_unevaluated(reader: Reader, parts: Parts, schema: dict[str, Json], mode: Mode, has: Set[str]) -> Reading:
    """Read `unevaluatedItems` and `unevaluatedProperties`."""
    arena = parts.arena
    for keyword, world in (("unevaluatedItems", ARRAY), ("unevaluatedProperties", OBJECT)):
        if keyword not in has:
            continue
        found = yield reader.below(parts.place, schema[keyword], value_mode(mode), keyword)
        rest = found or arena.anything
        if rest is arena.anything:
            continue
        try:
            cases = yield from _Cases(reader, world, declared=False).of(parts.place, skip=keyword)
        except TooManyCasesError as error:
            parts.opaque(keyword, str(error), world)
            continue
        options: list[Formula] = []
        for case in cases:
            if world == OBJECT:
                others = arena.neg(arena.disjunction(case.names))
                condition = arena.forall(others, rest)
            elif case.prefix is None:
                condition = arena.true
            else:
                condition = arena.each(case.prefix, None, arena.either((rest, *_ordered(case.items))))
            options.append(arena.conjunction((case.holds, condition)))
        parts.add(world, arena.disjunction(options))


def closing(reader: Reader, place: Place, built: Schema) -> Build:
    """Close a sender's position: only names that its schema declares are sent (caller model `declared`)."""
    arena = reader.arena
    if built.worlds[OBJECT] is arena.false:
        return built
    try:
        cases = yield from _Cases(reader, OBJECT, declared=True).of(place)
    except TooManyCasesError as error:
        reader.notes[f"{place.pointer or '/'}: left open for undeclared names: {error}"] = None
        return built
    declares = any(case.names for case in cases)
    if not declares and not (place.pointer == reader.root_pointer and reader.root_is_input):
        return built
    options = [
        arena.conjunction((case.holds, arena.forall(arena.neg(arena.disjunction(case.names)), arena.nothing)))
        for case in cases
    ]
    closed = arena.both((built, arena.only(OBJECT, arena.disjunction(options))))
    if closed is not built:
        reader.closed.append(Closed(place.pointer, built, closed))
    return closed


class _Cases:
    """List the cases of a schema for one world, following what applies in place."""

    def __init__(self, reader: Reader, world: int, *, declared: bool) -> None:
        self.reader = reader
        self.arena = reader.arena
        self.world = world
        self.declared = declared
        self._path: list[tuple[int, str]] = []
        self._visits = 0

    def of(self, place: Place, skip: str = "") -> Casing:
        schema = place.schema
        if not isinstance(schema, dict):
            return [Case(self.arena.true)]
        key = (id(schema), place.base)
        if key in self._path:
            return [Case(self.arena.true)]  # the same value once more: nothing is added
        if len(self._path) >= MAX_NESTING:
            raise TooManyCasesError("the branches that may hold nest too deeply")
        self._visits += 1
        self.reader.walked += 1
        if self._visits > MAX_VISITS or self.reader.walked > MAX_WALK:
            raise TooManyCasesError("too many branches may hold")
        self._path.append(key)
        cases = [self._static(place, schema, skip)]
        if self.world == ARRAY and place.dialect.contains_evaluates and "contains" in schema:
            matched = yield self.reader.below(place, schema["contains"], Mode.OPEN, "contains")
            assert matched is not None
            cases = self._product(cases, [Case(self.arena.true, items=frozenset({matched}))])
        for keyword, target in self.reader.targets(place):
            if isinstance(target, str):
                raise TooManyCasesError(f"what `{keyword}` evaluates is unknown: {target}")
            found = yield from self.of(target)
            cases = self._product(cases, found)
        if not (place.dialect.ref_hides_siblings and "$ref" in schema):
            cases = yield from self._branches(place, schema, cases)
        self._path.pop()
        return cases

    def _branches(self, place: Place, schema: dict[str, Json], cases: list[Case]) -> Casing:
        known = place.dialect.keywords
        for keyword in ("allOf", "anyOf", "oneOf"):
            value = schema.get(keyword)
            if keyword not in known or not isinstance(value, list):
                continue
            exclusive = [Case(self.arena.true)]
            for index, sub in enumerate(value):
                inner = self.reader.child_place(place, sub, keyword, index)
                if keyword == "allOf":
                    found = yield from self.of(inner)
                    cases = self._product(cases, found)
                    continue
                held = yield from self._held(place, sub, (keyword, index))
                if keyword == "anyOf":
                    cases = self._product(cases, [Case(self.arena.true), *held])
                else:
                    exclusive += held
            if keyword == "oneOf":
                cases = self._product(cases, exclusive)
        if "if" in known and "if" in schema:
            found = yield from self._conditional(place, schema)
            cases = self._product(cases, found)
        for keyword in ("dependentSchemas", "dependencies"):
            value = schema.get(keyword)
            if keyword in known and isinstance(value, dict) and self.world == OBJECT:
                for name, sub in value.items():
                    if isinstance(sub, list):
                        continue
                    held = yield from self._held(place, sub, (keyword, name))
                    there = present(self.arena, name)
                    optional = [self._and(there, case) for case in held]
                    cases = self._product(cases, [Case(self.arena.true), *optional])
        return cases

    def _held(self, place: Place, sub: Json, tokens: tuple[str | int, ...]) -> Casing:
        """List the cases in which a branch holds and evaluates something."""
        inner = self.reader.child_place(place, sub, *tokens)
        found = yield from self.of(inner)
        telling = [case for case in found if not case.empty]
        if not telling:
            return []
        holds = yield self.reader.guarded(place, sub, Mode.OPEN, *tokens)
        assert holds is not None
        return [self._and(holds.worlds[self.world], case) for case in telling]

    def _conditional(self, place: Place, schema: dict[str, Json]) -> Casing:
        condition = yield self.reader.guarded(place, schema["if"], Mode.OPEN, "if")
        assert condition is not None
        holds = condition.worlds[self.world]
        asked = yield from self.of(self.reader.child_place(place, schema["if"], "if"))
        if self.declared:
            asked = [Case(self.arena.true)]  # what a condition mentions is not thereby declared
        result = [Case(self.arena.true)]
        for keyword, guard, base in (
            ("then", holds, asked),
            ("else", self.arena.neg(holds), [Case(self.arena.true)]),
        ):
            found = base
            if keyword in schema:
                inner = yield from self.of(self.reader.child_place(place, schema[keyword], keyword))
                found = self._product(base, inner)
            result += [self._and(guard, case) for case in found if not case.empty]
        return result

    def _static(self, place: Place, schema: dict[str, Json], skip: str) -> Case:
        """Say what the keywords of one schema object evaluate whatever the value."""
        if place.dialect.ref_hides_siblings and "$ref" in schema:
            return Case(self.arena.true)
        known = place.dialect.keywords
        has = {keyword for keyword in schema if keyword in known and keyword != skip}
        if self.world == OBJECT:
            return Case(self.arena.true, names=frozenset(self._names(place, schema, has)))
        return self._items(place, schema, has)

    def _names(self, place: Place, schema: dict[str, Json], has: Set[str]) -> list[Formula]:
        arena = self.arena
        regions = declared_names(arena, place, schema)
        for keyword in ("additionalProperties", "unevaluatedProperties"):
            if keyword not in has:
                continue
            value = schema[keyword]
            silent = isinstance(value, bool) or (isinstance(value, dict) and not _asserts(place, value))
            if not (self.declared and silent):
                regions.append(arena.true)
        if self.declared:
            names = list(name_list(schema.get("required")) or ())
            dependent = schema.get("dependentRequired")
            if isinstance(dependent, dict):
                names += [n for needed in dependent.values() for n in name_list(needed) or ()]
            constants = schema.get("enum") if isinstance(schema.get("enum"), list) else []
            assert isinstance(constants, list)
            for value in [*constants, schema.get("const")]:
                if isinstance(value, dict):
                    names += value
            if names:
                regions.append(arena.names(*names))
        return regions

    def _items(self, place: Place, schema: dict[str, Json], has: Set[str]) -> Case:
        prefix: int | None = 0
        items = schema.get("items")
        if place.dialect.array_items and isinstance(items, list):
            prefix = None if "additionalItems" in has else len(items)
        elif "items" in has:
            prefix = None
        elif "prefixItems" in has and isinstance(schema["prefixItems"], list):
            prefix = len(schema["prefixItems"])
        if "unevaluatedItems" in has:
            prefix = None
        return Case(self.arena.true, prefix=prefix)

    # -- algebra of cases ----------------------------------------------------------------------------

    def _and(self, holds: Formula, case: Case) -> Case:
        return Case(self.arena.conjunction((holds, case.holds)), case.names, case.prefix, case.items)

    def _product(self, left: list[Case], right: list[Case]) -> list[Case]:
        if len(left) * len(right) > 4 * MAX_CASES:
            raise TooManyCasesError(f"more than {MAX_CASES} combinations of branches")
        merged: dict[Case, None] = {}
        for a in left:
            for b in right:
                prefix = None if a.prefix is None or b.prefix is None else max(a.prefix, b.prefix)
                holds = self.arena.conjunction((a.holds, b.holds))
                if holds is not self.arena.false:
                    merged[Case(holds, a.names | b.names, prefix, a.items | b.items)] = None
        if len(merged) > MAX_CASES:
            raise TooManyCasesError(f"more than {MAX_CASES} combinations of branches")
        return list(merged)


def _asserts(place: Place, schema: dict[str, Json]) -> bool:
    return not place.dialect.keywords.isdisjoint(schema)


def _ordered(schemas: frozenset[Schema]) -> list[Schema]:
    return sorted(schemas, key=lambda schema: schema.uid)
