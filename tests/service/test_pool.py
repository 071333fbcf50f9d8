"""Workers: bounded in time and in memory, and an answer whatever happens to one."""

from __future__ import annotations

import asyncio
import json

import pytest

from compatgate.service.pool import Pool
from compatgate.service.settings import Settings
from compatgate.service.tasks import Reply, Task, perform
from tests.service.server import body, right_answer
from tests.service.test_load import exponential

MANY = 100_000_000


def ask(settings: Settings, *tasks: Task) -> list[Reply]:
    """Ask a pool, one task after the other."""

    async def run() -> list[Reply]:
        async with Pool(settings) as pool:
            return [await pool.ask(task) for task in tasks]

    return asyncio.run(run())


def test_what_the_deadline_ends_is_unknown_and_says_so() -> None:
    (reply,) = ask(Settings(workers=1), Task(exponential(1, 14), max_steps=MANY, deadline=0.2))
    told = json.loads(reply.body)
    assert (reply.status, told["verdict"]) == (200, "INCONCLUSIVE")
    unknown = [f["reason"] for f in told["findings"] if f["relation"] == "UNKNOWN"]
    assert unknown
    assert all("deadline" in reason for reason in unknown)


def test_a_worker_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "patience", 1.5)
    lost, fine = ask(Settings(workers=1), Task(exponential(1, 14), max_steps=MANY), Task(body()))
    assert lost.status == 413
    assert json.loads(lost.body) == {
        "error": "INPUT_TOO_LARGE",
        "message": "given up after 1.5 seconds; compare fewer tools at once",
        "path": "",
    }
    assert (fine.status, fine.body) == right_answer(body())


def test_a_worker_that_grew_is_replaced() -> None:
    async def run() -> list[int]:
        async with Pool(Settings(workers=1, max_memory=1)) as pool:
            seen: list[int] = []
            for _ in range(2):
                worker = pool._workers[0]
                seen.append((await worker.start()).pid)
                assert (await pool.ask(Task(body()))).body == right_answer(body())[1]
            return seen

    first, second = asyncio.run(run())
    assert first != second


def test_a_caller_that_leaves_takes_its_worker_along_and_the_next_is_answered() -> None:
    async def run() -> Reply:
        async with Pool(Settings(workers=1)) as pool:
            await pool.ask(Task(body()))
            left = asyncio.create_task(pool.ask(Task(exponential(1, 14), max_steps=MANY)))
            await asyncio.sleep(0.2)
            left.cancel()
            return await pool.ask(Task(body()))

    assert asyncio.run(run()).body == right_answer(body())[1]


def test_nobody_works_for_a_sender_that_hung_up() -> None:
    async def run() -> list[Reply]:
        async with Pool(Settings(workers=1)) as pool:
            gone = asyncio.Event()
            first = asyncio.create_task(pool.ask(Task(body())))
            waiting = asyncio.create_task(pool.ask(Task(body()), gone=gone))
            await asyncio.sleep(0)
            gone.set()
            return [await first, await waiting]

    first, waiting = asyncio.run(run())
    assert (first.status, waiting.status) == (200, 503)


def test_an_error_of_ours_says_its_type_and_nothing_of_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyError("secret of the server")

    monkeypatch.setattr("compatgate.service.tasks.verdict_of_request", fails)
    reply = perform(Task(body()))
    assert reply.status == 500
    assert json.loads(reply.body)["message"] == "internal error: KeyError; please report it"
