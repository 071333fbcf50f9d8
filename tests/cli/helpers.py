"""Run the command line as a user does, or inside the test's process where that is enough."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from compatgate.cli import run

TOOL: dict[str, Any] = {
    "name": "t",
    "inputSchema": {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
        "required": ["a"],
        "additionalProperties": False,
    },
}


class Ran(NamedTuple):
    """Hold what a run left."""

    code: int
    out: str
    err: str


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ran:
    """Run in this process."""
    capsys.readouterr()
    code = run([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return Ran(code, out, err)


def spawned(*arguments: object, stdin: bytes = b"", cwd: Path | None = None, **environment: str) -> Ran:
    """Run as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "compatgate", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, **environment},
        check=False,
        timeout=60,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def written(directory: Path, name: str, value: object) -> Path:
    """Write JSON, or a text as it is."""
    path = directory / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def edited(**properties: Any) -> dict[str, Any]:
    """Return the tool with other properties; None takes one away."""
    schema = {**TOOL["inputSchema"], "properties": {**TOOL["inputSchema"]["properties"], **properties}}
    schema["properties"] = {name: value for name, value in schema["properties"].items() if value is not None}
    return {**TOOL, "inputSchema": schema}


def lines(*calls: object) -> str:
    """Return JSON Lines."""
    return "".join(json.dumps(call) + "\n" for call in calls)
