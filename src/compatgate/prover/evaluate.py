"""Decide whether one value is in a schema, exactly, on the normal form.

Three answers: True, False, and None where an opaque part decides. This is not the validator that users trust
(two independent ones check every witness) but the prover's own eye: finite sets are filtered with it, witnesses
are shrunk with it, and it alone knows what the caller model has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from compatgate.canonical import value_key
from compatgate.jsonio import Json
from compatgate.prover.patterns import Patterns
from compatgate.schema.assertions import to_number, world_of
from compatgate.schema.nodes import Arena, Formula, Schema

#: Depth is counted in calls, which keeps well away from Python's recursion limit: a level of the value costs some,
#: a level of AND and OR one. Deeper than this (120 levels of value alone) the answer is None.
MAX_DEPTH: Final = 600
_LEVEL: Final = 5
#: An AND of at least this many parts is asked about an object by the names that the object has.
_MANY: Final = 12


class Evaluator:
    """Evaluate formulas of one arena on values."""

    def __init__(self, arena: Arena, patterns: Patterns) -> None:
        self.arena = arena
        self.patterns = patterns
        self._by_name: dict[Formula, tuple[dict[str, list[Formula]], list[Formula]]] = {}

    def member(self, schema: Schema, value: Json, depth: int = 0) -> bool | None:
        """Tell whether the value is in the schema, or None where that is unknown."""
        if schema is self.arena.anything:
            return True
        return self.holds(schema.worlds[world_of(value)], value, depth)

    def holds(self, formula: Formula, value: Json, depth: int = 0) -> bool | None:
        """Tell whether the formula, of the value's own world, holds of it."""
        op = formula.op
        if op == "atom":
            return self._atom(formula, value, depth)
        if op == "not":
            inner = self.holds(formula.args, value, depth)
            return None if inner is None else not inner
        if op == "true":
            return True
        if op == "false":
            return False
        if op == "ref":
            if depth > MAX_DEPTH:
                return None
            target, world = formula.args
            return self.holds(self.arena.targets[target].worlds[world], value, depth + 1)
        if op == "opaque":
            return None
        if depth > MAX_DEPTH:
            return None
        decisive = op == "or"
        unknown = False
        parts: Iterable[Formula] = formula.args
        if not decisive and len(formula.args) >= _MANY and isinstance(value, dict):
            parts = self._touched(formula, value)
        for part in parts:
            answer = self.holds(part, value, depth + 1)
            if answer is decisive:
                return decisive
            unknown = unknown or answer is None
        return None if unknown else not decisive

    def _touched(self, formula: Formula, value: dict[str, Json]) -> Iterator[Formula]:
        """Yield the parts of an AND that can fail: what is said of members by name holds where they are not there.

        A schema of thousands of properties is asked about many small objects.
        """
        known = self._by_name.get(formula)
        if known is None:
            by_name: dict[str, list[Formula]] = {}
            rest: list[Formula] = []
            for part in formula.args:
                region = part.args[0] if part.op == "atom" and part.kind == "forall" else None
                if region is not None and region.op == "atom" and region.kind == "finite":
                    for name in region.args[1].values:
                        by_name.setdefault(name, []).append(part)
                else:
                    rest.append(part)
            known = self._by_name[formula] = by_name, rest
        by_name, rest = known
        yield from rest
        for name in value:
            yield from by_name.get(name, ())

    def _atom(self, formula: Formula, value: Any, depth: int) -> bool | None:
        kind, args = formula.kind, formula.args
        if kind == "finite":
            values: dict[Any, Json] = args[1].values
            return value_key(value) in values
        if kind in ("length", "count", "size"):
            return bool(len(value) >= args)
        if depth > MAX_DEPTH:
            return None
        if kind == "forall":
            return self._forall(args[0], args[1], value, depth)
        if kind == "each":
            low, high, schema = args
            return self._all(schema, value[low:high], depth)
        if kind == "contains":
            return self._contains(args[0], args[1], value, depth)
        if kind == "unique":
            return len({value_key(item) for item in value}) == len(value)
        if kind == "pattern":
            pattern = self.patterns.get(args[0])
            return pattern.matches(value) if pattern is not None else None
        if kind == "format":
            return None
        number = to_number(value)
        if number is None:
            return None
        if kind == "at_least":
            return bool(number >= args)
        if kind == "above":
            return bool(number > args)
        return bool(number % args == 0)

    def _forall(self, region: Formula, schema: Schema, value: dict[str, Json], depth: int) -> bool | None:
        if region.op == "atom" and region.kind == "finite":
            names = region.args[1].values
            chosen = (value[name] for name in names if name in value)
            return self._all(schema, chosen, depth)
        unknown = False
        for name, item in value.items():
            inside = self.holds(region, name, depth)
            if inside is False:
                continue
            fits = self.member(schema, item, depth + _LEVEL)
            if inside is True and fits is False:
                return False
            unknown = unknown or fits is not True
        return None if unknown else True

    def _all(self, schema: Schema, items: Any, depth: int) -> bool | None:
        unknown = False
        for item in items:
            answer = self.member(schema, item, depth + _LEVEL)
            if answer is False:
                return False
            unknown = unknown or answer is None
        return None if unknown else True

    def _contains(self, least: int, schema: Schema, items: list[Json], depth: int) -> bool | None:
        surely = perhaps = 0
        for item in items:
            answer = self.member(schema, item, depth + _LEVEL)
            surely += answer is True
            perhaps += answer is not False
            if surely >= least:
                return True
        return None if perhaps >= least else False
