"""Hold the normal form: schemas as six formulas, one a JSON type, hash-consed in an arena.

The types null, boolean, number, string, array and object are disjoint, and every assertion of JSON Schema
speaks of one of them and is silent about the rest. So a schema *is* six formulas: `minLength: 5` is a
condition in the string world and TRUE in the five others; `type: string` is TRUE in one and FALSE in five.
Conjunction, disjunction and negation work world by world, a keyword that cannot matter (`minLength` beside
`type: integer`) vanishes, and equal parts are the same object.

Atoms by world (each has its negation as a literal, so negation never leaves the language):

    boolean, number, string, array, object   finite(values)
    number    at_least(q), above(q), multiple(q)
    string    length(n): at least n code points; pattern(p); format(name)
    array     each(lo, hi, S): items with lo <= index < hi are in S; count(n): at least n items;
              contains(n, S): at least n items are in S; unique
    object    forall(R, S): every member whose name is in R has a value in S; size(n): at least n members

`required: [p]` is the negation of forall({p}, FALSE); a closed object is forall(not {names}, FALSE).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias

from compatgate.canonical import value_key

World: TypeAlias = int
WORLDS: Final = ("null", "boolean", "number", "string", "array", "object")
NULL, BOOLEAN, NUMBER, STRING, ARRAY, OBJECT = range(6)

#: In-place nesting (alternating AND and OR) beyond this is refused: no real schema comes near it.
MAX_NESTING: Final = 100

Number: TypeAlias = int | Fraction
Op: TypeAlias = Literal["true", "false", "and", "or", "atom", "not", "ref", "opaque"]


class TooDeepError(Exception):
    """Report in-place nesting beyond `MAX_NESTING`."""


class Formula:
    """Hold one formula of one world; made by an `Arena` only, compared by identity."""

    __slots__ = ("args", "depth", "kind", "neg_", "op", "uid")

    def __init__(self, uid: int, op: Op, kind: str, args: Any, depth: int) -> None:
        self.uid = uid
        self.op: Op = op
        self.kind = kind
        self.args = args
        self.depth = depth
        self.neg_: Formula | None = None

    def __repr__(self) -> str:
        if self.op in ("and", "or"):
            return f"({f' {self.op} '.join(map(repr, self.args))})"
        if self.op == "not":
            return f"not {self.args!r}"
        return self.op if self.op in ("true", "false") else f"{self.kind}{self.args!r}"


class Finite:
    """Hold a finite set of JSON values, keyed by typed equality, in the order they were first met."""

    __slots__ = ("values",)

    def __init__(self, values: dict[Any, Any]) -> None:
        self.values = values

    def __repr__(self) -> str:
        return "{" + ", ".join(repr(value) for value in list(self.values.values())[:4]) + "}"


class Schema:
    """Hold one schema: a formula for each world; made by an `Arena` only, compared by identity."""

    __slots__ = ("neg_", "uid", "worlds")

    def __init__(self, uid: int, worlds: tuple[Formula, ...]) -> None:
        self.uid = uid
        self.worlds = worlds
        self.neg_: Schema | None = None

    def __repr__(self) -> str:
        return f"<{', '.join(f'{n}: {w!r}' for n, w in zip(WORLDS, self.worlds, strict=True))}>"


class Arena:
    """Make formulas and schemas so that equal ones are the same object; lives for one question."""

    def __init__(self) -> None:
        self._formulas: dict[Any, Formula] = {}
        self._schemas: dict[tuple[int, ...], Schema] = {}
        self._serial = 0
        #: What a recursive reference stands for, once its target is parsed.
        self.targets: dict[Any, Schema] = {}
        self.true = self._new("true", "", None, 0)
        self.false = self._new("false", "", None, 0)
        self.true.neg_, self.false.neg_ = self.false, self.true
        self.anything = self.schema((self.true,) * 6)
        self.nothing = self.schema((self.false,) * 6)

    # -- formulas ------------------------------------------------------------------------------------

    def _new(self, op: Op, kind: str, args: Any, depth: int) -> Formula:
        self._serial += 1
        return Formula(self._serial, op, kind, args, depth)

    def atom(self, kind: str, key: Any, args: Any) -> Formula:
        """Make the atom of this kind; `key` is its identity, `args` what the solvers read."""
        formula = self._formulas.get((kind, key))
        if formula is None:
            formula = self._formulas[kind, key] = self._new("atom", kind, args, 0)
        return formula

    def opaque(self, key: Any, reason: str, path: str) -> Formula:
        """Make a condition that cannot be modelled: equal to itself, and otherwise unknown."""
        formula = self._formulas.get(("opaque", key))
        if formula is None:
            formula = self._formulas["opaque", key] = self._new("opaque", "opaque", (reason, path), 0)
        return formula

    def ref(self, target: Any, world: World) -> Formula:
        """Make the stand-in for one world of a recursive reference's target."""
        key = ("ref", target, world)
        formula = self._formulas.get(key)
        if formula is None:
            formula = self._formulas[key] = self._new("ref", "ref", (target, world), 0)
        return formula

    def neg(self, formula: Formula) -> Formula:
        """Negate: AND and OR by De Morgan, everything else by a NOT literal."""
        if formula.neg_ is None:
            if formula.op == "and":
                result = self.disjunction(self.neg(part) for part in formula.args)
            elif formula.op == "or":
                result = self.conjunction(self.neg(part) for part in formula.args)
            else:
                result = self._new("not", formula.kind, formula, 0)
            formula.neg_ = result
            if result.neg_ is None:
                result.neg_ = formula
        return formula.neg_

    def conjunction(self, parts: Iterable[Formula]) -> Formula:
        """Join formulas of one world by AND, simplified: flattened, finite sets met, complements refuted."""
        return self._join("and", parts, self.true, self.false)

    def disjunction(self, parts: Iterable[Formula]) -> Formula:
        """Join formulas of one world by OR, simplified in the mirrored way."""
        return self._join("or", parts, self.false, self.true)

    def _join(self, op: Literal["and", "or"], parts: Iterable[Formula], unit: Formula, zero: Formula) -> Formula:
        found: dict[int, Formula] = {}
        sets: list[Formula] = []
        for part in parts:
            for item in part.args if part.op == op else (part,):
                if item is zero:
                    return zero
                if item is unit or item.uid in found:
                    continue
                found[item.uid] = item
                if item.kind == "finite":
                    sets.append(item)
        if len(sets) > 1:
            merged = self._merge_sets(op, sets)
            for item in sets:
                del found[item.uid]
            for item in merged:
                if item is zero:
                    return zero
                if item is not unit:
                    found[item.uid] = item
        for item in found.values():
            if item.neg_ is not None and item.neg_.uid in found:
                return zero
        if not found:
            return unit
        ordered = tuple(found[uid] for uid in sorted(found))
        if len(ordered) == 1:
            return ordered[0]
        key = (op, tuple(item.uid for item in ordered))
        formula = self._formulas.get(key)
        if formula is None:
            depth = 1 + max(item.depth for item in ordered)
            if depth > MAX_NESTING:
                raise TooDeepError
            formula = self._formulas[key] = self._new(op, op, ordered, depth)
        return formula

    def _merge_sets(self, op: str, sets: list[Formula]) -> list[Formula]:
        """Merge the finite and co-finite sets of a join: at most one of them remains (De Morgan for OR)."""
        world = (sets[0] if sets[0].op == "atom" else sets[0].args).args[0]
        plain = [s.args[1].values for s in sets if s.op == "atom"]
        complement = [s.args.args[1].values for s in sets if s.op == "not"]
        if op == "or":
            plain, complement = complement, plain
        excluded: dict[Any, Any] = {}
        for values in complement:
            excluded |= values
        if plain:
            first = min(plain, key=len)
            rest = [values for values in plain if values is not first]
            kept = {
                key: value
                for key, value in first.items()
                if key not in excluded and all(key in values for values in rest)
            }
            result = self.finite(world, kept)
        else:
            result = self.neg(self.finite(world, excluded))
        return [self.neg(result) if op == "or" else result]

    # -- finite sets ---------------------------------------------------------------------------------

    def finite(self, world: World, values: dict[Any, Any]) -> Formula:
        """Make the set of exactly these values (key by typed equality -> value), all of one world."""
        if not values:
            return self.false
        if world == NULL or (world == BOOLEAN and len(values) == 2):
            return self.true
        formula = self.atom("finite", (world, frozenset(values)), (world, Finite(values)))
        if world == BOOLEAN and formula.neg_ is None:
            other = not next(iter(values.values()))
            key = value_key(other)
            mirror = self.atom("finite", (world, frozenset({key})), (world, Finite({key: other})))
            formula.neg_, mirror.neg_ = mirror, formula
        return formula

    def names(self, *names: str) -> Formula:
        """Make the string set of exactly these names."""
        return self.finite(STRING, {name: name for name in names})

    # -- schemas -------------------------------------------------------------------------------------

    def schema(self, worlds: tuple[Formula, ...]) -> Schema:
        """Make the schema of these six formulas."""
        key = tuple(formula.uid for formula in worlds)
        schema = self._schemas.get(key)
        if schema is None:
            self._serial += 1
            schema = self._schemas[key] = Schema(self._serial, worlds)
        return schema

    def only(self, world: World, formula: Formula) -> Schema:
        """Make the schema that says `formula` in one world and nothing about the others."""
        return self.schema(tuple(formula if w == world else self.true for w in range(6)))

    def types(self, *worlds: World) -> Schema:
        """Make the schema that admits exactly these types."""
        return self.schema(tuple(self.true if w in worlds else self.false for w in range(6)))

    def both(self, schemas: Iterable[Schema]) -> Schema:
        """Join schemas by AND."""
        distinct = dict.fromkeys(s for s in schemas if s is not self.anything)
        if len(distinct) <= 1:
            return next(iter(distinct), self.anything)
        return self.schema(tuple(self.conjunction(s.worlds[w] for s in distinct) for w in range(6)))

    def either(self, schemas: Iterable[Schema]) -> Schema:
        """Join schemas by OR."""
        distinct = dict.fromkeys(s for s in schemas if s is not self.nothing)
        if len(distinct) <= 1:
            return next(iter(distinct), self.nothing)
        return self.schema(tuple(self.disjunction(s.worlds[w] for s in distinct) for w in range(6)))

    def without(self, schema: Schema) -> Schema:
        """Negate a schema."""
        if schema.neg_ is None:
            schema.neg_ = self.schema(tuple(self.neg(formula) for formula in schema.worlds))
            schema.neg_.neg_ = schema
        return schema.neg_

    def recursive(self, target: Any) -> Schema:
        """Make the stand-in for a recursive reference's target."""
        return self.schema(tuple(self.ref(target, world) for world in range(6)))

    # -- atoms by world ------------------------------------------------------------------------------

    def forall(self, names: Formula, schema: Schema) -> Formula:
        """Say that every member whose name is in `names` has a value in `schema` (object world)."""
        if names is self.false or schema is self.anything:
            return self.true
        return self.atom("forall", (names.uid, schema.uid), (names, schema))

    def each(self, low: int, high: int | None, schema: Schema) -> Formula:
        """Say that every item with low <= index < high is in `schema` (array world)."""
        if schema is self.anything or (high is not None and high <= low):
            return self.true
        if schema is self.nothing:  # forbidding items bounds the length, and a gap forbids all behind it
            return self.neg(self.at_least("count", low + 1))
        return self.atom("each", (low, high, schema.uid), (low, high, schema))

    def contains(self, least: int, schema: Schema) -> Formula:
        """Say that at least `least` items are in `schema` (array world)."""
        if schema is self.anything:
            return self.at_least("count", least)
        if least <= 0:
            return self.true
        if schema is self.nothing:
            return self.false
        return self.atom("contains", (least, schema.uid), (least, schema))

    def at_least(self, kind: Literal["length", "count", "size"], least: int) -> Formula:
        """Say that a string, array or object has at least `least` characters, items or members."""
        return self.true if least <= 0 else self.atom(kind, least, least)
