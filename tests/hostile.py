"""Hostile questions, each named: run as `python -m tests.hostile NAME`, it prints relation, reason and cost.

A case is built in the process that answers it, so that a crash, a hang or a memory bomb takes only that one along.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

from compatgate.prover import contains

MEMORY = 1 << 30
ANY: dict[str, Any] = {}


def nested(depth: int, wrap: Callable[[Any], Any], innermost: Any) -> Any:
    """Wrap a value many times."""
    for _ in range(depth):
        innermost = wrap(innermost)
    return innermost


def values(count: int, start: int = 0) -> list[str]:
    """Return many different constants."""
    return [f"value-{number}" for number in range(start, start + count)]


def properties(count: int, schema: Any = True) -> dict[str, Any]:
    """Return many properties."""
    return {f"p{number}": schema for number in range(count)}


def chain(count: int, link: Callable[[str], Any], end: Any) -> dict[str, Any]:
    """Return definitions that each refer to the next."""
    definitions = {str(number): link(f"#/$defs/{number + 1}") for number in range(count)}
    return {"$ref": "#/$defs/0", "$defs": definitions | {str(count): end}}


def either(count: int, kind: str = "anyOf") -> list[Any]:
    """Return many small choices over independent names."""
    return [{kind: [{"required": [f"a{n}"]}, {"required": [f"b{n}"]}]} for n in range(count)]


def clauses(variables: int, count: int) -> list[Any]:
    """Return 3-SAT in disguise: members are variables, booleans their values."""

    def literal(number: int) -> Any:
        name = f"x{number * 7919 % variables}"
        return {"properties": {name: {"const": number % 3 == 0}}, "required": [name]}

    return [{"anyOf": [literal(3 * n), literal(3 * n + 1 + n % 5), literal(3 * n + 2 + n % 7)]} for n in range(count)]


def closed(count: int) -> dict[str, Any]:
    """Return boolean members only."""
    return {"type": "object", "properties": properties(count, {"type": "boolean"}), "additionalProperties": False}


TREE = {"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}}
CASES: dict[str, Callable[[], tuple[Any, Any]]] = {
    "10,000 times not": lambda: (ANY, nested(10_000, lambda s: {"not": s}, {})),
    "10,000 times items": lambda: (nested(10_000, lambda s: {"items": s}, {"type": "null"}), {"type": "array"}),
    "10,000 times properties on both sides": lambda: (
        nested(10_000, lambda s: {"properties": {"a": s}}, {"type": "integer"}),
        nested(10_000, lambda s: {"properties": {"a": s}}, {"type": "string"}),
    ),
    "10,000 times allOf": lambda: (ANY, nested(10_000, lambda s: {"allOf": [s]}, {"type": "null"})),
    "200 deep properties": lambda: (
        nested(60, lambda s: {"type": "object", "properties": {"a": s}, "required": ["a"]}, {"type": "integer"}),
        nested(60, lambda s: {"type": "object", "properties": {"a": s}, "required": ["a"]}, {"type": "string"}),
    ),
    "a constant 10,000 deep": lambda: ({"const": nested(10_000, lambda v: [v], 1)}, {"type": "array"}),
    "50,000 values lose one": lambda: ({"enum": values(50_000)}, {"enum": values(50_000)[:-1]}),
    "50,000 values gain one": lambda: ({"enum": values(50_000)}, {"enum": values(50_001)}),
    "50,000 values against a pattern": lambda: ({"enum": values(50_000)}, {"pattern": "^value-[0-9]+$"}),
    "a pattern against 50,000 values": lambda: (
        {"type": "string", "pattern": "^value-[0-9]+$"},
        {"enum": values(50_000)},
    ),
    "50,000 objects": lambda: ({"enum": [{"a": n} for n in range(50_000)]}, {"properties": {"a": {"maximum": 49_998}}}),
    "10,000 properties, one changed": lambda: (
        {"type": "object", "properties": properties(10_000, {"type": "string"})},
        {"type": "object", "properties": properties(10_000, {"type": "string"}) | {"p5000": {"type": "integer"}}},
    ),
    "10,000 required names": lambda: (
        {"type": "object", "required": [*properties(10_000)]},
        {"type": "object", "required": [*properties(10_001)]},
    ),
    "2 ** 40 by allOf": lambda: (
        {"type": "integer"},
        chain(40, lambda to: {"allOf": [{"$ref": to}] * 2}, {"minimum": 0}),
    ),
    "2 ** 40 by anyOf": lambda: (
        {"type": "integer"},
        chain(40, lambda to: {"anyOf": [{"$ref": to}, {"$ref": to}]}, {"minimum": 0}),
    ),
    "2 ** 40 by oneOf": lambda: (
        {"type": "integer"},
        chain(40, lambda to: {"oneOf": [{"$ref": to}, {"$ref": to}]}, {"minimum": 0}),
    ),
    "3 ** 40 by if": lambda: (
        {"type": "integer"},
        chain(40, lambda to: {"if": {"$ref": to}, "then": {"$ref": to}, "else": {"$ref": to}}, {"minimum": 0}),
    ),
    "a chain of 10,000 references": lambda: (
        {"type": "integer"},
        chain(10_000, lambda to: {"$ref": to}, {"type": "string"}),
    ),
    "40 independent choices": lambda: ({"type": "object", "allOf": either(40)}, {"minProperties": 41}),
    "40 exclusive choices": lambda: ({"type": "object", "allOf": either(40, "oneOf")}, {"maxProperties": 39}),
    "choices on both sides": lambda: (
        {"type": "object", "allOf": either(30)},
        {"anyOf": [{"required": [f"a{n}", f"b{n}"]} for n in range(30)]},
    ),
    "3-SAT, easy": lambda: ({"allOf": [closed(12), *clauses(12, 30)]}, False),
    "3-SAT, hard": lambda: ({"allOf": [closed(60), *clauses(60, 256)]}, False),
    "pigeons and holes": lambda: (
        {"type": "array", "minItems": 12, "items": {"enum": list(range(11))}, "uniqueItems": True},
        False,
    ),
    "pigeons and holes with choices": lambda: (
        {"type": "array", "prefixItems": [{"enum": list(range(9))}] * 10, "minItems": 10, "uniqueItems": True},
        False,
    ),
    "a billion items": lambda: ({"type": "array", "minItems": 10**9}, {"type": "array", "maxItems": 10}),
    "a billion characters": lambda: ({"type": "string", "minLength": 10**9}, {"type": "string", "maxLength": 10}),
    "a billion members": lambda: ({"type": "object", "minProperties": 10**9}, {"type": "object", "maxProperties": 10}),
    "a number of 10 ** 400": lambda: ({"type": "integer", "minimum": 10**400}, {"type": "integer", "maximum": 10**400}),
    "multiples with a huge common one": lambda: (
        {
            "type": "integer",
            "allOf": [{"multipleOf": p} for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)],
            "minimum": 1,
        },
        {"maximum": 10**9},
    ),
    "a pattern that backtracks": lambda: ({"type": "string", "pattern": "^(a+)+$"}, {"pattern": "^(a|aa)+$"}),
    "a pattern that backtracks, and not": lambda: (
        {"type": "string", "pattern": "^(a|b|ab)*c$"},
        {"pattern": "^(a*b*)*$"},
    ),
    "a pattern with 2 ** 40 states": lambda: (
        {"type": "string", "pattern": "^(a|b)*a(a|b){40}$"},
        {"pattern": "^(a|b)*b(a|b){40}$"},
    ),
    "counted thousands": lambda: (
        {"type": "string", "pattern": "^(a{1,1000}){1,1000}$"},
        {"pattern": "^a{1,1000000}$"},
    ),
    "200 patterns at once": lambda: (
        {"type": "string", "allOf": [{"pattern": f"a{{{n}}}|b"} for n in range(1, 200)]},
        {"pattern": "a{200}"},
    ),
    "1,000 pattern regions": lambda: (
        {"type": "object", "patternProperties": {f"^p{n}": {"type": "integer"} for n in range(1000)}},
        {"type": "object", "patternProperties": {f"{n}$": {"type": "integer"} for n in range(1000)}},
    ),
    "overlapping pattern regions": lambda: (
        {"type": "object", "patternProperties": {f"[a-{chr(98 + n)}]{{{n}}}": {"minimum": n} for n in range(1, 16)}},
        {"type": "object", "additionalProperties": {"minimum": 3}},
    ),
    "itself": lambda: ({"$ref": "#"}, {"type": "string"}),
    "not itself": lambda: ({"type": "string"}, {"not": {"$ref": "#"}}),
    "itself by turns": lambda: ({"oneOf": [{"$ref": "#"}, {"type": "string"}]}, {"type": "string"}),
    "a missing reference": lambda: ({"type": "string"}, {"$ref": "#/$defs/gone"}),
    "a remote reference": lambda: ({"type": "string"}, {"$ref": "https://remote.invalid/schema.json"}),
    "a file reference": lambda: ({"type": "string"}, {"$ref": "file:///etc/passwd"}),
    "a tree against a shallower one": lambda: (
        TREE,
        {"properties": {"left": {"properties": {"left": {"maxProperties": 1}}}}},
    ),
    "a list without end": lambda: (
        {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]},
        False,
    ),
    "mutual recursion": lambda: (
        {
            "$ref": "#/$defs/even",
            "$defs": {
                "even": {"maxItems": 1, "items": {"$ref": "#/$defs/odd"}},
                "odd": {"type": "array", "minItems": 1, "maxItems": 1, "items": {"$ref": "#/$defs/even"}},
            },
        },
        {"type": ["array", "null"]},
    ),
    "unevaluated below many choices": lambda: (
        {
            "type": "object",
            "allOf": [
                {
                    "anyOf": [
                        {"properties": {f"a{n}": {"type": "integer"}}, "required": [f"a{n}"]},
                        {"properties": {f"b{n}": {}}},
                    ]
                }
                for n in range(16)
            ],
            "unevaluatedProperties": False,
        },
        {"type": "object", "maxProperties": 3},
    ),
    "many dependencies": lambda: (
        {"type": "object", "dependentRequired": {f"p{n}": [f"p{n + 1}"] for n in range(200)}, "required": ["p0"]},
        {"required": ["p200"]},
    ),
    "counting what is contained": lambda: (
        {
            "type": "array",
            "allOf": [{"contains": {"multipleOf": n}, "minContains": n, "maxContains": 2 * n} for n in range(2, 9)],
        },
        {"maxItems": 3},
    ),
}


def main() -> None:
    """Answer one case under a limit on memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    left, right = CASES[sys.argv[1]]()
    started = process_time()
    answer = contains(left, right)
    seconds = process_time() - started
    print(
        json.dumps(
            {"relation": answer.relation.value, "reason": answer.reason, "path": answer.path, "seconds": seconds}
        )
    )


if __name__ == "__main__":
    main()
