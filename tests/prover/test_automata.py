"""Words of sets of patterns: exact first words, order, ends, lengths."""

from __future__ import annotations

from itertools import islice

import pytest

from compatgate.prover.automata import Engine, first_word, included, is_empty, words
from compatgate.prover.regex import parse


def _free(_: int) -> None:
    pass


def _first(count: int, must: list[str], must_not: list[str], low: int = 0, high: int | None = None) -> list[str]:
    found = words([parse(p) for p in must], [parse(p) for p in must_not], low, high, _free)
    return list(islice(found, count))


@pytest.mark.parametrize(
    ("must", "must_not", "low", "high", "expected"),
    [
        ([], [], 0, None, ""),
        ([], [], 5, None, "aaaaa"),
        ([], [], 5, 3, None),
        ([""], [], 0, None, ""),
        ([], [""], 0, None, None),
        ([], ["a"], 3, None, "bbb"),
        (["^x-"], [], 0, None, "x-"),
        (["^x-"], ["^x-$"], 0, None, "x-a"),
        (["^x-"], [], 5, 5, "x-aaa"),
        (["a^"], [], 0, None, None),
        (["$a"], [], 0, None, None),
        (["^a|b$"], ["^a"], 0, None, "b"),
        (["a"], ["^a"], 0, None, "ba"),
        (["a"], ["[ab]"], 0, None, None),
        (["^[A-Za-z0-9_-]{1,128}$"], ["^[a-z0-9_-]{1,64}$"], 0, None, "A"),
        (["^[a-z0-9_-]{1,64}$"], ["^[a-z0-9_-]{1,63}$"], 0, None, "a" * 64),
        (["^[A-Za-z0-9]{1,256}$"], ["^[A-Za-z0-9]{1,255}$"], 0, None, "a" * 256),
        (["^.{1,64}$"], [], 65, None, None),
        ([r"^[\s\S]{1,64}$"], [], 0, 0, None),
        ([], [r"^[\s\S]{1,64}$"], 1, None, "a" * 65),
        ([], ["^.{1,64}$"], 1, None, "\n"),
        (["^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"], ["^[0-9a-f-]{36}$"], 0, None, None),
        (["^[0-9a-f-]{36}$"], ["^[0-9a-f]{8}-[0-9a-f]{4}-"], 0, None, "a" * 36),
        ([r"^\d{4}-\d{2}-\d{2}$"], [], 0, None, "0000-00-00"),
        ([r"^\d{4}-\d{2}-\d{2}$"], [], 11, None, None),
        (["@"], [r"^[^@\s]+@[^@\s]+\.[^@\s]+$"], 0, None, "@"),
        ([r"^[^@\s]+@[^@\s]+\.[^@\s]+$"], [], 0, None, "a@a.a"),
        (["^a", "b$"], ["^a.*b$"], 0, None, "a\nb"),
        (["^a+$"], ["^aaa$"], 3, 3, None),
        (["^[a-z]+$"], ["^(?!foo)[a-z]+$"], 0, None, "foo"),
        (["^(?!foo)[a-z]+$"], ["^[a-z]+$"], 0, None, None),
        ([r"^\bfoo\b$"], ["^foo$"], 0, None, None),
        (["^foo$"], [r"^\bfoo\b$"], 0, None, None),
        (["^[0-9]+$"], ["^(0|[1-9][0-9]*)$"], 0, None, "00"),
        (["^(0|[1-9][0-9]*)$"], ["^[0-9]+$"], 0, None, None),
        ([r"^v?[0-9]+(\.[0-9]+){2}$"], ["^[v0-9.]+$"], 0, None, None),
        (["^([a-d]{2})*$"], ["^(ab|cd)*$"], 0, None, "aa"),
        (["^(ab|cd)*$"], ["^([a-d]{2})*$"], 0, None, None),
        (["^(a*)*b$"], ["^a*b$"], 0, None, None),
        (["^(?:a?){20}a{20}$"], ["^a{20,40}$"], 0, None, None),
        (["^a{20,40}$"], ["^(?:a?){20}a{20}$"], 0, None, None),
        (["^[ab]*a[ab]{6}$"], ["^[ab]{7,}$"], 0, None, None),
        (["^[ab]{7,}$"], ["^[ab]*a[ab]{6}$"], 0, None, "baaaaaa"),
        ([r"^\p{L}+$"], ["^[^0-9]+$"], 0, None, None),
        (["^.*$"], [r"^[^\n]*$"], 0, None, None),
        ([r"^[^\n]*$"], ["^.*$"], 0, None, "\r"),
        ([r"^[\w.-]+$"], ["^[A-Za-z0-9_.-]+$"], 0, None, None),
        (["^(?=.*[A-Z])(?=.*[0-9]).{4,}$"], [], 0, None, "aa0A"),
        (["(?<=a)b"], ["^ab"], 0, None, "aab"),
        (["^[^a-zA-Z0-9]$"], [], 0, None, "_"),
        ([r"^[^\w.-]$"], [], 0, None, "!"),
        (["^[\\x00-\\x20]$"], [], 0, None, " "),
        (["^[\\x00-\\x1f]$"], [], 0, None, "\n"),
        (["^[\\x00-\\x08\\x0b]$"], [], 0, None, "\0"),
        (["^[^\\x00-\\x7f]$"], [], 0, None, "¡"),
        (["^(a{7})+$", "^(a{5})+$"], [], 1, None, "a" * 35),
        (["^(ab)+$"], [], 3, 3, None),
        (["^.{1,1000}x$"], ["^.{2,1000}x$"], 0, None, "ax"),
        (["^a{0,500}$"], ["^a{0,499}$"], 0, None, "a" * 500),
        (["^(a{0,500}){0,500}$"], ["^a*$"], 0, None, None),
    ],
)
def test_the_first_word_is_exactly_this(
    must: list[str], must_not: list[str], low: int, high: int | None, expected: str | None
) -> None:
    patterns, others = [parse(p) for p in must], [parse(p) for p in must_not]
    assert first_word(patterns, others, low, high, _free) == expected
    assert is_empty(patterns, others, low, high, _free) is (expected is None)


def test_words_come_in_the_order_of_length_and_choice() -> None:
    assert _first(7, ["^[1Bb-]{1,2}$"], []) == ["b", "1", "B", "-", "bb", "b1", "bB"]
    assert _first(5, [], []) == ["", "a", "b", "c", "d"]
    assert _first(4, ["^(a|bb)+$"], []) == ["a", "aa", "bb", "aaa"]


def test_a_finite_set_is_enumerated_whole() -> None:
    assert _first(99, ["^[ab]{1,2}c?$"], ["^b"]) == ["a", "aa", "ab", "ac", "aac", "abc"]
    assert _first(999, ["^[\\x00-\\x7f]$"], [])[-1] == "\x7f"
    assert len(_first(999, ["^[\\x00-\\x7f]$"], [])) == 128
    # Every scalar value but the line ends is reached, none twice, never a surrogate.
    everything = _first(2_000_000, ["^.$"], [])
    assert len(everything) == len(set(everything)) == 0x110000 - 2048 - 4
    assert not any("\ud800" <= character <= "\udfff" for character in everything)


@pytest.mark.parametrize(
    ("must", "low", "expected"),
    [([], 1_000_000, 1_000_000), (["^(ab)+$"], 999_999, 1_000_000), (["^(a|bbb)*c$"], 1_000_000, 1_000_000)],
)
def test_a_great_length_costs_no_more_than_its_word(must: list[str], low: int, expected: int) -> None:
    spent = 0

    def spend(steps: int) -> None:
        nonlocal spent
        spent += steps

    word = first_word([parse(p) for p in must], [], low, None, spend)
    assert word is not None
    assert len(word) == expected
    assert all(parse(p).matches(word) for p in must)
    assert spent < expected + 1_000


@pytest.mark.parametrize("must", [["^a{3}$"], ["^(ab)+$", "^(aba)+$"], ["^[ab]+c$", "^c"]])
def test_a_great_length_without_words_is_decided_at_once(must: list[str]) -> None:
    spent = 0

    def spend(steps: int) -> None:
        nonlocal spent
        spent += steps

    assert is_empty([parse(p) for p in must], [], 1_000_000, 1_000_000_000, spend)
    assert spent < 500


def test_a_spent_budget_leaves_the_engine_in_order() -> None:
    engine = Engine()
    question = ([parse("^([ab]{2,9}c|d+)*$")], [parse("^(a|b|c|d{2})*$")])
    complete = list(islice(words(*question, 0, None, _free), 20))
    for budget in range(1, 120, 7):
        left = budget

        def spend(steps: int) -> None:
            nonlocal left
            left -= steps
            if left < 0:
                raise TimeoutError

        try:
            first_word(*question, 0, None, spend, engine)
        except TimeoutError:
            continue
    assert list(islice(words(*question, 0, None, _free, engine), 20)) == complete


def test_included_gives_the_first_counterexample() -> None:
    assert included(parse("^ab?$"), parse("^a[bc]?$"), _free) is True
    assert included(parse("^a[bc]?$"), parse("^ab?$"), _free) == "ac"
    assert included(parse("(?=a)b"), parse("x"), _free) is True
