"""The hashes put together fast are those of the plain definition, whatever the tools hold."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compatgate.canonical import canonical_bytes, contract_hash, snapshot_hash
from compatgate.drift.check import check_json
from compatgate.drift.compare import compare_snapshots
from compatgate.drift.normal import encode, same_text
from compatgate.errors import InputError
from compatgate.jsonio import Json
from compatgate.model import Snapshot, Tool
from compatgate.rules import ServerPair

_TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=8)
_NUMBERS = st.one_of(
    st.integers(),
    st.integers(min_value=-(2**70), max_value=2**70),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20),
)
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.one_of(st.none(), st.booleans(), _NUMBERS, _TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_TEXTS, inner, max_size=4)),
    max_leaves=20,
)
_SCHEMAS = st.dictionaries(
    st.sampled_from(
        "type properties items required enum title $defs additionalProperties x-\U0001f600 x-\uffee".split()
    ),
    st.one_of(VALUES, st.sampled_from(["object", "array", "string"])),
    max_size=6,
)
_TOOLS = st.builds(
    lambda schema, rest: {**rest, "name": "t", "inputSchema": schema},
    _SCHEMAS,
    st.dictionaries(
        st.sampled_from("title description _meta annotations execution x icons".split()), VALUES, max_size=4
    ),
)


@given(VALUES)
def test_fast_bytes_are_the_canonical_bytes(value: Json) -> None:
    assert encode(value) == canonical_bytes(value)


@given(VALUES, VALUES)
def test_the_same_text_is_the_same_value(left: Json, right: Json) -> None:
    assert same_text(left, left)
    if same_text(left, right):
        assert canonical_bytes(left) == canonical_bytes(right)


@pytest.mark.parametrize(
    ("left", "right"), [(True, 1), (1, Decimal("1.5")), ("1.5", Decimal("1.5")), ([1], [True]), ("a", "b")]
)
def test_different_values_are_not_the_same_text(left: Json, right: Json) -> None:
    assert not same_text(left, right)


@given(st.lists(_TOOLS, max_size=3), st.sampled_from([None, "2025-11-25", "2026-07-28"]))
def test_the_hashes_are_those_of_the_definition(tools: list[dict[str, Json]], version: str | None) -> None:
    def snapshot(chosen: list[dict[str, Json]]) -> Snapshot:
        named = [{**tool, "name": f"t{index}\U0001f600"[: 2 + index]} for index, tool in enumerate(chosen)]
        return Snapshot("", tuple(Tool(str(tool["name"]), tool) for tool in named), {}, version)

    old, new = snapshot(tools), snapshot(tools[:2])
    hashes = compare_snapshots(ServerPair(old, new), "tools").hashes
    assert hashes == {
        "baseline_snapshot": snapshot_hash(old),
        "current_snapshot": snapshot_hash(new),
        "baseline_contract": contract_hash(old),
        "current_contract": contract_hash(new),
    }


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"a": [1, float("nan")]}, "/a/1"),
        ({"a": {"b/c": float("inf")}}, "/a/b~1c"),
        ({"a": "\ud800"}, "/a"),
        ({"a": (1, 2)}, "/a"),
        ({"a": {1: 2}}, "/a"),
        ({"a": {"\udfff": 2}}, "/a"),
        ([[[[[[]]]]]], "/0/0/0/0/0"),
    ],
)
def test_what_is_no_json_value_is_refused_with_its_place(value: Json, path: str) -> None:
    with pytest.raises(InputError) as caught:
        check_json(value, max_depth=5)
    assert caught.value.pointer == path


def test_floats_become_exact_decimals_and_all_else_is_not_copied() -> None:
    assert check_json({"a": 0.1}, max_depth=5) == {"a": Decimal("0.1")}
    value: Json = {"a": [1, "x", None, True, Decimal("1.5")]}
    assert check_json(value, max_depth=5) is value
