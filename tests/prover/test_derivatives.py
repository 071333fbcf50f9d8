"""Terms and their derivatives: counters stay symbolic, like states are compared, depth does not follow length."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import islice, product
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compatgate.prover import derivatives, enumeration
from compatgate.prover.automata import first_word, included, words
from compatgate.prover.outlines import Outlines, is_wider
from compatgate.prover.regex import MAX_NESTING, parse
from compatgate.prover.terms import AT_END, LOOP, MARK

#: Frames that a caller may have on the stack already, of Python's thousand.
CALLER = 400


class _SpentError(Exception):
    pass


class _Meter:
    """Count what is spent, up to a limit."""

    def __init__(self, limit: int) -> None:
        self.spent = 0
        self._limit = limit

    def __call__(self, steps: int) -> None:
        self.spent += steps
        if self.spent > self._limit:
            raise _SpentError


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("^(?:ab|c){0,10000}$", "^(?:ab|c)*$", True),
        (r"^(?:\w+,){0,10000}$", r"^[\w,]*$", True),
        ("^[a-z]([a-z0-9]{0,10000})$", "^[a-z][a-z0-9]*$", True),
        ("^(ab){0,1000000000}$", "^(ab)*$", True),
        ("^(ab|c){3,1000000000}x{0,70000}$", "^(ab|c)*x*$", True),
        ("^(?:ab|c){0,30}$", "^(?:ab|c){0,29}$", "c" * 30),
        ("^(?:ab|cd){25,1000000000}$", "^(?:ab|cd){26,}$", "ab" * 25),
        ("^(?:ab){0,100}(?:cd){40}$", "^(?:ab)*(?:cd){0,39}$", "cd" * 40),
    ],
)
def test_counters_are_not_walked(left: str, right: str, expected: bool | str) -> None:
    meter = _Meter(5_000)
    assert included(parse(left), parse(right), meter) == expected


def test_a_name_longer_than_a_bound_is_made_and_not_searched_for() -> None:
    label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
    word = included(parse(rf"^(?:{label}\.)+{label}$"), parse("^[a-z0-9.-]{1,128}$"), meter := _Meter(20_000))
    assert isinstance(word, str)
    assert len(word) == 129
    assert meter.spent < 10_000


_COUNTED = st.builds(
    "(?:{}){{{},{}}}".format,
    st.sampled_from(["a", "ab", "ab|b", "a?b", "(?=ab)a|b", "(?<!b)b|a", "a{2,3}b"]),
    st.integers(0, 2),
    st.integers(2, 6),
)
_TEXTS = ["".join(text) for length in range(7) for text in product("ab", repeat=length)]


@settings(max_examples=150, deadline=None)
@given(st.lists(_COUNTED, min_size=1, max_size=3), st.lists(_COUNTED, min_size=1, max_size=2), st.integers(0, 2))
def test_comparing_by_counters_changes_no_answer(sought: list[str], other: list[str], low: int) -> None:
    must, must_not = parse("^" + "".join(sought) + "$"), parse("^" + "|".join(other) + "$")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(enumeration, "_LONG", 0)  # from the first character on
        patch.setattr(derivatives, "_MANY", 0)  # from the first term on
        compared = list(islice(words([must], [must_not], low, None, _Meter(200_000)), 6))
    plain = list(islice(words([must], [must_not], low, None, _Meter(200_000)), 6))
    assert compared == plain
    expected = [text for text in _TEXTS if len(text) >= low and must.matches(text) and not must_not.matches(text)]
    assert compared[: len(expected)] == expected[: len(compared)]


def test_like_terms_differ_in_their_bounds_only() -> None:
    cells: list[tuple[int, ...]] = [
        (0,),
        (1,),
        (2,),
        (MARK,),
        (LOOP, 7, 0, 5, AT_END),
        (LOOP, 7, 2, -1, AT_END),
        (LOOP, 8, 0, 5, AT_END),
        (LOOP, 9, 1, 1, 4),
        (LOOP, 9, 1, 1, 5),
        (LOOP, 9, 2, 2, 4),
    ]
    outlines = Outlines(cells)
    assert outlines.of(4)[0] == outlines.of(5)[0] != outlines.of(6)[0]
    assert outlines.of(7)[0] == outlines.of(8)[0] != outlines.of(9)[0]
    assert outlines.of(7)[1] == outlines.of(4)[1] == (0, 5, ())


def test_a_chain_of_many_counters_is_compared_in_its_outermost() -> None:
    cells: list[tuple[int, ...]] = [(0,), (1,), (2,), (MARK,)]
    for number in range(5_000):
        cells.append((LOOP, number, 0, 9, len(cells) - 1 if number else AT_END))
    top = len(cells) - 1
    cells.append((LOOP, 4_999, 0, 3, top - 1))
    outlines = Outlines(cells)
    wide, narrow = outlines.of(top), outlines.of(top + 1)
    assert wide[0] == narrow[0]
    assert is_wider(wide[1], narrow[1])
    assert not is_wider(narrow[1], wide[1])


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((), (), True),
        ((0, 5, ()), (1, 5, ()), True),
        ((0, 5, ()), (0, 6, ()), False),
        ((0, 5, ()), (0, -1, ()), False),
        ((2, -1, ()), (1, -1, ()), False),
        ((2, -1, ()), (2, 7, ()), True),
        ((0, 5, (0, 2, ())), (0, 5, (0, 3, ())), False),
        ((0, 5, (0, 3, ())), (1, 4, (1, 3, ())), True),
    ],
)
def test_wider_bounds_hold_the_others(one: tuple[object, ...], other: tuple[object, ...], expected: bool) -> None:
    assert is_wider(one, other) is expected


def _at_depth(frames: int, act: Callable[[], None]) -> None:
    if frames:
        _at_depth(frames - 1, act)
    else:
        act()


def _nested(opening: str, closing: str, levels: int = MAX_NESTING) -> str:
    return opening * levels + "b" + closing * levels


@pytest.mark.parametrize(
    "pattern",
    [
        _nested("(a|", "c)*"),
        _nested("(a|", "c){2,3}"),
        _nested("(?:a?", "c){0,3}"),
        _nested("(?=a|", ")") + "z",
        _nested("(?!a|", ")z"),
        _nested("(?=a*", ")z"),
        _nested("(?<=a|", ")") + "z",
        _nested("(?<!a*", ")z"),
        _nested("(?=x|(?<=a|", "))", MAX_NESTING // 2),
        _nested("(^a|", "$)*", 40),
        _nested(r"(^a|\b", "d$|e)*", 20),
        _nested(r"(\b|a", ")+", 50),
        "a?b?c?" * 2_000,
        "^(?:" + "a?b?c?" * 2_000 + ")*$",
        "^(?:" + "(?:a|bc)?" * 2_000 + "|x)y$",
        "^(?=" + "a?b?" * 2_000 + "$)z*",
        "|".join("a" * n + "b" for n in range(300)),
        "(?=.*a)" * 100 + "z",
        "(?<=a.*)" * 100 + "z",
        "x" * 10_000,
    ],
)
def test_depth_follows_neither_length_nor_much_of_nesting(pattern: str) -> None:
    assert sys.getrecursionlimit() <= 1_000

    def act() -> None:
        parsed = parse(pattern)
        for text in ("", "abcabz", "aaaab", "bccc"):
            parsed.matches(text)
        for must, must_not in ([parsed], []), ([], [parsed]):
            with suppress(_SpentError):
                first_word(must, must_not, 0, None, _Meter(3_000))

    _at_depth(CALLER, act)


@pytest.mark.parametrize(
    ("pattern", "matched", "unmatched"),
    [
        ("^(?:" + "a?b?c?" * 2_000 + ")*$", ["", "cba", "aaaa"], ["z", "abcz"]),
        ("^(?=" + "a?b?" * 2_000 + "$)z*", ["", "ba"], ["z", "abc"]),
        ("^" + "a?b?c?" * 2_000 + "$", ["ccc"], ["d"]),
        ("^" + "a*b*" * 100 + "$", ["ba" * 99], ["ba" * 101]),
    ],
)
def test_many_terms_with_the_same_end_are_walked_once(pattern: str, matched: list[str], unmatched: list[str]) -> None:
    started = process_time()
    parsed = parse(pattern)
    assert [parsed.matches(text) for text in matched] == [True] * len(matched)
    assert [parsed.matches(text) for text in unmatched] == [False] * len(unmatched)
    assert process_time() - started < 5
