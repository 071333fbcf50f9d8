"""What came out for one edit, and the sentence that says so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from compatgate.diff.catalogue import RULES
from compatgate.diff.edits import Edit, Effect
from compatgate.diff.wording import (
    REJECTS_NOTHING,
    SAME_SET,
    SENDS_NOTHING,
    UNDECLARED_NOTE,
    Direction,
    broken,
    fact,
    noun,
    place,
    quote,
    renamed,
)
from compatgate.errors import neutralise
from compatgate.jsonio import Json
from compatgate.model import NO_WITNESS, NoWitness


class Outcome(Enum):
    """Say what an edit came to."""

    BREAKING = "breaking"
    UNKNOWN = "unknown"
    UNDECLARED = "undeclared"  # breaking only if undeclared names were sent, and they are assumed not to be
    JOINT = "joint"  # harmless alone, breaking together with others
    HARMLESS = "harmless"
    SAME = "same"  # the two schemas accept the same set


@dataclass(frozen=True, slots=True)
class State:
    """Hold the outcome of one edit; `why` and `path` where it is unknown."""

    outcome: Outcome
    witness: Json | NoWitness = NO_WITNESS
    via: bool = False
    why: str = ""
    path: str = ""

    def through_undeclared(self) -> State:
        """Return the same outcome, marked as due to undeclared names only."""
        return replace(self, via=True)


def reason(edit: Edit, rule: str, state: State, direction: Direction, *, required: bool, holds: bool) -> str:
    """Say in one sentence what was edited and what it means.

    `rule` is the rule that fired in the end; `required` says of a property that came that it is required; `holds`
    that the two schemas as a whole are compatible.
    """
    what = _what(edit, direction, required=required)
    twin = renamed(edit, came=edit.rule == "property-added")
    if state.outcome is Outcome.UNKNOWN:
        return f"INCONCLUSIVE at {place(state.path or edit.path)}: {neutralise(state.why)} ({what})"
    if state.outcome is Outcome.BREAKING:
        what = "now required" if rule == "required-added" else what
        through = f" ({UNDECLARED_NOTE})" if state.via and rule != "object-closed" else ""
        return _join(f"{what}: {broken(edit, direction)}{through}", twin)
    if rule in ("property-dropped", "property-renamed"):
        ignored = f"calls that still send {quote(edit.name or '')} pass and the argument is silently ignored"
        return _join(f"{what}: {ignored}", twin, _note(state))
    if RULES[rule].kind == "annotation":
        return what
    return _join(f"{what}: {_harmless(edit, state, direction, required=required, holds=holds)}", twin, _note(state))


def _what(edit: Edit, direction: Direction, *, required: bool) -> str:
    what = fact(edit, required=required)
    if edit.rule in ("property-added", "property-removed"):
        return what.replace("properties", noun(edit, direction), 1)
    return what


def _harmless(edit: Edit, state: State, direction: Direction, *, required: bool, holds: bool) -> str:
    if edit.effect is Effect.NOTHING:
        return SAME_SET
    if state.outcome is Outcome.SAME:
        if direction == "input" and edit.effect is Effect.NARROWS:
            return f"{REJECTS_NOTHING} ({SAME_SET})"
        if direction == "output" and edit.effect is Effect.WIDENS:
            return f"{SENDS_NOTHING} ({SAME_SET})"
        return SAME_SET
    if state.outcome is Outcome.JOINT:
        return "harmless alone, breaking together with other edits"
    if direction == "input":
        if edit.rule == "property-added":
            return "declaring it rejects nothing by itself" if required else "old calls stay valid"
        if edit.effect is Effect.WIDENS:
            return "accepts more"
        return REJECTS_NOTHING if holds or edit.rule != "property-removed" else "breaks nothing by itself"
    if edit.effect is Effect.NARROWS:
        return "narrows what is sent"
    return SENDS_NOTHING if holds else "breaks nothing by itself"


def _note(state: State) -> str:
    return f"breaks {UNDECLARED_NOTE}" if state.outcome is Outcome.UNDECLARED else ""


def _join(*clauses: str) -> str:
    return "; ".join(filter(None, clauses))
