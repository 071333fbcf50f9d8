"""The questions that classification asks the prover, with one purse for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Literal, TypeAlias

from compatgate import prover
from compatgate.jsonio import Json
from compatgate.prover import Budget, Containment
from compatgate.schema.references import Document

Callers: TypeAlias = Literal["declared", "any"]

#: One question about a single edit may cost this share of a whole proof's budget: it is a smaller question.
SHARE: Final = 4
#: All questions about single edits together may cost this many times a whole proof's budget.
TOTAL: Final = 3


class Oracle:
    """Ask the prover about one pair of schemas; not shared between threads, made anew for every pair."""

    def __init__(
        self,
        *,
        budget: Budget | None = None,
        deadline: Callable[[], bool] | None = None,
        root_is_input: bool = True,
        assert_formats: bool = False,
    ) -> None:
        self._budget = budget or Budget()
        self._deadline = deadline
        self._root_is_input = root_is_input
        self._assert_formats = assert_formats
        self._purse = self._budget.steps * TOTAL

    def relation(self, left: Document, right: Document, callers: Callers) -> Containment:
        """Return whether every value that the sender `left` sends is accepted by `right`."""
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
        steps = max(1, min(self._budget.steps // SHARE, self._purse))
        answer = prover.separate(
            accepting,
            rejecting,
            callers=callers,
            budget=replace(self._budget, steps=steps),
            deadline=self._deadline,
            root_is_input=self._root_is_input,
            assert_formats=self._assert_formats,
        )
        self._purse -= answer.steps
        return answer

    def accepts(self, schema: Document, value: Json) -> bool | None:
        """Return whether a schema accepts a value; None where that is not known."""
        return prover.satisfies(schema, value, assert_formats=self._assert_formats)
