"""The records: frozen, plain, and JSON when asked."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys

import pytest

from compatgate.jsonio import dumps
from compatgate.model import (
    ABSENT,
    NO_WITNESS,
    CallRecord,
    Change,
    Impact,
    Missing,
    Relation,
    Snapshot,
    Tool,
    to_json,
)

TOOL = Tool("a", {"name": "a", "inputSchema": {"type": "object"}, "outputSchema": None, "title": 3})


def test_a_tool_shows_what_its_server_declared() -> None:
    assert TOOL.input_schema == {"type": "object"}
    assert TOOL.output_schema is None
    assert TOOL.title is None  # no text
    assert TOOL.description is None
    assert TOOL.annotations == {}
    full = Tool(
        "b", {"name": "b", "inputSchema": True, "outputSchema": False, "description": "d", "annotations": {"x": 1}}
    )
    assert full.output_schema is False
    assert full.description == "d"
    assert full.annotations == {"x": 1}


def test_a_snapshot_finds_its_tools_by_name() -> None:
    snapshot = Snapshot("s.json", (TOOL,), {"tools": [TOOL.raw]}, protocol_version="2025-11-25")
    assert snapshot.by_name == {"a": TOOL}
    assert to_json(snapshot) == {
        "source": "s.json",
        "protocol_version": "2025-11-25",
        "complete": True,
        "tools": [TOOL.raw],
    }


@pytest.mark.parametrize("sentinel", [NO_WITNESS, ABSENT])
def test_a_missing_value_is_itself_wherever_it_goes(sentinel: Missing) -> None:
    assert repr(sentinel) == str(sentinel) == sentinel.name
    assert copy.deepcopy(sentinel) is sentinel
    assert pickle.loads(pickle.dumps(sentinel)) is sentinel
    assert sentinel is not None


def test_a_change_leaves_out_what_it_does_not_have() -> None:
    change = Change("a", "input", "/properties/x", "type", Impact.RISKY, "rule", "because")
    assert to_json(change) == {
        "tool": "a",
        "side": "input",
        "path": "/properties/x",
        "keyword": "type",
        "impact": "RISKY",
        "rule": "rule",
        "reason": "because",
        "via_undeclared_names": False,
        "parts": [],
    }
    with_null = dataclasses.replace(change, witness=None, before=None, after=[], parts=("/a",))
    members = to_json(with_null)
    assert members["witness"] is None
    assert members["before"] is None
    assert members["after"] == []
    assert members["parts"] == ["/a"]


def test_every_record_is_json() -> None:
    call = CallRecord(3, None, {"sql": "x"}, id=1)
    change = Change(None, "tool", "", None, Impact.BREAKING, "r", "x", witness={"a": 1})
    for record in (TOOL, Snapshot("s", (TOOL,), None), change, call):
        assert dumps(to_json(record))
    assert to_json(call)["arguments"] == {"sql": "x"}


def test_records_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        TOOL.name = "b"  # type: ignore[misc]


def test_relations_and_impacts_are_their_own_words() -> None:
    assert [str(relation) for relation in Relation] == [
        "PROVEN_SUBSET",
        "PROVEN_NOT_SUBSET",
        "UNKNOWN",
        "NOT_APPLICABLE",
    ]
    assert [str(impact) for impact in Impact] == ["COMPATIBLE", "RISKY", "BREAKING", "UNKNOWN"]


def test_importing_the_records_imports_nothing_heavy() -> None:
    script = (
        "import sys, compatgate.model, compatgate.canonical;"
        "print([name for name in ('msgspec', 'rich', 'click', 'referencing', 'jsonschema_rs', 'asyncio', 'socket',"
        " 'subprocess') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
