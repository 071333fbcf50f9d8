"""`compatgate.verdict` is a function of the Python API, and the contract's schemas are shipped as they are."""

from __future__ import annotations

from importlib.resources import files

import pytest

import compatgate
from compatgate.drift import Options, RefusedError, verdict_of_request
from compatgate.jsonio import Json
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


@pytest.mark.parametrize("name", ["input.schema.json", "output.schema.json"])
def test_the_schemas_are_shipped_word_for_word(name: str) -> None:
    published = data.need("mcp-drift-1") / name
    assert files("compatgate.drift").joinpath("data", name).read_bytes() == published.read_bytes()
