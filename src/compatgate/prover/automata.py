"""Decide sets of strings: texts that match some patterns, do not match others, and have a length in bounds.

The product of the patterns' automata is built as far as it is asked for. Lengths are no part of its states: the sets
of states that exactly n characters lead to form a sequence that repeats itself in the end, so a least length of a
million costs as much as the first repetition, and only a word that is really made is ever that long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from compatgate.prover.enumeration import Enumeration
from compatgate.prover.product import Product
from compatgate.prover.recognisers import Matcher, Recogniser
from compatgate.prover.regex import Pattern

__all__ = ["Engine", "Matcher", "first_word", "included", "is_empty", "words"]

Spend: TypeAlias = Callable[[int], None]


class Engine:
    """Keep the automata of the patterns met so far, for a caller who asks about the same ones again and again.

    Not for several threads at once.
    """

    def __init__(self) -> None:
        self._recognisers: dict[Pattern, Recogniser] = {}
        self._products: dict[tuple[tuple[Pattern, ...], tuple[Pattern, ...]], Product] = {}

    def recogniser(self, pattern: Pattern) -> Recogniser:
        """Return the automaton of a pattern."""
        found = self._recognisers.get(pattern)
        if found is None:
            found = self._recognisers[pattern] = Recogniser(pattern)
        return found

    def product(self, must: tuple[Pattern, ...], must_not: tuple[Pattern, ...]) -> Product:
        """Return the automaton of "all of these and none of those", lengths taken out."""
        found = self._products.get((must, must_not))
        if found is None:
            found = Product([self.recogniser(p) for p in must], [self.recogniser(p) for p in must_not])
            self._products[must, must_not] = found
        return found


def words(
    must: Sequence[Pattern],
    must_not: Sequence[Pattern],
    min_length: int,
    max_length: int | None,
    spend: Spend,
    engine: Engine | None = None,
) -> Iterator[str]:
    """Yield every text that matches all of `must`, none of `must_not`, with a length (code points) in the bounds.

    Shorter ones first; those of one length in the order of `alphabets.Ranked` (a-z, 0-9, A-Z, other ASCII, the
    rest). It ends when there is no further word, which is decided, not searched for. `spend` is told of the work and
    may raise.
    """
    engine = engine or Engine()
    low, high = min_length, max_length
    wanted = tuple(dict.fromkeys(must))
    for pattern in wanted:
        least, most = engine.recogniser(pattern).lengths
        low = max(low, least)
        high = most if high is None else high if most is None else min(high, most)
    unwanted = tuple(dict.fromkeys(must_not))
    cuts = {low}
    for pattern in unwanted:
        least, most = engine.recogniser(pattern).lengths
        cuts.add(least)
        if most is not None:
            cuts.add(most + 1)
    starts = sorted(cut for cut in cuts if cut >= low and (high is None or cut <= high))
    for index, start in enumerate(starts):
        end = starts[index + 1] - 1 if index + 1 < len(starts) else high
        present = tuple(p for p in unwanted if _covers(engine.recogniser(p).lengths, start))
        yield from Enumeration(engine.product(wanted, present), spend).between(start, end)


def _covers(lengths: tuple[int, int | None], length: int) -> bool:
    low, high = lengths
    return low <= length and (high is None or length <= high)


def first_word(
    must: Sequence[Pattern],
    must_not: Sequence[Pattern],
    min_length: int,
    max_length: int | None,
    spend: Spend,
    engine: Engine | None = None,
) -> str | None:
    """Return the first of the words, None if there is none; arguments and errors as for `words`."""
    return next(words(must, must_not, min_length, max_length, spend, engine), None)


def is_empty(
    must: Sequence[Pattern],
    must_not: Sequence[Pattern],
    min_length: int,
    max_length: int | None,
    spend: Spend,
    engine: Engine | None = None,
) -> bool:
    """Tell whether there are no such words; arguments and errors as for `words`."""
    return first_word(must, must_not, min_length, max_length, spend, engine) is None


def included(a: Pattern, b: Pattern, spend: Spend, engine: Engine | None = None) -> bool | str:
    """Return True if `b` matches every text that `a` matches, else the first text that only `a` matches."""
    if a.source == b.source:
        return True
    witness = first_word((a,), (b,), 0, None, spend, engine)
    return True if witness is None else witness
