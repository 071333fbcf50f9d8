"""Whatever is in the files, a command ends with a code of its own and at most one line of error."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compatgate.cli import run
from tests.cli.helpers import TOOL

_words = "type properties required enum const items anyOf allOf not $ref $defs pattern additionalProperties".split()
_members = [
    "name",
    "inputSchema",
    "tools",
    "result",
    "jsonrpc",
    "method",
    "params",
    "arguments",
    "tool",
    "a",
    "\x1b[0m",
]
_leaf = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from([0.5, 1e300]),
    st.sampled_from(["string", "object", "integer", "#", "#/$defs/a", "(", "^a$", "tools/call", "2.0", "\u202e"]),
)  # fmt: skip
_json: st.SearchStrategy[Any] = st.recursive(
    _leaf,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(_words + _members), inner, max_size=4)
    ),
    max_leaves=12,
)
_schema = st.dictionaries(st.sampled_from(_words), _json, max_size=4)
_surface = st.one_of(_schema, _schema.map(lambda schema: {**TOOL, "inputSchema": schema}), _json)
_text = st.one_of(_surface.map(json.dumps), st.text(max_size=20), st.just(json.dumps(TOOL)))
_calls = st.lists(st.one_of(_json.map(json.dumps), st.text(max_size=10)), max_size=4).map("\n".join)


@pytest.mark.parametrize("command", ["gate", "classify", "contains"])
@given(old=_text, new=_text, calls=_calls, options=st.lists(st.sampled_from(["--format=json", "--callers=any"])))
@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
def test_it_always_ends_well(command: str, old: str, new: str, calls: str, options: list[str]) -> None:
    out, err = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as directory:
        files = [Path(directory, name) for name in ("old.json", "new.json", "calls.jsonl")]
        for file, text in zip(files, (old, new, calls), strict=True):
            file.write_text(text, encoding="utf-8", errors="surrogatepass")
        given_files = files if command == "gate" else files[:2]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run([command, *map(str, given_files), *options])
    said = err.getvalue()
    assert code in (0, 1, 2, 3)
    assert "internal error" not in said
    assert said.count("\n") <= 1
    assert "\x1b" not in out.getvalue() + said
    assert "\u202e" not in out.getvalue() + said
    if out.getvalue() and "--format=json" in options:
        assert isinstance(json.loads(out.getvalue()), dict)
