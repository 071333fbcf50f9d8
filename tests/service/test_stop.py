"""The service ends well: what was asked is answered, nothing is left behind, and nothing is said that requests hold."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from compatgate.drift import Options
from compatgate.prover import Budget
from tests.service.server import Answer, Server, body, exchange, right_answer
from tests.service.test_load import exponential

STEPS = 1_000_000


def gone(number: int) -> bool:
    """Say whether a process has ended (an ended one that nobody asked after counts)."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_is_being_worked_on_is_answered(number: signal.Signals) -> None:
    data = [exponential(n, 10) for n in range(3)]
    wanted = [right_answer(one, Options(budget=Budget(steps=STEPS))) for one in data]
    with Server("--workers", "1", "--max-steps", str(STEPS)) as server:
        workers = server.workers()
        assert len(workers) == 1
        assert server.post(body()).status == 200

        async def run() -> list[Answer | None]:
            asked = [asyncio.create_task(exchange(server.port, [one], length=len(one))) for one in data]
            while b'"pending": 3' not in (await asyncio.to_thread(server.ask, "GET", "/healthz")).body:
                assert not all(one.done() for one in asked), "over before it could be stopped"
            for process in (server.process.pid, *workers):
                os.kill(process, number)  # a terminal sends it to all
            return await asyncio.gather(*asked)

        answers = asyncio.run(run())
        assert server.process.wait(30) == 0
        assert server.process.stdout is not None
        assert server.process.stderr is not None
        assert server.process.stdout.read() == ""
        assert server.process.stderr.read() == ""
    assert [a and (a.status, a.body) for a in answers] == wanted
    assert all(map(gone, workers))


def test_workers_end_with_a_server_that_is_killed() -> None:
    with Server("--workers", "2") as server:
        workers = server.workers()
        assert len(workers) == 2
        server.process.kill()
        server.process.wait()
        end = time.monotonic() + 20
        while not all(map(gone, workers)):
            assert time.monotonic() < end
            time.sleep(0.05)


def test_a_worker_that_dies_costs_one_request_and_is_replaced() -> None:
    data = exponential(1, 10)
    with Server("--workers", "1", "--max-steps", "2000000") as server:
        assert server.post(body()).status == 200

        async def run() -> Answer | None:
            asked = asyncio.create_task(exchange(server.port, [data], length=len(data)))
            while b'"pending": 1' not in (await asyncio.to_thread(server.ask, "GET", "/healthz")).body:
                assert not asked.done()
            for worker in server.workers():
                os.kill(worker, signal.SIGKILL)
            return await asked

        answer = asyncio.run(run())
        assert answer is not None
        assert (answer.status, b"INTERNAL_ERROR" in answer.body) == (500, True)
        assert server.post(body()).status == 200


def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "compatgate", "serve", "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
