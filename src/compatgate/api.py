"""The Python API: schemas, tools, snapshots and calls as plain Python JSON, answers as records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO, TypeAlias

from compatgate import app, prover, sources
from compatgate.app.pairing import schema_of
from compatgate.diff.wording import Direction
from compatgate.jsonio import Json
from compatgate.model import CallRecord, Snapshot, Tool
from compatgate.prover import Budget, Callers, Containment
from compatgate.replay import MAX_LISTED, Form
from compatgate.report import Classification, GateResult
from compatgate.schema.references import Document
from compatgate.sources import Loaded

Surface: TypeAlias = Json | Document | Tool | Snapshot | Loaded
"""What OLD and NEW may be: plain JSON is recognised as a schema, a tool, a tools/list result or a snapshot."""


def load(path: str) -> Loaded:
    """Return the schema, tool or snapshot that a path names: FILE, FILE#/pointer, git:REV:PATH, or - for stdin.

    Raises InputError where it cannot be read, IncompleteError for a snapshot that says it is not complete.
    """
    return sources.load(path)


def contains(
    left: Json | Document | Loaded,
    right: Json | Document | Loaded,
    *,
    callers: Callers = "any",
    budget: Budget | None = None,
) -> Containment:
    """Decide whether every value that the schema `left` accepts is accepted by `right`.

    Plain JSON is taken for a schema as it stands; what `load` returns may be a tool, whose inputSchema counts.
    The result has `relation`, `witness` (or `NO_WITNESS`), `reason`, `path`, `keyword`, `steps` and `notes`.
    Never raises for what a schema holds.
    """
    return prover.contains(_schema(left), _schema(right), callers=callers, budget=budget)


def classify(
    old: Surface,
    new: Surface,
    *,
    callers: Callers = "declared",
    side: Direction = "input",
    tool: str | None = None,
    budget: Budget | None = None,
) -> Classification:
    """Say what changed from `old` to `new`, place by place, and what each change means for callers.

    `side` says whether bare schemas are those of arguments or of results; `tool` picks one tool of snapshots.
    The result has `changes`, `impact`, `byte_pin` and `tools`.
    Raises InputError for what is no schema, tool or snapshot, UsageError where the two are not alike.
    """
    return app.classify(
        _surface(old, "<old>"), _surface(new, "<new>"), callers=callers, side=side, tool=tool, budget=budget
    )


def gate(
    old: Surface,
    new: Surface,
    calls: Iterable[Json | CallRecord] | BinaryIO,
    *,
    callers: Callers = "declared",
    form: Form = "auto",
    tool: str | None = None,
    skip_bad_calls: bool = False,
    max_listed: int = MAX_LISTED,
    budget: Budget | None = None,
) -> GateResult:
    """Classify the change, replay recorded calls, and decide.

    `calls` are argument objects, envelopes, tools/call requests or records, or a binary stream of JSON Lines; `tool`
    is whose calls those without a name are.
    The result has `verdict`, `exit_code`, `reasons`, `breaks` (k and n), `classification`, `replay` and `signals`.
    Raises InputError for what is no schema, tool or snapshot, UsageError where the two are not alike or a call can be
    read in two ways.
    """
    return app.gate(
        _surface(old, "<old>"),
        _surface(new, "<new>"),
        calls,
        callers=callers,
        form=form,
        tool=tool,
        skip_bad_calls=skip_bad_calls,
        max_listed=max_listed,
        budget=budget,
    )


def _schema(given: Json | Document | Loaded) -> Json | Document:
    return schema_of(given)[1] if isinstance(given, Loaded) else given


def _surface(given: Surface, source: str) -> Loaded:
    if isinstance(given, Loaded):
        return given
    if isinstance(given, Document):
        return Loaded("schema", source, document=given)
    if isinstance(given, Tool):
        return Loaded("tool", source, snapshot=Snapshot(source, (given,), given.raw))
    if isinstance(given, Snapshot):
        return Loaded("snapshot", given.source, snapshot=given)
    return sources.recognise(given, source=source)
