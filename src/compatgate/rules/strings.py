"""Find every text of a tool that a model or a person may read, and know what kind of text it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from compatgate.jsonio import Json
from compatgate.jsonio.pointer import escape

#: prose is written to be read; data are names and values that models read too; opaque texts are for programs.
TextKind: TypeAlias = Literal["prose", "data", "opaque"]

_PROSE: Final = frozenset(["title", "description", "$comment", "markdownDescription", "errorMessage"])
_OPAQUE: Final = frozenset(["_meta", "icons", "pattern", "$ref", "$dynamicRef", "$id", "id", "$schema", "$anchor"])
#: Under these, member names are chosen by the server and not words of JSON Schema.
_NAMED: Final = frozenset(
    "properties patternProperties $defs definitions dependentSchemas dependentRequired dependencies "
    "default examples const enum".split()
)


@dataclass(frozen=True, slots=True)
class Text:
    """Hold one text: `path` is the JSON Pointer of its place inside the tool; `name` marks a member's name."""

    path: str
    text: str
    kind: TextKind
    name: bool = False


def texts_of(value: Json) -> Iterator[Text]:
    """Yield every text of a JSON value: strings wherever they stand, and the names of all members, in order."""
    todo: list[tuple[Json, str, TextKind, bool]] = [(value, "", "data", False)]
    while todo:
        here, path, kind, named = todo.pop()
        if isinstance(here, str):
            yield Text(path, here, kind)
        elif isinstance(here, list):
            todo.extend((here[index], f"{path}/{index}", kind, named) for index in range(len(here) - 1, -1, -1))
        elif isinstance(here, dict):
            below: list[tuple[Json, str, TextKind, bool]] = []
            for name, member in here.items():
                at = f"{path}/{escape(name)}"
                yield Text(at, name, "opaque" if kind == "opaque" else "data", name=True)
                inner: TextKind = kind
                if not named and kind != "opaque":
                    inner = "opaque" if name in _OPAQUE else "prose" if name in _PROSE else "data"
                    if isinstance(member, (dict, list)) and inner == "prose":
                        inner = "data"
                below.append((member, at, inner, not named and name in _NAMED))
            todo.extend(reversed(below))
