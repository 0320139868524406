"""Bytes of a file in, text to parse out: one ASCII byte for each character, so that offsets are places.

Whatever the file's encoding, the parser is given a copy in which every character beyond ASCII is replaced by one byte
(a letter stays a letter, a space a space). Byte offsets of nodes are then offsets into the text, and columns in code
points are subtractions. Of `.vue` and `.svelte` files everything outside the script blocks is blanked out, line breaks
excepted.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from pathlib import PurePosixPath

_WIDE = re.compile(r"[^\x01-\x7f]")
_BREAKS = re.compile(r"[^\r\n]")
_BLOCK = re.compile(
    r"<!--.*?(?:-->|\Z)|<(template|style)\b[^>]*>.*?</\1\s*>|<script\b([^>]*)>(.*?)(?:</script\s*>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_LANG = re.compile(r"""\blang\s*=\s*["']?([a-z]+)""", re.IGNORECASE)
_FLOW = re.compile(r"@flow\b")

COMPONENT_FILES = (".vue", ".svelte")
_BY_SUFFIX = {
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
}
_BY_LANG = {"ts": "typescript", "typescript": "typescript", "tsx": "tsx"}


class Source:
    """The text of one file, what is parsed of it, and its lines."""

    __slots__ = ("code", "declarations", "flow", "grammar", "lines", "starts", "text")

    def __init__(self, content: bytes, path: str) -> None:
        text = _decode(content)
        suffix = PurePosixPath(path).suffix.lower()
        self.grammar = _BY_SUFFIX.get(suffix, "javascript")
        """Name of the grammar to parse with."""
        if suffix in COMPONENT_FILES:
            text, self.grammar = _scripts(text)
        self.declarations = path.lower().endswith((".d.ts", ".d.mts", ".d.cts"))
        """Declarations only: nothing in the file has a body."""
        self.flow = self.grammar == "javascript" and _FLOW.search(text[:2000]) is not None
        """JavaScript with type annotations, which the grammar of typed JSX reads best."""
        self.text = text
        self.code = _narrow(text)
        starts = [0]
        at = text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        self.starts = starts
        """Offset of each line's first character."""
        self.lines = len(starts) - (1 if starts[-1] == len(text) and len(starts) > 1 else 0)

    def blank(self) -> None:
        """Goes on as if there were nothing but lines."""
        self.text = _BREAKS.sub(" ", self.text)
        self.code = self.text.encode("ascii")

    def place(self, offset: int) -> tuple[int, int]:
        """1-based line and column."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


def _decode(content: bytes) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    if content.startswith(codecs.BOM_UTF8):
        content = content[3:]
    return content.decode("utf-8", "replace")


def _narrow(text: str) -> bytes:
    if text.isascii() and "\0" not in text:
        return text.encode("ascii")
    return _WIDE.sub(_stand_in, text).encode("ascii")


def _stand_in(match: re.Match[str]) -> str:
    char = match[0]
    return " " if char.isspace() or char in "\0\ufeff\u180e\u200b" else "a"


def _scripts(text: str) -> tuple[str, str]:
    """The text with all but its scripts blanked out, and the grammar of these."""
    parts: list[str] = []
    done = 0
    grammar = "javascript"
    for match in _BLOCK.finditer(text):
        if match[3] is None:
            continue
        lang = _LANG.search(match[2])
        if lang is not None:
            grammar = _BY_LANG.get(lang[1].lower(), grammar)
        start, end = match.span(3)
        parts.append(_BREAKS.sub(" ", text[done:start]))
        parts.append(text[start:end])
        done = end
    parts.append(_BREAKS.sub(" ", text[done:]))
    return "".join(parts), grammar
