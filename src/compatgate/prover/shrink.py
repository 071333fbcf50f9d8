"""Make a witness as small as it can be made without ceasing to be one.

The order, from most to least important: fewest values (members, items, nested ones), fewest characters, then the
number nearest to zero with the fewest digits. Steps are tried in a fixed order until none helps, so the result is
the same from run to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Final

from compatgate.jsonio import Json

#: How many candidates are tried; a witness of a real change needs a dozen.
MAX_TRIES: Final = 3_000
#: Every try looks at the whole candidate again: this many parts of values in all are about a second of work.
MAX_WORK: Final = 1_000_000
#: However large, so many tries are made.
_FEW: Final = 2
#: Values nested deeper than this are left as they are.
MAX_DEPTH: Final = 60


def shrink(value: Json, keeps: Callable[[Json], bool]) -> Json:
    """Return the smallest value found that still satisfies `keeps`."""
    tries = work = 0
    size = parts(value)
    improved = True
    while improved:
        improved = False
        for candidate in _smaller(value, 0):
            tries += 1
            work += size
            if tries > MAX_TRIES or (work > MAX_WORK and tries > _FEW):
                return value
            if keeps(candidate):
                value = candidate
                size = parts(value)
                improved = True
                break
    return value


def parts(value: Json, most: int = 10_000_000) -> int:
    """Count a value and everything in it; what is more than `most` may be counted as any larger number.

    A value just built shares its parts: it can be far larger than the memory it takes, or than time allows to count.
    """
    count = 0
    todo = [value]
    while todo:
        if count + len(todo) > most:
            return count + len(todo)
        part = todo.pop()
        count += 1
        if isinstance(part, dict):
            todo.extend(part.values())
        elif isinstance(part, list):
            todo.extend(part)
    return count


def _smaller(value: Json, depth: int) -> Iterator[Json]:
    """Yield values one step smaller, boldest first."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, dict):
        yield from _smaller_object(value, depth)
    elif isinstance(value, list):
        yield from _smaller_array(value, depth)
    elif isinstance(value, str):
        yield from _smaller_text(value)
    elif isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        yield from _smaller_number(value)


def _smaller_object(value: dict[str, Json], depth: int) -> Iterator[Json]:
    if len(value) > 3:
        names = list(value)
        half = len(names) // 2
        yield {name: value[name] for name in names[:half]}
        yield {name: value[name] for name in names[half:]}
    for name in reversed(value):
        yield {other: item for other, item in value.items() if other != name}
    for name, item in value.items():
        if isinstance(item, (dict, list)) and item:
            for plain in ("", 0, False, None):
                yield {**value, name: plain}
        for candidate in _smaller(item, depth + 1):
            yield {**value, name: candidate}


def _smaller_array(value: list[Json], depth: int) -> Iterator[Json]:
    if len(value) > 3:
        yield value[: len(value) // 2]
        yield value[len(value) // 2 :]
    for index in reversed(range(len(value))):
        yield value[:index] + value[index + 1 :]
    for index, item in enumerate(value):
        if isinstance(item, (dict, list)) and item:
            for plain in ("", 0, False, None):
                yield [*value[:index], plain, *value[index + 1 :]]
        for candidate in _smaller(item, depth + 1):
            yield [*value[:index], candidate, *value[index + 1 :]]


def _smaller_text(value: str) -> Iterator[Json]:
    if not value:
        return
    yield ""
    if len(value) > 3:
        yield value[: len(value) // 2]
    if len(value) <= 64:
        for index in reversed(range(len(value))):
            yield value[:index] + value[index + 1 :]


def _smaller_number(value: int | float | Decimal) -> Iterator[Json]:
    if value == 0:
        return
    size = value if value > 0 else -value
    for candidate in (0, 1, -1):
        if abs(candidate) < size or (abs(candidate) == size and value < 0 < candidate):
            yield candidate
    if size < 10**18:
        whole = int(value)
        if whole != value:
            yield whole
        if abs(whole) > 3:
            yield whole // 2
