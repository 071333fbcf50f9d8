"""The service answers what the command line prints, byte for byte, and refuses the rest in the contract's words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from compatgate.cli import run
from compatgate.drift import input_schema, output_schema
from compatgate.errors import neutralise
from compatgate.service.openapi import document
from tests.service.server import INTEGER, NUMBER, Answer, Server, body
from tests.verdict.suite import EXCHANGES, Exchange

#: Options of an exchange that the query can say, each as the option of the command line.
FLAGS = {"callers": "--callers", "surface": "--surface", "witnesses": "--no-witnesses"}
ASKED = [e for e in EXCHANGES if FLAGS.keys() >= e.row.get("options", {}).keys()]


def errors(answer: Answer) -> dict[str, Any]:
    """Return an error object, found to be one."""
    value: dict[str, Any] = json.loads(answer.body)
    assert value.keys() == {"error", "message", "path"}
    assert value["message"] == neutralise(value["message"], 2000)
    assert answer.headers["content-type"] == "application/json"
    return value


def printed(exchange: Exchange, folder: Path, capsys: pytest.CaptureFixture[str]) -> bytes:
    """Return what `compatgate verdict` prints."""
    path = folder / "request.json"
    path.write_bytes(exchange.body)
    arguments = ["verdict", str(path)]
    for name, value in exchange.row.get("options", {}).items():
        arguments += [FLAGS[name]] if value is False else [FLAGS[name], value]
    assert run(arguments) in (0, 1, 2)
    return capsys.readouterr().out.encode()


def test_enough_exchanges_are_asked() -> None:
    assert len(ASKED) >= 240
    assert {e.expect.get("status", 200) for e in ASKED} >= {200, 400, 422}
    assert {name for e in ASKED for name in e.row.get("options", {})} == FLAGS.keys()


@pytest.mark.parametrize("file", sorted({e.file for e in ASKED}))
def test_every_exchange_is_answered_as_on_the_command_line(
    file: str, server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for exchange in (e for e in ASKED if e.file == file):
        options = exchange.row.get("options", {})
        query = "&".join(f"{name}={str(value).lower()}" for name, value in options.items())
        answer = server.post(exchange.body, f"?{query}" if query else "")
        assert answer.body == printed(exchange, tmp_path, capsys), exchange.name
        assert answer.status == exchange.expect.get("status", 200), exchange.name


def test_formats_are_asserted_on_request(server: Server) -> None:
    plain = {"type": "object", "properties": {"t": {"type": "string"}}}
    dated = {"type": "object", "properties": {"t": {"type": "string", "format": "date"}}}
    verdicts = [
        json.loads(server.post(body(plain, dated), query).body)["coverage"]
        for query in ("", "?assert_formats=false", "?assert_formats=true")
    ]
    assert verdicts[0] == verdicts[1] != verdicts[2]


@pytest.mark.parametrize("query", ["?callers=all", "?witnesses=0", "?other=1", "?callers=any&callers=any", "?callers="])
def test_an_option_that_is_none_is_refused(query: str, server: Server) -> None:
    answer = server.post(body(), query)
    assert answer.status == 422
    assert errors(answer)["error"] == "INVALID_INPUT"


def test_unknown_path(server: Server) -> None:
    answer = server.ask("GET", "/v1/mcp-drift/%E2%80%8Bx%1B[31m")
    assert answer.status == 404
    assert errors(answer)["error"] == "NOT_FOUND"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("GET", "/v1/mcp-drift", "POST"), ("DELETE", "/healthz", "GET"), ("GET", "/mcp", "POST")],
)
def test_wrong_method(method: str, path: str, allowed: str, server: Server) -> None:
    answer = server.ask(method, path)
    assert answer.status == 405
    assert allowed in answer.headers["allow"]
    assert errors(answer)["error"] == "NOT_ALLOWED"


def test_a_compressed_body_is_refused(server: Server) -> None:
    answer = server.post(b"\x1f\x8b", Content_Encoding="gzip")
    assert answer.status == 415
    assert errors(answer)["error"] == "INVALID_INPUT"


@pytest.mark.parametrize(
    ("header", "status"), [({"Origin": "http://evil.example"}, 403), ({"Host": "evil.example"}, 421)]
)
def test_pages_of_strangers_are_not_answered(header: dict[str, str], status: int, server: Server) -> None:
    answer = server.post(body(), **header)
    assert answer.status == status
    assert errors(answer)["error"] == "NOT_ALLOWED"


def test_a_page_of_its_own_is_answered(server: Server) -> None:
    assert server.post(body(), Origin=f"http://127.0.0.1:{server.port}").status == 200


def test_a_service_with_a_name_answers_to_it() -> None:
    with Server("--workers", "1", "--allow-host", "gate.example") as named:
        assert named.ask("GET", "/healthz", Host="Gate.Example:8080").status == 200
        assert named.ask("GET", "/healthz", Host="other.example").status == 421


def test_health(server: Server) -> None:
    answer = server.ask("GET", "/healthz")
    assert answer.status == 200
    assert json.loads(answer.body)["status"] == "ok"


def test_the_document_describes_the_service(server: Server) -> None:
    told: dict[str, Any] = json.loads(server.ask("GET", "/openapi.json").body)
    assert told == document()
    OpenAPIV31SpecValidator(told).validate()
    schemas = told["components"]["schemas"]
    assert (schemas["Request"], schemas["Verdict"]) == (input_schema(), output_schema())
    operation = told["paths"]["/v1/mcp-drift"]["post"]
    asked = {p["name"]: p["schema"] for p in operation["parameters"]}
    for name, schema in asked.items():
        answers = [server.post(body(NUMBER, INTEGER), f"?{name}={value}") for value in schema["enum"]]
        assert {a.status for a in answers} == {200}
        default = answers[schema["enum"].index(schema["default"])]
        assert default.body == server.post(body(NUMBER, INTEGER)).body


def test_answers_are_as_the_document_says(server: Server) -> None:
    told = document()
    answers = [
        ("/v1/mcp-drift", "post", server.post(body())),
        ("/v1/mcp-drift", "post", server.post(b"{")),
        ("/v1/mcp-drift", "post", server.post(b"{}")),
        ("/v1/mcp-drift", "post", server.post(b"", Content_Encoding="br")),
        ("/v1/mcp-drift", "post", server.post(b" " * (9 << 20))),
        ("/healthz", "get", server.ask("GET", "/healthz")),
    ]
    assert [a.status for _, _, a in answers] == [200, 400, 422, 415, 413, 200]
    paths: Any = told["paths"]
    for path, method, answer in answers:
        content = paths[path][method]["responses"][str(answer.status)]["content"]["application/json"]["schema"]
        schema = {**content, "components": told["components"]}
        jsonschema_rs.validate(schema, json.loads(answer.body))
