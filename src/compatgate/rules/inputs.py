"""Rules about arguments: what callers may send, and what the server does with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from compatgate.diff.bundle import at, tokens_of
from compatgate.diff.edits import Edit
from compatgate.diff.names import declared
from compatgate.diff.values import is_closed
from compatgate.diff.wording import quote
from compatgate.jsonio import Json
from compatgate.model import ABSENT, Relation
from compatgate.rules.context import ToolPair
from compatgate.rules.rule import (
    CONTRACT,
    COSAI,
    JSON_SCHEMA,
    OWASP_COMMANDS,
    OWASP_SCOPE,
    OWASP_SHARING,
    SAFE_POISONING,
    SPEC_HEADERS,
    SPEC_TOOLS,
    Finding,
    Rule,
)
from compatgate.rules.wording import narrowed, relaxed, undecided

_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SENSITIVE: Final = frozenset(
    "path file filename filepath dir directory folder url uri href link endpoint host hostname domain address ip "
    "command cmd shell exec executable script query sql cypher code expression eval".split()
)
#: Names, in words, under which poisoned tools have asked for what the model knows; as the whole name.
_SIDE_CHANNELS: Final = frozenset(
    "sidenote note notes remark remarks context history conversation transcript messages memory reasoning rationale "
    "thought thoughts thinking explanation justification feedback metadata extra debug trace telemetry analytics "
    "prompt intent".split()
)
#: The same as the last word of a longer name, and what makes a name of two words one of them.
_ENDINGS: Final = frozenset(
    "sidenote note notes remarks history conversation transcript reasoning rationale thoughts thinking explanation "
    "justification feedback intent".split()
)
_ABOUT_THE_TALK: Final = frozenset(
    "user system original full whole entire conversation chat session side additional extra previous model assistant "
    "agent internal hidden".split()
)
_TIES: Final = ("enum", "const", "pattern", "format", "maxLength")
_LOOSER: Final = frozenset(
    "enum-removed enum-value-added enum-changed const-removed const-changed pattern-removed pattern-changed "
    "format-changed bound-loosened".split()
)


def _relaxed(pair: ToolPair) -> Iterator[Finding]:
    yield from relaxed(pair, "input", Relation.PROVEN_SUBSET)


def _narrowed(pair: ToolPair) -> Iterator[Finding]:
    yield from narrowed(pair, "input")


def _unknown(pair: ToolPair) -> Iterator[Finding]:
    yield from undecided(pair, "input")


def _undeclared(pair: ToolPair) -> Iterator[Finding]:
    for side, member in (("input", "inputSchema"), ("output", "outputSchema")):
        check = pair.relations.get(side)  # type: ignore[call-overload]
        if check is not None and check.undeclared is not None:
            text = "The relation holds for senders that send declared names only; with undeclared names it does not."
            yield Finding(pair.name, pair.path(member), text, witness=check.undeclared.witness)


def _dropped(pair: ToolPair) -> Iterator[Finding]:
    for edit in pair.edits("input"):
        if edit.rule == "property-removed" and edit.twin is None and _ignored(pair, edit):
            text = f"{quote(edit.name or '')} is no longer declared: calls that send it still pass and it is ignored."
            yield Finding(pair.name, pair.path("inputSchema", inside=edit.path), text)


def _ignored(pair: ToolPair, edit: Edit) -> bool:
    """Say whether a property is gone that callers could send, and that nothing declares or rejects now."""
    if is_closed(edit.before):
        return False
    root = pair.comparisons["input"].new.root
    owner = edit.path[: edit.path.rindex("/properties/")] if "/properties/" in edit.path else ""
    schema = at(root, owner)
    closing = ("additionalProperties", "unevaluatedProperties")
    if isinstance(schema, dict) and any(word in schema and is_closed(schema[word]) for word in closing):
        return False
    return edit.name not in declared(root, owner)


def _renamed(pair: ToolPair) -> Iterator[Finding]:
    for edit in pair.edits("input"):
        if edit.rule == "property-removed" and edit.twin is not None:
            text = (
                f"{quote(edit.name or '')} is gone, likely renamed to {quote(edit.twin)} "
                f"(similarity {edit.similarity or 0:.2f}): callers go on sending the old name."
            )
            yield Finding(pair.name, pair.path("inputSchema", inside=edit.path), text)


def _side_channel(pair: ToolPair) -> Iterator[Finding]:
    for edit in pair.edits("input"):
        if edit.rule != "property-added" or not edit.name or edit.twin or not _free_text(edit.after):
            continue
        if _invites(words_of(edit.name), words_of(pair.name)):
            text = (
                f"The tool now takes free text as {quote(edit.name)}: a model may fill it with what it knows from "
                "elsewhere, and the server reads it."
            )
            yield Finding(pair.name, pair.path("inputSchema", inside=edit.path), text)


def _invites(words: list[str], tool: list[str]) -> bool:
    """Say whether a name invites to pass on what the model knows; what the tool itself is about does not."""
    if not words or _stem(words[-1]) in {_stem(word) for word in tool}:
        return False
    if len(words) == 1:
        return words[0] in _SIDE_CHANNELS
    return words[-1] in _ENDINGS or (words[-1] in _SIDE_CHANNELS and words[0] in _ABOUT_THE_TALK)


def _free_text(schema: object) -> bool:
    """Say whether a schema admits any text: no list of values, no pattern, no format, no length."""
    if schema is True:
        return True
    if not isinstance(schema, dict):
        return False
    for word in ("anyOf", "oneOf"):  # an optional text: string or null
        if isinstance(schema.get(word), list):
            return any(_free_text(member) for member in schema[word])
    kind = schema.get("type", "string")
    text = "string" in kind if isinstance(kind, list) else kind in ("string", "object")
    if kind == "object" and schema.get("properties"):
        return False
    return text and not any(word in schema for word in _TIES) and "$ref" not in schema


def words_of(name: str) -> list[str]:
    """Return the words that a name is made of, in lower case."""
    return [word.lower() for word in _WORDS.findall(name)]


def _loosened(pair: ToolPair) -> Iterator[Finding]:
    for edit in pair.edits("input"):
        if (
            edit.rule not in _LOOSER
            or edit.keyword not in _TIES
            or (edit.keyword == "format" and edit.before is ABSENT)
        ):
            continue
        owner = _parameter(edit.path)
        if owner is None or not any(_stem(word) in _SENSITIVE for word in words_of(owner)):
            continue
        if edit.rule.endswith("-changed") and edit.keyword != "format" and _tighter(pair, edit):
            continue
        verb = "lost" if edit.after is ABSENT else "has a looser"
        text = f"{quote(owner)}, which by its name tells the server where to go or what to run, {verb} {edit.keyword}."
        yield Finding(pair.name, pair.path("inputSchema", inside=edit.spot), text)


def _parameter(path: str) -> str | None:
    """Return the name of the nearest property around a place."""
    tokens = tokens_of(path)
    names = [tokens[index + 1] for index, token in enumerate(tokens[:-1]) if token == "properties"]
    return names[-1] if names else None


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 and not word.endswith("ss") else word


def _tighter(pair: ToolPair, edit: Edit) -> bool:
    """Say whether it is proved that the new value of a keyword admits nothing new."""
    word = edit.keyword or ""
    before, after = edit.before, edit.after
    if before is ABSENT or after is ABSENT:
        return before is ABSENT
    new, old = _only(word, after), _only(word, before)
    answer = pair.server.asker.relation(new, old, "any", side="input")
    return answer.relation is Relation.PROVEN_SUBSET


def _only(keyword: str, value: object) -> Json:
    schema: dict[str, Json] = {keyword: value}  # type: ignore[dict-item]
    return schema


def _header(pair: ToolPair) -> Iterator[Finding]:
    before = {(path, repr(value)) for path, value in _headers(pair, old=True)}
    for path, value in _headers(pair, old=False):
        if (path, repr(value)) not in before:
            text = "The argument is now copied into an HTTP header, which proxies and logs on the way can read."
            yield Finding(pair.name, pair.path("inputSchema", inside=path), text)


def _headers(pair: ToolPair, *, old: bool) -> Iterator[tuple[str, Json]]:
    tool = pair.old if old else pair.new
    if not pair.both or "inputSchema" in pair.same or tool is None:
        return
    todo: list[tuple[str, Json]] = [("", tool.raw.get("inputSchema"))]
    while todo:
        path, here = todo.pop()
        if not isinstance(here, dict):
            continue
        if isinstance(here.get("x-mcp-header"), str):
            yield f"{path}/x-mcp-header", here["x-mcp-header"]
        properties = here.get("properties")
        if isinstance(properties, dict):
            todo += [(f"{path}/properties/{_escaped(name)}", part) for name, part in properties.items()]
        if isinstance(here.get("items"), dict):
            todo.append((f"{path}/items", here["items"]))


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


RULES: Final = (
    Rule(
        "input-contract-relaxed", "inputs", "input", "relation", "info", Relation.PROVEN_SUBSET,
        "Every call that was valid still is.",
        "OLD is contained in NEW: callers need not change anything. Where both accept the same calls, the reason says "
        "so.",
        (CONTRACT, JSON_SCHEMA), "input-contract-narrowed", reference=True, tool=_relaxed,
    ),
    Rule(
        "input-contract-narrowed", "inputs", "input", "relation", "breaking", Relation.PROVEN_NOT_SUBSET,
        "A call that was valid is rejected now.",
        "The witness is such a call, checked by two validators. Callers that send the like of it break.",
        (CONTRACT, JSON_SCHEMA), "input-contract-relaxed", reference=True, tool=_narrowed,
    ),
    Rule(
        "input-relation-unknown", "inputs", "input", "relation", "review", Relation.UNKNOWN,
        "Whether calls that were valid still are is not proved.",
        "Never a guess: a keyword that cannot be modelled or a budget that runs out is said, with its place.",
        (CONTRACT,), None, "a question without an answer has no opposite", reference=True, tool=_unknown,
    ),
    Rule(
        "undeclared-name-narrowing", "inputs", "both", "relation", "info", Relation.PROVEN_NOT_SUBSET,
        "The relation holds but for names that the sender's schema does not declare.",
        "Fires under `--callers declared` only. A sender that makes up names, as models sometimes do, could notice.",
        (CONTRACT,), None, "the opposite edit only lets more pass, which input-contract-relaxed says",
        tool=_undeclared,
    ),
    Rule(
        "parameter-dropped", "inputs", "input", "contract", "review", Relation.NOT_APPLICABLE,
        "A declared parameter is gone and the object is open.",
        "Old calls still validate and the argument is silently ignored: the call does something else than asked.",
        (SPEC_TOOLS,), None, "a parameter that comes is judged by the relation; nothing sent before is ignored",
        tool=_dropped,
    ),
    Rule(
        "parameter-renamed", "inputs", "input", "contract", "review", Relation.NOT_APPLICABLE,
        "A parameter is gone and one with a similar name and schema came.",
        "Callers go on sending the old name, which is rejected or ignored.",
        (SPEC_TOOLS,), "parameter-renamed", tool=_renamed,
    ),
    Rule(
        "side-channel-parameter", "inputs", "input", "security", "review", Relation.NOT_APPLICABLE,
        "A free text parameter came on an existing tool whose name invites to pass on what the model knows.",
        "Poisoned tools ask for a `sidenote`, the `context` or the `conversation_history` and read secrets from it.",
        (OWASP_SHARING, SAFE_POISONING, COSAI), None, "a side channel that goes away leaks nothing; parameter-dropped",
        tool=_side_channel,
    ),
    Rule(
        "sensitive-constraint-loosened", "inputs", "input", "security", "review", Relation.NOT_APPLICABLE,
        "A constraint on a path, URL, host, command, query or code parameter got looser.",
        "For callers it is harmless; it also is how a server comes to read other files, reach other hosts or run other "
        "commands than were reviewed.",
        (OWASP_COMMANDS, OWASP_SCOPE, COSAI), None, "a constraint that gets tighter is input-contract-narrowed",
        tool=_loosened,
    ),
    Rule(
        "mcp-header-added", "inputs", "input", "security", "review", Relation.NOT_APPLICABLE,
        "A parameter is now copied into an HTTP header.",
        "Its value becomes visible to proxies and logs on the way.",
        (SPEC_HEADERS,), None, "a header that is no longer sent asks nothing of callers", tool=_header,
    ),
)  # fmt: skip
