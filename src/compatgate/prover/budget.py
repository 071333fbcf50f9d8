"""Count the work of a proof: the same question costs the same everywhere, whatever the machine.

A step is roughly one small thing looked at: a goal, a branch, a literal, an automaton state, a character of a
witness. Wall clock comes only on top, as a callable of the application's, and what it ends is labelled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

#: Ordinary drift takes a few hundred steps; a million is some seconds, and beyond it nothing ordinary is left.
DEFAULT_STEPS: Final = 400_000
#: Asking the deadline costs a system call: once in this many steps is often enough to be on time.
_ASK_EVERY: Final = 256


@dataclass(frozen=True, slots=True)
class Budget:
    """Bound one proof: `steps` counted steps, `depth` values inside values, `witness` values in a witness."""

    steps: int = DEFAULT_STEPS
    depth: int = 400
    witness: int = 700_000


class OutOfBudgetError(Exception):
    """Stop a proof whose budget is spent; `timed` says that the deadline did it, not the count."""

    def __init__(self, *, timed: bool) -> None:
        super().__init__("the deadline passed" if timed else "the step budget is spent")
        self.timed = timed


class Meter:
    """Count the steps of one proof against its budget."""

    __slots__ = ("_deadline", "_next", "budget", "steps")

    def __init__(self, budget: Budget, deadline: Callable[[], bool] | None = None) -> None:
        self.budget = budget
        self.steps = 0
        self._deadline = deadline
        self._next = _ASK_EVERY

    def spend(self, steps: int = 1) -> None:
        """Count steps; raises OutOfBudgetError when the budget or the time is gone."""
        self.steps += steps
        if self.steps > self.budget.steps:
            raise OutOfBudgetError(timed=False)
        if self._deadline is not None and self.steps >= self._next:
            self._next = self.steps + _ASK_EVERY
            if self._deadline():
                raise OutOfBudgetError(timed=True)
