"""Normal forms as bytes, tool by tool: what is equal is found out once, and hashed from the same bytes.

The two hashes of mcp-drift/1 are those of `canonical.snapshot_hash` and `contract_hash`; here each member of a tool is
encoded once, both hashes are put together from the pieces, and a tool that did not change is encoded once for both
snapshots.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from compatgate.canonical import canonical_bytes, utf16_sorted, whole_tool
from compatgate.jsonio import Json
from compatgate.model import Snapshot, Tool

#: The members that the contract hash holds.
CONTRACT: Final = frozenset("name title description inputSchema outputSchema annotations execution".split())

_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)
# What the standard encoder may write otherwise than RFC 8785: floats, integers beyond 2^53, and names sorted by code
# points where UTF-16 sorts otherwise. It is looked for in the text, where a string may hold the like: no harm done.
_DOUBTFUL: Final = re.compile("[:,\\[]-?(?:\\d{16}|\\d+[.eE])|^-?\\d|[\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class NormalTool:
    """Hold a tool in normal form: the canonical bytes of each member, and of the whole and the contract."""

    members: dict[str, bytes]
    whole: bytes
    contract: bytes


def normal(tool: Tool) -> NormalTool:
    """Encode a tool."""
    form = whole_tool(tool)
    members = {name: encode(form[name]) for name in utf16_sorted(form)}
    return NormalTool(members, _joined(members, members), _joined(members, [n for n in members if n in CONTRACT]))


def encode(value: Json) -> bytes:
    """Return the canonical bytes of a value that strict input has checked, faster where it is plain."""
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError):  # decimals, for one
        return canonical_bytes(value)
    return canonical_bytes(value) if _DOUBTFUL.search(text) else text.encode("utf-8")


def digest(snapshot: Snapshot, forms: Iterable[bytes]) -> str:
    """Return the hash of a snapshot whose tools, sorted by name, have these canonical bytes."""
    version = encode(snapshot.protocol_version)
    hashed = hashlib.sha256(b'{"complete":true,"protocol_version":' + version + b',"tools":[')
    hashed.update(b",".join(forms))
    hashed.update(b"]}")
    return "sha256:" + hashed.hexdigest()


def _joined(members: dict[str, bytes], names: Iterable[str]) -> bytes:
    return b"{" + b",".join(encode(name) + b":" + members[name] for name in names) + b"}"
