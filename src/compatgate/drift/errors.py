"""The error of a refused request, as mcp-drift/1 writes it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from compatgate.errors import CompatgateError, InputError, Where, neutralise
from compatgate.jsonio import Json

Code: TypeAlias = Literal["INVALID_INPUT", "INPUT_TOO_LARGE"]


class RefusedError(InputError):
    """Refuse a request: `status` is 400 for what is no JSON, 413 for what is too large, 422 for all else."""

    def __init__(
        self,
        what: str,
        where: Where | None = None,
        hint: str | None = None,
        status: Literal[400, 413, 422] = 422,
    ) -> None:
        super().__init__(what, where, hint)
        self.args = (what, where, hint, status)
        self.status: Literal[400, 413, 422] = status

    @property
    def code(self) -> Code:
        """Return the code that mcp-drift/1 gives it."""
        return "INPUT_TOO_LARGE" if self.status == 413 else "INVALID_INPUT"

    def body(self) -> dict[str, Json]:
        """Return the error object; the message is one line, safe to print."""
        place = ""
        if self.line is not None:
            place = f"line {self.line}" + (f", column {self.column}" if self.column is not None else "") + ": "
        message = place + neutralise(self.what, 600) + (f"; {neutralise(self.hint, 400)}" if self.hint else "")
        return {"error": self.code, "message": message, "path": self.pointer or ""}


def refusal(error: CompatgateError, *, status: Literal[400, 413, 422], base: str = "") -> RefusedError:
    """Turn an error of reading into a refusal; `base` is the pointer of the part that was read."""
    old = error.where or Where()
    where = Where(old.file, old.line, old.column, base + (old.pointer or ""))
    return RefusedError(error.what, where, error.hint, status)
