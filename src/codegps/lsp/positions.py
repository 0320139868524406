"""Our places and paths ↔ the protocol's: 1-based code points ↔ 0-based code units, paths ↔ `file:` addresses."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

Encoding = Literal["utf-8", "utf-16", "utf-32"]
ENCODINGS: tuple[Literal["utf-8"], Literal["utf-16"], Literal["utf-32"]] = ("utf-8", "utf-16", "utf-32")

LONG_LINE = 20_000
"""Characters. A longer line was written by a program; servers are not asked about it."""
_LONGEST_ADDRESS = 8_000
_CODECS: dict[Encoding, str] = {"utf-8": "utf-8", "utf-16": "utf-16-le"}
_UNIT_BYTES: dict[Encoding, int] = {"utf-8": 1, "utf-16": 2}
_DRIVE = re.compile(r"/[A-Za-z]:")


def to_units(line: str, column: int, encoding: Encoding) -> int:
    """1-based column in code points → 0-based offset in the encoding's units, at most the line's length."""
    count = min(max(column - 1, 0), len(line))
    if encoding == "utf-32" or line.isascii():
        return count
    data = line[:count].encode(_CODECS[encoding], "surrogatepass")
    return len(data) // _UNIT_BYTES[encoding]


def to_column(line: str, units: int, encoding: Encoding) -> int:
    """0-based offset in units → 1-based column; one inside a character counts as its start, one past the end as it."""
    if encoding == "utf-32" or line.isascii():
        return min(units, len(line)) + 1
    data = line.encode(_CODECS[encoding], "surrogatepass")
    return len(data[: units * _UNIT_BYTES[encoding]].decode(_CODECS[encoding], "ignore")) + 1


def decode(data: bytes) -> str:
    """A source file's text, as servers are given it: without a byte order mark."""
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def split_lines(text: str) -> list[str]:
    """The protocol's lines are ours: they end at \\n, \\r\\n and \\r and nowhere else."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def to_path(uri: str, windows: bool = os.name == "nt") -> str | None:
    """The path in the address of a local file, unchecked; None for any other address."""
    if len(uri) > _LONGEST_ADDRESS:
        return None
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path, errors="replace")
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or not path.startswith("/") or "\0" in path:
        return None
    if not windows:
        return path
    return path[1].upper() + path[2:] if _DRIVE.match(path) else None


def inside(root: Path, path: str | Path) -> Path | None:
    """The path with its links resolved where that lies in the root, else None. The root's own links are resolved."""
    try:
        real = Path(os.path.realpath(path))
    except (OSError, ValueError):
        return None
    return real if real.is_relative_to(root) else None
