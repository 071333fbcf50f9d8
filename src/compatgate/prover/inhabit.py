"""Answer the one question: is there a JSON value in every schema of `pos` and in none of `neg`?

A goal is a set of schemas, all to be met by one value (those of `neg` come in negated). The six worlds are searched
one after the other; the solvers of arrays and objects yield goals for the parts of the value. One loop with an
explicit stack drives all of it.

Recursion is a least fixpoint: a value is finite, so a goal that is met again below itself is empty *provisionally*.
What was found empty under such an assumption is kept only while the assumption stands: when the goal at the head of
the cycle turns out to be empty too, all of it is settled; when it does not, all of it is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any, Final

from compatgate.prover.arrays import ArraySolver
from compatgate.prover.budget import Budget, Meter, OutOfBudgetError
from compatgate.prover.evaluate import Evaluator
from compatgate.prover.numbers import solve_numbers
from compatgate.prover.objects import ObjectSolver
from compatgate.prover.outcomes import Answer, Empty, Found, Goal, Outcome, Refuted, Solving, Unknown
from compatgate.prover.patterns import Patterns
from compatgate.prover.search import Clauses, Search
from compatgate.prover.shapes import shape_of
from compatgate.prover.strings import solve_strings
from compatgate.prover.trace import Trace, said
from compatgate.schema.describe import describe, describe_schema
from compatgate.schema.nodes import BOOLEAN, NULL, NUMBER, OBJECT, STRING, WORLDS, Arena, Formula, Schema

#: The order in which the worlds are tried: a witness should look like data, so null comes last but containers.
_ORDER: Final = (STRING, NUMBER, BOOLEAN, NULL, 4, 5)


def _told(answer: Answer) -> str:
    if isinstance(answer, Refuted):
        return "refuted by " + " against ".join(sorted(describe(formula) for formula in answer.core))
    return said(answer)


#: The stack index that a goal resting on no open assumption names.
_NOTHING: Final = 1 << 60


class _Frame:
    __slots__ = ("before", "key", "label", "lowest", "mark", "solving")

    def __init__(
        self, key: frozenset[int], label: str, solving: Generator[Goal, Outcome, Outcome], mark: int, before: int
    ) -> None:
        self.before = before
        self.key = key
        self.label = label
        self.solving = solving
        self.mark = mark
        self.lowest = _NOTHING


class Prover:
    """Decide goals over one arena, remembering what was settled; lives for one question, shared with no one."""

    def __init__(
        self,
        arena: Arena,
        budget: Budget | None = None,
        deadline: Callable[[], bool] | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.arena = arena
        self.trace = trace
        self.budget = budget or Budget()
        self.meter = Meter(self.budget, deadline)
        self.patterns = Patterns()
        self.evaluator = Evaluator(arena, self.patterns)
        self._arrays = ArraySolver(arena, self.evaluator, self.meter)
        self._objects = ObjectSolver(arena, self.evaluator, self.meter)
        self._settled: dict[frozenset[int], Outcome] = {}
        self._provisional: dict[frozenset[int], tuple[Empty, int]] = {}
        self._made: list[frozenset[int]] = []
        self._clauses: Clauses = {}
        self._stack: list[_Frame] = []

    def inhabit(self, pos: Iterable[Schema], neg: Iterable[Schema] = ()) -> Outcome:
        """Find a value in every schema of `pos` and in none of `neg`."""
        goal = Goal((*pos, *(self.arena.without(schema) for schema in neg)))
        stack = self._stack = []
        active: dict[frozenset[int], int] = {}
        try:
            return self._drive(goal, stack, active)
        except OutOfBudgetError as error:
            return Unknown(str(error), "".join(frame.label for frame in stack))
        finally:
            for frame in stack:
                frame.solving.close()
            self._provisional.clear()
            self._made.clear()

    # -- the driver ----------------------------------------------------------------------------------

    def _drive(self, goal: Goal, stack: list[_Frame], active: dict[frozenset[int], int]) -> Outcome:
        answer = self._answer(goal, stack, active)
        while stack:
            frame = stack[-1]
            try:
                wanted = frame.solving.send(answer)  # type: ignore[arg-type]  # the first send takes None
            except StopIteration as stop:
                answer = self._close(stop.value, stack, active)
                continue
            answer = self._answer(wanted, stack, active)
        assert answer is not None
        return answer

    def _answer(self, goal: Goal, stack: list[_Frame], active: dict[frozenset[int], int]) -> Outcome | None:
        """Answer at once where possible; otherwise push a frame and return None."""
        self.meter.spend()
        members: dict[int, Schema] = {}
        for schema in goal.schemas:
            if schema is self.arena.anything:
                continue
            if schema is self.arena.nothing:
                return Empty(frozenset({schema}))
            members[schema.uid] = schema
        for schema in members.values():
            if schema.neg_ is not None and schema.neg_.uid in members:
                return self._at_once(goal, Empty(frozenset({schema, schema.neg_})), "equal parts cancel")
        key = frozenset(members)
        settled = self._settled.get(key)
        if settled is not None:
            return self._at_once(goal, settled, "settled before")
        if key in active:
            stack[-1].lowest = min(stack[-1].lowest, active[key])
            return self._at_once(goal, Empty(frozenset(members.values())), "assumed, it leads back to itself")
        if key in self._provisional:
            outcome, lowest = self._provisional[key]
            stack[-1].lowest = min(stack[-1].lowest, lowest)
            return self._at_once(goal, outcome, "as found under the same assumption")
        if len(stack) >= self.budget.depth:
            return Unknown(f"values nested deeper than {self.budget.depth}", "".join(frame.label for frame in stack))
        ordered = [members[uid] for uid in sorted(members)]
        active[key] = len(stack)
        stack.append(_Frame(key, goal.label, self._worlds(ordered), len(self._made), self.meter.steps))
        if self.trace is not None:
            both = " and ".join(f"({describe_schema(schema)})" for schema in ordered)
            self.trace.open(f"{goal.label or 'the value'}: {both or 'anything'}")
        return None

    def _at_once(self, goal: Goal, outcome: Outcome, why: str) -> Outcome:
        if self.trace is not None:
            self.trace.note(goal.label or "the value", f"{said(outcome)} ({why})")
        return outcome

    def _close(self, outcome: Outcome, stack: list[_Frame], active: dict[frozenset[int], int]) -> Outcome:
        frame = stack.pop()
        depth = active.pop(frame.key)
        if self.trace is not None:
            self.trace.close(said(outcome), self.meter.steps - frame.before)
        if isinstance(outcome, Empty):
            if frame.lowest >= depth:  # rests on no open assumption: the component is settled
                self._settled[frame.key] = outcome
                for key in self._made[frame.mark :]:
                    self._settled[key] = self._provisional.pop(key)[0]
                del self._made[frame.mark :]
            else:
                self._provisional[frame.key] = (outcome, frame.lowest)
                self._made.append(frame.key)
                for key in self._made[frame.mark :]:  # all of it now rests on what this goal rests on
                    found, lowest = self._provisional[key]
                    self._provisional[key] = (found, min(lowest, frame.lowest))
                stack[-1].lowest = min(stack[-1].lowest, frame.lowest)
            return outcome
        for key in self._made[frame.mark :]:
            del self._provisional[key]
        del self._made[frame.mark :]
        if isinstance(outcome, Found) or frame.lowest >= depth:
            self._settled[frame.key] = outcome
        else:
            stack[-1].lowest = min(stack[-1].lowest, frame.lowest)
        if isinstance(outcome, Unknown) and not outcome.path:
            return Unknown(outcome.reason, "".join(f.label for f in (*stack, frame)))
        return outcome

    # -- one goal ------------------------------------------------------------------------------------

    def _worlds(self, schemas: list[Schema]) -> Generator[Goal, Outcome, Outcome]:
        core: dict[Schema, None] = {}
        unknown: Unknown | None = None
        excluded: list[str] = []
        for world in _ORDER:
            formulas: dict[Formula, Schema] = {}
            excluding: Schema | None = None
            for schema in schemas:
                formula = schema.worlds[world]
                if formula.op == "false" and (excluding is None or schema in core):
                    excluding = schema
                elif formula.op != "true":
                    formulas.setdefault(formula, schema)
            if excluding is not None:
                core[excluding] = None
                excluded.append(WORLDS[world])
                continue
            if self.trace is not None:
                self.trace.open(f"as {WORLDS[world]}")
            search = Search(
                self.arena,
                world,
                self._solver(world),
                self.evaluator,
                self.meter,
                self._expand,
                self._clauses,
                self._rests_on_nothing,
                self.trace,
                self._objects.probe if world == OBJECT else None,
            )
            answer: Answer = yield from search.run(list(formulas))
            if self.trace is not None:
                self.trace.close(_told(answer))
            if isinstance(answer, Found):
                return answer
            if isinstance(answer, Unknown):
                unknown = unknown or answer
            else:
                core.update(dict.fromkeys(formulas[formula] for formula in formulas if formula in answer.core))
        if self.trace is not None and excluded:
            self.trace.note(f"as {', '.join(excluded)}", "excluded by type")
        return unknown or Empty(frozenset(core))

    def _rests_on_nothing(self) -> bool:
        """Tell whether the goal on top of the stack has used no provisional answer so far."""
        return self._stack[-1].lowest == _NOTHING

    def _solver(self, world: int) -> Callable[[list[Formula]], Solving]:
        if world == STRING:
            return self._plain(lambda literals: solve_strings(literals, self.patterns, self.meter))
        if world == NUMBER:
            return self._plain(lambda literals: solve_numbers(literals, self.meter))
        if world == NULL:
            return self._plain(lambda literals: Found(None))
        if world == BOOLEAN:
            return self._plain(lambda literals: Found(False))
        return self._arrays.solve if WORLDS[world] == "array" else self._objects.solve

    @staticmethod
    def _plain(solve: Callable[[list[Formula]], Answer]) -> Callable[[list[Formula]], Solving]:
        def solving(literals: list[Formula]) -> Solving:
            return solve(literals)
            yield  # never reached: it makes this a generator like the others

        return solving

    def _expand(self, world: int, value: Any) -> Formula:
        return shape_of(self.arena, value)
