"""The exit code is the product: every situation of `gate`, `classify` and `contains` with its code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.helpers import TOOL, Ran, edited, lines, ran, written

GOOD = lines({"a": "x"}, {"a": "y", "b": 1})


@pytest.fixture
def gate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(old: object, new: object, calls: str, *options: object) -> Ran:
        files = [written(tmp_path, "old.json", old), written(tmp_path, "new.json", new)]
        return ran(capsys, "gate", *files, written(tmp_path, "calls.jsonl", calls), *options)

    return call


def test_nothing_changed_passes(gate: Any) -> None:
    result = gate(TOOL, TOOL, GOOD)
    assert (result.code, result.err) == (0, "")
    assert "breaks=0/2: below 78 %" in result.out
    assert "gate      PASS" in result.out
    assert "byte-pin  ok" in result.out


def test_a_breaking_change_that_no_call_touches_fails_and_says_so(gate: Any) -> None:
    result = gate(TOOL, edited(b=None), lines({"a": "x"}))
    assert result.code == 1
    assert "breaking by schema, 0 of 1 recorded call touch it, silent on your traffic" in result.out


def test_a_broken_call_fails_and_is_listed_with_the_error(gate: Any) -> None:
    result = gate(TOOL, edited(b={"type": "string"}), GOOD)
    assert result.code == 1
    assert 'broken          line 2 t {"a": "y", "b": 1}' in result.out
    assert 'at /b: 1 is not of type "string"' in result.out
    assert "breaking by schema, and 1 of 2 recorded calls broken" in result.out


def test_a_call_broken_through_an_undeclared_name_fails_though_no_change_is_breaking(gate: Any) -> None:
    old = {"name": "t", "inputSchema": {"type": "object", "properties": {"a": {}}}}
    new = {"name": "t", "inputSchema": {"type": "object", "properties": {"a": {}, "x": {"type": "integer"}}}}
    result = gate(old, new, lines({"a": 1, "x": "text"}))
    assert result.code == 1
    assert "schema    COMPATIBLE" in result.out
    assert "they send more than is declared" in result.out


def test_risky_never_fails(gate: Any) -> None:
    result = gate({**TOOL, "description": "a"}, {**TOOL, "description": "b"}, GOOD)
    assert result.code == 0
    assert "1 risky" in result.out


def test_ignored_arguments_are_counted_and_do_not_fail(gate: Any) -> None:
    old = {"name": "t", "inputSchema": {"type": "object", "properties": {"a": {}, "b": {}}}}
    new = {"name": "t", "inputSchema": {"type": "object", "properties": {"a": {}}}}
    result = gate(old, new, lines({"a": 1}, {"b": 1}))
    assert result.code == 0
    assert "1 ignored" in result.out
    assert "ignored now: /b" in result.out


def test_unknown_fails_as_inconclusive(gate: Any) -> None:
    old = edited(b={"$ref": "https://example.com/a.json"})
    new = edited(b={"$ref": "https://example.com/b.json"})
    result = gate(old, new, lines({"a": "x"}))
    assert result.code == 1
    assert "INCONCLUSIVE at " in result.out


def test_the_negative_control(gate: Any) -> None:
    result = gate(TOOL, TOOL, GOOD + lines({"b": 1}))
    assert result.code == 0
    assert "negative control FAILED" in result.out
    assert "breaks=0/2" in result.out
    assert "1 invalid before" in result.out


def test_calls_that_leave_no_evidence_are_unusable(gate: Any) -> None:
    for calls in (lines({"b": 1}), lines({"tool": "other", "arguments": {}})):
        result = gate(TOOL, TOOL, calls)
        assert result.code == 2
        assert "no evidence" in result.err
        assert result.err.count("\n") == 1


def test_an_empty_file_is_no_evidence_and_no_failure(gate: Any) -> None:
    for calls in ("", "\n\n"):
        result = gate(TOOL, TOOL, calls)
        assert result.code == 0
        assert "breaks=0/0: no evidence" in result.out


def test_bad_lines_are_numbered_counted_and_stop_the_run(gate: Any) -> None:
    calls = GOOD + "nonsense\n[]\n"
    result = gate(TOOL, TOOL, calls)
    assert result.code == 2
    assert "calls.jsonl:3:" in result.out
    assert "calls.jsonl:4" in result.out
    assert "2 bad lines" in result.err
    result = gate(TOOL, TOOL, calls, "--skip-bad-calls")
    assert (result.code, result.err) == (0, "")
    assert "2 bad lines, not replayed" in result.out


def test_only_bad_lines_are_no_evidence_even_if_skipped(gate: Any) -> None:
    assert gate(TOOL, TOOL, "nonsense\n", "--skip-bad-calls").code == 2


def test_an_ambiguous_line_asks(gate: Any) -> None:
    tool = {"name": "t", "inputSchema": {"type": "object"}}
    calls = lines({"tool": "t", "arguments": {}})
    result = gate(tool, tool, calls)
    assert result.code == 2
    assert "calls.jsonl:1" in result.err
    assert "--calls envelope or --calls bare" in result.err
    assert gate(tool, tool, calls, "--calls", "envelope").code == 0
    assert gate(tool, tool, calls, "--calls", "bare").code == 0


def test_bare_arguments_with_several_tools_need_a_name(gate: Any) -> None:
    both = {"tools": [TOOL, {**TOOL, "name": "u"}]}
    result = gate(both, both, GOOD)
    assert result.code == 2
    assert "--tool NAME" in result.out
    assert gate(both, both, GOOD, "--tool", "u").code == 0
    assert "OLD has no tool" in gate(both, both, GOOD, "--tool", "v").err


def test_naming_a_tool_leaves_the_others_in_the_gate(gate: Any) -> None:
    old, new = {"tools": [TOOL, {**TOOL, "name": "u"}]}, {"tools": [TOOL]}
    assert gate(old, new, GOOD, "--tool", "t").code == 1


def test_a_tool_that_is_gone_breaks_its_calls(gate: Any) -> None:
    result = gate({"tools": [TOOL]}, {"tools": []}, GOOD)
    assert result.code == 1
    assert "the tool is gone" in result.out
    assert "breaks=2/2" in result.out


def test_requests_and_envelopes_find_their_tool(gate: Any) -> None:
    both = {"tools": [TOOL, {**edited(b=None), "name": "u"}]}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "u", "arguments": {"a": "x"}}}
    result = gate(
        both, both, lines({"tool": "t", "arguments": {"a": "x", "b": 1}}, request, {"tool": "v", "arguments": {}})
    )
    assert result.code == 0
    assert "t  breaks=0/1" in result.out
    assert "u  breaks=0/1" in result.out
    assert "1 call of tools that OLD does not have: v" in result.out


def test_breaking_results_are_outside_what_calls_can_say(gate: Any) -> None:
    old = {**TOOL, "outputSchema": {"type": "object", "properties": {"r": {"type": "string"}}, "required": ["r"]}}
    new = {**TOOL, "outputSchema": {"type": "object", "properties": {"r": {"type": "string"}}}}
    result = gate(old, new, GOOD)
    assert result.code == 1
    assert "breaking in its results, of which recorded calls say nothing" in result.out


def test_bare_schemas_and_a_name_for_them(gate: Any) -> None:
    schema = TOOL["inputSchema"]
    assert gate(schema, schema, GOOD).code == 0
    named = lines({"tool": "t", "arguments": {"a": "x"}})
    assert gate(schema, schema, named).code == 2
    assert gate(schema, schema, named, "--tool", "t").code == 0


def test_a_contradiction_is_a_bug_and_fails_closed(gate: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from compatgate import prover
    from compatgate.model import Relation
    from compatgate.prover import Containment

    monkeypatch.setattr(
        prover, "contains", lambda *_, **__: Containment(Relation.PROVEN_SUBSET, reason="a prover gone wrong")
    )
    result = gate(TOOL, edited(b={"type": "string"}), GOOD)
    assert result.code == 3
    assert "contradiction at line 2" in result.err


def test_the_longest_list_is_chosen_by_the_caller(gate: Any) -> None:
    calls = lines(*[{"a": "x", "b": 1}] * 30)
    assert "and 10 more" in gate(TOOL, edited(b=None), calls).out
    assert "and 28 more" in gate(TOOL, edited(b=None), calls, "--list", "2").out
    assert (
        len(json.loads(gate(TOOL, edited(b=None), calls, "--list", "30", "--format", "json").out)["replay"]["calls"])
        == 30
    )


def test_classify_exits_with_0_unless_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = written(tmp_path, "old.json", TOOL), written(tmp_path, "new.json", edited(b=None))
    assert ran(capsys, "classify", old, new).code == 0
    assert ran(capsys, "classify", old, new, "--exit-code").code == 1
    assert ran(capsys, "classify", old, old, "--exit-code").code == 0


def test_classify_any_and_declared_callers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = written(tmp_path, "old.json", {"type": "object", "properties": {"a": {}}})
    new = written(tmp_path, "new.json", {"type": "object", "properties": {"a": {}, "b": {"type": "integer"}}})
    declared = ran(capsys, "classify", old, new)
    assert "schema    COMPATIBLE" in declared.out
    assert "only if undeclared names were sent" in declared.out
    assert "schema    BREAKING" in ran(capsys, "classify", old, new, "--callers", "any").out


def test_classify_turns_round_for_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = written(tmp_path, "old.json", {"enum": [1]}), written(tmp_path, "new.json", {"enum": [1, 2]})
    assert "schema    COMPATIBLE" in ran(capsys, "classify", old, new).out
    assert "schema    BREAKING" in ran(capsys, "classify", old, new, "--side", "output").out


def test_one_tool_of_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = written(tmp_path, "old.json", {"tools": [TOOL, {**TOOL, "name": "u"}]})
    new = written(tmp_path, "new.json", {"tools": [TOOL]})
    assert "tool-removed" in ran(capsys, "classify", old, new).out
    assert "schema    COMPATIBLE" in ran(capsys, "classify", old, new, "--tool", "t").out
    assert "did you mean" in ran(capsys, "classify", old, new, "--tool", "uu").err


def test_contains_exits_by_relation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small, large = written(tmp_path, "s.json", {"enum": [1]}), written(tmp_path, "l.json", {"type": "integer"})
    far = written(tmp_path, "f.json", {"$ref": "https://example.com/x.json"})
    assert ran(capsys, "contains", small, large).code == 0
    refuted = ran(capsys, "contains", large, small)
    assert refuted.code == 1
    assert "witness   0" in refuted.out
    assert ran(capsys, "contains", large, far).code == 3


def test_contains_of_parts_and_tools(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, "tools.json", {"tools": [TOOL, {**TOOL, "name": "u"}]})
    assert ran(capsys, "contains", f"{file}#/tools/0/inputSchema", f"{file}#/tools/1").code == 0
    assert ran(capsys, "contains", file, file, "--tool", "u").code == 0
    several = ran(capsys, "contains", file, file)
    assert several.code == 2
    assert "2 tools are not one schema" in several.err


def test_a_spent_budget_is_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = written(tmp_path, "old.json", TOOL["inputSchema"])
    new = written(tmp_path, "new.json", edited(b={"type": "number", "multipleOf": 7})["inputSchema"])
    result = ran(capsys, "contains", old, new, "--max-steps", "1")
    assert result.code == 3
    assert "budget" in result.out
