"""The commands of mcp-drift/1: the verdict itself, and the catalogue of rules behind it."""

from __future__ import annotations

import sys
from typing import Any, Final

import rich_click as click

from compatgate.cli.commands import _callers, _debug, _effort, _limits, main
from compatgate.errors import UsageError

#: The verdicts that end with 1, by the least that is to fail.
_FAILS: Final = {
    "review": frozenset(["REVIEW", "INCONCLUSIVE", "BREAKING", "SECURITY_REGRESSION"]),
    "breaking": frozenset(["INCONCLUSIVE", "BREAKING", "SECURITY_REGRESSION"]),
    "security": frozenset(["SECURITY_REGRESSION"]),
}


@main.command()
@click.argument("request", required=False)
@click.option("--baseline", metavar="OLD", help="A snapshot: a file, git:REV:PATH or -, instead of a REQUEST.")
@click.option("--current", metavar="NEW", help="The snapshot to be judged.")
@click.option("--server-id", metavar="ID", help="How you call the server: 1 to 256 of A-Z a-z 0-9 . _ : / @ + ~ -")
@click.option(
    "--annotations", type=click.Choice(["trusted", "untrusted"]), help="Whether you trust the source of the hints."
)
@_callers("any")
@click.option("--no-witnesses", is_flag=True, help="Leave the values out that prove findings.")
@click.option("--assert-formats", is_flag=True, help="Read `format` as a constraint and not as a note.")
@click.option(
    "--surface",
    type=click.Choice(["tools", "all"]),
    default="tools",
    show_default=True,
    help="Compare the tools only, or prompts, resources, instructions and capabilities too.",
)
@click.option(
    "--other", multiple=True, metavar="FILE", help="A snapshot of another server, whose tools no text should name."
)
@click.option(
    "--fail-on",
    type=click.Choice(["review", "breaking", "security"]),
    default="review",
    show_default=True,
    help="The least verdict that ends with 1.",
)
@click.option("--format", "form", type=click.Choice(["json", "text"]), default="json", show_default=True)
@_limits
@_debug
def verdict(request: str | None, form: str, fail_on: str, **options: Any) -> int:
    """Answer a REQUEST of mcp-drift/1: may the current tools of a server replace the baseline?

    REQUEST is a file, git:REV:PATH or - for standard input. Two snapshots do as well, with --baseline, --current,
    --server-id and --annotations.

    Prints the verdict and exits with 0 for ACCEPT_CURRENT and 1 for any other (see --fail-on). A request that is
    refused is answered by an error object, and exits with 2.
    """
    from compatgate.jsonio import dumps

    answer, status = _answer(request, _effort(options))
    if status != 200:
        print(dumps(answer, indent=2, ascii_only=True))
        sys.stdout.flush()
        path = f" at {answer['path']}" if answer["path"] else ""
        from compatgate.errors import neutralise

        print(f"error: {answer['error']}{neutralise(path, 200)}: {answer['message']}", file=sys.stderr)
        return 2
    if form == "json":
        print(dumps(answer, indent=2, ascii_only=True))
    else:
        from compatgate.report.verdicts import verdict_text

        print(verdict_text(answer))
    return int(answer["verdict"] in _FAILS[fail_on])


def _answer(request: str | None, options: dict[str, Any]) -> tuple[dict[str, Any], int]:
    from compatgate.app.verdicts import names_of_tools, verdict_of_file, verdict_of_snapshots
    from compatgate.drift import Options
    from compatgate.sources import Loader

    sides = {name: options.pop(name) for name in ("baseline", "current", "server_id", "annotations")}
    loader = Loader()
    others = names_of_tools(options.pop("other"), loader=loader)
    asked = Options(witnesses=not options.pop("no_witnesses"), other_tools=others, **options)
    given = [name for name, value in sides.items() if value is not None]
    if request is not None:
        if given:
            raise UsageError("a REQUEST holds both snapshots", hint=f"leave out --{given[0].replace('_', '-')}")
        return verdict_of_file(request, asked, loader=loader)
    missing = [f"--{name.replace('_', '-')}" for name, value in sides.items() if value is None]
    if missing:
        what = "neither a REQUEST nor two snapshots" if not given else f"{', '.join(missing)} is missing"
        raise UsageError(what, hint="give REQUEST.json, or --baseline, --current, --server-id and --annotations")
    return verdict_of_snapshots(
        sides["baseline"],
        sides["current"],
        server_id=sides["server_id"],
        trust=sides["annotations"],
        options=asked,
        loader=loader,
    )


@main.command()
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@_debug
def rules(form: str) -> int:
    """List every rule: the findings of `verdict`, and the changes of `classify` and `gate`."""
    from compatgate.jsonio import dumps
    from compatgate.report.verdicts import rules_json, rules_text

    print(rules_text() if form == "text" else dumps(rules_json(), indent=2, ascii_only=True))
    return 0


@main.command()
@click.argument("rule")
@_debug
def explain(rule: str) -> int:
    """Print the page about a RULE, by its id or by the category of a finding."""
    from compatgate.rules import explain as page
    from compatgate.rules import near

    text = page(rule)
    if text is None:
        close = near(rule)
        hint = f"did you mean {close}?" if close else "`compatgate rules` lists them all"
        raise UsageError(f"no rule is called {rule!r}", hint=hint)
    print(text.rstrip("\n"))
    return 0
