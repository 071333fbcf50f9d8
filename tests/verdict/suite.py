"""Read the exchanges: requests with what is expected of the answer, composed by hand.

An exchange is `baseline` and `current` (put into a request), a whole `request`, or a raw `body`. `expect` holds the
verdict, its action, and any of: `findings` (all of them, in order, each by the members that are named), `summary` and
`coverage` (by the members that are named), `limitations` (texts that occur), `same_hashes` and `differ_hashes`. A
refused request has `status`, `error` and `path` (null: anywhere).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compatgate.drift import Options, RequestLimits
from compatgate.jsonio import Json, dumps, loads
from compatgate.prover import Budget

FOLDER = Path(__file__).parent / "exchanges"


@dataclass(frozen=True)
class Exchange:
    """Hold one exchange."""

    file: str
    name: str
    row: dict[str, Any]

    @property
    def expect(self) -> dict[str, Any]:
        """Return what is expected of the answer."""
        expect: dict[str, Any] = self.row["expect"]
        return expect

    @property
    def request(self) -> dict[str, Json]:
        """Return the request as a value."""
        if "request" in self.row:
            value: dict[str, Json] = self.row["request"]
            return value
        return {
            "contract_version": "mcp-drift/1",
            "subject": {"server_id": "acme/tools@production"},
            "annotation_source_trust": self.row.get("trust", "untrusted"),
            "baseline": self.row["baseline"],
            "current": self.row["current"],
        }

    @property
    def body(self) -> bytes:
        """Return the request as it is sent."""
        if "body" in self.row:
            return str(self.row["body"]).encode("utf-8")
        return dumps(self.request).encode("utf-8")

    @property
    def options(self) -> Options:
        """Return how it is asked."""
        given = dict(self.row.get("options", {}))
        if "limits" in given:
            given["limits"] = RequestLimits(**given["limits"])
        if "other_tools" in given:
            given["other_tools"] = frozenset(given["other_tools"])
        if "steps" in given:
            given["budget"] = Budget(steps=given.pop("steps"))
        return Options(**given)


def load() -> list[Exchange]:
    """Return all exchanges, file by file."""
    found: list[Exchange] = []
    for path in sorted(FOLDER.glob("*.json")):
        rows: Any = loads(path.read_bytes(), source=path.name)
        found += [Exchange(path.stem, row["name"], row) for row in rows]
    return found


EXCHANGES = load()
