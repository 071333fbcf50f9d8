"""Processes that do the work, so that the event loop never waits, cores are used, and a crash costs one request.

A task waits for a free worker. One that does not answer in time is killed and replaced; so is one that grew too large.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import Final

import msgspec

from compatgate.service.settings import Settings
from compatgate.service.tasks import Reply, Task, failure

_HEAD: Final = 8
#: A worker looks where its parent does, and nowhere else: the current directory is no place for modules. Signals that
#: the whole group gets are not for it, from the first moment on: its parent says when it ends.
_PROGRAM: Final = """
import signal, sys
for name in ("SIGINT", "SIGTERM", "SIGHUP"):
    if hasattr(signal, name):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
sys.path[:] = {path!r}
from compatgate.service.worker import main
main()
"""
_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(Reply)


class Pool:
    """Hold the workers; used as an asynchronous context manager, which starts and stops them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._free: asyncio.Queue[_Worker] = asyncio.Queue()
        self._workers: list[_Worker] = []

    async def __aenter__(self) -> Pool:
        self._workers = [_Worker() for _ in range(self.settings.workers)]
        await asyncio.gather(*(worker.start() for worker in self._workers))
        for worker in self._workers:
            self._free.put_nowait(worker)
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(worker.stop() for worker in self._workers))

    async def ask(self, task: Task, *, gone: asyncio.Event | None = None) -> Reply:
        """Return the answer to a task; an error object where there is none.

        `gone` says that nobody waits for it any more: then it is not begun.
        """
        worker = await self._free.get()
        try:
            if gone is not None and gone.is_set():
                return failure(503, "GONE", "nobody waits for the answer")
            return await self._ask(worker, task)
        finally:
            self._free.put_nowait(worker)

    async def _ask(self, worker: _Worker, task: Task) -> Reply:
        patience = self.settings.patience
        try:
            async with asyncio.timeout(patience):
                reply = await worker.ask(task)
        except TimeoutError:
            worker.kill()
            return failure(413, "INPUT_TOO_LARGE", f"given up after {patience:g} seconds; compare fewer tools at once")
        except (OSError, EOFError):
            worker.kill()
            return failure(500, "INTERNAL_ERROR", "a worker ended over this request; please report it")
        except BaseException:  # cancelled: what it is about to say is nobody's answer
            worker.kill()
            raise
        if reply.memory > self.settings.max_memory:
            await worker.stop()
        return reply


class _Worker:
    """Hold one process, started when it is needed."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> asyncio.subprocess.Process:
        """Start the process; it imports what it needs while others go on."""
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-c",
                _PROGRAM.format(path=[place for place in sys.path if place]),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,  # what a library says may quote what a server wrote
            )
        return self._process

    async def ask(self, task: Task) -> Reply:
        """Send a task and wait for its answer. Raises OSError or EOFError where the process ends."""
        process = await self.start()
        if process.stdin is None or process.stdout is None:
            raise EOFError
        data = _ENCODER.encode(task)
        process.stdin.write(len(data).to_bytes(_HEAD, "big"))
        process.stdin.write(data)
        await process.stdin.drain()
        size = int.from_bytes(await process.stdout.readexactly(_HEAD), "big")
        return _DECODER.decode(await process.stdout.readexactly(size))

    def kill(self) -> None:
        """End the process at once; the next task starts another."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            self._process = None

    async def stop(self) -> None:
        """End the process by closing its input, or at once where that does not do."""
        process, self._process = self._process, None
        if process is None or process.stdin is None:
            return
        process.stdin.close()
        try:
            async with asyncio.timeout(2):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
