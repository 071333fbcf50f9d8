"""Name what a goal can come to, and what a solver can ask for."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from compatgate.jsonio import Json
from compatgate.schema.nodes import Formula, Schema


@dataclass(frozen=True, slots=True)
class Found:
    """A value that is in every schema of the goal."""

    value: Json


@dataclass(frozen=True, slots=True)
class Empty:
    """There is none; `core` are members of the goal that already exclude each other."""

    core: frozenset[Schema]


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not decided: why, and at which place of the schema or of the value."""

    reason: str
    path: str = ""


Outcome: TypeAlias = Found | Empty | Unknown


@dataclass(frozen=True, slots=True)
class Refuted:
    """The literals of one world exclude each other; `core` are those that do."""

    core: frozenset[Formula]


Answer: TypeAlias = Found | Refuted | Unknown


@dataclass(frozen=True, slots=True)
class Goal:
    """Ask for a value that is in every one of these schemas; `label` says which part of the value it is for."""

    schemas: tuple[Schema, ...]
    label: str = ""


#: A solver yields goals for the parts of a value and is sent their outcomes.
Solving: TypeAlias = Generator[Goal, Outcome, Answer]


def goal(schemas: Iterable[Schema], label: str = "") -> Goal:
    """Make a goal."""
    return Goal(tuple(schemas), label)
