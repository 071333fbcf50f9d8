"""The face of the package: complete, typed, lazy, and answering like the command line."""

from __future__ import annotations

import inspect
import subprocess
import sys
import typing
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import compatgate
from compatgate.jsonio import Json
from tests.cli.helpers import TOOL, edited, written

A: Json = {"type": "object", "properties": {"n": {"type": "integer"}}}
B: Json = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 5}}}


def test_the_face_is_complete() -> None:
    assert sorted(compatgate.__all__) == dir(compatgate)
    homes = {name for names in compatgate._HOMES.values() for name in names}
    assert homes | {"__version__"} == set(compatgate.__all__)
    for name in compatgate.__all__:
        assert getattr(compatgate, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        _ = compatgate.nonsense


def test_what_is_typed_is_what_is_there() -> None:
    """The imports for type checkers name the same things as the table that is used at run time."""
    source = Path(inspect.getfile(compatgate)).read_text("utf-8")
    block = source.split("if TYPE_CHECKING:\n")[1].split("\n\n")[0]
    typed = {}
    for line in block.splitlines():
        module, names = line.strip().removeprefix("from ").split(" import ")
        typed[module] = tuple(names.split(", "))
    assert typed == compatgate._HOMES
    assert (Path(inspect.getfile(compatgate)).parent / "py.typed").exists()


def test_everything_public_is_documented_and_annotated() -> None:
    for name in ("contains", "classify", "gate", "load"):
        function = getattr(compatgate, name)
        assert function.__doc__
        assert typing.get_type_hints(function)["return"] is not None
    for name in compatgate.__all__:
        value = getattr(compatgate, name)
        if inspect.isclass(value):
            assert value.__doc__, name


def test_importing_costs_nothing() -> None:
    code = "import sys, compatgate; print(sorted(m for m in sys.modules if m.startswith(('compatgate', 'json'))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['compatgate', 'compatgate._version']\n"


def test_contains() -> None:
    answer = compatgate.contains(A, B)
    assert answer.relation is compatgate.Relation.PROVEN_NOT_SUBSET
    assert answer.witness == {"n": 6}
    assert answer.path == "/properties/n/maximum"
    assert "5" in answer.reason
    proved = compatgate.contains(B, A)
    assert (proved.relation, proved.witness) == (compatgate.Relation.PROVEN_SUBSET, compatgate.NO_WITNESS)
    assert compatgate.contains(A, B, callers="declared").relation is compatgate.Relation.PROVEN_NOT_SUBSET
    spent = compatgate.contains(A, B, budget=compatgate.Budget(steps=1))
    assert spent.relation is compatgate.Relation.UNKNOWN
    assert spent.reason


def test_a_document_names_a_place() -> None:
    root: Json = {"$defs": {"x": {"$ref": "#/$defs/y"}, "y": {"type": "string"}}}
    inner = compatgate.Document(root, "/$defs/x")
    assert compatgate.contains(inner, {"type": "string"}).relation is compatgate.Relation.PROVEN_SUBSET


def test_classify_takes_plain_json_and_records(tmp_path: Path) -> None:
    old, new = TOOL, edited(b=None)
    tools = [compatgate.Tool("t", value) for value in (old, new)]
    snapshots = [compatgate.Snapshot("s", (tool,), {}) for tool in tools]
    loaded = [compatgate.load(str(written(tmp_path, f"{i}.json", value))) for i, value in enumerate((old, new))]
    sides: list[Any] = [(old, new), tools, snapshots, loaded, ({"tools": [old]}, {"tools": [new]})]
    for before, after in sides:
        result = compatgate.classify(before, after)
        assert result.impact is compatgate.Impact.BREAKING
        assert [change.rule for change in result.changes] == ["property-removed"]
        assert result.byte_pin == "BLOCK"
    assert compatgate.classify(A, B, side="output").impact is compatgate.Impact.COMPATIBLE
    assert compatgate.classify(compatgate.Document(A), B).impact is compatgate.Impact.BREAKING


def test_gate_takes_calls_in_memory_and_streams() -> None:
    calls: list[Json | compatgate.CallRecord] = [{"a": "x", "b": 1}, compatgate.CallRecord(2, "t", {"a": "x"})]
    result = compatgate.gate(TOOL, edited(b=None), calls)
    assert (result.verdict, result.exit_code, result.breaks) == ("FAIL", 1, (1, 2))
    stream = compatgate.gate(TOOL, edited(b=None), BytesIO(b'{"a": "x", "b": 1}\n{"a": "x"}\n'))
    assert stream.breaks == (1, 2)
    assert compatgate.gate(TOOL, TOOL, [3]).exit_code == 2
    assert compatgate.gate(TOOL, TOOL, [3, {"a": "x"}], skip_bad_calls=True).verdict == "PASS"


def test_floats_of_the_standard_library_are_their_decimals() -> None:
    tenth: Json = {"multipleOf": 0.1}
    assert compatgate.contains({"const": 0.3}, tenth).relation is compatgate.Relation.PROVEN_SUBSET
    assert compatgate.contains({"const": Decimal("0.3")}, tenth).relation is compatgate.Relation.PROVEN_SUBSET


def test_what_is_not_alike_is_refused() -> None:
    with pytest.raises(compatgate.UsageError, match="cannot be compared"):
        compatgate.classify(A, TOOL)
    with pytest.raises(compatgate.InputError):
        compatgate.classify(3, A)
    with pytest.raises(compatgate.CompatgateError):
        compatgate.load("no such file")


def test_nothing_given_is_changed() -> None:
    calls: list[Json] = [{"a": "x", "b": 1}]
    old, new = edited(), edited(b={"type": "string"})
    copies = edited(), edited(b={"type": "string"}), [{"a": "x", "b": 1}]
    compatgate.gate(old, new, calls)
    assert (old, new, calls) == copies


def test_threads_do_not_disturb_each_other() -> None:
    def ask(i: int) -> tuple[str, object]:
        right: Json = {"type": "object", "properties": {"n": {"type": "integer", "maximum": i}}}
        answer = compatgate.contains(A, right)
        return answer.relation.value, answer.witness

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(40)))
    assert answers == [("PROVEN_NOT_SUBSET", {"n": i + 1}) for i in range(40)]
