"""Run provers as processes that keep their imports warm, each in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Timer

_SCRIPT = Path(__file__).parent / "peer_worker.py"
#: Importing, and the first question, which fills a peer's own caches.
_START_SECONDS = 60.0


class NoPeerError(Exception):
    """Report a prover that cannot be run here; `str()` says why, in one line."""


@dataclass(slots=True)
class Times:
    """Hold what one prover did with the questions: seconds of each, and how many it left open.

    `lost` are the questions that its process did not survive.
    """

    seconds: list[float] = field(default_factory=list)
    decided: int = 0
    refused: int = 0
    timed_out: int = 0
    died: int = 0
    lost: list[str] = field(default_factory=list)


class Peer:
    """Ask one prover, in a process that is started again after a question that it did not survive."""

    def __init__(self, name: str, python: Path, limit: float) -> None:
        self.name = name
        self.times = Times()
        self.version = ""
        self._python = python
        self._limit = limit
        self._late = Event()
        self._process = self._started()

    def ask(self, question: str) -> None:
        """Ask one question, a line of JSON, and keep the time; no answer (no time, a crash) counts as the limit."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(question + "\n")
            self._process.stdin.flush()
        except OSError:
            pass  # it has died of its own; no line comes back, and it is started again
        line = self._line(self._limit)
        if line is None:
            self.times.seconds.append(self._limit)
            self.times.timed_out += self._late.is_set()
            self.times.died += not self._late.is_set()
            self.times.lost.append(question)
            self.close()
            self._process = self._started()
            return
        answer = json.loads(line)
        self.times.seconds.append(min(answer["seconds"], self._limit))
        if answer["answer"] is None:
            self.times.refused += 1
        else:
            self.times.decided += 1

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _stop(self) -> None:
        self._late.set()
        self._process.kill()

    def _started(self) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            [str(self._python), str(_SCRIPT), self.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        line = self._line(_START_SECONDS)
        if line is None:
            self.close()
            raise NoPeerError(f"{self.name}: its process does not start")
        self.version = json.loads(line)["version"]
        return self._process

    def _line(self, seconds: float) -> str | None:
        """Return the next line; None where the time runs out, or the process ends without one."""
        assert self._process.stdout is not None
        self._late.clear()
        timer = Timer(seconds, self._stop)
        timer.start()
        try:
            line = self._process.stdout.readline()
        finally:
            timer.cancel()
        return line if line.endswith("\n") else None


def ours(limit: float) -> Peer:
    """Start our own prover, by the interpreter that runs this."""
    return Peer("compatgate", Path(sys.executable), limit)


def peer(name: str, python: str, directory: Path, limit: float) -> Peer:
    """Install a peer from PyPI into an environment below a directory, and start it; raises NoPeerError."""
    home = directory / name
    inside = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    _run(name, ["uv", "venv", "--quiet", "--no-project", "--python", python, str(home)])
    _run(name, ["uv", "pip", "install", "--quiet", "--python", str(inside), name])
    return Peer(name, inside, limit)


def _run(name: str, command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, check=False, encoding="utf-8", errors="replace")
    except OSError as error:
        raise NoPeerError(f"{name}: {command[0]} cannot be run: {error.strerror}") from error
    if done.returncode:
        said = next((line.strip() for line in done.stderr.splitlines() if line.startswith("error")), "no reason given")
        raise NoPeerError(f"{name}: `{' '.join(command[:3])}` fails: {said}; see --python")
