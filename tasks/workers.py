"""Run one job after another in worker processes that may crash or hang without taking the task along."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import perf_counter
from typing import Any, Generic, TypeVar

T = TypeVar("T")

START_LIMIT = 60.0


@dataclass(frozen=True, slots=True)
class Lost:
    """Say how a job was lost: its worker ended, or was killed after `seconds`."""

    reason: str
    seconds: float


@dataclass(slots=True)
class _Worker(Generic[T]):
    process: BaseProcess
    job: int | None  # None: not ready yet
    since: float
    limit: float


def each(
    setup: Callable[..., Callable[[int], T]],
    arguments: tuple[Any, ...],
    jobs: Iterable[int],
    *,
    workers: int = 1,
    limit: float = 10.0,
) -> Iterator[tuple[int, T | Lost]]:
    """Yield (job, result) as they come; `setup(*arguments)` runs once a worker and returns what does a job.

    A job that takes more than `limit` seconds, or ends its worker, is yielded as `Lost`. Exceptions of a job
    end the whole task: a job catches its own.
    """
    context = multiprocessing.get_context("spawn")
    waiting = iter(jobs)
    active: dict[Connection, _Worker[T]] = {}

    def start() -> None:
        ours, theirs = context.Pipe()
        process = context.Process(target=_loop, args=(setup, arguments, theirs), daemon=True)
        process.start()
        theirs.close()
        active[ours] = _Worker(process, None, perf_counter(), START_LIMIT)

    def lose(connection: Connection, reason: str) -> tuple[int, Lost]:
        worker = active.pop(connection)
        worker.process.kill()
        worker.process.join()
        if worker.job is None:
            raise RuntimeError(f"a worker could not start: {reason}")
        start()
        return worker.job, Lost(reason, perf_counter() - worker.since)

    try:
        for _ in range(max(1, workers)):
            start()
        while active:
            for ready in wait(list(active), timeout=0.5):
                assert isinstance(ready, Connection)
                worker = active[ready]
                try:
                    result = ready.recv()
                except (EOFError, ConnectionResetError):
                    worker.process.join()
                    yield lose(ready, f"the worker ended with {worker.process.exitcode}")
                    continue
                if worker.job is not None:
                    yield worker.job, result
                worker.job = next(waiting, None)
                worker.since, worker.limit = perf_counter(), limit
                ready.send(worker.job)
                if worker.job is None:
                    del active[ready]
                    worker.process.join()
            for connection, worker in list(active.items()):
                if perf_counter() > worker.since + worker.limit and not connection.poll():
                    yield lose(connection, f"took more than {worker.limit:g} s")
    finally:
        for worker in active.values():
            worker.process.kill()


def _loop(setup: Callable[..., Callable[[int], T]], arguments: tuple[Any, ...], connection: Connection) -> None:
    work = setup(*arguments)
    connection.send(None)  # ready
    while (job := connection.recv()) is not None:
        connection.send(work(job))
