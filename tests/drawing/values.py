"""Draw values: any JSON, values that a schema probably accepts, and small changes of them.

Names, constants and patterns come from small pools: independent draws must meet, or every question would be trivial.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from decimal import Decimal
from random import Random
from typing import Any, TypeVar

from compatgate.jsonio import Json
from tests.drawing.places import at, constants_of, merged_with, number, size, texts

T = TypeVar("T")

NAMES = ("a", "b", "c", "limit", "sql", "x-tag", "")
STRINGS = ("", "a", "b", "ab", "abc", "json", "csv", "a1", "12", "2024-01-31", "é", "😀", "A")
NUMBERS: tuple[Json, ...] = (
    *(0, 1, 2, 3, 4, 6, 10, -1, -2, 100, 2**53 + 1),
    *map(Decimal, ("0.5", "1.5", "0.1", "0.01", "0.3", "-0.5", "2.0", "1e3")),
)
FACTORS: tuple[Json, ...] = (1, 2, 3, 4, 6, 10, *map(Decimal, ("0.5", "0.1", "0.01", "1.5")))
SIZES = (0, 1, 2, 3, 4, 5, 10)
PATTERNS = (
    *("^a", "b$", "^[a-c]+$", "^[a-z]+$", r"^\d{2,4}$", r"\d", "^(json|csv)$", "^.+$", "^$", "a|b", "^x-"),
    *("^(?!a)", r"^\w+$", "^[^a]*$", "^a*b?$", "^(?=a).{2}$", r"^\S+$", "(ab)+", "^[A-Z]"),
)
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
WORLD = {"integer": "number"}
DIALECTS = ("draft4", "draft6", "draft7", "2019-09", "2020-12")


class Values:
    """Draw values with one source of randomness, so that a seed is a case; `dialect` limits the keywords."""

    def __init__(self, random: Random, dialect: str = "2020-12") -> None:
        self.random = random
        self.dialect = dialect
        self.modern = dialect in ("2019-09", "2020-12")

    def pick(self, items: Sequence[T]) -> T:
        """Draw one of some items."""
        return items[self.random.randrange(len(items))]

    def chance(self, probability: float) -> bool:
        """Draw yes or no."""
        return self.random.random() < probability

    def subset(self, items: Sequence[T], most: int) -> list[T]:
        """Draw some different items, in order."""
        chosen = set(self.random.sample(range(len(items)), self.random.randint(0, min(most, len(items)))))
        return [item for index, item in enumerate(items) if index in chosen]

    # -- values --------------------------------------------------------------------------------------

    def value(self, depth: int) -> Json:
        """Draw a JSON value."""
        kind = self.random.randrange(9 if depth > 0 else 6)
        if kind == 0:
            return None
        if kind == 1:
            return self.chance(0.5)
        if kind in (2, 3):
            return self.pick(NUMBERS)
        if kind in (4, 5):
            return self.pick(STRINGS)
        if kind == 6:
            return [self.value(depth - 1) for _ in range(self.random.randrange(4))]
        return {name: self.value(depth - 1) for name in self.subset(NAMES, 3)}

    def instance(self, schema: Json, root: Json, depth: int = 5) -> Json:
        """Draw a value that has a good chance to be valid: what a schema says is followed where that is easy."""
        if depth <= 0 or not isinstance(schema, dict):
            return self.value(1)
        if isinstance(reference := schema.get("$ref"), str) and reference.startswith("#"):
            return self.instance(at(root, reference[1:]), root, depth - 1)
        if "const" in schema:
            return copy.deepcopy(schema["const"])
        if isinstance(listed := schema.get("enum"), list) and listed:
            return copy.deepcopy(self.pick(listed))
        branches = [
            s for name in ("anyOf", "oneOf", "allOf") if isinstance(found := schema.get(name), list) for s in found
        ]
        merged = dict(schema)
        if branches and self.chance(0.9):
            branch = self.pick(branches)
            if isinstance(branch, dict):
                if "$ref" in branch or "const" in branch or "enum" in branch:
                    return self.instance(branch, root, depth - 1)
                merged = merged_with(schema, branch)
        kinds = texts(merged.get("type")) or [self._likely(merged)]
        return self._of_kind(self.pick(kinds), merged, root, depth)

    def _likely(self, schema: dict[str, Json]) -> str:
        for kind, marks in (
            ("object", ("properties", "required", "additionalProperties", "patternProperties", "minProperties")),
            ("array", ("items", "prefixItems", "contains", "minItems", "uniqueItems")),
            ("string", ("pattern", "minLength", "maxLength")),
            ("number", ("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum")),
        ):
            if any(mark in schema for mark in marks) and self.chance(0.7):
                return kind
        return self.pick(TYPES)

    def _of_kind(self, kind: str, schema: dict[str, Json], root: Json, depth: int) -> Json:
        if kind in ("integer", "number"):
            bounds = ("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum")
            near = [value for value in map(schema.get, bounds) if number(value)]
            base: Any = self.pick(near) if near and self.chance(0.8) else self.pick(NUMBERS)
            drawn: Any = base + self.pick((0, 0, 1, -1, Decimal("0.5"), Decimal("0.1")))
            return int(drawn) if kind == "integer" else drawn
        if kind == "string":
            text = self.pick(STRINGS)
            return text * self.pick((1, 1, 1, 2, 4))
        if kind == "array":
            prefix = [
                s for name in ("prefixItems", "items") if isinstance(found := schema.get(name), list) for s in found
            ]
            rest = schema.get("items") if not isinstance(schema.get("items"), list) else schema.get("additionalItems")
            contained = schema.get("contains")
            length = self.random.randrange(4) + (size(schema.get("minItems")) if self.chance(0.7) else 0)
            items: list[Json] = []
            for index in range(min(length, 12)):
                source = prefix[index] if index < len(prefix) else contained if self.chance(0.3) and contained else rest
                items.append(self.instance(source if source is not None else True, root, depth - 1))
            return items
        if kind == "object":
            return self._object(schema, root, depth)
        return None if kind == "null" else self.chance(0.5)

    def _object(self, schema: dict[str, Json], root: Json, depth: int) -> Json:
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        required = [name for name in texts(schema.get("required")) if self.chance(0.95)]
        others = self.subset([*properties, *NAMES], 2 if self.chance(0.7) else 5)
        drawn: dict[str, Json] = {}
        for name in dict.fromkeys([*required, *others]):
            source = properties.get(name, schema.get("additionalProperties", True))
            if source is not False or self.chance(0.1):
                drawn[name] = self.instance(source, root, depth - 1)
        return drawn

    def mutated(self, value: Json) -> Json:
        """Draw a small change of a value."""
        if isinstance(value, dict) and self.chance(0.7):
            result = dict(value)
            if result and self.chance(0.5):
                name = self.pick(sorted(result))
                if self.chance(0.4):
                    del result[name]
                else:
                    result[name] = self.mutated(result[name])
            else:
                result[self.pick(NAMES)] = self.value(1)
            return result
        if isinstance(value, list) and self.chance(0.7):
            items = list(value)
            if items and self.chance(0.6):
                index = self.random.randrange(len(items))
                items[index : index + 1] = [] if self.chance(0.4) else [self.mutated(items[index])]
            else:
                items.append(copy.deepcopy(items[0]) if items and self.chance(0.5) else self.value(1))
            return items
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool) and self.chance(0.7):
            return value + self.pick((1, -1)) if self.chance(0.7) else value + Decimal("0.5")
        if isinstance(value, str) and self.chance(0.7):
            return self.pick((value + "a", value[1:], value + value, value.upper()))
        return self.value(1)

    def candidates(self, left: Json, right: Json, count: int) -> Iterator[Json]:
        """Yield values that may tell two schemas apart: constants of both, drawn instances, and changes of those."""
        constants = [*constants_of(left), *constants_of(right)]
        yield from constants[:count]
        for _ in range(count):
            value = self.instance(left, left)
            yield value
            yield self.mutated(value)
            if constants and self.chance(0.3):
                yield self.mutated(self.pick(constants))
