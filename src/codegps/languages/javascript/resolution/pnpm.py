"""`pnpm-workspace.yaml` in; the patterns of its `packages` list out. Reads this list of it and nothing else."""

from __future__ import annotations

import re
from typing import Final

_TOKEN: Final = re.compile(r""""[^"]*"|'(?:[^']|'')*'|\]|[^\s,\[\]"'][^,\[\]]*""")


def package_patterns(text: str) -> list[str]:
    lines = text.splitlines()
    for at, line in enumerate(lines):
        found = re.match(r"""\ufeff?(?:packages|"packages"|'packages')\s*:(?:\s+(.*))?$""", line)
        if found:
            rest = _without_comment(found[1] or "").strip()
            return _flow([rest, *lines[at + 1 :]]) if rest.startswith("[") else _block(lines[at + 1 :])
    return []


def _block(lines: list[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        bare = _without_comment(line)
        if not bare.strip():
            continue
        item = re.match(r"\s*-\s+(.*)$", bare)
        if item is None:
            break
        found.append(_plain(item[1].strip()))
    return [one for one in found if one]


def _flow(lines: list[str]) -> list[str]:
    found: list[str] = []
    inside = " ".join(_without_comment(line) for line in lines)
    for token in _TOKEN.finditer(inside, 1):
        if token[0] == "]":
            break
        found.append(_plain(token[0].strip()))
    return [one for one in found if one]


def _plain(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1].replace("\\\\", "\\").replace('\\"', '"')
    return value


def _without_comment(line: str) -> str:
    """Without what follows a `#` that is not in quotes."""
    quote = ""
    for at, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "#" and (at == 0 or line[at - 1] in " \t"):
            return line[:at]
    return line
