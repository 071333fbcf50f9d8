"""Ask the one question without the rest: no witness to be shrunk, no validators, no samples against a proof.

Good for remarks on the side of an answer that `contains` gave; a relation that decides anything is asked of `contains`.
"""

from __future__ import annotations

from compatgate.prover.budget import Budget
from compatgate.prover.containment import Callers, Deadline
from compatgate.prover.inhabit import Prover
from compatgate.prover.outcomes import Empty
from compatgate.prover.senders import read_sender
from compatgate.schema.nodes import Arena
from compatgate.schema.parse import Parser
from compatgate.schema.references import Document


def holds(
    left: Document,
    right: Document,
    *,
    callers: Callers = "any",
    budget: Budget | None = None,
    deadline: Deadline | None = None,
    root_is_input: bool = True,
    assert_formats: bool = False,
) -> tuple[bool, int]:
    """Tell whether every value in `left` is in `right` (False where that is unknown), and the steps that it took."""
    arena = Arena()
    prover = Prover(arena, budget, deadline)
    if callers == "declared":
        sender, _ = read_sender(prover, left, root_is_input, assert_formats)
    else:
        sender = Parser(arena, left, assert_formats=assert_formats).parse()
    receiver = Parser(arena, right, assert_formats=assert_formats).parse()
    return isinstance(prover.inhabit([sender], [receiver]), Empty), prover.meter.steps
