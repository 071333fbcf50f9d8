"""Say in a few words what a formula demands, for people who read a proof; never used to decide anything."""

from __future__ import annotations

from typing import Any, Final

from compatgate.jsonio import dumps
from compatgate.schema.nodes import WORLDS, Formula, Schema

#: How many parts of a conjunction, or values of a set, are spelt out.
_SHOWN: Final = 3
_DEPTH: Final = 2

_SIZES: Final = {"length": "characters", "count": "items", "size": "members"}


def describe(formula: Formula, depth: int = _DEPTH) -> str:
    """Describe a formula of one world."""
    if formula.op in ("true", "false"):
        return "anything" if formula.op == "true" else "nothing"
    if formula.op in ("and", "or"):
        return _joined(formula, depth)
    if formula.op == "not":
        return _negated(formula.args, depth)
    if formula.op == "ref":
        return "the recursive schema"
    if formula.op == "opaque":
        return f"what is not modelled ({formula.args[0]})"
    return _atom(formula, depth)


def describe_schema(schema: Schema, depth: int = _DEPTH) -> str:
    """Describe a schema: the types it admits, each with what it demands there."""
    if depth <= 0:
        return "…"
    parts: list[str] = []
    for name, formula in zip(WORLDS, schema.worlds, strict=True):
        if formula.op == "true":
            parts.append(name)
        elif formula.op != "false":
            parts.append(f"{name} with {describe(formula, depth - 1)}")
    if len(parts) == len(WORLDS) and all(formula.op == "true" for formula in schema.worlds):
        return "anything"
    return " or ".join(parts) or "nothing"


def _joined(formula: Formula, depth: int) -> str:
    if depth <= 0:
        return "…"
    shown = [describe(part, depth - 1) for part in formula.args[:_SHOWN]]
    if len(formula.args) > _SHOWN:
        shown.append(f"{len(formula.args) - _SHOWN} more")
    return (" and " if formula.op == "and" else " or ").join(shown)


def _negated(atom: Formula, depth: int) -> str:
    if atom.kind == "forall":
        region, schema = atom.args
        if all(part.op == "false" for part in schema.worlds):
            return f"a member {_region(region, depth)}"
        return f"a member {_region(region, depth)} outside {describe_schema(schema, depth - 1)}"
    if atom.kind == "each":
        low, high, schema = atom.args
        return f"an item {_range(low, high)} outside {describe_schema(schema, depth - 1)}"
    if atom.kind == "contains":
        return f"fewer than {atom.args[0]} items in {describe_schema(atom.args[1], depth - 1)}"
    if atom.kind in _SIZES:
        return f"at most {atom.args - 1} {_SIZES[atom.kind]}"
    if atom.kind in ("at_least", "above"):
        return f"{'below' if atom.kind == 'at_least' else 'at most'} {atom.args}"
    if atom.kind == "unique":
        return "repeated items"
    return f"not {describe(atom, depth)}"


def _atom(atom: Formula, depth: int) -> str:
    args: Any = atom.args
    if atom.kind == "finite":
        values = list(args[1].values.values())
        shown = ", ".join(dumps(value, ascii_only=True)[:40] for value in values[:_SHOWN])
        return f"one of {shown}" + (f" and {len(values) - _SHOWN} more" if len(values) > _SHOWN else "")
    if atom.kind == "forall":
        return f"every member {_region(args[0], depth)} in {describe_schema(args[1], depth - 1)}"
    if atom.kind == "each":
        return f"every item {_range(args[0], args[1])} in {describe_schema(args[2], depth - 1)}"
    if atom.kind == "contains":
        return f"at least {args[0]} items in {describe_schema(args[1], depth - 1)}"
    if atom.kind in _SIZES:
        return f"at least {args} {_SIZES[atom.kind]}"
    if atom.kind in ("pattern", "format"):
        return f"{atom.kind} {dumps(args[0], ascii_only=True)}"
    if atom.kind == "multiple":
        return "a whole number" if args == 1 else f"a multiple of {args}"
    if atom.kind == "unique":
        return "no repeated items"
    return f"{'above' if atom.kind == 'above' else 'at least'} {args}"


def _region(region: Formula, depth: int) -> str:
    if region.op == "true":
        return "of any name"
    return f"named {describe(region, depth - 1)}" if depth > 0 else "…"


def _range(low: int, high: int | None) -> str:
    if high == low + 1:
        return f"at {low}"
    return f"from {low} on" if high is None else f"from {low} to {high - 1}"
