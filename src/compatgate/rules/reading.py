"""What is new in the texts of a tool or of the whole surface: hidden characters and words to the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from compatgate.rules.characters import hidden_characters, shown
from compatgate.rules.rule import Severity
from compatgate.rules.signs import EVERYDAY, SAID, Sign, Way, signs_of
from compatgate.rules.strings import Text

#: Different characters named in one finding at most.
_LISTED: Final = 8
#: Characters of new text that are searched for words to the model, a tool; real tools stay below a tenth of it.
MAX_READ: Final = 200_000


def hidden_texts(old: Sequence[Text], new: Sequence[Text]) -> Iterator[tuple[str, str]]:
    """Yield (path, reason) for each text with more hidden characters than stood at its place before.

    A text that stood anywhere before, word for word, is not new.
    """
    known = {text.text for text in old}
    before: dict[tuple[str, bool], Counter[str]] | None = None
    for text in new:
        found = hidden_characters(text.text)
        if not found or text.text in known:
            continue
        if before is None:
            before = {(t.path, t.name): Counter(hidden_characters(t.text)) for t in old}
        fresh = Counter(found) - before.get((text.path, text.name), Counter())
        if fresh:
            listed = ", ".join(f"{shown(c)} ({n} times)" if n > 1 else shown(c) for c, n in fresh.most_common(_LISTED))
            more = f" and {len(fresh) - _LISTED} more" if len(fresh) > _LISTED else ""
            what = "name" if text.name else "text"
            yield text.path, f"Hidden characters are new in this {what}: {listed}{more}."


def directed_texts(
    old: Sequence[Text], new: Sequence[Text], other_tools: frozenset[str]
) -> Iterator[tuple[str, Severity, str]]:
    """Yield (path, severity, reason) for each text with words to the model that no text had before.

    Two ways of attack that meet are a security matter: both in one text, or anywhere in the tool where one of them is
    not an everyday one. One of the two has to be a way that the tool did not go before.
    """
    known = {text.text for text in old}
    unread = [text for text in new if text.kind != "opaque" and text.text not in known]
    if sum(len(text.text) for text in unread) > MAX_READ:
        yield unread[0].path, "review", f"More than {MAX_READ} characters of text are new: nobody reads all of it."
        unread = _first(unread)
    found = [(text, signs) for text in unread if (signs := signs_of(text.text, other_tools))]
    if not found:
        return
    read = [text for text in old if text.kind != "opaque"]
    before = {sign for text in _first(read) for sign in signs_of(text.text, other_tools)}
    went = {sign.way for sign in before}
    fresh = [(text, [sign for sign in signs if sign not in before], signs) for text, signs in found]
    kept = [text for text in new if text.kind != "opaque" and text.text in known]
    everywhere = {sign.way for _, signs in found for sign in signs}
    everywhere |= {sign.way for text in _first(kept) for sign in signs_of(text.text, other_tools)}
    for text, new_signs, signs in fresh:
        if new_signs:
            ways = list(dict.fromkeys(sign.way for sign in new_signs))
            severity: Severity = "security" if _meet(ways, signs, everywhere, went) else "review"
            yield text.path, severity, f"New text directs the model: it {' and '.join(SAID[way] for way in ways)}."


def _first(texts: Sequence[Text]) -> list[Text]:
    """Return the texts up to the limit, the last one cut."""
    left, first = MAX_READ, []
    for text in texts:
        if left <= 0:
            break
        first.append(text if len(text.text) <= left else replace(text, text=text.text[:left]))
        left -= len(text.text)
    return first


def _meet(ways: Sequence[Way], signs: Sequence[Sign], everywhere: set[Way], went: set[Way]) -> bool:
    """Say whether two independent ways meet, one of them new to the tool."""
    here = {sign.way for sign in signs}
    fresh = set(ways) - went
    if not fresh:
        return False
    if len(here) > 1:
        return True
    return any(other not in EVERYDAY or way not in EVERYDAY for way in fresh for other in everywhere - {way})
