"""Find the first word of a product without making its sets of terms: one term of each sought pattern at a time.

A sought pattern matches if one of its terms does, so its terms can be followed apart from each other: where the product
would meet every combination of them, this meets each one. And a state is not followed when an earlier one differs from
it only in that the unwanted patterns have fewer terms: whatever is found behind the one is found behind the other
(antichains; De Wulf, Doyen, Henzinger, Raskin 2006). The word is still the first one: only earlier states displace.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from compatgate.prover.product import Product, State

#: The terms followed, one state a sought pattern; the states of the unwanted patterns.
Scout: TypeAlias = tuple[State, State]


class _Layer:
    """Hold the scouts of one length, and what they displace."""

    def __init__(self, product: Product, spend: Callable[[int], None]) -> None:
        self._product = product
        self._spend = spend
        self._settled: dict[State, list[State]] = {}
        self.scouts: list[Scout] = []
        #: Where each came from: a scout of the layer before and a class of characters.
        self.origins: dict[Scout, tuple[Scout, int] | None] = {}

    def next(self, *, forget: bool) -> _Layer:
        """Return the layer one character on; it forgets what earlier layers displace where the length still counts."""
        following = _Layer(self._product, self._spend)
        if not forget:
            following._settled = self._settled
        for scout in self.scouts:
            self._spend(1)
            for letter, state in self._product.ways((*scout[0], *scout[1]), self._spend):
                following.meet(state, (scout, letter))
        return following

    def meet(self, state: State, origin: tuple[Scout, int] | None) -> None:
        """Follow every choice of single terms of a state, unless an earlier scout displaces it."""
        sought, unwanted = self._product.split(state)
        for parts in sought:
            known = self._settled.setdefault(parts, [])
            self._spend(1 + (len(known) >> 2))
            if not any(self._product.is_easier(earlier, unwanted) for earlier in known):
                known.append(unwanted)
                self.scouts.append((parts, unwanted))
                self.origins[parts, unwanted] = origin


def first_word(product: Product, low: int, high: int | None, spend: Callable[[int], None]) -> str | None:
    """Return the first word of a product with a length in the bounds, None if there is none."""
    layer = _Layer(product, spend)
    layer.meet(product.start_state(), None)
    layers = [layer]
    while layer.scouts:
        length = len(layers) - 1
        if length >= low:
            for scout in layer.scouts:
                if product.accepts_state((*scout[0], *scout[1])):
                    return _word(scout, layers, product)
        if length == high:
            return None
        layer = layer.next(forget=length < low)
        layers.append(layer)
    return None


def _word(scout: Scout, layers: list[_Layer], product: Product) -> str:
    characters: list[str] = []
    for layer in reversed(layers):
        origin = layer.origins[scout]
        if origin is None:
            break
        scout, letter = origin
        characters.append(chr(product.ranked[letter].first()[1]))
    return "".join(reversed(characters))
