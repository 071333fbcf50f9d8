"""The page about the service tells the truth: its request is sent, and answered as it says."""

from __future__ import annotations

import re

from compatgate.service.openapi import OPTIONS, REFUSALS
from tests.data import PROJECT
from tests.service.server import Server

PAGE = (PROJECT / "docs" / "commands" / "serve.md").read_text("utf-8")


def test_the_request_of_the_page_is_answered_as_it_says(server: Server) -> None:
    found = re.search(r"^```http\n(\w+) (\S+)\n\n(.*?)^```.*?^```json\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert found
    method, path, body, shown = found.groups()
    answer = server.ask(method, path, body.encode())
    pattern = re.sub(r"…\\?\n", "(?:.*\n)*?", re.escape(shown))
    assert re.fullmatch(pattern, answer.body.decode()), answer.body.decode()


def test_every_status_and_option_is_on_the_page() -> None:
    for status in REFUSALS:
        assert re.search(rf"^\| (?:\d+, )*{status}\b", PAGE, re.MULTILINE), status
    for name, (values, _) in OPTIONS.items():
        assert f"`{name}=" + "\\|".join(values) in PAGE
