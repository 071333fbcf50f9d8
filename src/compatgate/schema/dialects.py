"""Name the dialects of JSON Schema and what sets them apart.

A dialect is chosen by `$schema`; the rest of the parser asks these rows, never a version number.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """Say which keywords a dialect reads, and how."""

    name: str
    uri: str
    id_keyword: str = "$id"
    ref_hides_siblings: bool = False  # up to draft-07 `$ref` stands alone
    boolean_schemas: bool = True
    boolean_exclusive: bool = False  # draft-04: exclusiveMinimum: true beside minimum
    array_items: bool = True  # `items` may be an array, with `additionalItems`
    contains_evaluates: bool = False  # `contains` marks items as evaluated (2020-12)
    keywords: frozenset[str] = frozenset()


_DRAFT4 = frozenset(
    "$ref type enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern "
    "items additionalItems maxItems minItems uniqueItems maxProperties minProperties required properties "
    "patternProperties additionalProperties dependencies allOf anyOf oneOf not format".split()
)
_DRAFT6 = _DRAFT4 | {"const", "contains", "propertyNames"}
_DRAFT7 = _DRAFT6 | {"if", "then", "else"}
# `dependencies` left the 2019-09 vocabularies, but validators go on asserting it there (test suite, optional).
_2019 = _DRAFT7 | {
    "dependentRequired",
    "dependentSchemas",
    "minContains",
    "maxContains",
    "unevaluatedItems",
    "unevaluatedProperties",
    "$recursiveRef",
}
_2020 = (_2019 - {"additionalItems", "$recursiveRef"}) | {"prefixItems", "$dynamicRef"}

DRAFT4 = Dialect(
    "draft-04",
    "http://json-schema.org/draft-04/schema",
    id_keyword="id",
    ref_hides_siblings=True,
    boolean_schemas=False,
    boolean_exclusive=True,
    keywords=_DRAFT4,
)
DRAFT6 = Dialect("draft-06", "http://json-schema.org/draft-06/schema", ref_hides_siblings=True, keywords=_DRAFT6)
DRAFT7 = Dialect("draft-07", "http://json-schema.org/draft-07/schema", ref_hides_siblings=True, keywords=_DRAFT7)
DRAFT201909 = Dialect("2019-09", "https://json-schema.org/draft/2019-09/schema", keywords=_2019)
DRAFT202012 = Dialect(
    "2020-12",
    "https://json-schema.org/draft/2020-12/schema",
    array_items=False,
    contains_evaluates=True,
    keywords=_2020,
)

ALL = (DRAFT4, DRAFT6, DRAFT7, DRAFT201909, DRAFT202012)
DEFAULT = DRAFT202012

#: Every keyword that asserts something in some dialect: one of these in a dialect without it is inert.
ASSERTING = frozenset().union(*(dialect.keywords for dialect in ALL))

_BY_URI = {dialect.uri.split("://", 1)[1]: dialect for dialect in ALL}
_BY_NAME = {dialect.name: dialect for dialect in ALL} | {
    "draft4": DRAFT4,
    "draft6": DRAFT6,
    "draft7": DRAFT7,
}


def by_uri(uri: object) -> Dialect | None:
    """Find the dialect that a `$schema` value names, or None when it names no known one.

    A trailing `#` and the choice between http and https do not matter: both are daily slips.
    """
    if not isinstance(uri, str) or "://" not in uri:
        return None
    return _BY_URI.get(uri.split("://", 1)[1].removesuffix("#"))


def by_name(name: str) -> Dialect | None:
    """Find a dialect by its short name (`draft-07`, `2020-12`) or by its URI."""
    return _BY_NAME.get(name) or by_uri(name)
