"""`compatgate.verdict` is the package and can be called, whichever was imported first."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files

import pytest

import compatgate
from compatgate.jsonio import Json
from compatgate.verdict import Options, RefusedError, verdict_of_request
from tests import data

REQUEST: dict[str, Json] = {
    "contract_version": "mcp-drift/1",
    "subject": {"server_id": "s"},
    "annotation_source_trust": "trusted",
    "baseline": {"tools": []},
    "current": {"tools": [{"name": "t", "inputSchema": {}}]},
}


def test_the_function() -> None:
    assert compatgate.verdict(REQUEST) == verdict_of_request(REQUEST)[0]
    assert compatgate.verdict(REQUEST, Options(callers="declared"))["verdict"] == "REVIEW"
    with pytest.raises(RefusedError, match="no tools") as caught:
        compatgate.verdict({**REQUEST, "current": {}})
    assert (caught.value.status, caught.value.code, caught.value.pointer) == (422, "INVALID_INPUT", "/current")
    assert isinstance(caught.value, compatgate.InputError)


@pytest.mark.parametrize(
    "code",
    [
        "import compatgate; f = compatgate.verdict; import compatgate.verdict; from compatgate.verdict import Options",
        "import compatgate.verdict; import compatgate; f = compatgate.verdict",
        "from compatgate import verdict as f; from compatgate.verdict import Options",
        "import compatgate.verdict as f; f.Options()",
    ],
)
def test_whoever_came_first(code: str) -> None:
    program = f"{code}; print(f({REQUEST!r})['verdict'])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("REVIEW\n", "")


@pytest.mark.parametrize("name", ["input.schema.json", "output.schema.json"])
def test_the_schemas_are_shipped_word_for_word(name: str) -> None:
    published = data.need("mcp-drift-1") / name
    assert files("compatgate.verdict").joinpath("data", name).read_bytes() == published.read_bytes()
