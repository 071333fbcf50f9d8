"""The relation between two versions of a schema, and what the caller model has to do with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from compatgate.model import Relation
from compatgate.prover import Containment
from compatgate.schema.references import Document

if TYPE_CHECKING:
    from compatgate.rules.context import Asker


@dataclass(frozen=True, slots=True)
class RelationCheck:
    """Hold the answer for one schema in its direction.

    `same_set` says that both accept the same values, which is proved both ways under `any`. `undeclared` is the
    refutation under `any` where the relation holds under `declared`. `only_undeclared` says the same of a relation
    that was refuted under `any`.
    """

    answer: Containment
    same_set: bool = False
    undeclared: Containment | None = None
    only_undeclared: bool = False

    @property
    def relation(self) -> Relation:
        """Return the relation under the caller model in force."""
        return self.answer.relation


def check_relation(asker: Asker, old: Document, new: Document, side: Literal["input", "output"]) -> RelationCheck:
    """Ask for the relation in the direction of the side: OLD in NEW for inputs, NEW in OLD for outputs."""
    left, right = (old, new) if side == "input" else (new, old)
    answer = asker.relation(left, right, asker.callers, side=side)
    if answer.relation is Relation.PROVEN_NOT_SUBSET and asker.callers == "any":
        return RelationCheck(answer, only_undeclared=asker.holds(left, right, "declared", side=side))
    if answer.relation is not Relation.PROVEN_SUBSET:
        return RelationCheck(answer)
    under_any = answer if asker.callers == "any" else asker.relation(left, right, "any", side=side)
    if under_any.relation is Relation.PROVEN_NOT_SUBSET:
        return RelationCheck(answer, undeclared=under_any)
    if under_any.relation is not Relation.PROVEN_SUBSET:
        return RelationCheck(answer)
    return RelationCheck(answer, same_set=asker.holds(right, left, "any", side=side))
