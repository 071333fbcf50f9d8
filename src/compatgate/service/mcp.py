"""The MCP server: three tools over the pool, in every protocol revision that the `mcp` package speaks."""

from __future__ import annotations

import json
from typing import Any, Final, TypeAlias

from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from compatgate._version import __version__
from compatgate.drift import input_schema, output_schema
from compatgate.errors import neutralise
from compatgate.rules import explain, near
from compatgate.service.pool import Pool
from compatgate.service.tasks import Reply, Task, failure

_INSTRUCTIONS: Final = (
    "compatgate decides whether an update of an MCP server breaks its callers. Call check_mcp_drift with the "
    "tools/list snapshot you approved and the current one before you go on with an updated server."
)
Context: TypeAlias = ServerRequestContext[Any, Any]

_READ_ONLY: Final = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_CONTAINS_INPUT: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "left": {
            "type": ["object", "boolean"],
            "description": "The sender's JSON Schema.",
        },
        "right": {"type": ["object", "boolean"], "description": "The receiver's JSON Schema."},
        "callers": {
            "type": "string",
            "enum": ["any", "declared"],
            "default": "any",
            "description": "What is sent: any value that left accepts, or only names that it declares.",
        },
        "assert_formats": {"type": "boolean", "default": False, "description": "Read `format` as a constraint."},
    },
    "required": ["left", "right"],
    "additionalProperties": False,
}
_CONTAINS_OUTPUT: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "relation": {"type": "string", "enum": ["PROVEN_SUBSET", "PROVEN_NOT_SUBSET", "UNKNOWN"]},
        "callers": {"type": "string", "enum": ["any", "declared"]},
        "witness": {"description": "With PROVEN_NOT_SUBSET: a value that left accepts and right rejects."},
        "reason": {"type": "string"},
        "path": {"type": "string", "description": "JSON Pointer to the place that rejects, or is not decided."},
        "keyword": {"type": ["string", "null"]},
        "steps": {"type": "integer", "minimum": 0},
        "notes": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["relation", "callers", "reason", "path", "keyword", "steps", "notes"],
    "additionalProperties": False,
}
_EXPLAIN_INPUT: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "The id of a rule, or the category of a finding.", "minLength": 1}
    },
    "required": ["id"],
    "additionalProperties": False,
}


def tools() -> list[types.Tool]:
    """Return the tools, `check_mcp_drift` with exactly the contract's schemas."""
    return [
        types.Tool(
            name="check_mcp_drift",
            title="Check MCP drift",
            description="Compare two complete tools/list snapshots of an MCP server under the contract mcp-drift/1: "
            "may the current one replace the baseline? Gives a verdict, an action, and findings with witnesses.",
            input_schema=input_schema(),
            output_schema=output_schema(),
            annotations=_READ_ONLY,
        ),
        types.Tool(
            name="contains",
            title="Compare two JSON Schemas",
            description="Decide whether every value that the schema `left` accepts is accepted by `right`. Gives a "
            "proof, a counterexample that two validators confirm, or UNKNOWN with the reason; never a guess.",
            input_schema=_CONTAINS_INPUT,
            output_schema=_CONTAINS_OUTPUT,
            annotations=_READ_ONLY,
        ),
        types.Tool(
            name="explain_rule",
            title="Explain a rule",
            description="Say what a rule of compatgate means and why it matters, with its sources.",
            input_schema=_EXPLAIN_INPUT,
            annotations=_READ_ONLY,
        ),
    ]


def create_server(pool: Pool) -> Server[Any]:
    """Return the server; transports put the bytes of each message into its request context."""
    listed = types.ListToolsResult(tools=tools())

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return listed

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name == "explain_rule":
            return _explain(params.arguments or {})
        if params.name not in ("check_mcp_drift", "contains"):
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {neutralise(params.name, 60)!r}")
        settings = pool.settings
        task = Task(
            _message(context),
            "check_mcp_drift" if params.name == "check_mcp_drift" else "contains",
            max_body=settings.max_body,
            max_steps=settings.max_steps,
            deadline=settings.deadline,
        )
        return _result(await pool.ask(task))

    return Server(
        "compatgate",
        version=__version__,
        title="compatgate",
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _message(context: Context) -> bytes:
    """Return the bytes of the message: the library's own reading loses duplicate keys and digits of numbers."""
    request = context.request
    body = request if request is None or isinstance(request, bytes) else request.scope["compatgate.body"]
    assert isinstance(body, bytes)
    return body


def _explain(arguments: dict[str, Any]) -> types.CallToolResult:
    name = arguments.get("id")
    if not isinstance(name, str) or len(arguments) != 1:
        return _result(failure(422, "INVALID_INPUT", "give the id of a rule as `id`, and nothing else", "/id"))
    text = explain(name)
    if text is None:
        close = near(name[:200])
        hint = f"did you mean {close}?" if close else "`compatgate rules` lists them all"
        what = f"no rule is called {neutralise(name, 60)!r}; {hint}"
        return _result(failure(422, "INVALID_INPUT", what, "/id"))
    return types.CallToolResult(content=[types.TextContent(text=text)])


def _result(reply: Reply) -> types.CallToolResult:
    """Return a verdict as text, exactly, and as structured content; a refusal is its error object, as text."""
    text = types.TextContent(text=reply.body.decode("ascii").rstrip("\n"))
    if reply.status != 200:
        return types.CallToolResult(content=[text], is_error=True)
    return types.CallToolResult(content=[text], structured_content=json.loads(reply.plain))
