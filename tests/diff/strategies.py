"""Draw pairs of schemas that differ the way versions of a tool do: one schema and a few edits of it."""

from __future__ import annotations

import copy
from decimal import Decimal

from hypothesis import strategies as st

from compatgate.jsonio import Json

Schema = dict[str, Json]
NAMES = ["a", "b", "cc", "limit", "user_id"]
NAME: st.SearchStrategy[Json] = st.sampled_from(NAMES)


def scalars() -> st.SearchStrategy[Json]:
    """Draw small values whose equality is easy to get wrong: 1, 1.0, true, "1"."""
    values: list[Json] = [None, True, False, 0, 1, Decimal("1.0"), Decimal("0.5"), -3, 7, "", "1", "ab", "xyz"]
    return st.sampled_from(values)


@st.composite
def leaves(draw: st.DrawFn) -> Schema:
    """Draw a schema of one value."""
    kind = draw(st.sampled_from(["string", "integer", "number", "boolean", "enum", "const", "any", "types"]))
    if kind == "enum":
        return {"enum": draw(st.lists(scalars(), min_size=1, max_size=4))}
    if kind == "const":
        return {"const": draw(scalars())}
    if kind == "any":
        return {}
    if kind == "types":
        types: st.SearchStrategy[Json] = st.sampled_from(["string", "integer", "number", "null"])
        return {"type": draw(st.lists(types, min_size=1, unique=True))}
    schema: Schema = {"type": kind}
    small = st.integers(-2, 6)
    if kind == "string":
        bounds = {"minLength": st.integers(0, 3), "maxLength": st.integers(0, 6)}
    elif kind in ("integer", "number"):
        bounds = {"minimum": small, "maximum": small, "multipleOf": st.integers(1, 4)}
    else:
        bounds = {}
    for name, values in bounds.items():
        if draw(st.booleans()):
            schema[name] = draw(values)
    return schema


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Schema]) -> Schema:
    """Draw a schema of an object, open or closed."""
    schema: Schema = {"type": "object"}
    names = draw(st.lists(st.sampled_from(NAMES), max_size=4, unique=True))
    schema["properties"] = {name: draw(inner) for name in names}
    schema["required"] = draw(st.lists(NAME, max_size=2, unique=True))
    rest = draw(st.sampled_from(["absent", "absent", "false", "true", "schema"]))
    if rest != "absent":
        schema["additionalProperties"] = {"false": False, "true": True}.get(rest, {"type": "string"})
    if draw(st.integers(0, 5)) == 0:
        schema["minProperties"] = draw(st.integers(0, 2))
    return schema


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[Schema]) -> Schema:
    """Draw a schema of an array."""
    schema: Schema = {"type": "array", "items": draw(inner)}
    if draw(st.booleans()):
        schema["maxItems"] = draw(st.integers(0, 3))
    if draw(st.booleans()):
        schema["uniqueItems"] = draw(st.booleans())
    if draw(st.booleans()):
        schema["prefixItems"] = [draw(inner)]
    return schema


@st.composite
def unions(draw: st.DrawFn, inner: st.SearchStrategy[Schema]) -> Schema:
    """Draw a combination of schemas."""
    keyword = draw(st.sampled_from(["anyOf", "allOf", "oneOf"]))
    members: list[Json] = [*draw(st.lists(inner, min_size=1, max_size=3))]
    return {keyword: members}


@st.composite
def roots(draw: st.DrawFn) -> Schema:
    """Draw the schema of a tool: an object, sometimes with a shared definition."""
    inner = st.one_of(leaves(), leaves(), objects(leaves()), arrays(leaves()), unions(leaves()))
    schema = draw(objects(inner))
    if draw(st.booleans()):
        schema["$defs"] = {"D": draw(st.one_of(leaves(), objects(leaves())))}
        properties = schema["properties"]
        assert isinstance(properties, dict)
        for name in draw(st.lists(st.sampled_from(NAMES), max_size=2, unique=True)):
            properties[name] = {"$ref": "#/$defs/D"}
    return schema


def _places(schema: Json) -> list[Schema]:
    """Return every object inside that is a schema, the outermost first."""
    found: list[Schema] = []
    if isinstance(schema, dict):
        found.append(schema)
        for keyword in ("properties", "$defs"):
            members = schema.get(keyword)
            if isinstance(members, dict):
                for member in members.values():
                    found += _places(member)
        for keyword in ("anyOf", "allOf", "oneOf", "prefixItems"):
            items = schema.get(keyword)
            if isinstance(items, list):
                for item in items:
                    found += _places(item)
        found += _places(schema.get("items"))
    return found


@st.composite
def edited(draw: st.DrawFn, schema: Schema) -> Schema:
    """Draw an edit of a schema: keywords dropped, put, or exchanged at any place."""
    result = copy.deepcopy(schema)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.sampled_from(_places(result)))
        action = draw(
            st.sampled_from(["drop", "leaf", "property", "unproperty", "require", "close", "text", "replace"])
        )
        if action == "drop" and place:
            name = draw(st.sampled_from(sorted(place)))
            if name != "$defs":
                del place[name]
        elif action == "leaf":
            place.update(draw(leaves()))
        elif action in ("property", "unproperty"):
            members = place.setdefault("properties", {})
            assert isinstance(members, dict)
            key = draw(st.sampled_from(NAMES))
            if action == "property":
                members[key] = draw(leaves())
            else:
                members.pop(key, None)
        elif action == "require":
            place["required"] = draw(st.lists(NAME, max_size=3, unique=True))
        elif action == "close":
            rest = draw(st.sampled_from(list[Json]([False, True, "absent"])))
            place.pop("additionalProperties", None)
            if rest != "absent":
                place["additionalProperties"] = rest
        elif action == "text":
            place["description"] = draw(st.sampled_from(["one", "two"]))
        else:
            keyword = draw(st.sampled_from(["anyOf", "allOf", "oneOf"]))
            place[keyword] = [*draw(st.lists(leaves(), min_size=1, max_size=3))]
    return result


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Schema, Schema]:
    """Draw OLD and NEW: mostly NEW is an edit of OLD, sometimes they have nothing in common."""
    old = draw(roots())
    new = draw(roots()) if draw(st.integers(0, 4)) == 0 else draw(edited(old))
    return old, new
