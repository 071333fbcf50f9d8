"""Read a request of mcp-drift/1: strict about its own members, open about what a snapshot looks like."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, NoReturn, TypeAlias

from compatgate.drift.check import check_json
from compatgate.drift.errors import RefusedError, refusal
from compatgate.errors import InputError, Where
from compatgate.jsonio import Json, Limits, loads
from compatgate.model import Snapshot, Tool
from compatgate.rules.schema_places import count_schemas

CONTRACT_VERSION: Final = "mcp-drift/1"
Trust: TypeAlias = Literal["trusted", "untrusted"]

_MEMBERS: Final = ("contract_version", "subject", "annotation_source_trust", "baseline", "current")
_SERVER_ID: Final = re.compile(r"[A-Za-z0-9._:/@+~-]{1,256}")


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Bound a request; over a bound it is refused with INPUT_TOO_LARGE.

    `max_bytes` of the body; `max_tools` of each snapshot; `max_schema_nodes` of both together; `max_depth` of nesting.
    Real servers stay below 1 MiB, 250 tools and 10,000 nodes.
    """

    max_bytes: int = 8 * 1024 * 1024
    max_tools: int = 4_096
    max_schema_nodes: int = 200_000
    max_depth: int = 200


@dataclass(frozen=True, slots=True)
class Request:
    """Hold a request that was read and found in order."""

    server_id: str
    trust: Trust
    baseline: Snapshot
    current: Snapshot
    schema_nodes: int


def read_request(request: bytes | str | Json, limits: RequestLimits) -> Request:
    """Return the request; bytes and text are JSON, anything else is the value itself.

    Raises RefusedError with the JSON Pointer of what is wrong.
    """
    value = _value(request, limits)
    if not isinstance(value, dict):
        _refuse("", "the request is not an object")
    for name in value:
        if name not in _MEMBERS:
            _refuse(_at("", name), f"{name!r} is no member of a request", "the members are " + ", ".join(_MEMBERS))
    for name in _MEMBERS:
        if name not in value:
            _refuse("", f"the request has no {name}")
    if value["contract_version"] != CONTRACT_VERSION:
        _refuse("/contract_version", "unknown contract version", f'this is "{CONTRACT_VERSION}"')
    server_id = read_server_id(value["subject"])
    trust = value["annotation_source_trust"]
    if trust not in ("trusted", "untrusted"):
        _refuse("/annotation_source_trust", 'annotation_source_trust is neither "trusted" nor "untrusted"')
    baseline = read_snapshot(value["baseline"], "/baseline", limits)
    current = read_snapshot(value["current"], "/current", limits)
    nodes = count_nodes(baseline, current, limits)
    return Request(server_id, "trusted" if trust == "trusted" else "untrusted", baseline, current, nodes)


def _value(request: bytes | str | Json, limits: RequestLimits) -> Json:
    if not isinstance(request, (bytes, str)):
        try:
            return check_json(request, max_depth=limits.max_depth)
        except InputError as error:
            raise refusal(error, status=400) from None
    size = len(request) if isinstance(request, bytes) else len(request.encode("utf-8", "surrogatepass"))
    if size > limits.max_bytes:
        what = f"the request has more than the {limits.max_bytes} bytes that are read"
        raise RefusedError(what, Where(pointer=""), status=413)
    try:
        return loads(request, source=None, limits=Limits(max_bytes=limits.max_bytes, max_depth=limits.max_depth))
    except InputError as error:
        raise refusal(error, status=400) from None


def read_server_id(subject: Json) -> str:
    """Return the server's id out of the subject. Raises RefusedError."""
    if not isinstance(subject, dict):
        _refuse("/subject", "subject is not an object")
    server_id = subject.get("server_id")
    if not isinstance(server_id, str):
        _refuse("/subject/server_id", "subject.server_id is missing or not a text")
    if not _SERVER_ID.fullmatch(server_id):
        _refuse("/subject/server_id", "subject.server_id is not 1 to 256 characters of [A-Za-z0-9._:/@+~-]")
    return server_id


def read_snapshot(value: Json, at: str, limits: RequestLimits) -> Snapshot:
    """Return a snapshot: complete, a plain tools/list result, a JSON-RPC response around one, or a file of ours.

    A tool has to have a unique name and an inputSchema member; what that holds is not judged here.
    Raises RefusedError.
    """
    if not isinstance(value, dict):
        _refuse(at, "a snapshot is an object")
    result = value.get("result")
    if "jsonrpc" in value or ("tools" not in value and isinstance(result, dict) and "tools" in result):
        if "error" in value:
            _refuse(at + "/error", "the JSON-RPC response is an error", "take the response to tools/list")
        if not isinstance(result, dict):
            _refuse(at, "the JSON-RPC message holds no result", "take the response to tools/list")
        value, at = result, at + "/result"
    if "complete" in value and value["complete"] is not True:
        _refuse(at + "/complete", "the snapshot does not say that it is complete", "take the snapshot again")
    if value.get("nextCursor") is not None:
        hint = "join all pages into one list"
        _refuse(at + "/nextCursor", "the snapshot is not complete: it names a next page", hint)
    if "tools" not in value:
        _refuse(at, "the snapshot has no tools")
    listed = value["tools"]
    if not isinstance(listed, list):
        _refuse(at + "/tools", "tools is not an array")
    if len(listed) > limits.max_tools:
        what = f"{len(listed)} tools, more than the {limits.max_tools} that are compared"
        raise RefusedError(what, Where(pointer=at + "/tools"), status=413)
    tools: list[Tool] = []
    seen: dict[str, int] = {}
    for index, item in enumerate(listed):
        tool = _tool(item, f"{at}/tools/{index}")
        if tool.name in seen:
            _refuse(f"{at}/tools/{index}/name", f"tools {seen[tool.name]} and {index} have the same name")
        seen[tool.name] = index
        tools.append(tool)
    return Snapshot(at, tuple(tools), value, _version(value, at))


def count_nodes(baseline: Snapshot, current: Snapshot, limits: RequestLimits) -> int:
    """Count the schema nodes of both snapshots. Raises RefusedError over the limit."""
    nodes = 0
    counted: dict[str, tuple[Tool, int]] = {}
    for snapshot in (baseline, current):
        for tool in snapshot.tools:
            known = counted.get(tool.name)
            if known is not None and known[0].raw == tool.raw:
                count = known[1]
            else:
                count = count_schemas(tool.raw["inputSchema"]) + count_schemas(tool.raw.get("outputSchema"))
                counted[tool.name] = (tool, count)
            nodes += count
        if nodes > limits.max_schema_nodes:
            what = f"more than the {limits.max_schema_nodes} schema nodes that are compared"
            raise RefusedError(what, Where(pointer=snapshot.source), status=413)
    return nodes


def _tool(value: Json, at: str) -> Tool:
    if not isinstance(value, dict):
        _refuse(at, "a tool is an object")
    name = value.get("name")
    if not isinstance(name, str):
        _refuse(at + "/name", "the tool has no name" if name is None else "the tool's name is not a text")
    if "inputSchema" not in value:
        _refuse(at, "the tool has no inputSchema")
    return Tool(name, value)


def _version(value: dict[str, Json], at: str) -> str | None:
    for name in ("protocol_version", "protocolVersion"):
        version = value.get(name)
        if isinstance(version, str):
            return version
        if version is not None:
            _refuse(f"{at}/{name}", f"{name} is not a text")
    return None


def _at(base: str, name: str) -> str:
    return base + "/" + name.replace("~", "~0").replace("/", "~1")


def _refuse(at: str, what: str, hint: str | None = None) -> NoReturn:
    raise RefusedError(what, Where(pointer=at), hint)
