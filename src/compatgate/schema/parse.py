"""Turn a document into the normal form: dialect by dialect, reference by reference.

One schema is built by one generator that yields the subschemas it needs; a loop with an explicit stack drives
them, so depth never meets Python's recursion limit and a recursive reference is simply a place that is already
on the stack. Reached through structure (a property, an item) it becomes a `ref` formula; reached in place (the
same value again) it adds nothing under allOf, and is ill-founded under anyOf, oneOf, not and if.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from compatgate.jsonio import Json
from compatgate.schema import assertions, dialects
from compatgate.schema.arrays import read_arrays
from compatgate.schema.asking import Ask, Build, Mode, Reader, Reading
from compatgate.schema.assertions import Parts
from compatgate.schema.disjoint import disjoint
from compatgate.schema.evaluated import closing, read_unevaluated
from compatgate.schema.nodes import STRING, Arena, Formula, Schema, TooDeepError
from compatgate.schema.objects import read_objects
from compatgate.schema.references import Document, Place, References, UnresolvableError

#: Schemas nested deeper than this are not read further: they are opaque there.
MAX_DEPTH: Final = 256
#: Schemas that refer to each other in place are read anew on every way round: beyond so many, they are opaque.
MAX_TANGLED: Final = 1_000
#: A oneOf with more pairs of members than this that are not told apart by type or constants is opaque.
MAX_OVERLAPS: Final = 2_000


@dataclass(slots=True)
class _Frame:
    key: Any
    build: Build
    ask: Ask
    lowest: int = field(default=1 << 60)  # the lowest frame that an in-place cycle below led back to


class Parser(Reader):
    """Parse one document into an arena; `notes` and `closed` tell what was done on the way."""

    def __init__(
        self,
        arena: Arena,
        document: Document,
        *,
        assert_formats: bool = False,
        declared: bool = False,
        left_open: frozenset[str] = frozenset(),
        root_is_input: bool = True,
    ) -> None:
        super().__init__(arena, References(document))
        self.document = document
        self.assert_formats = assert_formats
        self.declared = declared
        self.left_open = left_open
        self.root_is_input = root_is_input
        self.root_pointer = document.pointer
        self.nodes = 0
        self.tangled = 0
        self._done: dict[Any, Schema] = {}
        self._stack: list[_Frame] = []
        self._active: dict[Any, int] = {}

    def parse(self) -> Schema:
        """Return the document's schema in normal form."""
        try:
            place = self.references.place(self.document.pointer)
        except UnresolvableError as error:
            return self._unreadable(Place(self.document.root, "", dialects.DEFAULT), str(error))
        return self._run(Ask(place, Mode.SENT if self.declared else Mode.OPEN, structural=True))

    # -- the driver ----------------------------------------------------------------------------------

    def _run(self, ask: Ask) -> Schema:
        answer: Schema | None = self._answer(ask)
        while self._stack:
            frame = self._stack[-1]
            try:
                wanted = frame.build.send(answer)
            except StopIteration as stop:
                answer = self._finish(frame, stop.value)
                continue
            except TooDeepError:
                frame.build.close()
                answer = self._finish(frame, self._unreadable_frame(frame, "nested too deeply in place"))
                continue
            answer = self._answer(wanted)
        assert answer is not None
        return answer

    def _answer(self, ask: Ask) -> Schema | None:
        """Answer at once where possible; otherwise push a frame, whose first `send` takes None."""
        place = ask.place
        if place.schema is True and place.dialect.boolean_schemas:
            return self.arena.anything
        if place.schema is False and place.dialect.boolean_schemas:
            return self.arena.nothing
        if not isinstance(place.schema, dict):
            return self._unreadable(place, "not a schema")
        key: tuple[Any, ...] = (id(place.schema), place.base, place.dialect.name, place.scope, ask.mode)
        if ask.mode is Mode.SENT:
            key = (*key, place.pointer)  # closing is a matter of the position, and may be waived there
        if key in self._done:
            return self._done[key]
        if key in self._active:
            return self._cycle(key, ask)
        if self.tangled > MAX_TANGLED:
            return self._unreadable(place, "part of a tangle of references that lead back to the same value")
        if len(self._stack) >= MAX_DEPTH:
            return self._unreadable(place, f"nested deeper than {MAX_DEPTH} levels")
        self.nodes += 1
        self._active[key] = len(self._stack)
        self._stack.append(_Frame(key, self._build(place, ask.mode), ask))
        return None

    def _cycle(self, key: Any, ask: Ask) -> Schema | None:
        depth = self._active[key]
        path = [ask, *(frame.ask for frame in self._stack[depth + 1 :])]
        if any(step.structural for step in path):
            return self.arena.recursive(key)
        if any(step.guarded for step in path):
            parts = Parts(self.arena, ask.place, self._identity)
            parts.opaque("$ref", "a reference leads back to the same value through a negation or a condition")
            return parts.join()
        for frame in self._stack[depth + 1 :]:
            frame.lowest = min(frame.lowest, depth)
        return None  # the same value once more: nothing is added

    def _finish(self, frame: _Frame, schema: Schema) -> Schema:
        self._stack.pop()
        depth = self._active.pop(frame.key)
        if frame.lowest >= depth:
            self._done[frame.key] = schema
            self.arena.targets[frame.key] = schema
        else:  # what it says depends on where it was met in the cycle
            self.tangled += 1
            self.arena.targets[frame.key] = self._unreadable_frame(frame, "part of an ill-founded cycle")
        return schema

    def _unreadable(self, place: Place, reason: str) -> Schema:
        parts = Parts(self.arena, place, self._identity)
        parts.opaque("", reason)
        return parts.join()

    def _unreadable_frame(self, frame: _Frame, reason: str) -> Schema:
        formulas = (self.arena.opaque((reason, frame.key, world), reason, "") for world in range(6))
        return self.arena.schema(tuple(formulas))

    def _identity(self, value: Json) -> object:
        """Identify an unreadable part: by its text, and by the document too if it refers into it."""
        own = assertions.identity_of(value)
        if isinstance(own, tuple) and any(isinstance(item, str) and item.startswith("$") for item in own):
            return (own, assertions.identity_of(self.document.root))
        return own

    # -- one schema ----------------------------------------------------------------------------------

    def _build(self, place: Place, mode: Mode) -> Build:
        schema = place.schema
        assert isinstance(schema, dict)
        parts = Parts(self.arena, place, self._identity)
        if place.dialect.ref_hides_siblings and "$ref" in schema:
            yield from self._reference(parts, schema, _inside(mode))
        else:
            yield from self._keywords(parts, schema, _inside(mode))
        built = parts.join()
        if mode is not Mode.SENT or place.pointer in self.left_open:
            return built
        closed = yield from closing(self, place, built)
        return closed

    def _keywords(self, parts: Parts, schema: dict[str, Json], mode: Mode) -> Reading:
        known = parts.place.dialect.keywords
        for keyword in schema:
            if keyword in dialects.ASSERTING and keyword not in known:
                self.notes[f"{parts.place.below(keyword)}: `{keyword}` says nothing in {parts.place.dialect.name}"] = (
                    None
                )
        has = known.intersection(schema)
        if "type" in has:
            assertions.read_type(parts, schema["type"])
        if "enum" in has:
            assertions.read_enum(parts, schema["enum"])
        if "const" in has:
            assertions.read_const(parts, schema["const"])
        if "multipleOf" in has:
            assertions.read_multiple(parts, schema["multipleOf"])
        if not has.isdisjoint({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}):
            assertions.read_bounds(parts, schema)
        assertions.read_sizes(parts, schema)
        if "pattern" in has:
            assertions.read_pattern(parts, schema["pattern"])
        if "format" in has and self.assert_formats and isinstance(schema["format"], str):
            parts.add(
                STRING,
                self.arena.atom("format", schema["format"], (schema["format"], parts.place.below("format"))),
            )
        if "$ref" in has or "$dynamicRef" in has or "$recursiveRef" in has:
            yield from self._reference(parts, schema, mode)
        if not has.isdisjoint(_IN_PLACE):
            yield from self._in_place(parts, schema, mode, has)
        if not has.isdisjoint(_ARRAYS):
            yield from read_arrays(self, parts, schema, mode, has)
        if not has.isdisjoint(_OBJECTS):
            yield from read_objects(self, parts, schema, mode, has)
        if "unevaluatedItems" in has or "unevaluatedProperties" in has:
            yield from read_unevaluated(self, parts, schema, mode, has)

    def _reference(self, parts: Parts, schema: dict[str, Json], mode: Mode) -> Reading:
        for keyword, target in self.targets(parts.place):
            if isinstance(target, str):
                # It leads nowhere, whatever stands beside it and elsewhere in the document.
                parts.opaque(keyword, target, identity=(parts.place.base, assertions.identity_of(schema[keyword])))
                continue
            found = yield Ask(target, mode, structural=False)
            if found is not None:
                parts.add_schema(found)

    def _in_place(self, parts: Parts, schema: dict[str, Json], mode: Mode, has: frozenset[str]) -> Reading:
        arena, place = self.arena, parts.place
        for keyword in ("allOf", "anyOf", "oneOf"):
            if keyword not in has:
                continue
            value = schema[keyword]
            if not isinstance(value, list) or not value:
                parts.opaque(keyword, "not a list of schemas")
                continue
            members: list[Schema] = []
            # "Adds nothing" is clear under allOf alone: as an alternative it could mean no value or every value.
            ask = self.beside if keyword == "allOf" else self.guarded
            for index, sub in enumerate(value):
                member = yield ask(place, sub, mode, keyword, index)
                if member is not None:
                    members.append(member)
            if keyword == "allOf":
                for member in members:
                    parts.add_schema(member)
            elif keyword == "anyOf":
                parts.add_schema(arena.either(members))
            elif mode is Mode.MEMBER:
                # What the members send must still match exactly one of them as they are written.
                parts.add_schema(arena.either(members))
                written: list[Schema] = []
                for index, sub in enumerate(value):
                    found = yield self.guarded(place, sub, Mode.OPEN, keyword, index)
                    assert found is not None
                    written.append(found)
                self._one_of(parts, written)
            else:
                self._one_of(parts, members)
        if "not" in has:
            inner = yield self.guarded(place, schema["not"], Mode.OPEN, "not")
            assert inner is not None
            parts.add_schema(arena.without(inner))
        if "if" in has:
            yield from self._conditional(parts, schema, mode)

    def _one_of(self, parts: Parts, members: list[Schema]) -> None:
        arena = self.arena
        for world in range(6):
            options = [m.worlds[world] for m in members if m.worlds[world] is not arena.false]
            if arena.true in options:  # one member holds of everything: none of the others may
                options.remove(arena.true)
                parts.add(world, arena.conjunction(arena.neg(option) for option in options))
                continue
            exactly: list[Formula] = []
            overlaps = 0
            for index, option in enumerate(options):
                others = [
                    arena.neg(other)
                    for position, other in enumerate(options)
                    if position != index and not disjoint(arena, option, other)
                ]
                overlaps += len(others)
                if overlaps > MAX_OVERLAPS:
                    parts.opaque("oneOf", f"more than {MAX_OVERLAPS} pairs of members may overlap", world)
                    break
                exactly.append(arena.conjunction((option, *others)))
            else:
                parts.add(world, arena.disjunction(exactly))

    def _conditional(self, parts: Parts, schema: dict[str, Json], mode: Mode) -> Reading:
        arena, place = self.arena, parts.place
        known = place.dialect.keywords
        branches = [k for k in ("then", "else") if k in schema and k in known]
        if not branches:
            return
        condition = yield self.guarded(place, schema["if"], Mode.OPEN, "if")
        assert condition is not None
        for keyword in branches:
            branch = yield self.guarded(place, schema[keyword], mode, keyword)
            assert branch is not None
            guard = arena.without(condition) if keyword == "then" else condition
            parts.add_schema(arena.either((guard, branch)))


_IN_PLACE: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "if"})
_ARRAYS: Final = frozenset({"items", "prefixItems", "additionalItems", "contains", "uniqueItems"})
_OBJECTS: Final = frozenset(
    "properties patternProperties additionalProperties propertyNames required dependencies dependentRequired "
    "dependentSchemas".split()
)


def _inside(mode: Mode) -> Mode:
    return Mode.MEMBER if mode is Mode.SENT else mode
