"""Two hundred requests at once, one in ten hostile: every answer is right, memory stays flat, health is told."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from http.client import responses
from pathlib import Path

import pytest

from tests.service.server import Answer, Server, body, exchange, right_answer

REQUESTS = 200
MIB = 1024 * 1024
#: What a wave after the first may add: arenas of the allocator, not bodies or answers.
FLAT = 24 * MIB
SECONDS = 60

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system has no /proc to measure by")


@dataclass(frozen=True)
class Wanted:
    """Hold what is sent and what is to come back; None where the sender hangs up."""

    sent: bytes
    answer: tuple[int, bytes] | None
    length: int | None = None


def exponential(number: int, holes: int = 8) -> bytes:
    """Return a request whose schema asks to put pigeons into fewer holes, each alone: no, but that is long to prove."""
    names = [[f"{number}:{pigeon}:{hole}" for hole in range(holes)] for pigeon in range(holes + 1)]
    somewhere = [{"anyOf": [{"required": [name]} for name in row]} for row in names]
    alone = [
        {"not": {"required": [one[hole], other[hole]]}}
        for hole in range(holes)
        for n, one in enumerate(names)
        for other in names[:n]
    ]
    left = {"type": "object", "allOf": [*somewhere, *alone]}
    return body(left, {"type": "object", "required": ["never"]}, name=f"tool{number}")


def ordinary(number: int) -> bytes:
    """Return a request about a tool of everyday; none is like another."""
    properties = {f"p{n}": {"type": "string", "maxLength": n + number} for n in range(10)}
    old = {"type": "object", "properties": properties, "required": ["p1"]}
    new = {**old, "properties": {**properties, f"p{number % 10}": {"type": ["string", "null"]}}}
    return body(old, new if number % 3 else {**new, "required": ["p1", "p2"]}, name=f"tool{number}")


def wave() -> list[Wanted]:
    """Return the requests of one wave with their right answers."""
    found: list[Wanted] = []
    for number in range(REQUESTS):
        if number % 10:
            data = ordinary(number)
            found.append(Wanted(data, right_answer(data), len(data) if number % 2 else None))
            continue
        kind = number // 10 % 5
        if kind == 0:
            data = b" " * (9 * MIB)
            found.append(Wanted(data, right_answer(data), len(data)))
        elif kind == 1:
            data = b"[" * (9 * MIB)
            found.append(Wanted(data, right_answer(data)))
        elif kind == 2:
            found.append(Wanted(ordinary(number)[:200], None, 5000))
        elif kind == 3:
            data = ordinary(number).replace(b'"required":', b'"type": 1, "required":')
            found.append(Wanted(data, right_answer(data), len(data)))
        else:
            data = exponential(number)
            found.append(Wanted(data, right_answer(data)))
    return found


async def send(port: int, wanted: Wanted) -> Answer | None:
    """Send one request in pieces."""
    pieces = [wanted.sent[n : n + 65536] for n in range(0, len(wanted.sent), 65536)]
    return await exchange(port, pieces, length=wanted.length, cut=wanted.answer is None)


async def run(server: Server, wanted: list[Wanted]) -> tuple[list[Answer | None], list[float]]:
    """Send all requests at once, and ask for the server's health all the while."""
    delays: list[float] = []

    async def probe() -> None:
        while True:
            start = time.perf_counter()
            await asyncio.to_thread(server.ask, "GET", "/healthz")
            delays.append(time.perf_counter() - start)
            await asyncio.sleep(0.05)

    prober = asyncio.create_task(probe())
    try:
        answers = await asyncio.gather(*(send(server.port, one) for one in wanted))
    finally:
        prober.cancel()
    return answers, delays


def test_two_hundred_at_once() -> None:
    wanted = wave()
    kinds = [one.answer[0] if one.answer else None for one in wanted]
    assert {kind: kinds.count(kind) for kind in kinds} == {200: 184, 413: 8, 400: 4, None: 4}
    undecided = [
        w for w in wanted if w.answer and w.answer[0] == 200 and json.loads(w.answer[1])["coverage"]["unknown"]
    ]
    assert len(undecided) == 4, "the exponential schemas are over the budget, and nothing else is"
    with Server("--workers", "2") as server:
        sizes: list[int] = []
        for _ in range(3):
            start = time.monotonic()
            answers, delays = asyncio.run(run(server, wanted))
            seconds = time.monotonic() - start
            for one, answer in zip(wanted, answers, strict=True):
                if one.answer is None:
                    assert answer is None
                    continue
                assert answer is not None, one.sent[:300]
                assert answer.status < 500, responses[answer.status]
                assert (answer.status, answer.body) == one.answer
            assert seconds < SECONDS
            assert sorted(delays)[len(delays) // 2] < 0.5, "health is told while workers work"
            assert max(delays) < 3
            assert json.loads(server.ask("GET", "/healthz").body)["pending"] == 0
            sizes.append(server.memory())
        assert sizes[-1] - sizes[0] < FLAT, sizes
        assert len(server.workers()) == 2
