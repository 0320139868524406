"""A file's bytes in, UTF-8 with plain line feeds out, and what was wrong with them."""

from __future__ import annotations

import re

_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_UTF8 = frozenset({"utf-8", "utf8", "u8", "utf-8-sig", "utf_8", "utf_8_sig"})

Problem = tuple[int, str]
"""Line and message."""


def decode(content: bytes) -> tuple[bytes, list[Problem]]:
    """The text as UTF-8 without byte order mark; positions in it are those of the file."""
    problems: list[Problem] = []
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return b"", [(1, "the file is UTF-16, which Python does not read: nothing is taken from it")]
    bom = content.startswith(b"\xef\xbb\xbf")
    if bom:
        content = content[3:]
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        if content.count(b"\0") * 20 > len(content):
            return b"", [(line, "the file is binary: nothing is taken from it")]
        problems.append((line, "NUL bytes, which Python refuses: read as blanks"))
        content = content.replace(b"\0", b" ")
    if not content.isascii():
        content = recode(content, bom, problems)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return content, problems


def coding(content: bytes) -> tuple[str, int] | None:
    """The encoding that one of the first two lines names, and the line."""
    for number, line in enumerate(content.splitlines()[:2], 1):
        found = _CODING.match(line)
        if found:
            return found.group(1).decode("ascii", "replace").lower(), number
        if not _BLANK.match(line):
            break
    return None


def recode(content: bytes, bom: bool, problems: list[Problem]) -> bytes:
    named = None if bom else coding(content)
    if named is not None and named[0] not in _UTF8:
        name, line = named
        try:
            return content.decode(name).encode("utf-8", "replace")
        except LookupError:
            problems.append((line, f"unknown encoding {name!r}: read as UTF-8"))
        except (UnicodeError, ValueError):
            problems.append((line, f"the file is not what its coding line says, {name!r}: read as Latin-1"))
            return content.decode("latin-1").encode()
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problems.append((line, "not valid UTF-8, and no coding line: read as Latin-1"))
        return content.decode("latin-1").encode()
    return content
