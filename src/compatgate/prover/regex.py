"""Patterns as the prover holds them: ECMA-262 by the grammar with the `u` flag, else by Annex B over code points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from compatgate.prover.grammar import MAX_ASSERTIONS, MAX_NESTING, MAX_SETS, Parser
from compatgate.prover.trees import NotEcma, Opaque, Tree

if TYPE_CHECKING:
    from compatgate.prover.recognisers import Matcher

__all__ = ["MAX_ASSERTIONS", "MAX_NESTING", "MAX_SETS", "NotEcma", "Opaque", "Pattern", "parse"]


@dataclass(frozen=True, eq=False)
class Pattern:
    """Hold a parsed pattern; it matches a text if it matches somewhere in it."""

    source: str
    tree: Tree

    def matches(self, text: str) -> bool:
        """Tell whether the pattern matches somewhere in the text, in time linear in its length."""
        return self._matcher.accepts(text)

    @cached_property
    def _matcher(self) -> Matcher:
        from compatgate.prover.recognisers import Matcher

        return Matcher(self)


def parse(text: str) -> Pattern:
    """Parse a pattern by the grammar of the `u` flag, else by Annex B.

    Raises NotEcma where neither fits (then with the complaint of the first), Opaque for what is no regular language
    or is not known here.
    """
    try:
        return Pattern(text, Parser(text, strict=True).read())
    except NotEcma as strict:
        try:
            return Pattern(text, Parser(text, strict=False).read())
        except NotEcma:
            raise strict from None
