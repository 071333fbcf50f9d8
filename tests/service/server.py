"""Start a real server process, talk to it over bare sockets, and measure its memory."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterable, Iterable
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from compatgate.drift import Options, verdict_of_request
from compatgate.jsonio import dumps
from compatgate.service.tasks import text_of

NUMBER: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "number"}}}
INTEGER: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}}


def request(baseline: Any, current: Any, *, name: str = "count") -> dict[str, Any]:
    """Return a request about one tool whose inputSchema changes."""
    return {
        "contract_version": "mcp-drift/1",
        "subject": {"server_id": "acme"},
        "annotation_source_trust": "untrusted",
        "baseline": {"tools": [{"name": name, "inputSchema": baseline}]},
        "current": {"tools": [{"name": name, "inputSchema": current}]},
    }


def body(baseline: Any = NUMBER, current: Any = INTEGER, *, name: str = "count") -> bytes:
    """Return the bytes of such a request."""
    return dumps(request(baseline, current, name=name)).encode()


def right_answer(data: bytes, options: Options | None = None) -> tuple[int, bytes]:
    """Return what the command line prints for a request, and the status that goes with it."""
    answer, status = verdict_of_request(data, options)
    return status, text_of(answer)


@dataclass(frozen=True)
class Answer:
    """Hold a response."""

    status: int
    headers: dict[str, str]
    body: bytes


class Server:
    """Run `compatgate serve` on a free port of this machine while a `with` block lasts."""

    def __init__(self, *options: str) -> None:
        self._options = options
        self.port = 0

    def __enter__(self) -> Server:
        command = [sys.executable, "-m", "compatgate", "serve", "--port", "0", *self._options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+);", line)
        assert found, line + self.process.stderr.read()
        self.port = int(found[1])
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            finally:
                self.process.kill()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def ask(self, method: str, path: str, data: bytes | Iterable[bytes] | None = None, **headers: str) -> Answer:
        """Send a request and return the answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, data, named, encode_chunked=True)
            got = connection.getresponse()
            return Answer(got.status, {k.lower(): v for k, v in got.getheaders()}, got.read())
        finally:
            connection.close()

    def post(self, data: bytes | Iterable[bytes], query: str = "", **headers: str) -> Answer:
        """Send a request of mcp-drift/1."""
        return self.ask("POST", "/v1/mcp-drift" + query, data, **headers)

    def workers(self) -> list[int]:
        """Return the process ids of the workers."""
        found: list[int] = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                text = path.read_text()
            except OSError:
                continue
            if int(text.rpartition(")")[2].split()[1]) == self.process.pid:
                found.append(int(path.parent.name))
        return found

    def memory(self) -> int:
        """Return the bytes of memory that the server and its workers hold."""
        pages = 0
        for number in (self.process.pid, *self.workers()):
            try:
                pages += int(Path(f"/proc/{number}/statm").read_text().split()[1])
            except OSError:
                continue
        return pages * os.sysconf("SC_PAGE_SIZE")


async def exchange(
    port: int, chunks: AsyncIterable[bytes] | Iterable[bytes], *, length: int | None = None, cut: bool = False
) -> Answer | None:
    """Post chunks over a bare socket: with a declared length, or chunked without one.

    `cut`: hang up instead of ending. None where there is no answer.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        framing = "transfer-encoding: chunked" if length is None else f"content-length: {length}"
        head = f"POST /v1/mcp-drift HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n{framing}\r\n\r\n"
        writer.write(head.encode())
        try:
            if isinstance(chunks, AsyncIterable):
                async for chunk in chunks:
                    await _send(writer, chunk, framed=length is None)
            else:
                for chunk in chunks:
                    await _send(writer, chunk, framed=length is None)
            if cut:
                return None
            if length is None:
                writer.write(b"0\r\n\r\n")
            await writer.drain()
        except ConnectionError:
            pass  # it answered before everything was sent; the answer may be read still
        return await _read(reader)
    finally:
        writer.close()


async def _send(writer: asyncio.StreamWriter, chunk: bytes, *, framed: bool) -> None:
    writer.write(b"%x\r\n%s\r\n" % (len(chunk), chunk) if framed else chunk)
    await writer.drain()


async def _read(reader: asyncio.StreamReader) -> Answer | None:
    try:
        data = await asyncio.wait_for(reader.read(), 60)
    except ConnectionError:
        return None
    head, _, rest = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    if len(lines[0].split()) < 2:
        return None
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return Answer(int(lines[0].split()[1]), headers, rest)
