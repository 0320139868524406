"""A JSON text, comments and trailing commas allowed, in; the same text with one entry set or removed, out.

Everything that is not the entry stays as it is, to the byte: the text is cut and joined, never written anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from codegps.errors import CodeGPSError

DEPTH_LIMIT = 200


class Member(NamedTuple):
    key: str
    start: int
    """Where the key's quote stands."""
    value: Node
    comma: int
    """Where the comma after it stands, -1 if there is none."""


class Node(NamedTuple):
    start: int
    end: int
    data: Any
    members: list[Member] | None
    """Of an object; None for everything else."""

    def member(self, key: str) -> Member | None:
        """The last of that name: it is the one that counts."""
        return next((m for m in reversed(self.members or []) if m.key == key), None)


def parse(text: str) -> Node:
    """The document, or a `CodeGPSError` that begins with `line N: `."""
    reader = _Reader(text)
    node = reader.value(reader.skip(0), 0)
    end = reader.skip(node.end)
    if end < len(text):
        raise reader.wrong(end, "something follows the end of the document")
    return node


class _Reader:
    _SPACE = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
    _STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
    _ATOM = re.compile(r"[-+.\w]+")

    def __init__(self, text: str) -> None:
        self.text = text

    def wrong(self, position: int, what: str) -> CodeGPSError:
        return CodeGPSError(f"line {self.text.count(chr(10), 0, position) + 1}: {what}")

    def skip(self, position: int) -> int:
        found = self._SPACE.match(self.text, position)
        return found.end() if found else position

    def value(self, position: int, depth: int) -> Node:
        if depth > DEPTH_LIMIT:
            raise self.wrong(position, "too deeply nested")
        char = self.text[position : position + 1]
        if char == "{":
            return self.object(position, depth)
        if char == "[":
            return self.array(position, depth)
        if char == '"':
            data, end = self.string(position)
            return Node(position, end, data, None)
        found = self._ATOM.match(self.text, position)
        if not found:
            raise self.wrong(position, "a value is missing" if char else "the document ends too early")
        try:
            return Node(position, found.end(), json.loads(found[0]), None)
        except ValueError:
            raise self.wrong(position, f"{found[0][:40]} is no value") from None

    def string(self, position: int) -> tuple[str, int]:
        found = self._STRING.match(self.text, position)
        if not found:
            raise self.wrong(position, "a string is expected here, or is not closed")
        try:
            return json.loads(found[0], strict=False), found.end()
        except ValueError:
            raise self.wrong(position, "a string has a wrong escape") from None

    def object(self, start: int, depth: int) -> Node:
        members: list[Member] = []
        position = self.skip(start + 1)
        while self.text[position : position + 1] != "}":
            key, end = self.string(position)
            colon = self.skip(end)
            if self.text[colon : colon + 1] != ":":
                raise self.wrong(colon, f'after "{key[:40]}" a colon is missing')
            value = self.value(self.skip(colon + 1), depth + 1)
            after = self.skip(value.end)
            comma = after if self.text[after : after + 1] == "," else -1
            members.append(Member(key, position, value, comma))
            position = self.separator(after, comma, "}")
        return Node(start, position + 1, {m.key: m.value.data for m in members}, members)

    def array(self, start: int, depth: int) -> Node:
        items: list[Any] = []
        position = self.skip(start + 1)
        while self.text[position : position + 1] != "]":
            value = self.value(position, depth + 1)
            items.append(value.data)
            after = self.skip(value.end)
            position = self.separator(after, after if self.text[after : after + 1] == "," else -1, "]")
        return Node(start, position + 1, items, None)

    def separator(self, after: int, comma: int, close: str) -> int:
        if comma >= 0:
            return self.skip(comma + 1)
        if self.text[after : after + 1] != close:
            raise self.wrong(after, f"a comma or {close} is missing")
        return after


# --- edits ------------------------------------------------------------------------------------------------------------


def set_entry(text: str, path: tuple[str, ...], value: Mapping[str, Any]) -> str:
    """The text with this object at this path; further keys that the entry has already are left alone."""
    newline = "\r\n" if "\r\n" in text else "\n"
    if not text.strip("\ufeff \t\r\n"):
        return text.rstrip(" \t\r\n") + json.dumps(_nested(path, value), indent=2).replace("\n", newline) + newline
    node = parse(text)
    if node.members is None:
        raise _Reader(text).wrong(node.start, "the document must be an object")
    for i, key in enumerate(path):
        member = node.member(key)
        if member is None:
            return _insert(text, node, key, _nested(path[i + 1 :], value), newline)
        if member.value.members is None:
            raise _Reader(text).wrong(member.start, f'"{key}" must be an object')
        node = member.value
    for key, wanted in value.items():
        (node,) = [_at(parse(text), path)]
        member = node.member(key)
        if member is None:
            text = _insert(text, node, key, wanted, newline)
        elif member.value.data != wanted:
            made = _written(text, member.start, wanted, newline)
            text = text[: member.value.start] + made + text[member.value.end :]
    return text


def remove_entry(text: str, path: tuple[str, ...]) -> str:
    """The text without the entry at this path; as it is where there is none."""
    if not text.strip("\ufeff \t\r\n"):
        return text
    parent = parse(text)
    for key in path[:-1]:
        member = parent.member(key)
        if member is None:
            return text
        parent = member.value
    removed = False
    while (member := parent.member(path[-1])) is not None:
        text = _cut(text, parent, member)
        parent = _at(parse(text), path[:-1])
        removed = True
    if removed and not text[parent.start + 1 : parent.end - 1].strip():
        text = text[: parent.start] + "{}" + text[parent.end :]
    return text


def _at(node: Node, path: tuple[str, ...]) -> Node:
    for key in path:
        member = node.member(key)
        assert member is not None
        node = member.value
    return node


def _nested(path: tuple[str, ...], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _insert(text: str, parent: Node, key: str, value: Any, newline: str) -> str:
    assert parent.members is not None
    close = parent.end - 1
    content = len(text[: parent.end - 1].rstrip(" \t\r\n"))
    last = parent.members[-1] if parent.members else None
    whole = text.strip("\ufeff \t\r\n")
    spread = "\n" in text[parent.start : parent.end] if last else "\n" in whole or whole == "{}"
    if not spread:
        made = f'"{key}": {json.dumps(value)}'
        entry = made if not last else (" " if last.comma >= 0 else ", ") + made
        place = content if last else parent.start + 1
        return text[:place] + entry + text[place:]
    outer = _indent(text, parent.start)
    inner = _indent(text, last.start) if last and _first_on_line(text, last.start) else outer + _unit(text)
    body = json.dumps(value, indent=_unit(text)).replace("\n", newline + inner)
    trailing = "," if last and last.comma >= 0 else ""
    entry = f'{newline}{inner}"{key}": {body}{trailing}'
    tail = text[content:close] if "\n" in text[content:close] else newline + outer
    if last and last.comma < 0:
        # The comma goes right behind the value: a comment may follow it.
        return text[: last.value.end] + "," + text[last.value.end : content] + entry + tail + text[close:]
    return text[:content] + entry + tail + text[close:]


def _written(text: str, place: int, value: Any, newline: str) -> str:
    if "\n" not in text:
        return json.dumps(value)
    return json.dumps(value, indent=_unit(text)).replace("\n", newline + _indent(text, place))


def _cut(text: str, parent: Node, member: Member) -> str:
    assert parent.members is not None
    start, end = member.start, member.value.end
    removed_before = -1
    if member.comma >= 0 and not text[end : member.comma].strip():
        end = member.comma + 1
    elif member.comma >= 0:
        # A comment stands between the value and its comma: the comment stays.
        text = text[: member.comma] + text[member.comma + 1 :]
    else:
        index = parent.members.index(member)
        removed_before = parent.members[index - 1].comma if index else -1
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    if not text[line_start:start].strip() and not text[end:line_end].strip():
        before = line_start - 1 if line_start else 0
        if text[:before].endswith("\r"):
            before -= 1
        start, end = before, line_end - 1 if text[:line_end].endswith("\r") else line_end
    elif text[end : end + 1] == " " and member.comma >= 0:
        end += 1
    elif removed_before >= 0 and not text[removed_before + 1 : start].strip():
        start, removed_before = removed_before, -1
    text = text[:start] + text[end:]
    if removed_before >= 0:
        text = text[:removed_before] + text[removed_before + 1 :]
    return text


def _first_on_line(text: str, position: int) -> bool:
    return not text[text.rfind("\n", 0, position) + 1 : position].strip("\ufeff \t")


def _indent(text: str, position: int) -> str:
    """The white space at the beginning of the line."""
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """What one level of this document is indented by."""
    found = re.search(r'\n([ \t]+)["}]', text)
    return found[1] if found else "  "
