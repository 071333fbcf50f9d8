"""Check that a Python value is JSON as strict input would have read it; a copy is made only where there are floats."""

from __future__ import annotations

import math
from decimal import Decimal

from compatgate.errors import InputError, Where
from compatgate.jsonio import Json, check_text, dumps, loads, not_json
from compatgate.jsonio.pointer import escape


def check_json(value: Json, *, max_depth: int) -> Json:
    """Return the value after checking types, finite numbers, texts without lone surrogates, and depth.

    Where there are floats it is a copy with their exact decimals. Raises InputError with the JSON Pointer of what is
    wrong.
    """
    level: list[object] = [value]
    floats = False
    for depth in range(max_depth + 1):
        inner: list[object] = []
        for here in level:
            kind = type(here)
            if depth == max_depth and (kind is dict or kind is list):
                raise _placed(value, max_depth)
            if kind is str:
                if not here.isascii():  # type: ignore[attr-defined]
                    _check(here, value)
            elif kind is dict:
                for name in here:  # type: ignore[attr-defined]
                    if type(name) is not str or not name.isascii():
                        _check(name, value)
                inner.extend(here.values())  # type: ignore[attr-defined]
            elif kind is list:
                inner.extend(here)  # type: ignore[arg-type]
            elif here is not None and kind is not bool and kind is not int:
                floats = floats or kind is float
                _check(here, value)
        if not inner:
            return loads(dumps(value)) if floats else value
        level = inner
    raise AssertionError("the last level has nothing below it")


def _check(part: object, whole: Json) -> None:
    try:
        _check_scalar(part)
    except InputError as error:
        raise _placed(whole, None, error) from None


def _check_scalar(value: object) -> None:
    if isinstance(value, str):
        check_text(value)
    elif isinstance(value, float) and math.isfinite(value):
        return
    elif not (isinstance(value, Decimal) and value.is_finite()):
        raise not_json(value)


def _placed(value: Json, max_depth: int | None, error: InputError | None = None) -> InputError:
    """Walk the value once more for the place of what is wrong."""
    level: list[tuple[str, object]] = [("", value)]
    depth = 0
    while level:
        inner: list[tuple[str, object]] = []
        for path, here in level:
            try:
                if isinstance(here, dict):
                    for name in here:
                        _check_scalar(name if isinstance(name, str) else object())
                    inner += [(f"{path}/{escape(name)}", member) for name, member in here.items()]
                elif isinstance(here, list):
                    inner += [(f"{path}/{index}", item) for index, item in enumerate(here)]
                elif here is not None and not isinstance(here, (bool, int)):
                    _check_scalar(here)
            except InputError as found:
                if error is not None:
                    return InputError(found.what, Where(pointer=path), found.hint)
        if max_depth == depth:
            deep = next(path for path, here in level if isinstance(here, (dict, list)))
            return InputError(f"nested deeper than {max_depth} levels", Where(pointer=deep))
        depth += 1
        level = inner
    assert error is not None
    return error
