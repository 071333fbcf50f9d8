"""The documents tell the truth: their commands are run and their output compared, their links lead somewhere.

In a `console` block a line `…` stands for any lines, and `N steps` for any number of steps. Every block is run in a
copy of the project's files that it names, from the project's root, so that nothing is left behind.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from compatgate.replay import phrase
from tests.data import PROJECT

PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]
BLOCKS = [
    (page, number, block)
    for page in PAGES
    for number, block in enumerate(
        re.findall(r"^```console\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    )
]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(PROJECT / "src" / "compatgate" / "demo", tmp_path / "src" / "compatgate" / "demo")
    return tmp_path


def name(value: object) -> str | None:
    return str(value.relative_to(PROJECT)) if isinstance(value, Path) else None


@pytest.mark.parametrize(("page", "number", "block"), BLOCKS, ids=lambda value: name(value) or str(value)[:1])
def test_output_is_real(page: Path, number: int, block: str, copy: Path) -> None:
    where = copy
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        if command.startswith("cd "):
            where = where / command[3:]
            continue
        assert expected or " > " in command, f"{command} shows nothing"
        pattern = re.escape(expected).replace("…\n", "(?:.*\n)*?").replace(r"N\ steps", r"[0-9]+\ steps")
        pattern = re.sub(r"…\\\n", "(?:.*\n)*?", pattern)
        shown = run(command, where)
        assert re.fullmatch(pattern, shown), f"{command} shows:\n{shown}"


def run(command: str, where: Path) -> str:
    """Run a command line as it is printed, by the interpreter of the tests."""
    program = f"{shlex.quote(sys.executable)} -m compatgate"
    line = re.sub(r"(^|\| )(?:uv run )?compatgate ", rf"\1{program} ", command).replace("$defs", r"\$defs")
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=where,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def test_python_examples_are_real() -> None:
    results = [
        doctest.testfile(str(page), module_relative=False, parser=Python())
        for page in PAGES
        if ">>>" in page.read_text()
    ]
    assert sum(result.attempted for result in results) >= 6
    assert sum(result.failed for result in results) == 0


class Python(doctest.DocTestParser):
    """Read the examples of `python` blocks only."""

    def parse(self, string: str, name: str = "<string>") -> list[str | doctest.Example]:
        return super().parse("".join(re.findall(r"^```python\n(.*?)^```", string, re.DOTALL | re.MULTILINE)), name)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        if not target.startswith("https://"):
            assert (page.parent / target).exists(), target


def test_every_page_is_reached_from_the_readme_and_the_index() -> None:
    for start in (PROJECT / "README.md", PROJECT / "docs" / "index.md"):
        text = start.read_text("utf-8")
        for folder in ("concepts", "commands"):
            for page in (PROJECT / "docs" / folder).glob("*.md"):
                assert f"{folder}/{page.name})" in text, f"{start.name} lacks {page.name}"


def test_every_command_and_option_has_its_place() -> None:
    from compatgate.cli.all_commands import main

    for command in main.commands.values():
        page = (PROJECT / "docs" / "commands" / f"{command.name}.md").read_text("utf-8")
        for option in (p for p in command.params if p.param_type_name == "option"):
            if option.opts[0] != "--debug":
                assert option.opts[0] in page, f"{command.name} {option.opts[0]}"


def test_the_table_of_evidence() -> None:
    page = (PROJECT / "docs" / "concepts" / "replay.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+)/(\d+) \| (.*) \|$", page, re.MULTILINE)
    assert len(rows) == 5
    for broken, calls, said in rows:
        assert phrase(int(broken), int(calls)) == said


def test_the_changelog_is_kept() -> None:
    text = (PROJECT / "CHANGELOG.md").read_text("utf-8")
    assert "## [Unreleased]" in text
    for command in ("contains", "classify", "gate", "demo", "schema"):
        assert f"compatgate {command}" in text
