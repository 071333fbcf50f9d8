"""Rules about everything a server declares beside its tools; asked for with `--surface all`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from compatgate.diff.values import same
from compatgate.diff.wording import quote
from compatgate.jsonio import Json
from compatgate.jsonio.pointer import join
from compatgate.model import ABSENT, Absent, Relation
from compatgate.rules.context import ServerPair
from compatgate.rules.reading import directed_texts, hidden_texts
from compatgate.rules.rule import (
    COSAI,
    OWASP_INJECTION,
    OWASP_POISONING,
    SAFE_RUG_PULL,
    SPEC_LIFECYCLE,
    SPEC_PROMPTS,
    SPEC_RESOURCES,
    TR36,
    Finding,
    Rule,
    Severity,
)
from compatgate.rules.strings import Text, texts_of

_LISTS: Final = {"prompts": "name", "resources": "uri", "resourceTemplates": "uriTemplate"}
_SPELLINGS: Final = {
    "protocol_version": ("protocol_version", "protocolVersion"),
    "serverInfo": ("serverInfo", "server_info"),
    "resourceTemplates": ("resourceTemplates", "resource_templates"),
}
#: What a snapshot of ours may keep beside a resource: what was read from it, no declaration.
_CONTENTS: Final = frozenset(["text", "blob"])


def _member(raw: Json, name: str) -> Json | Absent:
    if isinstance(raw, dict):
        for spelling in _SPELLINGS.get(name, (name,)):
            if raw.get(spelling) is not None:
                return raw[spelling]
    return ABSENT


def _both(server: ServerPair, name: str) -> tuple[Json | Absent, Json | Absent]:
    return _member(server.old.raw, name), _member(server.new.raw, name)


def _carried(server: ServerPair, name: str) -> bool:
    """Say whether both snapshots carry a list: what only one of them recorded neither came nor went."""
    return all(value is not ABSENT for value in _both(server, name))


def _items(value: Json | Absent, key: str) -> dict[str, dict[str, Json]]:
    listed = value if isinstance(value, list) else []
    found: dict[str, dict[str, Json]] = {}
    for item in listed:
        name = item.get(key) if isinstance(item, dict) else None
        if isinstance(item, dict) and isinstance(name, str):
            found[name] = item
    return found


def _pairs(server: ServerPair, member: str) -> Iterator[tuple[str, dict[str, Json] | None, dict[str, Json] | None]]:
    if not _carried(server, member):
        return
    before, after = (_items(value, _LISTS[member]) for value in _both(server, member))
    for name in sorted(before.keys() | after.keys()):
        yield name, before.get(name), after.get(name)


_Check = Callable[[ServerPair], Iterator[Finding]]


def _came(member: str, text: str) -> _Check:
    def check(server: ServerPair) -> Iterator[Finding]:
        for name, before, _ in _pairs(server, member):
            if before is None:
                yield Finding(None, join([member, name]), text)

    return check


def _went(member: str, text: str) -> _Check:
    def check(server: ServerPair) -> Iterator[Finding]:
        for name, _, after in _pairs(server, member):
            if after is None:
                yield Finding(None, join([member, name]), text)

    return check


def _changed(member: str, text: str, beside: frozenset[str] = frozenset()) -> _Check:
    def check(server: ServerPair) -> Iterator[Finding]:
        for name, before, after in _pairs(server, member):
            if before is None or after is None:
                continue
            for part in sorted((before.keys() | after.keys()) - beside):
                old, new = _part(before, part), _part(after, part)
                if not same(old, new):
                    yield Finding(None, join([member, name, part]), text, hashed=(old, new))

    return check


def _part(item: Mapping[str, Json], name: str) -> Json | Absent:
    value = item.get(name)
    return ABSENT if value is None else value


def _arguments(
    server: ServerPair,
) -> Iterator[tuple[str, str, dict[str, Json] | None, dict[str, Json] | None]]:
    for prompt, before, after in _pairs(server, "prompts"):
        if before is not None and after is not None:
            old, new = (_items(_part(item, "arguments"), "name") for item in (before, after))
            for name in sorted(old.keys() | new.keys()):
                yield prompt, name, old.get(name), new.get(name)


def _required(argument: dict[str, Json]) -> bool:
    return argument.get("required") is True


def _argument_required(server: ServerPair) -> Iterator[Finding]:
    for prompt, name, before, after in _arguments(server):
        if after is not None and _required(after) and (before is None or not _required(before)):
            text = f"The prompt now needs {quote(name)}: asking for it without is refused."
            yield Finding(None, join(["prompts", prompt, "arguments", name]), text)


def _argument_relaxed(server: ServerPair) -> Iterator[Finding]:
    for prompt, name, before, after in _arguments(server):
        if after is not None and not _required(after) and (before is None or _required(before)):
            text = f"The prompt {'also takes' if before is None else 'no longer needs'} {quote(name)}."
            yield Finding(None, join(["prompts", prompt, "arguments", name]), text)


def _argument_removed(server: ServerPair) -> Iterator[Finding]:
    for prompt, name, _, after in _arguments(server):
        if after is None:
            text = f"The prompt no longer takes {quote(name)}: what is sent under it is ignored or refused."
            yield Finding(None, join(["prompts", prompt, "arguments", name]), text)


def _argument_described(server: ServerPair) -> Iterator[Finding]:
    for prompt, name, before, after in _arguments(server):
        if before is None or after is None:
            continue
        for part in sorted((before.keys() | after.keys()) - {"required"}):
            old, new = _part(before, part), _part(after, part)
            if not same(old, new):
                path = join(["prompts", prompt, "arguments", name, part])
                yield Finding(None, path, "An argument of the prompt is described otherwise.", hashed=(old, new))


def _instructions(server: ServerPair) -> Iterator[Finding]:
    before, after = _both(server, "instructions")
    if not same(before, after):
        verb = "are new" if before is ABSENT else "are gone" if after is ABSENT else "changed"
        text = f"The server's instructions to the model {verb}."
        yield Finding(None, "/instructions", text, hashed=(before, after))


def _server_info(server: ServerPair) -> Iterator[Finding]:
    before, after = _both(server, "serverInfo")
    if before is ABSENT or after is ABSENT or same(before, after):
        return
    old, new = (value if isinstance(value, dict) else {} for value in (before, after))
    for part in sorted(old.keys() | new.keys()):
        if not same(_part(old, part), _part(new, part)):
            severity: Severity = "info" if part == "version" else "review"
            text = f"The server now gives another {quote(part)} of itself."
            hashed = (_part(old, part), _part(new, part))
            yield Finding(None, join(["serverInfo", part]), text, severity=severity, hashed=hashed)


def _capabilities(value: Json | Absent) -> dict[tuple[str, ...], Json]:
    """Return what is declared by path: `tools`, `tools/listChanged`; a flag that is false is not declared."""
    found: dict[tuple[str, ...], Json] = {}
    todo: list[tuple[tuple[str, ...], Json]] = [((), None if value is ABSENT else value)]
    while todo:
        path, here = todo.pop()
        if here is False or here is None:
            continue
        if path and path[0] != "instructions":  # some servers write their instructions here; they have a rule
            found[path] = {} if isinstance(here, dict) else here
        if isinstance(here, dict):
            todo += [((*path, name), inner) for name, inner in here.items()]
    return found


def _capability_withdrawn(server: ServerPair) -> Iterator[Finding]:
    if not _carried(server, "capabilities"):
        return
    old, new = map(_capabilities, _both(server, "capabilities"))
    for path in sorted(old.keys() - new.keys()):
        if path[:-1] in new or len(path) == 1:
            text = "The server no longer declares this capability: requests that rely on it are refused."
            experimental = path[0] == "experimental" or len(path) > 1
            severity: Severity = "review" if experimental else "breaking"
            yield Finding(None, join(["capabilities", *path]), text, severity=severity)


def _capability_declared(server: ServerPair) -> Iterator[Finding]:
    if not _carried(server, "capabilities"):
        return
    old, new = map(_capabilities, _both(server, "capabilities"))
    for path in sorted(new.keys() - old.keys()):
        if path[:-1] in old or len(path) == 1:
            text = "The server declares a capability that it did not have."
            yield Finding(None, join(["capabilities", *path]), text)
    for path in sorted(new.keys() & old.keys()):
        if not same(old[path], new[path]):
            text = "A capability is declared with another value."
            yield Finding(None, join(["capabilities", *path]), text, hashed=(old[path], new[path]))


def _protocol(server: ServerPair) -> Iterator[Finding]:
    before, after = server.old.protocol_version, server.new.protocol_version
    if before is not None and after is not None and before != after:
        text = f"The protocol revision changed from {quote(before, 20)} to {quote(after, 20)}."
        yield Finding(None, "/protocol_version", text, hashed=(before, after))


def _texts(raw: Json) -> list[Text]:
    found: list[Text] = []
    for member, key in _LISTS.items():
        for name, item in _items(_member(raw, member), key).items():
            base = join([member, name])
            kept: dict[str, Json] = {part: value for part, value in item.items() if part not in _CONTENTS}
            found += [Text(base + text.path, text.text, text.kind, text.name) for text in texts_of(kept)]
    for member in ("instructions", "serverInfo"):
        value = _member(raw, member)
        if value is not ABSENT:
            found += [
                Text(f"/{member}{text.path}", text.text, "prose" if member == "instructions" else text.kind, text.name)
                for text in texts_of(value)
            ]
    return found


def _hidden(server: ServerPair) -> Iterator[Finding]:
    for path, text in hidden_texts(_texts(server.old.raw), _texts(server.new.raw)):
        yield Finding(None, path, text)


def _directed(server: ServerPair) -> Iterator[Finding]:
    for path, severity, text in directed_texts(_texts(server.old.raw), _texts(server.new.raw), server.other_tools):
        yield Finding(None, path, text, severity=severity)


_NA: Final = Relation.NOT_APPLICABLE


def _rule(
    rule: str,
    severity: Severity,
    check: _Check,
    summary: str,
    why: str,
    mirror: str | None,
    *sources: str,
    alone: str = "",
) -> Rule:
    return Rule(rule, "surface", "server", "surface", severity, _NA, summary, why, sources, mirror, alone, server=check)


RULES: Final = (
    _rule(
        "prompt-removed", "breaking", _went("prompts", "The prompt is gone: asking for it fails."),
        "A prompt is gone.", "Clients that offer it get an error.", "prompt-added", SPEC_PROMPTS,
    ),
    _rule(
        "prompt-added", "info", _came("prompts", "The prompt is new."),
        "A prompt is new.", "People choose prompts; nothing calls it by itself.", "prompt-removed", SPEC_PROMPTS,
    ),
    _rule(
        "prompt-changed", "review",
        _changed("prompts", "The prompt is described otherwise.", frozenset(["arguments"])),
        "The title, description or another member of a prompt changed.", "People and models choose by it.",
        "prompt-changed", SPEC_PROMPTS, SAFE_RUG_PULL,
    ),
    _rule(
        "prompt-argument-required", "breaking", _argument_required,
        "A prompt needs an argument that it did not need.", "Asking for the prompt without it is refused.",
        "prompt-argument-relaxed", SPEC_PROMPTS,
    ),
    _rule(
        "prompt-argument-relaxed", "info", _argument_relaxed,
        "A prompt takes one more optional argument, or no longer needs one.", "Whoever asked before still may.",
        "prompt-argument-required", SPEC_PROMPTS,
    ),
    _rule(
        "prompt-argument-removed", "review", _argument_removed,
        "A prompt no longer takes an argument.", "What is sent under it is ignored or refused.",
        "prompt-argument-relaxed", SPEC_PROMPTS,
    ),
    _rule(
        "prompt-argument-described", "review", _argument_described,
        "An argument of a prompt is described otherwise.", "People fill it in by its description.",
        "prompt-argument-described", SPEC_PROMPTS,
    ),
    _rule(
        "resource-removed", "review", _went("resources", "The resource is no longer listed."),
        "A resource is no longer listed.", "Lists of resources do change; who kept the URI may get an error.",
        "resource-added", SPEC_RESOURCES,
    ),
    _rule(
        "resource-added", "info", _came("resources", "The resource is new."),
        "A resource is new.", "Lists of resources do change.", "resource-removed", SPEC_RESOURCES,
    ),
    _rule(
        "resource-changed", "review",
        _changed("resources", "The resource is described otherwise.", _CONTENTS),
        "The name, type, description or another member of a resource changed.",
        "Clients decide by it what to hand to a model; readers decode by its type.", "resource-changed", SPEC_RESOURCES,
    ),
    _rule(
        "resource-template-removed", "breaking", _went("resourceTemplates", "The resource template is gone."),
        "A resource template is gone.", "URIs made from it lead nowhere.", "resource-template-added", SPEC_RESOURCES,
    ),
    _rule(
        "resource-template-added", "info", _came("resourceTemplates", "The resource template is new."),
        "A resource template is new.", "Nothing that was read before changes.", "resource-template-removed",
        SPEC_RESOURCES,
    ),
    _rule(
        "resource-template-changed", "review",
        _changed("resourceTemplates", "The resource template is described otherwise."),
        "The name, type, description or another member of a resource template changed.",
        "Clients fill it in by its description; readers decode by its type.", "resource-template-changed",
        SPEC_RESOURCES,
    ),
    _rule(
        "instructions-changed", "review", _instructions,
        "The server's instructions to the model came, went or changed.",
        "Clients put them into the system prompt: they direct everything the model does.", "instructions-changed",
        SPEC_LIFECYCLE, OWASP_INJECTION, SAFE_RUG_PULL,
    ),
    _rule(
        "server-info-changed", "review", _server_info,
        "What the server says of itself changed.",
        "Another version is expected with an update (info); another name may be another server.", "server-info-changed",
        SPEC_LIFECYCLE,
    ),
    _rule(
        "server-capability-withdrawn", "breaking", _capability_withdrawn,
        "A capability is no longer declared.",
        "Requests that rely on it are refused. Parts of capabilities and experimental ones are for review.",
        "server-capability-declared", SPEC_LIFECYCLE,
    ),
    _rule(
        "server-capability-declared", "info", _capability_declared,
        "A capability is new or has another value.", "Clients that do not know it never use it.",
        "server-capability-withdrawn", SPEC_LIFECYCLE,
    ),
    _rule(
        "protocol-version-changed", "review", _protocol,
        "The snapshots were taken under different protocol revisions.",
        "What a member means, and which members there are, is defined by the revision.", "protocol-version-changed",
        SPEC_LIFECYCLE,
    ),
    _rule(
        "surface-hidden-characters-added", "security", _hidden,
        "Hidden or direction-changing characters are new in a prompt, a resource or the instructions.",
        "They are read by models and not seen by people.", None, TR36, OWASP_POISONING, COSAI,
        alone="characters that go away hide nothing any more",
    ),
    _rule(
        "surface-directed-text-added", "review", _directed,
        "A text is new outside the tools that directs the model as attacks do.",
        "One sign alone is for review; two independent signs that meet are a security finding.", None,
        OWASP_INJECTION, OWASP_POISONING, COSAI, alone="a text that goes away directs nobody",
    ),
)  # fmt: skip
