"""A real client calls the tools: over standard input and output and over HTTP, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import jsonschema_rs
import pytest
from mcp import types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from compatgate.drift import input_schema, output_schema
from compatgate.jsonio import dumps
from compatgate.rules import explain
from compatgate.service.stdio import lines_of
from tests.service.server import INTEGER, NUMBER, Server, request, right_answer

STDIO = StdioServerParameters(command=sys.executable, args=["-m", "compatgate", "mcp"])
#: How the client opens, and what that makes of the connection.
ERAS = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}
#: Sixty digits that a double does not hold.
LONG = "0." + "1234567890" * 6


@pytest.fixture(params=["stdio", "http"])
def target(request: pytest.FixtureRequest) -> Any:
    if request.param == "stdio":
        return STDIO
    server: Server = request.getfixturevalue("server")
    return f"http://127.0.0.1:{server.port}/mcp"


def session(target: Any, mode: str, calls: Callable[[Client], Awaitable[None]]) -> None:
    """Open a session and make some calls."""

    async def run() -> None:
        async with asyncio.timeout(60), Client(target, mode=mode) as client:
            await calls(client)

    asyncio.run(run())


def text(result: Any) -> str:
    """Return the one text of a result."""
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text


@pytest.mark.parametrize("mode", ERAS)
def test_the_tools_in_both_eras(mode: str, target: Any) -> None:
    good = request(NUMBER, INTEGER)
    bad = {**good, "annotation_source_trust": "maybe"}

    async def calls(client: Client) -> None:
        assert client.protocol_version == ERAS[mode]
        if mode != "2026-07-28":  # a client that opens with the version alone asks for no name
            assert client.server_info is not None
            assert client.server_info.name == "compatgate"
        listed = (await client.list_tools()).tools
        assert [tool.name for tool in listed] == ["check_mcp_drift", "contains", "explain_rule"]
        for tool in listed:
            hints = tool.annotations
            assert hints is not None
            assert (hints.read_only_hint, hints.destructive_hint) == (True, False)
            assert (hints.idempotent_hint, hints.open_world_hint) == (True, False)
        assert (listed[0].input_schema, listed[0].output_schema) == (input_schema(), output_schema())

        result = await client.call_tool("check_mcp_drift", good)
        assert not result.is_error
        assert text(result) + "\n" == right_answer(dumps(good).encode())[1].decode()
        assert result.structured_content == json.loads(text(result))
        assert result.structured_content["findings"][0]["witness"] == {"n": 0.1}
        jsonschema_rs.validate(output_schema(), result.structured_content)

        result = await client.call_tool("check_mcp_drift", bad)
        assert result.is_error
        assert text(result) + "\n" == right_answer(dumps(bad).encode())[1].decode()

        result = await client.call_tool("contains", {"left": INTEGER, "right": NUMBER, "callers": "declared"})
        assert result.structured_content["relation"] == "PROVEN_SUBSET"
        result = await client.call_tool("contains", {"left": NUMBER, "right": INTEGER})
        assert result.structured_content["relation"] == "PROVEN_NOT_SUBSET"
        assert result.structured_content["witness"] == {"n": 0.1}
        jsonschema_rs.validate(listed[1].output_schema or {}, result.structured_content)

        result = await client.call_tool("explain_rule", {"id": "tool-removed"})
        assert text(result) == explain("tool-removed")
        result = await client.call_tool("explain_rule", {"id": "tool-remove"})
        assert (result.is_error, "did you mean tool-removed?" in text(result)) == (True, True)

        with pytest.raises(MCPError):
            await client.call_tool("unknown", {})

    session(target, mode, calls)


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"left": {}}, ""),
        ({"left": {}, "right": 3}, "/right"),
        ({"left": {}, "right": {}, "callers": "all"}, "/callers"),
        ({"left": {}, "right": {}, "assert_formats": 1}, "/assert_formats"),
        ({"left": {}, "right": {}, "more": 1}, ""),
    ],
)
def test_arguments_that_are_none_are_refused(arguments: dict[str, Any], path: str, server: Server) -> None:
    async def calls(client: Client) -> None:
        result = await client.call_tool("contains", arguments)
        assert result.is_error
        assert json.loads(text(result)).keys() == {"error", "message", "path"}
        assert json.loads(text(result))["path"] == path

    session(f"http://127.0.0.1:{server.port}/mcp", "auto", calls)


def message(number: int, arguments: str, *, name: str = "contains") -> str:
    """Return a tools/call message with its arguments as they are written."""
    return (
        f'{{"jsonrpc": "2.0", "id": {number}, "method": "tools/call", '
        f'"params": {{"name": "{name}", "arguments": {arguments}}}}}'
    )


OPENING = (
    '{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18", '
    '"capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}',
    '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
)


def talk(*lines: str, options: tuple[str, ...] = ()) -> dict[Any, dict[str, Any]]:
    """Send lines to `compatgate mcp`, end its input, and return every line of its output by its id."""
    command = [sys.executable, "-m", "compatgate", "mcp", *options]
    given = "".join(line + "\n" for line in (*OPENING, *lines))
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    return {answer["id"]: answer for answer in answers}


def test_everything_asked_is_answered_before_the_end() -> None:
    number, whole = json.dumps(NUMBER), json.dumps(INTEGER)
    answers = talk(*(message(n, f'{{"left": {whole}, "right": {number}}}') for n in range(1, 9)))
    assert answers.keys() == set(range(9))
    assert answers[0]["result"]["protocolVersion"] == "2025-06-18"
    assert all(answers[n]["result"]["structuredContent"]["relation"] == "PROVEN_SUBSET" for n in range(1, 9))


def test_arguments_are_read_exactly() -> None:
    doubled = '{"left": {"const": 1, "const": 2}, "right": {}}'
    exact = f'{{"left": {{"const": {LONG}}}, "right": {{"not": {{"const": {LONG}}}}}}}'
    near = f'{{"left": {{"const": {LONG}}}, "right": {{"not": {{"const": {LONG}1}}}}}}'
    answers = talk(message(1, doubled), message(2, exact), message(3, near))
    refused = answers[1]["result"]
    assert refused["isError"]
    assert json.loads(refused["content"][0]["text"])["path"] == "/left/const"
    told = answers[2]["result"]
    assert f'"witness": {LONG.rstrip("0")}' in told["content"][0]["text"]
    assert "witness" not in told["structuredContent"], "no double holds it"
    assert answers[3]["result"]["structuredContent"]["relation"] == "PROVEN_SUBSET"


def test_lines_that_are_none_are_refused_and_the_rest_goes_on() -> None:
    long = message(1, '{"left": "' + "x" * (2 << 20) + '"}')
    answers = talk("{", long, message(2, '{"left": true, "right": true}'), options=("--max-body", "1000"))
    assert answers[None]["error"]["code"] in (types.PARSE_ERROR, types.INVALID_REQUEST)
    assert 1 not in answers
    assert answers[2]["result"]["structuredContent"]["relation"] == "PROVEN_SUBSET"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_well(number: signal.Signals) -> None:
    command = [sys.executable, "-m", "compatgate", "mcp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(OPENING[0] + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 0
        process.send_signal(number)
        assert process.wait(20) == 0
        assert (process.stdout.read(), process.stderr.read()) == ("", "")


@pytest.mark.parametrize("size", [1000, 7000, 70000])
def test_lines_are_cut_and_found_whatever_the_pieces(size: int) -> None:
    lines = [b"", b"a" * 10, b"b" * 11, b"c" * 200_000, b"\xff\r", b"last"]
    reader, writer = os.pipe()

    def feed() -> None:
        data = b"\n".join(lines)
        for n in range(0, len(data), size):
            os.write(writer, data[n : n + size])
        os.close(writer)

    thread = threading.Thread(target=feed)
    thread.start()
    found = list(lines_of(reader, 10))
    thread.join()
    os.close(reader)
    assert found == [line[:11] for line in lines]


def test_duplicate_keys_over_http(server: Server) -> None:
    data = message(1, '{"left": {"a": 1, "a": 2}, "right": {}}').encode()
    headers = {
        "Content_Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP_Protocol_Version": "2025-11-25",
    }
    answer = server.ask("POST", "/mcp", data, **headers)
    assert answer.status == 200
    refused = json.loads(answer.body)["result"]
    assert refused["isError"]
    assert json.loads(refused["content"][0]["text"])["path"] == "/left/a"


def test_the_limit_holds_for_messages_too(server: Server) -> None:
    answer = server.ask("POST", "/mcp", b" " * (9 << 20), Content_Type="application/json")
    assert answer.status == 413
    assert json.loads(answer.body)["error"] == "INPUT_TOO_LARGE"
