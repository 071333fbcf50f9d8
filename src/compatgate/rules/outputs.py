"""Rules about results: what the server may send, and what those who read it were promised."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from compatgate.model import Relation
from compatgate.rules.context import ToolPair
from compatgate.rules.rule import CONTRACT, JSON_SCHEMA, SPEC_TOOLS, Finding, Rule
from compatgate.rules.wording import narrowed, relaxed, undecided


def _narrowed(pair: ToolPair) -> Iterator[Finding]:
    yield from relaxed(pair, "output", Relation.PROVEN_SUBSET)


def _widened(pair: ToolPair) -> Iterator[Finding]:
    yield from narrowed(pair, "output")


def _unknown(pair: ToolPair) -> Iterator[Finding]:
    yield from undecided(pair, "output")


RULES: Final = (
    Rule(
        "output-contract-narrowed", "outputs", "output", "relation", "info", Relation.PROVEN_SUBSET,
        "Every result the server may send now is one it could send before.",
        "NEW is contained in OLD: readers that validate by the old schema notice nothing.",
        (CONTRACT, SPEC_TOOLS, JSON_SCHEMA), "output-contract-widened", reference=True, tool=_narrowed,
    ),
    Rule(
        "output-contract-widened", "outputs", "output", "relation", "breaking", Relation.PROVEN_NOT_SUBSET,
        "The server may send a result that the old schema forbids.",
        "The witness is such a result, checked by two validators. An absent outputSchema accepts everything.",
        (CONTRACT, SPEC_TOOLS, JSON_SCHEMA), "output-contract-narrowed", reference=True, tool=_widened,
    ),
    Rule(
        "output-relation-unknown", "outputs", "output", "relation", "review", Relation.UNKNOWN,
        "Whether results still have the promised shape is not proved.",
        "Never a guess: a keyword that cannot be modelled or a budget that runs out is said, with its place.",
        (CONTRACT,), None, "a question without an answer has no opposite", reference=True, tool=_unknown,
    ),
)  # fmt: skip
