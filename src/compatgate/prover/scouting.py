"""Find the first word of a product without making its sets of terms: one term of each sought pattern at a time.

A sought pattern matches if one of its terms does, so its terms can be followed apart from each other: where the product
would meet every combination of them, this meets each one. And a scout is not followed when another one differs from it
only in that the unwanted patterns have fewer terms: whatever is found behind the one is found behind the other
(antichains; De Wulf, Doyen, Henzinger, Raskin 2006). That gives a shortest word; it is then made the first of its
length, character by character.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from compatgate.prover.product import Product, State

#: The terms followed, one state a sought pattern; the states of the unwanted patterns.
Scout: TypeAlias = tuple[State, State]


class _Layer:
    """Hold the scouts of one length, and what displaces others."""

    def __init__(self, product: Product, spend: Callable[[int], None]) -> None:
        self._product = product
        self._spend = spend
        self._settled: dict[State, list[State]] = {}
        #: Where each scout came from: a scout of the layer before, and a class of characters.
        self.scouts: dict[Scout, tuple[Scout, int] | None] = {}
        self._displaced: set[Scout] = set()

    def next(self, *, forget: bool) -> _Layer:
        """Return the layer one character on; it forgets what this one displaces where the length still counts."""
        following = _Layer(self._product, self._spend)
        if not forget:
            following._settled = self._settled
        for scout in self.scouts:
            if scout not in self._displaced:
                self._spend(1)
                for letter, state in self._product.ways((*scout[0], *scout[1]), self._spend):
                    following.meet(state, (scout, letter))
        return following

    def meet(self, state: State, origin: tuple[Scout, int] | None) -> None:
        """Follow every choice of single terms of a state that no other scout displaces."""
        sought, unwanted = self._product.split(state)
        is_easier = self._product.is_easier
        for parts in sought:
            known = self._settled.setdefault(parts, [])
            self._spend(1 + (len(known) >> 2))
            if any(is_easier(other, unwanted) for other in known):
                continue
            harder = [other for other in known if is_easier(unwanted, other)]
            for other in harder:
                known.remove(other)
                self._displaced.add((parts, other))
            known.append(unwanted)
            self._displaced.discard((parts, unwanted))
            self.scouts[parts, unwanted] = origin


def first_word(product: Product, low: int, high: int | None, spend: Callable[[int], None]) -> str | None:
    """Return the first word of a product with a length in the bounds, None if there is none."""
    state = product.start_state()
    letters = _shortest(product, state, low, high, spend)
    if letters is None:
        return None
    for place in range(len(letters)):
        rest = len(letters) - place - 1
        for letter, target in product.ways(state, spend):
            if letter < letters[place]:
                better = _shortest(product, target, rest, rest, spend)
                if better is None:
                    continue
                letters[place:] = [letter, *better]
            state = target
            break
    return "".join(chr(product.ranked[letter].first()[1]) for letter in letters)


def _shortest(
    product: Product, state: State, low: int, high: int | None, spend: Callable[[int], None]
) -> list[int] | None:
    """Return the classes of some shortest word from a state, None if there is none with a length in the bounds."""
    layer = _Layer(product, spend)
    layer.meet(state, None)
    layers = [layer]
    while layer.scouts:
        length = len(layers) - 1
        if length >= low:
            for scout in layer.scouts:
                if product.accepts_state((*scout[0], *scout[1])):
                    return _path(scout, layers)
        if length == high:
            return None
        layer = layer.next(forget=length < low)
        layers.append(layer)
    return None


def _path(scout: Scout, layers: list[_Layer]) -> list[int]:
    letters: list[int] = []
    for layer in reversed(layers):
        origin = layer.scouts[scout]
        if origin is not None:
            scout, letter = origin
            letters.append(letter)
    return letters[::-1]
