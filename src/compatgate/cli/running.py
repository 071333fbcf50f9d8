"""Run a command so that whatever happens ends in an exit code and at most one line on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from compatgate.errors import CompatgateError, neutralise

INTERRUPTED = 130  # 128 + SIGINT, as shells expect
PIPE_CLOSED = 141  # 128 + SIGPIPE
UNREADABLE = 2
BUG = 3

_COMPLETION = "_COMPATGATE_COMPLETE"


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; never lets an exception through, unless `--debug` asks for it."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = given[: given.index("--")] if "--" in given else given
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that lacks a character gets an escape, not a traceback
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(given)
        if sys.stdout is not None:  # it is None where the shell closed it
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        # What is left in the buffer cannot be written any more, and the interpreter would try once again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except OSError as error:
        if "--debug" in options:
            raise
        about = f" ({error.filename})" if error.filename else ""
        _say(f"error: the system says: {neutralise(f'{error.strerror or error}{about}', 300)}")
        return UNREADABLE
    except Exception as error:
        if "--debug" in options:
            raise
        what = neutralise(f"{type(error).__name__}: {error}", 300)
        _say(f"internal error: {what}; please report it, with what --debug shows")
        return BUG


def _run(arguments: list[str]) -> int:
    import click

    from compatgate.cli.all_commands import main

    if _COMPLETION in os.environ:  # a shell asks what could come next
        main.main(arguments, prog_name="compatgate", complete_var=_COMPLETION)
    try:
        # Not `main.main`: it would answer interrupts and closed pipes in its own way.
        with main.make_context("compatgate", arguments) as context:
            code = main.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except CompatgateError as error:
        _say(f"error: {error}")
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.ctx.get_help() if error.ctx is not None else "", file=sys.stderr)
        return 2
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx is not None else "compatgate"
        _say(f"error: {neutralise(error.format_message(), 400).rstrip('.')}; see `{where} --help`")
        return 2
    except click.ClickException as error:
        _say(f"error: {neutralise(error.format_message(), 400)}")
        return 2
    except click.Abort:
        raise KeyboardInterrupt from None
    return code if isinstance(code, int) else 0


def _say(line: str) -> None:
    print(" ".join(line.split("\n")), file=sys.stderr)
