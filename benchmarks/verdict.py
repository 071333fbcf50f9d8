"""Measure a verdict as a ratio: 100 tools, one of them changed, against reading the two snapshots with `json.loads`.

Run `python -m benchmarks.verdict`. Everything is measured in one run on one machine, so the ratio says nothing about
the machine. The limit is 8 for the verdict, hashes included; the process ends with 1 above it. What strict reading of
the request adds (duplicate keys, exact numbers, depth) is printed beside it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

from compatgate.drift import verdict_of_request
from compatgate.jsonio import Json

LIMIT = 8.0
TOOLS = 100
ROUNDS = 40

_TYPES: list[dict[str, Json]] = [
    {"type": "string", "minLength": 1, "maxLength": 200},
    {"type": "integer", "minimum": 1, "maximum": 1000, "default": 20},
    {"type": "boolean", "default": False},
    {"type": "string", "enum": ["open", "closed", "merged", "all"], "default": "open"},
    {"type": "array", "items": {"type": "string"}, "maxItems": 50},
    {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}], "default": None},
]


def tool(index: int, *, changed: bool = False) -> dict[str, Json]:
    """Return a tool of ordinary size: eight parameters with descriptions, a description, an output schema, hints."""
    properties: dict[str, Json] = {
        f"parameter_{number}": {
            **_TYPES[(index + number) % len(_TYPES)],
            "description": f"What parameter {number} of tool {index} is for, in a sentence of ordinary length.",
        }
        for number in range(8)
    }
    if changed:
        properties["verbose"] = {"type": "boolean", "description": "Say more."}
    result: dict[str, Json] = {
        "type": "object",
        "properties": {"items": {"type": "array", "items": {"type": "object"}}, "next": {"type": ["string", "null"]}},
        "required": ["items"],
    }
    return {
        "name": f"list_things_{index:03}",
        "description": "List the things of one kind in a project, newest first, a page at a time. " * 4,
        "inputSchema": {"type": "object", "properties": properties, "required": ["parameter_0"]},
        "outputSchema": result,
        "annotations": {"title": f"List things {index}", "readOnlyHint": True, "openWorldHint": False},
    }


def snapshot(*, changed: int | None = None) -> dict[str, Json]:
    """Return a complete snapshot of 100 tools; `changed` is the one that is not as it was."""
    tools: list[Json] = [tool(index, changed=index == changed) for index in range(TOOLS)]
    return {"protocol_version": "2025-11-25", "complete": True, "tools": tools}


def best(*actions: Callable[[], object]) -> list[float]:
    """Return the shortest of several runs of each, in seconds of this process; rounds are interleaved.

    What takes longer than the shortest run was disturbed by something else on the machine.
    """
    shortest = [float("inf")] * len(actions)
    for _ in range(ROUNDS):
        for index, action in enumerate(actions):
            start = time.process_time()
            action()
            shortest[index] = min(shortest[index], time.process_time() - start)
    return shortest


def main() -> int:
    """Print the ratios; return 1 where a verdict takes more than the limit."""
    texts = [json.dumps(snapshot()).encode(), json.dumps(snapshot(changed=50)).encode()]
    frame = (
        b'{"contract_version":"mcp-drift/1","subject":{"server_id":"benchmark"},"annotation_source_trust":"untrusted",'
    )
    body = frame + b'"baseline":' + texts[0] + b',"current":' + texts[1] + b"}"
    value: Json = json.loads(body)
    answer, status = verdict_of_request(body)
    assert status == 200, answer
    assert answer["summary"]["changed"] == 1, answer["summary"]  # type: ignore[index, call-overload]
    reading, decided, whole = best(
        lambda: [json.loads(text) for text in texts],
        lambda: verdict_of_request(value),
        lambda: verdict_of_request(body),
    )
    print(f"{TOOLS} tools, 1 changed, {len(body) / 1024:.0f} KiB: {answer['verdict']}")
    print(f"json.loads of both snapshots   {reading * 1e3:8.2f} ms")
    print(f"verdict                        {decided * 1e3:8.2f} ms  {decided / reading:5.1f} x  (limit {LIMIT:g} x)")
    print(f"strict reading and verdict     {whole * 1e3:8.2f} ms  {whole / reading:5.1f} x")
    return 0 if decided / reading <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
