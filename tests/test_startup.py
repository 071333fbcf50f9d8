"""`compatgate --version` imports nothing heavy; how long it takes is measured by `benchmarks/startup.py`."""

from __future__ import annotations

import json
import subprocess
import sys

HEAVY = ("click", "rich", "rich_click", "msgspec", "referencing", "jsonschema_rs", "corvus_json_schema_rs", "asyncio")
PROGRAM = """
import json, sys
sys.argv = ["compatgate", "--version"]
from compatgate.__main__ import main
main()
print(json.dumps(sorted(sys.modules)))
"""


def test_the_version_is_printed_before_anything_heavy_is_imported() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    version, modules = done.stdout.splitlines()
    assert version.startswith("compatgate ")
    assert set(json.loads(modules)).isdisjoint(HEAVY)
