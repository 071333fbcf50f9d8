"""The hashes of tools and snapshots: the byte pin, and the two of mcp-drift/1 over a normal form.

The normal form writes absent members as their defaults and sorts what has no order, so that neither re-ordered
keys nor spelt-out defaults move a hash. It is a form of the text: equal hashes mean equal text, never more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from compatgate.canonical._bytes import canonical_bytes, sha256, utf16_sorted
from compatgate.jsonio import Json
from compatgate.model import Snapshot, Tool

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_HINTS: dict[str, Json] = {
    "title": None,
    "readOnlyHint": False,
    "destructiveHint": True,
    "idempotentHint": False,
    "openWorldHint": True,
}
_INNER = frozenset(["properties", "items", "required", "enum"])  # in a schema without them there is nothing to do
_DEFAULTS: dict[str, dict[str, Any]] = {
    "object": {"properties": {}, "required": [], "additionalProperties": True, "minProperties": 0},
    "array": {"items": {}, "minItems": 0, "uniqueItems": False},
    "string": {"minLength": 0},
}


def byte_pin(tool: dict[str, Json]) -> str:
    """Return the byte pin of a tool: the sha256 of its name, description and inputSchema, nothing normalised.

    Order of keys and white space do not count, as the bytes are canonical; a member the tool lacks is left out.
    """
    return sha256({name: tool[name] for name in ("name", "description", "inputSchema") if name in tool})


def snapshot_hash(snapshot: Snapshot) -> str:
    """Return the mcp-drift/1 hash of everything the tools of a snapshot declare.

    Members of a tool that the contract does not know are hashed as they are: nothing may change unseen.
    """
    return _hash(snapshot, whole_tool)


def contract_hash(snapshot: Snapshot) -> str:
    """Return the mcp-drift/1 hash of what callers and models rely on: no icons, no `_meta`, no unknown members."""
    return _hash(snapshot, normal_tool)


def _hash(snapshot: Snapshot, normal: Callable[[Tool], dict[str, Json]]) -> str:
    by_name = {tool.name: tool for tool in snapshot.tools}
    tools: list[Json] = [normal(by_name[name]) for name in utf16_sorted(by_name)]
    return sha256({"protocol_version": snapshot.protocol_version, "complete": True, "tools": tools})


def normal_tool(tool: Tool) -> dict[str, Json]:
    """Return the contract of a tool in normal form; null and absent members are the same."""
    raw = tool.raw
    return {
        "name": tool.name,
        "title": raw.get("title"),
        "description": raw.get("description"),
        "inputSchema": normal_schema(tool.input_schema),
        "outputSchema": normal_schema(tool.output_schema),
        "annotations": _with_defaults(raw.get("annotations"), _HINTS),
        "execution": _with_defaults(raw.get("execution"), {"taskSupport": "forbidden"}),
    }


def whole_tool(tool: Tool) -> dict[str, Json]:
    """Return everything a tool declares in normal form: its contract, icons, `_meta`, and members unknown to MCP."""
    icons, meta = tool.raw.get("icons"), tool.raw.get("_meta")
    return {
        **tool.raw,
        **normal_tool(tool),
        "icons": _icons(icons if icons is not None else []),
        "_meta": meta if meta is not None else {},
    }


def _icons(icons: Json) -> Json:
    if not isinstance(icons, list):
        return icons  # not what MCP says; hashed as it is
    normal = [_with_defaults(icon, {"mimeType": None, "sizes": [], "theme": None}) for icon in icons]
    for icon in normal:
        if isinstance(icon, dict):
            icon["sizes"] = _sorted(icon["sizes"])
    return _sorted(normal)


def _with_defaults(value: Json, defaults: dict[str, Json]) -> Json:
    """Fill in absent and null members; a value that is no object is left as it is."""
    if value is None:
        value = {}
    if not isinstance(value, dict):
        return value
    return {**defaults, **{name: member for name, member in value.items() if member is not None}}


def normal_schema(schema: Json) -> Json:
    """Return a schema with defaults spelt out and `required` and `enum` sorted, a copy where it changes.

    It goes down only through the values of `properties` and a single-schema `items` that are objects; all else
    is kept as it is. The root gets `$schema` where it has none.
    """
    if not isinstance(schema, dict):
        return schema
    root = _filled({"$schema": _DIALECT, **schema})
    todo = [root]  # copies of ours, whose parts are yet to be filled in
    while todo:
        node = todo.pop()
        for name in ("required", "enum"):
            if name in node:
                node[name] = _sorted(node[name])
        items, properties = node.get("items"), node.get("properties")
        if isinstance(items, dict) and items:
            node["items"] = copy = _filled(items)
            todo.append(copy)
        if isinstance(properties, dict) and properties:
            node["properties"] = copies = {**properties}
            for name, part in properties.items():
                if isinstance(part, dict):
                    copies[name] = copy = _filled(part)
                    if not _INNER.isdisjoint(part):
                        todo.append(copy)
    return root


def _filled(schema: dict[str, Json]) -> dict[str, Json]:
    """Return a copy with defaults for its type; these are shared, and whoever gets the result must not change them."""
    kind = schema.get("type")
    return {**_DEFAULTS[kind], **schema} if isinstance(kind, str) and kind in _DEFAULTS else dict(schema)


def _sorted(value: Json) -> Json:
    """Sort an array by the canonical bytes of its items, duplicates kept; anything else stays."""
    if not isinstance(value, list) or len(value) < 2:
        return value
    try:
        text = "".join(value)  # type: ignore[arg-type]
    except TypeError:  # not all of them are texts
        return sorted(value, key=canonical_bytes)
    plain = text.isascii() and text.isprintable() and '"' not in text and "\\" not in text  # written as they are
    return sorted(value, key=_quoted if plain else canonical_bytes)


def _quoted(text: Json) -> str:
    """Return what orders plain texts as their canonical bytes do: the closing quote counts too."""
    return f'{text}"'
