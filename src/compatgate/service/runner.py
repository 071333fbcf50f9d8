"""Run the HTTP service in this process until a signal asks for the end; what arrived before is answered."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from compatgate.errors import UsageError, neutralise
from compatgate.service.http import LOOPBACK, create_app
from compatgate.service.settings import Settings


def run(host: str, port: int, settings: Settings, *, hosts: Sequence[str] = ()) -> None:
    """Serve until SIGTERM or SIGINT; a second SIGINT does not wait for what is being worked on.

    `hosts` are further names that the service goes by. Bound to this machine alone it answers to its own names and
    to those only; bound to others it answers to any, unless names are given.
    Raises OSError where the port is taken, UsageError for a host that is none.
    """
    listener = _listen(host, port)
    bound = listener.getsockname()[1]
    names = {*hosts, *(LOOPBACK if hosts or host in LOOPBACK else ()), *([host] if hosts else ())}
    config = uvicorn.Config(
        create_app(settings, hosts=names or None),
        http=_protocol(settings.read_timeout),
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        backlog=1024,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=int(settings.patience) + 5,
        ws="none",
    )
    _quiet()
    shown = f"[{host}]" if ":" in host else host
    line = f"compatgate serves http://{shown}:{bound}; it ends at ^C"
    try:
        asyncio.run(_Server(config, line).serve(sockets=[listener]))
    finally:
        listener.close()


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        raise UsageError(f"{host!r} is no address of this machine", hint="127.0.0.1 is the default") from None
    listener = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError:
        listener.close()
        raise
    return listener


def _protocol(patience: float) -> type[H11Protocol]:
    """Return uvicorn's protocol with an end to waiting for the head of a request, at the start and after an answer."""

    class Protocol(H11Protocol):
        _waiting: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            if self._waiting is not None:
                self._waiting.cancel()
            super().connection_lost(exc)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._wait()

        def _wait(self) -> None:
            if self._waiting is not None:
                self._waiting.cancel()
            self._waiting = self.loop.call_later(patience, self._late)

        def _late(self) -> None:
            # No request has begun, or the last one is over: what is there, if anything, is part of a head.
            if (self.cycle is None or self.cycle.response_complete) and not self.transport.is_closing():
                self.transport.close()

    return Protocol


class _Server(uvicorn.Server):
    """Say where it listens as soon as it does, and let the signals that end it count as a good end."""

    def __init__(self, config: uvicorn.Config, line: str) -> None:
        super().__init__(config)
        self._line = line

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(self._line, file=sys.stderr, flush=True)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        old = {number: signal.signal(number, self._end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in old.items():
                signal.signal(number, handler)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self.handle_exit(number, frame)


def _quiet() -> None:
    """Keep what libraries log to one line without a traceback, and without what requests hold."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Line())
    for name in ("uvicorn", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.ERROR)
    for name in ("mcp", "sse_starlette"):  # these quote requests
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [logging.NullHandler()], False


class _Line(logging.Formatter):
    """Format a record by its template: what is filled in may come from a request."""

    def format(self, record: logging.LogRecord) -> str:
        return f"{record.levelname.lower()}: {record.name}: {neutralise(str(record.msg), 200)}"
