"""Make a JSON document smaller while something stays true of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from compatgate.jsonio import Json


def shrunk(value: Json, fits: Callable[[Json], bool], seconds: float) -> Json:
    """Return a smaller document that still fits, by greedy deletion and simplification, largest parts first."""
    until = perf_counter() + seconds
    smaller = True
    while smaller:
        smaller = False
        for candidate in _simpler(value):
            if perf_counter() > until:
                return value
            if fits(candidate):
                value, smaller = candidate, True
                break
    return value


def _simpler(value: Json) -> Iterator[Json]:
    """Yield the document with one thing less: a member gone, a part in place of its whole, a shorter constant."""
    if isinstance(value, dict):
        for name in value:
            yield {other: part for other, part in value.items() if other != name}
        for part in value.values():
            if isinstance(part, dict):
                yield part
        for name, part in value.items():
            for simpler in _simpler(part):
                yield {**value, name: simpler}
    elif isinstance(value, list):
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
        for index, part in enumerate(value):
            for simpler in _simpler(part):
                yield [*value[:index], simpler, *value[index + 1 :]]
    elif isinstance(value, str) and len(value) > 1:
        yield value[: len(value) // 2]
    elif isinstance(value, int) and not isinstance(value, bool) and abs(value) > 1:
        yield value // 2
