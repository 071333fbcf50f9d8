"""Every rule fires on its own pair, with its impact in both directions, and stays silent on the pair close by."""

from __future__ import annotations

import re

import pytest

from compatgate.diff.catalogue import RULES
from compatgate.jsonio import Json
from compatgate.model import Impact
from tests.diff.fixtures import FIXTURES, Fixture
from tests.diff.test_law import Callers, Direction, check

#: Rules about tools as a whole and verdicts on sums of edits have tests of their own.
ELSEWHERE = {rule.id for rule in RULES.values() if rule.scope == "tool" or rule.kind == "verdict"}
BOTH: list[Direction] = ["input", "output"]


def _fired(old: Json, new: Json, direction: Direction, callers: Callers = "declared") -> dict[str, Impact]:
    return {change.rule: change.impact for change in check(old, new, direction, callers).changes}


def _name(fixture: Fixture) -> str:
    return fixture.rule


def test_every_rule_has_a_fixture() -> None:
    assert {fixture.rule for fixture in FIXTURES} | ELSEWHERE == set(RULES)
    assert len({fixture.rule for fixture in FIXTURES}) == len(FIXTURES)


@pytest.mark.parametrize("fixture", FIXTURES, ids=_name)
@pytest.mark.parametrize("direction", BOTH)
def test_a_rule_fires_with_its_impact(fixture: Fixture, direction: Direction) -> None:
    fired = _fired(fixture.old, fixture.new, direction)
    expected = fixture.input if direction == "input" else fixture.output
    assert fired.get(fixture.rule) is expected, fired


@pytest.mark.parametrize("fixture", FIXTURES, ids=_name)
@pytest.mark.parametrize("direction", BOTH)
def test_a_rule_stays_silent_where_it_does_not_apply(fixture: Fixture, direction: Direction) -> None:
    fired = _fired(*fixture.silent, direction)
    assert fired
    assert fixture.rule not in fired


@pytest.mark.parametrize("fixture", FIXTURES, ids=_name)
@pytest.mark.parametrize("direction", BOTH)
def test_the_opposite_edit_fires_the_mirror(fixture: Fixture, direction: Direction) -> None:
    mirror = RULES[fixture.rule].mirror
    if mirror is None:
        assert RULES[fixture.rule].alone
        return
    expected = fixture.input if direction == "input" else fixture.output
    if expected is not None:
        assert mirror in _fired(fixture.new, fixture.old, direction)


@pytest.mark.parametrize("fixture", FIXTURES, ids=_name)
@pytest.mark.parametrize("callers", ["declared", "any"])
@pytest.mark.parametrize("direction", BOTH)
def test_old_against_old_is_silent_and_the_law_holds(fixture: Fixture, callers: Callers, direction: Direction) -> None:
    for schema in (fixture.old, fixture.new):
        assert _fired(schema, schema, direction, callers) == {}
    for old, new in ((fixture.old, fixture.new), (fixture.new, fixture.old)):
        check(old, new, direction, callers)


def test_mirrors_are_mutual_and_ids_are_kebab_case() -> None:
    for rule in RULES.values():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.id)
        assert rule.summary.endswith(".")
        assert rule.why.endswith(".")
        if rule.mirror is None:
            assert rule.alone
        else:
            assert RULES[rule.mirror].mirror == rule.id
