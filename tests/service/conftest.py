"""One server process for all tests that leave it as it was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.service.server import Server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server("--workers", "2") as running:
        yield running
