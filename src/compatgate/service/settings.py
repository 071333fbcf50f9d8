"""What bounds the service: every number has a reason beside it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Final

MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Settings:
    """Bound the service.

    `max_body`: bytes of one request, the contract's 8 MiB. `max_steps`: counted steps of one proof, the prover's own
    where None. `deadline`: seconds of work on one request, from when it begins; what is not decided then is UNKNOWN.
    `workers`: processes that work. `max_pending`: requests that may wait or be worked on; one more is 503.
    `max_held`: bytes of all bodies together; a request that goes beyond is 503, so that memory is bounded.
    `read_timeout`: seconds in which the head of a request has to arrive, and then its body.
    `max_memory`: bytes of memory after which a worker is replaced before its next request.
    """

    max_body: int = 8 * MIB
    max_steps: int | None = None
    deadline: float = 30.0
    workers: int = field(default_factory=lambda: max(1, min(os.cpu_count() or 1, 8)))
    max_pending: int = 1_000
    max_held: int = 256 * MIB
    read_timeout: float = 30.0
    max_memory: int = 400 * MIB

    @property
    def patience(self) -> float:
        """Return the seconds after which a worker that does not answer is given up.

        Not all work looks at the deadline, and a busy machine is slow: three times as long, and some more.
        """
        return 3 * self.deadline + 15
