"""What the findings about relations say, for both directions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from compatgate.errors import neutralise
from compatgate.model import Relation
from compatgate.rules.context import MEMBER, Side, ToolPair
from compatgate.rules.rule import Finding

_HOLDS: Final[dict[Side, str]] = {
    "input": "Every baseline-valid input remains valid under the current declared schema.",
    "output": "Every result the current declared schema admits is valid under the baseline schema.",
}
_FAILS: Final[dict[Side, str]] = {
    "input": "A baseline-valid input is rejected by the current declared schema",
    "output": "A result the current declared schema admits is not valid under the baseline schema",
}
_SAME_SET: Final = "The schemas are spelt differently: same accepted set."


def relaxed(pair: ToolPair, side: Side, holds: Relation) -> Iterator[Finding]:
    """Say that the relation of one side holds."""
    check = pair.relations.get(side)
    if check is not None and check.relation is holds:
        yield Finding(pair.name, pair.path(MEMBER[side]), _SAME_SET if check.same_set else _HOLDS[side])


def narrowed(pair: ToolPair, side: Side) -> Iterator[Finding]:
    """Say that the relation of one side is refuted, where, and by which value."""
    check = pair.relations.get(side)
    if check is None or check.relation is not Relation.PROVEN_NOT_SUBSET:
        return
    place = f" at {neutralise(check.answer.path, 160)}" if check.answer.path else ""
    only = ", only through undeclared names" if check.only_undeclared else ""
    yield Finding(pair.name, pair.path(MEMBER[side]), f"{_FAILS[side]}{place}{only}.", witness=check.answer.witness)


def undecided(pair: ToolPair, side: Side) -> Iterator[Finding]:
    """Say that the relation of one side is not known, why and where."""
    check = pair.relations.get(side)
    if check is not None and check.relation is Relation.UNKNOWN:
        place = f" at {neutralise(check.answer.path, 160)}" if check.answer.path else ""
        text = f"The relation could not be decided{place}: {neutralise(check.answer.reason, 300)}."
        yield Finding(pair.name, pair.path(MEMBER[side]), text)
