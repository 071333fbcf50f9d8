"""Decide the array world: positions, length, how many items lie in what, and whether items repeat.

The literals are each(lo, hi, S), its negation (some item there is outside S), contains(n, S) and its negation (fewer
than n items in S), the length, unique and its negation. Positions before the last finite bound are looked at one by
one; behind it all positions are alike. Lengths are tried from the shortest upwards, and beyond the bound up to
which another position could serve a purpose no length is worth trying.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, TypeVar

from compatgate.canonical import value_key
from compatgate.jsonio import Json
from compatgate.prover.budget import Meter
from compatgate.prover.distinct import choose_distinct
from compatgate.prover.evaluate import Evaluator
from compatgate.prover.outcomes import Empty, Found, Goal, Outcome, Refuted, Solving, Unknown, goal
from compatgate.schema.assertions import finite_schema
from compatgate.schema.nodes import Arena, Formula, Schema

_Option = TypeVar("_Option")

#: An array longer than this is not built as a witness: the answer is UNKNOWN.
MAX_LENGTH: Final = 100_000


@dataclass(slots=True)
class _Problem:
    """The literals of one array problem, sorted by what they say."""

    literals: frozenset[Formula]
    each: list[tuple[int, int | None, Schema, Formula]] = field(default_factory=list)
    somewhere: list[tuple[int, int | None, Schema, Formula]] = field(default_factory=list)
    at_least: list[tuple[int, Schema, Formula]] = field(default_factory=list)
    fewer: list[tuple[int, Schema, Formula]] = field(default_factory=list)  # at most this many items
    least: int = 0
    least_from: Formula | None = None
    most: int | None = None
    most_from: Formula | None = None
    unique: Formula | None = None
    repeated: Formula | None = None
    prefix: int = 0  # positions from here on are alike


@dataclass(frozen=True, slots=True)
class _Need:
    """What is still to be met: members per contains, members allowed per limit, demands to be placed."""

    at_least: tuple[int, ...]
    fewer: tuple[int, ...]
    somewhere: frozenset[int]


class ArraySolver:
    """Find an array that satisfies the literals, or the literals that exclude each other."""

    def __init__(self, arena: Arena, evaluator: Evaluator, meter: Meter) -> None:
        self.arena = arena
        self.evaluator = evaluator
        self.meter = meter

    def solve(self, literals: list[Formula]) -> Solving:
        """Solve one conjunction of array literals."""
        problem = self._sort(literals)
        if problem.most is not None and problem.least > problem.most:
            assert problem.least_from is not None
            assert problem.most_from is not None
            return Refuted(frozenset((problem.least_from, problem.most_from)))
        if problem.unique is not None and problem.repeated is not None:
            return Refuted(frozenset((problem.unique, problem.repeated)))
        hopeless = yield from self._hopeless(problem)
        if hopeless is not None:
            return hopeless
        longest, blame, unknown = yield from self._reach(problem)
        if longest is not None and longest < problem.least:
            assert problem.least_from is not None
            return unknown or Refuted(frozenset((*blame, problem.least_from)))
        if problem.literals.isdisjoint(_purposes(problem)):
            return (yield from self._plain(problem, unknown))
        purpose = len(problem.somewhere) + sum(n for n, _, _ in problem.at_least)
        purpose += 2 if problem.repeated is not None else 0
        last = max(problem.least, problem.prefix + purpose)
        if longest is not None:
            last = min(last, longest)
        if problem.most is not None:
            last = min(last, problem.most)
        for length in range(problem.least, last + 1):
            if length > MAX_LENGTH:
                return Unknown(f"an array of more than {MAX_LENGTH} items would be needed")
            answer = yield from _Filling(self, problem, length).fill()
            if isinstance(answer, Found):
                return answer
            if isinstance(answer, Unknown):
                unknown = unknown or answer
        return unknown or Refuted(problem.literals)

    def _plain(self, problem: _Problem, unknown: Unknown | None) -> Solving:
        """Build the shortest array when only positions and length matter."""
        if problem.least > self.meter.budget.witness:
            return Unknown(f"an array of {problem.least} items would be needed")
        items: list[Json] = []
        for index in range(min(problem.least, problem.prefix + 1)):
            outcome = yield goal((s for s, _ in self.base(problem, index)), "/items")
            if not isinstance(outcome, Found):
                return unknown or Unknown("an item could not be found")
            items.append(outcome.value)
        if problem.least > len(items):
            items += items[-1:] * (problem.least - len(items))
        return Found(items)

    # -- reading the literals ------------------------------------------------------------------------

    def _sort(self, literals: list[Formula]) -> _Problem:
        problem = _Problem(frozenset(literals))
        for literal in literals:
            atom: Formula = literal.args if literal.op == "not" else literal
            positive = literal.op != "not"
            if atom.kind == "count":
                if positive and atom.args > problem.least:
                    problem.least, problem.least_from = atom.args, literal
                elif not positive and (problem.most is None or atom.args - 1 < problem.most):
                    problem.most, problem.most_from = atom.args - 1, literal
            elif atom.kind == "unique":
                if positive:
                    problem.unique = literal
                else:
                    problem.repeated = literal
            elif atom.kind == "contains":
                count, schema = atom.args
                if positive:
                    problem.at_least.append((count, schema, literal))
                else:
                    problem.fewer.append((count - 1, schema, literal))
            else:
                low, high, schema = atom.args
                problem.prefix = max(problem.prefix, low, high or 0)
                if positive:
                    problem.each.append((low, high, schema, literal))
                else:
                    problem.somewhere.append((low, high, self.arena.without(schema), literal))
        return problem

    @staticmethod
    def base(problem: _Problem, index: int) -> list[tuple[Schema, Formula]]:
        """List what every item at this position must meet, and which literal says so."""
        return [
            (schema, literal)
            for low, high, schema, literal in problem.each
            if low <= index and (high is None or index < high)
        ]

    def _hopeless(self, problem: _Problem) -> Generator[Goal, Outcome, Refuted | Unknown | None]:
        """Look for one demand that no position can meet: the most common refutation, with the smallest cause."""
        demands = [(low, high, schema, literal) for low, high, schema, literal in problem.somewhere]
        demands += [(0, None, schema, literal) for _, schema, literal in problem.at_least]
        for low, high, schema, literal in demands:
            core: set[Formula] = {literal}
            end = problem.prefix + 1 if high is None else high
            for index in range(low, end):
                base = self.base(problem, index)
                outcome = yield goal((schema, *(s for s, _ in base)), "/items")
                if not isinstance(outcome, Empty):
                    break
                core |= {source for s, source in base if s in outcome.core}
            else:
                return Refuted(frozenset(core))
        return None

    def _reach(self, problem: _Problem) -> Generator[Goal, Outcome, tuple[int | None, list[Formula], Unknown | None]]:
        """Find the first position that no item can take: the length is at most that."""
        unknown: Unknown | None = None
        for index in range(problem.prefix + 1):
            if problem.most is not None and index >= problem.most:
                break
            self.meter.spend()
            base = self.base(problem, index)
            outcome = yield goal((s for s, _ in base), "/items")
            if isinstance(outcome, Unknown):
                unknown = unknown or outcome
            elif not isinstance(outcome, Found):
                return index, [literal for s, literal in base if s in outcome.core], unknown
        return None, [], unknown


def _purposes(problem: _Problem) -> set[Formula]:
    """List the literals that speak of more than positions and length."""
    sources = {literal for _, _, _, literal in problem.somewhere}
    sources |= {literal for _, _, literal in (*problem.at_least, *problem.fewer)}
    return sources | {literal for literal in (problem.unique, problem.repeated) if literal is not None}


class _Filling:
    """Fill an array of one length: give every position a purpose, then every purpose a value."""

    def __init__(self, solver: ArraySolver, problem: _Problem, length: int) -> None:
        self.solver = solver
        self.arena = solver.arena
        self.problem = problem
        self.length = length
        self.failed: set[tuple[int, _Need, tuple[int, ...]]] = set()
        self.unknown: Unknown | None = None

    def fill(self) -> Generator[Goal, Outcome, Found | Refuted | Unknown]:
        """Try every pair of positions that may repeat (or none), and every way to place the demands."""
        problem = self.problem
        need = _Need(
            tuple(n for n, _, _ in problem.at_least),
            tuple(n for n, _, _ in problem.fewer),
            frozenset(range(len(problem.somewhere))),
        )
        for twins in self._twins():
            answer = yield from self._place(need, twins)
            if answer is not None:
                return answer
        return self.unknown or Refuted(problem.literals)

    def _twins(self) -> Iterator[tuple[int, ...]]:
        """Yield the pairs of positions that could hold the same item; () when none has to."""
        if self.problem.repeated is None:
            yield ()
            return
        prefix = min(self.problem.prefix, self.length)
        firsts = list(range(prefix)) + ([prefix] if self.length > prefix else [])
        for first in firsts:
            for second in range(first + 1, min(prefix + 2, self.length)):
                yield first, second

    def _place(self, need: _Need, twins: tuple[int, ...]) -> Generator[Goal, Outcome, Found | Unknown | None]:
        """Walk the positions depth first; a state that failed once is not entered again."""
        # One frame per position: what is still needed, the ways left, the schemas chosen for each position.
        order = [index for index in range(self.length) if not (twins and index == twins[1])]
        chosen: list[list[Schema]] = []
        ways: list[Iterator[tuple[list[Schema], _Need]]] = []
        state = [need]
        while True:
            depth = len(chosen)
            if depth == len(order):
                if not any(state[-1].at_least) and not state[-1].somewhere:
                    answer = yield from self._values(order, chosen, twins)
                    if answer is not None:
                        return answer
                if not chosen:
                    return None
                chosen.pop()
                state.pop()
                continue
            if len(ways) == depth:
                weight = len(twins) if twins and order[depth] == twins[0] else 1
                ways.append(self._ways(order[depth], weight, state[-1], twins))
            moved = False
            for schemas, left in ways[depth]:
                self.solver.meter.spend()
                key = (depth, left, twins)
                if key in self.failed or not self._possible(left, len(order) - depth - 1, twins, depth):
                    continue
                outcome = yield goal(schemas, "/items")
                if isinstance(outcome, Found):
                    if self.problem.unique is None:
                        self.failed.add(key)  # entered once: it either leads to the answer or never does
                    chosen.append(schemas)
                    state.append(left)
                    moved = True
                    break
                if isinstance(outcome, Unknown):
                    self.unknown = self.unknown or outcome
            if not moved:
                ways.pop()
                if not chosen:
                    return None
                chosen.pop()
                state.pop()

    def _possible(self, need: _Need, left: int, twins: tuple[int, ...], depth: int) -> bool:
        room = left + (1 if twins and twins[0] > depth else 0)
        return all(count <= room for count in need.at_least)

    def _ways(
        self, index: int, weight: int, need: _Need, twins: tuple[int, ...]
    ) -> Iterator[tuple[list[Schema], _Need]]:
        """Yield what a position can be used for: with fewer purposes first, within the limits."""
        problem = self.problem
        places = twins if weight == 2 else (index,)
        base: list[Schema] = []
        for place in places:
            base += [schema for schema, _ in self.solver.base(problem, place)]
        useful = [i for i, count in enumerate(need.at_least) if count > 0]
        here = [
            i
            for i in sorted(need.somewhere)
            for low, high, _, _ in (problem.somewhere[i],)
            if any(low <= place and (high is None or place < high) for place in places)
        ]
        limits = range(len(problem.fewer))
        room = [i for i in limits if need.fewer[i] >= weight]
        options = [("a", i) for i in useful] + [("s", i) for i in here]
        for taken in _subsets(options):
            counts, left = list(need.at_least), set(need.somewhere)
            extra: list[Schema] = []
            for kind, i in taken:
                if kind == "a":
                    counts[i] = max(0, counts[i] - weight)
                    extra.append(problem.at_least[i][1])
                else:
                    left.discard(i)
                    extra.append(problem.somewhere[i][2])
            for hits in _subsets(room):
                fewer = tuple(n - weight if i in hits else n for i, n in enumerate(need.fewer))
                outside = [self.arena.without(problem.fewer[i][1]) for i in limits if i not in hits]
                yield [*base, *extra, *outside], _Need(tuple(counts), fewer, frozenset(left))

    def _values(
        self, order: list[int], chosen: list[list[Schema]], twins: tuple[int, ...]
    ) -> Generator[Goal, Outcome, Found | Unknown | None]:
        """Find a value for every position; all distinct where they have to be."""
        values: dict[int, Json] = {}
        for index, schemas in zip(order, chosen, strict=True):
            outcome = yield goal(schemas, "/items")
            if not isinstance(outcome, Found):
                self.unknown = self.unknown or (outcome if isinstance(outcome, Unknown) else None)
                return None
            values[index] = outcome.value
        if self.problem.unique is not None and len({value_key(v) for v in values.values()}) < len(values):
            picked = yield from choose_distinct(self._enumerate, chosen, self.solver.meter)
            if isinstance(picked, Unknown):
                self.unknown = self.unknown or picked
                return None
            if picked is None:
                return None
            values = dict(zip(order, picked, strict=True))
        if twins:
            values[twins[1]] = values[twins[0]]
        return Found([values[index] for index in range(self.length)])

    def _enumerate(self, schemas: list[Schema], known: list[Json]) -> Generator[Goal, Outcome, Outcome]:
        """Find one more value of these schemas beyond the known ones."""
        outcome = yield goal((*schemas, self.arena.without(finite_schema(self.arena, known))), "/items")
        return outcome


def _subsets(options: list[_Option]) -> Iterator[tuple[_Option, ...]]:
    """Yield the subsets of a short list, smaller ones first."""
    for size in range(len(options) + 1):
        yield from combinations(options, size)
