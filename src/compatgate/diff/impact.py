"""Classify the edits between two schemas: what each means for the one who sends or receives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from compatgate.diff.attribution import HARMLESS, Finding, Jury, common_place
from compatgate.diff.bundle import at
from compatgate.diff.catalogue import RULES
from compatgate.diff.edits import Edit, Effect
from compatgate.diff.names import declared
from compatgate.diff.oracle import Callers, Oracle
from compatgate.diff.reasons import Outcome, State, reason
from compatgate.diff.schemas import Comparison, compare
from compatgate.diff.values import is_closed
from compatgate.diff.wording import Direction, place
from compatgate.errors import neutralise
from compatgate.jsonio import Json
from compatgate.model import NO_WITNESS, Change, Impact, NoWitness, Relation
from compatgate.prover import Budget, Containment
from compatgate.schema.references import Document

_ORDER: Final = {Impact.BREAKING: 0, Impact.UNKNOWN: 1, Impact.RISKY: 2, Impact.COMPATIBLE: 3}
Model: TypeAlias = Literal["declared", "any"]


@dataclass(frozen=True)
class SchemaDiff:
    """Hold the changes between two schemas in one direction, and the relation that they add up to.

    `relation` is the answer under the caller model in force. `same_set` says that both schemas are proved to accept
    the same values. `via_undeclared_names` says that the two caller models differ: under `declared` the receiver
    accepts everything, under `any` it does not.
    """

    direction: Direction
    callers: Callers
    relation: Containment
    changes: tuple[Change, ...]
    same_set: bool
    via_undeclared_names: bool = False

    @property
    def impact(self) -> Impact:
        """Return the gravest impact of all changes; COMPATIBLE where there is none."""
        return gravest(self.changes)


def gravest(changes: tuple[Change, ...]) -> Impact:
    """Return the gravest impact of some changes; COMPATIBLE where there is none."""
    return min((change.impact for change in changes), key=_ORDER.__getitem__, default=Impact.COMPATIBLE)


def in_order(changes: list[Change]) -> tuple[Change, ...]:
    """Put changes in the order of reports: gravest first, then by place."""
    return tuple(sorted(changes, key=lambda c: (_ORDER[c.impact], c.side, c.path, c.keyword or "", c.rule, c.reason)))


def classify_schemas(
    old: Document,
    new: Document,
    *,
    direction: Direction,
    callers: Callers = "declared",
    budget: Budget | None = None,
    deadline: Callable[[], bool] | None = None,
    tool: str | None = None,
    assert_formats: bool = False,
) -> SchemaDiff:
    """Classify what differs between two schemas of one tool, edit by edit.

    For inputs every value that OLD accepts has to stay accepted by NEW, for outputs every value that NEW accepts has
    to be accepted by OLD. Some change is BREAKING exactly when the relation under `callers` is PROVEN_NOT_SUBSET or
    an object was closed; where nothing is proved some change is UNKNOWN. Equal schemas ask the prover nothing.
    """
    comparison = compare(old, new, assert_formats=assert_formats)
    if all(edit.effect is Effect.NOTHING for edit in comparison.edits):
        why = "only annotations or spelling differ" if comparison.edits else "the schemas are the same"
        proved = Containment(relation=Relation.PROVEN_SUBSET, reason=why)
        states = {edit.bit: State(Outcome.SAME) for edit in comparison.edits}
        return _Case(comparison, direction, callers, tool, states).result(proved, same_set=True)
    oracle = Oracle(
        budget=budget,
        deadline=deadline,
        root_is_input=direction == "input",
        assert_formats=assert_formats,
        size=comparison.size,
    )
    case = _Case(comparison, direction, callers, tool, {})
    return case.decide(old, new, oracle)


@dataclass
class _Case:
    """Carry one classification from the relation to the changes; `states` is what is known of each edit, by bit."""

    comparison: Comparison
    direction: Direction
    callers: Callers
    tool: str | None
    states: dict[int, State]
    extra: list[Change] = field(default_factory=list)

    def decide(self, old: Document, new: Document, oracle: Oracle) -> SchemaDiff:
        left, right = (old, new) if self.direction == "input" else (new, old)
        relation = oracle.relation(left, right, self.callers)
        jury = Jury(self.comparison, oracle, self.direction, self.callers)
        under_any = relation
        same_set = False
        if relation.relation is Relation.PROVEN_NOT_SUBSET:
            self._condemn(jury, relation.witness)
            other: Model = "declared" if self.callers == "any" else "any"
            via = self._compare_models(oracle, other, left, right, relation)
        elif relation.relation is Relation.PROVEN_SUBSET:
            if self.callers == "declared":
                under_any = oracle.relation(left, right, "any")
            via = under_any.relation is Relation.PROVEN_NOT_SUBSET
            if via:
                self._note_undeclared(oracle, under_any.witness)
            elif under_any.relation is Relation.PROVEN_SUBSET:
                back = oracle.relation(right, left, "any")
                same_set = back.relation is Relation.PROVEN_SUBSET
        else:
            relation = self._doubt(jury, relation)
            via = False
        if self.direction == "input" and under_any.relation is not Relation.PROVEN_SUBSET:
            self._closings(oracle, jury)
        return self.result(relation, same_set=same_set, via=via)

    # -- who is to blame -------------------------------------------------------------------------------

    def _condemn(self, jury: Jury, witness: Json | NoWitness) -> None:
        """Blame single edits, or several together where none alone has a witness."""
        candidates = jury.candidates()
        blame = jury.blame(candidates, witness)
        self._record(blame)
        guilty = sum(bit for bit, finding in blame.items() if finding.guilty)
        innocent = sum(edit.bit for edit in candidates) & ~guilty
        if not guilty:
            assert witness is not NO_WITNESS
            mask = innocent or sum(e.bit for e in self.comparison.edits if e.effect is not Effect.NOTHING)
            self._jointly(jury.parts(mask, witness), witness)
        elif innocent:
            found = jury.rest(guilty)
            if found.witness is not NO_WITNESS:
                self._jointly(jury.parts(innocent, found.witness), found.witness)

    def _record(self, blame: dict[int, Finding]) -> None:
        self.states.update({bit: _state(finding) for bit, finding in blame.items()})

    def _jointly(self, mask: int, witness: Json) -> None:
        edits = self._of(mask)
        for edit in edits:
            if self._outcome(edit) is not Outcome.BREAKING:
                self.states[edit.bit] = State(Outcome.JOINT)
        parts = tuple(sorted({edit.spot for edit in edits}))
        what = f"{len(edits)} edits together and by none of them alone"
        if self.direction == "input":
            what = f"calls are rejected by {what}"
        else:
            what = f"results that the old schema forbids are made possible by {what}"
        self.extra.append(
            Change(
                self.tool, self.direction, common_place(edits), None, Impact.BREAKING, "jointly-narrowed", what,
                witness, parts=parts,
            )
        )  # fmt: skip

    def _doubt(self, jury: Jury, relation: Containment) -> Containment:
        """Prove what can be proved of single edits where nothing is known of the whole; fail closed."""
        candidates = jury.candidates()
        blame = jury.blame(candidates, NO_WITNESS)
        self._record(blame)
        for finding in blame.values():
            if finding.witness is not NO_WITNESS:
                relation = Containment(
                    relation=Relation.PROVEN_NOT_SUBSET,
                    witness=finding.witness,
                    reason="a witness for a single edit was found where the whole was too much",
                )
                break
        undecided = False
        for edit in candidates:
            state = self.states.get(edit.bit)
            if state is None or state.outcome not in (Outcome.BREAKING, Outcome.JOINT):
                finding = jury.alone(edit) if len(candidates) <= MAX_DOUBTED else Finding(unknown=relation.reason)
                self.states[edit.bit] = _state(finding)
                undecided = undecided or bool(finding.unknown)
        if relation.relation is Relation.UNKNOWN and not undecided:
            why = f"INCONCLUSIVE at {place(relation.path)}: {neutralise(relation.reason)}"
            path = common_place(candidates or list(self.comparison.edits))
            self.extra.append(Change(self.tool, self.direction, path, None, Impact.UNKNOWN, "inconclusive", why))
        return relation

    # -- the two caller models -------------------------------------------------------------------------

    def _compare_models(
        self, oracle: Oracle, other: Model, left: Document, right: Document, relation: Containment
    ) -> bool:
        """Mark what only one caller model calls breaking; return whether the whole relation differs."""
        jury = Jury(self.comparison, oracle, self.direction, other)
        if other == "any":  # what breaks under `declared` breaks under `any`; the rest may
            innocent = [e for e in jury.candidates() if self._outcome(e) is Outcome.HARMLESS]
            self._mark(jury.blame(innocent, NO_WITNESS))
            return False
        under_declared = oracle.relation(left, right, "declared")
        if under_declared.relation is Relation.UNKNOWN:
            return False
        holds = under_declared.relation is Relation.PROVEN_SUBSET
        guilty = [e for e in self.comparison.edits if self._outcome(e) is Outcome.BREAKING]
        if holds:
            self.extra = [_via(change) for change in self.extra]
        blame = {} if holds else jury.blame(guilty, under_declared.witness)
        for edit in guilty:
            if holds or blame.get(edit.bit) is HARMLESS:
                self.states[edit.bit] = self.states[edit.bit].through_undeclared()
        return holds

    def _note_undeclared(self, oracle: Oracle, witness: Json | NoWitness) -> None:
        """Mark the edits that would break if undeclared names were sent, where nothing else breaks."""
        jury = Jury(self.comparison, oracle, self.direction, "any")
        candidates = jury.candidates()
        self.states.update({edit.bit: State(Outcome.HARMLESS) for edit in candidates})
        if not self._mark(jury.blame(candidates, witness)) and witness is not NO_WITNESS:
            for edit in self._of(jury.parts(sum(e.bit for e in candidates), witness)):
                self.states[edit.bit] = State(Outcome.UNDECLARED, via=True)

    def _mark(self, blame: dict[int, Finding]) -> bool:
        guilty = [bit for bit, finding in blame.items() if finding.guilty]
        self.states.update({bit: State(Outcome.UNDECLARED, via=True) for bit in guilty})
        return bool(guilty)

    def _closings(self, oracle: Oracle, jury: Jury) -> None:
        """Find, for each object that was closed, a call with an undeclared name that is rejected now."""
        anyone = Jury(self.comparison, oracle, self.direction, "any")
        for edit in self.comparison.edits:
            if edit.rule == "object-closed":
                before = self.states.get(edit.bit, State(Outcome.HARMLESS))
                finding = anyone.closing(edit)
                if finding.guilty:
                    via = before.outcome is not Outcome.BREAKING or before.via
                    self.states[edit.bit] = State(Outcome.BREAKING, finding.witness, via=via)
                elif finding.unknown and before.outcome is not Outcome.BREAKING:
                    self.states[edit.bit] = _state(finding)

    # -- changes ---------------------------------------------------------------------------------------

    def result(self, relation: Containment, *, same_set: bool, via: bool = False) -> SchemaDiff:
        required = {(e.path, e.name) for e in self.comparison.edits if e.rule == "required-added"}
        holds = relation.relation is Relation.PROVEN_SUBSET
        changes = [self._change(edit, required, same_set=same_set, holds=holds) for edit in self.comparison.edits]
        return SchemaDiff(self.direction, self.callers, relation, in_order(changes + self.extra), same_set, via)

    def _change(self, edit: Edit, required: set[tuple[str, str | None]], *, same_set: bool, holds: bool) -> Change:
        state = self.states.get(edit.bit, State(Outcome.HARMLESS))
        rule, impact = edit.rule, Impact.COMPATIBLE
        if state.outcome is Outcome.BREAKING:
            impact = Impact.BREAKING
        elif state.outcome is Outcome.UNKNOWN:
            impact = Impact.UNKNOWN
        elif RULES[rule].kind == "annotation":
            impact = RULES[rule].input if self.direction == "input" else RULES[rule].output
        elif state.outcome is not Outcome.JOINT and self._is_dropped(edit):
            rule, impact = ("property-renamed" if edit.twin else "property-dropped"), Impact.RISKY
        elif same_set:
            state = State(Outcome.SAME)
        parent = edit.path.removesuffix(f"/{edit.path.rsplit('/', 1)[-1]}").removesuffix("/properties")
        text = reason(edit, rule, state, self.direction, required=(parent, edit.name) in required, holds=holds)
        return Change(
            self.tool, self.direction, edit.path, edit.keyword, impact, rule, text,
            state.witness if impact is Impact.BREAKING else NO_WITNESS,
            via_undeclared_names=state.via, before=edit.before, after=edit.after,
        )  # fmt: skip

    def _is_dropped(self, edit: Edit) -> bool:
        """Say whether a parameter is gone that callers could send, that nothing declares and nothing rejects now."""
        if self.direction != "input" or edit.rule != "property-removed" or is_closed(edit.before):
            return False
        root = self.comparison.new.root
        owner = edit.path[: edit.path.rindex("/properties/")]
        schema = at(root, owner)
        if isinstance(schema, dict) and any(
            keyword in schema and is_closed(schema[keyword])
            for keyword in ("additionalProperties", "unevaluatedProperties")
        ):
            return False
        return edit.name not in declared(root, owner)

    def _outcome(self, edit: Edit) -> Outcome:
        return self.states.get(edit.bit, State(Outcome.HARMLESS)).outcome

    def _of(self, mask: int) -> list[Edit]:
        return [edit for edit in self.comparison.edits if edit.bit & mask]


#: Edits proved harmless one by one at most where the whole is undecided.
MAX_DOUBTED: Final = 64


def _state(finding: Finding) -> State:
    if finding.witness is not NO_WITNESS:
        return State(Outcome.BREAKING, finding.witness)
    if finding.unknown:
        return State(Outcome.UNKNOWN, why=finding.unknown, path=finding.path)
    return State(Outcome.HARMLESS)


def _via(change: Change) -> Change:
    return replace(change, via_undeclared_names=True)
