"""Reasons in plain English: what was edited, and what that means for the one who calls or reads."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Final, Literal, TypeAlias

from compatgate.diff.bundle import tokens_of
from compatgate.diff.edits import Edit
from compatgate.errors import neutralise
from compatgate.jsonio import Json, dumps
from compatgate.model import ABSENT, Absent

Direction: TypeAlias = Literal["input", "output"]
#: Values listed in one reason at most.
MAX_LISTED: Final = 5

UNDECLARED_NOTE: Final = "only if undeclared names were sent"
SAME_SET: Final = "same set, spelt differently"
REJECTS_NOTHING: Final = "rejects nothing new"
SENDS_NOTHING: Final = "sends nothing new"


def show(value: Json | Absent, limit: int = 60) -> str:
    """Show a value in a few characters, safe to print."""
    if value is ABSENT:
        return "nothing"
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return quote(value, limit)
    if isinstance(value, (int, float, Decimal)):
        return neutralise(dumps(value), limit)
    return ("[…]" if value else "[]") if isinstance(value, list) else ("{…}" if value else "{}")


def quote(text: str, limit: int = 60) -> str:
    """Quote a text of unknown origin, shortened and safe to print."""
    return f'"{neutralise(text, limit)}"'


def listed(value: Json | Absent) -> str:
    """List the values of a list, the first few of them."""
    if not isinstance(value, list):
        return show(value)
    shown = ", ".join(show(item) for item in value[:MAX_LISTED])
    return f"{shown} and {len(value) - MAX_LISTED} more" if len(value) > MAX_LISTED else shown


def place(pointer: str) -> str:
    """Name a place."""
    return neutralise(pointer, 120) or "the root"


def fact(edit: Edit, *, required: bool = False) -> str:
    """Say what was edited; `required` says that a property which came is required too."""
    return _FACTS[edit.rule](edit, required)


def broken(edit: Edit, direction: Direction) -> str:
    """Say what a breaking edit does."""
    if direction == "input":
        text = _INPUT.get(edit.rule)
        return text(edit) if text else "calls that were valid are rejected"
    text = _OUTPUT.get(edit.rule)
    return text(edit) if text else "results may not have the old shape"


def noun(edit: Edit, direction: Direction) -> str:
    """Call a property a parameter where it is one: at the root of an input schema."""
    if direction == "input" and len(tokens_of(edit.path)) == 2:
        return "parameter"
    return "property" if direction == "input" else "field"


def renamed(edit: Edit, *, came: bool) -> str:
    """Mention a likely rename."""
    if edit.twin is None or edit.similarity is None:
        return ""
    role = "likely the new name of" if came else "likely renamed to"
    return f"{role} {quote(edit.twin)} (similarity {edit.similarity:.2f})"


_Fact: TypeAlias = Callable[[Edit, bool], str]


def _from_to(what: str) -> _Fact:
    return lambda e, _: f"{what} changed from {listed(e.before)} to {listed(e.after)}"


def _bound(word: str) -> _Fact:
    def text(e: Edit, _: bool) -> str:
        if e.before is ABSENT:
            return f"{e.keyword} {show(e.after)} was added"
        if e.after is ABSENT:
            return f"{e.keyword} {show(e.before)} was dropped"
        return f"{e.keyword} {word} from {show(e.before)} to {show(e.after)}"

    return text


def _plain(text: str) -> _Fact:
    return lambda e, _: text.format(
        keyword=e.keyword or "schema", name=quote(e.name or ""), before=listed(e.before), after=listed(e.after)
    )


def _noted(what: str) -> _Fact:
    def text(e: Edit, _: bool) -> str:
        verb = "added" if e.before is ABSENT else "removed" if e.after is ABSENT else "changed"
        return f"{what} {verb}"

    return text


def _type(e: Edit, _: bool) -> str:
    if e.before is ABSENT:
        return f"type has to be {listed(e.after)} now"
    if e.after is ABSENT:
        return f"type {listed(e.before)} is no longer demanded"
    return f"type changed from {listed(e.before)} to {listed(e.after)}"


def _default(e: Edit, _: bool) -> str:
    if e.before is ABSENT:
        return f"default {show(e.after)} added"
    if e.after is ABSENT:
        return f"default {show(e.before)} removed"
    return f"default changed from {show(e.before)} to {show(e.after)}"


_FACTS: Final[dict[str, _Fact]] = {
    "property-added": lambda e, r: f"new {'required' if r else 'optional'} {e.keyword} {quote(e.name or '')}",
    "property-removed": _plain("{keyword} {name} is no longer declared"),
    "pattern-property-added": _plain("names matching {name} have a schema now"),
    "pattern-property-removed": _plain("names matching {name} have no schema any more"),
    "required-added": _plain("{name} is required now"),
    "required-removed": _plain("{name} is no longer required"),
    "type-widened": _type,
    "type-narrowed": _type,
    "type-changed": _type,
    "enum-value-removed": _plain("no longer accepts {before}"),
    "enum-value-added": _plain("also accepts {after}"),
    "enum-added": _plain("accepts only {after}"),
    "enum-removed": _plain("no longer limited to {before}"),
    "enum-changed": _from_to("the listed values"),
    "const-added": _plain("accepts only {after}"),
    "const-removed": _plain("no longer limited to {before}"),
    "const-changed": _from_to("the only value"),
    "bound-tightened": _bound("tightened"),
    "bound-loosened": _bound("loosened"),
    "bound-changed": _bound("changed"),
    "pattern-added": _plain("has to match {after} now"),
    "pattern-removed": _plain("no longer has to match {before}"),
    "pattern-changed": _from_to("the pattern"),
    "multiple-of-added": _plain("has to be a multiple of {after} now"),
    "multiple-of-removed": _plain("no longer has to be a multiple of {before}"),
    "multiple-of-changed": _from_to("multipleOf"),
    "unique-items-added": _plain("items may not repeat any more"),
    "unique-items-removed": _plain("items may repeat"),
    "object-closed": _plain("the object was closed"),
    "object-opened": _plain("the object was opened"),
    "map-values-changed": _plain("{keyword} changed"),
    "constraint-added": _plain("{keyword} was added"),
    "constraint-removed": _plain("{keyword} was dropped"),
    "constraint-changed": _plain("{keyword} was exchanged"),
    "alternative-added": _plain("one more alternative in {keyword}"),
    "alternative-removed": _plain("one alternative less in {keyword}"),
    "conjunct-added": _plain("one more schema in {keyword}"),
    "conjunct-removed": _plain("one schema less in {keyword}"),
    "tuple-lengthened": _plain("more places in {keyword}"),
    "tuple-shortened": _plain("fewer places in {keyword}"),
    "dependency-added": _plain("{name} now demands something"),
    "dependency-removed": _plain("{name} no longer demands anything"),
    "dependency-changed": _plain("{name} demands something else"),
    "reference-changed": _from_to("the reference"),
    "reference-inlined": _plain("reference {before} was spelt out"),
    "reference-extracted": _plain("moved behind reference {after}"),
    "definition-added": _plain("definition {name} was added"),
    "definition-removed": _plain("definition {name} was removed"),
    "definition-renamed": _plain("definition {before} is now {after}"),
    "dialect-changed": _from_to("the dialect"),
    "identifier-changed": _from_to("the identifier"),
    "keyword-changed": _plain("{keyword}, which a reference points into, was changed"),
    "schema-replaced": _plain("the schema was replaced"),
    "respelt": _plain("{keyword} is spelt differently"),
    "reordered": _plain("{keyword} was reordered"),
    "description-changed": _noted("description"),
    "title-changed": _noted("title"),
    "default-changed": _default,
    "format-changed": _from_to("format"),
    "content-changed": _plain("{keyword} changed from {before} to {after}"),
    "metadata-changed": _plain("{keyword} changed"),
    "mcp-header-added": _plain("{keyword} {after}: the value is now copied into an HTTP header"),
}

_INPUT: Final[dict[str, Callable[[Edit], str]]] = {
    "required-added": lambda e: f"calls without {quote(e.name or '')} are rejected",
    "property-removed": lambda e: f"calls that send {quote(e.name or '')} are rejected",
    "property-added": lambda e: f"calls that already send {quote(e.name or '')} otherwise are rejected",
    "enum-value-removed": lambda e: "calls that send it are rejected",
    "object-closed": lambda e: "calls with undeclared names are rejected",
    "alternative-removed": lambda e: "calls that only it admits are rejected",
}

_OUTPUT: Final[dict[str, Callable[[Edit], str]]] = {
    "required-removed": lambda e: f"results may come without {quote(e.name or '')}",
    "property-added": lambda e: f"results may carry {quote(e.name or '')}, which the old schema forbids",
    "property-removed": lambda e: f"results may carry {quote(e.name or '')} in another shape",
    "enum-value-added": lambda e: "results may hold values the old schema forbids",
    "object-opened": lambda e: "results may carry undeclared names, which the old schema forbids",
    "alternative-added": lambda e: "results may have a shape the old schema forbids",
    "type-widened": lambda e: "results may have a type the old schema forbids",
}
