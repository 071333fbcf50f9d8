"""Keep the parsed patterns of one proof; one that cannot be read is None, with its reason."""

from __future__ import annotations

from compatgate.prover.automata import Engine
from compatgate.prover.regex import NotEcma, Opaque, Pattern, parse


class Patterns:
    """Parse each pattern text once."""

    def __init__(self) -> None:
        self._parsed: dict[str, Pattern | str] = {}
        #: The automata built so far: a proof asks about the same patterns again and again.
        self.engine = Engine()

    def get(self, text: str) -> Pattern | None:
        """Return the parsed pattern, or None where it is opaque or no ECMA-262 pattern."""
        found = self._find(text)
        return None if isinstance(found, str) else found

    def reason(self, text: str) -> str:
        """Say why a pattern is None."""
        found = self._find(text)
        return found if isinstance(found, str) else ""

    def _find(self, text: str) -> Pattern | str:
        found = self._parsed.get(text)
        if found is None:
            try:
                found = parse(text)
            except NotEcma as error:
                found = f"not an ECMA-262 pattern: {error.reason}"
            except Opaque as error:
                found = f"the pattern is not modelled: {error.reason}"
            self._parsed[text] = found
        return found
