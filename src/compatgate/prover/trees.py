"""Hold the tree of a pattern, and the two answers a text may get instead of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from compatgate.prover.unicode_sets import Intervals


class NotEcma(Exception):  # noqa: N818 - two plain answers, not failures
    """Say why a text is no ECMA-262 pattern, and at which character."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(f"{reason} at character {position + 1}")
        self.reason = f"{reason} at character {position + 1}"
        self.position = position


class Opaque(Exception):  # noqa: N818
    """Say why a valid pattern is not modelled: a back-reference, an unknown property, nesting."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Chars:
    """One character of a set."""

    intervals: Intervals


@dataclass(frozen=True, slots=True)
class Seq:
    """One part after the other."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Alt:
    """Any one of the parts."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part, `low` to `high` times (None: without end)."""

    part: Tree
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Edge:
    """The empty text at a place: `start`, `end`, `word` (a word boundary), `inside` (none)."""

    kind: str


@dataclass(frozen=True, slots=True)
class Look:
    """The empty text where a part matches (or not) just ahead, or just behind."""

    part: Tree
    behind: bool
    negative: bool


Tree: TypeAlias = Chars | Seq | Alt | Repeat | Edge | Look
