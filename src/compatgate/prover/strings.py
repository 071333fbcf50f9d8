"""Decide the string world: patterns, lengths, excluded words; the automata do the work."""

from __future__ import annotations

from compatgate.prover.automata import words
from compatgate.prover.budget import Meter
from compatgate.prover.outcomes import Answer, Found, Refuted, Unknown
from compatgate.prover.patterns import Patterns
from compatgate.prover.regex import Pattern
from compatgate.schema.nodes import Formula


def solve_strings(literals: list[Formula], patterns: Patterns, meter: Meter) -> Answer:
    """Find the first word that satisfies every literal, or the literals that exclude each other."""
    must: list[Pattern] = []
    must_not: list[Pattern] = []
    shortest, longest = 0, None
    low_from: Formula | None = None
    high_from: Formula | None = None
    used: set[Formula] = set()
    excluded: dict[str, object] = {}
    unread: Unknown | None = None
    for literal in literals:
        atom: Formula = literal.args if literal.op == "not" else literal
        positive = literal.op != "not"
        if atom.kind == "length":
            if positive:
                if atom.args > shortest:
                    shortest, low_from = atom.args, literal
            elif longest is None or atom.args - 1 < longest:
                longest, high_from = atom.args - 1, literal
            continue
        if atom.kind == "format":
            unread = unread or Unknown(f"format {atom.args[0]!r} is asserted and not modelled", atom.args[1])
            continue
        if atom.kind == "finite":
            excluded |= atom.args[1].values
        else:
            pattern = patterns.get(atom.args[0])
            if pattern is None:
                unread = unread or Unknown(patterns.reason(atom.args[0]), atom.args[1])
                continue
            (must if positive else must_not).append(pattern)
        used.add(literal)
    bounds = {source for source in (low_from, high_from) if source is not None}
    if longest is not None and shortest > longest:
        return Refuted(frozenset(bounds))
    for word in words(must, must_not, shortest, longest, meter.spend, patterns.engine):
        if word in excluded:
            continue
        return unread or Found(word)
    return Refuted(frozenset(used | bounds))
