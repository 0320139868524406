"""A Jupyter notebook in; the text of its code cells out, and for each line of it the place in the real file.

Columns count the text of a line from where it starts in the file: what JSON escapes counts as one character.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
_MAGIC = re.compile(r"\s*(?:[%!?]|[\w.]+\s*=\s*[%!]|[\w.]+\?{1,2}\s*$)")
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")
_PYTHON_CELLS = ("%%time", "%%timeit", "%%capture", "%%prun", "%%debug")


@dataclass
class Cells:
    text: bytes = b""
    places: list[tuple[int, int]] = field(default_factory=list)
    """Per line of the text: its line in the file, and the columns before it."""
    cuts: frozenset[int] = frozenset()
    """Lines of the text, from 0, where a cell starts."""
    problem: str = ""


@dataclass
class _Container:
    listed: bool
    key: str = ""
    await_value: bool = False
    code: bool = False
    source: list[tuple[str, int, int]] = field(default_factory=list)
    """Raw strings of `source` with line and column of their opening quote."""


def cells(text: str) -> Cells:
    """Reads the JSON token by token: only so are the lines known."""
    try:
        whole: object = json.loads(text)
    except (ValueError, RecursionError):
        return Cells(problem="not valid JSON: nothing is taken from the notebook")
    if not speaks_python(whole):
        return Cells()
    stack: list[_Container] = []
    found: list[list[tuple[str, int, int]]] = []
    line = 1
    start = 0
    at = 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", at, token.start())
        if (feed := text.rfind("\n", at, token.start())) >= 0:
            start = feed + 1
        at = token.start()
        step(stack, found, token.group(), line, at - start + 1)
    return joined(found)


def speaks_python(whole: object) -> bool:
    """The kernel's language; a notebook that names none is taken for Python."""
    data: object = whole
    for names in (("metadata", "kernelspec", "language"), ("metadata", "language_info", "name")):
        data = whole
        for name in names:
            data = data.get(name) if isinstance(data, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if isinstance(data, str):
            return data.lower().startswith(("python", "ipython"))
    return isinstance(whole, dict)


def step(stack: list[_Container], found: list[list[tuple[str, int, int]]], token: str, line: int, column: int) -> None:
    top = stack[-1] if stack else None
    if token in "{[":
        stack.append(_Container(token == "["))
    elif token in "}]":
        closed = stack.pop()
        around = stack[-1] if stack else None
        if closed.listed and closed.source and around is not None and around.key in ("source", "input"):
            around.source = closed.source
        elif not closed.listed and closed.code and closed.source:
            found.append(closed.source)
        if around is not None:
            around.await_value = False
    elif token.startswith('"') and top is not None:
        if top.listed:
            top.source.append((token[1:-1], line, column))
        elif not top.await_value:
            top.key = str(json.loads(token))
            top.await_value = True
        else:
            if top.key == "cell_type":
                top.code = token == '"code"'
            elif top.key in ("source", "input"):
                top.source = [(token[1:-1], line, column)]
            top.await_value = False
    elif token not in ":," and top is not None:
        top.await_value = False


def joined(found: list[list[tuple[str, int, int]]]) -> Cells:
    """The code of all cells; magics become nothing."""
    lines: list[str] = []
    places: list[tuple[int, int]] = []
    cuts: set[int] = set()
    for source in found:
        first = len(lines)
        cuts.add(first)
        going_on = False
        for raw, line, column in source:
            for text, offset, ends in pieces(raw):
                if going_on:
                    lines[-1] += text
                elif text or ends:
                    lines.append(text)
                    places.append((line, column + offset))
                going_on = not ends and (going_on or bool(text))
        silence(lines, first)
    return Cells("\n".join(lines).encode("utf-8", "replace"), places, frozenset(cuts))


def pieces(raw: str) -> list[tuple[str, int, bool]]:
    """The lines of a JSON string: text, offset in the string as written, whether a line feed follows."""
    out: list[tuple[str, int, bool]] = []
    start = 0
    for escape in _ESCAPE.finditer(raw):
        if escape.group() == "\\n":
            out.append((unescaped(raw[start : escape.start()]), start, True))
            start = escape.end()
    out.append((unescaped(raw[start:]), start, False))
    return out


def unescaped(raw: str) -> str:
    if "\\" not in raw:
        return raw
    # A lone surrogate cannot be written down again; a tab or carriage return stays what it is.
    return str(json.loads(f'"{raw}"')).replace("\r", "").encode("utf-8", "replace").decode()


def silence(lines: list[str], first: int) -> None:
    """Shell lines, magics and cells in other languages."""
    whole = lines[first].lstrip() if len(lines) > first else ""
    foreign = whole.startswith("%%") and not whole.startswith(_PYTHON_CELLS)
    for at in range(first, len(lines)):
        text = lines[at]
        if foreign:
            lines[at] = ""
        elif _MAGIC.match(text):
            lines[at] = text[: len(text) - len(text.lstrip())] + "0"
