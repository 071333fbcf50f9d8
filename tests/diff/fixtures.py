"""One pair of schemas for every rule that fires on it, and one that stands close by and must not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from compatgate.jsonio import Json
from compatgate.model import Impact

OK, RISK, BREAK, UNKNOWN = Impact.COMPATIBLE, Impact.RISKY, Impact.BREAKING, Impact.UNKNOWN


@dataclass(frozen=True, slots=True)
class Fixture:
    """Hold a pair on which `rule` fires, with its impact as an input and as an output (None: another rule fires).

    `silent` is a pair like it on which the rule must not fire in either direction.
    """

    rule: str
    old: Json
    new: Json
    input: Impact | None
    output: Impact | None
    silent: tuple[Json, Json]


def _object(closed: bool = True, required: list[Json] | None = None, **properties: Json) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "object", "properties": dict(properties)}
    if closed:
        schema["additionalProperties"] = False
    if required is not None:
        schema["required"] = required
    return schema


def _both(keyword: str, small: Json, large: Json, base: dict[str, Json]) -> tuple[Json, Json]:
    return {**base, keyword: small}, {**base, keyword: large}


S: Final[dict[str, Json]] = {"type": "string"}
N: Final[dict[str, Json]] = {"type": "integer"}
_REF: Final[dict[str, Json]] = {"$ref": "#/$defs/D"}


def _mirrored(
    narrowing: str,
    widening: str,
    wide: Json,
    narrow: Json,
    silent: tuple[Json, Json],
) -> list[Fixture]:
    return [
        Fixture(narrowing, wide, narrow, BREAK, OK, silent),
        Fixture(widening, narrow, wide, OK, BREAK, (silent[1], silent[0])),
    ]


FIXTURES: Final[list[Fixture]] = [
    *_mirrored(
        "required-added",
        "required-removed",
        _object(required=["a"], a=S, b=S),
        _object(required=["a", "b"], a=S, b=S),
        (_object(required=["a", "b"], a=S, b=S), _object(required=["b", "a"], a=S, b=S)),
    ),
    *_mirrored(
        "type-narrowed",
        "type-widened",
        {"type": ["string", "null"]},
        {"type": "string"},
        ({"type": "string"}, {"type": ["string"]}),
    ),
    *_mirrored(
        "enum-value-removed",
        "enum-value-added",
        {"enum": ["a", "b"]},
        {"enum": ["a"]},
        ({"enum": [1, "a"]}, {"enum": ["a", 1]}),
    ),
    *_mirrored(
        "enum-added",
        "enum-removed",
        S,
        {"type": "string", "enum": ["a"]},
        ({"enum": ["a"]}, {"enum": ["a", "b"]}),
    ),
    *_mirrored("const-added", "const-removed", S, {"type": "string", "const": "a"}, ({"const": 1}, {"const": 2})),
    *_mirrored(
        "bound-tightened",
        "bound-loosened",
        {"type": "integer", "maximum": 9},
        {"type": "integer", "maximum": 5},
        ({"type": "string"}, {"type": "string", "minLength": 0}),
    ),
    *_mirrored(
        "pattern-added",
        "pattern-removed",
        S,
        {"type": "string", "pattern": "^a"},
        ({"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}),
    ),
    *_mirrored(
        "multiple-of-added",
        "multiple-of-removed",
        N,
        {"type": "integer", "multipleOf": 2},
        ({"type": "integer", "multipleOf": 4}, {"type": "integer", "multipleOf": 2}),
    ),
    *_mirrored(
        "unique-items-added",
        "unique-items-removed",
        {"type": "array"},
        {"type": "array", "uniqueItems": True},
        ({"type": "array"}, {"type": "array", "uniqueItems": False}),
    ),
    Fixture(
        "object-closed",
        _object(False, a=S),
        _object(a=S),
        BREAK,
        OK,
        (_object(False, a=S), {**_object(False, a=S), "additionalProperties": True}),
    ),
    Fixture(
        "object-opened",
        _object(a=S),
        _object(False, a=S),
        OK,
        OK,
        ({**_object(False, a=S), "additionalProperties": {}}, _object(False, a=S)),
    ),
    *_mirrored(
        "constraint-added",
        "constraint-removed",
        {"type": "array"},
        {"type": "array", "items": N},
        ({"type": "array", "items": {}}, {"type": "array"}),
    ),
    *_mirrored(
        "alternative-removed",
        "alternative-added",
        {"anyOf": [S, {"type": "null"}]},
        {"anyOf": [S]},
        ({"anyOf": [S, {"type": "null"}]}, {"anyOf": [{"type": "null"}, S]}),
    ),
    *_mirrored(
        "conjunct-added",
        "conjunct-removed",
        {"allOf": [S]},
        {"allOf": [S, {"maxLength": 3}]},
        ({"allOf": [S]}, {"allOf": [{"type": "string", "maxLength": 3}]}),
    ),
    *_mirrored(
        "dependency-added",
        "dependency-removed",
        {**_object(a=S, b=S), "dependentRequired": {"c": ["a"]}},
        {**_object(a=S, b=S), "dependentRequired": {"a": ["b"], "c": ["a"]}},
        ({"dependentRequired": {"a": ["b"]}}, {"dependentRequired": {"a": ["b", "c"]}}),
    ),
    Fixture(
        "property-added",
        _object(a=S),
        _object(a=S, b=N),
        OK,
        BREAK,
        (_object(a=S), _object(a={"type": "string", "minLength": 1})),
    ),
    Fixture(
        "property-removed",
        _object(a=S, b=N),
        _object(a=S),
        BREAK,
        OK,
        ({"allOf": [_object(False, a=S)]}, {"allOf": [_object(False, a={"type": "string", "title": "A"})]}),
    ),
    Fixture(
        "property-dropped",
        _object(False, a=S, zone=N),
        _object(False, a=S),
        RISK,
        None,
        (
            {"type": "object", "properties": {"a": S}, "allOf": [{"title": "x"}]},
            {"type": "object", "allOf": [{"title": "x", "properties": {"a": S}}]},
        ),
    ),
    Fixture(
        "property-renamed",
        _object(False, user_id=S),
        _object(False, userId=S),
        RISK,
        None,
        (_object(False, city=S), _object(False, verbose={"type": "boolean"})),
    ),
    Fixture(
        "pattern-property-added",
        {"type": "object"},
        {"type": "object", "patternProperties": {"^x": N}},
        OK,
        OK,
        ({"patternProperties": {"^x": {}}}, {"patternProperties": {"^x": N}}),
    ),
    Fixture(
        "pattern-property-removed",
        {"type": "object", "patternProperties": {"^x": N, "^y": N}, "additionalProperties": False},
        {"type": "object", "patternProperties": {"^y": N}, "additionalProperties": False},
        BREAK,
        OK,
        ({"patternProperties": {"^x": {}}}, {"patternProperties": {"^x": N}}),
    ),
    Fixture("type-changed", S, N, BREAK, BREAK, ({"type": "integer"}, {"type": "number"})),
    Fixture("enum-changed", {"enum": ["a"]}, {"enum": ["b"]}, BREAK, BREAK, ({"enum": ["a"]}, {"enum": ["a", "b"]})),
    Fixture("const-changed", {"const": 1}, {"const": True}, BREAK, BREAK, ({"enum": [1]}, {"enum": [2]})),
    Fixture(
        "bound-changed",
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "type": "number",
            "minimum": 0,
            "exclusiveMinimum": False,
        },
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "type": "number",
            "minimum": 0,
            "exclusiveMinimum": True,
        },
        BREAK,
        OK,
        _both("exclusiveMinimum", 1, 2, N),
    ),
    Fixture("pattern-changed", *_both("pattern", "^a", "^b", S), BREAK, BREAK, (S, {"type": "string", "pattern": "a"})),
    Fixture(
        "multiple-of-changed", *_both("multipleOf", 2, 3, N), BREAK, BREAK, (N, {"type": "integer", "multipleOf": 1})
    ),
    Fixture(
        "map-values-changed",
        {"type": "object", "additionalProperties": S},
        {"type": "object", "additionalProperties": False},
        BREAK,
        OK,
        ({"additionalProperties": S}, {"additionalProperties": {"type": "string", "maxLength": 2}}),
    ),
    Fixture("constraint-changed", {"anyOf": [S]}, {"anyOf": [N]}, BREAK, BREAK, ({"items": S}, {"items": N})),
    Fixture(
        "dependency-changed",
        {**_object(False, a=S, b=S, c=S), "dependentRequired": {"a": ["b"]}},
        {**_object(False, a=S, b=S, c=S), "dependentRequired": {"a": ["c"]}},
        BREAK,
        BREAK,
        ({"dependentRequired": {"a": ["b"]}}, {"dependentRequired": {"a": ["b"], "c": ["a"]}}),
    ),
    Fixture(
        "reference-changed",
        {"properties": {"a": {"$ref": "#/$defs/D"}}, "$defs": {"D": S, "E": N}},
        {"properties": {"a": {"$ref": "#/$defs/E"}}, "$defs": {"D": S, "E": N}},
        BREAK,
        BREAK,
        ({"properties": {"a": _REF}, "$defs": {"D": S}}, {"properties": {"a": _REF}, "$defs": {"D": N}}),
    ),
    Fixture(
        "dialect-changed",
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "properties": {"a": {**_REF, "maxLength": 1}},
            "$defs": {"D": S},
        },
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "properties": {"a": {**_REF, "maxLength": 1}},
            "$defs": {"D": S},
        },
        BREAK,
        OK,
        ({"$schema": "https://json-schema.org/draft/2020-12/schema#"}, {"title": "x"}),
    ),
    Fixture(
        "identifier-changed",
        {"$id": "http://example.com/a", "type": "string"},
        {"$id": "http://example.com/b", "type": "string"},
        OK,
        OK,
        ({"$comment": "http://example.com/a"}, {"$comment": "http://example.com/b"}),
    ),
    Fixture(
        "keyword-changed",
        {"$ref": "#/x-shared/X", "x-shared": {"X": S}},
        {"$ref": "#/x-shared/X", "x-shared": {"X": N}},
        BREAK,
        BREAK,
        ({"x-shared": {"X": S}}, {"x-shared": {"X": N}}),
    ),
    Fixture("schema-replaced", {"items": S}, {"items": False}, BREAK, OK, ({"items": True}, {"items": {}})),
    Fixture(
        "tuple-lengthened",
        {"prefixItems": [S]},
        {"prefixItems": [S, N]},
        BREAK,
        OK,
        ({"prefixItems": [S]}, {"prefixItems": [N]}),
    ),
    Fixture(
        "tuple-shortened",
        {"prefixItems": [S, N]},
        {"prefixItems": [S]},
        OK,
        BREAK,
        ({"prefixItems": [S]}, {"prefixItems": [N]}),
    ),
    Fixture("respelt", {"type": "string"}, {"type": ["string"]}, OK, OK, ({"enum": [1, 2]}, {"enum": [2, 1]})),
    Fixture("reordered", {"enum": [1, 2]}, {"enum": [2, 1]}, OK, OK, ({"type": "string"}, {"type": ["string"]})),
    Fixture(
        "reference-inlined",
        {"items": _REF, "$defs": {"D": S}},
        {"items": S, "$defs": {"D": S}},
        OK,
        OK,
        ({"items": S}, {"items": N}),
    ),
    Fixture(
        "reference-extracted",
        {"items": S},
        {"items": _REF, "$defs": {"D": S}},
        OK,
        OK,
        ({"items": _REF, "$defs": {"D": S}}, {"items": _REF, "$defs": {"D": N}}),
    ),
    Fixture(
        "definition-renamed",
        {"items": {"$ref": "#/definitions/D"}, "definitions": {"D": S}},
        {"items": _REF, "$defs": {"D": S}},
        OK,
        OK,
        ({"$defs": {"D": S}}, {"$defs": {"D": N}}),
    ),
    Fixture("definition-added", {"$defs": {}}, {"$defs": {"D": S}}, OK, OK, ({"$defs": {"D": S}}, {"$defs": {"D": N}})),
    Fixture(
        "definition-removed", {"$defs": {"D": S}}, {"$defs": {}}, OK, OK, ({"$defs": {"D": S}}, {"$defs": {"D": N}})
    ),
    Fixture(
        "description-changed",
        {"description": "a"},
        {"description": "b"},
        RISK,
        RISK,
        ({"properties": {"description": S}}, {"properties": {"description": N}}),
    ),
    Fixture(
        "title-changed",
        {"title": "a"},
        {"title": "b"},
        RISK,
        RISK,
        ({"enum": [{"title": "a"}]}, {"enum": [{"title": "b"}]}),
    ),
    Fixture("default-changed", {"default": 1}, {"default": True}, RISK, RISK, ({"x-default": 1}, {"x-default": 2})),
    Fixture(
        "format-changed",
        {"format": "date"},
        {"format": "date-time"},
        RISK,
        RISK,
        ({"properties": {"format": {"const": "a"}}}, {"properties": {"format": {"const": "b"}}}),
    ),
    Fixture(
        "content-changed",
        {"contentEncoding": "base64"},
        {"contentEncoding": "base32"},
        RISK,
        RISK,
        ({"x-contentEncoding": "a"}, {"x-contentEncoding": "b"}),
    ),
    Fixture("metadata-changed", {"examples": [1]}, {"examples": [2]}, OK, OK, ({"title": "a"}, {"title": "b"})),
    Fixture(
        "mcp-header-added",
        {"type": "string"},
        {"type": "string", "x-mcp-header": "Region"},
        RISK,
        RISK,
        ({"type": "string", "x-mcp-header": "Region"}, {"type": "string"}),
    ),
]
