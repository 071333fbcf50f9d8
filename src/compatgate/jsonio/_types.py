"""What a JSON value is in memory, and how large one may be."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

Json: TypeAlias = bool | int | float | Decimal | str | list["Json"] | dict[str, "Json"] | None
"""A JSON value. `loads` makes int and Decimal, never float; a float of others is the decimal of its repr."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bound what is read; over a bound the input is refused with its place.

    `max_bytes`: of the document in UTF-8; 64 MiB is 200 times the largest `tools/list` met in the wild.
    `max_depth`: of nested arrays and objects (the root counts 1); real schemas stay below 30.
    `max_digits`: characters of one number literal. Arithmetic on long numbers is quadratic in places: with
    100,000 digits one operation stays below a second, with a million it takes minutes.
    """

    max_bytes: int = 64 * 1024 * 1024
    max_depth: int = 200
    max_digits: int = 100_000
