"""The pair as built: annotations, nothing fetched, typed equality, exact numbers, and where the two differ."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from compatgate.jsonio import Json
from compatgate.prover.validators import MAX_ERRORS, ValidatorPair, Violation, compile_pair
from compatgate.schema.references import Document

DIALECTS = {
    "draft-04": "http://json-schema.org/draft-04/schema#",
    "draft-06": "http://json-schema.org/draft-06/schema#",
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}
every_dialect = pytest.mark.parametrize("dialect", DIALECTS)


def pair(schema: Any, pointer: str = "", dialect: str | None = None) -> ValidatorPair:
    return compile_pair(Document(schema, pointer, dialect))


def nested(depth: int, wrap: str | None, innermost: Any) -> Any:
    value = innermost
    for _ in range(depth):
        value = [value] if wrap is None else {wrap: value}
    return value


# -- annotations -------------------------------------------------------------------------------------


@every_dialect
@pytest.mark.parametrize("spelt", ["declared", "by default"])
@pytest.mark.parametrize(
    "keywords",
    [
        {"format": "email"},
        {"format": "date-time"},
        {"format": "regex"},
        {"format": "no-such-format"},
        {"contentEncoding": "base64"},
        {"contentMediaType": "application/json"},
        {"contentMediaType": "application/json", "contentSchema": {"type": "array"}},
    ],
    ids=lambda keywords: "+".join(map(str, keywords.values())),
)
def test_formats_and_content_are_annotations(dialect: str, spelt: str, keywords: dict[str, Json]) -> None:
    schema: dict[str, Json] = {"$schema": DIALECTS[dialect]} if spelt == "declared" else {}
    schema["properties"] = {"text": keywords}
    judge = pair(schema, dialect=None if spelt == "declared" else dialect)
    assert judge.verdict({"text": "(not it"}) == "valid"
    assert judge.errors({"text": "(not it"}) == []


@every_dialect
def test_content_keywords_are_stripped_from_schemas_and_not_from_data(dialect: str) -> None:
    encoded: dict[str, Json] = {"contentEncoding": "base64"}
    schema: dict[str, Json] = {
        "$schema": DIALECTS[dialect],
        "definitions": {"kept": {"enum": [encoded]}},
        "properties": {
            "contentEncoding": {"type": "integer"},
            "data": {"$ref": "#/definitions/kept"},
        },
        "default": encoded,
    }
    judge = pair(schema)
    assert judge.verdict({"contentEncoding": "x"}) == "invalid"
    assert judge.verdict({"contentEncoding": 1}) == "valid"
    assert judge.verdict({"data": encoded}) == "valid"
    assert judge.verdict({"data": {}}) == "invalid"
    assert schema["default"] == {"contentEncoding": "base64"}, "the caller's document is left alone"


@every_dialect
def test_content_keywords_are_stripped_behind_references_into_unusual_places(dialect: str) -> None:
    document = {
        "$schema": DIALECTS[dialect],
        "components": {"text": {"contentEncoding": "base64", "maxLength": 3}},
        "properties": {"a": {"$ref": "#/components/text"}},
    }
    assert pair(document).verdict({"a": "((("}) == "valid"
    assert pair(document).verdict({"a": "(((("}) == "invalid"
    assert pair(document, "/components/text").verdict("(((") == "valid"


# -- references --------------------------------------------------------------------------------------


class _Listener(http.server.BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        type(self).asked.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"type": "string"}')

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    handler = type("Handler", (_Listener,), {"asked": asked})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()


@every_dialect
@pytest.mark.parametrize("tail", ["/schema.json", "/schema.json#/definitions/x"])
def test_nothing_is_fetched_over_http(dialect: str, tail: str, listener: tuple[str, list[str]]) -> None:
    url, asked = listener
    schema = {
        "$schema": DIALECTS[dialect],
        "definitions": {"unused": {"$ref": url + "/unused.json"}},
        "properties": {"a": {"$ref": url + tail}, "b": {"type": "string"}},
    }
    judge = pair(schema)
    verdict = judge.examine({"a": 1})
    assert verdict.outcome == "disputed"
    assert "unsupported" in verdict.reason
    assert judge.verdict({"b": "x"}) == "valid", "what does not meet the reference can be judged"
    assert judge.verdict({"b": 1}) == "invalid"
    assert [error.keyword for error in judge.errors({"b": 1})] == ["type"]
    assert asked == []


@every_dialect
def test_nothing_is_read_from_files(dialect: str, tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text('{"type": "string"}', encoding="utf-8")
    uri = (tmp_path / "schema.json").as_uri()
    verdict = pair({"$schema": DIALECTS[dialect], "$ref": uri}).examine("x")
    assert (verdict.outcome, verdict.jsonschema_rs, verdict.corvus) == ("disputed", "undecided", "undecided")
    unused = {"$schema": DIALECTS[dialect], "definitions": {"unused": {"$ref": uri}}, "type": "string"}
    assert pair(unused).verdict("x") == "valid"
    assert pair(unused).verdict(1) == "invalid"


@every_dialect
def test_a_reference_that_leads_nowhere_is_disputed_there_and_only_there(dialect: str) -> None:
    schema = {
        "$schema": DIALECTS[dialect],
        "properties": {"a": {"$ref": "#/definitions/gone"}, "b": {"not": {"$ref": "#/definitions/gone"}}},
        "additionalProperties": {"type": "integer"},
    }
    judge = pair(schema)
    assert judge.verdict({"c": 1}) == "valid"
    assert judge.verdict({"c": "x"}) == "invalid"
    for name in ("a", "b"):
        assert "/definitions/gone" in judge.examine({name: 1}).reason


@every_dialect
def test_a_pointer_into_a_document_keeps_the_document_for_its_references(dialect: str) -> None:
    document = {
        "$schema": DIALECTS[dialect],
        "tools": [{"inputSchema": {"properties": {"a": {"$ref": "#/shared/a~1b%25c"}}}}],
        "shared": {"a/b%c": {"type": "integer"}},
    }
    judge = pair(document, "/tools/0/inputSchema")
    assert judge.verdict({"a": 1}) == "valid"
    assert judge.verdict({"a": "x"}) == "invalid"
    assert judge.errors({"a": "x"})[0].schema_path == "/shared/a~1b%c/type"
    assert pair(document, "/shared/a~1b%c").verdict("x") == "invalid"
    assert "/shared/none" in pair(document, "/shared/none").examine(1).reason


def test_identifiers_and_anchors_resolve_inside_the_document() -> None:
    document = {
        "$id": "https://schemas.example/root.json",
        "$ref": "other.json#number",
        "$defs": {"other": {"$id": "other.json", "$defs": {"n": {"$anchor": "number", "type": "number"}}}},
    }
    assert pair(document).verdict(1) == "valid"
    assert pair(document).verdict("x") == "invalid"


@pytest.mark.parametrize("dialect", ["draft-07", "2020-12"])
@pytest.mark.parametrize("published", ["draft-07", "2020-12"])
def test_published_meta_schemas_are_known_without_fetching(dialect: str, published: str) -> None:
    judge = pair({"$schema": DIALECTS[dialect], "$ref": DIALECTS[published]})
    assert judge.verdict({"type": "string"}) == "valid"
    assert judge.verdict({"type": "text"}) == "invalid"


@pytest.mark.parametrize(
    "spelling", ["https://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-07/schema"]
)
def test_slips_in_the_spelling_of_a_dialect_are_read_alike_by_both(spelling: str) -> None:
    schema = {"$schema": spelling, "definitions": {"a": {"type": "string"}}, "$ref": "#/definitions/a", "type": "null"}
    assert pair(schema).verdict("siblings of $ref are ignored in draft-07") == "valid"


IN_PLACE_CYCLES: dict[str, Json] = {
    "itself": {"$ref": "#"},
    "allOf": {"allOf": [{"$ref": "#"}]},
    "not": {"not": {"$ref": "#"}},
    "three times in a conditional": {"if": {"$ref": "#"}, "then": {"$ref": "#"}, "else": {"$ref": "#"}},
    "over two": {"$ref": "#/$defs/a", "$defs": {"a": {"oneOf": [True, {"$ref": "#/$defs/b"}]}, "b": {"$ref": "#"}}},
    "dynamic": {"$dynamicAnchor": "x", "anyOf": [{"$dynamicRef": "#x"}]},
    "dependent": {"dependentSchemas": {"a": {"$ref": "#"}}},
}


@pytest.mark.parametrize("name", IN_PLACE_CYCLES)
def test_a_reference_that_comes_back_on_the_same_value_is_never_followed(name: str) -> None:
    judge = pair({"properties": {"cyclic": {"$id": "https://cyclic.example/", **_dict(IN_PLACE_CYCLES[name])}}})
    verdict = judge.examine({"cyclic": {"a": 1}})
    assert verdict.outcome == "disputed"
    assert "comes back to itself" in verdict.reason
    assert judge.verdict({"other": 1}) == "valid"


def test_a_recursive_anchor_that_comes_back_on_the_same_value_is_never_followed() -> None:
    verdict = pair(
        {"$schema": DIALECTS["2019-09"], "$recursiveAnchor": True, "anyOf": [{"$recursiveRef": "#"}]}
    ).examine(1)
    assert "comes back to itself" in verdict.reason


def test_recursion_through_structure_is_followed() -> None:
    tree = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#"}}}}
    assert pair(tree).verdict({"children": [{"children": []}]}) == "valid"
    assert pair(tree).verdict({"children": [{"children": [1]}]}) == "invalid"


# -- equality and numbers ----------------------------------------------------------------------------


@every_dialect
@pytest.mark.parametrize(
    ("listed", "value", "expected"),
    [
        (1, 1, "valid"),
        (1, Decimal("1.0"), "valid"),
        (1, 1.0, "valid"),
        (1, True, "invalid"),
        (True, 1, "invalid"),
        (True, True, "valid"),
        (0, False, "invalid"),
        (False, 0, "invalid"),
        ("1", 1, "invalid"),
        ([1], [True], "invalid"),
        ({"a": 1, "b": 0}, {"b": Decimal("0E+2"), "a": 1}, "valid"),
        (None, False, "invalid"),
    ],
)
def test_equality_is_typed(dialect: str, listed: Json, value: Json, expected: str) -> None:
    judge = pair({"$schema": DIALECTS[dialect], "enum": [listed]})
    assert judge.verdict(value) == expected
    assert pair({"$schema": DIALECTS[dialect], "uniqueItems": True}).verdict([listed, value]) == (
        "invalid" if expected == "valid" else "valid"
    )


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"const": Decimal("0.3")}, Decimal("0.3"), "valid"),
        ({"const": Decimal("0.3")}, Decimal("0.300"), "valid"),
        ({"const": Decimal("0.3")}, 0.1 + 0.2, "invalid"),
        ({"multipleOf": Decimal("0.1")}, Decimal("0.3"), "valid"),
        ({"multipleOf": Decimal("0.01")}, Decimal("0.075"), "invalid"),
        ({"multipleOf": Decimal("0.01")}, Decimal("19.99"), "valid"),
        ({"maximum": Decimal("0.1")}, Decimal("0.1"), "valid"),
        ({"exclusiveMaximum": Decimal("0.1")}, Decimal("0.1"), "invalid"),
        ({"const": 2**53 + 1}, 2**53, "invalid"),
        ({"const": 2**53 + 1}, 2**53 + 1, "valid"),
        ({"maximum": 2**64}, 2**65, "invalid"),
        ({"type": "integer"}, 10**300, "valid"),
        ({"type": "integer"}, Decimal("1e300"), "valid"),
        ({"type": "integer"}, Decimal("1.5"), "invalid"),
    ],
)
def test_numbers_are_exact(schema: Json, value: Json, expected: str) -> None:
    assert pair(schema).verdict(value) == expected


@pytest.mark.parametrize(
    ("schema", "value", "exact"),
    [
        ({"const": Decimal("0.3")}, Decimal("0.30000000000000000001"), "invalid"),
        ({"const": 2**64 + 1}, 2**64, "invalid"),
        ({"maximum": 10**400}, 10**400 + 1, "invalid"),
        ({"maximum": 10**400}, 10**400, "valid"),
    ],
)
def test_where_doubles_end_only_one_of_the_two_is_exact(schema: Json, value: Json, exact: str) -> None:
    verdict = pair(schema).examine(value)
    assert (verdict.outcome, verdict.jsonschema_rs) == ("disputed", exact)
    assert verdict.reason


@pytest.mark.parametrize("schema", [{"multipleOf": 1}, {"maximum": 2**50}, {"minimum": 2**50 + 1}])
def test_where_both_would_be_wrong_neither_is_asked(schema: Json) -> None:
    verdict = pair(schema).examine(Decimal(2**50) + Decimal("0.0001"))
    assert (verdict.outcome, verdict.jsonschema_rs, verdict.corvus) == ("disputed", "undecided", "undecided")


def test_a_whole_number_written_as_a_fraction_is_not_rounded_in_silence() -> None:
    assert pair({"exclusiveMaximum": 2**53 + 1}).verdict(Decimal("9007199254740993.0")) == "disputed"
    assert pair({"exclusiveMaximum": 2**53 + 1}).verdict(Decimal("9007199254740992.0")) == "valid"


# -- where the two differ ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "value", "answers"),
    [
        ({"pattern": "(?i)a"}, "A", ("valid", "undecided")),
        ({"pattern": "(?P<n>a)"}, "a", ("valid", "undecided")),
        ({"pattern": r"\A"}, "x", ("valid", "invalid")),
        ({"pattern": r"a\Z"}, "a", ("undecided", "invalid")),
        ({"pattern": r"[\d-x]"}, "5", ("undecided", "valid")),
        ({"type": "text"}, "x", ("undecided", "invalid")),
        ({"minLength": -1}, "x", ("undecided", "valid")),
        ({"required": ["a", "a"]}, {"a": 1}, ("undecided", "valid")),
        ({"items": [{}]}, [1], ("undecided", "valid")),
        ({"$schema": DIALECTS["draft-04"], "type": "integer"}, Decimal("1.0"), ("invalid", "valid")),
    ],
    ids=str,
)
def test_known_disagreements_are_disputed(schema: Json, value: Json, answers: tuple[str, str]) -> None:
    verdict = pair(schema).examine(value)
    assert (verdict.jsonschema_rs, verdict.corvus) == answers
    assert verdict.outcome == "disputed"
    assert verdict.reason


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"^\d$", "٣", "invalid"),  # ECMA-262: ASCII digits only
        (r"^\w$", "é", "invalid"),
        (r"^\s$", "\ufeff", "valid"),
        (r"^a$", "a\n", "invalid"),
        (r"^.$", "\u2028", "invalid"),
        (r"^.$", "😀", "valid"),  # code points, not UTF-16 units
        (r"^\p{Lu}$", "É", "valid"),
        (r"^(?!admin)", "administrator", "invalid"),
        (r"(?<=\$)\d+", "$5", "valid"),
        (r"^(a|b)\1$", "ab", "invalid"),
    ],
)
def test_patterns_are_ecma_262_with_code_points(pattern: str, text: str, expected: str) -> None:
    assert pair({"pattern": pattern}).verdict(text) == expected


# -- hostile input -----------------------------------------------------------------------------------

_LOOP: dict[str, Json] = {}
_LOOP["properties"] = {"again": _LOOP}


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(nested(10_000, "not", {}), id="10,000 times not"),
        pytest.param(nested(10_000, "items", {}), id="10,000 times items"),
        pytest.param({"const": nested(10_000, None, 1)}, id="a constant 10,000 deep"),
        pytest.param(_LOOP, id="Python objects that hold themselves"),
        pytest.param({"const": float("nan")}, id="not a number"),
        pytest.param({"const": "\ud800"}, id="a lone surrogate"),
        pytest.param({"const": (1, 2)}, id="a tuple"),
        pytest.param([], id="an array"),
        pytest.param(None, id="null"),
    ],
)
def test_documents_that_no_validator_may_have_are_refused_with_a_reason(schema: Any) -> None:
    verdict = pair(schema).examine(1)
    assert (verdict.outcome, verdict.jsonschema_rs, verdict.corvus) == ("disputed", "undecided", "undecided")
    assert verdict.reason
    assert pair(schema).errors(1) == [Violation("", "", "", verdict.reason)]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(nested(10_000, None, 1), id="10,000 deep"),
        pytest.param(_LOOP, id="holds itself"),
        pytest.param(float("inf"), id="infinite"),
        pytest.param(Decimal("NaN"), id="not a number"),
        pytest.param(10**5000, id="more digits than Python prints"),
        pytest.param(Decimal("1e999999"), id="a huge exponent"),
        pytest.param(Decimal("1125899906842624.1"), id="a fraction that no double has"),
        pytest.param("\udfff", id="a lone surrogate"),
        pytest.param({"\ud800": 1}, id="a lone surrogate in a name"),
        pytest.param({1: 2}, id="a name that is no string"),
        pytest.param(b"bytes", id="bytes"),
        pytest.param({"a": {1, 2}}, id="a set"),
    ],
)
def test_values_that_are_no_json_are_disputed(value: Any) -> None:
    assert pair(True).verdict(value) == "disputed"
    assert pair({"items": {"$ref": "#"}}).verdict(value) == "disputed"


def test_branches_that_multiply_below_an_unevaluated_keyword_are_not_compiled() -> None:
    branches: dict[str, Json] = {f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 3} for i in range(12)}
    bomb: Json = {"$defs": {**branches, "d12": {}}, "$ref": "#/$defs/d0", "unevaluatedProperties": False}
    start = perf_counter()
    assert "multiply" in pair(bomb).examine({}).reason
    assert perf_counter() - start < 1


def test_references_that_multiply_are_not_evaluated() -> None:
    chain: dict[str, Json] = {str(i): {"allOf": [{"$ref": f"#/$defs/{i + 1}"}] * 2} for i in range(60)}
    bomb: Json = {"$ref": "#/$defs/0", "$defs": chain | {"60": {"type": "integer"}}}
    assert "multiply" in pair(bomb).examine(1).reason
    doubling = {"items": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}, "type": ["array", "integer"]}
    assert pair(doubling).verdict(nested(5, None, 1)) == "valid"
    assert pair(doubling).verdict(nested(5, None, "x")) == "invalid"
    assert "multiply" in pair(doubling).examine(nested(60, None, 1)).reason


def test_a_pattern_that_backtracks_for_ever_ends() -> None:
    schema = {"pattern": "^(?=a)(a+)+$"}
    assert pair(schema).verdict("a" * 40 + "b") in ("invalid", "disputed")


# -- errors ------------------------------------------------------------------------------------------


def test_errors_name_places_and_keywords_and_hide_control_characters() -> None:
    schema = {"properties": {"a/b": {"type": "string"}}, "required": ["c"], "additionalProperties": False}
    errors = pair(schema).errors({"a/b": 1, "\x1b[31m": 0})
    assert {(error.instance_path, error.schema_path, error.keyword) for error in errors} == {
        ("/a~1b", "/properties/a~1b/type", "type"),
        ("", "/required", "required"),
        ("", "/additionalProperties", "additionalProperties"),
    }
    assert all("\x1b" not in error.message for error in errors)


def test_errors_are_bounded() -> None:
    assert len(pair({"items": False}).errors(list(range(1000)))) == MAX_ERRORS


@pytest.mark.parametrize("schema", [True, {}, {"type": "integer"}])
def test_a_valid_value_has_no_errors(schema: Json) -> None:
    assert pair(schema).errors(1) == []


def test_a_pair_is_shared_between_threads() -> None:
    judge = pair({"properties": {"a": {"$ref": "https://remote.example/"}, "b": {"type": "integer"}}})
    values: list[tuple[Json, str]] = [({"a": 1}, "disputed"), ({"b": 1}, "valid"), ({"b": "x"}, "invalid")] * 200
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(judge.verdict, [value for value, _ in values])) == [outcome for _, outcome in values]


def _dict(value: Json) -> dict[str, Json]:
    assert isinstance(value, dict)
    return value
