"""One form for values that mean the same: keys for typed JSON equality, canonical bytes, hashes."""

from compatgate.canonical._bytes import canonical_bytes, sha256, utf16_sorted
from compatgate.canonical._contract import (
    byte_pin,
    contract_hash,
    normal_schema,
    normal_tool,
    snapshot_hash,
    whole_tool,
)
from compatgate.canonical._keys import value_key

__all__ = [
    "byte_pin",
    "canonical_bytes",
    "contract_hash",
    "normal_schema",
    "normal_tool",
    "sha256",
    "snapshot_hash",
    "utf16_sorted",
    "value_key",
    "whole_tool",
]
