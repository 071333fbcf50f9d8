"""The verdict of mcp-drift/1: one request in, one answer out, the same for the command line and for services."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from compatgate.drift.answer import ACTIONS, Action, Verdict, answer
from compatgate.drift.compare import Surface, compare_snapshots
from compatgate.drift.errors import RefusedError
from compatgate.drift.request import Request, RequestLimits, Trust, read_request
from compatgate.drift.schemas import input_schema, output_schema
from compatgate.jsonio import Json
from compatgate.prover import Budget, Callers
from compatgate.rules import Asker, ServerPair
from compatgate.rules.context import TOTAL_STEPS

Status: TypeAlias = Literal[200, 400, 413, 422]

__all__ = [
    "ACTIONS",
    "Action",
    "Options",
    "RefusedError",
    "Request",
    "RequestLimits",
    "Status",
    "Surface",
    "Trust",
    "Verdict",
    "input_schema",
    "output_schema",
    "read_request",
    "verdict",
    "verdict_of_request",
]


@dataclass(frozen=True)
class Options:
    """Say how to compare.

    `callers`: what senders are assumed to send. `witnesses`: whether findings carry the values that prove them.
    `surface`: "tools", as the contract has it, or "all" a server declares. `other_tools`: names of the tools of other
    servers, which a text had better not mention. `budget` is that of one proof in counted steps, `total_steps` of all
    proofs of one verdict; `deadline` says that time is up, and what it ends is UNKNOWN.
    """

    callers: Callers = "any"
    witnesses: bool = True
    assert_formats: bool = False
    surface: Surface = "tools"
    other_tools: frozenset[str] = frozenset()
    limits: RequestLimits = field(default_factory=RequestLimits)
    budget: Budget | None = None
    total_steps: int = TOTAL_STEPS
    deadline: Callable[[], bool] | None = None


def verdict(request: bytes | str | Json, options: Options | None = None) -> dict[str, Json]:
    """Return the answer to a request of mcp-drift/1; bytes and text are JSON, anything else is the value itself.

    Raises RefusedError, an InputError, where the request is refused.
    """
    options = options or Options()
    read = read_request(request, options.limits)
    asker = Asker(
        callers=options.callers,
        assert_formats=options.assert_formats,
        budget=options.budget,
        total_steps=options.total_steps,
        deadline=options.deadline,
    )
    server = ServerPair(read.baseline, read.current, asker, options.other_tools)
    found = compare_snapshots(server, options.surface)
    return answer(read, found, callers=options.callers, surface=options.surface, witnesses=options.witnesses)


def verdict_of_request(request: bytes | str | Json, options: Options | None = None) -> tuple[dict[str, Json], Status]:
    """Return the answer to a request and its status: 200 with a verdict, else the error object with 400, 413 or 422.

    Bytes and text are JSON; anything else is the value itself. Never raises for what a request holds.
    """
    try:
        return verdict(request, options), 200
    except RefusedError as error:
        return error.body(), error.status
