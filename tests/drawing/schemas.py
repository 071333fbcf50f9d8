"""Draw schemas over the whole language, and edits of the kind that a new version of a tool brings."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from decimal import Decimal

from compatgate.jsonio import Json
from tests.drawing.places import positions, replaced, same, texts
from tests.drawing.tools import TOOLS
from tests.drawing.values import FACTORS, NAMES, NUMBERS, PATTERNS, SIZES, TYPES, WORLD, Values


class Drawer(Values):
    """Draw schemas, pairs of schemas and edits."""

    # -- schemas -------------------------------------------------------------------------------------

    def pair(self) -> tuple[Json, Json]:
        """Draw a question: mostly near misses of a realistic or a random schema, sometimes two unrelated ones."""
        base: Json = copy.deepcopy(self.pick(TOOLS)) if self.chance(0.35) and self.modern else self.document()
        if self.chance(0.1):
            return base, self.document()
        old, new = base, copy.deepcopy(base)
        for _ in range(self.random.randint(1, 3)):
            new = self.edit(new)
        if self.chance(0.2):
            old = self.edit(copy.deepcopy(old))
        return (old, new) if self.chance(0.5) else (new, old)

    def document(self) -> Json:
        """Draw a whole schema, sometimes with definitions that refer to each other through structure."""
        if not self.chance(0.2):
            return self.schema(self.pick((2, 3, 3, 4)))
        home = "$defs" if self.modern else "definitions"
        names = ("p", "q")
        definitions: dict[str, Json] = {
            name: self.schema(2, [f"#/{home}/{other}" for other in names]) for name in names
        }
        body = self.schema(2, [f"#/{home}/{name}" for name in names])
        return {**body, home: definitions} if isinstance(body, dict) else {home: definitions, "not": {}}

    def schema(self, depth: int, references: Sequence[str] = ()) -> Json:
        """Draw a schema; `references` may be used below a property or an item only, so that no cycle stands still."""
        if self.dialect != "draft4" and self.chance(0.06):
            return self.chance(0.7)
        kinds: list[Callable[[int, Sequence[str]], dict[str, Json]]] = [
            *(self._typed,) * 6,
            *(self._constants,) * 2,
            *((self._combined,) * 3 if depth > 0 else ()),
        ]
        return self.pick(kinds)(depth, references)

    def _typed(self, depth: int, references: Sequence[str]) -> dict[str, Json]:
        kind = self.pick(TYPES)
        result: dict[str, Json] = {"type": kind} if self.chance(0.85) else {}
        if result and self.chance(0.15):
            result["type"] = [*sorted({kind, self.pick(TYPES)})]
        keywords = self._keywords(WORLD.get(kind, kind), depth, references)
        for name in self.subset(sorted(keywords), self.pick((2, 3, 3, 5))):
            result[name] = keywords[name]()
        return result

    def _constants(self, depth: int, references: Sequence[str]) -> dict[str, Json]:
        if self.dialect != "draft4" and self.chance(0.5):
            return {"const": self.value(1)}
        values: list[Json] = []
        for _ in range(self.random.randint(1, 4)):
            value = self.value(1)
            if not any(same(value, other) for other in values):
                values.append(value)
        return {"enum": values}

    def _combined(self, depth: int, references: Sequence[str]) -> dict[str, Json]:
        choice = self.pick(("allOf", "anyOf", "anyOf", "oneOf", "not", "if"))
        if choice == "if" and self.dialect in ("draft4", "draft6"):
            choice = "not"
        if choice == "not":
            return {"not": self.schema(depth - 1)}
        if choice == "if":
            branches = self.subset(("then", "else"), 2) or ["then"]
            return {"if": self.schema(depth - 1), **{name: self.schema(depth - 1) for name in branches}}
        return {choice: [self.schema(depth - 1) for _ in range(self.random.randint(1, 3))]}

    def _part(self, depth: int, references: Sequence[str]) -> Json:
        if references and self.chance(0.5):
            return {"$ref": self.pick(references)}
        return self.schema(max(depth - 1, 0), references)

    def _keywords(self, world: str, depth: int, references: Sequence[str]) -> dict[str, Callable[[], Json]]:
        def part() -> Json:
            return self._part(depth, references)

        def parts() -> Json:
            return {name: part() for name in self.subset(NAMES, 3)}

        def names() -> list[Json]:
            return list(self.subset(NAMES, 2))

        def size() -> Json:
            return self.pick(SIZES)

        if world == "number":
            bounds: dict[str, Callable[[], Json]] = {
                "minimum": lambda: self.pick(NUMBERS),
                "maximum": lambda: self.pick(NUMBERS),
                "multipleOf": lambda: self.pick(FACTORS),
            }
            if self.dialect != "draft4":
                bounds |= dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), bounds["minimum"])
            return bounds
        if world == "string":
            return {"minLength": size, "maxLength": size, "pattern": lambda: self.pick(PATTERNS)}
        if world == "array":
            arrays: dict[str, Callable[[], Json]] = {
                "minItems": size,
                "maxItems": size,
                "items": part,
                "uniqueItems": lambda: self.chance(0.8),
            }
            if self.dialect != "draft4":
                arrays["contains"] = part
            if self.modern:
                arrays |= {"minContains": size, "maxContains": size}
            prefix = "prefixItems" if self.dialect == "2020-12" else "items"
            if depth > 0 and self.chance(0.5):
                arrays[prefix] = lambda: [part() for _ in range(self.random.randint(1, 3))]
            if self.modern and self.chance(0.2):
                arrays["unevaluatedItems"] = part
            return arrays
        if world == "object":
            objects: dict[str, Callable[[], Json]] = {
                "properties": parts,
                "required": lambda: names() or ["a"],
                "additionalProperties": lambda: False if self.chance(0.5) else part(),
                "patternProperties": lambda: {self.pick(PATTERNS): part()},
                "minProperties": size,
                "maxProperties": size,
            }
            if self.dialect != "draft4":
                objects["propertyNames"] = lambda: {"pattern": self.pick(PATTERNS)}
            if self.modern:
                objects["dependentRequired"] = lambda: {self.pick(NAMES): names()}
                objects["dependentSchemas"] = lambda: {self.pick(NAMES): self.schema(max(depth - 1, 0))}
                if self.chance(0.2):
                    objects["unevaluatedProperties"] = lambda: False if self.chance(0.7) else part()
            return objects
        return {}

    # -- edits ---------------------------------------------------------------------------------------

    def edit(self, schema: Json) -> Json:
        """Change one place of a schema, in place where it can: the kind of change that a new version brings."""
        places = list(positions(schema))
        path, place = self.pick(places)
        if not isinstance(place, dict):
            return replaced(schema, path, self.schema(1))
        roll = self.random.random()
        if roll < 0.25:
            self._add(place)
        elif roll < 0.45 and place:
            name = self.pick(sorted(place))
            if name not in ("$defs", "definitions", "$ref", "$schema"):
                del place[name]
        elif roll < 0.75:
            self._nudge(place)
        elif roll < 0.85:
            return replaced(schema, path, self._respelt(place)) if path else schema
        else:
            return replaced(schema, path, self.schema(1)) if path else schema
        return schema

    def _add(self, place: dict[str, Json]) -> None:
        kind = place.get("type")
        world = WORLD.get(str(kind), str(kind)) if isinstance(kind, str) else self.pick(("number", "string", "object"))
        keywords = self._keywords(world, 1, ())
        if keywords:
            name = self.pick(sorted(keywords))
            place[name] = keywords[name]()

    def _nudge(self, place: dict[str, Json]) -> None:
        if not place:
            return
        name = self.pick(sorted(place))
        value = place[name]
        if name in ("$ref", "$schema", "$id"):
            return
        if isinstance(value, bool):
            place[name] = not value
        elif isinstance(value, (int, Decimal)):
            place[name] = abs(value + self.pick((1, -1))) if name not in ("minimum", "maximum", "const") else value + 1
            if name == "multipleOf" and not place[name]:
                place[name] = 1
        elif name == "type":
            place[name] = self.pick(TYPES) if self.chance(0.5) else [*sorted({*texts(value), self.pick(TYPES)})]
        elif name == "pattern":
            place[name] = self.pick(PATTERNS)
        elif name in ("enum", "required") and isinstance(value, list):
            extra = self.pick(NAMES) if name == "required" else self.value(0)
            if len(value) > 1 and self.chance(0.5):
                value.pop(self.random.randrange(len(value)))
            elif not any(same(extra, other) for other in value):
                value.append(extra)
        elif isinstance(value, list) and len(value) > 1 and name in ("anyOf", "oneOf", "allOf", "prefixItems"):
            value.pop(self.random.randrange(len(value)))
        elif name in ("properties", "patternProperties") and isinstance(value, dict):
            if value and self.chance(0.5):
                del value[self.pick(sorted(value))]
            else:
                value[self.pick(NAMES if name == "properties" else PATTERNS)] = self.schema(1)

    def _respelt(self, place: dict[str, Json]) -> Json:
        wrap = self.pick(("allOf", "anyOf", "oneOf", "not not"))
        return {"not": {"not": place}} if wrap == "not not" else {wrap: [place]}
