"""See that two documents are the same text, cheaper than anything else could be."""

from __future__ import annotations

from typing import Final

import msgspec

from compatgate.canonical import value_key
from compatgate.jsonio import Json
from compatgate.schema.references import Document

#: Exact numbers: true and 1, 0.1 and "0.1" are different texts. Only what is not finite turns to null.
_WRITTEN: Final = msgspec.json.Encoder(decimal_format="number")
_SORTED: Final = msgspec.json.Encoder(decimal_format="number", order="sorted")


def same_schema(left: Json | Document, right: Json | Document) -> bool:
    """Tell whether two schemas are the same by text: equal JSON, and where they are documents, one place in them."""
    if isinstance(left, Document) or isinstance(right, Document):
        documents = [schema if isinstance(schema, Document) else Document(schema) for schema in (left, right)]
        return same_document(*documents)
    return same_json(left, right)


def same_document(left: Document, right: Document) -> bool:
    """Tell whether two documents name the same schema by text: equal JSON, pointer and default dialect."""
    if left.pointer != right.pointer or left.dialect != right.dialect:
        return False
    return same_json(left.root, right.root)


def same_json(left: Json, right: Json) -> bool:
    """Tell whether two JSON values are equal under typed equality (1 is 1.0 but not true)."""
    if left is right:
        return True
    if _same_text(_WRITTEN, left, right):  # members in the same order: nearly always, and cheaper
        return True
    try:
        if left != right:  # typed equality is hardly ever wider than Python's, and then the prover is asked
            return False
    except RecursionError:  # deep values are left to the key
        pass
    return _same_text(_SORTED, left, right) or value_key(left) == value_key(right)


def _same_text(encoder: msgspec.json.Encoder, left: Json, right: Json) -> bool:
    try:
        text = encoder.encode(left)
        # One text is one value, unless a null of it stands for a number that JSON does not have.
        return text == encoder.encode(right) and (b"null" not in text or left == right)
    except (ValueError, OverflowError, RecursionError):  # lone surrogates, huge integers, deep nesting
        return False
