"""Hypothesis strategies over what `tests.drawing` draws: Hypothesis makes the choices, and shrinks them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.drawing.schemas import Drawer


def drawers(dialect: str = "2020-12") -> st.SearchStrategy[Drawer]:
    """Draw a `Drawer` whose choices Hypothesis makes."""
    return st.randoms(use_true_random=False).map(lambda random: Drawer(random, dialect))
