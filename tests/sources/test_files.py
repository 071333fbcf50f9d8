"""Files, parts of files, git and standard input."""

from __future__ import annotations

import io
import os
import subprocess
from pathlib import Path

import pytest

from compatgate.errors import CompatgateError, IncompleteError, InputError
from compatgate.jsonio import Json, Limits, dumps, read_lines
from compatgate.sources import Loader, load
from tests.data import need

TOOL: dict[str, Json] = {"name": "a", "inputSchema": {"type": "object"}}


def refusal(path: str, loader: Loader) -> str:
    with pytest.raises(CompatgateError) as caught:
        loader.load(path)
    line = str(caught.value)
    assert line.isprintable()
    return line


@pytest.fixture
def loader(tmp_path: Path) -> Loader:
    return Loader(cwd=tmp_path)


def write(directory: Path, name: str, text: str) -> str:
    (directory / name).write_text(text, encoding="utf-8")
    return name


# Files


def test_a_file_is_loaded_from_the_working_directory(tmp_path: Path, loader: Loader) -> None:
    name = write(tmp_path, "t.json", dumps(TOOL))
    assert loader.load(name).kind == "tool"
    assert loader.load(str(tmp_path / name)).tool == load(name, cwd=tmp_path).tool
    assert loader.load(name).source == "t.json"


def test_a_part_of_a_file_is_named_by_its_pointer(tmp_path: Path, loader: Loader) -> None:
    write(tmp_path, "d.json", dumps({"$defs": {"a/b c": {"type": "string"}, "A": {"$ref": "#/$defs/a~1b c"}}}))
    for pointer in ("/$defs/a~1b c", "/%24defs/a~1b%20c"):
        loaded = loader.load(f"d.json#{pointer}")
        assert loaded.kind == "schema"
        assert loaded.value == {"type": "string"}
        assert loaded.document is not None
        assert loaded.document.pointer == "/$defs/a~1b c"
    assert loader.load("d.json#").value == loader.load("d.json").value


def test_a_file_whose_name_holds_a_number_sign_is_found(tmp_path: Path, loader: Loader) -> None:
    (tmp_path / "dir#").mkdir()
    write(tmp_path / "dir#", "a#b.json", dumps({"type": "string"}))
    assert loader.load("dir#/a#b.json").value == {"type": "string"}


def test_an_error_of_shape_names_file_line_and_column(tmp_path: Path, loader: Loader) -> None:
    write(
        tmp_path, "s.json", '{"tools": [\n  {"name": "a", "inputSchema": {}},\n  {"name": "a", "inputSchema": {}}\n]}'
    )
    assert refusal("s.json", loader) == (
        's.json:3:12 at /tools/1/name: two tools are called "a"; the other one is at /tools/0'
    )
    write(tmp_path, "p.json", '{"tools": [],\n "nextCursor": "2"}')
    with pytest.raises(IncompleteError, match=r"p\.json:2:16 at /nextCursor"):
        loader.load("p.json")


def test_an_error_of_json_names_file_line_and_column(tmp_path: Path, loader: Loader) -> None:
    write(tmp_path, "s.json", '{"tools": [\n {"name": "a", "name": "b"}]}')
    assert refusal("s.json", loader) == 's.json:2:16 at /tools/0/name: duplicate key "name"; keep one of them'


def test_a_pointer_to_nothing_names_the_deepest_place(tmp_path: Path, loader: Loader) -> None:
    write(tmp_path, "d.json", '{"$defs":\n  {"A": {}}}')
    line = refusal("d.json#/$defs/B", loader)
    assert line.startswith("d.json:2:3 at /$defs: nothing is at the pointer /$defs/B")
    assert refusal("d.json#/~2", loader).endswith("in a pointer")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nothing.json", "nothing.json: no such file"),
        ("nothing.json#/a", "nothing.json: no such file"),
        ("nothing.json#a", "a part of a file is named FILE#/pointer"),
        (".", "this is a directory"),
        ("https://example.org/tools.json", "nothing is fetched here"),
        ("a\0b", "cannot be read"),
        ("evil\x1b[2J.json", "evil\\u{001B}[2J.json: no such file"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(path: str, said: str, loader: Loader) -> None:
    assert said in refusal(path, loader)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission_is_said(tmp_path: Path, loader: Loader) -> None:
    write(tmp_path, "secret.json", "{}")
    (tmp_path / "secret.json").chmod(0)
    assert "may not be read" in refusal("secret.json", loader)


def test_a_large_file_is_refused_without_being_read_whole(tmp_path: Path) -> None:
    small = Loader(cwd=tmp_path, limits=Limits(max_bytes=100))
    write(tmp_path, "ok.json", '{"title": "' + "x" * 87 + '"}')
    write(tmp_path, "big.json", '{"title": "' + "x" * 88 + '"}')
    assert small.load("ok.json").kind == "schema"
    assert "larger than the 100 bytes" in refusal("big.json", small)
    if Path("/dev/zero").exists():
        assert "larger than the 100 bytes" in refusal("/dev/zero", small)


# Standard input


def test_standard_input_is_read_once() -> None:
    loader = Loader(stdin=io.BytesIO(dumps({"tools": [TOOL]}).encode()))
    assert loader.load("-#/tools/0").kind == "tool"
    assert refusal("-", loader) == "<stdin>: standard input can be read only once; save one of them to a file"


def test_an_error_in_standard_input_says_so() -> None:
    assert refusal("-", Loader(stdin=io.BytesIO(b"[1,\n x]"))).startswith("<stdin>:2:2 at /1: expected a value")


def test_streams_are_for_json_lines(tmp_path: Path) -> None:
    loader = Loader(cwd=tmp_path, stdin=io.BytesIO(b"1\n2\n"))
    write(tmp_path, "c.jsonl", '{"a": 1}\n{"a": 2}\n')
    with loader.open("c.jsonl") as stream:
        assert list(read_lines(stream)) == [(1, {"a": 1}), (2, {"a": 2})]
    with loader.open("-") as stream:
        assert list(read_lines(stream)) == [(1, 1), (2, 2)]
    with pytest.raises(InputError, match="only once"):
        loader.open("-")
    with pytest.raises(InputError, match="no such file"):
        loader.open("nothing.jsonl")


# git


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    def git(*arguments: str) -> None:
        environment = {
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            **{f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }
        subprocess.run(["git", *arguments], cwd=tmp_path, env=environment, check=True, capture_output=True)

    try:
        git("init", "-q")
    except FileNotFoundError:
        pytest.skip("git is not installed")
    (tmp_path / "sub").mkdir()
    write(tmp_path / "sub", "t.json", dumps({"name": "old", "inputSchema": {"title": "1"}}))
    write(tmp_path, "bad.json", "{")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    git("tag", "v1")
    write(tmp_path / "sub", "t.json", dumps({"name": "new", "inputSchema": {}}))
    git("commit", "-q", "-a", "-m", "two")
    write(tmp_path / "sub", "t.json", dumps({"name": "index", "inputSchema": {}}))
    git("add", ".")
    return tmp_path


@pytest.mark.parametrize(("revision", "name"), [("v1", "old"), ("HEAD~1", "old"), ("HEAD", "new"), ("", "index")])
def test_a_file_is_read_as_it_was_at_a_revision(repository: Path, revision: str, name: str) -> None:
    for path, cwd in (("sub/t.json", repository), ("sub/t.json", repository / "sub"), ("./t.json", repository / "sub")):
        loaded = load(f"git:{revision}:{path}", cwd=cwd)
        assert loaded.tool is not None
        assert loaded.tool.name == name


def test_a_part_of_a_file_in_git_is_named_by_its_pointer(repository: Path) -> None:
    loaded = load("git:v1:sub/t.json#/inputSchema", cwd=repository)
    assert loaded.kind == "schema"
    assert loaded.value == {"title": "1"}


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("git:v1", "a revision without a path; write git:REV:PATH"),
        ("git:v1:", "no path after the revision"),
        ("git:nope:sub/t.json", "git knows no revision nope"),
        ("git:v1:nope.json", "no nope.json at revision v1"),
        ("git:v1:t.json", "from here it is ./t.json"),
        ("git:v1:sub", "is no file at v1"),
        ("git:--output=x:t.json", "must not begin with '-'"),
        ("git:v1:--help", "must not begin with '-'"),
        ("git:v1:bad.json", "git:v1:bad.json:1:2 at the root: expected a member name"),
        ("git:v1:../../x.json", "no ../../x.json at revision v1"),
    ],
)
def test_what_git_cannot_give_is_said_in_one_line(repository: Path, path: str, said: str) -> None:
    assert said in refusal(path, Loader(cwd=repository / "sub"))


def test_outside_a_repository_and_without_git_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    loader = Loader(cwd=tmp_path)
    assert "not inside a git repository" in refusal("git:HEAD:a.json", loader)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git was not found" in refusal("git:HEAD:a.json", loader)


def test_a_large_file_in_git_is_refused(repository: Path) -> None:
    assert "larger than the 10 bytes" in refusal(
        "git:v1:sub/t.json", Loader(cwd=repository, limits=Limits(max_bytes=10))
    )


# Real input


def test_every_collected_snapshot_loads() -> None:
    paths = sorted(need("snapshots").glob("*/*.json"))
    assert len(paths) >= 305
    for path in paths:
        loaded = load(str(path))
        assert loaded.kind == "snapshot"
        assert loaded.snapshot is not None
        assert loaded.snapshot.protocol_version
        assert loaded.tools


def test_a_definition_of_the_mcp_schema_keeps_the_whole_document() -> None:
    path = need("mcp-spec/2025-11-25.schema.json")
    loaded = load(f"{path}#/$defs/Implementation")
    assert loaded.kind == "schema"
    assert loaded.document is not None
    assert isinstance(loaded.document.root, dict)
    assert "$defs" in loaded.document.root


def test_the_published_request_is_refused_as_a_whole_and_read_by_its_sides() -> None:
    path = need("mcp-drift-1/example.input.json")
    with pytest.raises(InputError, match="compatgate verdict"):
        load(str(path))
    for side in ("baseline", "current"):
        assert [tool.name for tool in load(f"{path}#/{side}").tools] == ["lookup_task"]
