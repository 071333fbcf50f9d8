"""The libraries of the service are imported by `serve` and `mcp` alone: no other command waits for them."""

from __future__ import annotations

import json
import subprocess
import sys

PROGRAM = """
import json, sys
from compatgate.cli import run
code = run(["verdict", "--help"])
print()
print(json.dumps([code, sorted({name.partition(".")[0] for name in sys.modules})]))
"""


def test_other_commands_do_not_import_them() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    code, modules = json.loads(done.stdout.splitlines()[-1])
    assert code == 0
    assert "compatgate" in modules
    assert not {"mcp", "mcp_types", "starlette", "uvicorn", "pydantic", "asyncio", "anyio"} & set(modules)
