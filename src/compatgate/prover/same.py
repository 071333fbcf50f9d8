"""See that two documents are the same text, cheaper than anything else could be."""

from __future__ import annotations

import marshal
from typing import Any

from compatgate.canonical import value_key
from compatgate.jsonio import Json
from compatgate.schema.references import Document


def same_document(left: Document, right: Document) -> bool:
    """Tell whether two documents name the same schema by text: equal JSON, pointer and default dialect."""
    if left.pointer != right.pointer or left.dialect != right.dialect:
        return False
    return same_json(left.root, right.root)


def same_json(left: Json, right: Json) -> bool:
    """Tell whether two JSON values are equal under typed equality (1 is 1.0 but not true)."""
    if left is right:
        return True
    one: Any = left
    other: Any = right
    try:
        if marshal.dumps(one, 2) == marshal.dumps(other, 2):  # the same types in the same order: nearly always
            return True
    except ValueError:  # decimals are not marshalled, nor is what nests too deeply
        pass
    try:
        if left != right:  # typed equality is finer than Python's, so this is final
            return False
    except RecursionError:  # deep values are left to the key
        pass
    return value_key(left) == value_key(right)
