"""Which single edits are to blame: for each a witness of its own, or the proof that it is harmless."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from compatgate.diff.bundle import pointer_of, tokens_of
from compatgate.diff.edits import Edit, Effect
from compatgate.diff.keywords import ANNOTATIONS, LOWER, UPPER
from compatgate.diff.names import with_names
from compatgate.diff.oracle import Callers, Oracle
from compatgate.diff.schemas import Comparison
from compatgate.diff.values import Value, is_closed, is_open
from compatgate.diff.wording import Direction
from compatgate.jsonio import Json
from compatgate.model import ABSENT, NO_WITNESS, NoWitness, Relation
from compatgate.schema.references import Document

#: Edits judged one by one at most; more are judged in groups of neighbours, and the guilty groups split.
MAX_SINGLE: Final = 64
#: Edits tried one by one at most, when the fewest are sought that break together.
MAX_PARTS: Final = 256

_PLAIN: Final = LOWER | UPPER | {"pattern", "multipleOf", "uniqueItems"}


#: What the root of a tool's schema holds that says plainly which names there are.
_PLAIN_OBJECT: Final = frozenset("$schema $defs definitions type properties required additionalProperties".split())


@dataclass(frozen=True, slots=True)
class Finding:
    """Say what is known of one edit or group of edits.

    With a witness it is to blame: reverting it in NEW makes the witness pass, or it alone rejects it. Without one
    it is harmless, unless `unknown` says why that is not proved (and `path` where).
    """

    witness: Json | NoWitness = NO_WITNESS
    unknown: str = ""
    path: str = ""

    @property
    def guilty(self) -> bool:
        """Say whether it is to blame."""
        return self.witness is not NO_WITNESS


HARMLESS: Final = Finding()
UNDECIDED: Final = Finding(unknown="too many edits to judge each of them")


class Jury:
    """Judge the edits of one comparison in one direction under one caller model."""

    def __init__(self, comparison: Comparison, oracle: Oracle, direction: Direction, callers: Callers) -> None:
        self._comparison = comparison
        self._oracle = oracle
        self._input = direction == "input"
        self._callers = callers
        self._old, self._new = comparison.old, comparison.new

    def candidates(self) -> list[Edit]:
        """Return the edits that can be to blame: no annotations, and none that can only help."""
        return [e for e in self._comparison.edits if e.effect is not Effect.NOTHING and not self._only_helps(e)]

    def _only_helps(self, edit: Edit) -> bool:
        if not self._comparison.monotone:
            return False
        if edit.rule == ("property-added" if self._input else "property-removed") and self._never_sent(edit):
            return True
        if self._input:
            return edit.effect is Effect.WIDENS
        # Which names the sender declares depends on most keywords; the plain ones declare none.
        return edit.effect is Effect.NARROWS and (self._callers == "any" or edit.keyword in _PLAIN)

    def _never_sent(self, edit: Edit) -> bool:
        """Say whether the sender cannot send a name of the root object that only the receiver declares.

        What the receiver says of such a name then makes no difference, neither here nor in any mixture.
        """
        sender = self._old.root if self._input else self._new.root
        if edit.path != pointer_of("properties", edit.name or "") or not isinstance(sender, dict):
            return False
        if not sender.keys() - ANNOTATIONS <= _PLAIN_OBJECT or sender.get("type") != "object":
            return False
        required = sender.get("required", [])
        if not isinstance(required, list) or edit.name in required:
            return False
        rest: Value = sender.get("additionalProperties", ABSENT)
        return is_closed(rest) or (self._callers == "declared" and is_open(rest))

    def blame(self, candidates: Sequence[Edit], witness: Json | NoWitness) -> dict[int, Finding]:
        """Judge every candidate, by bit; `witness` is one of the whole pair, tried before anything is asked."""
        found: dict[int, Finding] = {}
        ordered = sorted(candidates, key=lambda e: (e.path, e.bit))
        size = -(-len(ordered) // MAX_SINGLE) if ordered else 1
        todo = [ordered[start : start + size] for start in range(0, len(ordered), size)]
        todo.reverse()
        while todo:
            group = todo.pop()
            mask = sum(edit.bit for edit in group)
            finding = self.judge(mask, witness)
            if finding is HARMLESS or len(group) == 1 or self._oracle.exhausted:
                told = finding if len(group) == 1 or not finding.guilty else UNDECIDED
                found.update({edit.bit: told for edit in group})
            else:
                half = len(group) // 2
                todo += [group[half:], group[:half]]
        return found

    def judge(self, mask: int, witness: Json | NoWitness = NO_WITNESS) -> Finding:
        """Judge one edit, or several as if they were one."""
        reverted = self._comparison.question(self._comparison.every & ~mask)
        if witness is not NO_WITNESS and self._freed(reverted, witness):
            return Finding(witness)
        first = self._when_reverted(reverted)
        if first.guilty:
            return first
        applied = self._comparison.question(mask)
        if witness is not NO_WITNESS and self._caught(applied, witness):
            return Finding(witness)
        second = self._when_applied(applied)
        return second if second.guilty or not first.unknown else first

    def alone(self, edit: Edit) -> Finding:
        """Judge what an edit does alone, whatever the others do: harmless is proved, guilt is not asked for."""
        applied = self._comparison.question(edit.bit)
        left, right = (self._old, applied) if self._input else (applied, self._old)
        answer = self._oracle.relation(left, right, self._callers)
        if answer.relation is Relation.PROVEN_SUBSET:
            return HARMLESS
        return Finding(unknown=answer.reason or "not decided", path=answer.path)

    def rest(self, guilty: int) -> Finding:
        """Find a witness that stays one when every guilty edit is reverted: then others break together."""
        return self._when_applied(self._comparison.question(self._comparison.every & ~guilty))

    def closing(self, edit: Edit) -> Finding:
        """Judge the closing of an object, by a witness with a name that OLD never declared where there is one."""
        every = self._comparison.every
        prefix = edit.path + "/properties/"
        gone = {e.name for e in self._comparison.edits if e.rule == "property-removed" and e.path.startswith(prefix)}
        names = {name for name in gone if name is not None}
        if names:
            lenient = Document(with_names(self._new.root, edit.path, names), "", self._new.dialect)
            found = self._find([self._old, self._comparison.question(every & ~edit.bit)], [self._new, lenient])
            if found.guilty:
                return found
        return self.judge(edit.bit)

    def parts(self, mask: int, witness: Json) -> int:
        """Return few of these edits that together explain the witness when applied to OLD, and no fewer of them do.

        All of them where not even all do, or too many to try. Properties that are gone are left out last.
        """
        edits = [edit for edit in self._comparison.edits if edit.bit & mask]
        if len(edits) > MAX_PARTS or not self._caught(self._comparison.question(mask), witness):
            return mask
        edits.sort(key=lambda e: (e.rule == "property-removed", e.bit))
        for edit in edits:
            if self._caught(self._comparison.question(mask & ~edit.bit), witness):
                mask &= ~edit.bit
        return mask

    # -- the two directions ----------------------------------------------------------------------------

    def _freed(self, reverted: Document, witness: Json) -> bool:
        """Say whether a witness is none any more: the receiver accepts it, or the sender cannot send it."""
        return self._oracle.accepts(reverted, witness) is self._input

    def _caught(self, applied: Document, witness: Json) -> bool:
        """Say whether a witness is one already: the receiver rejects it, or the sender may send it."""
        return self._oracle.accepts(applied, witness) is (not self._input)

    def _when_reverted(self, reverted: Document) -> Finding:
        if self._input:
            return self._find([self._old, reverted], [self._new])
        return self._find([self._new], [self._old, reverted])

    def _when_applied(self, applied: Document) -> Finding:
        if self._input:
            return self._find([self._old], [self._new, applied])
        return self._find([self._new, applied], [self._old])

    def _find(self, accepting: list[Document], rejecting: list[Document]) -> Finding:
        answer = self._oracle.separate(accepting, rejecting, self._callers)
        if answer.relation is Relation.PROVEN_NOT_SUBSET:
            return Finding(answer.witness)
        if answer.relation is Relation.PROVEN_SUBSET:
            return HARMLESS
        return Finding(unknown=answer.reason or "not decided", path=answer.path)


def common_place(edits: Sequence[Edit]) -> str:
    """Return the deepest place that all edits stand in, as a JSON Pointer."""
    shared: list[str] | None = None
    for edit in edits:
        tokens = tokens_of(edit.path)
        if shared is None:
            shared = tokens
        while shared and tokens[: len(shared)] != shared:
            shared = shared[:-1]
    return pointer_of(*(shared or []))
