"""Strict JSON with exact numbers: what is accepted is kept exactly, a refusal names its place."""

from compatgate.jsonio._types import Json

__all__ = ["Json"]
