"""Whatever happens ends in an exit code and one line: usage, pipes, interrupts, bugs, terminals."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from compatgate.cli import run
from tests.cli.helpers import TOOL, edited, ran, spawned, written


@pytest.mark.parametrize(
    "arguments",
    [
        ["--nonsense"],
        ["gaet"],
        ["gate"],
        ["gate", "a", "b"],
        ["gate", "a", "b", "c", "--calls", "wrong"],
        ["classify", "a", "b", "--max-steps", "0"],
        ["contains", "a", "b", "--timeout", "0"],
        ["schema", "wrong"],
        ["classify", "absent.json", "absent.json"],
        ["classify", "-", "-"],
        ["classify", "git:HEAD", "x"],
    ],
)
def test_wrong_usage_is_one_line_and_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    result = ran(capsys, *arguments)
    assert result.code == 2
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert result.err.startswith("error: ")


def test_hostile_usage_is_neutralised(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["\x1b[31mx"], ["gate", "--\x1b[31m"], ["classify", "\x1b[2J\n.json", "x"]):
        result = ran(capsys, *arguments)
        assert result.code == 2
        assert "\x1b" not in result.err
        assert result.err.count("\n") == 1


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(capsys).code == 2
    help_text = ran(capsys, "--help")
    assert help_text.code == 0
    for command in ("classify", "gate", "contains", "demo", "schema"):
        assert command in help_text.out
        shown = ran(capsys, command, "--help")
        assert shown.code == 0
        assert "Usage: compatgate " + command in shown.out


def test_the_version() -> None:
    from compatgate import __version__

    assert spawned("--version") == (0, f"compatgate {__version__}\n", "")
    assert spawned("--debug", "--version").out == f"compatgate {__version__}\n"


def test_the_version_loads_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['compatgate', '--version']\n"
        "from compatgate.__main__ import main\n"
        "main(); print(sorted(m for m in sys.modules if m.startswith(('click', 'rich', 'jsonschema', 'compatgate.'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1] == "['compatgate.__main__', 'compatgate._version']"


def test_a_bug_is_one_line_and_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from compatgate import app

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("of\x1b[31m all\nthings")

    monkeypatch.setattr(app, "classify", broken)
    file = written(tmp_path, "tool.json", TOOL)
    result = ran(capsys, "classify", file, file)
    assert result.code == 3
    assert result.err.startswith("internal error: RuntimeError: of\\u{001B}[31m all\\nthings; please report it")
    assert result.err.count("\n") == 1
    with pytest.raises(RuntimeError):
        run(["classify", str(file), str(file), "--debug"])


def test_a_closed_pipe_is_no_traceback() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "compatgate", "demo"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()  # long before it has anything to print
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk_is_one_line() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m compatgate demo > /dev/full"], capture_output=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == b"error: the system says: No space left on device\n"


def test_a_closed_standard_output_is_no_error(tmp_path: Path) -> None:
    done = subprocess.run(["bash", "-c", f"{sys.executable} -m compatgate demo >&-"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_interrupt_ends_with_130(tmp_path: Path) -> None:
    file = written(tmp_path, "tool.json", TOOL)
    process = subprocess.Popen(
        [sys.executable, "-m", "compatgate", "gate", str(file), str(file), "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    # More than a pipe holds: when it is written, the process is reading calls.
    process.stdin.write(b'{"a": "x"}\n' * 30_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, b"interrupted\n")


def test_standard_input_is_one_of_the_inputs(tmp_path: Path) -> None:
    file = written(tmp_path, "tool.json", TOOL)
    assert spawned("gate", file, file, "-", stdin=b'{"a": "x"}\n').code == 0
    assert spawned("classify", "-", file, stdin=file.read_bytes()).code == 0


def on_a_terminal(*arguments: object, **environment: str) -> bytes:
    """Run with a terminal as standard output and return what it got."""
    leader, follower = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    subprocess.run(
        [sys.executable, "-m", "compatgate", *map(str, arguments)],
        stdout=follower,
        env={**clean, "TERM": "xterm", **environment},
        check=True,
    )
    os.close(follower)
    got = b""
    try:
        while chunk := os.read(leader, 65536):
            got += chunk
    except OSError:
        pass  # the other side is closed and everything is read
    os.close(leader)
    return got


def test_colour_only_on_a_terminal_and_as_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = written(tmp_path, "old.json", TOOL), written(tmp_path, "new.json", edited(b=None))
    assert "\x1b[" not in ran(capsys, "classify", old, new).out
    assert "\x1b[31;1mBREAKING" in ran(capsys, "classify", old, new, "--color", "always").out
    assert b"\x1b[31;1mBREAKING" in on_a_terminal("classify", old, new)
    assert b"\x1b[" not in on_a_terminal("classify", old, new, NO_COLOR="1")
    assert b"\x1b[" not in on_a_terminal("classify", old, new, TERM="dumb")
    assert b"\x1b[" not in on_a_terminal("classify", old, new, "--color", "never")
    assert b"\x1b[31;1m" in on_a_terminal("classify", old, new, "--color", "always", NO_COLOR="1")


def test_colour_does_not_move_the_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import re

    plain = ran(capsys, "demo").out
    painted = ran(capsys, "demo", "--color", "always").out
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


def test_shells_can_complete() -> None:
    result = spawned(_COMPATGATE_COMPLETE="bash_complete", COMP_WORDS="compatgate ga", COMP_CWORD="1")
    assert result.out.split(",")[-1].strip() == "gate"


def test_a_poor_terminal_gets_escapes(tmp_path: Path) -> None:
    old = written(tmp_path, "old.json", {**TOOL, "name": "naïve→"})
    result = spawned("classify", old, old, PYTHONIOENCODING="ascii")
    assert (result.code, result.err) == (0, "")
