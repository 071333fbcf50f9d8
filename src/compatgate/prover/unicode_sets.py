"""Hold sets of code points as sorted, disjoint, inclusive intervals, and the sets that ECMA-262 names.

Strings of JSON are sequences of Unicode scalar values: surrogates are in no set.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, TypeAlias

Intervals: TypeAlias = tuple[tuple[int, int], ...]

_LAST: Final = 0x10FFFF
_SURROGATES: Final = (0xD800, 0xDFFF)


def normalised(intervals: Iterable[tuple[int, int]]) -> Intervals:
    """Return the intervals sorted, merged, and without surrogates."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(_without_surrogates(intervals)):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def _without_surrogates(intervals: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    first, last = _SURROGATES
    for low, high in intervals:
        if low < first:
            yield low, min(high, first - 1)
        if high > last:
            yield max(low, last + 1), high


def complement(intervals: Intervals) -> Intervals:
    """Return all scalar values outside the intervals."""
    gaps: list[tuple[int, int]] = []
    start = 0
    for low, high in intervals:
        if low > start:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= _LAST:
        gaps.append((start, _LAST))
    return normalised(gaps)


ANY: Final = normalised([(0, _LAST)])
DIGIT: Final = normalised([(48, 57)])
WORD: Final = normalised([(48, 57), (65, 90), (95, 95), (97, 122)])
#: WhiteSpace and LineTerminator (ECMA-262, 12.2 and 12.3).
SPACE: Final = normalised(
    (point, point)
    for point in (
        *range(9, 14),
        0x20,
        0xA0,
        0x1680,
        *range(0x2000, 0x200B),
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
        0xFEFF,
    )
)
LINE_ENDS: Final = normalised([(10, 10), (13, 13), (0x2028, 0x2029)])
DOT: Final = complement(LINE_ENDS)

_CATEGORY_NAMES: Final = {
    "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
    "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M",
    "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd",
    "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P",
    "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe",
    "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S",
    "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z",
    "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc",
    "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
}  # fmt: skip
_SHORT_NAMES: Final = frozenset(_CATEGORY_NAMES.values())


@lru_cache(maxsize=128)
def property_set(text: str) -> Intervals | None:
    """Return the set that `\\p{text}` names, or None where it cannot be told from Python's Unicode data.

    General categories (long and short names, with or without `gc=`), Any, ASCII, Assigned, ASCII_Hex_Digit and
    White_Space can; scripts and most binary properties cannot.
    """
    name, _, value = text.rpartition("=")
    if name not in ("", "gc", "General_Category"):
        return None
    if not name and value in ("Any", "ASCII", "Assigned", "ASCII_Hex_Digit", "AHex", "White_Space", "space"):
        return _binary(value)
    short = _CATEGORY_NAMES.get(value, value)
    if short not in _SHORT_NAMES:
        return None
    if short == "LC":
        return normalised(i for each in ("Lu", "Ll", "Lt") for i in _categories().get(each, ()))
    return normalised(i for each, found in _categories().items() if each.startswith(short) for i in found)


def _binary(name: str) -> Intervals:
    if name == "Any":
        return ANY
    if name == "ASCII":
        return normalised([(0, 127)])
    if name in ("ASCII_Hex_Digit", "AHex"):
        return normalised([(48, 57), (65, 70), (97, 102)])
    if name in ("White_Space", "space"):  # PropList.txt: \s without the byte order mark, with NEL
        return normalised([*(i for i in SPACE if i != (0xFEFF, 0xFEFF)), (0x85, 0x85)])
    return complement(normalised(_categories().get("Cn", ())))


@lru_cache(maxsize=1)
def _categories() -> dict[str, Intervals]:
    """Return the intervals of every general category, by Python's own Unicode data."""
    runs: dict[str, list[tuple[int, int]]] = {}
    category, start = unicodedata.category("\0"), 0
    for point in range(1, _LAST + 2):
        found = unicodedata.category(chr(point)) if point <= _LAST else ""
        if found != category:
            runs.setdefault(category, []).append((start, point - 1))
            category, start = found, point
    return {name: normalised(found) for name, found in runs.items()}
