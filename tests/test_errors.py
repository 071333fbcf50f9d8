"""Errors are one safe line, and keep their parts."""

from __future__ import annotations

import pickle
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compatgate.errors import (
    CompatgateError,
    IncompleteError,
    InputError,
    UsageError,
    Where,
    neutralise,
    to_json,
)

any_text = st.text(st.characters(exclude_categories=[]))  # lone surrogates too


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\u{001B}[31mred\\u{001B}[0m"),
        ("\x9b31m", "\\u{009B}31m"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\u202egpj.exe", "\\u{202E}gpj.exe"),
        ("\u2066a\u2069", "\\u{2066}a\\u{2069}"),
        ("pass\u200bword", "pass\\u{200B}word"),
        ("\ufeffx", "\\u{FEFF}x"),
        ("x\U000e0041", "x\\u{E0041}"),
        ("a\U000e0100b\ufe0f", "a\\u{E0100}b\\u{FE0F}"),
        ("\u3164name", "\\u{3164}name"),
        ("line\u2028sep\u2029", "line\\u{2028}sep\\u{2029}"),
        ("\ud800", "\\u{D800}"),
        ("\x00\x7f", "\\u{0000}\\u{007F}"),
        ("plain text, Ünïcode 漢字 😀", "plain text, Ünïcode 漢字 😀"),
    ],
)
def test_hidden_characters_become_visible(hostile: str, shown: str) -> None:
    assert neutralise(hostile) == shown


@given(any_text, st.integers(1, 40))
def test_the_result_is_one_drawable_line_within_its_limit(text: str, limit: int) -> None:
    shown = neutralise(text, limit)
    assert len(shown) <= limit
    assert all(unicodedata.category(character)[0] not in "C" for character in shown)
    assert all(unicodedata.category(character) not in ("Zl", "Zp") for character in shown)
    assert not any("\ud800" <= character <= "\udfff" for character in shown)


@given(any_text, st.integers(1, 40))
def test_cutting_is_said_and_never_leaves_half_an_escape(text: str, limit: int) -> None:
    whole, cut = neutralise(text, 10_000), neutralise(text, limit)
    if len(whole) <= limit:
        assert cut == whole
    else:
        assert cut.endswith("…")
        assert whole.startswith(cut[:-1])


def test_a_cut_escape_is_dropped_whole() -> None:
    assert neutralise("ab\x1bcd", 8) == "ab…"
    assert neutralise("ab\x1b", 10) == "ab\\u{001B}"
    assert neutralise("abc", 1) == "…"
    assert neutralise("", 0) == ""


def test_an_error_is_one_line_with_place_and_advice() -> None:
    error = InputError('duplicate key "a"', Where("tools.json", 3, 14, "/tools/0"), "keep one of them")
    assert str(error) == 'tools.json:3:14 at /tools/0: duplicate key "a"; keep one of them'
    assert (error.file, error.line, error.column, error.pointer) == ("tools.json", 3, 14, "/tools/0")


@pytest.mark.parametrize(
    ("where", "shown"),
    [
        (None, "wrong"),
        (Where("f.json"), "f.json: wrong"),
        (Where("f.json", 2), "f.json:2: wrong"),
        (Where(line=2, column=1), "line 2:1: wrong"),
        (Where(pointer=""), "at the root: wrong"),
        (Where(pointer="/a"), "at /a: wrong"),
    ],
)
def test_a_place_shows_what_is_known_of_it(where: Where | None, shown: str) -> None:
    assert str(CompatgateError("wrong", where)) == shown


def test_no_part_of_an_error_reaches_the_terminal_raw() -> None:
    error = InputError("bad \x1b[2J\n", Where("evil\x1b]0;x\x07.json", 1, 1, "/a\u202eb"), "try\nthis")
    line = str(error)
    assert line.isprintable()
    assert "\\u{001B}" in line
    assert "\\u{202E}" in line


def test_exit_codes_and_kinds() -> None:
    assert CompatgateError("x").exit_code == InputError("x").exit_code == UsageError("x").exit_code == 2
    assert IncompleteError("x").exit_code == 3
    for kind in (InputError, UsageError, IncompleteError):
        assert issubclass(kind, CompatgateError)


def test_an_error_survives_pickling_and_becomes_json() -> None:
    error = IncompleteError("half", Where("s.json", 1, 2, "/complete"), "again")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is IncompleteError
    assert str(copy) == str(error)
    assert to_json(copy) == {
        "error": "IncompleteError",
        "what": "half",
        "file": "s.json",
        "line": 1,
        "column": 2,
        "pointer": "/complete",
        "hint": "again",
    }
