"""Decide the object world: which names must, may and cannot be there, and with what values.

The literals are forall(R, S), its negation (some member with a name in R has a value outside S) and the size. A
required name is the negation with R = {name} and S = nothing. Names fall into the named ones, each looked at by
itself, and the anonymous rest, cut by the pattern regions. The regions are never multiplied out: a word is picked
from what is left, tried, and when it fails, every name that fails for the same reason is taken away at once.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field

from compatgate.jsonio import Json
from compatgate.jsonio.pointer import escape
from compatgate.prover.budget import Meter
from compatgate.prover.evaluate import Evaluator
from compatgate.prover.outcomes import Answer, Found, Goal, Outcome, Refuted, Solving, Unknown, goal
from compatgate.schema.nodes import STRING, Arena, Formula, Schema


@dataclass(slots=True)
class _Problem:
    """The literals of one object problem, sorted by what they say."""

    literals: frozenset[Formula]
    named: dict[str, list[tuple[Schema, Formula]]] = field(default_factory=dict)
    regions: list[tuple[Formula, Schema, Formula]] = field(default_factory=list)
    needed: dict[str, list[tuple[Schema, Formula]]] = field(default_factory=dict)
    somewhere: list[tuple[Formula, Schema, Formula]] = field(default_factory=list)
    least: int = 0
    least_from: Formula | None = None
    most: int | None = None
    most_from: Formula | None = None


@dataclass(slots=True)
class _Slot:
    """One member of the object being built: demands on its value beyond what its name brings."""

    demands: list[tuple[Schema, Formula]]
    value: Json = None


class ObjectSolver:
    """Find an object that satisfies the literals, or the literals that exclude each other."""

    def __init__(self, arena: Arena, evaluator: Evaluator, meter: Meter) -> None:
        self.arena = arena
        self.evaluator = evaluator
        self.meter = meter

    def solve(self, literals: list[Formula]) -> Solving:
        """Solve one conjunction of object literals."""
        problem = self._sort(literals)
        if problem.most is not None and problem.least > problem.most:
            assert problem.least_from is not None
            assert problem.most_from is not None
            return Refuted(frozenset((problem.least_from, problem.most_from)))
        slots: dict[str, _Slot] = {}
        unknown: Unknown | None = None
        for name, demands in problem.needed.items():
            slots[name] = _Slot(demands)
            answer = yield from self._fill(problem, name, slots[name])
            if isinstance(answer, Refuted):
                return answer
            if isinstance(answer, Unknown):
                unknown = unknown or answer
        if problem.most is not None and len(slots) > problem.most:
            assert problem.most_from is not None
            sources = [literal for demands in problem.needed.values() for _, literal in demands[:1]]
            return Refuted(frozenset((*sources[: problem.most + 1], problem.most_from)))
        if problem.somewhere:
            placed = yield from self._place(problem, slots)
            if isinstance(placed, Refuted):
                return placed
            if isinstance(placed, Unknown):
                return placed
        if unknown is not None:
            return unknown
        if len(slots) < problem.least:
            filled = yield from self._pad(problem, slots)
            if filled is not None:
                return filled
        return Found({name: slot.value for name, slot in slots.items()})

    def probe(
        self, asserted: list[Formula], options: list[Formula]
    ) -> Generator[Goal, Outcome, list[frozenset[Formula] | None]]:
        """Say of each alternative which few asserted literals refute it, looking at one member only."""
        # Fewer literals refute less, and never wrongly; constants are not read here.
        problem = self._sort([literal for literal in asserted if literal.kind in ("size", "forall")])
        refuted: list[frozenset[Formula] | None] = []
        for option in options:
            core: frozenset[Formula] | None = None
            if option.op == "not" and option.kind == "forall":
                region, schema = option.args.args
                names = self._names_of(region)
                if names is not None and len(names) == 1:
                    slot = _Slot([(self.arena.without(schema), option)])
                    answer = yield from self._fill(problem, next(iter(names)), slot)
                    if isinstance(answer, Refuted):
                        core = answer.core - {option}
            refuted.append(core)
        return refuted

    # -- reading the literals ------------------------------------------------------------------------

    def _sort(self, literals: list[Formula]) -> _Problem:
        problem = _Problem(frozenset(literals))
        for literal in literals:
            atom: Formula = literal.args if literal.op == "not" else literal
            positive = literal.op != "not"
            if atom.kind == "size":
                if positive and atom.args > problem.least:
                    problem.least, problem.least_from = atom.args, literal
                elif not positive and (problem.most is None or atom.args - 1 < problem.most):
                    problem.most, problem.most_from = atom.args - 1, literal
                continue
            region, schema = atom.args
            names = self._names_of(region)
            if positive and names is not None:
                for name in names:
                    problem.named.setdefault(name, []).append((schema, literal))
            elif positive:
                problem.regions.append((region, schema, literal))
            else:
                wanted = self.arena.without(schema)
                if names is not None and len(names) == 1:
                    problem.needed.setdefault(next(iter(names)), []).append((wanted, literal))
                else:
                    problem.somewhere.append((region, wanted, literal))
        return problem

    @staticmethod
    def _names_of(region: Formula) -> dict[str, str] | None:
        if region.op == "atom" and region.kind == "finite":
            names: dict[str, str] = region.args[1].values
            return names
        return None

    # -- one member ----------------------------------------------------------------------------------

    def _brings(self, problem: _Problem, name: str) -> list[tuple[Schema, Formula]] | Unknown:
        """List what the name alone demands of its value, and which literal says so."""
        brings = list(problem.named.get(name, ()))
        for region, schema, literal in problem.regions:
            self.meter.spend()
            inside = self.evaluator.holds(region, name)
            if inside is None:
                return Unknown("whether a name matches a pattern is unknown", f"/properties/{escape(name)}")
            if inside:
                brings.append((schema, literal))
        return brings

    def _fill(self, problem: _Problem, name: str, slot: _Slot) -> Generator[Goal, Outcome, Found | Refuted | Unknown]:
        """Find a value for a member."""
        brings = self._brings(problem, name)
        if isinstance(brings, Unknown):
            return brings
        demands = [*slot.demands, *brings]
        outcome = yield goal((schema for schema, _ in demands), f"/properties/{escape(name)}")
        if isinstance(outcome, Found):
            slot.value = outcome.value
            return outcome
        if isinstance(outcome, Unknown):
            return outcome
        core = {literal for schema, literal in demands if schema in outcome.core}
        core |= {literal for _, literal in slot.demands}
        return Refuted(frozenset(core))

    # -- members with a name in some region ----------------------------------------------------------

    def _place(self, problem: _Problem, slots: dict[str, _Slot]) -> Solving:
        """Give each demand for "some member in R" a member: one that is there, a named one, or a new one.

        Depth first over the demands; a failure of one alone, before any other had a say, names its own cause.
        """
        core: set[Formula] = set()
        unknown: Unknown | None = None
        choices: list[_Choice] = [_Choice(self, problem, slots, 0)]
        while True:
            choice = choices[-1]
            answer = yield from choice.next()
            if isinstance(answer, Refuted):
                core |= answer.core
                choices.pop()
                if not choices:
                    return unknown or Refuted(frozenset(core))
                continue
            if isinstance(answer, Unknown):
                unknown = unknown or answer
                continue
            if len(choices) == len(problem.somewhere):
                slots.clear()
                slots.update(answer)
                return Found(None)
            choices.append(_Choice(self, problem, answer, len(choices)))

    def fresh_name(
        self, problem: _Problem, region: Formula, taken: Iterable[str]
    ) -> Generator[Goal, Outcome, str | Unknown | None]:
        """Pick a word of a region that is neither named nor taken; the empty name only when there is no other."""
        arena = self.arena
        known = arena.names(*dict.fromkeys((*problem.named, *problem.needed, *taken)))
        free = arena.conjunction((region, arena.neg(known)))
        for wish in (arena.conjunction((free, arena.at_least("length", 1))), free):
            outcome = yield goal((self._strings(wish),), "/propertyNames")
            if isinstance(outcome, Found):
                assert isinstance(outcome.value, str)
                return outcome.value
            if isinstance(outcome, Unknown):
                return outcome
        return None

    def _strings(self, formula: Formula) -> Schema:
        false = self.arena.false
        return self.arena.schema(tuple(formula if world == STRING else false for world in range(6)))

    # -- filling up to minProperties -----------------------------------------------------------------

    def _pad(self, problem: _Problem, slots: dict[str, _Slot]) -> Generator[Goal, Outcome, Answer | None]:
        """Add members until there are enough; None when there are."""
        blame: set[Formula] = set(problem.literals)
        unknown: Unknown | None = None
        for name in problem.named:
            if len(slots) >= problem.least:
                return None
            if name in slots:
                continue
            slot = _Slot([])
            answer = yield from self._fill(problem, name, slot)
            if isinstance(answer, Found):
                slots[name] = slot
            elif isinstance(answer, Unknown):
                unknown = unknown or answer
        region = self.arena.true
        while len(slots) < problem.least:
            picked = yield from self.fresh_name(problem, region, slots)
            if picked is None:
                return unknown or Refuted(frozenset(blame))
            if isinstance(picked, Unknown):
                return unknown or picked
            slot = _Slot([])
            answer = yield from self._fill(problem, picked, slot)
            if isinstance(answer, Found):
                slots[picked] = slot
                continue
            if isinstance(answer, Unknown):
                return unknown or answer
            region = self.arena.conjunction((region, self.arena.neg(self.common(problem, answer.core))))
        return None

    def common(self, problem: _Problem, core: frozenset[Formula]) -> Formula:
        """Return the names that fail for the same reason: those in every region that the reason names."""
        return self.arena.conjunction(region for region, _, literal in problem.regions if literal in core)


class _Choice:
    """Yield, one at a time, the ways to satisfy one demand for "some member in R with a value in T"."""

    def __init__(self, solver: ObjectSolver, problem: _Problem, slots: dict[str, _Slot], index: int) -> None:
        self.solver = solver
        self.problem = problem
        self.slots = slots
        self.index = index
        self.region, self.wanted, self.literal = problem.somewhere[index]
        self.core: set[Formula] = {self.literal}
        self.ways = self._ways()
        self.started = False
        self.answer: Outcome | None = None

    def next(self) -> Generator[Goal, Outcome, dict[str, _Slot] | Refuted | Unknown]:
        """Return the next way as a new set of members, Unknown for a way that cannot be judged, or Refuted."""
        reply: Outcome | None = None
        while True:
            try:
                step = self.ways.send(reply)  # type: ignore[arg-type]  # the first send takes None
            except StopIteration:
                return Refuted(frozenset(self.core))
            if not isinstance(step, Goal):
                return step
            reply = yield step

    def _ways(self) -> Generator[Goal | dict[str, _Slot] | Unknown, Outcome, None]:
        solver, problem = self.solver, self.problem
        demand = (self.wanted, self.literal)
        for name in [*self.slots, *(name for name in problem.named if name not in self.slots)]:
            solver.meter.spend()
            inside = solver.evaluator.holds(self.region, name)
            if inside is False:
                continue
            if inside is None:
                yield Unknown("whether a name matches a pattern is unknown", f"/properties/{escape(name)}")
                continue
            there = self.slots.get(name)
            if there is None and self._full():
                continue
            slot = _Slot([*(there.demands if there else ()), demand])
            answer = yield from solver._fill(problem, name, slot)
            if isinstance(answer, Found):
                yield {**self.slots, name: slot}
            elif isinstance(answer, Unknown):
                yield answer
            else:
                self.core |= answer.core
        region = self.region
        while not self._full():
            picked = yield from solver.fresh_name(problem, region, self.slots)
            if picked is None:
                break
            if isinstance(picked, Unknown):
                yield picked
                break
            slot = _Slot([demand])
            answer = yield from solver._fill(problem, picked, slot)
            if isinstance(answer, Found):
                yield {**self.slots, picked: slot}
                # Another name of the same cell would do no better, unless the cell is used up: leave this name.
                region = solver.arena.conjunction((region, solver.arena.neg(solver.arena.names(picked))))
                if self.index + 1 >= len(problem.somewhere):
                    break
                region = solver.arena.conjunction((region, solver.arena.neg(self._cell(picked))))
            elif isinstance(answer, Unknown):
                yield answer
                break
            else:
                self.core |= answer.core
                common = solver.common(problem, answer.core)
                region = solver.arena.conjunction((region, solver.arena.neg(common)))

    def _full(self) -> bool:
        full = self.problem.most is not None and len(self.slots) >= self.problem.most
        if full:
            self.core |= self.problem.literals
        return full

    def _cell(self, name: str) -> Formula:
        """Return the names that lie in exactly the same regions as this one."""
        arena, evaluator = self.solver.arena, self.solver.evaluator
        regions = [region for region, _, _ in self.problem.regions]
        regions += [region for region, _, _ in self.problem.somewhere]
        return arena.conjunction(region if evaluator.holds(region, name) else arena.neg(region) for region in regions)
