"""Rules about what models and people read: titles, descriptions, names, icons, `_meta`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from compatgate.diff.values import same
from compatgate.jsonio import Json
from compatgate.model import ABSENT, Absent, Relation
from compatgate.rules.context import MEMBER, ToolPair
from compatgate.rules.reading import directed_texts, hidden_texts
from compatgate.rules.rule import (
    CONTRACT,
    COSAI,
    OWASP_INJECTION,
    OWASP_POISONING,
    SAFE_POISONING,
    SAFE_RUG_PULL,
    SAFE_SHADOWING,
    SPEC_ICONS,
    SPEC_TOOLS,
    TR36,
    Finding,
    Rule,
)

#: Keywords inside a schema that assert nothing and are read (format and default included).
_METADATA: Final = frozenset("title description default examples format deprecated readOnly writeOnly $comment".split())
_KNOWN: Final = frozenset("name title description inputSchema outputSchema annotations execution icons _meta".split())


def _metadata(pair: ToolPair) -> Iterator[Finding]:
    if not pair.both:
        return
    for member in ("title", "description"):
        if pair.differs(member):
            before, after = pair.member(member)
            yield Finding(pair.name, pair.path(member), _noted(member, before, after), hashed=(before, after))
    if pair.differs("annotations") and pair.old is not None and pair.new is not None:
        before, after = (tool.annotations.get("title") for tool in (pair.old, pair.new))
        if before != after:
            hashed = (_absent(before), _absent(after))
            text = _noted("annotations.title", *hashed)
            yield Finding(pair.name, pair.path("annotations", "title"), text, hashed=hashed)
    for side, member in MEMBER.items():
        for edit in pair.edits(side):
            if edit.keyword in _METADATA and edit.path == edit.spot.rpartition("/")[0]:
                text = _noted(edit.keyword, edit.before, edit.after)
                path = pair.path(member, inside=edit.spot)
                yield Finding(pair.name, path, text, hashed=(edit.before, edit.after))


def _absent(value: Json) -> Json | Absent:
    return ABSENT if value is None else value


def _noted(what: str, before: object, after: object) -> str:
    verb = "was added" if before is ABSENT else "was removed" if after is ABSENT else "changed"
    return f"The {what} {verb}: models and people choose and use the tool by it."


def _opaque(pair: ToolPair) -> Iterator[Finding]:
    if not pair.both or pair.old is None or pair.new is None:
        return
    if pair.differs("_meta"):
        before, after = pair.member("_meta")
        yield Finding(pair.name, pair.path("_meta"), "The opaque metadata changed.", hashed=(before, after))
    for member in sorted((pair.old.raw.keys() | pair.new.raw.keys()) - _KNOWN):
        before, after = pair.member(member)
        if not same(before, after):
            text = "A member of the tool that MCP does not define changed."
            yield Finding(pair.name, pair.path(member), text, hashed=(before, after))


def _icons(pair: ToolPair) -> Iterator[Finding]:
    if pair.differs("icons") and not _new_svg(pair):
        before, after = pair.member("icons")
        yield Finding(pair.name, pair.path("icons"), "The icons changed.", hashed=(before, after))


def _active_icons(pair: ToolPair) -> Iterator[Finding]:
    if pair.differs("icons") and (fresh := _new_svg(pair)):
        before, after = pair.member("icons")
        text = (
            f"{len(fresh)} SVG icon{'s are' if len(fresh) > 1 else ' is'} new: an SVG can hold scripts and fetch from "
            "the network. Nothing was fetched."
        )
        yield Finding(pair.name, pair.path("icons"), text, hashed=(before, after))


def _new_svg(pair: ToolPair) -> list[str]:
    before, after = pair.member("icons")
    known = set(_svgs(before))
    return [source for source in _svgs(after) if source not in known]


def _svgs(icons: Json | Absent) -> Iterator[str]:
    for icon in icons if isinstance(icons, list) else ():
        if not isinstance(icon, dict):
            continue
        source, kind = icon.get("src"), icon.get("mimeType")
        source = source if isinstance(source, str) else ""
        if (isinstance(kind, str) and kind.strip().lower().startswith("image/svg")) or _is_svg(source):
            yield source


def _is_svg(source: str) -> bool:
    source = source.strip().lower()
    if source.startswith("data:"):
        return source[5:].lstrip().startswith("image/svg")
    try:
        path = urlsplit(source).path
    except ValueError:
        path = source
    return path.endswith((".svg", ".svgz"))


def _hidden(pair: ToolPair) -> Iterator[Finding]:
    if pair.new is None:
        return
    for path, text in hidden_texts(pair.old_texts, pair.new_texts):
        yield Finding(pair.name, pair.path(inside=path), text)


def _directed(pair: ToolPair) -> Iterator[Finding]:
    if pair.new is None:
        return
    others = pair.server.other_tools - pair.server.new.by_name.keys() - pair.server.old.by_name.keys()
    for path, severity, text in directed_texts(pair.old_texts, pair.new_texts, others):
        yield Finding(pair.name, pair.path(inside=path), text, severity=severity)


RULES: Final = (
    Rule(
        "model-or-ui-metadata-changed", "text", "both", "text", "review", Relation.NOT_APPLICABLE,
        "A title, a description or another note changed, on the tool or inside a schema.",
        "Models read it as an instruction: the same call may now be made for another reason, or not at all. A server "
        "that rewrites a description after approval is the plainest rug pull.",
        (CONTRACT, SPEC_TOOLS, SAFE_RUG_PULL), "model-or-ui-metadata-changed", reference=True, tool=_metadata,
    ),
    Rule(
        "opaque-metadata-changed", "text", "tool", "text", "review", Relation.NOT_APPLICABLE,
        "`_meta`, or a member that MCP does not define, changed.",
        "What it means is between server and client; nothing may change unseen.",
        (CONTRACT,), "opaque-metadata-changed", reference=True, tool=_opaque,
    ),
    Rule(
        "icon-surface-changed", "text", "tool", "text", "review", Relation.NOT_APPLICABLE,
        "The icons of a tool changed.", "People recognise a tool by its icon, and may be made to mistake it.",
        (CONTRACT, SPEC_ICONS), "icon-surface-changed", reference=True, tool=_icons,
    ),
    Rule(
        "active-icon-surface-added", "text", "tool", "security", "security", Relation.NOT_APPLICABLE,
        "An SVG icon is new.",
        "An SVG can hold scripts and fetch from the network; a client that renders it runs them.",
        (CONTRACT, SPEC_ICONS), "icon-surface-changed", reference=True, tool=_active_icons,
    ),
    Rule(
        "hidden-characters-added", "text", "tool", "security", "security", Relation.NOT_APPLICABLE,
        "Hidden or direction-changing characters are new in a text, a name, an enum, a default or an icon.",
        "Zero-width, bidirectional, tag and control characters are read by models and not seen by people: what was "
        "reviewed is not what is read. Joiners, selectors and tags are left alone where scripts or emoji need them.",
        (TR36, OWASP_POISONING, SAFE_POISONING, COSAI), None, "characters that go away hide nothing any more",
        tool=_hidden,
    ),
    Rule(
        "model-directed-text-added", "text", "tool", "security", "review", Relation.NOT_APPLICABLE,
        "A text is new that directs the model: to set instructions aside, to keep things from the user, to send "
        "secrets, to call other tools.",
        "Published tool poisoning attacks read like that. One sign alone is for review, as honest servers steer too; "
        "two independent signs that meet are a security finding.",
        (OWASP_POISONING, OWASP_INJECTION, SAFE_POISONING, SAFE_SHADOWING, COSAI), None,
        "a text that goes away directs nobody", tool=_directed,
    ),
)  # fmt: skip
