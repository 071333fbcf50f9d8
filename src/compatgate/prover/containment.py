"""Say whether every value that one schema accepts is accepted by another, with a witness where it is not.

This is the prover's public face: it reads the documents, asks the one question, shrinks what it finds, and has both
validators check it before anyone sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal, TypeAlias

from compatgate.canonical import value_key
from compatgate.jsonio import Json
from compatgate.model import NO_WITNESS, NoWitness, Relation
from compatgate.prover.budget import Budget
from compatgate.prover.inhabit import Prover
from compatgate.prover.outcomes import Empty, Found, Unknown
from compatgate.prover.plain import plain_values, rounder
from compatgate.prover.same import same_schema
from compatgate.prover.samples import samples
from compatgate.prover.senders import read_sender
from compatgate.prover.shrink import parts, shrink
from compatgate.prover.trace import Step, Trace
from compatgate.prover.validators import ValidatorPair, compile_pair
from compatgate.schema.assertions import finite_schema
from compatgate.schema.nodes import Arena, Schema
from compatgate.schema.parse import Parser
from compatgate.schema.references import Document

Callers: TypeAlias = Literal["any", "declared"]
Deadline: TypeAlias = Callable[[], bool]

#: How many witnesses are tried before the validators' dispute about them makes the answer UNKNOWN.
MAX_WITNESSES: Final = 6
#: A proof of no more steps than this cancelled equal parts and rests on nothing that could be attacked.
_OBVIOUS: Final = 3
#: A witness with more parts is not asked why it is rejected: listing what is wrong with it can take minutes.
_EXPLAINED_PARTS: Final = 20_000
#: Parts of values that the search for a counterexample looks at in all: a tenth of a second, whatever their size.
_ATTACK_PARTS: Final = 100_000
_UNCONFIRMED: Final = "a value was found that could not be checked against an opaque part"


@dataclass(frozen=True, slots=True)
class Containment:
    """Hold a relation and what proves it.

    `path` is a JSON Pointer: into the right schema's document to the place that rejects the witness, or to the place
    that could not be decided. `steps` is the effort in counted steps.
    """

    relation: Relation
    witness: Json | NoWitness = NO_WITNESS
    reason: str = ""
    path: str = ""
    keyword: str | None = None
    steps: int = 0
    notes: tuple[str, ...] = ()
    proof: Step | None = None  # the proof as a tree, when asked for


_EQUAL: Final = Containment(Relation.PROVEN_SUBSET, reason="equal text")


def contains(
    left: Json | Document,
    right: Json | Document,
    *,
    callers: Callers = "any",
    budget: Budget | None = None,
    deadline: Deadline | None = None,
    root_is_input: bool = True,
    assert_formats: bool = False,
    explain: bool = False,
) -> Containment:
    """Decide whether every value in `left` (the sender's schema) is in `right` (the receiver's).

    A schema is plain JSON, or a `Document` that names a place in a larger one. With `callers="declared"` the sender
    sends only names that its schema declares. Never raises for what a schema holds: what cannot be decided is UNKNOWN
    with the reason.
    """
    if same_schema(left, right):
        return _EQUAL
    inside, outside = [_document(left)], [_document(right)]
    question = _Question(inside, outside, callers, budget, deadline, root_is_input, assert_formats, explain)
    return question.answer()


def separate(
    accepting: Sequence[Json | Document],
    rejecting: Sequence[Json | Document],
    *,
    callers: Callers = "any",
    budget: Budget | None = None,
    deadline: Deadline | None = None,
    root_is_input: bool = True,
    assert_formats: bool = False,
    explain: bool = False,
) -> Containment:
    """Find a value in every `accepting` schema and in no `rejecting` one; PROVEN_SUBSET says that there is none.

    The first accepting schema is the sender's: the caller model applies to it.
    """
    for one in accepting:
        for other in rejecting:
            if same_schema(one, other):
                return _EQUAL
    inside, outside = [_document(s) for s in accepting], [_document(s) for s in rejecting]
    question = _Question(inside, outside, callers, budget, deadline, root_is_input, assert_formats, explain)
    return question.answer()


def satisfies(schema: Json | Document, value: Json, *, assert_formats: bool = False) -> bool | None:
    """Tell whether a value is in a schema by the prover's own exact reading; None where that is unknown."""
    arena = Arena()
    parsed = Parser(arena, _document(schema), assert_formats=assert_formats).parse()
    return Prover(arena).evaluator.member(parsed, value)


def _document(schema: Json | Document) -> Document:
    return schema if isinstance(schema, Document) else Document(schema)


class _Question:
    """Hold one question while it is being answered."""

    def __init__(
        self,
        accepting: list[Document],
        rejecting: list[Document],
        callers: Callers,
        budget: Budget | None,
        deadline: Deadline | None,
        root_is_input: bool,
        assert_formats: bool,
        explain: bool,
    ) -> None:
        self.arena = Arena()
        self.trace = Trace() if explain else None
        self.prover = Prover(self.arena, budget, deadline, self.trace)
        self.accepting = accepting
        self.rejecting = rejecting
        self.notes: dict[str, None] = {}
        self.pos: list[Schema] = []
        for index, document in enumerate(accepting):
            if index == 0 and callers == "declared":
                schema, notes = read_sender(self.prover, document, root_is_input, assert_formats)
                self.notes |= dict.fromkeys(notes)
            else:
                schema = self._read(document, assert_formats)
            self.pos.append(schema)
        self.neg = [self._read(document, assert_formats) for document in rejecting]
        self._pairs: list[tuple[ValidatorPair, bool]] = []

    def _read(self, document: Document, assert_formats: bool) -> Schema:
        parser = Parser(self.arena, document, assert_formats=assert_formats)
        schema = parser.parse()
        self.notes |= parser.notes
        return schema

    def answer(self) -> Containment:
        """Ask, shrink, verify; look for another witness where the validators dispute one."""
        outcome = self.prover.inhabit(self.pos, self.neg)
        self.prover.trace = None  # what follows is no part of the proof
        if isinstance(outcome, Empty):
            return self._attacked() or self._said(Relation.PROVEN_SUBSET, reason="no value tells them apart")
        if isinstance(outcome, Unknown):
            return self._said(Relation.UNKNOWN, reason=outcome.reason, path=outcome.path)
        if parts(outcome.value) > self.prover.budget.witness:
            return self._said(Relation.UNKNOWN, reason="the smallest witness found is too large to be checked")
        first: str | None = None
        for witness in self._witnesses(outcome.value):
            dispute = self._dispute(witness)
            if dispute is None:
                return self._witnessed(witness)
            first = first or dispute
        return self._said(Relation.UNKNOWN, reason=f"validators-disagree: {first}" if first else _UNCONFIRMED)

    def _witnesses(self, value: Json) -> Iterator[Json]:
        """Yield witnesses: the smallest, then plainer ones, then others still, for as long as they are disputed."""
        seen: dict[Hashable, Json] = {}
        small = shrink(value, self._separates)
        candidates: Iterable[Json] = [small, *rounder(small)]
        for attempt in range(MAX_WITNESSES):
            for candidate in candidates:
                key = value_key(candidate)
                if key not in seen and self._separates(candidate):
                    seen[key] = candidate
                    yield candidate
            plain = [plain_values(self.arena)] if attempt == 0 else []
            others = self.arena.without(finite_schema(self.arena, list(seen.values())))
            outcome = self.prover.inhabit([*self.pos, *plain, others], self.neg)
            candidates = [outcome.value] if isinstance(outcome, Found) else []
            if not candidates and not plain:
                return

    def _attacked(self) -> Containment | None:
        """Search for a counterexample to a proof just made; one that both validators confirm outweighs it."""
        if self.prover.meter.steps <= _OBVIOUS:
            return None
        base = self.prover.inhabit(self.pos)
        if not isinstance(base, Found):
            return None
        roots = [document.root for document in (*self.accepting, *self.rejecting) if not document.pointer]
        affordable = _ATTACK_PARTS // parts(base.value)
        for value in islice(samples(base.value, roots), affordable):
            if self._separates(value) and self._dispute(value) is None:
                self.notes["the proof was refuted by a sample: please report this as a bug"] = None
                return self._witnessed(value)
        return None

    def _separates(self, value: Json) -> bool:
        member = self.prover.evaluator.member
        return all(member(s, value) is True for s in self.pos) and all(member(s, value) is False for s in self.neg)

    def _dispute(self, witness: Json) -> str | None:
        """Say why the two validators do not both confirm a witness; None where they do."""
        if not self._pairs:
            self._pairs = [(compile_pair(document), True) for document in self.accepting]
            self._pairs += [(compile_pair(document), False) for document in self.rejecting]
        for pair, inside in self._pairs:
            verdict = pair.examine(witness)
            if verdict.outcome != ("valid" if inside else "invalid"):
                side = "left" if inside else "right"
                return f"the {side} schema: {verdict.reason or verdict.outcome}"
        return None

    def _witnessed(self, witness: Json) -> Containment:
        path, keyword, reason = "", None, "a value tells them apart"
        for pair, inside in self._pairs:
            if not inside and parts(witness) <= _EXPLAINED_PARTS:
                errors = pair.errors(witness)
                if errors:
                    path, keyword = errors[0].schema_path, errors[0].keyword or None
                    reason = errors[0].message
        return self._said(Relation.PROVEN_NOT_SUBSET, reason=reason, path=path, keyword=keyword, witness=witness)

    def _said(
        self,
        relation: Relation,
        *,
        reason: str,
        path: str = "",
        keyword: str | None = None,
        witness: Json | NoWitness = NO_WITNESS,
    ) -> Containment:
        proof = self.trace.finished() if self.trace is not None else None
        return Containment(relation, witness, reason, path, keyword, self.prover.meter.steps, tuple(self.notes), proof)
