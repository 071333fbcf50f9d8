"""Reading calls: three shapes, nothing guessed, nothing dropped."""

from __future__ import annotations

import pytest

from compatgate.errors import UsageError
from compatgate.jsonio import Json
from compatgate.model import CallRecord
from compatgate.replay import BadCall, CallReader, Form


def reader(*tools: str | None, fits: bool = False, form: Form = "auto", tool: str | None = None) -> CallReader:
    return CallReader(tools or ("query",), lambda _: fits, form=form, tool=tool, source="calls.jsonl")


def one(text: str, *tools: str | None, fits: bool = False, form: Form = "auto", tool: str | None = None) -> CallRecord:
    (call,) = reader(*tools, fits=fits, form=form, tool=tool).read(text)
    assert isinstance(call, CallRecord), call
    return call


def bad(text: str, *tools: str | None, form: Form = "auto", tool: str | None = None) -> str:
    (call,) = reader(*tools, form=form, tool=tool).read(text)
    assert isinstance(call, BadCall), call
    return str(call.error)


def test_bare_arguments_belong_to_the_only_tool() -> None:
    assert one('{"sql": "x", "limit": 1.0}') == CallRecord(1, "query", {"sql": "x", "limit": 1})


def test_bare_arguments_of_a_bare_schema_have_no_tool() -> None:
    assert one("{}", None).tool is None


def test_an_envelope_is_taken_apart() -> None:
    text = '{"tool": "query", "arguments": {"a": 1}, "id": 7, "ts": "t", "client": "c", "session": "s", "_meta": {}}'
    assert one(text) == CallRecord(1, "query", {"a": 1}, id=7, ts="t", client="c", session="s")
    assert one('{"name": "other", "arguments": {}}').tool == "other"
    assert one('{"arguments": {}}').tool == "query"


@pytest.mark.parametrize("text", ['{"tool": "x", "args": {}}', '{"arguments": {}, "sql": "x"}', '{"tool": "x"}'])
def test_anything_else_is_bare(text: str) -> None:
    call = one(text)
    assert call.tool == "query"
    assert len(call.arguments) == text.count(":")


def test_a_request_is_taken_apart_and_may_lack_arguments() -> None:
    text = '{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "t", "arguments": {"a": null}}}'
    assert one(text) == CallRecord(1, "t", {"a": None}, id=3)
    assert one('{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "t"}}').arguments == {}


@pytest.mark.parametrize(
    "text",
    ['{"tool": "query", "arguments": {}}', '{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "query"}}'],
)
def test_what_fits_both_ways_stops_the_run(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        list(reader(fits=True).read("\n" + text))
    assert caught.value.line == 2
    assert "--calls envelope or --calls bare" in str(caught.value)
    assert one(text, fits=True, form="envelope").arguments == {}
    assert len(one(text, fits=True, form="bare").arguments) >= 2


def test_several_tools_make_an_envelope_unambiguous_and_bare_arguments_nameless() -> None:
    assert one('{"tool": "a", "arguments": {}}', "a", "b", fits=True).tool == "a"
    assert "--tool NAME" in bad('{"sql": "x"}', "a", "b")
    assert "--tool NAME" in bad('{"arguments": {}}', "a", "b")
    assert one('{"sql": "x"}', "a", "b", tool="b").tool == "b"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1]", "one call a line"),
        ("3", "a call is an object, this is a number"),
        ("true", "a boolean"),
        ('{"a": 1, "a": 2}', "calls.jsonl:1:10 at /a"),
        ("{", "calls.jsonl:1:2"),
        ('{"a": 1e999}', "1e999"),
        ('{"arguments": null}', "arguments is null, not an object"),
        ('{"arguments": "x", "tool": "query"}', "arguments is a text"),
        ('{"arguments": {}, "tool": 3}', "tool is a number"),
        ('{"arguments": {}, "tool": "a", "name": "b"}', "two different names"),
        ('{"jsonrpc": "2.0", "method": "initialize", "params": {}}', "no tools/call request"),
        ('{"jsonrpc": "2.0", "method": "tools/call"}', "no params"),
        ('{"jsonrpc": "2.0", "method": "tools/call", "params": {"arguments": {}}}', "names no tool"),
        ('{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "t", "arguments": [1]}}', "is an array"),
    ],
)
def test_bad_lines_say_where_and_why(text: str, said: str) -> None:
    assert said in bad(text)


def test_bare_arguments_are_bad_where_envelopes_were_promised() -> None:
    assert "neither an envelope nor a tools/call request" in bad('{"sql": "x"}', form="envelope")


def test_every_line_is_accounted_for_with_its_number() -> None:
    lines = list(reader().read('{"a": 1}\n\n  \nnonsense\n{"b": 2}\n'))
    assert [(type(line).__name__, line.line) for line in lines] == [
        ("CallRecord", 1),
        ("BadCall", 4),
        ("CallRecord", 5),
    ]


def test_calls_in_memory_are_read_by_the_same_rules() -> None:
    given: list[Json | CallRecord] = [{"sql": "x"}, {"tool": "t", "arguments": {}}, CallRecord(9, "u"), 3]
    read = list(reader().values(given))
    assert [call.tool for call in read if isinstance(call, CallRecord)] == ["query", "t", "u"]
    assert isinstance(read[3], BadCall)
    assert read[3].line == 4


def test_reading_is_lazy() -> None:
    class Endless:
        def readline(self, _: int) -> bytes:
            return b'{"a": 1}\n'

    calls = reader().read(Endless())  # type: ignore[arg-type]
    assert [next(calls).line for _ in range(3)] == [1, 2, 3]
