"""Cut the characters into the few classes that patterns can tell apart, and put characters in an order to choose by."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from compatgate.prover.unicode_sets import ANY, Intervals, normalised

#: The place of a character in the order of choice: its tier, then its code point.
Rank: TypeAlias = tuple[int, int]

#: Tiers of choice: letters, digits, capitals, what names are made of, other visible ASCII, the space.
_ASCII_TIERS: Final = (
    ((97, 122),),
    ((48, 57),),
    ((65, 90),),
    ((95, 95),),
    ((45, 45),),
    ((46, 46),),
    ((33, 44), (47, 47), (58, 64), (91, 94), (96, 96), (123, 126)),
    ((32, 32),),
)
#: Then what is printable beyond ASCII, the basic plane first; then line feed, tab and return; then what is not
#: printable; other controls last.
_PRINTABLE_TIERS: Final = (((0xA0, 0xFFFF),), ((0x10000, 0x10FFFF),))
_REST: Final = ((0xA0, 0x10FFFF),)
_BREAKS: Final = ((10, 10), (9, 9), (13, 13))
_CONTROLS: Final = ((0, 8), (11, 12), (14, 31), (127, 159))


def _overlap(left: Intervals, right: Intervals) -> Iterator[tuple[int, int]]:
    for low, high in right:
        at = max(bisect_left(left, (low, low)) - 1, 0)
        while at < len(left) and left[at][0] <= high:
            first, last = max(left[at][0], low), min(left[at][1], high)
            if first <= last:
                yield first, last
            at += 1


def _runs(intervals: Iterable[tuple[int, int]], printable: bool) -> Iterator[tuple[int, int]]:
    for low, high in intervals:
        start = None
        for point in range(low, high + 1):
            if chr(point).isprintable() is printable:
                if start is None:
                    start = point
            elif start is not None:
                yield start, point - 1
                start = None
        if start is not None:
            yield start, high


class Ranked:
    """Hold the characters of one set in the order of choice; the order is worked out as far as it is asked for."""

    def __init__(self, intervals: Intervals) -> None:
        self._source = self._pieces(intervals)
        self._ends: list[Rank] = []
        self._starts: list[int] = []
        self._over = False

    @staticmethod
    def _pieces(intervals: Intervals) -> Iterator[tuple[int, int, int]]:
        tier = 0
        for wanted in _ASCII_TIERS:
            for low, high in _overlap(intervals, wanted):
                yield tier, low, high
            tier += 1
        for wanted in _PRINTABLE_TIERS:
            for low, high in _runs(_overlap(intervals, wanted), True):
                yield tier, low, high
            tier += 1
        for point in _BREAKS:
            for low, high in _overlap(intervals, (point,)):
                yield tier, low, high
            tier += 1
        for low, high in _runs(_overlap(intervals, _REST), False):
            yield tier, low, high
        for low, high in _overlap(intervals, _CONTROLS):
            yield tier + 1, low, high

    def _more(self) -> bool:
        piece = None if self._over else next(self._source, None)
        if piece is None:
            self._over = True
            return False
        tier, low, high = piece
        self._starts.append(low)
        self._ends.append((tier, high))
        return True

    def first(self) -> Rank:
        """Return the rank of the first character (the set is not empty)."""
        if not self._ends:
            self._more()
        return self._ends[0][0], self._starts[0]

    def after(self, rank: Rank) -> Rank | None:
        """Return the rank of the next character of the set after a rank, None where there is none."""
        following = (rank[0], rank[1] + 1)
        while not self._ends or self._ends[-1] < following:
            if not self._more():
                return None
        at = bisect_left(self._ends, following)
        return max(following, (self._ends[at][0], self._starts[at]))


class Alphabet:
    """Hold the classes of one pattern: `masks` says which of them make up each of its sets."""

    def __init__(self, wanted: Iterable[Intervals]) -> None:
        listed = list(dict.fromkeys([ANY, *wanted]))
        cut = [normalised(intervals) for intervals in listed]
        points = sorted({point for intervals in cut for low, high in intervals for point in (low, high + 1)})
        place = {point: index for index, point in enumerate(points)}
        keys = [0] * (len(points) - 1)
        for index, intervals in enumerate(cut):
            bit = 1 << index
            for low, high in intervals:
                for at in range(place[low], place[high + 1]):
                    keys[at] |= bit
        numbers: dict[int, int] = {0: -1}
        self.starts = points[:-1]
        self.classes = [numbers.setdefault(key, len(numbers) - 1) for key in keys]  # -1: surrogates
        self.size = len(numbers) - 1
        self.masks = {
            intervals: sum(1 << number for key, number in numbers.items() if key >> index & 1)
            for index, intervals in enumerate(listed)
        }

    def letter(self, character: str) -> int:
        """Return the class of a character, -1 for a lone surrogate."""
        return self.classes[bisect_right(self.starts, ord(character)) - 1]


def joint(alphabets: Sequence[Alphabet]) -> tuple[list[tuple[int, ...]], list[Ranked]]:
    """Return the classes that alphabets tell apart together, best first: by their classes in each, by characters."""
    if not alphabets:
        return [()], [Ranked(ANY)]
    points = sorted({point for alphabet in alphabets for point in alphabet.starts})
    at = [0] * len(alphabets)
    found: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    points.append(0x110000)
    for number in range(len(points) - 1):
        start = points[number]
        key = []
        for index, alphabet in enumerate(alphabets):
            place = at[index]
            starts = alphabet.starts
            if place + 1 < len(starts) and starts[place + 1] <= start:
                place += 1
                at[index] = place
            key.append(alphabet.classes[place])
        if key[0] >= 0:
            found.setdefault(tuple(key), []).append((start, points[number + 1] - 1))
    letters = [(letter, Ranked(tuple(pieces))) for letter, pieces in found.items()]
    letters.sort(key=lambda item: item[1].first())
    return [letter for letter, _ in letters], [ranked for _, ranked in letters]
