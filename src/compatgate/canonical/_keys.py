"""Keys for typed JSON equality."""

from __future__ import annotations

import math
from collections.abc import Hashable
from decimal import Decimal

from compatgate.jsonio import Json, check_text, not_json

# A container's key is flat (no nested tuples), so neither hashing nor comparing it ever recurses. Marks are
# one-tuples: no scalar key is a tuple, so none can be mistaken for a mark.
_TRUE, _FALSE = ("true",), ("false",)
_LIST, _LIST_END = ("[",), ("]",)
_OBJECT, _OBJECT_END = ("{",), ("}",)


def value_key(value: Json) -> Hashable:
    """Return a key that is equal for two values exactly when they are the same JSON value.

    Numbers are equal by exact value (1 = 1.0 = Decimal("1.0"), and a float is the decimal of its repr),
    booleans are no numbers, the order of object members does not matter. Exponents are never expanded.
    Raises InputError where the value is not JSON.
    """
    if isinstance(value, (list, dict)):
        return _container_key(value)
    return _scalar_key(value)


def _scalar_key(value: Json) -> Hashable:
    kind = type(value)
    if kind is str or kind is int or value is None:
        return value  # type: ignore[return-value]
    if value is True:
        return _TRUE
    if value is False:
        return _FALSE
    # Python's int and Decimal compare and hash by exact value, whatever their exponents: each is its own key.
    if isinstance(value, Decimal):
        if value.is_finite():
            return value
    elif isinstance(value, float):
        if math.isfinite(value):
            return Decimal(repr(value))
    elif isinstance(value, (str, int)):
        return value
    raise not_json(value)


def _container_key(value: Json) -> Hashable:
    flat: list[Hashable] = []
    todo: list[tuple[bool, object]] = [(False, value)]  # (is a mark or name to be put down as it is, what)
    while todo:
        verbatim, item = todo.pop()
        if verbatim:
            flat.append(item)
        elif isinstance(item, list):
            flat.append(_LIST)
            todo.append((True, _LIST_END))
            todo.extend((False, element) for element in reversed(item))
        elif isinstance(item, dict):
            flat.append(_OBJECT)
            todo.append((True, _OBJECT_END))
            for name in sorted(map(_member_name, item), reverse=True):
                todo.append((False, item[name]))
                todo.append((True, name))
        else:
            flat.append(_scalar_key(item))  # type: ignore[arg-type]
    return tuple(flat)


def _member_name(name: object) -> str:
    return name if isinstance(name, str) else check_text(name)
