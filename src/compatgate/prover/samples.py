"""Draw a few values from a schema, to attack a proof before it is believed.

The values come from what the two documents mention (constants, defaults, examples, bounds and their neighbours), put
by member name into a value that the left schema is known to hold. It is a short search by design: it costs little
beside a proof, and it would have caught most mistakes that a prover can make.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import islice
from typing import Final

from compatgate.jsonio import Json
from compatgate.prover.shrink import MAX_DEPTH

#: How many values are drawn for one proof.
MAX_SAMPLES: Final = 48
#: How many nodes of a document are read for what they mention.
_MAX_NODES: Final = 2_000

_PLAIN: Final[tuple[Json, ...]] = ("", "a", 0, 1, -1, Decimal("0.5"), True, None, [], {})


def samples(base: Json, documents: Iterable[Json]) -> Iterator[Json]:
    """Return at most `MAX_SAMPLES` values: `base` with members exchanged, added and removed, then plain values."""
    mentioned: dict[str, list[Json]] = {}
    for document in documents:
        _collect(document, mentioned)
    return islice(_variants(base, mentioned), MAX_SAMPLES)


def _variants(base: Json, mentioned: dict[str, list[Json]]) -> Iterator[Json]:
    yield base
    if isinstance(base, dict):
        for name, values in mentioned.items():
            if name:
                for value in values[:3]:
                    yield {**base, name: value}
        for name in base:
            yield {other: item for other, item in base.items() if other != name}
        yield {**base, "undeclared": "a"}
    elif isinstance(base, list):
        for value in (*mentioned.get("", ())[:8], *_PLAIN):
            yield [*base, value]
        yield base[:-1]
    yield from mentioned.get("", ())[:8]
    yield from _PLAIN


def _collect(document: Json, mentioned: dict[str, list[Json]]) -> None:
    """Gather, under the member name they stand for, the values a document mentions."""
    todo: list[tuple[str, Json, int]] = [("", document, 0)]
    seen = 0
    while todo and seen < _MAX_NODES:
        name, schema, depth = todo.pop()
        seen += 1
        if not isinstance(schema, dict) or depth > MAX_DEPTH:
            continue
        found = mentioned.setdefault(name, [])
        for keyword in ("enum", "examples"):
            values = schema.get(keyword)
            if isinstance(values, list):
                found += values[:4]
        found += [schema[keyword] for keyword in ("const", "default") if keyword in schema]
        for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
            bound = schema.get(keyword)
            if isinstance(bound, (int, Decimal)) and not isinstance(bound, bool):
                found += [bound, bound - 1, bound + 1]
        if not found:
            found += _PLAIN[:4]
        properties = schema.get("properties")
        if isinstance(properties, dict):
            todo += [(member, sub, depth + 1) for member, sub in properties.items()]
        for keyword in ("allOf", "anyOf", "oneOf"):
            branches = schema.get(keyword)
            if isinstance(branches, list):
                todo += [(name, sub, depth + 1) for sub in branches]
