"""Our places and paths ↔ the protocol's: 1-based code points ↔ 0-based code units, paths ↔ `file:` addresses."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Literal
from urllib.parse import unquote_to_bytes, urlsplit

Encoding = Literal["utf-8", "utf-16", "utf-32"]
ENCODINGS: tuple[Literal["utf-8"], Literal["utf-16"], Literal["utf-32"]] = ("utf-8", "utf-16", "utf-32")

_DRIVE = re.compile(r"/[A-Za-z]:")


def to_units(line: str, column: int, encoding: Encoding) -> int:
    """1-based column in code points → 0-based offset in the encoding's units, at most the line's length."""
    return _width(line[: max(column - 1, 0)], encoding)


def to_column(line: str, units: int, encoding: Encoding) -> int:
    """0-based offset in units → 1-based column; one inside a character counts as its start, one past the end as it."""
    if encoding == "utf-32" or line.isascii():
        return min(units, len(line)) + 1
    passed = 0
    for index, character in enumerate(line):
        passed += _width(character, encoding)
        if passed > units:
            return index + 1
    return len(line) + 1


def _width(text: str, encoding: Encoding) -> int:
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def decode(data: bytes) -> str:
    """A source file's text, as servers are given it: without a byte order mark."""
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def split_lines(text: str) -> list[str]:
    """The protocol's lines are ours: they end at \\n, \\r\\n and \\r and nowhere else."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def to_path(uri: str, windows: bool = os.name == "nt") -> str | None:
    """The path in a `file:` address, unchecked; None for any other address."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or "\0" in (path := os.fsdecode(unquote_to_bytes(parts.path))):
        return None
    if not windows:
        return path if path.startswith("/") and parts.netloc in ("", "localhost") else None
    if parts.netloc not in ("", "localhost"):
        return f"//{parts.netloc}{path}"
    return path[1].upper() + path[2:] if _DRIVE.match(path) else None


def inside(root: Path, path: str | Path) -> Path | None:
    """The path with its links resolved where that lies in the root, else None. The root's own links are resolved."""
    try:
        real = Path(os.path.realpath(path))
    except (OSError, ValueError):
        return None
    return real if real.is_relative_to(root) else None
