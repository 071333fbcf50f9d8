"""Compare two schemas: every edit at its own place, and every mixture of the two as a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from compatgate.diff.bundle import (
    Rename,
    references,
    rename,
    renamed_definitions,
    self_contained,
    target_of,
    unusual_targets,
)
from compatgate.diff.edits import Edit, Effect, Node, build
from compatgate.diff.keywords import NOT_MONOTONE
from compatgate.diff.values import same
from compatgate.diff.walk import Walker
from compatgate.jsonio import Json
from compatgate.model import ABSENT
from compatgate.schema import dialects
from compatgate.schema.references import Document

#: A list of this many members doubles the work of reading a schema, and so on.
LONG_UNION: Final = 100


@dataclass(frozen=True)
class Comparison:
    """Hold what differs between two schemas and build mixtures of the two.

    `edits` in the order of the walk; `every` is the mask of all of them. In a `monotone` comparison a part that
    accepts less can only make the whole accept less. `size` is the work of reading the larger schema,
    in JSON values; long unions count for more, as every member is held against every other.
    """

    old: Document
    new: Document
    edits: tuple[Edit, ...]
    every: int
    monotone: bool
    size: int
    _node: Node | None
    _renames: tuple[tuple[int, Rename], ...]
    _gone: int
    _come: int

    def mix(self, selected: int) -> Document:
        """Return the schema where the selected edits are made and the others are not.

        `mix(0)` is OLD and `mix(every)` is NEW, exactly but for the order of object members.
        """
        if self._node is None:
            return self.new if selected else self.old
        root = build(self._node, selected)
        undone = [r for bit, r in self._renames if not bit & selected]
        return Document(rename(_schema(root), undone, back=True), "", self.new.dialect)

    def question(self, selected: int) -> Document:
        """Return such a mixture for the prover: definitions of both sides stay, so that no reference dangles."""
        if self._node is None:
            return self.mix(selected)
        root = build(self._node, (selected | self._come) & ~self._gone)
        return Document(_schema(root), "", self.new.dialect)


def compare(old: Document, new: Document, *, assert_formats: bool = False) -> Comparison:
    """Find the edits that turn one schema into the other; see `Comparison`."""
    old, new = _one_default(self_contained(old), self_contained(new))
    if same(old.root, new.root):
        return Comparison(old, new, (), 0, True, 0, None, (), 0, 0)
    renames = renamed_definitions(old.root, new.root)
    brought = Document(rename(old.root, renames), "", old.dialect)
    referenced = {target for root in (brought.root, new.root) for _, r in references(root) if (target := target_of(r))}
    unusual = unusual_targets(brought.root) | unusual_targets(new.root)
    walker = Walker(brought, new, assert_formats=assert_formats, unusual=unusual, referenced=referenced)
    table = [
        (
            walker.edit(
                ("definition-renamed", Effect.NOTHING),
                r.new[0],
                r.new_pointer,
                r.old_pointer,
                r.new_pointer,
                r.new[1],
            ),
            r,
        )
        for r in renames
    ]
    node = walker.schema(brought.root, new.root)
    edits = tuple(walker.edits)
    if node is None:  # nothing but names of definitions
        node = _Spelt(sum(bit for bit, _ in table), brought.root, new.root)
    every = (1 << len(edits)) - 1
    (old_names, old_size), (new_names, new_size) = _mentions(brought.root), _mentions(new.root)
    monotone = not (old_names | new_names) & NOT_MONOTONE and not any(
        edit.rule in ("dialect-changed", "identifier-changed", "keyword-changed") for edit in edits
    )
    gone = _mask(edits, "definition-removed")
    come = _mask(edits, "definition-added")
    return Comparison(old, new, edits, every, monotone, max(old_size, new_size), node, tuple(table), gone, come)


@dataclass(frozen=True, slots=True)
class _Spelt:
    """Two spellings of one document."""

    mask: int
    old: Json
    new: Json

    def partial(self, selected: int) -> Json:
        return self.new


def _schema(root: object) -> Json:
    assert root is not ABSENT
    return root  # type: ignore[return-value]


def _mask(edits: Sequence[Edit], rule: str) -> int:
    return sum(edit.bit for edit in edits if edit.rule == rule)


def _one_default(old: Document, new: Document) -> tuple[Document, Document]:
    """Write the dialects down where the two documents are to be read by different defaults."""
    if old.dialect == new.dialect:
        return old, new
    return _with_dialect(old), _with_dialect(new)


def _with_dialect(document: Document) -> Document:
    if not isinstance(document.root, dict) or "$schema" in document.root:
        return Document(document.root, "", None)
    dialect = (dialects.by_name(document.dialect) if document.dialect else None) or dialects.DEFAULT
    return Document({"$schema": dialect.uri, **document.root}, "", None)


def _mentions(root: Json) -> tuple[set[str], int]:
    """Collect every member name of a document (a superset of the keywords it uses), and its size."""
    found: set[str] = set()
    count = longest = 0
    todo: list[Json] = [root]
    while todo:
        value = todo.pop()
        inner: list[Json] = []
        if isinstance(value, dict):
            found.update(value)
            inner = list(value.values())
        elif isinstance(value, list):
            inner = value
            longest = max(longest, len(value))
        count += len(inner)
        todo.extend(v for v in inner if isinstance(v, (dict, list)))
    return found, count * (1 + longest // LONG_UNION)
