"""Normal forms as bytes, tool by tool: what is equal is found out once, and hashed from the same bytes.

The two hashes of mcp-drift/1 are those of `canonical.snapshot_hash` and `contract_hash`; here they are put together
from the bytes of single tools, and a tool that did not change is encoded once for both snapshots.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

import msgspec

from compatgate.canonical import canonical_bytes, whole_tool
from compatgate.jsonio import Json
from compatgate.model import Snapshot, Tool

#: The members that the contract hash holds.
CONTRACT: Final = frozenset("name title description inputSchema outputSchema annotations execution".split())

_ENCODER: Final = msgspec.json.Encoder(order="sorted", decimal_format="string")
_TELLTALE: Final = msgspec.json.Encoder(decimal_format="number")
# What the encoder may write otherwise than RFC 8785: decimals (the two encoders differ about them), integers beyond
# 2^53, and names sorted by code points where UTF-16 sorts otherwise. Floats there are none. The latter two are looked
# for in the bytes, where a text may hold the like: no harm done. Digits become 0, the first bytes of characters beyond
# U+FFFF become 1.
_MARKS: Final = bytes(48 if 48 <= b <= 57 else 49 if 0xF0 <= b <= 0xF4 else 32 for b in range(256))
_LONG: Final = b"0" * 16


class NormalTool:
    """Hold a tool in normal form: `whole` and `contract` are the canonical bytes that the two hashes are made of."""

    __slots__ = ("_form", "contract", "whole")

    def __init__(self, tool: Tool) -> None:
        self._form = form = whole_tool(tool)
        contract = {name: form[name] for name in CONTRACT}
        data = _plain(form)
        if data is None:
            self.whole, self.contract = canonical_bytes(form), canonical_bytes(contract)
        else:  # what the whole is free of, its part is free of
            self.whole, self.contract = data, _ENCODER.encode(contract)

    def differing(self, other: NormalTool) -> frozenset[str]:
        """Return the members whose normal forms differ."""
        names = self._form.keys() | other._form.keys()
        return frozenset(name for name in names if self._member(name) != other._member(name))

    def names(self) -> frozenset[str]:
        """Return the members there are."""
        return frozenset(self._form)

    def _member(self, name: str) -> bytes | None:
        return encode(self._form[name]) if name in self._form else None


def same_text(left: Json, right: Json) -> bool:
    """Say whether two values are the same text but for white space; True is certain, False is not."""
    try:
        return _TELLTALE.encode(left) == _TELLTALE.encode(right)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False


def encode(value: Json) -> bytes:
    """Return the canonical bytes of a value as strict input makes it (no floats), faster where it is plain."""
    data = _plain(value)
    return canonical_bytes(value) if data is None else data


def _plain(value: Json) -> bytes | None:
    """Return what the encoder writes where that is what RFC 8785 writes; None where it may not be."""
    try:
        data = _ENCODER.encode(value)
        marks = data.translate(_MARKS)
        if _LONG in marks or b"1" in marks or len(_TELLTALE.encode(value)) != len(data):
            return None
    except (TypeError, ValueError, OverflowError, RecursionError):
        return None
    return data


def digest(snapshot: Snapshot, forms: Iterable[bytes]) -> str:
    """Return the hash of a snapshot whose tools, sorted by name, have these canonical bytes."""
    version = encode(snapshot.protocol_version)
    hashed = hashlib.sha256(b'{"complete":true,"protocol_version":' + version + b',"tools":[')
    hashed.update(b",".join(forms))
    hashed.update(b"]}")
    return "sha256:" + hashed.hexdigest()
