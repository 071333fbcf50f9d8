"""The contract's two schemas, shipped as data, word for word."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import cast

from compatgate.jsonio import Json


def input_schema() -> dict[str, Json]:
    """Return the schema of requests, a fresh copy."""
    return _read("input.schema.json")


def output_schema() -> dict[str, Json]:
    """Return the schema of answers, a fresh copy."""
    return _read("output.schema.json")


def _read(name: str) -> dict[str, Json]:
    text = files("compatgate.drift").joinpath("data", name).read_text("utf-8")
    return cast("dict[str, Json]", json.loads(text))
