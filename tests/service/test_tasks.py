"""A tool's arguments are read out of its message as a body is read: the same answers, the same paths."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest

from compatgate.drift import output_schema
from compatgate.jsonio import dumps
from compatgate.service.tasks import Task, perform
from tests.verdict.suite import EXCHANGES

PLAIN = [e for e in EXCHANGES if not e.row.get("options")]
VALIDATOR = jsonschema_rs.validator_for(dumps(output_schema()))


def message(arguments: bytes) -> bytes:
    """Return a tools/call message around arguments as they are written."""
    head = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "check_mcp_drift", "arguments": '
    return head + arguments + b"}}"


@pytest.mark.parametrize("file", sorted({e.file for e in PLAIN}))
def test_the_tool_answers_as_the_service_does(file: str) -> None:
    for exchange in (e for e in PLAIN if e.file == file):
        alone = perform(Task(exchange.body))
        told = perform(Task(message(exchange.body), "check_mcp_drift"))
        if alone.status == 400 or not exchange.body.lstrip().startswith(b"{"):  # lines, columns and words differ there
            assert 400 <= told.status < 500, exchange.name
            continue
        assert (told.status, told.body) == (alone.status, alone.body), exchange.name
        if told.status == 200:
            VALIDATOR.validate(json.loads(told.plain))


def test_paths_begin_at_the_arguments() -> None:
    reply = perform(Task(message(b'{"baseline": {"tools": [1e999]}}'), "check_mcp_drift"))
    assert reply.status == 400
    assert json.loads(reply.body)["path"] == "/baseline/tools/0"


@pytest.mark.parametrize("body", [b"[]", b'{"params": []}', b'{"params": {"arguments": 1}}', b"{}"])
def test_a_message_without_arguments_is_refused(body: bytes) -> None:
    assert perform(Task(body, "check_mcp_drift")).status == 422
