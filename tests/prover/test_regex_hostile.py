"""Patterns made to hurt end in time: with an answer, or with the budget spent where it was counted."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest

from compatgate.prover.automata import first_word
from compatgate.prover.regex import Opaque, parse

#: Steps of a budget and the seconds of CPU that they may take: the machine of a busy CI is slow.
STEPS = 50_000
SECONDS = 5.0


class _SpentError(Exception):
    pass


def _ask(must: list[str], must_not: list[str], low: int = 0) -> str | None:
    left = STEPS

    def spend(steps: int) -> None:
        nonlocal left
        left -= steps
        if left < 0:
            raise _SpentError

    return first_word([parse(p) for p in must], [parse(p) for p in must_not], low, None, spend)


_WORDS = sorted({"".join(Random(n).choices("abcdefghij", k=3 + n % 6)) for n in range(400)})
_OPTIONAL = "".join(f"{chr(97 + n % 26)}?" for n in range(1_000))


@pytest.mark.parametrize(
    ("must", "must_not", "expected"),
    [
        (["^" + "(" * 40 + "(a|a)*b" + ")*" * 40 + "$"], ["^[ab]*$"], None),
        (["^(a{0,500}){0,500}$"], ["^a*$"], None),
        (["^((a{0,500}){0,500}){0,500}$"], ["^a{0,125000000}$"], None),
        (["^a{1,1000000000}$"], ["^a*$"], None),
        (["^(a+)+$"], ["^a+$"], None),
        (["^(a|aa)+$"], ["^a*$"], None),
        (["^(.*a){20}$"], ["a"], None),
        ([".{1,1000}x"], ["x"], None),
        (["^.{1,1000}x$"], ["^.{3,999}x$"], "ax"),
        (["^(" + "|".join(_WORDS) + ")$"], ["^(" + "|".join(reversed(_WORDS)) + ")$"], None),
        (["^(" + "|".join(_WORDS) + ")$"], ["^(" + "|".join(_WORDS[1:]) + ")$"], _WORDS[0]),
        (["^" + "a?" * 1_000 + "$"], ["^a{0,999}$"], "a" * 1_000),
        (["(?=.*" * 30 + "a" + ")" * 30], ["a"], None),
        (["^" + "(?!.*" * 30 + "a" + ")" * 30], ["a"], None),
        ([r"^(\b\w+\b\W?)+$"], [r"^[\w\W]*$"], None),
        (["(?<=(?<=(?<=a)b)c)d"], ["abcd"], None),
        (["^[ab]*a[ab]{40}$"], ["^[ab]{41,}$"], None),
        (["^[ab]*a[ab]{40}$"], ["^[ab]*b[ab]{40}$"], "a" * 41),
        (["^[ab]{31,}$"], ["^[ab]*a[ab]{30}$"], "b" + "a" * 30),
    ],
)
def test_a_hostile_pattern_is_answered(must: list[str], must_not: list[str], expected: str | None) -> None:
    started = process_time()
    assert _ask(must, must_not) == expected
    assert process_time() - started < SECONDS


@pytest.mark.parametrize(
    ("must", "must_not"),
    [
        (["^(a{1,500}b?){0,500}$"], ["^(ab?){0,500}$"]),
        (["^(" + _OPTIONAL + ")+$"], ["^[a-z]*$"]),
        (["^(" + _OPTIONAL + "){2,1000}$"], ["^" + _OPTIONAL + "$"]),
        (["x.{3000}$"], ["y.{2999}$"]),
        (["^[ab]*a[ab]{60}$", "^[ab]*b[ab]{61}$"], ["^(a|b[ab]{30})*$"]),
        (["^" + "".join(f"(?=.*{chr(97 + n)})" for n in range(26))], []),
        ([f"^(a{{{n}}})+$" for n in (101, 103, 107, 109)], []),
        (["^(" + "((a|b)*c){2,40}" * 20 + ")$"], ["^(a|b|c){1,400}$"]),
        (["a" * 5_000 + "b" * 5_000], ["b" * 5_000 + "a" * 5_000]),
    ],
)
def test_a_hostile_pattern_is_answered_or_its_budget_is_spent(must: list[str], must_not: list[str]) -> None:
    started = process_time()
    try:
        word = _ask(must, must_not)
    except (_SpentError, Opaque):
        word = None
    assert process_time() - started < SECONDS
    if word is not None:
        assert all(parse(p).matches(word) for p in must)
        assert not any(parse(p).matches(word) for p in must_not)


def test_a_matcher_forgets_states_and_still_answers() -> None:
    pattern = parse("^[ab]*a[ab]{40}$")
    text = "".join(Random(7).choices("ab", k=20_000))
    for end in range(19_995, 20_000):
        assert pattern.matches(text[:end]) is (text[end - 41] == "a")
