"""What an edit of one keyword's value is called, and what it does to the set accepted at its place."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, TypeAlias

from compatgate.canonical import value_key
from compatgate.diff.edits import Effect
from compatgate.diff.keywords import ANNOTATIONS, CONTENT, HEADER, IDENTIFIERS, LOWER, REFERENCES, UPPER
from compatgate.jsonio import Json
from compatgate.model import ABSENT, Absent
from compatgate.schema import dialects

Value: TypeAlias = Json | Absent
Name = tuple[str, Effect]

_ANNOTATION_RULES: Final = {
    "title": "title-changed",
    "description": "description-changed",
    "default": "default-changed",
    "format": "format-changed",
}
_EVERY_TYPE: Final = frozenset("null boolean number string array object".split())


def same(left: Value, right: Value) -> bool:
    """Say whether two values are the same JSON value (or both absent)."""
    if left is right:
        return True
    if left is ABSENT or right is ABSENT:
        return False
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    return value_key(left) == value_key(right)


def is_open(schema: Value) -> bool:
    """Say whether a schema for the rest of an object says nothing: absent, true, {} or annotations only."""
    return schema is ABSENT or schema is True or (isinstance(schema, dict) and schema.keys() <= ANNOTATIONS)


def is_closed(schema: Value) -> bool:
    """Say whether a schema for the rest of an object plainly admits nothing."""
    return schema is False or (
        isinstance(schema, dict) and schema.keys() - ANNOTATIONS == {"not"} and is_open(schema["not"])
    )


def name_rest(old: Value, new: Value) -> Name | None:
    """Name an edit of additionalProperties or unevaluatedProperties; None where both are schemas to be compared."""
    if is_open(old) and is_open(new):
        return "respelt", Effect.EITHER  # not NOTHING: `true` marks members as evaluated, silence does not
    if is_closed(old) and is_closed(new):
        return "respelt", Effect.NOTHING
    if is_open(old) and is_closed(new):
        return "object-closed", Effect.NARROWS
    if is_closed(old) and is_open(new):
        return "object-opened", Effect.WIDENS
    if isinstance(old, dict) and isinstance(new, dict):
        return None
    if is_open(old) or is_closed(new):
        return "map-values-changed", Effect.NARROWS
    if is_open(new) or is_closed(old):
        return "map-values-changed", Effect.WIDENS
    return "map-values-changed", Effect.EITHER


def name_scalar(keyword: str, old: Value, new: Value, *, assert_formats: bool, unusual: bool) -> Name:
    """Name an edit of a keyword whose value is not taken apart."""
    if unusual:
        return "keyword-changed", Effect.EITHER
    if keyword in LOWER or keyword in UPPER:
        return _name_bound(keyword, old, new)
    if keyword in ("pattern", "multipleOf", "const"):
        stem = {"pattern": "pattern", "multipleOf": "multiple-of", "const": "const"}[keyword]
        if old is ABSENT:
            return f"{stem}-added", Effect.NARROWS
        if new is ABSENT:
            return f"{stem}-removed", Effect.WIDENS
        return f"{stem}-changed", Effect.EITHER
    if keyword == "uniqueItems":
        if new is True:
            return "unique-items-added", Effect.NARROWS
        if old is True:
            return "unique-items-removed", Effect.WIDENS
        return "respelt", Effect.NOTHING
    if keyword == "$ref" or keyword in REFERENCES:
        return "reference-changed", Effect.EITHER
    if keyword in IDENTIFIERS:
        return "identifier-changed", Effect.EITHER
    if keyword == HEADER:
        return ("metadata-changed" if new is ABSENT else "mcp-header-added"), Effect.NOTHING
    if keyword in CONTENT:
        return "content-changed", Effect.NOTHING
    if keyword in _ANNOTATION_RULES:
        asserted = keyword == "format" and assert_formats
        return _ANNOTATION_RULES[keyword], Effect.EITHER if asserted else Effect.NOTHING
    return "metadata-changed", Effect.NOTHING


def name_constraint(old: Value, new: Value) -> Name:
    """Name an edit of a keyword that holds a schema, where it came, went, or was replaced as a whole."""
    if old is ABSENT:
        return "constraint-added", Effect.NARROWS
    if new is ABSENT:
        return "constraint-removed", Effect.WIDENS
    return "constraint-changed", Effect.EITHER


def name_schema(old: Json, new: Json) -> Name:
    """Name the replacement of one schema by another that cannot be compared with it member by member."""
    if (is_open(old) and is_open(new)) or (is_closed(old) and is_closed(new)):
        return "respelt", Effect.NOTHING
    if is_open(old) or is_closed(new):
        return "schema-replaced", Effect.NARROWS
    if is_open(new) or is_closed(old):
        return "schema-replaced", Effect.WIDENS
    return "schema-replaced", Effect.EITHER


def name_type(old: Value, new: Value) -> Name:
    """Name an edit of `type`: its values are read as sets, `integer` being a part of `number`."""
    before, after = types_of(old), types_of(new)
    if before is None or after is None:
        return "type-changed", Effect.EITHER
    gone = {t for t in before - after if not (t == "integer" and "number" in after)}
    come = {t for t in after - before if not (t == "integer" and "number" in before)}
    if gone and come:
        return "type-changed", Effect.EITHER
    if gone:
        return "type-narrowed", Effect.NARROWS
    if come:
        return "type-widened", Effect.WIDENS
    reordered = isinstance(old, list) and isinstance(new, list) and len(old) == len(new)
    return ("reordered" if reordered else "respelt"), Effect.NOTHING


def types_of(value: Value) -> frozenset[str] | None:
    """Return the set of types that a `type` keyword admits, None where its value is none."""
    if value is ABSENT:
        return _EVERY_TYPE
    if isinstance(value, str):
        return frozenset([value])
    if isinstance(value, list):
        names = [name for name in value if isinstance(name, str)]
        return frozenset(names) if len(names) == len(value) else None
    return None


def name_dialect(old: Value, new: Value, default: str | None) -> Name:
    """Name an edit of `$schema`: another dialect, or the same one spelt differently."""
    silent = (dialects.by_name(default) if default else None) or dialects.DEFAULT
    before = silent if old is ABSENT else dialects.by_uri(old)
    after = silent if new is ABSENT else dialects.by_uri(new)
    if before is not None and before is after:
        return "respelt", Effect.NOTHING
    return "dialect-changed", Effect.EITHER


def _name_bound(keyword: str, old: Value, new: Value) -> Name:
    before, after = _number(old), _number(new)
    if (old is not ABSENT and before is None) or (new is not ABSENT and after is None):
        return "bound-changed", Effect.EITHER  # draft-04's exclusiveMinimum: true, or no number at all
    if (
        keyword.startswith("min")
        and keyword != "minimum"
        and (before or 0) == (after or 0)
        and keyword != "minContains"
    ):
        return "respelt", Effect.NOTHING  # minLength: 0 says nothing
    if before is None:
        return "bound-tightened", Effect.NARROWS
    if after is None:
        return "bound-loosened", Effect.WIDENS
    tighter = after > before if keyword in LOWER else after < before
    return ("bound-tightened", Effect.NARROWS) if tighter else ("bound-loosened", Effect.WIDENS)


def _number(value: Value) -> Decimal | int | None:
    if isinstance(value, bool) or value is ABSENT:
        return None
    if isinstance(value, float):
        return Decimal(repr(value))
    return value if isinstance(value, (int, Decimal)) else None
