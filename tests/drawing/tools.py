"""Realistic tool schemas, written by hand: what edits start from."""

from __future__ import annotations

from compatgate.jsonio import Json

TOOLS: tuple[dict[str, Json], ...] = (
    {
        "type": "object",
        "properties": {
            "sql": {"type": "string", "minLength": 1},
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
            "format": {"type": "string", "enum": ["json", "csv"]},
            "dry_run": {"type": "boolean"},
        },
        "required": ["sql"],
        "additionalProperties": False,
    },
    {
        "type": "object",
        "properties": {
            "path": {"type": "string", "pattern": "^/"},
            "edits": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"oldText": {"type": "string"}, "newText": {"type": "string"}},
                    "required": ["oldText", "newText"],
                },
                "minItems": 1,
            },
        },
        "required": ["path", "edits"],
    },
    {
        "$defs": {
            "Point": {
                "type": "object",
                "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
                "required": ["x", "y"],
                "additionalProperties": False,
            },
            "Shape": {
                "oneOf": [
                    {
                        "properties": {"kind": {"const": "dot"}, "at": {"$ref": "#/$defs/Point"}},
                        "required": ["kind", "at"],
                    },
                    {
                        "properties": {
                            "kind": {"const": "line"},
                            "through": {"type": "array", "items": {"$ref": "#/$defs/Point"}, "minItems": 2},
                        },
                        "required": ["kind", "through"],
                    },
                ]
            },
        },
        "type": "object",
        "properties": {"shapes": {"type": "array", "items": {"$ref": "#/$defs/Shape"}, "maxItems": 5}},
    },
    {
        "type": "object",
        "properties": {
            "query": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            "page": {"type": "integer", "minimum": 0},
            "where": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}},
        },
        "dependentRequired": {"page": ["query"]},
    },
    {
        "$defs": {
            "Node": {
                "type": "object",
                "properties": {
                    "value": {"type": "integer"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                },
                "required": ["value"],
            }
        },
        "$ref": "#/$defs/Node",
    },
    {
        "type": "object",
        "properties": {"mode": {"enum": ["fast", "safe"]}, "retries": {"type": "integer", "multipleOf": 1}},
        "if": {"properties": {"mode": {"const": "safe"}}, "required": ["mode"]},
        "then": {"required": ["retries"]},
        "patternProperties": {"^x-": {"type": "string"}},
        "unevaluatedProperties": False,
    },
)
