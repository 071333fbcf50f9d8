"""Strict JSON with exact numbers: what is accepted is kept exactly, a refusal names its place."""

from compatgate.jsonio._numbers import integer_text
from compatgate.jsonio._read import LINE_LIMITS, loads, locate, read_lines
from compatgate.jsonio._types import Json, Limits
from compatgate.jsonio._write import check_text, dumps, not_json, scalar

__all__ = [
    "LINE_LIMITS",
    "Json",
    "Limits",
    "check_text",
    "dumps",
    "integer_text",
    "loads",
    "locate",
    "not_json",
    "read_lines",
    "scalar",
]
