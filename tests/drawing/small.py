"""Draw schemas over an alphabet so small that every value behind a fence can be listed.

A fence is a schema that admits finitely many values, all of them in `VALUES`. Whatever else a schema says, the
question "is it contained?" asked behind a fence has an answer that needs no prover: try them all.
"""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from typing import Final

from compatgate.jsonio import Json

Object = dict[str, Json]

_ITEMS: Final[list[Json]] = [0, 1, "a", True]
_NAMES: Final = ("a", "b", "c")
_PATTERNS: Final = ("^a", "b", "^[ab]$", "^.$", "c$")

FENCES: Final[dict[str, Object]] = {
    "array": {"type": "array", "maxItems": 3, "items": {"enum": _ITEMS}},
    "object": {
        "type": "object",
        "properties": {name: {"enum": _ITEMS} for name in _NAMES},
        "additionalProperties": False,
        "maxProperties": 2,
    },
}
VALUES: Final[dict[str, list[Json]]] = {
    "array": [list(items) for length in range(4) for items in product(_ITEMS, repeat=length)],
    "object": [
        dict(zip(names, values, strict=True))
        for size in range(3)
        for names in combinations(_NAMES, size)
        for values in product(_ITEMS, repeat=size)
    ],
}


class SmallDrawer:
    """Draw schemas of one world and dialect from a random source."""

    def __init__(self, random: Random, world: str, dialect: str) -> None:
        self.random = random
        self.world = world
        self.dialect = dialect
        self.modern = dialect in ("2019-09", "2020-12")

    def pair(self) -> tuple[Json, Json]:
        """Draw two schemas, more often than not ones that have much in common."""
        left = self.schema(self.random.choice((1, 2, 2, 3)))
        right = self.schema(2)
        roll = self.random.random()
        if roll < 0.3:
            right = {"anyOf": [right, left]} if roll < 0.1 else {"anyOf": [right, self._less(left)]}
        elif roll < 0.6:
            right = self._less(left)
        return left, right

    def schema(self, depth: int) -> Json:
        """Draw a schema that speaks mostly of the world."""
        roll = self.random.random()
        if roll < 0.12 or depth < 0:
            return self._leaf()
        if roll < 0.2:
            return {"enum": self.random.sample(VALUES[self.world], 2)}
        if roll < 0.5 and depth > 0:
            return self._combined(depth)
        drawn: Object = {"type": self.world} if self.random.random() < 0.5 else {}
        for _ in range(self.random.choice((1, 1, 2, 2, 3, 4))):
            if self.world == "array":
                self._array_keyword(drawn, depth)
            else:
                self._object_keyword(drawn, depth)
        return drawn

    def _leaf(self) -> Json:
        roll = self.random.random()
        if roll < 0.1 and self.dialect != "draft-04":
            return self.random.random() < 0.5
        if roll < 0.5:
            return {"enum": self.random.sample(_ITEMS, self.random.randint(1, 3))}
        if roll < 0.8:
            return {"type": self.random.choice(("integer", "string", "boolean", self.world))}
        return {"not": self._leaf()} if roll < 0.9 else {"minimum": self.random.choice((0, 1))}

    def _combined(self, depth: int) -> Object:
        keywords = ["allOf", "anyOf", "anyOf", "oneOf", "oneOf", "not"]
        if self.modern or self.dialect == "draft-07":
            keywords += ["if", "if"]
        keyword = self.random.choice(keywords)
        if keyword == "not":
            return {"not": self.schema(depth - 1)}
        if keyword == "if":
            branches = {name: self.schema(depth - 1) for name in ("then", "else") if self.random.random() < 0.7}
            return {"if": self.schema(depth - 1), **branches}
        return {keyword: [self.schema(depth - 1) for _ in range(self.random.randint(1, 3))]}

    def _array_keyword(self, drawn: Object, depth: int) -> None:
        keywords = ["minItems", "maxItems", "items", "uniqueItems", "tuple", "tuple"]
        if self.dialect != "draft-04":
            keywords += ["contains", "contains"]
        if self.modern:
            keywords += ["unevaluatedItems", "window"]
        keyword = self.random.choice(keywords)
        if keyword in ("minItems", "maxItems"):
            drawn[keyword] = self.random.randint(0, 3)
        elif keyword == "uniqueItems":
            drawn[keyword] = True
        elif keyword == "tuple":
            modern = self.dialect == "2020-12"
            prefix: list[Json] = [self.schema(depth - 1) for _ in range(self.random.randint(1, 2))]
            drawn["prefixItems" if modern else "items"] = prefix
            drawn["items" if modern else "additionalItems"] = self.schema(depth - 1) if depth else {}
        elif keyword == "window":
            drawn.setdefault("contains", self.schema(depth - 1))
            drawn["minContains"] = self.random.randint(0, 3)
            if self.random.random() < 0.6:
                drawn["maxContains"] = self.random.randint(0, 2)
        elif keyword == "unevaluatedItems" and self.random.random() < 0.5:
            drawn[keyword] = False
        else:
            drawn[keyword] = self.schema(depth - 1)

    def _object_keyword(self, drawn: Object, depth: int) -> None:
        keywords = ["properties", "properties", "required", "additionalProperties", "patternProperties"]
        keywords += ["minProperties", "maxProperties", "dependencies"]
        if self.dialect != "draft-04":
            keywords.append("propertyNames")
        if self.modern:
            keywords += ["dependentRequired", "dependentSchemas", "unevaluatedProperties"]
        keyword = self.random.choice(keywords)
        some: list[Json] = list(self.random.sample(_NAMES, self.random.randint(1, 2)))
        if keyword in ("minProperties", "maxProperties"):
            drawn[keyword] = self.random.randint(0, 3)
        elif keyword == "properties":
            drawn[keyword] = {str(name): self.schema(depth - 1) for name in some}
        elif keyword == "patternProperties":
            drawn[keyword] = {self.random.choice(_PATTERNS): self.schema(depth - 1)}
        elif keyword == "required":
            drawn[keyword] = some
        elif keyword == "propertyNames":
            names: list[Json] = [{"enum": some}, {"pattern": "^[ab]"}, {"not": {"enum": some}}]
            drawn[keyword] = self.random.choice(names)
        elif keyword == "dependentRequired" or (keyword == "dependencies" and self.random.random() < 0.5):
            drawn[keyword] = {self.random.choice(_NAMES): some}
        elif keyword in ("dependentSchemas", "dependencies"):
            drawn[keyword] = {self.random.choice(_NAMES): self.schema(depth - 1)}
        else:
            drawn[keyword] = False if self.random.random() < 0.5 else self.schema(depth - 1)

    def _less(self, schema: Json) -> Json:
        """Leave out one keyword or member, or move one size by one, somewhere."""
        if isinstance(schema, list):
            index = self.random.randrange(len(schema)) if schema else 0
            if len(schema) > 1 and self.random.random() < 0.3:
                return [*schema[:index], *schema[index + 1 :]]
            return [self._less(part) if i == index else part for i, part in enumerate(schema)]
        if not isinstance(schema, dict) or not schema:
            return schema
        chosen = self.random.choice(sorted(schema))
        value = schema[chosen]
        if isinstance(value, int) and not isinstance(value, bool):
            return {**schema, chosen: max(0, value + self.random.choice((1, -1)))}
        if isinstance(value, (dict, list)) and chosen not in ("enum", "required") and self.random.random() < 0.7:
            return {**schema, chosen: self._less(value)}
        return {name: part for name, part in schema.items() if name != chosen}
