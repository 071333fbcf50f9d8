"""What rules look at: one tool as it was and is, one server as it was and is, and what was asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Literal, TypeAlias

from compatgate import prover
from compatgate.diff.edits import Edit
from compatgate.diff.schemas import Comparison, compare
from compatgate.jsonio import Json, pointer
from compatgate.model import ABSENT, Absent, Relation, Snapshot, Tool
from compatgate.prover import Budget, Callers, Containment, quick
from compatgate.rules.relations import RelationCheck, check_relation
from compatgate.rules.strings import Text, texts_of
from compatgate.schema.references import Document

Side: TypeAlias = Literal["input", "output"]
MEMBER: Final[dict[Side, str]] = {"input": "inputSchema", "output": "outputSchema"}

#: Steps that all proofs of one verdict may take together: some ten hard pairs, thousands of ordinary ones.
TOTAL_STEPS: Final = 4_000_000


class Asker:
    """Ask the prover, with one purse for all questions of one verdict; not shared between threads."""

    def __init__(
        self,
        *,
        callers: Callers = "any",
        assert_formats: bool = False,
        budget: Budget | None = None,
        total_steps: int = TOTAL_STEPS,
        deadline: Callable[[], bool] | None = None,
    ) -> None:
        self.callers: Callers = callers
        self._assert_formats = assert_formats
        self._budget = budget or Budget()
        self._deadline = deadline
        self._purse = total_steps

    def relation(self, left: Json | Document, right: Json | Document, callers: Callers, *, side: Side) -> Containment:
        """Return whether everything `left` sends is accepted by `right`; UNKNOWN where the purse is empty."""
        if self._purse <= 0:
            return Containment(Relation.UNKNOWN, reason="the step budget of the whole comparison is spent")
        try:
            answer = prover.contains(
                left,
                right,
                callers=callers,
                budget=self._share(),
                deadline=self._deadline,
                root_is_input=side == "input",
                assert_formats=self._assert_formats,
            )
        except Exception as error:  # one bad schema never sinks the rest; nothing is proved, so it fails closed
            answer = Containment(Relation.UNKNOWN, reason=f"the prover failed ({type(error).__name__}): report it")
        self._purse -= max(answer.steps, 1)
        return answer

    def holds(self, left: Document, right: Document, callers: Callers, *, side: Side) -> bool:
        """Return whether everything `left` sends is accepted by `right`, for a remark beside a relation."""
        if self._purse <= 0:
            return False
        try:
            holds, steps = quick.holds(
                left,
                right,
                callers=callers,
                budget=self._share(),
                deadline=self._deadline,
                root_is_input=side == "input",
                assert_formats=self._assert_formats,
            )
        except Exception:  # the relation beside it was decided; only the remark is left out
            return False
        self._purse -= max(steps, 1)
        return holds

    def _share(self) -> Budget:
        return replace(self._budget, steps=max(1, min(self._budget.steps, self._purse)))


@dataclass
class ToolPair:
    """Hold one tool as it was and as it is; None where it is not there.

    `same` are the members whose normal forms are equal. `twin` is the tool that a likely rename leads from (for an
    added tool) or to (for a removed one), with the similarity.
    """

    old: Tool | None
    new: Tool | None
    server: ServerPair
    same: frozenset[str] = frozenset()
    twin: tuple[Tool, float] | None = None

    @property
    def name(self) -> str:
        """Return the name of the tool."""
        tool = self.new or self.old
        assert tool is not None
        return tool.name

    def path(self, *tokens: str | int, inside: str = "") -> str:
        """Return the path of a part of the tool: /tools/NAME/…, with the pointer `inside` behind it."""
        return pointer.join(["tools", self.name, *tokens]) + inside

    @property
    def both(self) -> bool:
        """Say whether the tool is there on both sides."""
        return self.old is not None and self.new is not None

    def member(self, name: str) -> tuple[Json | Absent, Json | Absent]:
        """Return a member of the tool before and after; null and absent are the same."""
        return _member(self.old, name), _member(self.new, name)

    def differs(self, name: str) -> bool:
        """Say whether a member is on both sides of the comparison and its normal forms differ."""
        return self.both and name not in self.same

    @cached_property
    def relations(self) -> Mapping[Side, RelationCheck]:
        """Return the relation of each schema that differs, in the direction of its side."""
        found: dict[Side, RelationCheck] = {}
        for side, member in MEMBER.items():
            if self.differs(member):
                old, new = self.documents(side)
                found[side] = check_relation(self.server.asker, old, new, side)
        return found

    def documents(self, side: Side) -> tuple[Document, Document]:
        """Return the two schemas of a side; an absent outputSchema accepts everything."""
        before, after = self.member(MEMBER[side])
        if side == "input":  # present on both sides: a tool without one is refused
            return Document(_raw(self.old, "inputSchema")), Document(_raw(self.new, "inputSchema"))
        return Document(True if before is ABSENT else before), Document(True if after is ABSENT else after)

    @cached_property
    def comparisons(self) -> Mapping[Side, Comparison]:
        """Return the edits of each schema that is there before and after and differs."""
        found: dict[Side, Comparison] = {}
        for side, member in MEMBER.items():
            before, after = self.member(member)
            if self.differs(member) and before is not ABSENT and after is not ABSENT:
                found[side] = compare(Document(before), Document(after))
        return found

    def edits(self, side: Side) -> tuple[Edit, ...]:
        """Return the edits of one side; none where the schema came, went or is the same."""
        comparison = self.comparisons.get(side)
        return comparison.edits if comparison else ()

    @cached_property
    def old_texts(self) -> tuple[Text, ...]:
        """Return every text the tool had; of its likely twin where the tool is new."""
        if self.old is not None:
            return tuple(texts_of(self.old.raw))
        return tuple(texts_of(self.twin[0].raw)) if self.twin and self.new is not None else ()

    @cached_property
    def new_texts(self) -> tuple[Text, ...]:
        """Return every text the tool has."""
        return tuple(texts_of(self.new.raw)) if self.new is not None else ()


@dataclass
class ServerPair:
    """Hold everything a server declared and declares, and what the caller knows beside it."""

    old: Snapshot
    new: Snapshot
    asker: Asker = field(default_factory=Asker)
    other_tools: frozenset[str] = frozenset()

    @cached_property
    def added(self) -> tuple[Tool, ...]:
        """Return the tools that came, sorted by name."""
        return _only_in(self.new, self.old)

    @cached_property
    def removed(self) -> tuple[Tool, ...]:
        """Return the tools that went, sorted by name."""
        return _only_in(self.old, self.new)


def _only_in(one: Snapshot, other: Snapshot) -> tuple[Tool, ...]:
    return tuple(one.by_name[name] for name in sorted(one.by_name.keys() - other.by_name.keys()))


def _member(tool: Tool | None, name: str) -> Json | Absent:
    value = tool.raw.get(name) if tool is not None else None
    return ABSENT if value is None else value


def _raw(tool: Tool | None, name: str) -> Json:
    return tool.raw.get(name) if tool is not None else None
