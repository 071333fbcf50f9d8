"""Recognise what a JSON value is: a bare schema, one tool, or everything a server declares.

The rules, in this order (the first that fits decides):

1. `true` and `false` are schemas.
2. An object with `contract_version`, or with both `baseline` and `current`, is a request of mcp-drift/1: refused,
   it holds two snapshots and is what `compatgate verdict` reads.
3. An object with `jsonrpc`, or whose `result` is an object with `tools`, is a JSON-RPC response: its result counts.
4. An object with `tools` is a `tools/list` result or a snapshot, whatever else it holds.
5. An object with `inputSchema` is a tool, also where it holds words of JSON Schema such as `type` or `title`.
6. An object with a `name` and no word of JSON Schema but `title` and `description` is a tool that lacks its
   inputSchema: refused.
7. `{}` and any object with a word of JSON Schema is a schema. Under an explicit pointer any object is.
8. An array of objects is a list of tools.

Everything else is refused: an object of unknown members would be a schema that accepts everything, and comparing
two of those proves nothing about anyone's tools.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias

from compatgate.errors import CompatgateError, IncompleteError, InputError, Where
from compatgate.jsonio import Json, pointer
from compatgate.model import Snapshot, Tool
from compatgate.schema.references import Document

Kind: TypeAlias = Literal["schema", "tool", "snapshot"]
Locate: TypeAlias = Callable[[str], Where]

_WORDS = frozenset(
    """
    $schema $id id $ref $defs definitions $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor
    $vocabulary $comment type enum const allOf anyOf oneOf not if then else dependentSchemas dependentRequired
    dependencies properties patternProperties additionalProperties propertyNames unevaluatedProperties required
    minProperties maxProperties items prefixItems additionalItems contains minContains maxContains
    unevaluatedItems minItems maxItems uniqueItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
    minLength maxLength pattern format contentEncoding contentMediaType contentSchema title description default
    examples deprecated readOnly writeOnly
    """.split()
)
_SHARED_WITH_TOOLS = frozenset({"title", "description"})


@dataclass(frozen=True)
class Loaded:
    """Hold what one OLD or NEW turned out to be.

    `document` is set for kind "schema": the schema as a place in the document its references resolve against.
    `snapshot` is set for the others; for kind "tool" it has that one tool.
    """

    kind: Kind
    source: str
    document: Document | None = None
    snapshot: Snapshot | None = None

    @property
    def tool(self) -> Tool | None:
        """Return the tool where a single one was loaded."""
        return self.snapshot.tools[0] if self.kind == "tool" and self.snapshot else None

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Return the tools; none for a bare schema."""
        return self.snapshot.tools if self.snapshot else ()

    @property
    def value(self) -> Json:
        """Return the raw value that was recognised (for a schema: the schema itself)."""
        if self.document is not None:
            return pointer.resolve(self.document.root, self.document.pointer)
        tool = self.tool
        if tool is not None:
            return tool.raw
        return self.snapshot.raw if self.snapshot else None


def recognise(
    root: Json, *, at: str = "", source: str = "<value>", where: Locate | None = None, explicit: bool = False
) -> Loaded:
    """Return what stands at a JSON Pointer of a document, by the rules of this module.

    `where` turns an absolute pointer into a place for errors. `explicit` says that somebody chose this place.
    A schema below a tool's `inputSchema` or `outputSchema` is read against that schema, any other against the
    whole document.
    Raises InputError for what is none of the shapes or breaks one, IncompleteError for a snapshot that says it
    is not complete; pointers count from the document.
    """
    return _Recogniser(root, source, where or (lambda place: Where(source, pointer=place)), explicit).read(at)


class _Recogniser:
    def __init__(self, root: Json, source: str, where: Locate, explicit: bool) -> None:
        self.root = root
        self.source = source
        self.where = where
        self.explicit = explicit

    def read(self, at: str) -> Loaded:
        value = pointer.resolve(self.root, at, source=self.source)
        if isinstance(value, bool):
            return self._schema(at)
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            return self._snapshot({"tools": value}, at, tools_at=at)
        if not isinstance(value, dict):
            self._refuse(at, f"{_kind_of(value)} is neither a tool, a tools/list result, a snapshot nor a schema")
        if "contract_version" in value or ("baseline" in value and "current" in value):
            hint = "`compatgate verdict` reads it; or name one side: FILE#/baseline, FILE#/current"
            self._refuse(at, "a request of mcp-drift/1 holds two snapshots", hint)
        result = value.get("result")
        if "jsonrpc" in value or (isinstance(result, dict) and "tools" in result):
            return self._response(value, at)
        if "tools" in value:
            return self._snapshot(value, at, tools_at=at + "/tools")
        if "inputSchema" in value:
            tool = self._tool(value, at)
            return Loaded("tool", self.source, snapshot=Snapshot(self.source, (tool,), value))
        return self._bare_schema(value, at)

    def _response(self, message: dict[str, Json], at: str) -> Loaded:
        result = message.get("result")
        if "error" in message:
            error = message["error"]
            said = error.get("message") if isinstance(error, dict) else None
            what = "the JSON-RPC response is an error" + (f": {said}" if isinstance(said, str) else "")
            self._refuse(at + "/error", what, "take the response to tools/list")
        if not isinstance(result, dict) or "tools" not in result:
            hint = "take the response to tools/list, which holds result.tools"
            self._refuse(at, "the JSON-RPC message holds no tools", hint)
        return self._snapshot(result, at + "/result", tools_at=at + "/result/tools")

    def _snapshot(self, value: dict[str, Json], at: str, *, tools_at: str) -> Loaded:
        complete = value.get("complete", True)
        if complete is False:
            hint = "take the snapshot again"
            raise self._error(IncompleteError, at + "/complete", "the snapshot says it is not complete", hint)
        if complete is not True:
            self._refuse(at + "/complete", f"complete is {_kind_of(complete)}, not a boolean")
        if value.get("nextCursor") is not None:
            what = "the tools/list result is not complete: it names a next page (nextCursor)"
            raise self._error(IncompleteError, at + "/nextCursor", what, "join all pages into one list")
        listed = value["tools"]
        if not isinstance(listed, list):
            self._refuse(tools_at, f"tools is {_kind_of(listed)}, not an array")
        tools: list[Tool] = []
        places: dict[str, str] = {}
        for index, item in enumerate(listed):
            place = f"{tools_at}/{index}"
            tool = self._tool(item, place)
            if tool.name in places:
                what = f'two tools are called "{tool.name}"'
                self._refuse(place + "/name", what, f"the other one is at {places[tool.name]}")
            places[tool.name] = place
            tools.append(tool)
        version = self._version(value, at)
        return Loaded(
            "snapshot", self.source, snapshot=Snapshot(self.source, tuple(tools), value, protocol_version=version)
        )

    def _version(self, value: dict[str, Json], at: str) -> str | None:
        for name in ("protocol_version", "protocolVersion"):
            version = value.get(name)
            if isinstance(version, str):
                return version
            if version is not None:
                self._refuse(f"{at}/{name}", f"{name} is {_kind_of(version)}, not a text")
        return None

    def _tool(self, value: Json, at: str) -> Tool:
        if not isinstance(value, dict):
            self._refuse(at, f"a tool is an object, this is {_kind_of(value)}")
        name = value.get("name")
        if not isinstance(name, str):
            place = at + "/name" if "name" in value else at
            self._refuse(place, "the tool has no name" if name is None else f"its name is {_kind_of(name)}, not a text")
        if "inputSchema" not in value:
            self._lacks_schema(value, at, name)
        schema = value["inputSchema"]
        if not isinstance(schema, (dict, bool)):
            what = f'the inputSchema of tool "{name}" is {_kind_of(schema)}, not an object'
            self._refuse(at + "/inputSchema", what)
        output = value.get("outputSchema")
        if output is not None and not isinstance(output, (dict, bool)):
            what = f'the outputSchema of tool "{name}" is {_kind_of(output)}, not an object'
            self._refuse(at + "/outputSchema", what)
        return Tool(name, value)

    def _lacks_schema(self, value: dict[str, Json], at: str, name: str) -> NoReturn:
        other = next((key for key in ("input_schema", "parameters", "inputschema") if key in value), None)
        hint = f"MCP writes inputSchema, not {other}" if other else "every MCP tool has one"
        self._refuse(at, f'the tool "{name}" has no inputSchema', hint)

    def _bare_schema(self, value: dict[str, Json], at: str) -> Loaded:
        words = _WORDS & value.keys()
        name = value.get("name")
        if isinstance(name, str) and words <= _SHARED_WITH_TOOLS:
            self._lacks_schema(value, at, name)
        if value and not words and not self.explicit:
            members = ", ".join(list(value)[:8]) + (", …" if len(value) > 8 else "")
            what = "neither a tool, a tools/list result, a snapshot nor a schema"
            self._refuse(at, what, f"its members are: {members}; point at a part with FILE#/pointer")
        return self._schema(at)

    def _schema(self, at: str) -> Loaded:
        base = _schema_base(self.root, at)
        document = Document(pointer.resolve(self.root, base), at[len(base) :])
        return Loaded("schema", self.source, document=document)

    def _refuse(self, at: str, what: str, hint: str | None = None) -> NoReturn:
        raise self._error(InputError, at, what, hint)

    def _error(self, kind: type[CompatgateError], at: str, what: str, hint: str | None) -> CompatgateError:
        return kind(what, self.where(at), hint)


def _schema_base(root: Json, at: str) -> str:
    """Return the pointer of the schema resource that a place belongs to: a tool's schema, or the document."""
    base, value = "", root
    tokens = pointer.split(at)
    for depth, token in enumerate(tokens):
        inside_tool = isinstance(value, dict) and isinstance(value.get("name"), str) and "inputSchema" in value
        _, value = pointer.step(value, token)
        if inside_tool and token in ("inputSchema", "outputSchema"):
            base = pointer.join(tokens[: depth + 1])
            break  # what looks like a tool inside a schema is data
    return base


def _kind_of(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, list):
        return "an array"
    return "an object" if isinstance(value, dict) else "a number"
