"""What becomes of a call: valid under OLD first, then under NEW, by two validators."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from compatgate.errors import InputError
from compatgate.jsonio import Json
from compatgate.model import CallRecord
from compatgate.replay import BadCall, Check, Outcome, Replay, Target, replay
from compatgate.replay.engine import Result
from compatgate.schema.references import Document

CLOSED: dict[str, Json] = {"type": "object", "additionalProperties": False}
OLD: Json = {**CLOSED, "properties": {"q": {"type": "string"}, "n": {"type": "integer"}}, "required": ["q"]}
NEW: Json = {**CLOSED, "properties": {"q": {"type": "string", "maxLength": 3}, "n": {"type": "integer"}}}
OPEN: Json = {"type": "object", "properties": {"q": {"type": "string"}}}
# corvus refuses the pattern, jsonschema-rs does not read it as ECMA-262 either way: nobody can be sure.
DISPUTED: Json = {"type": "object", "properties": {"q": {"type": "string", "pattern": "(?i)^a"}}}


def check(old: Json = OLD, new: Json | None = NEW, name: str | None = "t") -> Check:
    return Check(Target(name, Document(old), None if new is None else Document(new)))


def result(arguments: dict[str, Json], old: Json = OLD, new: Json | None = NEW) -> Result:
    judge = check(old, new)
    return judge.explain(judge.result(CallRecord(1, "t", arguments)))


def run(*arguments: dict[str, Json], old: Json = OLD, new: Json | None = NEW, max_listed: int = 20) -> Replay:
    calls = [CallRecord(line, "t", value) for line, value in enumerate(arguments, 1)]
    return replay([check(old, new)], calls, max_listed=max_listed)


def test_ok() -> None:
    assert result({"q": "abc"}).outcome is Outcome.OK


def test_broken_with_the_error_of_new() -> None:
    found = result({"q": "abcd"})
    assert (found.outcome, found.counted, found.may_break) == (Outcome.BROKEN, True, True)
    assert (found.errors[0].keyword, found.errors[0].instance_path) == ("maxLength", "/q")


def test_broken_because_the_tool_is_gone() -> None:
    found = result({"q": "a"}, new=None)
    assert (found.outcome, found.reason) == (Outcome.BROKEN, "the tool is gone")


def test_the_negative_control_comes_first() -> None:
    for new in (NEW, None, True):
        found = result({"n": 1}, new=new)
        assert (found.outcome, found.counted) == (Outcome.INVALID_BEFORE, False)
        assert found.errors[0].keyword == "required"


def test_ignored_names_the_argument() -> None:
    found = result({"q": "a", "n": 1}, new=OPEN)
    assert (found.outcome, found.ignored, found.may_break) == (Outcome.IGNORED, ("/n",), False)


def test_typed_equality() -> None:
    old: Json = {"properties": {"n": {"enum": [1, True]}}}
    new: Json = {"properties": {"n": {"enum": [1]}}}
    assert result({"n": 1.0}, old, new).outcome is Outcome.OK
    assert result({"n": True}, old, new).outcome is Outcome.BROKEN


def test_disputed_under_new_counts_against_new() -> None:
    found = run({"q": "abc"}, {"q": "x"}, new=DISPUTED)
    assert [r.outcome for r in found.listed] == [Outcome.DISPUTED, Outcome.DISPUTED]
    assert (found.total.calls, found.total.broken, found.total.doubtful) == (2, 0, 2)
    assert found.total.bound == 1.0


def test_disputed_under_old_is_no_evidence() -> None:
    found = run({"q": "abc"}, old=DISPUTED, new=NEW)
    assert (found.total.calls, found.total.disputed, found.total.doubtful) == (0, 1, 0)
    found = run({"q": "abcd"}, old=DISPUTED, new=NEW)
    assert (found.total.calls, found.total.disputed, found.total.doubtful) == (0, 1, 1)


def test_disputed_under_old_and_the_tool_is_gone_may_break() -> None:
    assert run({"q": "abc"}, old=DISPUTED, new=None).total.doubtful == 1


def test_the_same_schema_breaks_nothing_whatever_is_disputed() -> None:
    found = run({"q": "abc"}, old=DISPUTED, new=DISPUTED)
    assert (found.total.disputed, found.total.doubtful) == (1, 0)


def test_unmatched_calls_and_bad_lines_are_counted() -> None:
    calls: list[CallRecord | BadCall] = [
        CallRecord(1, "x"),
        CallRecord(2, "x"),
        CallRecord(3, None),
        BadCall(4, InputError("no call")),
    ]
    found = replay([check()], calls)
    assert (found.lines, found.unmatched, found.bad) == (4, 3, 1)
    assert found.unmatched_names == {"x": 2, "": 1}
    assert found.total.calls == 0


def test_all_are_counted_and_few_are_listed() -> None:
    broken: list[dict[str, Json]] = [{"q": "abcd"}] * 50
    invalid: list[dict[str, Json]] = [{"n": 1}] * 3
    found = run(*broken, *invalid, max_listed=5)
    assert (found.total.broken, found.total.invalid_before) == (50, 3)
    assert len(found.listed) == 8
    assert found.first_broken["t"].call.line == 1


def test_tools_are_told_apart() -> None:
    calls = [CallRecord(1, "a", {"q": "abcd"}), CallRecord(2, "b", {"q": "abcd"})]
    found = replay([check(name="a"), check(new=OLD, name="b")], calls)
    assert [(t.tool, t.broken, t.calls) for t in found.tallies] == [("a", 1, 1), ("b", 0, 1)]
    assert (found.total.broken, found.total.calls) == (1, 2)


values = st.dictionaries(st.sampled_from("qnx"), st.one_of(st.text(max_size=5), st.integers(), st.none()), max_size=3)


@given(st.lists(values, max_size=12))
def test_every_call_has_one_outcome(arguments: list[dict[str, Json]]) -> None:
    found = run(*arguments, new=OPEN)
    total = found.total
    counted = total.ok + total.broken + total.ignored + total.invalid_before + total.disputed
    assert counted == found.lines == len(arguments)
    assert total.calls == total.ok + total.broken + total.ignored + total.disputed
    assert total.broken == 0  # the open schema asks for less


@given(values)
def test_nothing_changes_between_equal_schemas(arguments: dict[str, Json]) -> None:
    assert result(arguments, OLD, OLD).outcome in (Outcome.OK, Outcome.INVALID_BEFORE)
