"""MCP over standard input and output: one JSON-RPC message a line, and nothing else on standard output.

The transport is our own and not the package's: each line goes along with its message, so that tools read it exactly;
lines are bounded; and what was asked is answered before the end of the input ends the server.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO, Final

import anyio
from mcp import types
from mcp.shared.message import ServerMessageMetadata, SessionMessage

from compatgate.service.mcp import create_server
from compatgate.service.pool import Pool
from compatgate.service.settings import MIB, Settings

#: Seconds that answers may take after the end of the input, above the patience with one of them.
_GRACE: Final = 5.0


def run(settings: Settings) -> None:
    """Serve until standard input ends, or SIGTERM or SIGINT asks for the end."""
    source, sink = os.dup(0), os.fdopen(os.dup(1), "wb")
    # What is printed by mistake must not get in between the messages.
    sys.stdout.flush()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    try:
        asyncio.run(_serve(settings, source, sink))
    finally:
        with suppress(OSError):
            sink.flush()


async def _serve(settings: Settings, source: int, sink: BinaryIO) -> None:
    async with Pool(settings) as pool:
        server = create_server(pool)
        wire = _Wire(source, sink, settings)
        async with anyio.create_task_group() as group:
            group.start_soon(wire.read)
            group.start_soon(wire.write)
            await server.run(wire.incoming, wire.outgoing, server.create_initialization_options())
            group.cancel_scope.cancel()


class _Wire:
    """Join the streams of a server to a pair of files."""

    def __init__(self, source: int, sink: BinaryIO, settings: Settings) -> None:
        self._source = source
        self._sink = sink
        self._settings = settings
        self._max_line = settings.max_body + MIB  # the envelope is not part of what is bounded
        self._waiting: set[str | int] = set()
        self._answered = asyncio.Event()
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue(maxsize=16)
        self._send, self.incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self.outgoing, self._receive = anyio.create_memory_object_stream[SessionMessage](0)

    async def read(self) -> None:
        """Read messages until the input ends or a signal comes, then wait for the answers to them."""
        loop = asyncio.get_running_loop()
        # A daemon: a read that never returns must not keep the process.
        threading.Thread(target=self._read_lines, args=(loop,), daemon=True).start()
        ended = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            with suppress(NotImplementedError):
                loop.add_signal_handler(number, ended.set)
        end = asyncio.create_task(ended.wait())
        try:
            async with self._send:
                while True:
                    line = asyncio.create_task(self._lines.get())
                    await asyncio.wait([line, end], return_when=asyncio.FIRST_COMPLETED)
                    if not line.done():
                        line.cancel()
                        break
                    data = line.result()
                    if data is None:
                        break
                    await self._take(data)
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._settings.patience + _GRACE):
                        while self._waiting:
                            self._answered.clear()
                            await self._answered.wait()
        finally:
            end.cancel()

    async def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        if len(line) > self._max_line:
            what = f"the message has more than the {self._max_line} bytes that are read"
            await self._refuse(types.INVALID_REQUEST, what)
            return
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            await self._refuse(types.PARSE_ERROR, "the line is no JSON-RPC message")
            return
        if isinstance(message, types.JSONRPCRequest):
            self._waiting.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))
        await self._send.send(SessionMessage(message, ServerMessageMetadata(request_context=line)))

    async def _refuse(self, code: int, what: str) -> None:
        error = types.JSONRPCError(jsonrpc="2.0", id=None, error=types.ErrorData(code=code, message=what))
        await self._write(error.model_dump_json(by_alias=True).encode())

    async def write(self) -> None:
        """Write messages until there are no more."""
        async with self._receive:
            async for item in self._receive:
                message = item.message
                await self._write(message.model_dump_json(by_alias=True, exclude_unset=True).encode())
                if isinstance(message, (types.JSONRPCResponse, types.JSONRPCError)):
                    self._settle(message.id)

    async def _write(self, data: bytes) -> None:
        await asyncio.to_thread(self._write_line, data)

    def _write_line(self, data: bytes) -> None:
        self._sink.write(data + b"\n")
        self._sink.flush()

    def _settle(self, number: object) -> None:
        if isinstance(number, (str, int)):
            self._waiting.discard(number)
        self._answered.set()

    def _read_lines(self, loop: asyncio.AbstractEventLoop) -> None:
        """Read lines in a thread, no faster than they are taken."""

        def hand_over(line: bytes | None) -> None:
            asyncio.run_coroutine_threadsafe(self._lines.put(line), loop).result()

        with suppress(RuntimeError):  # the loop has ended
            with suppress(OSError):  # the input broke, which is its end
                for line in lines_of(self._source, self._max_line):
                    hand_over(line)
            hand_over(None)


def lines_of(source: int, max_line: int) -> Iterator[bytes]:
    """Yield the lines of a file descriptor; of one over the bound so much that this shows, and its rest is dropped.

    No buffered reader: a thread that waits in one cannot be left behind when the interpreter ends.
    """
    parts: list[bytes] = []
    size = 0
    while data := os.read(source, 65536):
        *whole, rest = data.split(b"\n")
        for end in whole:
            yield b"".join([*parts, end])[: max_line + 1]
            parts, size = [], 0
        if size <= max_line and rest:
            parts.append(rest)
            size += len(rest)
    if parts:
        yield b"".join(parts)[: max_line + 1]
