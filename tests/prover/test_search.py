"""The search: propositional nests against truth tables, learning that stays sound, budgets that end it."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from compatgate.jsonio import Json
from compatgate.prover.budget import Budget
from compatgate.prover.inhabit import Prover
from compatgate.prover.outcomes import Empty, Found, Outcome, Unknown
from compatgate.schema.nodes import Arena
from compatgate.schema.parse import Parser
from compatgate.schema.references import Document
from tests.prover.asking import said

NAMES = "abcde"


def ask(left: Json, right: Json, steps: int = 400_000) -> Outcome:
    arena = Arena()
    schemas = [Parser(arena, Document(schema)).parse() for schema in (left, right)]
    return Prover(arena, Budget(steps=steps)).inhabit(schemas[:1], schemas[1:])


class Propositions:
    """Draw formulas over what members an object has, each a statement true or false of one name."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.style = random.choice(("required", "constant", "nested"))

    def literal(self) -> dict[str, Any]:
        name = self.random.choice(NAMES)
        atom: dict[str, Any] = {"required": [name]}
        if self.style == "constant":
            atom["properties"] = {name: {"const": 1}}
        elif self.style == "nested":
            atom["properties"] = {name: {"properties": {"x": {"const": 1}}, "required": ["x"]}}
        return atom if self.random.random() < 0.5 else {"not": atom}

    def formula(self, depth: int) -> dict[str, Any]:
        roll = self.random.random()
        if depth == 0 or roll < 0.2:
            return self.literal()
        if roll < 0.75:
            parts = [self.formula(depth - 1) for _ in range(self.random.randint(2, 4))]
            return {self.random.choice(("allOf", "anyOf", "oneOf")): parts}
        if roll < 0.85:
            return {"not": self.formula(depth - 1)}
        return {name: self.formula(depth - 1) for name in ("if", "then", "else")}

    def clauses(self, count: int) -> dict[str, Any]:
        return {"allOf": [{"anyOf": [self.literal() for _ in range(3)]} for _ in range(count)]}

    def values(self) -> list[dict[str, Json]]:
        """List one object for every assignment, with a wrong member beside a missing one."""
        options: list[Json] = [None, 0, {}, {"x": 1}]
        if self.style != "nested":
            options = [None, 0] if self.style == "required" else [None, 0, 1]
        return [
            {name: value for name, value in zip(NAMES, chosen, strict=True) if value is not None}
            for chosen in product(options, repeat=len(NAMES))
        ]


@pytest.mark.parametrize("seed", range(120))
def test_propositions_are_decided_as_by_a_truth_table(seed: int) -> None:
    random = Random(f"propositions {seed}")
    drawn = Propositions(random)
    body = drawn.clauses(random.randint(8, 32)) if seed % 2 else drawn.formula(3)
    right: dict[str, Any] | bool = False if seed % 4 == 1 else drawn.formula(3)
    left: dict[str, Any] = {"type": "object", "allOf": [body]}
    judges = [jsonschema_rs.Draft202012Validator(schema) for schema in (left, right)]
    apart = next((v for v in drawn.values() if judges[0].is_valid(v) and not judges[1].is_valid(v)), None)
    outcome = ask(left, right)
    if apart is None:
        assert isinstance(outcome, Empty), (left, right, outcome)
    else:
        assert isinstance(outcome, Found), (left, right, apart)
        assert judges[0].is_valid(outcome.value), outcome.value
        assert not judges[1].is_valid(outcome.value), outcome.value


def pigeons(count: int, holes: int) -> dict[str, Any]:
    """Say that every pigeon sits in some hole, and no two in the same."""
    return {
        "type": "object",
        "properties": {f"p{n}": {"enum": [*range(holes)]} for n in range(count)},
        "required": [f"p{n}" for n in range(count)],
        "allOf": [
            {"not": {"required": [f"p{a}", f"p{b}"], "properties": {f"p{a}": {"const": h}, f"p{b}": {"const": h}}}}
            for a in range(count)
            for b in range(a)
            for h in range(holes)
        ],
    }


def test_as_many_pigeons_as_holes_fit() -> None:
    assert isinstance(ask(pigeons(4, 4), False), Found)


def test_one_pigeon_too_many_does_not_fit() -> None:
    assert isinstance(ask(pigeons(4, 3), False), Empty)


def test_too_small_a_budget_is_unknown_and_never_an_answer() -> None:
    for steps in (1, 10, 100, 1_000):
        outcome = ask(pigeons(7, 6), False, steps)
        assert isinstance(outcome, Unknown), (steps, outcome)
        assert "budget" in outcome.reason


def test_whatever_the_budget_no_answer_contradicts_another() -> None:
    random = Random("budgets")
    for _ in range(20):
        drawn = Propositions(random)
        left: Json = {"type": "object", **drawn.clauses(12)}
        kinds = {type(ask(left, False, steps)) for steps in (5, 20, 60, 150, 400, 100_000)}
        assert not kinds >= {Found, Empty}


def test_a_dead_alternative_does_not_answer_for_the_one_before_it() -> None:
    """With 10 or more, the first of the other two fails; the second always does: then 4 has to be tried."""
    dead: Json = {"multipleOf": 4, "not": {"multipleOf": 2}}
    high_or_four: Json = {"anyOf": [{"minimum": 10}, {"minimum": 4, "maximum": 5}]}
    outcome = ask({"type": "integer", "allOf": [high_or_four, {"anyOf": [{"maximum": 7}, dead]}]}, False)
    assert outcome == Found(4)


def test_a_conflict_rests_on_both_that_exclude_each_other() -> None:
    """What a reference stands for is seen late: below 10 excludes it, and 12 has to be tried."""
    dead = {"multipleOf": 4, "not": {"multipleOf": 2}}
    items = {"allOf": [{"anyOf": [{"exclusiveMaximum": 10}, {"const": 12}]}, {"anyOf": [{"$ref": "#/$defs/d"}, dead]}]}
    kind = {"type": ["array", "integer"], "minimum": 10, "items": {"type": "integer", **items}}
    assert said({"$defs": {"d": kind}, "$ref": "#/$defs/d", "type": "array", "minItems": 1}, False) == "out"


def test_what_excludes_one_part_of_a_value_is_not_held_against_another() -> None:
    """Four letters at least and two at most: learnt of `p`, and no reason for `q` not to have four."""
    members: dict[str, Json] = {
        "p": {"type": "string", "anyOf": [{"minLength": 4, "maxLength": 2}, {"pattern": "^k"}]},
        "q": {"type": "string", "anyOf": [{"minLength": 4, "pattern": "a"}, {"minLength": 4, "pattern": "b"}]},
    }
    found = ask({"type": "object", "properties": members, "required": ["p", "q"]}, False)
    assert isinstance(found, Found)
    assert said({"type": "object", "properties": members, "required": ["q", "p"]}, {"maxProperties": 1}) == "out"


def test_an_unknown_alternative_does_not_hide_a_known_one() -> None:
    unreadable = {"pattern": "(a)\\1"}
    assert said({"anyOf": [{"type": "string", **unreadable}, {"const": 1}]}, {"type": "string"}) == "out"
    assert said({"anyOf": [{"type": "string", **unreadable}, {"const": "x"}]}, {"type": "string"}) == "in"


def test_an_unknown_alternative_is_not_taken_for_a_refuted_one() -> None:
    unreadable = {"type": "string", "pattern": "^(a)\\1$"}
    assert said({"anyOf": [unreadable, {"const": "x"}]}, {"const": "x"}) == "open"
    assert said({"type": "string"}, {"not": unreadable}) == "open"


def test_an_unreadable_part_equals_itself_alone() -> None:
    unreadable = {"type": "string", "pattern": "^(a)\\1$"}
    assert said({**unreadable, "minLength": 1}, unreadable) == "in"
    assert said({**unreadable, "minLength": 1}, {"pattern": "^(b)\\1$"}) == "open"
    assert said({"allOf": [unreadable, {"not": unreadable}]}, False) == "in"
