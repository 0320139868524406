"""A worker process: lists of files in on standard input, the facts of each out on standard output.

Started as `python -c`, not through multiprocessing: that imports the caller's main program again in every child, which
breaks scripts without a `__main__` guard, and its pool cannot tell which file a dead worker had in hand. A worker
answers file by file, so what it did not answer is what killed it. It ends by itself when its parent is gone.
"""

from __future__ import annotations

import faulthandler
import io
import os
import sys
from functools import cache
from importlib import import_module
from typing import BinaryIO, Final, cast

import msgspec

from codegps.gather.reading import Extract, count_lines, facts_of, read_source
from codegps.language import Language

LENGTH_BYTES: Final = 4


class Errand(msgspec.Struct, array_like=True):
    """One file to extract."""

    number: int
    path: str
    extract: str
    """The language, or its extractor, as `module:name`."""
    version: str
    """`FileFacts.version`."""
    limit: float
    """Seconds after which the worker gives up, by dying."""


class Extracted(msgspec.Struct, array_like=True):
    number: int
    gone: bool = False
    """The file is there no more, or cannot be read."""
    sha: str = ""
    size: int = 0
    mtime_ns: int = 0
    lines: int = 0
    facts: bytes = b""
    failure: str = ""
    """Why the facts hold nothing."""


class Request(msgspec.Struct, array_like=True):
    root: str
    errands: list[Errand]


REQUEST: Final = msgspec.msgpack.Decoder(Request)
ANSWER: Final = msgspec.msgpack.Decoder(Extracted)
ENCODER: Final = msgspec.msgpack.Encoder()


def send(stream: BinaryIO, message: Request | Extracted) -> None:
    payload = ENCODER.encode(message)
    stream.write(len(payload).to_bytes(LENGTH_BYTES, "big") + payload)
    stream.flush()


def receive(stream: BinaryIO) -> bytes:
    """The next message; empty where the other side is gone."""
    length = stream.read(LENGTH_BYTES)
    if len(length) < LENGTH_BYTES:
        return b""
    payload = stream.read(int.from_bytes(length, "big"))
    return payload if len(payload) == int.from_bytes(length, "big") else b""


def perform(root: str, errand: Errand, extract: Extract) -> Extracted:
    """Reads and extracts one file."""
    try:
        content = read_source(root, errand.path)
    except (OSError, ValueError):
        return Extracted(errand.number, gone=True)
    facts, failure = facts_of(extract, errand.version, errand.path, content.source)
    lines = count_lines(content.source)
    return Extracted(errand.number, False, content.sha, content.size, content.mtime_ns, lines, facts, failure)


def named(reference: str) -> object:
    """What lies under `module:name`; None if nothing does."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name, None)


@cache
def extractor(reference: str) -> Extract:
    """The extractor that is meant by a language, or by itself."""
    found = named(reference)
    return cast("Extract", found.extract if isinstance(found, Language) else found)


def main() -> None:
    """Answers until the parent closes our input."""
    # What an extractor or a library prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = cast("io.BufferedReader", sys.stdin.buffer)
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123
        try:
            send(answers, Extracted(-1))
            while payload := receive(requests):
                request = REQUEST.decode(payload)
                for errand in request.errands:
                    faulthandler.dump_traceback_later(errand.limit, exit=True, file=nowhere)
                    answer = perform(request.root, errand, extractor(errand.extract))
                    faulthandler.cancel_dump_traceback_later()
                    send(answers, answer)
        except BrokenPipeError:
            os._exit(1)
