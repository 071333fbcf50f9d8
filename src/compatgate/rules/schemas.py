"""Rules about schemas in either direction that no relation shows: what is open, elsewhere or unreadable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urljoin, urlsplit

from compatgate.jsonio import Json
from compatgate.jsonio.pointer import escape
from compatgate.model import ABSENT, Absent, Relation
from compatgate.prover.regex import NotEcma, Opaque, parse
from compatgate.rules.context import MEMBER, ToolPair
from compatgate.rules.rule import (
    COSAI,
    JSON_SCHEMA,
    OWASP_POISONING,
    SAFE_RUG_PULL,
    SPEC_TOOLS,
    Finding,
    Rule,
)
from compatgate.rules.schema_places import schema_places

_PUBLISHED: Final = "://json-schema.org/"  # meta-schemas, which everybody has and nobody fetches
_FETCHED: Final = frozenset("http https ftp ftps ws wss file sftp smb git ssh".split())


def _opened(pair: ToolPair) -> Iterator[Finding]:
    for side, member in MEMBER.items():
        for edit in pair.edits(side):
            if edit.rule == "object-opened":
                text = "The object was closed and is open now: undeclared names pass unchecked."
                yield Finding(pair.name, pair.path(member, inside=edit.spot), text)


def _default(pair: ToolPair) -> Iterator[Finding]:
    for side, member in MEMBER.items():
        for edit in pair.edits(side):
            if edit.rule == "default-changed":
                verb = "is new" if edit.before is ABSENT else "is gone" if edit.after is ABSENT else "changed"
                text = f"The default {verb}: where it is left out, something else is meant than before."
                hashed = (edit.before, edit.after)
                yield Finding(pair.name, pair.path(member, inside=edit.spot), text, hashed=hashed)


def _network(pair: ToolPair) -> Iterator[Finding]:
    for side_member in MEMBER.values():
        if side_member in pair.same or pair.new is None:
            continue
        before, after = _sides(pair, side_member)
        known = {target for _, target in _network_references(before)}
        for path, target in _network_references(after):
            if target not in known:
                text = (
                    "A reference leads to the network: what the schema says is decided there and can change unseen. "
                    "Nothing was fetched."
                )
                yield Finding(pair.name, pair.path(side_member, inside=path), text, hashed=(ABSENT, target))


def _sides(pair: ToolPair, member: str) -> tuple[Json | Absent, Json | Absent]:
    before, after = pair.member(member)
    if pair.old is None and pair.twin is not None:
        before = pair.twin[0].raw.get(member)
    return before, after


def _network_references(schema: Json | Absent) -> Iterator[tuple[str, str]]:
    if not isinstance(schema, dict):
        return
    places = list(schema_places(schema))
    found = [(path, word, here) for path, here in places for word in ("$ref", "$dynamicRef") if word in here]
    if not found:
        return
    root = schema.get("$id", schema.get("id"))
    base = root if isinstance(root, str) else ""
    own = {base.partition("#")[0]}
    for _, here in places:
        identifier = here.get("$id", here.get("id"))
        if isinstance(identifier, str):
            own |= {_joined(base, identifier).partition("#")[0], identifier.partition("#")[0]}
    for path, word, here in found:
        reference = here[word]
        if not isinstance(reference, str) or reference.startswith("#"):
            continue
        target = _joined(base, reference)
        if target.partition("#")[0] in own or _PUBLISHED in target:
            continue
        if _scheme(target) in _FETCHED or target.startswith(("//", "\\\\")):
            yield f"{path}/{escape(word)}", target


def _joined(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def _scheme(target: str) -> str:
    try:
        return urlsplit(target.strip()).scheme.lower()
    except ValueError:
        return target.partition(":")[0].strip().lower()


def _pattern(pair: ToolPair) -> Iterator[Finding]:
    for member in MEMBER.values():
        if member in pair.same or pair.new is None:
            continue
        before, after = _sides(pair, member)
        known = {text for _, text in _patterns(before)}
        for path, text in _patterns(after):
            if text not in known and (reason := _unreadable(text)):
                said = f"The pattern is no ECMA-262 regular expression ({reason}): validators read it differently."
                yield Finding(pair.name, pair.path(member, inside=path), said, hashed=(ABSENT, text))


def _patterns(schema: Json | Absent) -> Iterator[tuple[str, str]]:
    for path, here in schema_places(schema) if isinstance(schema, dict) else ():
        pattern = here.get("pattern")
        if isinstance(pattern, str):
            yield f"{path}/pattern", pattern
        named = here.get("patternProperties")
        if isinstance(named, dict):
            yield from ((f"{path}/patternProperties/{escape(text)}", text) for text in named)


def _unreadable(pattern: str) -> str:
    try:
        parse(pattern)
    except NotEcma as error:
        return error.reason
    except Opaque:
        return ""
    return ""


RULES: Final = (
    Rule(
        "object-opened", "inputs", "both", "contract", "review", Relation.NOT_APPLICABLE,
        "A closed object was opened: additionalProperties false is gone.",
        "Names that nobody declared pass unchecked, to the server or back to the model.",
        (SPEC_TOOLS, COSAI), None, "closing one is input-contract-narrowed: calls with further names are rejected",
        tool=_opened,
    ),
    Rule(
        "default-changed", "inputs", "both", "contract", "review", Relation.NOT_APPLICABLE,
        "A default came, went or changed.", "Calls that leave the argument out mean something else now.",
        (JSON_SCHEMA, SAFE_RUG_PULL), "default-changed", tool=_default,
    ),
    Rule(
        "network-reference-added", "inputs", "both", "security", "security", Relation.NOT_APPLICABLE,
        "A `$ref` to the network is new.",
        "A validator that follows it fetches from an address that the server chose, and the schema can change without "
        "any update.",
        (SPEC_TOOLS, OWASP_POISONING, SAFE_RUG_PULL), None, "a reference that goes away reaches nobody", tool=_network,
    ),
    Rule(
        "pattern-not-ecma-262", "inputs", "both", "contract", "review", Relation.NOT_APPLICABLE,
        "A pattern is new that is no ECMA-262 regular expression.",
        "JSON Schema asks for ECMA-262; what another syntax means differs from validator to validator, and some refuse "
        "the whole schema.",
        (JSON_SCHEMA,), None, "a pattern that goes away confuses nobody", tool=_pattern,
    ),
)  # fmt: skip
