"""A process that answers one task after the other: frames of eight bytes of length and msgpack, in and out."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO, Final

import msgspec

from compatgate.service.tasks import Reply, Task, perform

HEAD: Final = 8


def main() -> None:
    """Answer tasks from standard input on standard output until whoever started the process closes the pipe."""
    with os.fdopen(os.dup(0), "rb") as source, os.fdopen(os.dup(1), "wb") as sink:
        # Nothing that prints may get in between the frames.
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1):
            os.dup2(null, descriptor)
        serve(source, sink)


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer every task of a stream."""
    decoder, encoder = msgspec.msgpack.Decoder(Task), msgspec.msgpack.Encoder()
    while len(head := source.read(HEAD)) == HEAD:
        reply = perform(decoder.decode(source.read(int.from_bytes(head, "big"))))
        data = encoder.encode(Reply(reply.status, reply.body, reply.plain, memory()))
        sink.write(len(data).to_bytes(HEAD, "big"))
        sink.write(data)
        sink.flush()


def memory() -> int:
    """Return the bytes of memory in use; where the system does not say, the most that ever was."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return _peak()


def _peak() -> int:
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
