"""The commands, each thin over its use case."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

import rich_click as click

from compatgate._version import __version__

F = TypeVar("F", bound=Callable[..., Any])

_SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_INPUTS: Final = (
    "OLD and NEW are each a tool, a bare schema, a tools/list result or the JSON-RPC response around one, or a "
    "snapshot. They are files, git:REV:PATH, or - for standard input; FILE#/pointer names a part."
)


def _show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        print(f"compatgate {__version__}")
        ctx.exit()


def _debug(command: F) -> F:
    text = "Show the traceback of an internal error."
    return click.option("--debug", is_flag=True, expose_value=False, help=text)(command)


def _output(command: F) -> F:
    """Add the options that say how a report is printed."""
    text = "Colour: on a terminal only (NO_COLOR is honoured), always, or never."
    command = click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help=text)(
        command
    )
    text = "Text for people, or JSON (see `compatgate schema report`)."
    command = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help=text)(command)
    return _debug(command)


def _callers(default: str) -> Callable[[F], F]:
    text = "What senders send: only the names their schema declares, or any value it accepts."
    choice = click.Choice(["declared", "any"])
    return click.option("--callers", type=choice, default=default, show_default=True, help=text)


def _limits(command: F) -> F:
    """Add the options that bound the work."""
    text = "Seconds after which what is not decided yet is UNKNOWN."
    command = click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help=text)(command)
    text = "Counted steps that one proof may take."
    return click.option("--max-steps", type=click.IntRange(min=1), help=text)(command)


@click.group(context_settings=_SETTINGS, no_args_is_help=True)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_show_version, help="Print the version."
)
@_debug
def main() -> None:
    """Decide whether an update of an MCP server breaks the agents that call it.

    Exit codes: 0 pass, 1 the gate failed, 2 usage or unreadable input, 3 could not check.
    """


@main.command(epilog=_INPUTS)
@click.argument("old")
@click.argument("new")
@_callers("declared")
@click.option("--tool", metavar="NAME", help="Look at this tool only.")
@click.option(
    "--side",
    type=click.Choice(["input", "output"]),
    default="input",
    show_default=True,
    help="Whether bare schemas are those of arguments or of results.",
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 if anything is BREAKING or UNKNOWN.")
@_limits
@_output
def classify(old: str, new: str, exit_code: bool, form: str, color: str, **options: Any) -> int:
    """Say what changed from OLD to NEW, place by place.

    Every change is COMPATIBLE, RISKY, BREAKING or UNKNOWN, with a rule and a reason; every BREAKING change of a
    schema comes with a witness, a value that worked and no longer does. The answer of a byte pin is printed beside.
    Exits with 0 unless --exit-code is given.
    """
    from compatgate import app
    from compatgate.model import Impact
    from compatgate.sources import Loader

    loader = Loader()
    before, after = loader.load(old), loader.load(new)
    result = app.classify(before, after, **_effort(options))
    _print(result, form, color)
    return int(exit_code and result.impact in (Impact.BREAKING, Impact.UNKNOWN))


@main.command(epilog=_INPUTS)
@click.argument("old")
@click.argument("new")
@click.argument("calls")
@_callers("declared")
@click.option("--tool", metavar="NAME", help="The tool that calls without a name belong to.")
@click.option(
    "--calls",
    "shape",
    type=click.Choice(["auto", "bare", "envelope"]),
    default="auto",
    show_default=True,
    help="Whether lines are bare arguments, or envelopes and tools/call requests.",
)
@click.option("--skip-bad-calls", is_flag=True, help="Go on without the lines that are no calls; they are reported.")
@click.option(
    "--list",
    "max_listed",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Calls of each outcome, and bad lines, to list.",
)
@_limits
@_output
def gate(old: str, new: str, calls: str, shape: str, form: str, color: str, **options: Any) -> int:
    """Classify the change from OLD to NEW, replay the recorded CALLS, and decide.

    CALLS is a file of JSON Lines, or -: bare argument objects, envelopes {"tool", "arguments"}, or tools/call
    requests. Every call is validated under OLD first, then under NEW.

    Exits with 0 only if no change is BREAKING, no recorded call is broken and nothing is UNKNOWN; with 1 if not;
    with 2 if the calls cannot be used; with 3 if schemas and calls contradict each other.
    """
    from compatgate import app
    from compatgate.sources import Loader

    loader = Loader()
    before, after = loader.load(old), loader.load(new)
    with loader.open(calls) as stream:
        source = "<stdin>" if calls == "-" else calls
        result = app.gate(before, after, stream, form=shape, source=source, **_effort(options))  # type: ignore[arg-type]
    _print(result, form, color)
    if result.verdict == "ERROR":
        print(end="", flush=True)  # the report comes before its error where both go to one place
        print(f"error: {result.reasons[0]}", file=sys.stderr)
    return result.exit_code


@main.command(
    epilog="LEFT and RIGHT are schemas, or tools (their inputSchema is taken): files, git:REV:PATH, or - for "
    "standard input; FILE#/pointer names a part, and references resolve in the whole file."
)
@click.argument("left")
@click.argument("right")
@_callers("any")
@click.option("--tool", metavar="NAME", help="The tool whose inputSchema is taken, where there are several.")
@click.option(
    "--default-dialect",
    "dialect",
    type=click.Choice(["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"]),
    help="The dialect of schemas that name none (else 2020-12).",
)
@click.option("--assert-formats", is_flag=True, help="Read `format` as an assertion; it is an annotation otherwise.")
@click.option("--explain", is_flag=True, help="Print the proof as a tree.")
@click.option("--cross-check", is_flag=True, help="Ask a second prover too, and say whether it agrees.")
@_limits
@_output
def contains(left: str, right: str, form: str, color: str, **options: Any) -> int:
    """Ask whether every value that LEFT accepts is accepted by RIGHT.

    Prints the relation, and where it is PROVEN_NOT_SUBSET a witness: a value that LEFT accepts and RIGHT rejects,
    confirmed by two validators. Exits with 0 for a subset, 1 for none, 3 if it is unknown.
    """
    from compatgate import app
    from compatgate.sources import Loader

    loader = Loader()
    result = app.contains(loader.load(left), loader.load(right), **_effort(options))
    _print(result, form, color)
    return result.exit_code


@main.command()
@_callers("declared")
@_output
def demo(callers: str, form: str, color: str) -> int:
    """Run the gate on six bundled cases, and set a byte pin beside it.

    A tool run_query changes in five ways, with four recorded calls; and the MCP schema's Implementation object
    changes from revision 2025-06-18 to 2025-11-25, with three handshakes.
    """
    from compatgate import app

    _print(app.demo(callers=callers), form, color)  # type: ignore[arg-type]
    return 0


@main.command()
@click.argument("name", type=click.Choice(["report"]))
@_debug
def schema(name: str) -> int:
    """Print the JSON Schema of what `--format json` prints."""
    from compatgate import report

    print(report.schema(), end="")
    return 0


def _effort(options: dict[str, Any]) -> dict[str, Any]:
    """Turn the options that bound the work into a budget and a deadline, and pass the rest on."""
    timeout, steps = options.pop("timeout"), options.pop("max_steps")
    if steps is not None:
        from compatgate.prover import Budget

        options["budget"] = Budget(steps=steps)
    if timeout is not None:
        end = time.monotonic() + timeout
        options["deadline"] = lambda: time.monotonic() > end
    return options


def _print(result: Any, form: str, color: str) -> None:
    from compatgate import report

    if form == "json":
        print(report.as_json.render(result))
    else:
        print(report.text.render(result, color=_colored(color)))


def _colored(color: str) -> bool:
    """Say whether to colour: https://no-color.org asks for any non-empty NO_COLOR to be honoured."""
    if color != "auto":
        return color == "always"
    terminal = sys.stdout is not None and sys.stdout.isatty()
    return terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
