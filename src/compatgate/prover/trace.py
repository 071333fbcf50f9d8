"""Write a proof down while it is made: a tree of goals, worlds and choices, each with what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from compatgate.prover.outcomes import Empty, Found, Outcome, Unknown

#: A proof of more steps than this is written down only so far: no one reads on.
MAX_STEPS: Final = 5_000


@dataclass(slots=True)
class Step:
    """Hold one step of a proof: what was asked, what came of it, the counted work, and the steps below it."""

    text: str
    outcome: str = ""
    work: int = 0
    below: list[Step] = field(default_factory=list)

    def lines(self, depth: int = 0) -> Iterator[tuple[int, str]]:
        """Yield the tree as (depth, line), parents first; iterative, so that no depth is too much."""
        todo = [(depth, self)]
        while todo:
            level, step = todo.pop()
            work = f" ({step.work} steps)" if step.work else ""
            yield level, f"{step.text}: {step.outcome}{work}" if step.outcome else step.text
            todo.extend((level + 1, child) for child in reversed(step.below))

    def to_json(self) -> dict[str, object]:
        """Return the tree as plain JSON, nested as it is; deep proofs are cut by `MAX_STEPS`."""
        members: dict[str, object] = {"text": self.text}
        if self.outcome:
            members["outcome"] = self.outcome
        if self.work:
            members["steps"] = self.work
        if self.below:
            members["below"] = [step.to_json() for step in self.below]
        return members


class Trace:
    """Follow one proof; the prover tells it what it opens and closes."""

    def __init__(self) -> None:
        self.root = Step("the proof")
        self._open: list[Step] = [self.root]
        self._count = 0
        self._skipped = 0

    def open(self, text: str) -> None:
        """Begin a step below the one that is open."""
        self._count += 1
        step = Step(text)
        if self._count <= MAX_STEPS:
            self._open[-1].below.append(step)
        else:
            self._skipped += 1
        self._open.append(step)

    def close(self, outcome: str, work: int = 0) -> None:
        """End the step that is open."""
        step = self._open.pop()
        step.outcome, step.work = outcome, work

    def note(self, text: str, outcome: str = "") -> None:
        """Add a step that needs none below it."""
        self.open(text)
        self.close(outcome)

    def finished(self) -> Step:
        """Return the tree; what was still open (the budget ended) stays without an outcome."""
        if self._skipped:
            self.root.below.append(Step(f"{self._skipped} further steps are not shown"))
            self._skipped = 0
        return self.root


def said(outcome: Outcome) -> str:
    """Say an outcome in a few words."""
    if isinstance(outcome, Found):
        return "there is a value"
    if isinstance(outcome, Empty):
        return "none"
    assert isinstance(outcome, Unknown)
    return f"unknown, {outcome.reason}"
