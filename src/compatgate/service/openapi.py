"""What the service says about itself: OpenAPI 3.1, with the contract's two schemas inside."""

from __future__ import annotations

from typing import Final

from compatgate._version import __version__
from compatgate.drift import input_schema, output_schema
from compatgate.jsonio import Json

#: The options of a request, each with its values; the first is what counts where the option is absent.
OPTIONS: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "callers": (
        ("any", "declared"),
        "What senders are assumed to send: any value their schema accepts, or names it declares.",
    ),
    "witnesses": (("true", "false"), "Whether findings carry the values that prove them."),
    "assert_formats": (("false", "true"), "Whether `format` is a constraint; a note otherwise."),
    "surface": (("tools", "all"), "Compare the tools only, or prompts, resources and the like too."),
}
#: Every status that a request may be answered with besides 200, and when.
REFUSALS: Final = {
    400: "The body is no JSON, or has duplicate keys, non-finite numbers or lone surrogates.",
    403: "The request comes from a page of another origin.",
    408: "The body did not arrive in time.",
    413: "The request is over a limit.",
    415: "The body is compressed.",
    421: "The request names a host that the service does not go by.",
    422: "The request is JSON, but not a request of mcp-drift/1.",
    500: "An error of the service; nothing was decided.",
    503: "The service has too much to do; Retry-After says when to come again.",
}


def document() -> dict[str, Json]:
    """Return the OpenAPI document."""
    parameters: list[Json] = [
        {
            "name": name,
            "in": "query",
            "description": text,
            "schema": {"type": "string", "enum": [*values], "default": values[0]},
        }
        for name, (values, text) in OPTIONS.items()
    ]
    refusals: dict[str, Json] = {str(status): _response(text, "Error") for status, text in REFUSALS.items()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "compatgate",
            "version": __version__,
            "summary": "Decides whether an update of an MCP server breaks the agents that call it.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": {
            "/v1/mcp-drift": {
                "post": {
                    "operationId": "checkMcpDrift",
                    "summary": "Compare two snapshots of an MCP server under the contract mcp-drift/1.",
                    "parameters": parameters,
                    "requestBody": {
                        "required": True,
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Request"}}},
                    },
                    "responses": {"200": _response("The verdict.", "Verdict"), **refusals},
                }
            },
            "/mcp": {
                "post": {
                    "operationId": "mcp",
                    "summary": "The Model Context Protocol over Streamable HTTP, stateless: one JSON-RPC message.",
                    "requestBody": {
                        "required": True,
                        "content": {"application/json": {"schema": {"type": "object"}}},
                    },
                    "responses": {
                        "200": {
                            "description": "The JSON-RPC response.",
                            "content": {"application/json": {"schema": {"type": "object"}}},
                        },
                        "202": {"description": "A notification was taken note of."},
                        "default": {"description": "A JSON-RPC error, or an error object as elsewhere."},
                    },
                }
            },
            "/healthz": {
                "get": {
                    "operationId": "health",
                    "summary": "Say that the service answers.",
                    "responses": {"200": _response("It does.", "Health")},
                }
            },
            "/openapi.json": {
                "get": {
                    "operationId": "openapi",
                    "summary": "This document.",
                    "responses": {
                        "200": {
                            "description": "OpenAPI 3.1.",
                            "content": {"application/json": {"schema": {"type": "object"}}},
                        }
                    },
                }
            },
        },
        "components": {
            "schemas": {
                "Request": input_schema(),
                "Verdict": output_schema(),
                "Error": error_schema(),
                "Health": {
                    "type": "object",
                    "properties": {
                        "status": {"type": "string", "const": "ok"},
                        "version": {"type": "string"},
                        "pending": {"type": "integer", "minimum": 0, "description": "Requests in the house."},
                    },
                    "required": ["status", "version", "pending"],
                    "additionalProperties": False,
                },
            }
        },
    }


def error_schema() -> dict[str, Json]:
    """Return the schema of error objects."""
    return {
        "type": "object",
        "properties": {
            "error": {
                "type": "string",
                "enum": ["INVALID_INPUT", "INPUT_TOO_LARGE", "NOT_FOUND", "NOT_ALLOWED", "BUSY", "INTERNAL_ERROR"],
            },
            "message": {"type": "string", "description": "One line: what is wrong, and what to do."},
            "path": {"type": "string", "description": "JSON Pointer into the request; empty for the whole."},
        },
        "required": ["error", "message", "path"],
        "additionalProperties": False,
    }


def _response(text: str, name: str) -> Json:
    return {
        "description": text,
        "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}},
    }
