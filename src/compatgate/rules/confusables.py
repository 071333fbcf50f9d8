"""Names that look alike, by Unicode's own table of confusable characters."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Any, Final

from compatgate.rules.characters import without_hidden

#: What a character is mapped to may hold one that is mapped itself (a stroke, say); nothing goes on for longer.
_ROUNDS: Final = 4
_SEPARATORS: Final = re.compile(r"[\s_./:\-]+")


def look(name: str) -> frozenset[str]:
    """Return keys of how a name looks: two names that share one are easily taken for each other.

    A key leaves out hidden characters, case and separators and maps every character to the one it looks like
    (the skeleton of UTS 39).
    """
    plain = _SEPARATORS.sub("", unicodedata.normalize("NFKC", without_hidden(name))) or name
    return frozenset({skeleton(plain).casefold(), skeleton(plain.casefold())})


def skeleton(text: str) -> str:
    """Return the UTS 39 skeleton of a text: equal skeletons look the same."""
    for _ in range(_ROUNDS):
        decomposed = unicodedata.normalize("NFD", text)
        mapped = unicodedata.normalize("NFD", "".join(map(_prototype, decomposed)))
        if mapped == text:
            break
        text = mapped
    return text


@cache
def _table() -> dict[str, list[str]]:
    """Read the table once: every character with all that it is confusable with, both ways."""
    raw: dict[str, Any] = json.loads(files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8"))
    return {character: [other["c"] for other in others] for character, others in raw.items()}


def _prototype(character: str) -> str:
    """Return the character (or characters) that Unicode maps this one to; itself where it is a prototype.

    The table was made symmetric: what is mapped has one entry, its prototype, which has as many as are mapped to it.
    """
    others = _table().get(character)
    if not others or len(others) > 1:
        return character
    other = others[0]
    if len(other) == 1 and len(_table().get(other, ())) == 1:
        return min(character, other)  # a pair of two: either may stand for both
    return other
