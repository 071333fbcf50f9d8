"""Limits hold while a request arrives, whatever it says about itself; and nothing waits for a sender that does not."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator

import pytest

from compatgate.service.limits import Gate, GoneError, RefusedRequestError
from compatgate.service.settings import Settings
from tests.service.server import Answer, Server, body, exchange, right_answer

MIB = 1024 * 1024


@pytest.fixture(scope="module")
def small() -> Iterator[Server]:
    with Server("--workers", "1", "--max-body", "1000") as running:
        yield running


def asked(server: Server, data: bytes, *, length: int | None = None, cut: bool = False) -> Answer | None:
    """Send a body in pieces."""
    pieces = [data[n : n + 4096] for n in range(0, len(data), 4096)]
    return asyncio.run(exchange(server.port, pieces, length=length, cut=cut))


@pytest.mark.parametrize("declared", [True, False])
def test_the_limit_is_exact(declared: bool, small: Server) -> None:
    data = body()
    for size, status in ((1000, 200), (1001, 413)):
        padded = data + b" " * (size - len(data))
        answer = asked(small, padded, length=size if declared else None)
        assert answer is not None
        assert answer.status == status


def test_too_large_is_said_as_on_the_command_line(server: Server) -> None:
    data = b" " * (8 * MIB + 1)
    assert (server.post(data).status, server.post(data).body) == right_answer(data)


@pytest.mark.parametrize("declared", [True, False])
def test_a_large_body_is_not_kept(declared: bool, small: Server) -> None:
    before = small.memory()
    data = b"[" * (24 * MIB)
    answer = asked(small, data, length=len(data) if declared else None)
    assert answer is not None
    assert answer.status == 413
    assert json.loads(answer.body)["error"] == "INPUT_TOO_LARGE"
    assert small.memory() - before < 8 * MIB


@pytest.mark.parametrize("length", ["9" * 40, "1001"])
def test_a_declared_length_is_believed_when_it_is_too_much(length: str, small: Server) -> None:
    answer = asyncio.run(exchange(small.port, [b"x" * 1001], length=int(length)))
    assert answer is not None
    assert answer.status in (400, 413)  # beyond 20 digits HTTP itself refuses it


def test_a_declared_length_that_is_too_short_cuts_the_body(small: Server) -> None:
    answer = asked(small, body(), length=10)
    assert answer is not None
    assert answer.status == 400
    assert json.loads(answer.body.partition(b"HTTP/1.1")[0])["error"] == "INVALID_INPUT"
    assert small.post(body()).status == 200


def test_who_asks_first_is_told_before_anything_is_sent(small: Server) -> None:
    async def ask() -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", small.port)
        head = f"POST /v1/mcp-drift HTTP/1.1\r\nhost: 127.0.0.1:{small.port}\r\ncontent-length: 99999\r\n"
        writer.write(f"{head}expect: 100-continue\r\n\r\n".encode())
        try:
            return await asyncio.wait_for(reader.read(), 10)
        finally:
            writer.close()

    assert asyncio.run(ask()).startswith(b"HTTP/1.1 413 ")


def test_a_body_that_is_cut_off_does_no_harm(small: Server) -> None:
    for _ in range(5):
        asked(small, body()[:50], length=900, cut=True)
        asked(small, body()[:50], cut=True)
    assert json.loads(small.ask("GET", "/healthz").body)["status"] == "ok"
    assert small.post(body()).status == 200


def test_requests_that_wait_are_counted_and_leave(small: Server) -> None:
    async def waits() -> int:
        async def slow() -> AsyncIterator[bytes]:
            yield body()[:50]
            for _ in range(50):
                await asyncio.sleep(0.1)
                health = await asyncio.to_thread(small.ask, "GET", "/healthz")
                pending.append(json.loads(health.body)["pending"])
                if pending[-1]:
                    break
            yield body()[50:]

        pending: list[int] = []
        answer = await exchange(small.port, slow())
        assert answer is not None
        assert (answer.status, answer.body) == right_answer(body())
        return pending[-1]

    assert asyncio.run(waits()) == 1
    assert json.loads(small.ask("GET", "/healthz").body)["pending"] == 0


def test_who_is_slow_is_given_up_and_who_comes_too_many_is_told_when_to_come_again() -> None:
    async def head_only(port: int, first: bytes) -> float:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        start = time.monotonic()
        writer.write(first + b"GET /healthz HTTP/1.1\r\n")

        async def trickle() -> None:
            while True:
                await asyncio.sleep(0.1)
                writer.write(b"x: y\r\n")

        drop = asyncio.create_task(trickle())
        try:
            while await asyncio.wait_for(reader.read(65536), 20):
                pass
            return time.monotonic() - start
        except ConnectionError:
            return time.monotonic() - start
        finally:
            drop.cancel()
            writer.close()

    async def run(server: Server) -> list[Answer | None]:
        first = asyncio.create_task(exchange(server.port, [body()[:50]], length=900))
        while b'"pending": 1' not in (await asyncio.to_thread(server.ask, "GET", "/healthz")).body:
            assert not first.done()
        second = await exchange(server.port, [body()], length=len(body()))
        whole = f"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:{server.port}\r\n\r\n".encode()
        seconds = await asyncio.gather(head_only(server.port, b""), head_only(server.port, whole))
        assert all(1 < one < 10 for one in seconds), seconds
        return [await first, second]

    with Server("--workers", "1", "--max-pending", "1", "--read-timeout", "1.5") as server:
        late, many = asyncio.run(run(server))
        assert late is not None
        assert (late.status, json.loads(late.body)["error"]) == (408, "INVALID_INPUT")
        assert many is not None
        assert (many.status, json.loads(many.body)["error"], many.headers["retry-after"]) == (503, "BUSY", "5")
        assert server.post(body()).status == 200


def test_a_raised_limit_is_one_that_a_body_can_use() -> None:
    data = body() + b" " * (300 * MIB)
    with Server("--workers", "1", "--max-body", str(301 * MIB), "--deadline", "60") as server:
        assert server.post(data).status == 200


class Sender:
    """Send messages as a server of ASGI would; then nothing more."""

    def __init__(self, *chunks: bytes, ends: bool = False, hangs_up: bool = False) -> None:
        self._messages = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
        if ends:
            self._messages[-1]["more_body"] = False
        if hangs_up:
            self._messages.append({"type": "http.disconnect"})
        self.left = len(self._messages)

    async def receive(self) -> dict[str, object]:
        if not self._messages:
            await asyncio.sleep(3600)
        self.left -= 1
        return dict(self._messages.pop(0))


async def read(sender: Sender, settings: Settings, gate: Gate | None = None) -> bytes:
    with (gate or Gate(settings)).entered() as place:
        return await place.read(sender.receive, {}, settings)


def test_a_slow_body_is_given_up() -> None:
    with pytest.raises(RefusedRequestError) as caught:
        asyncio.run(read(Sender(b"{"), Settings(read_timeout=0.05)))
    assert caught.value.status == 408


def test_a_sender_that_hangs_up_is_noticed() -> None:
    with pytest.raises(GoneError):
        asyncio.run(read(Sender(b"{", hangs_up=True), Settings()))


def test_a_body_is_read_whole() -> None:
    assert asyncio.run(read(Sender(b"{", b"}", ends=True), Settings(max_body=2))) == b"{}"


def test_a_full_house_says_so_and_empties() -> None:
    settings = Settings(max_pending=1, max_held=4, max_body=100)
    gate = Gate(settings)
    with gate.entered(), pytest.raises(RefusedRequestError) as caught, gate.entered():
        pass
    assert caught.value.status == 503
    assert caught.value.headers["retry-after"] == "5"
    with pytest.raises(RefusedRequestError) as caught:
        asyncio.run(read(Sender(b"123", b"45", ends=True), settings, gate))
    assert caught.value.status == 503
    assert (gate.pending, gate.held) == (0, 0)
    assert asyncio.run(read(Sender(b"1234", ends=True), settings, gate)) == b"1234"
    assert (gate.pending, gate.held) == (0, 0)
