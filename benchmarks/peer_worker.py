"""Answer questions for one prover: run as a script by the interpreter that has it, with its name as the argument.

A question is a line `[left, right]` of JSON on standard input; the answer is a line `{"seconds", "answer"}` on standard
output, where `answer` is true, false, or null for none. The first line, with the version, is written when everything is
imported and a first question was answered. Nothing of the project is needed unless it is the one asked.
"""

import json
import os
import socket
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from typing import Any

#: The question "is the left contained in the right?" of each peer.
PEERS = {"subschema": "is_subschema", "jsonsubschema": "isSubschema"}


def offline(*_: object, **__: object) -> None:
    """Refuse a connection: a peer that fetches what a schema refers to would measure the network."""
    raise OSError("nothing is fetched here")


def main() -> None:
    """Answer until the input ends."""
    name = sys.argv[1]
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a peer prints is no answer
    socket.socket.connect = offline  # type: ignore[method-assign]
    ask = asker(name)
    answered(ask, {"type": "integer", "minimum": 1}, {"type": "number"})
    print(json.dumps({"version": version(name)}), file=out, flush=True)
    for line in sys.stdin:
        left, right = json.loads(line)
        print(json.dumps(answered(ask, left, right)), file=out, flush=True)


def asker(name: str) -> Callable[[Any, Any], Any]:
    """Import a prover and return its question."""
    if name in PEERS:
        question: Callable[[Any, Any], Any] = getattr(import_module(name), PEERS[name])
        return question
    from compatgate.model import Relation
    from compatgate.prover import contains

    known = {Relation.PROVEN_SUBSET: True, Relation.PROVEN_NOT_SUBSET: False}
    return lambda left, right: known.get(contains(left, right).relation)


def answered(ask: Callable[[Any, Any], Any], left: Any, right: Any) -> dict[str, Any]:
    """Ask once; the seconds are those of this process, so that what else runs on the machine counts for nobody."""
    started = time.process_time()
    try:
        answer = ask(left, right)
    except Exception:  # refusing is an answer too, and takes its time
        answer = None
    return {"seconds": time.process_time() - started, "answer": answer if isinstance(answer, bool) else None}


if __name__ == "__main__":
    main()
