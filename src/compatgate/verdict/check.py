"""Check that a Python value is JSON as strict input would have read it, without a copy."""

from __future__ import annotations

import math
from decimal import Decimal

from compatgate.errors import InputError, Where
from compatgate.jsonio import Json, check_text, not_json
from compatgate.jsonio.pointer import escape


def check_json(value: Json, *, max_depth: int) -> None:
    """Check types, finite numbers, texts without lone surrogates, and depth.

    Raises InputError with the JSON Pointer of what is wrong.
    """
    level: list[tuple[str, object]] = [("", value)]
    for _ in range(max_depth + 1):
        inner: list[tuple[str, object]] = []
        for path, here in level:
            kind = type(here)
            try:
                if kind is dict:
                    for name, member in here.items():  # type: ignore[attr-defined]
                        if type(name) is not str or not name.isascii():
                            check_text(name)
                        if type(member) is not str or not member.isascii():
                            inner.append((f"{path}/{escape(name)}", member))
                elif kind is list:
                    inner += [(f"{path}/{index}", item) for index, item in enumerate(here)]  # type: ignore[arg-type, var-annotated]
                else:
                    _check_scalar(here)
            except InputError as error:
                raise InputError(error.what, Where(pointer=path), error.hint) from None
        if not inner:
            return
        level = inner
    raise InputError(f"nested deeper than {max_depth} levels", Where(pointer=level[0][0]))


def _check_scalar(value: object) -> None:
    if value is None or isinstance(value, (bool, int)):
        return
    if isinstance(value, str):
        check_text(value)
    elif not (isinstance(value, float) and math.isfinite(value)) and not (
        isinstance(value, Decimal) and value.is_finite()
    ):
        raise not_json(value)
