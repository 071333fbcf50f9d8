"""Read a file as it was at a revision, from git's objects and nothing else."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from compatgate.errors import InputError, Where

_TIMEOUT = 60  # seconds; reading one object takes milliseconds, a hung file system must not hang us


def read(revision: str, path: str, *, source: str, max_bytes: int, cwd: str | os.PathLike[str] | None = None) -> bytes:
    """Return the bytes of `path` at `revision`, as stored: no filter, no text conversion, no fetching.

    The path counts from the root of the repository, or from the working directory if it begins with `./` or
    `../`, as in git itself. An empty revision means the index.
    Raises InputError where git, the repository, the revision or the path is missing, or the file is too large.
    """
    # git would take either for an option; no revision and no sane path looks like this.
    if revision.startswith("-") or path.startswith("-"):
        raise InputError("a revision or path must not begin with '-'", Where(source), "write the path as ./-name")
    if not path or "\0" in revision + path:
        raise InputError("no path after the revision", Where(source), "write git:REV:PATH")
    name = f"{revision}:{path}"
    sized = _git("cat-file", "-s", name, source=source, cwd=cwd)
    if sized.returncode != 0:
        raise _missing(revision, path, sized.stderr, source, cwd)
    if int(sized.stdout) > max_bytes:
        raise InputError(f"larger than the {max_bytes} bytes that are read", Where(source), "raise the size limit")
    blob = _git("cat-file", "blob", name, source=source, cwd=cwd)
    if blob.returncode != 0:
        raise InputError(f"{path} is no file at {revision}", Where(source), "name a file, not a directory")
    return blob.stdout


def _git(*arguments: str, source: str, cwd: str | os.PathLike[str] | None) -> subprocess.CompletedProcess[bytes]:
    # Messages in English for the one distinction made by text; no prompt, no fetching of missing objects.
    environment = {**os.environ, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    try:
        return subprocess.run(
            ["git", *arguments],
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT,
            check=False,
        )
    except FileNotFoundError:
        raise InputError("git was not found", Where(source), "install git, or save the file first") from None
    except subprocess.TimeoutExpired:
        raise InputError(f"git gave no answer for {_TIMEOUT} s", Where(source)) from None
    except OSError as error:
        raise InputError(f"git could not be started: {error.strerror}", Where(source)) from None


def _missing(revision: str, path: str, stderr: bytes, source: str, cwd: str | os.PathLike[str] | None) -> InputError:
    said = stderr.decode("utf-8", "replace").strip()
    if "not a git repository" in said:
        return InputError("this is not inside a git repository", Where(source), "run it where the project is")
    if "dubious ownership" in said:
        hint = "git refuses to read a repository of another user; see its safe.directory setting"
        return InputError("the git repository belongs to another user", Where(source), hint)
    if revision:
        known = _git("rev-parse", "--verify", "--quiet", f"{revision}^{{tree}}", source=source, cwd=cwd)
        if known.returncode != 0:
            hint = "`git log` lists revisions; a shallow clone lacks the older ones"
            return InputError(f"git knows no revision {revision}", Where(source), hint)
    hint = "the path counts from the root of the repository"
    if (Path(cwd or ".") / path).exists():
        hint += "; from here it is ./" + path
    return InputError(f"no {path} at revision {revision or 'index'}", Where(source), hint)
