"""Search one world: break a conjunction of formulas down to literals, branch where there is a choice.

Unit propagation first; then the world's solver looks at the literals as they stand, before any branching: what it
refutes is cut off at once, and a value that happens to satisfy the open choices too ends the search. Every assertion
carries the set of assumptions (the goal's members, the decisions) that it rests on, as a bit mask, so a conflict
that does not rest on the latest decision jumps back over it, and conflicts are remembered as clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Final, TypeAlias

from compatgate.canonical import value_key
from compatgate.prover.budget import Meter
from compatgate.prover.evaluate import Evaluator
from compatgate.prover.outcomes import Answer, Found, Goal, Outcome, Refuted, Solving, Unknown
from compatgate.prover.trace import Trace
from compatgate.schema.describe import describe
from compatgate.schema.nodes import ARRAY, OBJECT, Arena, Formula

Solver: TypeAlias = Callable[[list[Formula]], Solving]
Probe: TypeAlias = Callable[[list[Formula], list[Formula]], Generator[Goal, Outcome, "list[frozenset[Formula] | None]"]]
#: For each literal, the sets of literals that exclude it together, and the goal members (as a mask) they rest on.
Clauses: TypeAlias = dict[int, list[tuple[frozenset[int], int]]]
_Conflict: TypeAlias = int

#: Longer conflicts are not remembered, nor more than so many of one literal: finding them again is cheaper.
MAX_CLAUSE: Final = 8
MAX_CLAUSES: Final = 64


class _Level:
    """One decision: which choice it splits, what is left to try, and what the failures so far rested on."""

    __slots__ = ("bit", "blame", "chosen", "left", "pending", "trail")

    def __init__(self, bit: int, options: list[Formula], blame: int, trail: int, pending: list[Formula]) -> None:
        self.bit = bit
        self.chosen, *self.left = options
        self.blame = blame
        self.trail = trail
        self.pending = pending


class Search:
    """Hold the state of one search in one world."""

    def __init__(
        self,
        arena: Arena,
        world: int,
        solver: Solver,
        evaluator: Evaluator,
        meter: Meter,
        expand: Callable[[int, Any], Formula],
        clauses: Clauses,
        settled: Callable[[], bool],
        trace: Trace | None = None,
        probe: Probe | None = None,
    ) -> None:
        self.arena = arena
        self.world = world
        self.solver = solver
        self.evaluator = evaluator
        self.meter = meter
        self.expand = expand
        self.shared = clauses  # what was learnt for good, by any search of the proof
        self.own: Clauses = {}  # what rests on an assumption that stands while this search runs
        self.settled = settled
        self.trace = trace
        self.probe = probe
        self.assigned: dict[int, int] = {}
        self.trail: list[Formula] = []
        self.pending: list[Formula] = []
        self.levels: list[_Level] = []
        self.unknown: Unknown | None = None

    def run(self, roots: list[Formula]) -> Generator[Goal, Outcome, Answer]:
        """Find a value of this world that satisfies every root, or the roots that exclude each other."""
        base = len(roots) + 1
        conflict: _Conflict | None = None
        for index, root in enumerate(roots):
            conflict = self._assert(root, 2 << index)
            if conflict is not None:
                break
        while True:
            if conflict is None:
                conflict = self._propagate()
            if conflict is None:
                answer = yield from self._look()
                if isinstance(answer, Found):
                    return answer
                if isinstance(answer, int):
                    conflict = answer
                elif answer is None:
                    continue  # the look has asserted something more
                elif self.pending:
                    conflict = yield from self._decide(base)
                else:
                    self.unknown = self.unknown or answer
                    conflict = -1  # rests on everything, bit 0 ("unknown") too: only the next alternative can help
            if conflict is not None:
                conflict = self._back(conflict)
                if conflict is not None:
                    if conflict & 1 and self.unknown is not None:
                        return self.unknown
                    return Refuted(frozenset(root for i, root in enumerate(roots) if conflict >> i & 2))

    # -- asserting -----------------------------------------------------------------------------------

    def _assert(self, formula: Formula, why: int) -> _Conflict | None:
        todo = [formula]
        assigned, arena = self.assigned, self.arena
        while todo:
            item = todo.pop()
            if item.op == "true" or item.uid in assigned:
                continue
            if item.op == "false":
                return why
            opposite = item.neg_
            if opposite is not None and opposite.uid in assigned:
                return why | assigned[opposite.uid]
            self.meter.spend()
            assigned[item.uid] = why
            self.trail.append(item)
            if item.op == "and":
                todo.extend(reversed(item.args))
            elif item.op == "or":
                self.pending.append(item)
            elif item.kind == "ref":
                target, world = item.args if item.op == "ref" else item.args.args
                body = arena.targets[target].worlds[world]
                todo.append(body if item.op == "ref" else arena.neg(body))
        return None

    def _propagate(self) -> _Conflict | None:
        changed = True
        while changed:
            changed = False
            for choice in tuple(self.pending):
                live, why = self._live(choice)
                if live is None:
                    self.pending.remove(choice)
                    continue
                if len(live) > 1:
                    continue
                self.pending.remove(choice)
                if not live:
                    return why
                conflict = self._assert(live[0], why)
                if conflict is not None:
                    return conflict
                changed = True
        return None

    def _live(self, choice: Formula) -> tuple[list[Formula] | None, int]:
        """List the alternatives of a choice that are not yet refuted (None: one already holds), and why."""
        assigned = self.assigned
        why = assigned[choice.uid]
        live: list[Formula] = []
        self.meter.spend(1 + len(choice.args) // 8)
        for option in choice.args:
            if option.uid in assigned:
                return None, why
            against = self._against(option)
            if against is None:
                live.append(option)
            else:
                why |= against
        return live, why

    def _against(self, option: Formula) -> int | None:
        """Say what an alternative is refuted by, if it is so at a glance."""
        assigned = self.assigned
        for part in (option, *option.args) if option.op == "and" else (option,):
            opposite = part.neg_
            if opposite is not None:
                reason = assigned.get(opposite.uid)
                if reason is not None:
                    return reason
            for clause, roots in (*self.shared.get(part.uid, ()), *self.own.get(part.uid, ())):
                if all(uid in assigned for uid in clause):
                    return self._joined(roots, clause)
        return None

    def _joined(self, mask: int, uids: frozenset[int]) -> int:
        for uid in uids:
            mask |= self.assigned[uid]
        return mask

    # -- looking -------------------------------------------------------------------------------------

    def _look(self) -> Generator[Goal, Outcome, Found | int | Unknown | None]:
        """Ask the solver about the literals: a value, a conflict, unknown, or None where more was asserted."""
        literals = [item for item in self.trail if item.op in ("atom", "not", "opaque") and item.kind != "ref"]
        for item in literals:
            if item.op == "atom" and item.kind == "finite":
                return self._filter(item)
        self.meter.spend(len(literals) // 4)
        opaque = next((item for item in literals if item.kind == "opaque"), None)
        known = [item for item in literals if item.kind != "opaque"]
        composite = self.world in (ARRAY, OBJECT)
        told = [item for item in known if item.kind != "finite"] if composite else known
        answer = yield from self.solver(told)
        if isinstance(answer, Refuted):
            self._learn(answer.core)
            return self._blame(answer.core)
        if isinstance(answer, Unknown):
            return answer
        if composite:
            for item in known:
                if item.kind == "finite" and value_key(answer.value) in item.args.args[1].values:
                    differs = self.arena.neg(self.expand(self.world, answer.value))
                    if differs.uid in self.assigned:
                        return Unknown("an open choice")  # where to differ is yet to be chosen
                    return self._assert(differs, self.assigned[item.uid])
        if opaque is not None:
            reason, path = opaque.args if opaque.op == "opaque" else opaque.args.args
            return Unknown(reason, path)
        if all(self.evaluator.holds(choice, answer.value) for choice in self.pending):
            return answer
        return Unknown("an open choice")

    def _filter(self, chosen: Formula) -> Found | int | Unknown:
        """Try the values of a finite set one by one against everything asserted."""
        demands = [item for item in self.trail if item is not chosen and item.op != "and" and item.kind != "ref"]
        blame = self.assigned[chosen.uid]
        doubtful: Formula | None = None
        for value in chosen.args[1].values.values():
            self.meter.spend()
            doubt: Formula | None = None
            for demand in demands:
                holds = self.evaluator.holds(demand, value)
                if holds is False:
                    blame |= self.assigned[demand.uid]
                    break
                if holds is None:
                    doubt = doubt or demand
            else:
                if doubt is None:
                    return Found(value)
                doubtful = doubtful or doubt
        if doubtful is None:
            return blame
        return Unknown(*self._doubt(doubtful))

    def _doubt(self, formula: Formula) -> tuple[str, str]:
        base: Formula = formula.args if formula.op == "not" else formula
        if base.op == "opaque":
            reason, path = base.args
            return reason, path
        if base.kind == "pattern":
            return self.evaluator.patterns.reason(base.args[0]), base.args[1]
        return "a value could not be checked against an opaque part", ""

    def _blame(self, core: frozenset[Formula]) -> int:
        blame = 0
        for item in core:
            blame |= self.assigned[item.uid]
        return blame

    def _learn(self, core: frozenset[Formula]) -> None:
        """Remember literals that exclude each other; for good only when no provisional answer had a part in it."""
        clauses = self.shared if self.settled() else self.own
        uids = [item.uid for item in core]
        if 1 < len(uids) <= MAX_CLAUSE:
            for uid in uids:
                known = clauses.setdefault(uid, [])
                rest = frozenset(other for other in uids if other != uid)
                if len(known) < MAX_CLAUSES and (rest, 0) not in known:
                    known.append((rest, 0))

    def _learn_decisions(self, conflict: _Conflict) -> None:
        """Remember that the decisions a conflict rests on exclude each other, given the goal members it rests on."""
        chosen = [level.chosen.uid for level in self.levels if conflict & level.bit]
        if not 1 < len(chosen) <= MAX_CLAUSE:
            return
        roots = conflict
        for level in self.levels:
            roots &= ~level.bit
        for uid in chosen:
            known = self.own.setdefault(uid, [])
            if len(known) < MAX_CLAUSES:
                known.append((frozenset(other for other in chosen if other != uid), roots))

    # -- deciding ------------------------------------------------------------------------------------

    def _decide(self, base: int) -> Generator[Goal, Outcome, _Conflict | None]:
        """Split the open choice with the fewest alternatives."""
        best: tuple[int, int] | None = None
        chosen: tuple[Formula, list[Formula], int] | None = None
        for choice in self.pending:
            live, why = self._live(choice)
            assert live is not None
            rank = (len(live), choice.uid)
            if best is None or rank < best:
                best, chosen = rank, (choice, live, why)
        assert chosen is not None
        choice, live, why = chosen
        if self.probe is not None and len(live) > 1:
            live, why = yield from self._probe(choice, live, why)
        if not live:  # a clause learnt since the last propagation, here or in a part of the value, left nothing
            return why
        if self.trace is not None:
            self.trace.note(f"{len(live)} ways, first: {describe(live[0])}")
        bit = 1 << (base + len(self.levels))
        self.pending.remove(choice)
        self.levels.append(_Level(bit, live, why, len(self.trail), list(self.pending)))
        return self._assert(live[0], bit)

    def _probe(
        self, choice: Formula, live: list[Formula], why: int
    ) -> Generator[Goal, Outcome, tuple[list[Formula], int]]:
        """Drop the alternatives that a few of the literals refute by themselves: one part of the value each.

        This keeps ordinary drift linear: a thousand changed members are a thousand small goals, not a thousand
        objects of a thousand members.
        """
        assert self.probe is not None
        asserted = [item for item in self.trail if item.op == "atom"]
        refuted = yield from self.probe(asserted, live)
        left: list[Formula] = []
        for option, core in zip(live, refuted, strict=True):
            if core is None:
                left.append(option)
            else:
                self._learn(core | {option})
                why |= self._blame(core)
        return left, why

    def _back(self, conflict: _Conflict) -> _Conflict | None:
        """Undo to the latest decision that the conflict rests on and take its next alternative."""
        while self.levels:
            level = self.levels[-1]
            if not conflict & 1:
                self._learn_decisions(conflict)
            if not conflict & level.bit:
                self.levels.pop()
                continue
            level.blame |= conflict & ~level.bit
            for item in self.trail[level.trail :]:
                del self.assigned[item.uid]
            del self.trail[level.trail :]
            self.pending = list(level.pending)
            if not level.left:
                conflict = level.blame
                self.levels.pop()
                continue
            level.chosen = level.left.pop(0)
            if self.trace is not None:
                self.trace.note(f"next: {describe(level.chosen)}")
            found = self._assert(level.chosen, level.bit)
            if found is None:
                return None
            conflict = found
        return conflict
