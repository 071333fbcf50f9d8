"""Bounds that hold while a request arrives: how much of it, how fast, and how many at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from compatgate.service.settings import Settings

Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]

#: What is still read of a refused body, and thrown away, so that its sender gets to read the answer.
_DRAIN_BYTES: Final = 32 * 1024 * 1024
_DRAIN_SECONDS: Final = 2.0


class RefusedRequestError(Exception):
    """Refuse a request before it is looked at: a status, a code, and what to say."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, code, message, headers)
        self.status = status
        self.code = code
        self.message = message
        self.headers = dict(headers or {})


class GoneError(Exception):
    """Say that the sender hung up in the midst of its request."""


class Gate:
    """Count what is in the house: requests, and bytes of their bodies."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.pending = 0
        self.held = 0

    @contextmanager
    def entered(self) -> Iterator[_Place]:
        """Let a request in until the block ends. Raises RefusedRequestError where the house is full."""
        if self.pending >= self._settings.max_pending:
            raise _busy(f"{self.pending} requests are waiting")
        self.pending += 1
        place = _Place(self)
        try:
            yield place
        finally:
            self.pending -= 1
            self.held -= place.held

    def take(self, size: int) -> None:
        """Take room for bytes. Raises RefusedRequestError where there is none."""
        if self.held + size > self._settings.max_held:
            raise _busy("the requests that are waiting are too large together")
        self.held += size


class _Place:
    """Hold what one request takes up; given back when it leaves."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self.held = 0

    async def read(self, receive: Receive, headers: Mapping[str, str], settings: Settings) -> bytes:
        """Return the body, of which never more than the limit is kept.

        Raises RefusedRequestError for one that is too large, too slow or packed, GoneError for one that is cut off.
        """
        if headers.get("content-encoding", "identity").lower() != "identity":
            raise RefusedRequestError(415, "INVALID_INPUT", "the body is compressed; send it as it is")
        declared = headers.get("content-length", "")
        too_large = RefusedRequestError(
            413,
            "INPUT_TOO_LARGE",
            f"the request has more than the {settings.max_body} bytes that are read",
            {"connection": "close"},
        )
        if declared.isascii() and declared.isdigit() and (len(declared) > 18 or int(declared) > settings.max_body):
            if "expect" not in headers:  # who asks first is told before anything is sent
                await _drain(receive)
            raise too_large
        chunks: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(settings.read_timeout):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise GoneError
                    chunk = message.get("body", b"")
                    size += len(chunk)
                    if size > settings.max_body:
                        break
                    self._gate.take(len(chunk))
                    self.held += len(chunk)
                    chunks.append(chunk)
                    if not message.get("more_body", False):
                        return b"".join(chunks)
        except TimeoutError:
            what = f"the body did not arrive within {settings.read_timeout:g} seconds"
            raise RefusedRequestError(408, "INVALID_INPUT", what, {"connection": "close"}) from None
        chunks.clear()
        await _drain(receive)
        raise too_large


async def _drain(receive: Receive) -> None:
    """Read on for a while and keep nothing."""
    size = 0
    try:
        async with asyncio.timeout(_DRAIN_SECONDS):
            while size <= _DRAIN_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return
    except TimeoutError:
        return


def _busy(what: str) -> RefusedRequestError:
    return RefusedRequestError(503, "BUSY", f"{what}; try again in a few seconds", {"retry-after": "5"})
