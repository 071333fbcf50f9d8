"""Read a sender's schema under the caller model `declared`: only declared names are sent.

Closing is the parser's work. What it cannot see is whether closing leaves a position without any value; there, the
position is left open, and said.
"""

from __future__ import annotations

from typing import Final

from compatgate.prover.inhabit import Prover
from compatgate.prover.outcomes import Empty
from compatgate.schema.nodes import Schema
from compatgate.schema.parse import Parser
from compatgate.schema.references import Document

#: Leaving one position open can show another that has to be; real schemas need no round at all.
MAX_ROUNDS: Final = 8


def read_sender(
    prover: Prover, document: Document, root_is_input: bool, assert_formats: bool
) -> tuple[Schema, list[str]]:
    """Parse the schema as its sender uses it; returns it with notes on positions that were left open."""
    left_open: frozenset[str] = frozenset()
    for _ in range(MAX_ROUNDS):
        parser = Parser(
            prover.arena,
            document,
            assert_formats=assert_formats,
            declared=True,
            left_open=left_open,
            root_is_input=root_is_input,
        )
        schema = parser.parse()
        emptied = [
            closed.pointer
            for closed in parser.closed
            if isinstance(prover.inhabit([closed.after]), Empty)
            and not isinstance(prover.inhabit([closed.before]), Empty)
        ]
        if not emptied:
            break
        deepest = max(pointer.count("/") for pointer in emptied)
        left_open |= {pointer for pointer in emptied if pointer.count("/") == deepest}
    notes = [f"{pointer or '/'}: left open, since closing it would leave no value" for pointer in sorted(left_open)]
    return schema, [*parser.notes, *notes]
