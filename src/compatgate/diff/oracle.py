"""The questions that classification asks the prover, with one purse for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Literal, TypeAlias

from compatgate import prover
from compatgate.jsonio import Json
from compatgate.model import Relation
from compatgate.prover import Budget, Containment
from compatgate.schema.references import Document

Callers: TypeAlias = Literal["declared", "any"]

#: One question about a single edit may cost this share of a whole proof's steps: it is a smaller question.
SHARE: Final = 4
#: All questions about single edits have one purse: so many units for every step of a whole proof. Reading one JSON
#: value of a schema is a unit; a step of a proof is as much work as reading a dozen.
UNITS: Final = 3
STEP: Final = 12


class Oracle:
    """Ask the prover about one pair of schemas; not shared between threads, made anew for every pair.

    `size` is how much there is to read in one of the schemas, in JSON values.
    """

    def __init__(
        self,
        *,
        budget: Budget | None = None,
        deadline: Callable[[], bool] | None = None,
        root_is_input: bool = True,
        assert_formats: bool = False,
        size: int,
    ) -> None:
        self._budget = budget or Budget()
        self._deadline = deadline
        self._root_is_input = root_is_input
        self._assert_formats = assert_formats
        self._purse = self._budget.steps * UNITS
        self._size = size

    @property
    def exhausted(self) -> bool:
        """Say whether nothing more may be asked about single edits."""
        return self._purse <= 0

    def relation(self, left: Document, right: Document, callers: Callers) -> Containment:
        """Return whether every value that the sender `left` sends is accepted by `right`, whatever was asked before."""
        return prover.contains(
            left,
            right,
            callers=callers,
            budget=self._budget,
            deadline=self._deadline,
            root_is_input=self._root_is_input,
            assert_formats=self._assert_formats,
        )

    def separate(self, accepting: Sequence[Document], rejecting: Sequence[Document], callers: Callers) -> Containment:
        """Find a value in every `accepting` and in no `rejecting` schema; the first accepting one is the sender's."""
        if self.exhausted:
            return Containment(Relation.UNKNOWN, reason="too many edits to judge each of them")
        reading = self._size * (len(accepting) + len(rejecting))
        steps = max(1, min(self._budget.steps, self._purse // STEP) // SHARE)
        answer = prover.separate(
            accepting,
            rejecting,
            callers=callers,
            budget=replace(self._budget, steps=steps),
            deadline=self._deadline,
            root_is_input=self._root_is_input,
            assert_formats=self._assert_formats,
        )
        self._purse -= reading + STEP * answer.steps
        if answer.relation is Relation.PROVEN_NOT_SUBSET:
            self._purse -= reading  # both validators read the schemas too
        return answer

    def accepts(self, schema: Document, value: Json) -> bool | None:
        """Return whether a schema accepts a value; None where that is not known, or was asked too often."""
        if self.exhausted:
            return None
        self._purse -= self._size
        return prover.satisfies(schema, value, assert_formats=self._assert_formats)
