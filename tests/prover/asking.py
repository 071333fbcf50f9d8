"""Ask the prover in tests: one letter for each relation, so that tables stay tables."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import pytest

from compatgate.jsonio import Json, dumps, loads
from compatgate.model import Missing, Relation
from compatgate.prover import Containment, contains
from compatgate.schema.references import Document

#: in: proven subset; out: proven not; open: unknown.
Said: TypeAlias = Literal["in", "out", "open"]
_SAID: dict[Relation, Said] = {
    Relation.PROVEN_SUBSET: "in",
    Relation.PROVEN_NOT_SUBSET: "out",
    Relation.UNKNOWN: "open",
}


def exact(schema: Any) -> Json:
    """Return a schema written with Python's floats as JSON input brings it: with exact decimals."""
    return loads(dumps(schema))


def said(left: Any, right: Any, **options: Any) -> Said:
    """Return what is said of left ⊆ right."""
    return _SAID[_asked(left, right, options).relation]


def witness(left: Any, right: Any, **options: Any) -> Json:
    """Return the witness that left is not in right; fails where there is none."""
    answer = _asked(left, right, options)
    assert not isinstance(answer.witness, Missing), answer
    return answer.witness


def same(left: Any, right: Any) -> bool:
    """Tell whether two schemas are proved to accept the same values."""
    return said(left, right) == said(right, left) == "in"


def table(rows: dict[str, tuple[Any, ...]], names: str) -> pytest.MarkDecorator:
    """Parametrize a test by named rows."""
    return pytest.mark.parametrize(names.split(), list(rows.values()), ids=list(rows))


def _asked(left: Any, right: Any, options: dict[str, Any]) -> Containment:
    answer = contains(_document(left), _document(right), **options)
    # A wrong proof that the search for counterexamples caught is a right answer, and all the same a wrong proof.
    assert not any("report this as a bug" in note for note in answer.notes), answer
    return answer


def _document(schema: Any) -> Document:
    return schema if isinstance(schema, Document) else Document(exact(schema))
