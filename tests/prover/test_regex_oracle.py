"""Compare with an independent ECMA-262 engine on random patterns: matches, words, ends, and the laws of inclusion."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import islice, product

import corvus_regex_ecma262
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from compatgate.prover import scouting
from compatgate.prover.automata import Engine, included, words
from compatgate.prover.enumeration import Enumeration
from compatgate.prover.regex import NotEcma, Opaque, parse
from compatgate.prover.unicode_sets import property_set

#: Every text over a small alphabet: letters that patterns name, one they do not, a word edge, a line end.
TEXTS = ["".join(text) for length in range(5) for text in product("abc-\n" if length < 4 else "ab-", repeat=length)]

_ATOMS = ["a", "b", "-", "a", "b", "[ab]", "[^a]", "[b-]", ".", r"\w", r"\W", r"\n", r"\s", "[^]", r"\x61", r"\p{L}"]
_EDGES = ["^", "$", r"\b", r"\B"]
_QUANTIFIERS = ["*", "+", "?", "*?", "+?", "{2}", "{1,2}", "{0,3}", "{2,}", "{0}"]
_GROUPS = ["(?:{})", "({})"]
_LOOKS = ["(?={})", "(?!{})", "(?<={})", "(?<!{})"]


@st.composite
def _sequences(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    parts = draw(st.lists(inner, max_size=3))
    return "".join(parts)


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    bodies = st.lists(_sequences(inner), min_size=1, max_size=2).map("|".join)
    grouped = st.builds(str.format, st.sampled_from(_GROUPS), bodies)
    looks = st.builds(str.format, st.sampled_from(_LOOKS), bodies)
    return st.one_of(
        grouped,
        st.builds(str.__add__, grouped, st.sampled_from(_QUANTIFIERS)),
        st.builds(str.__add__, st.sampled_from(_ATOMS), st.sampled_from(_QUANTIFIERS)),
        looks,
    )


_TERMS = st.recursive(st.one_of(st.sampled_from(_ATOMS), st.sampled_from(_EDGES)), _larger, max_leaves=8)
PATTERNS = st.lists(_sequences(_TERMS), min_size=1, max_size=3).map("|".join)
#: A pattern that has to match the whole text tells more texts apart.
ANCHORED = st.builds("^(?:{})$".format, PATTERNS)
SOME = st.one_of(PATTERNS, ANCHORED)


class _SpentError(Exception):
    pass


def _budget(steps: int = 60_000) -> Callable[[int], None]:
    left = steps

    def spend(amount: int) -> None:
        nonlocal left
        left -= amount
        if left < 0:
            raise _SpentError

    return spend


@lru_cache(maxsize=256)
def _oracle(pattern: str) -> corvus_regex_ecma262.Regex:
    return corvus_regex_ecma262.compile(pattern, "u")


def _matched(pattern: str) -> set[str]:
    oracle = _oracle(pattern)
    return {text for text in TEXTS if oracle.test(text)}


@settings(max_examples=400)
@given(SOME)
def test_it_matches_what_the_other_engine_matches(pattern: str) -> None:
    parsed = parse(pattern)
    assert {text for text in TEXTS if parsed.matches(text)} == _matched(pattern)


@settings(max_examples=200)
@given(st.lists(SOME, max_size=2), st.lists(SOME, max_size=2), st.integers(0, 2), st.sampled_from([None, 1, 2, 3]))
def test_words_are_exactly_the_words(must: list[str], must_not: list[str], low: int, high: int | None) -> None:
    def belongs(text: str) -> bool:
        return all(_oracle(p).test(text) for p in must) and not any(_oracle(p).test(text) for p in must_not)

    top = 3 if high is None else high
    expected = {text for text in TEXTS if low <= len(text) <= top and belongs(text)}
    narrow = parse(r"^[abc\-\n]*$")  # so that the words can be listed to the end
    try:
        found = list(words([*map(parse, must), narrow], [*map(parse, must_not)], low, top, _budget()))
        free = list(islice(words([*map(parse, must)], [*map(parse, must_not)], low, high, _budget()), 5))
    except _SpentError:
        reject()
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert [len(text) for text in found] == sorted(len(text) for text in found)
    assert all(belongs(text) and low <= len(text) and (high is None or len(text) <= high) for text in free)
    assert bool(free) or not expected
    if expected:
        assert len(free[0]) <= min(len(text) for text in expected)


@settings(max_examples=200)
@given(SOME, SOME)
def test_inclusion_is_decided_with_a_shortest_counterexample(left: str, right: str) -> None:
    try:
        answer = included(parse(left), parse(right), _budget())
    except _SpentError:
        reject()
    between = _matched(left) - _matched(right)
    if answer is True:
        assert not between
    else:
        assert isinstance(answer, str)
        assert _oracle(left).test(answer)
        assert not _oracle(right).test(answer)
        assert len(answer) <= min((len(text) for text in between), default=len(answer))


@settings(max_examples=60)
@given(SOME, SOME)
def test_complement_and_pattern_part_the_texts(one: str, other: str) -> None:
    a, b = parse(one), parse(other)
    try:
        assert next(words([a], [a], 0, None, _budget()), None) is None
        inside = set(words([b, a, parse("^[ab-]{0,2}$")], [], 0, None, _budget()))
        outside = set(words([b, parse("^[ab-]{0,2}$")], [a], 0, None, _budget()))
        whole = set(words([b, parse("^[ab-]{0,2}$")], [], 0, None, _budget()))
    except _SpentError:
        reject()
    assert not inside & outside
    assert inside | outside == whole


@settings(max_examples=60)
@given(SOME, SOME, SOME)
def test_intersection_commutes_and_a_further_pattern_only_narrows(one: str, two: str, three: str) -> None:
    a, b, c = parse(one), parse(two), parse(three)
    try:
        both = list(islice(words([a, b], [], 0, 4, _budget()), 10))
        assert both == list(islice(words([b, a], [], 0, 4, _budget()), 10))
        assert both == list(islice(words([a, b, a], [], 0, 4, _budget()), 10))
        narrower = list(islice(words([a, b, c], [], 0, 4, _budget()), 10))
        without = list(islice(words([a, b], [c], 0, 4, _budget()), 10))
    except _SpentError:
        reject()
    assert all(a.matches(text) and b.matches(text) for text in narrower + without)
    # The words of the two parts, put together, begin with the words of the whole.
    if both:
        assert both[0] in (*narrower[:1], *without[:1])
    else:
        assert not narrower
        assert not without


@settings(max_examples=60)
@given(SOME, SOME, SOME)
def test_inclusion_is_reflexive_and_transitive(one: str, two: str, three: str) -> None:
    a, b, c = parse(one), parse(two), parse(three)
    same = parse(f"(?:{one})")
    try:
        assert included(a, same, _budget()) is True
        assert included(same, a, _budget()) is True
        if included(a, b, _budget()) is True and included(b, c, _budget()) is True:
            assert included(a, c, _budget()) is True
        assert included(a, parse(f"(?:{one})|(?:{two})"), _budget()) is True
    except _SpentError:
        reject()


@settings(max_examples=200)
@given(st.lists(SOME, max_size=2), st.lists(SOME, max_size=2), st.integers(0, 3), st.sampled_from([None, 2, 5]))
def test_scouts_find_the_very_word_that_comes_first(
    must: list[str], must_not: list[str], low: int, high: int | None
) -> None:
    # Bounds that a pattern itself sets are taken out of the product: one more class keeps them in.
    wanted = tuple(parse(f"(?:{p})|^x\\b$") for p in must)
    product = Engine().product(wanted, tuple(parse(f"(?:{p})|^y\\b$") for p in must_not))
    if product.start is None or (high is not None and high < low):
        return
    try:
        scouted = scouting.first_word(product, low, high, _budget())
        listed = next(Enumeration(product, _budget()).between(low, high), None)
    except _SpentError:
        reject()
    assert scouted == listed


_TOKENS = [
    *(
        "a",
        "b",
        "1",
        "(",
        "(?:",
        "(?=",
        "(?!",
        "(?<=",
        "(?<!",
        "(?<n>",
        "(?<m>",
        ")",
        ")",
        "[",
        "[^",
        "]",
        "-",
        "*",
        "+",
    ),
    *(
        "?",
        "{",
        "}",
        "{1}",
        "{1,",
        "{2,1}",
        "{0,2}",
        "{,1}",
        "|",
        "^",
        "$",
        ".",
        "\\",
        r"\b",
        r"\B",
        r"\d",
        r"\w",
        r"\s",
    ),
    *(r"\c", r"\cA", r"\x4", r"\x41", r"\u0041", r"\u{41}", r"\u", r"\u{", r"\0", r"\1", r"\2", r"\8", r"\k", r"\k<n>"),
    *(r"\-", r"\/", r"\]", r"\_", r"\n", r"\p{L}", r"\p", r"\e", "_", "=", "!", "<", ">", ",", "é", r"\é"),
]
_SHORT = ["".join(text) for length in range(3) for text in product("ab1-", repeat=length)]
_SHORT += ["_", "\\", "{", "}", "c", "k", "x", "u", "p", "e", "\x01", "A", "(", ")", "]", "\0", "8", "\x02", "é", "a]"]


@settings(max_examples=1_500)
@given(st.lists(st.sampled_from(_TOKENS), min_size=1, max_size=7).map("".join))
def test_both_grammars_accept_what_the_other_engine_accepts(text: str) -> None:
    flags = next((flags for flags in ("u", "") if corvus_regex_ecma262.is_valid(text, flags)), None)
    try:
        parsed = parse(text)
    except NotEcma:
        assert flags is None
    except Opaque:
        assert flags is not None
    else:
        assert flags is not None
        oracle = corvus_regex_ecma262.compile(text, flags)
        assert [t for t in _SHORT if parsed.matches(t)] == [t for t in _SHORT if oracle.test(t)]


@pytest.mark.parametrize("name", ["L", "Lu", "Ll", "Lt", "LC", "M", "N", "Nd", "P", "Sc", "Zs", "Cf", "White_Space"])
def test_properties_agree_on_every_character_assigned_here(name: str) -> None:
    everything = "".join(
        chr(point) for point in range(0x110000) if unicodedata.category(chr(point)) not in ("Cn", "Cs", "Co")
    )
    theirs = {match.group(0) for match in corvus_regex_ecma262.compile(rf"\p{{{name}}}", "u").finditer(everything)}
    intervals = property_set(name)
    assert intervals is not None
    ours = {chr(point) for low, high in intervals for point in range(low, high + 1)}
    # A later edition of Unicode may move single characters to another category.
    assert len(ours ^ theirs) <= 5
    assert len(ours) > 3
