"""The commands that serve: the contract over HTTP, and as an MCP server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import rich_click as click

from compatgate.cli.commands import _debug, main

F = TypeVar("F", bound=Callable[..., Any])


def _bounds(command: F) -> F:
    """Add the options that bound one request."""
    text = "Processes that work; a request takes one of them. [default: one a core, at most 8]"
    command = click.option("--workers", type=click.IntRange(1, 256), help=text)(command)
    text = "Seconds of work on a request, after which what is not decided yet is UNKNOWN."
    command = click.option(
        "--deadline",
        type=click.FloatRange(0, 3600, min_open=True),
        default=30,
        show_default=True,
        metavar="SECONDS",
        help=text,
    )(command)
    text = "Counted steps that one proof may take."
    command = click.option("--max-steps", type=click.IntRange(min=1), help=text)(command)
    text = "Bytes that a request may have."
    limit = click.IntRange(1, 1 << 30)
    return click.option("--max-body", type=limit, default=8 << 20, show_default=True, help=text)(command)


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="The port; 0 takes a free one."
)
@_bounds
@click.option(
    "--max-pending",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Requests that may wait or be worked on; one more is answered with 503.",
)
@click.option(
    "--read-timeout",
    type=click.FloatRange(0, 3600, min_open=True),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="Seconds in which the head of a request has to arrive, and then its body.",
)
@click.option(
    "--allow-host", multiple=True, metavar="NAME", help="A further name of the service, as the Host header has it."
)
@_debug
def serve(host: str, port: int, allow_host: tuple[str, ...], **options: Any) -> int:
    """Serve the contract mcp-drift/1 over HTTP, until SIGTERM or ^C.

    POST /v1/mcp-drift answers what `compatgate verdict` prints; /mcp is an MCP server over Streamable HTTP; GET
    /healthz and /openapi.json tell how it is and what there is. What was asked before the end is answered.
    """
    from compatgate.service.runner import run

    run(host, port, _settings(options), hosts=allow_host)
    return 0


@main.command()
@_bounds
@_debug
def mcp(**options: Any) -> int:
    """Be an MCP server on standard input and output, with the tools check_mcp_drift, contains and explain_rule."""
    from compatgate.service.stdio import run

    options["workers"] = options["workers"] or 1
    run(_settings(options))
    return 0


def _settings(options: dict[str, Any]) -> Any:
    from compatgate.service.settings import Settings

    usual = Settings()
    given = {name: value for name, value in options.items() if value is not None}
    # Whoever wants larger bodies wants some of them in the house at once.
    return Settings(max_held=max(usual.max_held, 4 * given["max_body"]), **given)
