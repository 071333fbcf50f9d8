"""Every rule fires where it should, is silent close by, has a mirror or says why not, and has its page."""

from __future__ import annotations

from typing import Any

import pytest

from compatgate.drift import verdict_of_request
from compatgate.jsonio import Json
from compatgate.rules import CATALOGUE, RULES, Rule, explain, near
from tests.rules.fixtures import FIXTURES, named
from tests.verdict.suite import Exchange

BY_RULE = pytest.mark.parametrize("rule", CATALOGUE, ids=[rule.id for rule in CATALOGUE])
#: The table of mcp-drift/1: category -> severity and relation.
REFERENCE = {
    "TOOL_REMOVED": ("breaking", "PROVEN_NOT_SUBSET"),
    "CAPABILITY_ADDED": ("review", "NOT_APPLICABLE"),
    "INPUT_CONTRACT_RELAXED": ("info", "PROVEN_SUBSET"),
    "OUTPUT_CONTRACT_NARROWED": ("info", "PROVEN_SUBSET"),
    "INPUT_CONTRACT_NARROWED": ("breaking", "PROVEN_NOT_SUBSET"),
    "OUTPUT_CONTRACT_WIDENED": ("breaking", "PROVEN_NOT_SUBSET"),
    "INPUT_RELATION_UNKNOWN": ("review", "UNKNOWN"),
    "OUTPUT_RELATION_UNKNOWN": ("review", "UNKNOWN"),
    "MODEL_OR_UI_METADATA_CHANGED": ("review", "NOT_APPLICABLE"),
    "OPAQUE_METADATA_CHANGED": ("review", "NOT_APPLICABLE"),
    "ICON_SURFACE_CHANGED": ("review", "NOT_APPLICABLE"),
    "ACTIVE_ICON_SURFACE_ADDED": ("security", "NOT_APPLICABLE"),
    "READ_ONLY_WEAKENED": ("security", "NOT_APPLICABLE"),
    "OPEN_WORLD_EXPANDED": ("security", "NOT_APPLICABLE"),
    "DESTRUCTIVE_RISK_INCREASED": ("security", "NOT_APPLICABLE"),
    "IDEMPOTENCY_WEAKENED": ("security", "NOT_APPLICABLE"),
    "ANNOTATION_CHANGED": ("review", "NOT_APPLICABLE"),
    "TASK_SUPPORT_RELAXED": ("info", "PROVEN_SUBSET"),
    "TASK_SUPPORT_INCOMPATIBLE": ("breaking", "PROVEN_NOT_SUBSET"),
    "PROTOCOL_FEATURE_GONE": ("review", "NOT_APPLICABLE"),
}


def categories(exchange: Exchange, *, reverse: bool = False) -> set[str]:
    """Return the categories that an exchange, or its opposite, gives."""
    request: dict[str, Json] = exchange.request
    if reverse:
        request = {**request, "baseline": request["current"], "current": request["baseline"]}
    answer, status = verdict_of_request(request, exchange.options)
    assert status == 200, answer
    findings: Any = answer["findings"]
    return {finding["category"] for finding in findings}


def test_every_rule_has_fixtures() -> None:
    assert FIXTURES.keys() == RULES.keys()
    assert len(RULES) == len(CATALOGUE)


@BY_RULE
def test_a_rule_fires(rule: Rule) -> None:
    assert rule.category in categories(named(FIXTURES[rule.id][0]))


@BY_RULE
def test_a_rule_is_silent_close_by(rule: Rule) -> None:
    assert rule.category not in categories(named(FIXTURES[rule.id][1]))


@BY_RULE
def test_the_opposite_fires_the_mirror(rule: Rule) -> None:
    if rule.mirror is None:
        assert rule.alone
        assert rule.category not in categories(named(FIXTURES[rule.id][0]), reverse=True) or "unknown" in rule.id
        return
    assert not rule.alone
    assert RULES[rule.mirror].category in categories(named(FIXTURES[rule.id][0]), reverse=True)


@BY_RULE
def test_a_row_is_complete(rule: Rule) -> None:
    assert rule.id == rule.id.lower()
    assert rule.category.replace("_", "-").lower() == rule.id
    assert (rule.tool is None) != (rule.server is None)
    assert rule.summary.endswith(".")
    assert rule.why.endswith(".")
    assert rule.sources
    if rule.reference:
        assert REFERENCE[rule.category] == (rule.severity, rule.relation.value)


def test_all_of_the_reference_is_there_and_what_is_ours_is_said_to_be() -> None:
    assert {rule.category for rule in CATALOGUE if rule.reference} == REFERENCE.keys()


@BY_RULE
def test_a_page_tells_everything_of_a_rule(rule: Rule) -> None:
    page = explain(rule.id)
    assert page is not None
    assert page == explain(rule.category)
    for text in (rule.id, rule.category, rule.summary, rule.why, rule.severity, *rule.sources):
        assert text in page


def test_what_is_no_rule_has_no_page_but_a_neighbour() -> None:
    assert explain("no-such-rule") is None
    assert near("hidden-characters-add") == "hidden-characters-added"
    assert near("zzzzzzzz") is None
