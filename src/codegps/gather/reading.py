"""A source file in, its content, identity and facts out. What runs in this process and in every worker."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable
from typing import Final

import msgspec

from codegps.model.facts import ENCODER, DiagnosticFact, FileFacts, Head, SymbolFact, Unit
from codegps.model.graph import Sites
from codegps.model.kinds import Kind

Extract = Callable[[bytes, str], FileFacts]

UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
SAMPLE: Final = 8_000
CONTROLS: Final = bytes(c for c in range(32) if c not in b"\t\n\v\f\r\x1b")
BINARY_SHARE: Final = 10
"""A sample of which every so many bytes one is a control character is no text."""
READS: Final = 3
FAULTS: Final = (
    *(ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, MemoryError),
    *(RuntimeError, SyntaxError, TypeError, ValueError),
)
"""What a fault in an extractor may raise; recursion errors are RuntimeErrors, wrong encodings ValueErrors."""


class Content(msgspec.Struct):
    """A file as it was read."""

    source: bytes
    size: int
    mtime_ns: int
    """Before reading: who writes to it meanwhile leaves a later time, and the next look reads it again."""

    @property
    def sha(self) -> str:
        """Git blob id."""
        return hashlib.sha1(b"blob %d\0" % len(self.source) + self.source, usedforsecurity=False).hexdigest()


def read_source(root: str, path: str) -> Content:
    """Raises OSError. A file that changes while it is read is read again; what is half written stays so for now."""
    file = f"{root}{os.sep}{path}"
    content = Content(b"", 0, 0)
    for _ in range(READS):
        with open(file, "rb", buffering=0) as opened:  # noqa: PTH123  (a Path for each file of a large tree is dear)
            before = os.fstat(opened.fileno())
            if not stat.S_ISREG(before.st_mode):
                raise OSError(0, "not a regular file")
            source = opened.readall()
            after = os.fstat(opened.fileno())
        content = Content(source, len(source), before.st_mtime_ns)
        if (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size) and after.st_size == len(source):
            break
    return content


def text_of(source: bytes) -> bytes:
    """The source as extractors take it: UTF-16 becomes UTF-8, everything else is theirs to read."""
    if source[:2] in UTF16 and source[:4] != b"\xff\xfe\0\0":
        return source.decode("utf-16", "replace").encode()
    return source


def count_lines(source: bytes) -> int:
    source = text_of(source)
    ends = source.count(b"\n")
    if b"\r" in source:
        ends += source.count(b"\r") - source.count(b"\r\n")
    return ends + (1 if source and source[-1] not in b"\r\n" else 0)


def name_of(path: str) -> str:
    """What an extractor is told of a path: the file's own name. So facts serve wherever the content lies."""
    return path[path.rfind("/") + 1 :]


def is_binary(source: bytes) -> bool:
    sample = source[:SAMPLE]
    return len(sample) - len(sample.translate(None, CONTROLS)) > len(sample) // BINARY_SHARE


def facts_of(extract: Extract, version: str, path: str, source: bytes) -> tuple[bytes, str]:
    """Encoded facts; and, where they hold nothing else, the reason."""
    source = text_of(source)
    if is_binary(source):
        reason = "this is binary, or text in an unknown encoding; nothing of it was read"
        # No failure: the same content will never be anything else.
        return empty_facts(version, path, count_lines(source), reason), ""
    try:
        return ENCODER.encode(extract(source, name_of(path))), ""
    except FAULTS as fault:
        reason = "out of memory" if isinstance(fault, MemoryError) else f"{type(fault).__name__}: {fault}"
        return failed_facts(version, path, count_lines(source), reason)


def failed_facts(version: str, path: str, lines: int, reason: str) -> tuple[bytes, str]:
    words = f"nothing of this file was read, which is a fault in CodeGPS: {reason}"
    return empty_facts(version, path, lines, words), reason


def empty_facts(version: str, path: str, lines: int, message: str) -> bytes:
    """Facts of a file of which nothing is known but that it is there."""
    name = name_of(path)
    file = SymbolFact(name, "", int(Kind.File), 0, -1, 0, 1, 1, max(lines, 1), 1)
    head = Head([], [file], [], [], [], diagnostics=[DiagnosticFact(1, message)], lines=lines, unit_symbols=[0])
    unit = Unit(0, [], [])
    sites = Sites([""], [], [], [])
    return ENCODER.encode(FileFacts(version, ENCODER.encode(head), [ENCODER.encode(unit)], ENCODER.encode(sites)))
