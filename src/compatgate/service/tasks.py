"""What a worker is asked and what it answers: requests come as bytes, are read strictly there, and leave as bytes."""

from __future__ import annotations

import time
from collections.abc import Callable
from decimal import Decimal
from typing import Final, Literal, NoReturn

import msgspec

from compatgate import app
from compatgate.drift import Options, RefusedError, RequestLimits, verdict_of_request
from compatgate.drift.errors import refusal
from compatgate.errors import InputError, Where
from compatgate.jsonio import Json, Limits, dumps, loads
from compatgate.prover import Budget
from compatgate.report import as_json
from compatgate.schema.references import Document
from compatgate.sources import Loaded

#: Members of answers that hold values of schemas, and may be left out of what MCP calls structured content.
_VALUES: Final = ("witness", "before", "after")
#: JSON libraries refuse deeper nesting, from some hundred on.
_DEEP: Final = 100
#: What a JSON-RPC message holds around its arguments.
_ENVELOPE: Final = "/params/arguments"
_LIMITS: Final = RequestLimits()


class Task(msgspec.Struct, frozen=True):
    """Ask for something. The body is a request of mcp-drift/1; of a tool, the whole JSON-RPC message."""

    body: bytes
    kind: Literal["verdict", "check_mcp_drift", "contains"] = "verdict"
    callers: Literal["any", "declared"] = "any"
    witnesses: bool = True
    assert_formats: bool = False
    surface: Literal["tools", "all"] = "tools"
    max_body: int = _LIMITS.max_bytes
    max_steps: int | None = None
    deadline: float | None = None


class Reply(msgspec.Struct, frozen=True):
    """Answer a task: `body` is JSON text; `plain` of a tool's answer is what doubles and shallow readers can take."""

    status: int
    body: bytes
    plain: bytes = b""
    memory: int = 0


def perform(task: Task) -> Reply:
    """Do what a task asks; whatever happens is an answer."""
    try:
        return _KINDS[task.kind](task)
    except RefusedError as error:
        return failure(error.status, error.code, str(error.body()["message"]), error.pointer or "")
    except Exception as error:
        # Its text may quote what a server wrote: the type has to do.
        return failure(500, "INTERNAL_ERROR", f"internal error: {type(error).__name__}; please report it")


def failure(status: int, code: str, message: str, path: str = "") -> Reply:
    """Return an error object as a reply."""
    return Reply(status, text_of({"error": code, "message": message, "path": path}))


def text_of(value: Json) -> bytes:
    """Return the bytes that `compatgate verdict` prints for a value."""
    return (dumps(value, indent=2, ascii_only=True) + "\n").encode("ascii")


def _verdict(task: Task) -> Reply:
    answer, status = verdict_of_request(task.body, _options(task))
    return Reply(status, text_of(answer))


def _check_mcp_drift(task: Task) -> Reply:
    answer, status = verdict_of_request(_arguments(task), _options(task))
    if status != 200:
        return Reply(status, text_of(answer))
    findings = answer["findings"]
    plain = {**answer, "findings": [_plain(f) for f in findings]} if isinstance(findings, list) else answer
    return Reply(status, text_of(answer), text_of(plain))


def _contains(task: Task) -> Reply:
    arguments = _arguments(task)
    for name in arguments:
        if name not in ("left", "right", "callers", "assert_formats"):
            _refuse("", f"{name!r} is no argument", "the arguments are left, right, callers and assert_formats")
    sides: list[Loaded] = []
    for name in ("left", "right"):
        if not isinstance(arguments.get(name), (dict, bool)):
            _refuse(f"/{name}" if name in arguments else "", f"{name} is no schema", "give an object, true or false")
        sides.append(Loaded("schema", name, document=Document(arguments[name])))
    callers, assert_formats = arguments.get("callers", "any"), arguments.get("assert_formats", False)
    if callers not in ("any", "declared"):
        _refuse("/callers", 'callers is neither "any" nor "declared"')
    if not isinstance(assert_formats, bool):
        _refuse("/assert_formats", "assert_formats is neither true nor false")
    report = app.contains(
        *sides,
        callers="declared" if callers == "declared" else "any",
        assert_formats=assert_formats,
        budget=_budget(task),
        deadline=_deadline(task),
    )
    drop = ("report", "report_version", "left", "right", "exit_code")
    answer = {name: value for name, value in as_json.to_json(report).items() if name not in drop}
    return Reply(200, text_of(answer), text_of(_plain(answer)))


_KINDS: Final[dict[str, Callable[[Task], Reply]]] = {
    "verdict": _verdict,
    "check_mcp_drift": _check_mcp_drift,
    "contains": _contains,
}


def _options(task: Task) -> Options:
    return Options(
        callers=task.callers,
        witnesses=task.witnesses,
        assert_formats=task.assert_formats,
        surface=task.surface,
        limits=RequestLimits(max_bytes=task.max_body),
        budget=_budget(task),
        deadline=_deadline(task),
    )


def _budget(task: Task) -> Budget | None:
    return None if task.max_steps is None else Budget(steps=task.max_steps)


def _deadline(task: Task) -> Callable[[], bool] | None:
    if task.deadline is None:
        return None
    end = time.monotonic() + task.deadline
    return lambda: time.monotonic() > end


def _arguments(task: Task) -> dict[str, Json]:
    """Return the arguments out of a tools/call message, read strictly: a client's library may have been lax.

    Raises RefusedError with a path inside the arguments.
    """
    limits = Limits(max_bytes=len(task.body), max_depth=_LIMITS.max_depth + 2)
    try:
        message = loads(task.body, source=None, limits=limits)
    except InputError as error:
        refused = refusal(error, status=400)
        inside = (refused.pointer or "").removeprefix(_ENVELOPE)
        raise RefusedError(refused.what, Where(pointer=inside), refused.hint, 400) from None
    params = message.get("params") if isinstance(message, dict) else None
    arguments = params.get("arguments", {}) if isinstance(params, dict) else {}
    if not isinstance(arguments, dict):
        raise RefusedError("the arguments are not an object", Where(pointer=""))
    return arguments


def _plain(answer: Json) -> Json:
    if not isinstance(answer, dict):
        return answer
    return {name: value for name, value in answer.items() if name not in _VALUES or _is_plain(value)}


def _is_plain(value: Json) -> bool:
    """Say whether a value survives readers with doubles and with bounded recursion."""
    waiting: list[tuple[Json, int]] = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        if depth > _DEEP:
            return False
        if isinstance(item, Decimal):
            near = float(item)
            if near in (float("inf"), float("-inf")) or Decimal(repr(near)) != item:
                return False
        elif isinstance(item, dict):
            waiting += [(member, depth + 1) for member in item.values()]
        elif isinstance(item, list):
            waiting += [(member, depth + 1) for member in item]
    return True


def _refuse(at: str, what: str, hint: str | None = None) -> NoReturn:
    raise RefusedError(what, Where(pointer=at), hint)
