"""Hidden characters are found wherever they are of no use, and left alone where a script or an emoji needs them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compatgate.rules.characters import hidden_characters, shown, without_hidden

HIDDEN = {
    "zero width space": "\u200b",
    "zero width joiner between letters": "a\u200db",
    "zero width non-joiner between letters": "a\u200cb",
    "byte order mark": "\ufeffa",
    "word joiner": "a\u2060b",
    "soft hyphen": "a\u00adb",
    "right-to-left override": "\u202e",
    "isolate": "\u2067a\u2069",
    "left-to-right mark": "\u200e",
    "tag letters": "\U000e0041",
    "language tag": "\U000e0001",
    "tags behind no flag": "a\U000e0067\U000e0062\U000e007f",
    "escape": "\u001b[31m",
    "bell": "\u0007",
    "C1 control": "\u009b31m",
    "delete": "\u007f",
    "Hangul filler": "\u3164",
    "combining grapheme joiner": "a\u034fb",
    "variation selector behind a letter": "a\ufe0f",
    "two variation selectors": "\u2764\ufe0f\ufe0f",
    "a run of supplementary selectors": "\U0001f600\U000e0101\U000e0102",
    "blank Braille pattern": "a\u2800b",
    "invisible times": "a\u2062b",
}
VISIBLE = {
    "plain": "Reads a file.\n\tThen more.\r\n",
    "accents": "déjà vu, Ελληνικά, русский, 日本語, 한국어",
    "emoji with a selector": "\u2764\ufe0f \u2139\ufe0f \u26a0\ufe0f",
    "keycap": "1\ufe0f\u20e3",
    "family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "flag of Scotland": "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Hindi": "\u0915\u094d\u200d\u0937",
    "Braille": "\u2801\u2800\u2803",
    "no-break space": "10\u00a0km",
    "Arabic number sign": "\u0600\u0661",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_hidden(text: str) -> None:
    assert hidden_characters(text)


@pytest.mark.parametrize("text", VISIBLE.values(), ids=VISIBLE)
def test_visible(text: str) -> None:
    assert hidden_characters(text) == []


def test_shown_by_code_point_and_name() -> None:
    assert shown("\u200b") == "U+200B ZERO WIDTH SPACE"
    assert shown("\u001b") == "U+001B ESCAPE"
    assert shown("\U000e0041") == "U+E0041 TAG LATIN CAPITAL LETTER A"
    assert shown("\u0001") == "U+0001"


def test_every_format_character_but_the_drawn_ones_is_hidden_between_letters() -> None:
    missed = [
        code
        for code in range(0x110000)
        if unicodedata.category(chr(code)) == "Cf" and not hidden_characters(f"a{chr(code)}b")
    ]
    drawn = {name for code in missed if not (name := unicodedata.name(chr(code))).startswith("EGYPTIAN")}
    assert all("NUMBER" in n or "SIGN" in n or "END OF" in n or "MARK" in n or "FOOTNOTE" in n for n in drawn), drawn
    assert not {0x200B, 0x200D, 0x202E, 0x2066, 0xFEFF, 0xE0041} & set(missed)


@given(st.text())
def test_a_text_without_hidden_characters_has_none(text: str) -> None:
    assert hidden_characters(without_hidden(text)) == [] or text.isascii()
