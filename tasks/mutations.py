"""Name the ways to break the prover: a file, a text that stands in it exactly once, and a wrong one."""

from __future__ import annotations

from typing import NamedTuple


class Mutation(NamedTuple):
    """Hold one sabotage: in `file` (below src/compatgate) the text `old` becomes `new`."""

    name: str
    file: str
    old: str
    new: str


MUTATIONS = (
    # -- the normal form -----------------------------------------------------------------------------
    Mutation(
        "negation-of-or-is-or",
        "schema/nodes.py",
        "result = self.conjunction(self.neg(part) for part in formula.args)",
        "result = self.disjunction(self.neg(part) for part in formula.args)",
    ),
    Mutation(
        "complement-not-seen",
        "schema/nodes.py",
        "            if item.neg_ is not None and item.neg_.uid in found:\n                return zero",
        "            if item.neg_ is not None and item.neg_.uid in found:\n                return unit",
    ),
    Mutation(
        "excluded-values-forgotten",
        "schema/nodes.py",
        "                if key not in excluded and all(key in values for values in rest)",
        "                if all(key in values for values in rest)",
    ),
    Mutation(
        "one-finite-set-of-many",
        "schema/nodes.py",
        "                if key not in excluded and all(key in values for values in rest)",
        "                if key not in excluded and any(key in values for values in (rest or [first]))",
    ),
    Mutation(
        "gap-forbids-one-less",
        "schema/nodes.py",
        'return self.neg(self.at_least("count", low + 1))',
        'return self.neg(self.at_least("count", low + 2))',
    ),
    Mutation(
        "untyped-equality",
        "schema/assertions.py",
        "worlds[world_of(value)].setdefault(value_key(value), value)",
        "worlds[world_of(value)].setdefault(value_key(True if value == 1 else value), value)",
    ),
    Mutation(
        "disjoint-at-any-name",
        "schema/disjoint.py",
        "for name in needed & ours.keys() & theirs.keys():",
        "for name in ours.keys() & theirs.keys():",
    ),
    # -- reading keywords ----------------------------------------------------------------------------
    Mutation(
        "exclusive-bounds-inclusive",
        "schema/assertions.py",
        'kind = "above" if strict == lower else "at_least"',
        'kind = "above" if not lower else "at_least"',
    ),
    Mutation(
        "maximum-size-one-more",
        "schema/assertions.py",
        "parts.add(world, parts.arena.neg(parts.arena.at_least(kind, size + 1)))",
        "parts.add(world, parts.arena.neg(parts.arena.at_least(kind, size + 2)))",
    ),
    Mutation(
        "integer-is-any-number",
        "schema/assertions.py",
        'if "integer" in names and "number" not in names:',
        'if "integer" in names and "number" in names:',
    ),
    Mutation(
        "maxContains-off-by-one",
        "schema/arrays.py",
        "arena.neg(arena.contains(most + 1, found))",
        "arena.neg(arena.contains(most + 2, found))",
    ),
    Mutation(
        "minContains-ignored",
        "schema/arrays.py",
        'least = natural(schema["minContains"])',
        'least = min(1, natural(schema["minContains"]) or 0)',
    ),
    Mutation(
        "rest-begins-at-zero",
        "schema/arrays.py",
        "        parts.add(ARRAY, parts.arena.each(len(prefix), None, found or parts.arena.anything))",
        "        parts.add(ARRAY, parts.arena.each(0, None, found or parts.arena.anything))",
    ),
    Mutation(
        "required-dropped",
        "schema/objects.py",
        "            for name in names:\n                parts.add(OBJECT, present(parts.arena, name))",
        "            for name in names[1:]:\n                parts.add(OBJECT, present(parts.arena, name))",
    ),
    Mutation(
        "additional-covers-declared",
        "schema/objects.py",
        "others = arena.neg(arena.disjunction(declared_names(arena, place, schema)))",
        "others = arena.neg(arena.disjunction(declared_names(arena, place, schema)[:1]))",
    ),
    Mutation(
        "dependency-without-trigger",
        "schema/objects.py",
        "parts.add(OBJECT, arena.disjunction((absent, found.worlds[OBJECT])))",
        "parts.add(OBJECT, found.worlds[OBJECT])",
    ),
    Mutation(
        "names-of-propertyNames-inverted",
        "schema/objects.py",
        "arena.forall(arena.neg(found.worlds[STRING]), arena.nothing)",
        "arena.forall(found.worlds[STRING], arena.nothing)",
    ),
    Mutation(
        "oneOf-is-anyOf",
        "schema/parse.py",
        "if position != index and not disjoint(arena, option, other)",
        "if position > index and not disjoint(arena, option, other)",
    ),
    Mutation(
        "then-and-else-swapped",
        "schema/parse.py",
        'guard = arena.without(condition) if keyword == "then" else condition',
        'guard = arena.without(condition) if keyword == "else" else condition',
    ),
    Mutation(
        "ref-siblings-always-heard",
        "schema/parse.py",
        '        if place.dialect.ref_hides_siblings and "$ref" in schema:\n            yield from self._reference',
        '        if not place.dialect.name and "$ref" in schema:\n            yield from self._reference',
    ),
    Mutation(
        "unguarded-cycle-adds-nothing",
        "schema/parse.py",
        "if any(step.guarded for step in path):",
        "if any(step.guarded and step.structural for step in path):",
    ),
    Mutation(
        "dynamic-scope-ignored",
        "schema/references.py",
        "        for resource in place.scope:\n            if self._dynamic_anchor(resource, anchor):",
        "        for resource in place.scope[-1:]:\n            if self._dynamic_anchor(resource, anchor):",
    ),
    Mutation(
        "contains-evaluates-nothing",
        "schema/evaluated.py",
        'if self.world == ARRAY and place.dialect.contains_evaluates and "contains" in schema:',
        'if self.world == ARRAY and not place.dialect.contains_evaluates and "contains" in schema:',
    ),
    Mutation(
        "branches-evaluate-unheld",
        "schema/evaluated.py",
        "return [self._and(holds.worlds[self.world], case) for case in telling]",
        "return telling",
    ),
    Mutation(
        "shorter-prefix-evaluated",
        "schema/evaluated.py",
        "prefix = None if a.prefix is None or b.prefix is None else max(a.prefix, b.prefix)",
        "prefix = None if a.prefix is None or b.prefix is None else min(a.prefix, b.prefix)",
    ),
    Mutation(
        "required-names-undeclared",
        "schema/evaluated.py",
        'names = list(name_list(schema.get("required")) or ())',
        "names = list[str]()",
    ),
    Mutation(
        "free-maps-closed",
        "schema/evaluated.py",
        "if not declares and not (place.pointer == reader.root_pointer and reader.root_is_input):",
        "if not declares and not reader.root_is_input:",
    ),
    # -- numbers and strings -------------------------------------------------------------------------
    Mutation(
        "first-multiple-beyond-strict-bound",
        "prover/numbers.py",
        "return floor(quotient) + 1 if strict else ceil(quotient)",
        "return floor(quotient) + 2 if strict else ceil(quotient)",
    ),
    Mutation(
        "last-multiple-one-less",
        "prover/numbers.py",
        "return ceil(quotient) - 1 if strict else floor(quotient)",
        "return ceil(quotient) - 1",
    ),
    Mutation(
        "product-for-common-multiple",
        "prover/numbers.py",
        "joined = Fraction(lcm(int(left * scale), int(right * scale)), scale)",
        "joined = Fraction(int(left * scale) * int(right * scale), scale)",
    ),
    Mutation(
        "touching-bounds-are-empty",
        "prover/numbers.py",
        "self.low == self.high and (self.low_strict or self.high_strict)",
        "self.low == self.high",
    ),
    Mutation(
        "excluded-multiples-forgotten",
        "prover/numbers.py",
        "        if any(index % period == 0 for period in periods):\n            return None\n",
        "",
    ),
    Mutation(
        "shortest-word-one-longer",
        "prover/strings.py",
        "    for word in words(must, must_not, shortest, longest, meter.spend",
        "    for word in words(must, must_not, shortest + bool(must), longest, meter.spend",
    ),
    Mutation(
        "excluded-words-forgotten",
        "prover/strings.py",
        "        if word in excluded:\n            continue\n",
        "",
    ),
    Mutation(
        "forbidden-patterns-forgotten",
        "prover/strings.py",
        "(must if positive else must_not).append(pattern)",
        "must.extend([pattern] if positive else ())",
    ),
    Mutation(
        "end-anchor-forgotten",
        "prover/fragments.py",
        "            return self.condition(END)\n",
        "            return EMPTY\n",
    ),
    Mutation(
        "negative-look-around-positive",
        "prover/fragments.py",
        "return self.condition(BEHIND if look.behind else AHEAD, part, look.negative)",
        "return self.condition(BEHIND if look.behind else AHEAD, part, False)",
    ),
    # -- arrays --------------------------------------------------------------------------------------
    Mutation(
        "lengths-not-far-enough",
        "prover/arrays.py",
        "last = max(problem.least, problem.prefix + purpose)",
        "last = max(problem.least, problem.prefix + purpose - 1)",
    ),
    Mutation(
        "twins-count-once",
        "prover/arrays.py",
        "weight = len(twins) if twins and order[depth] == twins[0] else 1",
        "weight = 1",
    ),
    Mutation(
        "twins-are-neighbours",
        "prover/arrays.py",
        "for second in range(first + 1, min(prefix + 2, self.length)):",
        "for second in range(first + 1, min(first + 2, self.length)):",
    ),
    Mutation(
        "limits-not-counted",
        "prover/arrays.py",
        "fewer = tuple(n - weight if i in hits else n for i, n in enumerate(need.fewer))",
        "fewer = need.fewer",
    ),
    Mutation(
        "hopeless-looks-at-too-few",
        "prover/arrays.py",
        "end = problem.prefix + 1 if high is None else high",
        "end = max(low + 1, problem.prefix) if high is None else high",
    ),
    Mutation(
        "uniqueness-remembers-failures",
        "prover/arrays.py",
        "                    if self.problem.unique is None:\n",
        "                    if self.problem.unique is not None:\n",
    ),
    Mutation(
        "no-augmenting-paths",
        "prover/distinct.py",
        "                if other not in came:\n",
        "                if other not in came and other == position:\n",
    ),
    # -- objects -------------------------------------------------------------------------------------
    Mutation(
        "regions-not-asked",
        "prover/objects.py",
        "            if inside:\n                brings.append((schema, literal))",
        "            if inside and not problem.named:\n                brings.append((schema, literal))",
    ),
    Mutation(
        "one-member-too-many",
        "prover/objects.py",
        "if problem.most is not None and len(slots) > problem.most:",
        "if problem.most is not None and len(slots) > problem.most + 1:",
    ),
    Mutation(
        "full-when-not",
        "prover/objects.py",
        "full = self.problem.most is not None and len(self.slots) >= self.problem.most",
        "full = self.problem.most is not None and len(self.slots) + 1 >= self.problem.most",
    ),
    Mutation(
        "padding-stops-early",
        "prover/objects.py",
        "        if len(slots) < problem.least:\n",
        "        if len(slots) + 1 < problem.least:\n",
    ),
    Mutation(
        "common-takes-all-names",
        "prover/objects.py",
        "return self.arena.conjunction(region for region, _, literal in problem.regions if literal in core)",
        "return self.arena.disjunction(region for region, _, literal in problem.regions if literal in core)",
    ),
    Mutation(
        "demand-lost-in-core",
        "prover/objects.py",
        "        core |= {literal for _, literal in slot.demands}\n",
        "",
    ),
    # -- search and recursion ------------------------------------------------------------------------
    Mutation(
        "blame-forgets-the-choice",
        "prover/search.py",
        "            level.blame |= conflict & ~level.bit\n",
        "            level.blame = conflict & ~level.bit\n",
    ),
    Mutation(
        "conflict-without-opposite",
        "prover/search.py",
        "return why | assigned[opposite.uid]",
        "return why",
    ),
    Mutation(
        "refuted-alternatives-unblamed",
        "prover/search.py",
        "                why |= against\n",
        "                why |= 0\n",
    ),
    Mutation(
        "last-alternative-skipped",
        "prover/search.py",
        "            if not level.left:\n",
        "            if len(level.left) <= (len(self.levels) > 2):\n",
    ),
    Mutation(
        "clauses-of-one-literal-fewer",
        "prover/search.py",
        "                rest = frozenset(other for other in uids if other != uid)\n",
        "                rest = frozenset([other for other in uids if other != uid][1:])\n",
    ),
    Mutation(
        "unknown-is-refuted",
        "prover/search.py",
        "if conflict & 1 and self.unknown is not None:",
        "if conflict & 1 and self.unknown is None:",
    ),
    Mutation(
        "coinduction-without-guard",
        "prover/inhabit.py",
        "            if frame.lowest >= depth:  # rests on no open assumption",
        "            if frame.lowest >= 0:  # rests on no open assumption",
    ),
    Mutation(
        "cycle-met-is-forgotten",
        "prover/inhabit.py",
        "            stack[-1].lowest = min(stack[-1].lowest, active[key])\n",
        "",
    ),
    Mutation(
        "worlds-after-the-first-skipped",
        "prover/inhabit.py",
        "return unknown or Empty(frozenset(core))",
        "return Empty(frozenset(core))",
    ),
    # -- values --------------------------------------------------------------------------------------
    Mutation(
        "shapes-may-be-longer",
        "prover/shapes.py",
        'return arena.conjunction((*items, arena.at_least("count", len(value)), arena.neg(longer)))',
        'return arena.conjunction((*items, arena.at_least("count", len(value))))',
    ),
    Mutation(
        "shapes-may-have-more-members",
        "prover/shapes.py",
        "return arena.conjunction((*parts, arena.forall(others, arena.nothing)))",
        "return arena.conjunction(parts)",
    ),
    Mutation(
        "contains-counts-one-less",
        "prover/evaluate.py",
        "            if surely >= least:\n                return True",
        "            if surely + 1 >= least:\n                return True",
    ),
    Mutation(
        "shrinking-stops-at-once",
        "prover/shrink.py",
        "    improved = True\n    while improved:",
        "    improved = False\n    while improved:",
    ),
    Mutation(
        "emptied-positions-stay-closed",
        "prover/senders.py",
        "        if not emptied:\n            break",
        "        break",
    ),
)
