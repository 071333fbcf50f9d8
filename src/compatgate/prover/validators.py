"""Build the two independent validators in one place, and ask both.

They are jsonschema-rs (exact numbers) and corvus-json-schema-rs (numbers as doubles). Formats and content
keywords are annotations, nothing is ever fetched, and nothing they raise goes through: where one of them cannot
answer, or they differ, the outcome is "disputed" and says why. Neither alone is an oracle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar

from compatgate.jsonio import Json
from compatgate.prover.engines import MAX_ERRORS, Exact, Prepared, Rounding, Violation, check_value
from compatgate.prover.places import Refused
from compatgate.schema.references import Document

T = TypeVar("T")

Answer: TypeAlias = Literal["valid", "invalid", "undecided"]
Outcome: TypeAlias = Literal["valid", "invalid", "disputed"]

__all__ = ["MAX_ERRORS", "Answer", "Outcome", "ValidatorPair", "Verdict", "Violation", "compile_pair"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Hold what both validators say of one value; `reason` says why a verdict is disputed, else it is empty."""

    outcome: Outcome
    jsonschema_rs: Answer
    corvus: Answer
    reason: str = ""


def compile_pair(document: Document) -> ValidatorPair:
    """Return both validators of a schema, each compiled when first asked; never raises."""
    return ValidatorPair(document)


class ValidatorPair:
    """Ask two independent validators whether a value is valid; safe to share between threads."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def verdict(self, value: Json) -> Outcome:
        """Return "valid" or "invalid" where both validators say so, else "disputed"; never raises."""
        return self.examine(value).outcome

    def examine(self, value: Json) -> Verdict:
        """Return the answers of both validators and, where they dispute, the reason; never raises."""
        try:
            self._check(value)
        except Refused as refused:
            return Verdict("disputed", "undecided", "undecided", refused.reason)
        first, why_first = _answer("jsonschema-rs", lambda: _ready(self._exact).is_valid(value))
        second, why_second = _answer("corvus", lambda: _ready(self._rounding).is_valid(value))
        if first == second and first != "undecided":
            return Verdict(first, first, second)
        reason = "; ".join(filter(None, (why_first, why_second)))
        return Verdict("disputed", first, second, reason or f"jsonschema-rs: {first}, corvus: {second}")

    def errors(self, value: Json) -> list[Violation]:
        """Return what is wrong with a value in the words of jsonschema-rs, at most `MAX_ERRORS`; never raises.

        Empty where it finds nothing wrong; where it cannot answer, one record without keyword says why.
        """
        try:
            self._check(value)
            return _ready(self._exact).errors(value)
        except Refused as refused:
            return [Violation("", "", "", refused.reason)]

    def _check(self, value: Json) -> None:
        _ready(self._prepared).check_cost(*check_value(value))

    @cached_property
    def _prepared(self) -> Prepared | Refused:
        return _kept(lambda: Prepared(self._document))

    @cached_property
    def _exact(self) -> Exact | Refused:
        return _kept(lambda: Exact(_ready(self._prepared)))

    @cached_property
    def _rounding(self) -> Rounding | Refused:
        return _kept(lambda: Rounding(_ready(self._prepared)))


def _kept(build: Callable[[], T]) -> T | Refused:
    try:
        return build()
    except Refused as refused:
        return refused


def _ready(built: T | Refused) -> T:
    if isinstance(built, Refused):
        raise Refused(built.reason)  # a fresh one: a kept exception would collect tracebacks
    return built


def _answer(name: str, ask: Callable[[], bool]) -> tuple[Answer, str]:
    try:
        return ("valid" if ask() else "invalid"), ""
    except Refused as refused:
        return "undecided", f"{name}: {refused.reason}"
