"""Enumerate the words of a product automaton: by length, then in the order of choice of their characters."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Final

from compatgate.prover.alphabets import Rank
from compatgate.prover.outlines import Bounds, is_wider
from compatgate.prover.product import Product
from compatgate.prover.scouting import first_word

_NOBODY: Final[frozenset[int]] = frozenset()
#: When the shortest word is not among this many states, and so many of them have one length that they seem to
#: multiply, it is looked for in another way.
_SIMPLE: Final = 300
_NARROW: Final = 64
#: A word longer than this may be one that counts: from here on, states are compared by their counters. Of those that
#: differ in nothing else, so many are kept to compare with: the first ones, mostly the widest.
_LONG: Final = 16
_MAX_WIDE: Final = 8


class _NotSimpleError(Exception):
    pass


class Enumeration:
    """Enumerate the words of one product. `spend` is told of states, layers and characters, and may raise."""

    def __init__(self, product: Product, spend: Callable[[int], None]) -> None:
        self._product = product
        self._spend = spend
        start = product.start
        #: Layer n: the states that exactly n characters lead to.
        self._layers: list[frozenset[int]] = [_NOBODY if start is None else frozenset({start})]
        self._known: dict[frozenset[int], int] = {self._layers[0]: 0}
        self._period: int | None = None  # from layer _first on, the layers repeat with this period
        self._first = 0

    def between(self, low: int, high: int | None) -> Iterator[str]:
        """Yield the words with a length in the bounds."""
        told: str | None = None
        try:
            length = self._next_length(low, high, _SIMPLE if low < _SIMPLE else None)
        except _NotSimpleError:
            told = first_word(self._product, low, high, self._spend)
            if told is None:
                return
            yield told
            length = len(told)
        while length is not None:
            for word in self._of_length(length):
                if word != told:
                    yield word
            length = self._next_length(length + 1, high)

    # -- lengths -----------------------------------------------------------------------------------------

    def _after(self, layer: frozenset[int]) -> frozenset[int]:
        moves, spend = self._product.moves, self._spend
        spend(1 + (len(layer) >> 3))
        return frozenset([target for state in layer for _, target in moves(state, spend)])

    def _layer(self, length: int) -> frozenset[int]:
        layers = self._layers
        while self._period is None and len(layers) <= length:
            layer = self._after(layers[-1])
            known = self._known.setdefault(layer, len(layers))
            if known < len(layers):
                self._first, self._period = known, len(layers) - known
                break
            layers.append(layer)
        if length < len(layers):
            return layers[length]
        assert self._period is not None
        return layers[self._first + (length - self._first) % self._period]

    def _next_length(self, low: int, high: int | None, states: int | None = None) -> int | None:
        """Return the least length in the bounds that a word has, None if there is none.

        Raises _NotSimpleError when more than that many states were seen and they multiply.
        """
        if high is not None and high < low:
            return None
        accepts, moves, spend = self._product.accepts, self._product.moves, self._spend
        for length in range(low if states is not None else 0):
            if len(self._layer(length)) > _SIMPLE:
                raise _NotSimpleError
        layer = self._layer(low)
        seen = set(layer)
        wide: dict[Hashable, list[list[Bounds]]] = {}
        length = low
        while layer:
            if any(accepts(state) for state in layer):
                return length
            if length == high:
                return None
            if states is not None and len(seen) > states and len(layer) > _NARROW:
                raise _NotSimpleError
            # A state seen before would accept no sooner now, so it is not followed again.
            fresh = {target: None for state in layer for _, target in moves(state, spend) if target not in seen}
            spend(1 + (len(layer) >> 3))
            seen.update(fresh)
            length += 1
            layer = frozenset(fresh if length - low < _LONG else self._widest(fresh, wide))
        return None

    def _widest(self, states: Iterable[int], wide: dict[Hashable, list[list[Bounds]]]) -> list[int]:
        """Leave out the states that accept no more than one met before: behind x{0,9999} no x{0,9998} is followed."""
        found = []
        for state in states:
            outline, bounds = self._product.outline(state)
            known = wide.setdefault(outline, [])
            self._spend(1 + (len(bounds) >> 3))
            if any(all(map(is_wider, earlier, bounds)) for earlier in known):
                continue
            found.append(state)
            if len(known) < _MAX_WIDE:
                known.append(bounds)
        return found

    # -- words of one length -----------------------------------------------------------------------------

    def _of_length(self, length: int) -> Iterator[str]:
        alive = _Alive(self, length)
        product, spend = self._product, self._spend
        moves, ranked = product.moves, product.ranked
        start = product.start
        assert start is not None
        path = [start]
        chosen: list[Rank] = []
        characters: list[str] = []
        while True:
            # Complete the word with the best characters that still can end in time.
            at = len(chosen)
            met: dict[tuple[int, int], int] = {}
            while at < length:
                state = path[at]
                if alive.is_periodic(at + 1):
                    # The same state in the same phase chooses the same: what was written since then comes again.
                    earlier = met.setdefault((state, alive.phase(at + 1)), at)
                    size = at - earlier
                    times = alive.periodic_for(at + 1) // size if size else 0
                    if times:
                        spend(size * times)
                        path += path[earlier + 1 :] * times
                        chosen += chosen[earlier:] * times
                        characters += characters[earlier:] * times
                        at += size * times
                        continue
                ahead = alive.at(at + 1)
                letter, target = next(move for move in moves(state, spend) if move[1] in ahead)
                rank = ranked[letter].first()
                spend(1)
                path.append(target)
                chosen.append(rank)
                characters.append(chr(rank[1]))
                at += 1
            yield "".join(characters)
            # The last place where another character is possible takes it.
            while chosen:
                rank = chosen.pop()
                path.pop()
                characters.pop()
                at = len(chosen)
                spend(1)
                best: tuple[Rank, int] | None = None
                ahead = alive.at(at + 1)
                for letter, target in moves(path[at], spend):
                    if target in ahead:
                        following = ranked[letter].after(rank)
                        if following is not None and (best is None or following < best[0]):
                            best = following, target
                if best is not None:
                    chosen.append(best[0])
                    path.append(best[1])
                    characters.append(chr(best[0][1]))
                    break
            else:
                return


class _Alive:
    """For words of one length: which states of each layer can still end in time.

    Like the layers from the start, these sets repeat themselves, counted from the end; so only as many are worked out.
    """

    def __init__(self, owner: Enumeration, length: int) -> None:
        self._owner = owner
        self._length = length
        layer = owner._layer(length)
        accepting = frozenset([state for state in layer if owner._product.accepts(state)])
        self._tail = [accepting]  # of the places length, length - 1, ...
        self._cycle = 0
        self._low = length
        self._head: list[frozenset[int]] = []
        period = owner._period
        first = owner._first if period is not None and owner._first + 2 * period < length else length
        known: dict[tuple[frozenset[int], int], int] = {(accepting, 0): length}
        place = length
        while place > first:
            place -= 1
            here = self._before(place, self._tail[-1])
            self._tail.append(here)
            assert period is not None
            earlier = known.setdefault((here, (length - place) % period), place)
            if earlier != place:
                self._cycle = earlier - place
                break
        self._low = place
        if self._cycle:
            place = first
        ahead = self.at(place)
        backwards = []
        while place > 0:
            place -= 1
            ahead = self._before(place, ahead)
            backwards.append(ahead)
        self._head = backwards[::-1]

    def _before(self, place: int, ahead: frozenset[int]) -> frozenset[int]:
        product, spend = self._owner._product, self._owner._spend
        layer = self._owner._layer(place)
        spend(1 + (len(layer) >> 3))
        moves = product.moves
        return frozenset([s for s in layer if any(target in ahead for _, target in moves(s, spend))])

    def at(self, place: int) -> frozenset[int]:
        """Return the states at a place from which the word can end in time."""
        if place < len(self._head):
            return self._head[place]
        if place < self._low:
            place += -((place - self._low) // self._cycle) * self._cycle
        return self._tail[self._length - place]

    def is_periodic(self, place: int) -> bool:
        """Tell whether the sets repeat themselves at a place."""
        return bool(self._cycle) and len(self._head) <= place < self._low

    def phase(self, place: int) -> int:
        """Return where in the repetition a place is."""
        return (self._low - place) % self._cycle

    def periodic_for(self, place: int) -> int:
        """Return for how many places from this one on the repetition lasts."""
        return self._low - place
