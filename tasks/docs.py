"""Write the pages about rules from the rows that the commands print: one page a rule, and a table of all.

    uv run python -m tasks.docs [--check]

`--check` writes nothing and ends with 1 where a page is missing, too much, or not as it would be written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from compatgate.diff.catalogue import RULES as CHANGES
from compatgate.rules import CATALOGUE, RULES, explain
from tests.data import PROJECT

FOLDER: Final = PROJECT / "docs" / "rules"


def pages() -> dict[str, str]:
    """Return every page by its file name."""
    names = dict.fromkeys([*RULES, *CHANGES])
    found = {f"{name}.md": explain(name) or "" for name in names}
    found["index.md"] = _index()
    return found


def _index() -> str:
    lines = [
        "# Rules",
        "",
        "Written by `python -m tasks.docs` from the rows that `compatgate rules` and `compatgate explain` print.",
        "",
        "## Findings of `compatgate verdict`",
        "",
        "Those with a star are ours, on top of mcp-drift/1, and only ever stricter. The family `surface` is asked for",
        "with `--surface all`.",
        "",
        "| rule | severity | family | fires when |",
        "|---|---|---|---|",
    ]
    for rule in CATALOGUE:
        star = "" if rule.reference else " *"
        lines.append(f"| [{rule.id}]({rule.id}.md){star} | {rule.severity} | {rule.family} | {rule.summary} |")
    lines += [
        "",
        "## Changes of `compatgate classify` and `compatgate gate`",
        "",
        "The impact is the one to expect; the prover decides in the end.",
        "",
        "| rule | in an input | in an output | fires when |",
        "|---|---|---|---|",
    ]
    for change in CHANGES.values():
        output = "" if change.scope == "input" else change.output.value
        lines.append(f"| [{change.id}]({change.id}.md) | {change.input.value} | {output} | {change.summary} |")
    return "\n".join(lines) + "\n"


def differing(folder: Path = FOLDER) -> list[str]:
    """Return the names of the pages that are missing, too much, or not as they would be written."""
    wanted = pages()
    there = {path.name: path.read_text("utf-8") for path in folder.glob("*.md")} if folder.is_dir() else {}
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def main() -> int:
    """Run the task."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        stale = differing()
        sys.stdout.writelines(f"docs/rules/{name} is not as it would be written\n" for name in stale)
        return int(bool(stale))
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for path in FOLDER.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, "utf-8")
    print(f"{len(wanted)} pages in docs/rules")
    return 0


if __name__ == "__main__":
    sys.exit(main())
