"""Characters that are not drawn, or that change the order of what is drawn."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

#: Everything but printable ASCII, tab and line ends is looked at one by one.
_UNUSUAL: Final = re.compile(r"[^\t\n\r -~]")
#: A flag of a region (England, Scotland): a black flag, tag letters, the end tag.
_FLAG: Final = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f")
#: Format characters (category Cf) that are drawn: signs set before or around digits.
_DRAWN: Final = frozenset(
    [*range(0x0600, 0x0606), 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD, *range(0x13430, 0x13440)]
)
#: Letters, marks and symbols by category that are drawn as nothing (Default_Ignorable_Code_Point, and a blank).
_BLANK: Final = frozenset(
    [
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0),
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
    ]
)
_CONTROLS: Final = {0x00: "NULL", 0x07: "BELL", 0x08: "BACKSPACE", 0x1B: "ESCAPE", 0x7F: "DELETE", 0x9B: "CSI"}
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_VIRAMA: Final = 9  # the combining class of signs that join letters in Indic scripts


def hidden_characters(text: str) -> list[str]:
    """Return the hidden and direction-changing characters of a text, one for each time they occur.

    Left out are those that good typography needs where they stand: joiners inside emoji, after a virama and between
    Arabic letters, one variation selector behind a symbol, the tags of a regional flag.
    """
    if text.isascii() and text.isprintable():
        return []
    if "\U0001f3f4" in text:
        text = _FLAG.sub("\U0001f3f4", text)
    return [m.group() for m in _UNUSUAL.finditer(text) if _hidden(m.group()) and not _needed(text, m.start())]


def shown(character: str) -> str:
    """Show a character by its code point and name: `U+200B ZERO WIDTH SPACE`."""
    code = ord(character)
    name = _CONTROLS.get(code) or unicodedata.name(character, "")
    return f"U+{code:04X}" + (f" {name}" if name else "")


def without_hidden(text: str) -> str:
    """Return a text without its hidden characters, as it is read."""
    if text.isascii():
        return text
    return _UNUSUAL.sub(lambda m: "" if _hidden(m.group()) else m.group(), text)


def _hidden(character: str) -> bool:
    code = ord(character)
    category = unicodedata.category(character)
    if category == "Cc":
        return True
    if category == "Cf":
        return code not in _DRAWN
    # Reserved code points of the tag and variation block are ignorable by default, assigned or not.
    return code in _BLANK or 0xE0000 <= code <= 0xE0FFF


def _needed(text: str, index: int) -> bool:
    character = text[index]
    before = text[index - 1] if index else ""
    after = text[index + 1] if index + 1 < len(text) else ""
    code = ord(character)
    if character == _ZWJ and before and after:
        return (_symbol(before) and _symbol(after)) or _joins(before, after)
    if character == _ZWNJ and before and after:
        return _joins(before, after)
    if code in (0xFE0E, 0xFE0F):
        return bool(before) and _takes_selector(before, after)
    if 0xFE00 <= code <= 0xFE0D or 0xE0100 <= code <= 0xE01EF:
        return bool(before) and not before.isascii() and not _hidden(before)
    if code == 0x2800:
        return any(0x2801 <= ord(other) <= 0x28FF for other in (before, after) if other)
    if 0x180B <= code <= 0x180F or code in (0x115F, 0x1160):
        script = "MONGOLIAN" if code >= 0x180B else "HANGUL"
        return any(unicodedata.name(other, "").startswith(script) for other in (before, after) if other)
    return False


def _takes_selector(before: str, after: str) -> bool:
    """Say whether a character is one that is drawn as text or as an emoji (or a digit of a keycap)."""
    if before.isascii():
        return before in "0123456789#*" and after == "\u20e3"
    if _hidden(before):
        return False
    signs = unicodedata.category(before)[0] in "SN" or before in "\u203c\u2049\u3030"
    return signs or unicodedata.decomposition(before).startswith("<font>")


def _symbol(character: str) -> bool:
    return unicodedata.category(character) in ("So", "Sk") or character in "\ufe0f\u2640\u2642"


def _joins(before: str, after: str) -> bool:
    """Say whether a joiner stands where a script needs one (as UTS 46 and RFC 5892 allow it)."""
    if unicodedata.combining(before) == _VIRAMA:
        return True
    return unicodedata.bidirectional(before) == "AL" and unicodedata.bidirectional(after) == "AL"
