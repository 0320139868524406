"""Text of a file in, a tree to walk out, also where the text is broken.

A parser that meets an unclosed bracket may take the rest of the file for part of one statement. That shows where a
line that starts a definition at the margin is no statement of its own. Then the text is cut at these lines, and what
does not parse is narrowed down by indentation: the innermost statement that is wrong is blanked out, of a function or
class whose body cannot be read the header is kept. Offsets stay as they are.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tree_sitter import Node

from codegps import parse

if TYPE_CHECKING:
    from codegps.languages.javascript.source import Source

_DEFINITION: Final = re.compile(
    rb"^(?:export|import|(?:async\s+)?function|class|const|let|var|interface|type|enum|namespace|abstract|declare"
    rb"|module\.exports|exports\.)\b",
    re.MULTILINE,
)
_INDENT: Final = re.compile(rb"[ \t]*")
_CLOSING: Final = (b"}", b")", b"]", b"`")
_VISIBLE: Final = re.compile(rb"[^\r\n]")
_EFFORT: Final = 30
"""How often a file's size may be parsed in looking for what is wrong."""

MESSAGE: Final = "syntax error: this statement is left out"
UNREADABLE: Final = "not read: too many syntax errors"


class Reading:
    """A tree, the name of its grammar, and what was left out."""

    __slots__ = ("gaps", "grammar", "root")

    def __init__(self, root: Node, grammar: str, gaps: list[int]) -> None:
        self.root = root
        self.grammar = grammar
        self.gaps = gaps
        """Offsets of statements that were left out."""


def read(source: Source) -> Reading | None:
    """The best tree of a file; None where no parser makes anything of it."""
    grammar = "tsx" if source.flow else source.grammar
    code = _plainer(source.code) if source.flow else source.code
    tree = parse.parse_patiently(grammar, code)
    if tree is None:
        return None
    root = tree.root_node
    if root.has_error:
        newer = _RESOURCE.sub(lambda found: b"const".ljust(len(found[0])), code)
        if newer != code:
            tried = parse.parse_patiently(grammar, newer)
            if tried is not None and errors(tried.root_node) < errors(root):
                root, code = tried.root_node, newer
    if not root.has_error:
        return Reading(root, grammar, [])
    if source.grammar == "javascript":
        other = "javascript" if source.flow else "tsx"
        tried = parse.parse_patiently(other, source.code)
        if tried is not None and errors(tried.root_node) < errors(root):
            grammar, root, code = other, tried.root_node, source.code
    if not root.has_error or not _swallowed(root, code):
        return Reading(root, grammar, [])
    mending = _Mending(code, grammar)
    mending.run()
    mended = parse.parse_patiently(grammar, bytes(mending.code))
    return Reading(root if mended is None else mended.root_node, grammar, mending.gaps)


_RESOURCE: Final = re.compile(rb"\b(?:await[ \t]+)?using(?=[ \t]+[A-Za-z_$][\w$]*\s*(?:=[^=>]|of\b|:))")
"""`using x = …`, which the parser does not know: as a declaration it is as good as `const`."""
_VARIANCE: Final = re.compile(
    rb"([<,{|;]\s*|^\s*(?:static\s+)?)[+-](?=\s*[A-Za-z_$][\w$]*\s*\??\s*[:,>=])", re.MULTILINE
)
_FLOW_ONLY: Final = re.compile(
    rb":\s*%checks\b|%checks\b|\bopaque(?=\s+type\b)|(?<=\{)\||\|(?=\})|(?<=[{,;])\s*\.\.\.\s*,?\s*(?=\|?\})"
)


def _plainer(code: bytes) -> bytes:
    """Flow's own signs blanked out where TypeScript has none."""
    code = _VARIANCE.sub(lambda match: match[1] + b" ", code)
    return _FLOW_ONLY.sub(lambda match: _blank(match[0]), code)


def errors(root: Node) -> int:
    """How much of a tree is no syntax: places, and the bytes they cover."""
    found = 0
    todo = [root]
    while todo:
        node = todo.pop()
        for each in node.children:
            if each.is_error or each.is_missing:
                found += 10 + each.end_byte - each.start_byte
            elif each.has_error:
                todo.append(each)
    return found


def first_error(root: Node) -> int:
    """Where the first thing that is no syntax stands, -1 for none."""
    node = root
    while node.has_error:
        inner = next((each for each in node.children if each.has_error or each.is_missing), None)
        if inner is None or inner.is_error or inner.is_missing:
            return (inner or node).start_byte
        node = inner
    return -1


def _swallowed(root: Node, code: bytes) -> bool:
    """Whether a definition at the margin is part of another statement."""
    starts = {node.start_byte for node in root.children if not node.is_error}
    return any(match.start() not in starts for match in _DEFINITION.finditer(code))


class _Mending:
    def __init__(self, code: bytes, grammar: str) -> None:
        self.code = bytearray(code)
        self.grammar = grammar
        self.gaps: list[int] = []
        self.budget = _EFFORT * len(code) if len(code) < 1_000_000 else 2 * len(code)

    def run(self) -> None:
        starts = [match.start() for match in _DEFINITION.finditer(bytes(self.code))]
        bounds = [0, *[start for start in starts if start], len(self.code)]
        for start, end in pairwise(bounds):
            piece = bytes(self.code[start:end])
            if self.wrong(piece):
                self.code[start:end] = self.mended(piece, start)

    def wrong(self, piece: bytes) -> bool:
        self.budget -= len(piece)
        tree = parse.parse_patiently(self.grammar, piece)
        return tree is None or tree.root_node.has_error

    def mended(self, piece: bytes, offset: int) -> bytes:
        """The piece without the statements in it that are wrong."""
        lines = piece.splitlines(keepends=True)
        found = self.narrowed(lines, 0, len(lines), -1)
        if found is not None:
            first, last = found
            before = sum(map(len, lines[:first]))
            self.gaps.append(offset + before)
            return b"".join([*lines[:first], *map(_blank, lines[first:last]), *lines[last:]])
        self.gaps.append(offset)
        brace = piece.find(b"{")
        if brace >= 0:
            hollow = bytearray(piece[: brace + 1] + _blank(piece[brace + 1 :]))
            last = len(piece.rstrip()) - 1
            if last > brace:
                hollow[last : last + 1] = b"}"
                if not self.wrong(bytes(hollow)):
                    return bytes(hollow)
        return _blank(piece)

    def narrowed(self, lines: list[bytes], first: int, last: int, indent: int) -> tuple[int, int] | None:
        """The smallest run of lines, statements by their indentation, without which the whole parses."""
        inner = [
            (number, depth)
            for number in range(first, last)
            if lines[number].strip() and (depth := _depth(lines[number])) > indent
        ]
        if not inner or self.budget < 0:
            return None
        level = min(depth for _, depth in inner)
        starts = [
            number for number, depth in inner if depth == level and not lines[number].lstrip().startswith(_CLOSING)
        ]
        for at, start in enumerate(starts):
            end = starts[at + 1] if at + 1 < len(starts) else last
            while end > start + 1 and lines[end - 1].strip() and _depth(lines[end - 1]) < level:
                end -= 1
            if self.budget < 0:
                return None
            deeper = self.narrowed(lines, start, end, level) if end - start > 1 else None
            if deeper is not None:
                return deeper
            tried = [*lines[:start], *map(_blank, lines[start:end]), *lines[end:]]
            whole = b"".join(tried)
            if whole.strip() and not self.wrong(whole):
                return start, end
        return None


def _depth(line: bytes) -> int:
    match = _INDENT.match(line)
    return len(match[0].expandtabs(4)) if match is not None else 0


def _blank(text: bytes) -> bytes:
    return _VISIBLE.sub(b" ", text)
