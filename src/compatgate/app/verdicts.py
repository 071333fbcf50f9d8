"""The use case of mcp-drift/1: a request in one file, or a verdict on two snapshots from anywhere."""

from __future__ import annotations

from collections.abc import Iterable

from compatgate.drift import Options, RefusedError, Status, verdict_of_request
from compatgate.drift.request import CONTRACT_VERSION
from compatgate.errors import CompatgateError, Where
from compatgate.jsonio import Json, Limits, loads
from compatgate.sources import Loader, recognise

Answer = tuple[dict[str, Json], Status]


def verdict_of_file(path: str, options: Options | None = None, *, loader: Loader | None = None) -> Answer:
    """Answer the request in FILE, git:REV:PATH or `-`; the error object and its status where it is refused.

    Raises InputError where it cannot be read at all.
    """
    options = options or Options()
    with (loader or Loader()).open(path) as stream:
        body = stream.read(options.limits.max_bytes + 1)  # one byte more shows that it is too large
    return verdict_of_request(body, options)


def verdict_of_snapshots(
    baseline: str,
    current: str,
    *,
    server_id: str,
    trust: str,
    options: Options | None = None,
    loader: Loader | None = None,
) -> Answer:
    """Build the request from two snapshots, each in any shape that `sources` reads, and answer it.

    A tool alone is a snapshot of one. What is wrong with a file is the error object, with its path.
    Raises InputError where one cannot be read at all.
    """
    options = options or Options()
    loader = loader or Loader()
    request: dict[str, Json] = {
        "contract_version": CONTRACT_VERSION,
        "subject": {"server_id": server_id},
        "annotation_source_trust": trust,
    }
    for side, path in (("baseline", baseline), ("current", current)):
        try:
            request[side] = _snapshot(path, loader, options)
        except RefusedError as error:
            return error.body(), error.status
        except CompatgateError as error:
            where = error.where or Where()
            if where.pointer is None:
                raise
            place = Where(where.file, where.line, where.column, f"/{side}{where.pointer}")
            refused = RefusedError(f"{path}: {error.what}", place, error.hint, 422)
            return refused.body(), refused.status
    return verdict_of_request(request, options)


def names_of_tools(paths: Iterable[str], *, loader: Loader | None = None) -> frozenset[str]:
    """Return the names of all tools in some snapshots: those of other servers, to be known when they are mentioned."""
    loader = loader or Loader()
    return frozenset(tool.name for path in paths for tool in loader.load(path).tools)


def _snapshot(path: str, loader: Loader, options: Options) -> Json:
    limits = Limits(max_bytes=options.limits.max_bytes, max_depth=options.limits.max_depth)
    if "#" in path:
        return _tools(loader.load(path).value)
    with loader.open(path) as stream:
        data = stream.read(limits.max_bytes + 1)
    if len(data) > limits.max_bytes:
        what = f"{path} is larger than the {limits.max_bytes} bytes that are read"
        raise RefusedError(what, Where(pointer=""), status=413)
    value = loads(data, source=path, limits=limits)
    if isinstance(value, dict) and value.keys() & {"tools", "result", "jsonrpc"}:
        return value
    return _tools(recognise(value, source=path).value)


def _tools(value: Json) -> Json:
    if isinstance(value, dict) and "inputSchema" in value and "tools" not in value:
        return {"tools": [value]}
    return value
