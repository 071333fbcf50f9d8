"""Drive one validator each: hand it a document it can take, and turn whatever it raises into a plain refusal."""

from __future__ import annotations

import itertools
import math
import threading
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, TypeVar

import corvus_json_schema_rs
import jsonschema_rs

from compatgate.errors import neutralise
from compatgate.jsonio import Json
from compatgate.jsonio.pointer import escape
from compatgate.prover.places import CONTENT, REFERENCES, Place, Refused, shape, survey
from compatgate.schema.dialects import Dialect, by_uri
from compatgate.schema.references import Document

T = TypeVar("T")

#: Evaluations of one value that a document may ask for before it is called a bomb (about a second of work):
#: `allOf` of twice the same reference, forty times nested, asks for 2**40.
MAX_EVALUATIONS: Final = 20_000_000
#: Paths through references on the same value, in a document with `unevaluated*`: jsonschema-rs compiles each of them
#: (20,000 take it four seconds), and native code cannot be stopped.
MAX_BRANCHES: Final = 3_000
#: More errors of one value than this help nobody.
MAX_ERRORS: Final = 100
#: Of values with more parts than this only the first error is told.
LARGE: Final = 20_000
#: Beyond these jsonschema-rs itself is wrong: CPython refuses to print longer integers, and it then answers
#: `maximum` at random; exponents past a million are clamped.
_MAX_BITS: Final = 14_000
_MAX_EXPONENT: Final = 100_000
_ORDINARY: Final = 1 << 53

_DOCUMENT_URI: Final = "urn:compatgate:document"
_MARK: Final = "x-compatgate-unresolved"
#: Members that stay when a reference up to draft-07, which hides its siblings, is replaced by the mark.
_HOLDERS: Final = frozenset({"$schema", "definitions", "$defs"})

_DRAFTS: Final[dict[str, tuple[type[jsonschema_rs.Validator], int, int]]] = {
    "draft-04": (jsonschema_rs.Draft4Validator, jsonschema_rs.Draft4, 0),
    "draft-06": (jsonschema_rs.Draft6Validator, jsonschema_rs.Draft6, 1),
    "draft-07": (jsonschema_rs.Draft7Validator, jsonschema_rs.Draft7, 2),
    "2019-09": (jsonschema_rs.Draft201909Validator, jsonschema_rs.Draft201909, 3),
    "2020-12": (jsonschema_rs.Draft202012Validator, jsonschema_rs.Draft202012, 4),
}


@dataclass(frozen=True, slots=True)
class Violation:
    """Hold one error of a value: JSON Pointers into value and document, the keyword, a message safe to print."""

    instance_path: str
    schema_path: str
    keyword: str
    message: str


def guarded(call: Callable[[], T]) -> T:
    """Return what the call returns; raise `Refused` for everything native code may raise, panics included."""
    try:
        return call()
    except (KeyboardInterrupt, SystemExit, GeneratorExit, Refused):
        raise
    except BaseException as error:  # a Rust panic arrives as a BaseException
        text = str(error).strip().partition("\n")[0]
        raise Refused(neutralise(f"{type(error).__name__}: {text}" if text else type(error).__name__)) from None


def check_value(value: Json) -> tuple[int, int]:
    """Return depth and number of parts of a value; raise `Refused` where it is no JSON that can be judged."""
    depth, parts, names = shape(value, lambda leaf: _check_leaf(leaf, judged=True))
    _check_names(names)
    return depth, parts


def _check_names(names: frozenset[str]) -> None:
    for name in names:
        if type(name) is not str:
            raise Refused("a member name is not a string")
        _check_leaf(name, judged=True)


def _check_leaf(item: Any, judged: bool) -> None:
    if type(item) is int and -_ORDINARY < item < _ORDINARY:
        return  # most leaves of a large value
    if isinstance(item, str):
        if not item.isascii() and any("\ud800" <= character <= "\udfff" for character in item):
            raise Refused("a lone surrogate is not a character")
    elif isinstance(item, float):
        if not math.isfinite(item):
            raise Refused("JSON numbers are finite")
    elif isinstance(item, Decimal):
        exponent = item.as_tuple().exponent
        if not isinstance(exponent, int):
            raise Refused("JSON numbers are finite")
        if abs(exponent) > _MAX_EXPONENT:
            raise Refused("the exponent is too large for the validators")
        if judged and exponent < 0 and float(item).is_integer() and item != int(float(item)):
            # Both read such a literal as the double beside it: 2**53 + 0.5, and 9007199254740993.0 too, is 2**53.
            raise Refused("the number has more digits than the validators tell apart")
    elif isinstance(item, int):
        if item.bit_length() > _MAX_BITS:
            raise Refused("the number is too large for the validators")
    elif item is not None:
        raise Refused(f"a Python {type(item).__name__} is not a JSON value")


class Prepared:
    """Hold a document in the form in which validators may have it.

    Raises `Refused` where no validator may have it: too deep, not JSON, no schema at the pointer.
    """

    def __init__(self, document: Document) -> None:
        _, _, names = shape(document.root, lambda leaf: _check_leaf(leaf, judged=False))
        _check_names(names)
        self._survey = survey(document, names)
        self._document = document
        start = self._survey.start
        if not isinstance(start.schema, (dict, bool)):
            raise Refused("not a schema: neither an object nor a boolean")
        self._respell = any(
            isinstance(node, dict) and "$schema" in node and node["$schema"] != _spelling(node["$schema"])
            for node in (document.root, start.schema)
        )
        self.dialect: Dialect = start.dialect
        self.pointer = document.pointer
        self.reasons = list(dict.fromkeys(self._survey.broken.values()))
        self._check_branches(names)
        self._work: list[dict[int, int]] = []  # by depth of the value: evaluations that each place asks for

    @property
    def fragment(self) -> str:
        """Return the pointer as the fragment of a URI."""
        return urllib.parse.quote(self.pointer, safe="/~!$&'()*+,;=:@")

    def for_exact(self) -> Json:
        """Return the document without content keywords, broken references replaced by the mark."""
        return self._rewritten(lambda node: {_MARK: self.reasons.index(self._survey.broken[id(node)])})

    def for_rounding(self, otherwise: bool) -> Json:
        """Return the document with numbers as doubles and every broken reference read as `otherwise`."""

        def replacement(node: dict[str, Json]) -> dict[str, Json]:
            return {} if otherwise else {"allOf": [*_list(node.get("allOf")), {"not": {}}]}

        return rounded(self._rewritten(replacement))

    def published(self) -> list[tuple[str, Any]]:
        """Return the published meta-schemas where a reference leads to one: jsonschema-rs has its draft's own only."""
        if not self._survey.published:
            return []
        from jsonschema_specifications import REGISTRY

        return [(uri, REGISTRY.contents(uri)) for uri in REGISTRY]

    def _rewritten(self, replacement: Callable[[dict[str, Json]], dict[str, Json]]) -> Json:
        survey = self._survey
        if not (survey.content or survey.idle or survey.broken or self._respell):
            return self._document.root

        def edit(node: dict[str, Json]) -> dict[str, Json]:
            fresh = dict(node)
            if id(node) in survey.content:
                for name in CONTENT:
                    fresh.pop(name, None)
            if "$schema" in node:
                fresh["$schema"] = _spelling(node["$schema"])
            if id(node) in survey.idle or id(node) in survey.broken:
                for name in REFERENCES:
                    fresh.pop(name, None)
            if id(node) in survey.broken:
                if self.dialect.ref_hides_siblings:
                    fresh = {name: child for name, child in fresh.items() if name in _HOLDERS}
                fresh |= replacement(node)
            return fresh

        return _copied(self._document.root, edit)

    def _check_branches(self, names: frozenset[str]) -> None:
        """Raise `Refused` where jsonschema-rs would compile every path to a branch that `unevaluated*` asks about."""
        if names.isdisjoint({"unevaluatedItems", "unevaluatedProperties"}):
            return
        paths = _evaluations(self._survey.places, self._survey.broken, {})
        if max(paths.values(), default=0) > MAX_BRANCHES:
            raise Refused("too many branches below an unevaluated keyword: the references of the schema multiply")

    def check_cost(self, depth: int, parts: int) -> None:
        """Raise `Refused` where judging a value of this depth and size may take more than `MAX_EVALUATIONS`."""
        start = self._survey.start.schema
        if not self._survey.places or not isinstance(start, dict):
            return
        work = self._work
        if len(work) < depth:
            work = list(work)
            while len(work) < depth and (not work or work[-1][id(start)] <= MAX_EVALUATIONS):
                below = work[-1] if work else {}
                work.append(_evaluations(self._survey.places, self._survey.broken, below))
            self._work = work
        if work[min(depth, len(work)) - 1][id(start)] * parts > MAX_EVALUATIONS:
            raise Refused("too many evaluations: the references of the schema multiply")


def _evaluations(places: dict[int, Place], broken: dict[int, str], below: dict[int, int]) -> dict[int, int]:
    """Count, for every place, the evaluations along one path of a value one level deeper than `below`.

    Only finite where no in-place cycle is left: those are broken.
    """
    counts: dict[int, int] = {}
    for first in places:
        todo = [first]
        while todo:
            key = todo[-1]
            if key in counts:
                todo.pop()
                continue
            place = places[key]
            steps = [] if key in broken else place.in_place
            waiting = [step for step in steps if step in places and step not in counts]
            if waiting:
                todo.extend(waiting)
                continue
            todo.pop()
            total = 1 + sum(counts.get(step, 1) for step in steps)
            total += max((below.get(part, 1) for part in place.named), default=0) if below else 0
            total += sum(below.get(part, 1) for part in place.parts) if below else 0
            counts[key] = min(total, MAX_EVALUATIONS + 1)
    return counts


class Exact:
    """Drive jsonschema-rs: exact numbers; it tells when a broken reference was met on the way."""

    def __init__(self, prepared: Prepared) -> None:
        self._met = threading.local()
        self._reasons = prepared.reasons
        self._inner = guarded(lambda: self._compiled(prepared))

    def _compiled(self, prepared: Prepared) -> jsonschema_rs.Validator:
        met = self._met

        class Unresolved:
            def __init__(self, parent: object, value: int, path: object) -> None:
                self._value = value

            def validate(self, instance: object) -> None:
                met.reason = self._value
                raise ValueError("unresolved")

        validator, draft, _ = _DRAFTS[prepared.dialect.name]
        schema: Any = prepared.for_exact()
        options: dict[str, Any] = {"keywords": {_MARK: Unresolved}} if self._reasons else {}
        resources = prepared.published()
        if prepared.pointer:
            resources.append((_DOCUMENT_URI, schema))
        if resources:
            options["registry"] = jsonschema_rs.Registry(resources, draft=draft)
        if prepared.pointer:
            schema = {"$ref": f"{_DOCUMENT_URI}#{prepared.fragment}"}
        return validator(schema, validate_formats=False, offline=True, **options)

    def is_valid(self, value: Json) -> bool:
        """Return the validator's answer; raise `Refused` where it has none."""
        return self._unless_met(lambda: self._inner.is_valid(value))

    def errors(self, value: Json) -> list[Violation]:
        """Return the errors of a value, `MAX_ERRORS` at most, of a large one the first.

        Raises `Refused` where the validator has no answer.
        """
        found = self._unless_met(lambda: self._errors(value))
        return [
            Violation(
                _pointer(error.instance_path),
                _pointer(error.schema_path),
                error.kind.name,
                neutralise(error.message),
            )
            for error in found
        ]

    def _errors(self, value: Json) -> list[jsonschema_rs.ValidationError]:
        if not _is_large(value):  # `iter_errors` makes them all before it gives the first
            return list(itertools.islice(self._inner.iter_errors(value), MAX_ERRORS))
        try:
            self._inner.validate(value)
        except jsonschema_rs.ValidationError as error:
            return [error]
        return []

    def _unless_met(self, call: Callable[[], T]) -> T:
        self._met.reason = None
        result = guarded(call)
        if self._met.reason is not None:
            raise Refused(self._reasons[self._met.reason])
        return result


class Rounding:
    """Drive corvus: numbers are doubles; with broken references it is asked for both ways to read them."""

    def __init__(self, prepared: Prepared) -> None:
        ways = (True, False) if prepared.reasons else (True,)
        self._reasons = prepared.reasons
        self._inner = [guarded(lambda way=way: self._compiled(prepared, way)) for way in ways]  # type: ignore[misc]

    @staticmethod
    def _compiled(prepared: Prepared, way: bool) -> Any:
        schema = prepared.for_rounding(way)
        entry: dict[str, Any] = {"entry_point": f"#{prepared.fragment}"} if prepared.pointer else {}
        return corvus_json_schema_rs.compile(
            schema,
            default_dialect=_DRAFTS[prepared.dialect.name][2],
            assert_format=False,
            assert_content=False,
            **entry,
        )

    def is_valid(self, value: Json) -> bool:
        """Return the validator's answer; raise `Refused` where it has none."""
        answers = {guarded(lambda inner=inner: self._ask(inner, value)) for inner in self._inner}  # type: ignore[misc]
        if len(answers) > 1:
            raise Refused(self._reasons[0])
        return answers.pop()

    @staticmethod
    def _ask(inner: Any, value: Json) -> bool:
        try:
            return bool(inner(value))
        except TypeError:  # it does not know Decimals
            return bool(inner(rounded(value)))


def rounded(value: Json) -> Json:
    """Return a value with every Decimal as the nearest double; raise `Refused` where there is none."""
    if isinstance(value, Decimal):
        double = float(value)
        if not math.isfinite(double) or (double == 0 and value != 0):
            raise Refused("a number has no double near it")
        return double
    if not isinstance(value, (list, dict)):
        return value
    return _copied(value, None)


def _copied(root: Json, edit: Callable[[dict[str, Json]], dict[str, Json]] | None) -> Json:
    """Copy containers without recursion; `edit` is given every object of the original, else Decimals are rounded."""
    holder: list[Json] = [root]
    todo: list[tuple[Any, Any]] = [(holder, 0)]
    while todo:
        container, key = todo.pop()
        item = container[key]
        if isinstance(item, dict):
            fresh: Any = dict(edit(item)) if edit else dict(item)
            container[key] = fresh
            todo.extend((fresh, name) for name in fresh)
        elif isinstance(item, list):
            fresh = list(item)
            container[key] = fresh
            todo.extend((fresh, index) for index in range(len(fresh)))
        elif edit is None and isinstance(item, Decimal):
            container[key] = rounded(item)
    return holder[0]


def _spelling(uri: Json) -> Json:
    """Return the spelling of a known dialect's URI that both validators take, other texts as they are."""
    dialect = by_uri(uri)
    if dialect is None:
        return uri
    return dialect.uri + "#" if "/draft-0" in dialect.uri else dialect.uri


def _is_large(value: Json) -> bool:
    try:
        shape(value, lambda leaf: None, LARGE)
    except Refused:
        return True
    return False


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _pointer(path: list[str | int]) -> str:
    return "".join(f"/{escape(str(token))}" for token in path)
