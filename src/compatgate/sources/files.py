"""Read OLD and NEW from where the user says they are: a file, a part of a file, git, standard input."""

from __future__ import annotations

import os
import sys
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, cast
from urllib.parse import unquote

from compatgate.errors import CompatgateError, InputError, Where
from compatgate.jsonio import Json, Limits, loads, locate, pointer
from compatgate.sources import git
from compatgate.sources.shapes import Loaded, recognise

_DEFAULT = Limits()


class Loader:
    """Read several inputs of one run; standard input can be one of them, once.

    `cwd` is what relative paths and git count from; `stdin` defaults to the process's own.
    """

    def __init__(
        self,
        *,
        cwd: str | os.PathLike[str] | None = None,
        stdin: BinaryIO | None = None,
        limits: Limits = _DEFAULT,
    ) -> None:
        self._cwd = cwd
        self._stdin = stdin
        self._limits = limits
        self._stdin_read = False

    def load(self, path: str) -> Loaded:
        """Return what `path` names: FILE, git:REV:PATH or `-`, each with `#/pointer` behind it if wanted.

        Raises InputError where it cannot be read or is not JSON, or is none of the shapes that `shapes` lists;
        IncompleteError for a snapshot that says it is not complete.
        """
        place, at = self._split(path)
        data = self.read(place)
        value = loads(data, source=_shown(place), limits=self._limits)

        def where(at: str) -> Where:
            line, column = locate(data, at)
            return Where(_shown(place), line, column, at)

        explicit = at is not None
        at = _decoded(value, at or "")
        try:
            return recognise(value, at=at, source=path, where=where, explicit=explicit)
        except CompatgateError as error:
            if error.where is None or error.line is not None:
                raise
            raise type(error)(error.what, where(error.pointer or ""), error.hint) from None

    def read(self, path: str) -> bytes:
        """Return the bytes of FILE, git:REV:PATH or `-`, no pointer behind it.

        Raises InputError where it cannot be read, is larger than the limit, or is standard input a second time.
        """
        if path == "-":
            return self._read_stdin()
        limit = self._limits.max_bytes
        if path.startswith("git:"):
            revision, colon, name = path[4:].partition(":")
            if not colon:
                raise InputError("a revision without a path", Where(path), "write git:REV:PATH")
            return git.read(revision, name, source=path, max_bytes=limit, cwd=self._cwd)
        try:
            with self._path(path).open("rb") as stream:
                data = stream.read(limit + 1)
        except (OSError, ValueError) as error:
            raise _unreadable(path, error) from None
        return _bounded(data, path, limit)

    def open(self, path: str) -> BinaryIO:
        """Return a binary stream of FILE, git:REV:PATH or `-`, for what is too large to hold; close it after use.

        Raises InputError as `read` does; a file has no size limit here.
        """
        if path == "-":
            return self._take_stdin()
        if path.startswith("git:"):
            return BytesIO(self.read(path))
        try:
            return self._path(path).open("rb")
        except (OSError, ValueError) as error:
            raise _unreadable(path, error) from None

    def _read_stdin(self) -> bytes:
        try:
            data = self._take_stdin().read(self._limits.max_bytes + 1)
        except (OSError, ValueError) as error:
            raise _unreadable("<stdin>", error) from None
        return _bounded(data, "<stdin>", self._limits.max_bytes)

    def _take_stdin(self) -> BinaryIO:
        if self._stdin_read:
            hint = "save one of them to a file"
            raise InputError("standard input can be read only once", Where("<stdin>"), hint)
        self._stdin_read = True
        stream = self._stdin if self._stdin is not None else getattr(sys.stdin, "buffer", None)
        if stream is None:
            raise InputError("there is no standard input", Where("<stdin>"), "name a file")
        return cast("BinaryIO", stream)

    def _split(self, path: str) -> tuple[str, str | None]:
        """Part the pointer from the place; a file whose name holds a '#' is taken by its name."""
        if "#" not in path or (not path.startswith("git:") and self._exists(path)):
            return path, None
        if path.endswith("#"):
            return path[:-1], ""
        place, mark, rest = path.partition("#/")
        return (place, "/" + rest) if mark else (path, None)

    def _exists(self, path: str) -> bool:
        try:
            return self._path(path).exists()
        except (OSError, ValueError):
            return False

    def _path(self, path: str) -> Path:
        return Path(self._cwd) / path if self._cwd is not None else Path(path)


def load(
    path: str,
    *,
    cwd: str | os.PathLike[str] | None = None,
    stdin: BinaryIO | None = None,
    limits: Limits = _DEFAULT,
) -> Loaded:
    """Return the schema, tool or snapshot that `path` names; see `Loader.load`."""
    return Loader(cwd=cwd, stdin=stdin, limits=limits).load(path)


def _decoded(value: Json, at: str) -> str:
    """Read the pointer as it stands, else as a URI fragment (percent-encoded), whichever names something."""
    if "%" not in at:
        return at
    try:
        pointer.resolve(value, at)
    except InputError:
        return unquote(at)
    return at


def _bounded(data: bytes, path: str, limit: int) -> bytes:
    if len(data) > limit:
        raise InputError(f"larger than the {limit} bytes that are read", Where(path), "raise the size limit")
    return data


def _unreadable(path: str, error: Exception) -> InputError:
    if isinstance(error, FileNotFoundError):
        hint = "is the path right?"
        if path.startswith(("http://", "https://")):
            hint = "nothing is fetched here; take a snapshot of the server first"
        elif "#" in path:
            hint = "a part of a file is named FILE#/pointer"
        return InputError("no such file", Where(path), hint)
    if isinstance(error, IsADirectoryError):
        return InputError("this is a directory", Where(path), "name a file in it")
    if isinstance(error, PermissionError):
        return InputError("the file may not be read", Where(path), "check its permissions")
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(f"cannot be read: {reason}", Where(path))


def _shown(place: str) -> str:
    return "<stdin>" if place == "-" else place
