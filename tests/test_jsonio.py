"""Strict JSON: what is accepted is kept exactly, what is refused is refused at its place."""

from __future__ import annotations

import io
import json
import sys
import time
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compatgate import jsonio
from compatgate.errors import InputError
from compatgate.jsonio import LINE_LIMITS, Json, Limits, dumps, loads, locate, pointer, read_lines
from compatgate.jsonio._scan import Scanner

texts = st.text(st.characters(exclude_categories=["Cs"]))
decimals = st.decimals(allow_nan=False, allow_infinity=False).filter(lambda value: value.adjusted() < 308)
scalars = st.none() | st.booleans() | st.integers() | decimals | texts
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4))


def refusal(text: str | bytes, limits: Limits | None = None) -> InputError:
    with pytest.raises(InputError) as caught:
        loads(text, source="f.json", limits=limits or Limits())
    line = str(caught.value)
    assert line.isprintable()
    assert line.startswith("f.json")
    return caught.value


def careful(text: str, limits: Limits | None = None) -> Json:
    return Scanner(text, "f.json", limits or Limits()).read()


def same(left: Json, right: Json) -> bool:
    """Compare values with their types and the spelling of decimals."""
    if type(left) is not type(right):
        return False
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(same(left[name], right[name]) for name in left)
    if isinstance(left, Decimal):
        return str(left) == str(right)
    return left == right


# Round trips and agreement with the standard library


def _written(value: Json) -> Json:
    """A Decimal without fraction and exponent is written like an integer, and read as one."""
    if isinstance(value, list):
        return [_written(item) for item in value]
    if isinstance(value, dict):
        return {name: _written(item) for name, item in value.items()}
    if isinstance(value, Decimal) and str(value).lstrip("-").isdigit():
        return int(value)
    return value


@given(values, st.sampled_from([None, 0, 2]), st.booleans())
def test_what_is_written_is_read_back_exactly(value: Json, indent: int | None, ascii_only: bool) -> None:
    text = dumps(value, indent=indent, ascii_only=ascii_only)
    expected = _written(value)
    assert same(loads(text), expected)
    assert same(loads(text.encode()), expected)
    assert same(careful(text), expected)
    assert not ascii_only or text.isascii()


@given(values)
def test_the_text_of_an_accepted_document_is_stable(value: Json) -> None:
    once = dumps(loads(dumps(value)))
    assert dumps(loads(once)) == once


@given(values, st.sampled_from([None, 1, 4]))
def test_layout_is_that_of_the_standard_library(value: Json, indent: int | None) -> None:
    plain = json.loads(dumps(value), parse_float=str)
    assert dumps(plain, indent=indent) == json.dumps(plain, indent=indent, ensure_ascii=False)
    assert dumps(plain, sort_keys=True, ascii_only=True) == json.dumps(plain, sort_keys=True)


_WORDS = r'{ } [ ] , : "a" "b" " 1 - 0 .5 1.5 e3 E+400 true null NaN Infinity \ \ud83d \ude00 \u0041 x'.split()
_PAIR, _NO_PAIR = '"\\ud83d\\ude00"', '"\\\\ud800"'
pieces = st.sampled_from([*_WORDS, _PAIR, _NO_PAIR, "é", "\x00", "\t", " ", "\n", "\ufeff", "'", "\ud800", "٣"])


@given(st.lists(pieces, max_size=12).map("".join))
def test_the_fast_path_accepts_what_the_careful_scanner_accepts(text: str) -> None:
    try:
        expected: Json | InputError = careful(text.removeprefix("\ufeff"))
    except InputError as error:
        expected = error
    try:
        got: Json | InputError = loads(text, source="f.json")
    except InputError as error:
        got = error
    if isinstance(expected, InputError):
        assert isinstance(got, InputError)
        assert str(got) == str(expected)
    else:
        assert not isinstance(got, InputError)
        assert same(got, expected)


def _strict(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError
    return dict(pairs)


def _no_constant(name: str) -> object:
    raise ValueError(name)


@given(st.lists(pieces, max_size=12).map("".join))
def test_what_is_accepted_is_what_the_standard_library_accepts_but_for_the_named_refusals(text: str) -> None:
    try:
        expected = json.loads(text, object_pairs_hook=_strict, parse_constant=_no_constant, parse_float=Decimal)
        dumped = json.dumps(expected, ensure_ascii=False, default=str)
        dumped.encode("utf-8")  # lone surrogates
        accepted = "E+400" not in text and "e3E+400" not in text
    except (ValueError, UnicodeEncodeError):
        accepted = False
    if "E+400" in text or text.startswith("\ufeff"):
        return  # the range of numbers and the byte order mark are ours, tested by themselves
    try:
        got = loads(text)
    except InputError:
        assert not accepted
    else:
        assert accepted
        assert got == expected


# Numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("-0.0", Decimal("-0.0")),
        ("0.1", Decimal("0.1")),
        ("1.0", Decimal("1.0")),
        ("1e2", Decimal("1E+2")),
        ("1E-1000000", Decimal("1E-1000000")),
        ("0e400", Decimal("0E+400")),
        ("0e99999999999999999999", Decimal("0.0")),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("0.1000000000000000055511151231257827", Decimal("0.1000000000000000055511151231257827")),
        ("1.7976931348623157e308", Decimal("1.7976931348623157e308")),
    ],
)
def test_numbers_are_exact(text: str, value: Json) -> None:
    assert same(loads(text), value)
    assert same(careful(text), value)


@pytest.mark.parametrize("text", ["1e400", "-1e400", "1.8e308", "1.0e999999999999999999999", "17976931348623159e292"])
def test_a_literal_beyond_double_range_is_refused(text: str) -> None:
    error = refusal(f'{{"x": [{text}]}}')
    assert "beyond the range of a double" in error.what
    assert (error.line, error.column, error.pointer) == (1, 8, "/x/0")


def test_an_exponent_no_decimal_can_hold_is_refused() -> None:
    assert "too far below zero" in refusal("1e-99999999999999999999").what


@pytest.mark.parametrize("digits", [4300, 4301, 5000, 20_000, 100_000])
def test_long_integers_pass_the_limit_of_python_untouched(digits: int) -> None:
    before = sys.get_int_max_str_digits()
    text = "-" + "7" * (digits - 1)
    value = loads(text)
    assert isinstance(value, int)
    assert value == -(10 ** (digits - 1) - 1) // 9 * 7
    assert dumps(value) == text
    assert sys.get_int_max_str_digits() == before


@given(st.integers(0, 9000), st.integers(1, 10**30), st.booleans())
def test_the_digits_of_long_integers_are_right(power: int, factor: int, negative: bool) -> None:
    value = factor * 10**power + factor
    value = -value if negative else value
    low = str(factor)
    expected = low + low.rjust(power, "0") if power > len(low) else None
    text = dumps(value)
    assert loads(text) == value
    assert expected is None or text.lstrip("-") == expected


def test_a_number_over_the_digit_limit_is_refused_at_once() -> None:
    started = time.perf_counter()
    for text in ("1" * 1_048_576, "-0." + "1" * 1_048_576):
        error = refusal(f"[0, {text}]")
        assert "digits, more than 100000" in error.what
        assert (error.line, error.column, error.pointer) == (1, 5, "/1")
    assert "more than 5" in refusal("123456", limits=Limits(max_digits=5)).what
    assert time.perf_counter() - started < 1


def test_a_changed_digit_limit_of_the_process_changes_nothing() -> None:
    before = sys.get_int_max_str_digits()
    try:
        for limit in (0, 640, 10_000):
            sys.set_int_max_str_digits(limit)
            assert loads("[" + "7" * 6000 + "]") == [(10**6000 - 1) // 9 * 7]
            assert dumps(10**6000) == "1" + "0" * 6000
    finally:
        sys.set_int_max_str_digits(before)


# Refusals and their places


@pytest.mark.parametrize(
    ("text", "what", "place"),
    [
        ('{"a": 1,\n "b": {"c": 1, "c": 2}}', 'duplicate key "c"', (2, 16, "/b/c")),
        ('{"a": 1, "\\u0061": 2}', 'duplicate key "a"', (1, 10, "/a")),
        ("[NaN]", "NaN is not a JSON number", (1, 2, "/0")),
        ('{"x": -Infinity}', "-Infinity is not a JSON number", (1, 7, "/x")),
        ('["\\ud800"]', "lone surrogate \\ud800", (1, 3, "/0")),
        ('["ok", "a\\udc00b"]', "lone surrogate \\udc00", (1, 10, "/1")),
        ('["\\ud83d\\u0041"]', "lone surrogate \\ud83d", (1, 3, "/0")),
        ('["\\\\ud83d\\ude00"]', "lone surrogate \\ude00", (1, 10, "/0")),
        ('{"\\ud800": 1}', "lone surrogate", (1, 3, "")),
        ('["\ud800"]', "lone surrogate U+D800", (1, 3, "/0")),
        (b'{"a": ["\xff"]}', "invalid UTF-8: byte 0xFF", (1, 9, "/a/0")),
        (b'["\xed\xa0\x80"]', "invalid UTF-8: byte 0xED", (1, 3, "/0")),
        (b'["\xc3\xa9\xc3"]', "invalid UTF-8: byte 0xC3", (1, 4, "/0")),
        (b"[1]\xff", "invalid UTF-8: byte 0xFF", (1, 4, "")),
        (b"\xff\xfe[\x00", "UTF-16 or UTF-32", (1, 1, "")),
        ("[1]\n x", 'unexpected text after the end of the document: "x"', (2, 2, "")),
        ("[1]]", 'unexpected text after the end of the document: "]"', (1, 4, "")),
        ("", "there is no JSON here", (1, 1, "")),
        (" \n ", "there is no JSON here", (2, 2, "")),
        ("[1,]", "expected a value after ','", (1, 4, "/1")),
        ('{"a": 1,}', "expected a member name", (1, 9, "")),
        ("{'a': 1}", "expected a member name in double quotes", (1, 2, "")),
        ('{"a" 1}', "expected ':'", (1, 6, "/a")),
        ('{"a": }', "expected a value", (1, 7, "/a")),
        ("[1 2]", "expected ',' or ']'", (1, 4, "")),
        ('{"a": {"b": 1 "c"}}', "expected ',' or '}'", (1, 15, "/a")),
        ("[", "found the end of the text", (1, 2, "/0")),
        ("{", "found the end of the text", (1, 2, "")),
        ('["abc', "never ends", (1, 2, "/0")),
        ('["a\nb"]', "raw control character U+000A", (1, 4, "/0")),
        ('["\\x"]', 'invalid escape "\\x"', (1, 3, "/0")),
        ('["\\u12G4"]', "invalid escape", (1, 3, "/0")),
        ("[01]", '"01" is not a JSON number', (1, 2, "/0")),
        ("[+1]", '"+1" is not a JSON number', (1, 2, "/0")),
        ("[1.]", '"1." is not a JSON number', (1, 2, "/0")),
        ("[0x1F]", '"0x1F" is not a JSON number', (1, 2, "/0")),
        ("[True]", "True is not JSON", (1, 2, "/0")),
        ("// a\n1", "expected a value", (1, 1, "")),
        ('{"a/b": {"c~d": [tru]}}', 'found "tru"', (1, 18, "/a~1b/c~0d/0")),
        ("\ufeff[x]", "expected a value", (1, 2, "/0")),
        ("[\x1b[31m]", 'found "\\u{001B}"', (1, 2, "/0")),
    ],
)
def test_a_refusal_names_its_place(text: str | bytes, what: str, place: tuple[int, int, str]) -> None:
    error = refusal(text)
    assert what in error.what
    assert (error.line, error.column, error.pointer) == place


@given(st.lists(texts | st.integers(0, 3), max_size=5), st.sampled_from(["NaN", "tru", "1e999", '"\\ud800"', "01"]))
def test_the_pointer_leads_to_the_bad_value(path: list[str | int], bad: str) -> None:
    text = bad
    for token in reversed(path):
        if isinstance(token, int):
            text = "[" + "0,\n" * token + text + "]"
        else:
            text = '{"": 0, ' * (token != "") + (dumps(token) + ":\n" + text if token else '{"": ' + text) + "}"
    error = refusal(text)
    assert error.pointer == pointer.join(path)
    line, column = error.line, error.column
    assert line is not None
    assert column is not None
    rest = text.split("\n")[line - 1][column - 1 :]
    assert rest.startswith((bad, bad.lstrip('"')))


def test_a_byte_order_mark_is_skipped_once() -> None:
    assert loads("\ufeff[1]") == [1]
    assert loads(b"\xef\xbb\xbf[1]") == [1]
    refusal("\ufeff\ufeff[1]")


# Hostile size and depth


@pytest.mark.parametrize("depth", [201, 10_000, 1_000_000])
def test_deep_documents_are_refused_where_they_become_too_deep(depth: int) -> None:
    started = time.perf_counter()
    error = refusal("[" * depth + "]" * depth)
    assert error.what == "nested deeper than 200 levels"
    assert (error.line, error.column, error.pointer) == (1, 201, "/0" * 200)
    error = refusal('{"a":\n' * depth)
    assert (error.line, error.column, error.pointer) == (201, 1, "/a" * 200)
    assert time.perf_counter() - started < 5


def test_the_depth_limit_counts_containers_and_admits_what_reaches_it() -> None:
    assert dumps(loads("[" * 200 + "]" * 200)) == "[" * 200 + "]" * 200
    wide = "[" + ",".join(["[1]"] * 500) + "]"
    assert loads(wide) == [[1]] * 500
    assert loads("[[1]]", limits=Limits(max_depth=2)) == [[1]]
    refusal('[{"a":[1]}]', limits=Limits(max_depth=2))
    assert loads("1", limits=Limits(max_depth=0)) == 1
    refusal("[]", limits=Limits(max_depth=0))


def test_depth_does_not_depend_on_the_recursion_limit() -> None:
    text = "[" * 100_000 + "]" * 100_000
    value = loads(text, limits=Limits(max_depth=100_000))
    assert dumps(value) == text
    assert dumps(value, indent=0).count("\n") == 2 * 99_999


def test_large_documents_are_refused() -> None:
    limits = Limits(max_bytes=10)
    assert loads('["123456"]', limits=limits) == ["123456"]
    for text in ('["1234567"]', b'["1234567"]', '["ééé12"]'):
        error = refusal(text, limits=limits)
        assert error.what == "larger than the 10 bytes that are read"


def test_reading_stays_near_the_speed_of_the_standard_library() -> None:
    text = json.dumps([{"name": f"tool {n}", "n": n, "tags": ["a", "b"], "x": None} for n in range(20_000)])

    def best(read: Callable[[str], Any]) -> float:
        times = []
        for _ in range(5):
            started = time.perf_counter()
            read(text)
            times.append(time.perf_counter() - started)
        return min(times)

    assert best(loads) < 6 * best(json.loads)  # about 2.5 on an idle machine; room for a busy one


def test_threads_do_not_disturb_each_other() -> None:
    text = json.dumps([{"a": n, "b": [n + 0.5]} for n in range(2000)])
    expected = loads(text)
    wrong: list[Json] = []

    def work() -> None:
        for _ in range(10):
            got = loads(text)
            if got != expected:
                wrong.append(got)

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# Writing


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), Decimal("NaN"), Decimal("-Infinity"), "\ud800", {"\udc00": 1}, {1: 2}, {1, 2}, b"x"],
)
@pytest.mark.parametrize("options", [{}, {"sort_keys": True}, {"ascii_only": True}, {"indent": 2}])
def test_what_is_not_json_is_not_written(value: object, options: dict[str, bool]) -> None:
    with pytest.raises(InputError):
        dumps([value], **options)  # type: ignore[list-item]
    with pytest.raises(InputError):
        dumps({"a": value}, **options)  # type: ignore[dict-item]


def test_floats_are_written_as_the_decimal_of_their_repr() -> None:
    assert dumps([0.1, 1e300, -0.0, 1e-7]) == "[0.1, 1e+300, -0.0, 1e-07]"
    assert loads(dumps(0.1)) == Decimal("0.1")


def test_keys_can_be_sorted_and_everything_escaped() -> None:
    assert dumps({"b": 1, "a": ["\u202e\x7f"]}, sort_keys=True, ascii_only=True) == '{"a": ["\\u202e\\u007f"], "b": 1}'


# Pointers and places


@given(st.lists(texts))
def test_a_pointer_is_read_as_it_was_written(tokens: list[str]) -> None:
    assert pointer.split(pointer.join(tokens)) == tokens


@pytest.mark.parametrize("text", ["a", "/~", "/a~2", "#/a"])
def test_what_is_no_pointer_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is no JSON Pointer"):
        pointer.split(text)


def test_pointers_are_followed() -> None:
    value = loads('{"a/b": [1, {"": "x"}], "~": 2}')
    assert pointer.resolve(value, "/a~1b/1/") == "x"
    assert pointer.resolve(value, "/~0") == 2
    assert pointer.resolve(value, "") is value
    for wrong, deepest in [
        ("/a~1b/2", "/a~1b"),
        ("/a~1b/01", "/a~1b"),
        ("/a~1b/-1", "/a~1b"),
        ("/x/y", ""),
        ("/~0/0", "/~0"),
    ]:
        with pytest.raises(InputError) as caught:
            pointer.resolve(value, wrong)
        assert caught.value.pointer == deepest


@pytest.mark.parametrize(
    ("at", "place"),
    [("", (1, 1)), ("/a", (1, 7)), ("/a/1", (2, 2)), ("/a/1/b~1c", (2, 10)), ("/a/1/zz", (2, 2)), ("/q", (1, 1))],
)
def test_a_value_is_located_in_its_text(at: str, place: tuple[int, int]) -> None:
    text = '{"a": [1,\n {"b/c": "é"}]}'
    assert locate(text, at) == place
    assert locate(text.encode(), at) == place


def test_locating_in_a_broken_or_deep_text_gives_the_deepest_known_place() -> None:
    assert locate('{"a": [1, tru', "/a/7") == (1, 7)
    assert locate("[" * 5000 + "]" * 5000, "/0" * 4999) == (1, 5000)


# JSON Lines


def _lines(stream: Any, limits: Limits = LINE_LIMITS) -> list[tuple[int, Json | str]]:
    return [
        (number, str(value) if isinstance(value, InputError) else value)
        for number, value in read_lines(stream, source="c.jsonl", limits=limits)
    ]


@pytest.mark.parametrize("wrap", [lambda text: text, str.encode, io.StringIO, lambda text: io.BytesIO(text.encode())])
def test_lines_are_read_with_their_numbers(wrap: Any) -> None:
    got = _lines(wrap('{"a": 1}\n\n  \r\n[2]\r\n{"b": tru}\n{"a": 1, "a": 2}\n"last"'))
    assert got == [
        (1, {"a": 1}),
        (4, [2]),
        (5, 'c.jsonl:5:7 at /b: expected a value, found "tru"'),
        (6, 'c.jsonl:6:10 at /a: duplicate key "a"; keep one of them'),
        (7, "last"),
    ]


def test_a_bad_byte_spoils_its_own_line_only() -> None:
    got = _lines(b'\xef\xbb\xbf1\n"\xff"\n3\n')
    assert got == [(1, 1), (2, "c.jsonl:2:2 at the root: invalid UTF-8: byte 0xFF; save the file as UTF-8"), (3, 3)]


@pytest.mark.parametrize("extra", [0, 1, 2, 3, 1000, 3_000_000])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_line_over_the_limit_is_an_error_and_is_passed_over(extra: int, end: str) -> None:
    limits = Limits(max_bytes=100)
    line = '"' + "x" * (98 + extra) + '"'
    after = "" if end == "" else "7"
    for text in (line + end + after, (line + end + after).encode()):
        got = _lines(text, limits=limits)
        message = "c.jsonl:1: the line is longer than the 100 bytes that are read; one JSON document per line"
        expected: list[tuple[int, Json | str]] = [(1, "x" * 98 if extra == 0 else message)]
        assert got == expected + ([(2, 7)] if after else [])


def test_lines_are_read_in_bounded_memory() -> None:
    class Endless(io.RawIOBase):
        """Serve one line of 64 MiB without an end, piece by piece."""

        left = 64 * 1024 * 1024

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
            size = min(len(buffer), self.left)
            buffer[:size] = b"[" * size
            self.left -= size
            return size

    tracemalloc.start()
    try:
        got = _lines(io.BufferedReader(Endless()), limits=Limits(max_bytes=1000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(got) == 1
    assert peak < 8 * 1024 * 1024


def test_the_face_of_the_package_is_complete() -> None:
    assert all(hasattr(jsonio, name) for name in jsonio.__all__)


@pytest.mark.parametrize(("token", "escaped"), [("a/b", "a~1b"), ("a~b", "a~0b"), ("~1", "~01"), ("", ""), (3, "3")])
def test_a_token_of_a_pointer_is_escaped(token: str | int, escaped: str) -> None:
    assert pointer.escape(token) == escaped
