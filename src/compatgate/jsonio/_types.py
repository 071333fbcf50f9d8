"""What a JSON value is in memory."""

from __future__ import annotations

from decimal import Decimal
from typing import TypeAlias

Json: TypeAlias = bool | int | float | Decimal | str | list["Json"] | dict[str, "Json"] | None
"""A JSON value. `loads` makes int and Decimal, never float; a float from elsewhere is the decimal of its repr."""
