"""Read recorded calls, one JSON value a line: bare arguments, envelopes, or JSON-RPC `tools/call` requests.

A line is an envelope only if all its members are among `ENVELOPE` and `arguments` is there. What could be read both
ways is never guessed at: it stops the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final, Literal, TextIO, TypeAlias

from compatgate.errors import InputError, UsageError, Where
from compatgate.jsonio import Json, read_lines
from compatgate.model import CallRecord

Form: TypeAlias = Literal["auto", "bare", "envelope"]

ENVELOPE: Final = frozenset({"tool", "name", "arguments", "id", "ts", "client", "session", "_meta"})

_KINDS: Final = {bool: "a boolean", str: "a text", list: "an array", dict: "an object", type(None): "null"}


@dataclass(frozen=True, slots=True)
class BadCall:
    """Hold a line that is no call, and why."""

    line: int
    error: InputError


class CallReader:
    """Turn lines into calls.

    `tools` are the names of the tools in OLD (None for a bare schema, which has no name); `tool` is the one that
    calls without a name belong to, needed where there are several. `fits_bare` says whether a value could be the
    bare arguments of that tool under OLD: what fits as an envelope and as bare arguments is ambiguous.
    """

    def __init__(
        self,
        tools: Iterable[str | None],
        fits_bare: Callable[[Json], bool],
        *,
        form: Form = "auto",
        tool: str | None = None,
        source: str = "<calls>",
    ) -> None:
        names = tuple(tools)
        self._default = tool if tool is not None else names[0] if len(names) == 1 else None
        self._needs_name = tool is None and len(names) != 1
        self._has = "several" if names else "none"
        self._fits_bare = fits_bare
        self._form = form
        self._source = source

    def read(self, stream: BinaryIO | TextIO | bytes | str) -> Iterator[CallRecord | BadCall]:
        """Read JSON Lines one by one, holding one at a time; lines of white space only are passed over.

        Raises UsageError for a line that fits as an envelope and as bare arguments.
        """
        for line, value in read_lines(stream, source=self._source):
            if isinstance(value, InputError):
                yield BadCall(line, value)
            else:
                yield self.call(value, line)

    def values(self, calls: Iterable[Json | CallRecord]) -> Iterator[CallRecord | BadCall]:
        """Read calls that are in memory already; their places are counted from 1."""
        for number, value in enumerate(calls, 1):
            yield value if isinstance(value, CallRecord) else self.call(value, number)

    def call(self, value: Json, line: int) -> CallRecord | BadCall:
        """Read one value as a call; raises UsageError where it is ambiguous."""
        try:
            return self._read(value, line)
        except InputError as error:
            return BadCall(line, error)

    def _read(self, value: Json, line: int) -> CallRecord:
        if not isinstance(value, dict):
            hint = "one call a line; a batch is written as one line for each" if isinstance(value, list) else None
            raise self._bad(line, f"a call is an object, this is {_kind(value)}", hint=hint)
        wrapped = self._form != "bare" and (is_request(value) or is_envelope(value))
        if wrapped:
            if self._form == "auto" and not self._needs_name and self._fits_bare(value):
                raise UsageError(
                    "the line can be read as a call in an envelope and as bare arguments: OLD accepts both",
                    Where(self._source, line),
                    "say which: --calls envelope or --calls bare",
                )
            return self._request(value, line) if is_request(value) else self._envelope(value, line)
        if self._form == "envelope":
            hint = "an envelope has arguments beside tool, id, ts, client, session, _meta and nothing else"
            raise self._bad(line, "neither an envelope nor a tools/call request", hint=hint)
        if self._needs_name:
            raise self._bad(
                line, f"bare arguments name no tool, and OLD has {self._has}", hint="say whose: --tool NAME"
            )
        return CallRecord(line, self._default, value)

    def _request(self, value: dict[str, Json], line: int) -> CallRecord:
        if value["method"] != "tools/call":
            raise self._bad(line, "a JSON-RPC message that is no tools/call request", "/method")
        params = value.get("params")
        if not isinstance(params, dict):
            raise self._bad(line, "the tools/call request has no params", "/params" if "params" in value else "")
        name = params.get("name")
        if not isinstance(name, str):
            raise self._bad(line, "the tools/call request names no tool", "/params")
        arguments = params.get("arguments", {})
        if not isinstance(arguments, dict):
            raise self._bad(line, f"arguments is {_kind(arguments)}, not an object", "/params/arguments")
        return CallRecord(line, name, arguments, id=value.get("id"))

    def _envelope(self, value: dict[str, Json], line: int) -> CallRecord:
        arguments = value["arguments"]
        if not isinstance(arguments, dict):
            raise self._bad(line, f"arguments is {_kind(arguments)}, not an object", "/arguments")
        named = {key: value[key] for key in ("tool", "name") if value.get(key) is not None}
        for key, name in named.items():
            if not isinstance(name, str):
                raise self._bad(line, f"{key} is {_kind(name)}, not a text", "/" + key)
        if len(set(map(str, named.values()))) > 1:
            raise self._bad(line, "tool and name are two different names", "/name")
        name = next(iter(named.values()), self._default)
        if name is None and self._needs_name:
            raise self._bad(line, f"the envelope names no tool, and OLD has {self._has}", hint="say whose: --tool NAME")
        return CallRecord(
            line,
            name if isinstance(name, str) else None,
            arguments,
            id=value.get("id"),
            ts=value.get("ts"),
            client=value.get("client"),
            session=value.get("session"),
        )

    def _bad(self, line: int, what: str, pointer: str = "", hint: str | None = None) -> InputError:
        return InputError(what, Where(self._source, line, pointer=pointer or None), hint)


def is_envelope(value: dict[str, Json]) -> bool:
    """Say whether an object has the members of an envelope and no other."""
    return "arguments" in value and value.keys() <= ENVELOPE


def is_request(value: dict[str, Json]) -> bool:
    """Say whether an object is a JSON-RPC message with a method, the only shape that has these members."""
    return isinstance(value.get("jsonrpc"), str) and isinstance(value.get("method"), str)


def _kind(value: Json) -> str:
    return _KINDS.get(type(value), "a number")
