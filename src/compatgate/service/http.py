"""The HTTP service: it reads what arrives, asks the pool, and answers with the bytes that come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, Literal, cast
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from compatgate._version import __version__
from compatgate.errors import neutralise
from compatgate.service import openapi
from compatgate.service.limits import Gate, GoneError, RefusedRequestError
from compatgate.service.pool import Pool
from compatgate.service.settings import Settings
from compatgate.service.tasks import Reply, Task, failure, text_of

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
#: What nothing but this service says about itself.
_HEADERS: Final = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
_CODES: Final = {404: "NOT_FOUND", 405: "NOT_ALLOWED"}


def create_app(settings: Settings | None = None, *, hosts: Iterable[str] | None = None, mcp: bool = True) -> ASGIApp:
    """Return the service as an ASGI application.

    `hosts`: the names that the service goes by, None for any; a page in a browser cannot make up another. `mcp`:
    whether `/mcp` is served.
    """
    service = _Service(settings or Settings(), mcp=mcp)
    return _Guard(service.app, None if hosts is None else frozenset(map(str.lower, hosts)))


class _Service:
    """Hold the routes, and what they share: the pool and the gate."""

    def __init__(self, settings: Settings, *, mcp: bool) -> None:
        self.settings = settings
        self.gate = Gate(settings)
        self.pool = Pool(settings)
        self._openapi = text_of(openapi.document())
        routes = [
            Route("/v1/mcp-drift", self.mcp_drift, methods=["POST"]),
            Route("/healthz", self.healthz, methods=["GET"]),
            Route("/openapi.json", self.openapi, methods=["GET"]),
        ]
        self._manager: Any = None
        if mcp:
            from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

            from compatgate.service.mcp import create_server

            # Stateless, as the service is: every message stands alone, whatever the era, and nothing piles up.
            self._manager = StreamableHTTPSessionManager(
                create_server(self.pool),
                json_response=True,
                stateless=True,
                max_request_body_size=settings.max_body,
            )
            routes.append(Route("/mcp", _Endpoint(self.mcp), methods=["POST"]))
        handlers = {HTTPException: _http_error, RefusedRequestError: _refused}
        self.app = Starlette(
            routes=routes,
            lifespan=self._lifespan,
            exception_handlers=cast("dict[Any, Any]", handlers),
        )

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        async with self.pool:
            if self._manager is None:
                yield
            else:
                async with self._manager.run():
                    yield

    async def mcp_drift(self, request: Request) -> Response:
        """Answer a request of mcp-drift/1."""
        options = _options(request)
        with self.gate.entered() as place:
            body = await place.read(request.receive, request.headers, self.settings)
            task = Task(
                body,
                max_body=self.settings.max_body,
                max_steps=self.settings.max_steps,
                deadline=self.settings.deadline,
                **options,
            )
            del body
            async with _watched(request.receive) as gone:
                return _answer(await self.pool.ask(task, gone=gone))

    async def healthz(self, _: Request) -> Response:
        """Say that the service answers."""
        return _response(200, text_of({"status": "ok", "version": __version__, "pending": self.gate.pending}))

    async def openapi(self, _: Request) -> Response:
        """Return the OpenAPI document."""
        return _response(200, self._openapi)

    async def mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a message of MCP on, with its body read whole; the body itself goes along for exact reading."""
        with self.gate.entered() as place:
            body = await place.read(receive, Headers(scope=scope), self.settings)
            scope["compatgate.body"] = body
            given = False

            async def replay() -> Any:
                nonlocal given
                if given:
                    return await receive()
                given = True
                return {"type": "http.request", "body": body, "more_body": False}

            await self._manager.handle_request(scope, replay, send)


class _Endpoint:
    """Make a method an ASGI application, as routes tell them from functions of a request by class."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


class _Guard:
    """Stand around everything: who may ask, and an answer whatever happens, with no traceback."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str] | None) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def watched_send(message: Any) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        refused = _stranger(Headers(scope=scope), self._hosts)
        try:
            if refused is not None:
                await _answer(refused)(scope, receive, send)
            else:
                await self._app(scope, receive, watched_send)
        except GoneError:
            return  # nobody is there to be answered
        except RefusedRequestError as error:
            if not started:
                await _refusal(error)(scope, receive, send)
        except Exception as error:
            if not started:
                what = f"internal error: {type(error).__name__}; please report it"
                await _answer(failure(500, "INTERNAL_ERROR", what))(scope, receive, send)


def _stranger(headers: Headers, hosts: frozenset[str] | None) -> Reply | None:
    """Refuse what a page of somebody else's has a browser send (the MCP transport asks for it)."""
    host = headers.get("host", "")
    if hosts is not None and _name(f"//{host}") not in hosts:
        return failure(421, "NOT_ALLOWED", "the service does not go by that host; see --allow-host")
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2].lower() != host.lower():
        return failure(403, "NOT_ALLOWED", "requests from pages of another origin are not answered")
    return None


def _name(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _options(request: Request) -> dict[str, Any]:
    """Return the options that the query holds. Raises RefusedRequestError."""
    found: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name not in openapi.OPTIONS:
            known = ", ".join(openapi.OPTIONS)
            what = f"there is no option {neutralise(name, 60)!r}; the options are {known}"
            raise RefusedRequestError(422, "INVALID_INPUT", what)
        values = openapi.OPTIONS[name][0]
        if value not in values or name in found:
            raise RefusedRequestError(422, "INVALID_INPUT", f"{name} is one of {', '.join(values)}, and given once")
        found[name] = value == "true" if "true" in values else value
    return found


@asynccontextmanager
async def _watched(receive: Receive) -> AsyncIterator[asyncio.Event]:
    """Watch for the sender hanging up."""
    gone = asyncio.Event()

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        gone.set()

    watcher = asyncio.create_task(watch())
    try:
        yield gone
    finally:
        watcher.cancel()
        with suppress(asyncio.CancelledError):
            await watcher


def _answer(reply: Reply) -> Response:
    return _response(reply.status, reply.body)


def _response(status: int, body: bytes, headers: dict[str, str] | None = None) -> Response:
    return Response(body, status, {**_HEADERS, **(headers or {})}, media_type="application/json")


def _refusal(error: RefusedRequestError) -> Response:
    return _response(error.status, failure(error.status, error.code, error.message).body, error.headers)


async def _refused(_: Request, error: RefusedRequestError) -> Response:
    return _refusal(error)


async def _http_error(request: Request, error: HTTPException) -> Response:
    methods = (error.headers or {}).get("Allow", "")
    what = f"there is no {neutralise(request.url.path, 100)}; see /openapi.json"
    if error.status_code == 405:
        what = f"that is answered by {methods} only"
    code: Literal["NOT_FOUND", "NOT_ALLOWED", "INVALID_INPUT"] = _CODES.get(error.status_code, "INVALID_INPUT")  # type: ignore[assignment]
    return _response(
        error.status_code,
        failure(error.status_code, code, what).body,
        dict(error.headers or {}),
    )
