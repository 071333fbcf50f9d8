"""Keys, canonical bytes and pins: equal exactly where the values are."""

from __future__ import annotations

import hashlib
import math
import time
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compatgate.canonical import (
    byte_pin,
    canonical_bytes,
    contract_hash,
    normal_schema,
    sha256,
    snapshot_hash,
    utf16_sorted,
    value_key,
)
from compatgate.errors import InputError
from compatgate.jsonio import Json, dumps, loads
from compatgate.model import Snapshot, Tool
from tests.data import need

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
numbers = (
    st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(allow_nan=False, allow_infinity=False).filter(lambda value: value.adjusted() < 308)
    | st.sampled_from([0, 1, Decimal("1.0"), 1.0, -0.0, 10**22, 1e22, Decimal("1E+22"), 0.1, Decimal("0.10")])
)
scalars = st.none() | st.booleans() | numbers | texts
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))


def equal(left: Json, right: Json) -> bool:
    """Typed JSON equality, written down naively."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float, Decimal)) and isinstance(right, (int, float, Decimal)):
        return _exact(left) == _exact(right)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(left[name], right[name]) for name in left)
    return type(left) is type(right) and left == right


def _exact(value: float | Decimal) -> int | Decimal:
    return Decimal(repr(value)) if isinstance(value, float) else value


# Keys


@given(values, values)
def test_keys_are_equal_exactly_when_values_are(left: Json, right: Json) -> None:
    assert (value_key(left) == value_key(right)) is equal(left, right)
    if equal(left, right):
        assert hash(value_key(left)) == hash(value_key(right))


def _respelled(value: Json) -> Json:
    """Return the same JSON value made of other Python objects: members turned round, numbers as decimals."""
    if isinstance(value, list):
        return [_respelled(item) for item in value]
    if isinstance(value, dict):
        return {name: _respelled(value[name]) for name in reversed(value)}
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return value
    exact = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    sign, digits, exponent = exact.as_tuple()
    assert isinstance(exponent, int)
    return Decimal((sign, (*digits, 0), exponent - 1))


@given(values)
def test_keys_do_not_see_how_a_value_is_spelled(value: Json) -> None:
    other = _respelled(value)
    assert value_key(value) == value_key(other)
    assert hash(value_key(value)) == hash(value_key(other))
    assert canonical_bytes(value) == canonical_bytes(other)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, True),
        (0, False),
        (0.0, False),
        (Decimal(1), True),
        ("1", 1),
        (None, False),
        ([], {}),
        ([1], [True]),
        ([[]], []),
        ([[], []], [[[]]]),
        ([1, [2]], [[1], 2]),
        ({"a": 1}, {"a": True}),
        ({"a": None}, {}),
        (["a", 1], {"a": 1}),
        ({"a": {"b": 1}}, {"a": {}, "b": 1}),
        (0.1, Decimal("0.1000000000000000055511151231257827021181583404541015625")),
        (10**400, 10**400 + 1),
    ],
)
def test_different_values_have_different_keys(left: Json, right: Json) -> None:
    assert value_key(left) != value_key(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, 1.0),
        (1, Decimal("1.00")),
        (0.1, Decimal("0.1")),
        (0, -0.0),
        (0, Decimal("-0E+50")),
        (10**22, 1e22),
        (10**400, Decimal("1E+400")),
        ({"a": 1, "b": [2]}, {"b": [2.0], "a": Decimal(1)}),
    ],
)
def test_equal_values_have_equal_keys(left: Json, right: Json) -> None:
    assert value_key(left) == value_key(right)
    assert hash(value_key(left)) == hash(value_key(right))


def test_keys_cost_nothing_for_huge_exponents_and_any_depth() -> None:
    started = time.perf_counter()
    huge, tiny = Decimal("1E+999999999999"), Decimal("1E-999999999999")
    assert len({value_key(huge), value_key(tiny), value_key(5), value_key(Decimal("10E-1000000000000"))}) == 3
    deep: Json = []
    other: Json = []
    for _ in range(100_000):
        deep, other = [deep], [other]
    assert value_key(deep) == value_key(other)
    assert hash(value_key(deep)) == hash(value_key(other))
    assert len(canonical_bytes(deep)) == 200_002
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, Decimal("NaN"), Decimal("Infinity"), {1, 2}, b"x", (1,), {1: 2}, {None: 1, "a": 2}]
)
def test_what_is_not_json_has_neither_key_nor_bytes(value: Any) -> None:
    for wrapped in (value, [value], {"a": value}):
        with pytest.raises(InputError):
            value_key(wrapped)
        with pytest.raises(InputError):
            canonical_bytes(wrapped)


def test_lone_surrogates_have_no_bytes() -> None:
    for value in ("\ud800", ["\udc00"], {"\ud800": 1}):
        with pytest.raises(InputError, match="lone surrogate"):
            canonical_bytes(value)  # type: ignore[arg-type]


# Canonical bytes


@pytest.mark.parametrize(
    ("bits", "written"),
    [  # RFC 8785, appendix B
        ("0000000000000000", "0"),
        ("8000000000000000", "0"),
        ("0000000000000001", "5e-324"),
        ("8000000000000001", "-5e-324"),
        ("7fefffffffffffff", "1.7976931348623157e+308"),
        ("ffefffffffffffff", "-1.7976931348623157e+308"),
        ("4340000000000000", "9007199254740992"),
        ("c340000000000000", "-9007199254740992"),
        ("4430000000000000", "295147905179352830000"),
        ("44b52d02c7e14af5", "9.999999999999997e+22"),
        ("44b52d02c7e14af6", "1e+23"),
        ("44b52d02c7e14af7", "1.0000000000000001e+23"),
        ("444b1ae4d6e2ef4e", "999999999999999700000"),
        ("444b1ae4d6e2ef4f", "999999999999999900000"),
        ("444b1ae4d6e2ef50", "1e+21"),
        ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
        ("3eb0c6f7a0b5ed8d", "0.000001"),
        ("41b3de4355555553", "333333333.3333332"),
        ("41b3de4355555554", "333333333.33333325"),
        ("41b3de4355555555", "333333333.3333333"),
        ("41b3de4355555556", "333333333.3333334"),
        ("41b3de4355555557", "333333333.33333343"),
        ("becbf647612f3696", "-0.0000033333333333333333"),
        ("43143ff3c1cb0959", "1424953923781206.2"),
    ],
)
def test_doubles_are_written_as_rfc_8785_says(bits: str, written: str) -> None:
    import struct

    (double,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical_bytes(double) == written.encode()
    assert canonical_bytes(Decimal(double)) == written.encode()  # the exact value of a double
    assert canonical_bytes(Decimal(repr(double))) == written.encode()  # the shortest decimal of one
    if double == int(double):
        assert canonical_bytes(int(double)) == written.encode()


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("9007199254740993", "9007199254740993"),
        ("9007199254740993.0", "9007199254740993"),
        ("18446744073709551617", "18446744073709551617"),
        ("100000000000000000000000", "1e+23"),  # no double, but the shortest decimal of one
        ("100000000000000000000001", "100000000000000000000001"),
        ("1" + "0" * 400, "1" + "0" * 400),
        ("0.1000000000000000055", "0.1000000000000000055"),
        ("0.10000000000000000550", "0.1000000000000000055"),
        ("1e-1000000", "1e-1000000"),
        ("-12.50e-1000000", "-1.25e-999999"),
        ("123456789012345678901.5", "123456789012345678901.5"),
        ("0.00000010000000000000000055", "1.0000000000000000055e-7"),
        ("1e5", "100000"),
        ("0e-99", "0"),
        ("-0.0", "0"),
    ],
)
def test_other_numbers_are_exact(text: str, written: str) -> None:
    assert canonical_bytes(loads(text)) == written.encode()


def test_an_exponent_is_never_expanded_into_gigabytes() -> None:
    with pytest.raises(InputError, match="too large"):
        canonical_bytes(Decimal("1E+999999999"))
    assert canonical_bytes(Decimal("1E+400")) == canonical_bytes(10**400)


def test_members_are_sorted_by_utf_16_code_units() -> None:
    # RFC 8785, section 3.2.3
    names = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    assert utf16_sorted(names) == ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    written = canonical_bytes(dict.fromkeys(names, 0)).decode()
    assert written == '{"\\r":0,"1":0,"\u0080":0,"ö":0,"€":0,"😀":0,"\ufb33":0}'


def test_texts_are_escaped_as_rfc_8785_says() -> None:
    value: Json = {"string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/\x7f\u2028"}
    assert canonical_bytes(value) == '{"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/\x7f\u2028"}'.encode()


@given(values)
def test_canonical_bytes_are_json_of_the_same_value_but_for_the_doubles_rule(value: Json) -> None:
    data = canonical_bytes(value)
    again = loads(data)
    assert canonical_bytes(again) == data
    assert canonical_bytes(loads(dumps(value, indent=2))) == data


@given(values, values)
def test_equal_values_have_equal_bytes(left: Json, right: Json) -> None:
    if equal(left, right):
        assert canonical_bytes(left) == canonical_bytes(right)


# Hashes


def test_the_hash_is_of_the_canonical_bytes() -> None:
    assert sha256({}) == "sha256:" + hashlib.sha256(b"{}").hexdigest()


def test_the_byte_pin_sees_name_description_and_input_schema_only() -> None:
    tool: dict[str, Json] = {
        "name": "run_query",
        "description": "Run a query.",
        "inputSchema": {"type": "object", "required": ["sql"]},
        "annotations": {"readOnlyHint": True},
    }
    written = b'{"description":"Run a query.","inputSchema":{"required":["sql"],"type":"object"},"name":"run_query"}'
    assert byte_pin(tool) == "sha256:" + hashlib.sha256(written).hexdigest()
    assert byte_pin({**tool, "annotations": {}, "title": "x"}) == byte_pin(tool)
    assert byte_pin(dict(reversed(tool.items()))) == byte_pin(tool)
    changes: list[dict[str, Json]] = [
        {"name": "run_Query"},
        {"description": "Run a query!"},
        {"description": None},
        {"inputSchema": {"type": "object"}},
        {"inputSchema": {"type": "object", "required": ["sql"], "properties": {}}},
    ]
    for change in changes:
        assert byte_pin({**tool, **change}) != byte_pin(tool)
    del tool["description"]
    assert byte_pin(tool) != byte_pin({**tool, "description": None})


# The hashes of mcp-drift/1


def hashes(*tools: dict[str, Json], version: str | None = "2025-11-25") -> tuple[str, str]:
    declared = tuple(Tool(str(tool["name"]), tool) for tool in tools)
    snapshot = Snapshot("test", declared, {}, protocol_version=version)
    return snapshot_hash(snapshot), contract_hash(snapshot)


def test_the_four_published_hashes_come_out() -> None:
    request = loads((need("mcp-drift-1") / "example.input.json").read_bytes())
    answer = loads((need("mcp-drift-1") / "example.output.json").read_bytes())
    assert isinstance(request, dict)
    assert isinstance(answer, dict)
    for side in ("baseline", "current"):
        sent: Any = request[side]
        got = hashes(*sent["tools"], version=sent["protocol_version"])
        published: Any = answer["hashes"]
        assert got == (published[f"{side}_snapshot"], published[f"{side}_contract"])


BARE: dict[str, Json] = {
    "name": "t",
    "inputSchema": {
        "type": "object",
        "properties": {
            "s": {"type": "string", "enum": ["b", "a", "a"]},
            "l": {"type": "array", "items": {"type": "object", "required": ["y", "x"]}},
        },
    },
    "icons": [{"src": "b", "sizes": ["48x48", "16x16"]}, {"src": "a"}],
}
SPELT_OUT: dict[str, Json] = {
    "_meta": {},
    "execution": {"taskSupport": "forbidden"},
    "annotations": {"openWorldHint": True, "destructiveHint": True, "readOnlyHint": False},
    "title": None,
    "description": None,
    "outputSchema": None,
    "icons": [
        {"src": "a", "mimeType": None, "sizes": [], "theme": None},
        {"src": "b", "sizes": ["16x16", "48x48"], "mimeType": None},
    ],
    "inputSchema": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "additionalProperties": True,
        "minProperties": 0,
        "required": [],
        "properties": {
            "l": {
                "items": {
                    "required": ["x", "y"],
                    "type": "object",
                    "properties": {},
                    "minProperties": 0,
                    "additionalProperties": True,
                },
                "type": "array",
                "minItems": 0,
                "uniqueItems": False,
            },
            "s": {"enum": ["a", "a", "b"], "type": "string", "minLength": 0},
        },
        "type": "object",
    },
    "name": "t",
}


def test_order_and_spelt_out_defaults_move_no_hash() -> None:
    other: dict[str, Json] = {"name": "T", "inputSchema": {}}
    assert hashes(BARE, other) == hashes(other, SPELT_OUT)


@pytest.mark.parametrize(
    ("change", "moves_contract"),
    [
        ({"description": "x"}, True),
        ({"title": "x"}, True),
        ({"annotations": {"readOnlyHint": True}}, True),
        ({"annotations": {"destructiveHint": False}}, True),
        ({"execution": {"taskSupport": "optional"}}, True),
        ({"outputSchema": {}}, True),
        ({"inputSchema": {"type": ["object"]}}, True),
        ({"icons": []}, False),
        ({"_meta": {"a": 1}}, False),
        ({"x-new-member": None}, False),
    ],
)
def test_what_is_declared_moves_the_hash_it_belongs_to(change: dict[str, Json], moves_contract: bool) -> None:
    before, after = hashes(BARE), hashes({**BARE, **change})
    assert before[0] != after[0]
    assert (before[1] != after[1]) is moves_contract


def test_the_protocol_version_is_part_of_both_hashes() -> None:
    versions: list[str | None] = ["2025-11-25", "2025-06-18", None]
    assert len({one for version in versions for one in hashes(BARE, version=version)}) == 6


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {"$schema": "x", "type": ["object", "null"]},
        {"$schema": "x", "allOf": [{"type": "object"}], "$defs": {"a": {"enum": [2, 1]}}},
        {"$schema": "x", "items": [{"type": "string"}], "additionalProperties": {"type": "string"}},
        {"$schema": "x", "required": "b", "enum": {"b": 1}, "properties": ["type"]},
    ],
)
def test_the_normal_form_leaves_other_places_as_they_are(schema: Json) -> None:
    assert normal_schema(schema) == schema


def test_the_normal_form_changes_no_input_and_has_no_depth() -> None:
    schema: Json = {"type": "object", "required": ["b", "a"], "properties": {"x": {"enum": [2, 1]}}}
    text = dumps(schema)
    normal_schema(schema)
    assert dumps(schema) == text
    deep: dict[str, Json] = {"type": "string"}
    for _ in range(20_000):
        deep = {"type": "object", "properties": {"a": deep}}
    assert canonical_bytes(normal_schema(deep)).count(b'"minLength":0') == 1
