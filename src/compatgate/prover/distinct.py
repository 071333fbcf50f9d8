"""Choose distinct values for positions: a matching of positions to values (Hall's theorem)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from typing import TypeAlias

from compatgate.canonical import value_key
from compatgate.jsonio import Json
from compatgate.prover.budget import Meter
from compatgate.prover.outcomes import Found, Goal, Outcome, Unknown
from compatgate.schema.nodes import Schema

_Enumerate: TypeAlias = Callable[[list[Schema], list[Json]], Generator[Goal, Outcome, Outcome]]


def choose_distinct(
    enumerate_more: _Enumerate, positions: list[list[Schema]], meter: Meter
) -> Generator[Goal, Outcome, list[Json] | Unknown | None]:
    """Give every position a value of its own set, all distinct; None when that is impossible.

    A position whose set has at least as many values as there are positions can always be served last, so no set is
    listed further than that.
    """
    wanted = len(positions)
    listed: dict[frozenset[int], list[Json]] = {}
    sets: list[list[Json]] = []
    for schemas in positions:
        key = frozenset(schema.uid for schema in schemas)
        if key not in listed:
            values: list[Json] = []
            while len(values) < wanted:
                meter.spend()
                outcome = yield from enumerate_more(schemas, values)
                if isinstance(outcome, Unknown):
                    return outcome
                if not isinstance(outcome, Found):
                    break
                values.append(outcome.value)
            listed[key] = values
        sets.append(listed[key])
    return _match(sets, meter)


def _match(sets: list[list[Json]], meter: Meter) -> list[Json] | None:
    """Match positions to values by augmenting paths, searched breadth first."""
    holder: dict[Hashable, int] = {}
    given: dict[int, Json] = {}
    for start in range(len(sets)):
        came: dict[int, tuple[int, Json] | None] = {start: None}
        queue = [start]
        found: tuple[int, Json] | None = None
        while queue and found is None:
            position = queue.pop(0)
            for value in sets[position]:
                meter.spend()
                other = holder.get(value_key(value))
                if other is None:
                    found = (position, value)
                    break
                if other not in came:
                    came[other] = (position, value)
                    queue.append(other)
        if found is None:
            return None
        step: tuple[int, Json] | None = found
        while step is not None:
            position, value = step
            step = came[position]
            given[position] = value
            holder[value_key(value)] = position
    return [given[position] for position in range(len(sets))]
