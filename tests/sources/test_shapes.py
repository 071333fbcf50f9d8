"""What OLD and NEW may be, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from compatgate.errors import IncompleteError, InputError
from compatgate.jsonio import Json
from compatgate.sources import Loaded, recognise

TOOL: dict[str, Json] = {"name": "a", "inputSchema": {"type": "object"}}
OTHER: dict[str, Json] = {"name": "b", "inputSchema": True, "outputSchema": {"type": "object"}}


def names(loaded: Loaded) -> list[str]:
    return [tool.name for tool in loaded.tools]


@pytest.mark.parametrize(
    "value",
    [
        {"tools": [TOOL, OTHER]},
        {"tools": [TOOL, OTHER], "nextCursor": None, "_meta": {}, "ttlMs": 5},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL, OTHER]}},
        {"id": 1, "result": {"tools": [TOOL, OTHER]}},
        {"protocol_version": None, "complete": True, "tools": [TOOL, OTHER]},
        {"package": "p", "version": "1", "serverInfo": {}, "tools": [TOOL, OTHER], "_collect": {}},
        {"type": "object", "tools": [TOOL, OTHER]},
        [TOOL, OTHER],
    ],
)
def test_lists_of_tools_are_snapshots(value: Json) -> None:
    loaded = recognise(value)
    assert loaded.kind == "snapshot"
    assert names(loaded) == ["a", "b"]
    assert loaded.document is None
    assert loaded.tool is None


@pytest.mark.parametrize("member", ["protocol_version", "protocolVersion"])
def test_the_protocol_version_is_kept_and_never_invented(member: str) -> None:
    loaded = recognise({member: "2025-11-25", "tools": []})
    assert loaded.snapshot is not None
    assert loaded.snapshot.protocol_version == "2025-11-25"
    bare = recognise({"tools": []}).snapshot
    assert bare is not None
    assert bare.protocol_version is None


@pytest.mark.parametrize(
    "value", [TOOL, {**TOOL, "type": "object", "title": "T", "properties": {}}, {"name": "a", "inputSchema": False}]
)
def test_an_object_with_an_input_schema_is_a_tool_whatever_else_it_holds(value: dict[str, Json]) -> None:
    loaded = recognise(value, source="t.json")
    assert loaded.kind == "tool"
    assert loaded.tool is not None
    assert loaded.tool.raw is value
    assert loaded.value is value
    assert loaded.snapshot is not None
    assert loaded.snapshot.source == "t.json"


@pytest.mark.parametrize(
    "value",
    [
        True,
        False,
        {},
        {"type": "object"},
        {"$ref": "#/$defs/a", "$defs": {"a": {}}},
        {"title": "only a title"},
        {"properties": {"tools": {"type": "array"}}},
        {"type": "object", "properties": {"inputSchema": {}}},
        {"name": "x", "type": "string"},  # an unknown word in a schema
    ],
)
def test_schemas_are_recognised_by_their_words(value: Json) -> None:
    loaded = recognise(value)
    assert loaded.kind == "schema"
    assert loaded.document is not None
    assert loaded.document.root is value
    assert loaded.document.pointer == ""
    assert loaded.tools == ()
    assert loaded.value is value


@pytest.mark.parametrize(
    ("value", "what", "place"),
    [
        ({"foo": 1, "bar": 2}, "neither a tool, a tools/list result, a snapshot nor a schema", ""),
        (None, "null is neither", ""),
        (3, "a number is neither", ""),
        ("x", "a text is neither", ""),
        ([1], "an array is neither", ""),
        ({"name": "x", "description": "y"}, 'the tool "x" has no inputSchema', ""),
        ({"name": "x", "input_schema": {}}, 'the tool "x" has no inputSchema', ""),
        ({"tools": {}}, "tools is an object, not an array", "/tools"),
        ({"tools": None}, "tools is null, not an array", "/tools"),
        ({"tools": [TOOL, 3]}, "a tool is an object, this is a number", "/tools/1"),
        ({"tools": [{"inputSchema": {}}]}, "the tool has no name", "/tools/0"),
        ({"tools": [{"name": 3, "inputSchema": {}}]}, "its name is a number, not a text", "/tools/0/name"),
        ({"tools": [{"name": "x"}]}, 'the tool "x" has no inputSchema', "/tools/0"),
        ({"tools": [{"name": "x", "inputSchema": None}]}, "is null, not an object", "/tools/0/inputSchema"),
        ({"tools": [{"name": "x", "inputSchema": [1]}]}, "is an array, not an object", "/tools/0/inputSchema"),
        ({"tools": [{**TOOL, "outputSchema": "x"}]}, "is a text, not an object", "/tools/0/outputSchema"),
        ({"tools": [TOOL, OTHER, TOOL]}, 'two tools are called "a"', "/tools/2/name"),
        ([TOOL, TOOL], 'two tools are called "a"', "/1/name"),
        ({"result": {"tools": [TOOL, TOOL]}}, 'two tools are called "a"', "/result/tools/1/name"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "m"}}, "is an error: m", "/error"),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, "the JSON-RPC message holds no tools", ""),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, "the JSON-RPC message holds no tools", ""),
        ({"protocol_version": 3, "tools": []}, "protocol_version is a number", "/protocol_version"),
        ({"complete": "yes", "tools": []}, "complete is a text, not a boolean", "/complete"),
        ({"contract_version": "mcp-drift/1", "baseline": {}, "current": {}}, "a request of mcp-drift/1", ""),
        ({"baseline": {}, "current": {}}, "a request of mcp-drift/1", ""),
    ],
)
def test_what_is_refused_is_refused_at_its_place(value: Any, what: str, place: str) -> None:
    with pytest.raises(InputError) as caught:
        recognise(value)
    assert what in caught.value.what
    assert caught.value.pointer == place
    assert caught.value.exit_code == 2


def test_a_request_of_the_contract_is_sent_to_its_command() -> None:
    with pytest.raises(InputError, match="compatgate verdict"):
        recognise({"contract_version": "mcp-drift/1"})


def test_another_spelling_of_input_schema_is_named() -> None:
    with pytest.raises(InputError, match="MCP writes inputSchema, not input_schema"):
        recognise({"tools": [{"name": "x", "input_schema": {}}]})


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"complete": False, "tools": [TOOL]}, "/complete"),
        ({"tools": [TOOL], "nextCursor": "page2"}, "/nextCursor"),
        ({"tools": [TOOL], "nextCursor": ""}, "/nextCursor"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [], "nextCursor": "x"}}, "/result/nextCursor"),
    ],
)
def test_an_incomplete_snapshot_could_not_be_checked(value: Json, place: str) -> None:
    with pytest.raises(IncompleteError) as caught:
        recognise(value)
    assert caught.value.pointer == place
    assert caught.value.exit_code == 3


# Parts of a document


def test_a_schema_in_a_document_keeps_the_document_for_its_references() -> None:
    document: Json = {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"type": "string"}}}
    loaded = recognise(document, at="/$defs/A", explicit=True)
    assert loaded.document is not None
    assert loaded.document.root is document
    assert loaded.document.pointer == "/$defs/A"
    assert loaded.value == {"$ref": "#/$defs/B"}


@pytest.mark.parametrize("side", ["inputSchema", "outputSchema"])
def test_a_part_of_a_tools_schema_is_read_against_that_schema(side: str) -> None:
    schema: Json = {"properties": {"x/y": {"$ref": "#/$defs/d"}}, "$defs": {"d": {}}}
    listed: Json = {"tools": [{"name": "t", "inputSchema": {}, side: schema}]}
    for below in ("", "/properties/x~1y"):
        loaded = recognise(listed, at=f"/tools/0/{side}{below}", explicit=True)
        assert loaded.document is not None
        assert loaded.document.root is schema
        assert loaded.document.pointer == below


def test_what_only_looks_like_a_tool_inside_a_tools_schema_is_data() -> None:
    inner: dict[str, Json] = {"name": "x", "inputSchema": {"type": "string"}}
    tool: Json = {"name": "t", "inputSchema": {"default": inner, "type": "object"}}
    loaded = recognise(tool, at="/inputSchema/default/inputSchema", explicit=True)
    assert loaded.document is not None
    assert loaded.document.pointer == "/default/inputSchema"


def test_under_an_explicit_pointer_any_object_is_a_schema() -> None:
    assert recognise({"a": {"x-note": 1}}, at="/a", explicit=True).kind == "schema"
    with pytest.raises(InputError):
        recognise({"a": {"x-note": 1}}, at="/a")
    with pytest.raises(InputError, match="has no inputSchema"):
        recognise({"tools": [{"name": "x"}]}, at="/tools/0", explicit=True)


def test_pointers_of_errors_count_from_the_document() -> None:
    with pytest.raises(InputError) as caught:
        recognise({"baseline": {"tools": [TOOL, TOOL]}}, at="/baseline")
    assert caught.value.pointer == "/baseline/tools/1/name"


def test_a_pointer_to_nothing_is_refused_where_it_ends() -> None:
    with pytest.raises(InputError) as caught:
        recognise({"$defs": {"A": {}}}, at="/$defs/B", explicit=True)
    assert caught.value.pointer == "/$defs"
    assert "there are: A" in str(caught.value)
