"""The same request gives the same bytes everywhere: whatever the hash seed, and from several threads at once."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from compatgate.drift import verdict_of_request
from compatgate.jsonio import dumps
from tests.data import PROJECT
from tests.verdict.suite import EXCHANGES, Exchange

_PROGRAM = """
import hashlib
from compatgate.jsonio import dumps
from compatgate.drift import verdict_of_request
from tests.verdict.suite import EXCHANGES
answers = [verdict_of_request(e.body, e.options)[0] for e in EXCHANGES]
print(hashlib.sha256(dumps(answers).encode()).hexdigest())
"""


def _digest(seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        cwd=PROJECT,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(PROJECT)},
    )
    return done.stdout.strip()


def test_whatever_the_hash_seed() -> None:
    assert len({_digest(seed) for seed in ("0", "1", "2024")}) == 1


def test_from_several_threads_at_once() -> None:
    chosen = EXCHANGES[:120]

    def answer(exchange: Exchange) -> Any:
        return verdict_of_request(exchange.body, exchange.options)

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(answer, chosen * 2))
    alone = [answer(exchange) for exchange in chosen]
    assert [dumps(body) for body, _ in together] == [dumps(body) for body, _ in alone * 2]
