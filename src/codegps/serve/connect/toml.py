"""A TOML text in; the same text with one table set or removed, out. Everything else stays, to the byte."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from codegps.errors import CodeGPSError

_HEADER = re.compile(r"\s*\[(?!\[)\s*[^\]]+\]\s*(#.*)?$")
_ANY_HEADER = re.compile(r"\s*\[\[?\s*[\w\"'. -]+\]\]?\s*(#.*)?$")


def parse(text: str) -> dict[str, Any]:
    """The document, or a `CodeGPSError` that begins with `line N: `."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        what = str(error)
        found = re.search(r"\(at (?:line (\d+), column \d+|end of document)\)", what)
        line = found[1] if found and found[1] else str(text.count("\n") + 1)
        raise CodeGPSError(f"line {line}: {what.partition(' (at ')[0]}") from None


def set_entry(text: str, path: tuple[str, ...], value: Mapping[str, Any]) -> str:
    """The text with this table; further keys that it has already are left alone."""
    newline = "\r\n" if "\r\n" in text else "\n"
    present = _found(parse(text), path)
    if present is None:
        body = [f"[{'.'.join(path)}]", *(f"{key} = {_literal(one)}" for key, one in value.items())]
        before = text if not text or text.endswith("\n") else text + newline
        gap = newline if before.strip() else ""
        return before + gap + newline.join(body) + newline
    for key, wanted in value.items():
        if present.get(key) != wanted:
            text = _set_key(text, path, key, f"{key} = {_literal(wanted)}", newline)
    return text


def remove_entry(text: str, path: tuple[str, ...]) -> str:
    """The text without the table and the tables below it; as it is where there is none."""
    if _found(parse(text), path) is None:
        return text
    lines = text.splitlines(keepends=True)
    spans = [(start, end) for start, end, name in _tables(lines) if name[: len(path)] == path]
    if not spans:
        raise _unusual(path)
    for start, end in reversed(spans):
        # One blank line before the table goes with it.
        first = start - 1 if start and not lines[start - 1].strip() else start
        del lines[first:end]
    return "".join(lines)


def _set_key(text: str, path: tuple[str, ...], key: str, line: str, newline: str) -> str:
    lines = text.splitlines(keepends=True)
    span = next(((start, end) for start, end, name in _tables(lines) if name == path), None)
    if span is None:
        raise _unusual(path)
    start, end = span
    for i in range(start + 1, end):
        if re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", lines[i]):
            stop = next((j for j in range(i + 1, end + 1) if _whole("".join(lines[i:j]))), end)
            lines[i:stop] = [line + newline]
            return "".join(lines)
    if not lines[start].endswith("\n"):
        lines[start] += newline
    lines.insert(start + 1, line + newline)
    return "".join(lines)


def _whole(text: str) -> bool:
    try:
        tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError:
        return False
    return True


def _tables(lines: list[str]) -> list[tuple[int, int, tuple[str, ...]]]:
    """First line, line after the last that belongs to it, and name of each table that has a header."""
    starts = [i for i, line in enumerate(lines) if _ANY_HEADER.match(line)]
    found: list[tuple[int, int, tuple[str, ...]]] = []
    for i, following in zip(starts, [*starts[1:], len(lines)], strict=True):
        if not _HEADER.match(lines[i]):
            continue
        end = following
        while end > i + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
            end -= 1
        found.append((i, end, _name(lines[i])))
    return found


def _name(header: str) -> tuple[str, ...]:
    try:
        node: Any = tomllib.loads(header.replace("\r", ""))
    except tomllib.TOMLDecodeError:
        return ()
    names: list[str] = []
    while node:
        (name,) = node
        names.append(name)
        node = node[name]
    return tuple(names)


def _found(data: Any, path: tuple[str, ...]) -> dict[str, Any] | None:
    for key in path:
        if not isinstance(data, dict):
            raise CodeGPSError(f"{'.'.join(path)} is no table")
        data = data.get(key)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        if data is None:
            return None
    if not isinstance(data, dict):
        raise CodeGPSError(f"{'.'.join(path)} is no table")
    return data  # pyright: ignore[reportUnknownVariableType]


def _literal(value: Any) -> str:
    """Strings, booleans and lists of strings are written in TOML as in JSON."""
    return json.dumps(value, ensure_ascii=False)


def _unusual(path: tuple[str, ...]) -> CodeGPSError:
    return CodeGPSError(f"{'.'.join(path)} is written without a header of its own; please change it by hand")
