"""A JSON text in, comments and trailing commas allowed where asked for; its value out, or `Broken` with the line."""

from __future__ import annotations

import codecs
import json
import re
from typing import Final, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

DEPTH: Final = 200
# No possessive quantifiers: Python 3.11.0 to 3.11.4 match some wrongly. These do not backtrack over one another.
_SPACE: Final = re.compile(r"(?:[ \t\r\n\f\v\ufeff]+|//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*")
_STRING: Final = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"')
_ATOM: Final = re.compile(r"[-+.\w]+")
_MARKS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class Broken(ValueError):
    """Not such a text."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def decoded(data: bytes) -> str:
    """The text of a project file, whatever editor wrote it."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    return data.decode("utf-8", "replace")


def strict(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except json.JSONDecodeError as error:
        raise Broken(error.lineno, error.msg) from None
    except RecursionError:
        raise Broken(1, "too deeply nested") from None
    except ValueError as error:
        raise Broken(1, str(error)) from None
    return value


def lenient(text: str) -> Json:
    """With comments and trailing commas; a text without a value is an empty object."""
    try:
        return strict(text)
    except Broken:
        return _Reader(text).document()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def document(self) -> Json:
        self.skip()
        if self.at == len(self.text):
            return {}
        value = self.value(0)
        self.skip()
        if self.at < len(self.text):
            raise self.wrong("something follows the end")
        return value

    def wrong(self, what: str) -> Broken:
        return Broken(self.text.count("\n", 0, self.at) + 1, what)

    def skip(self) -> str:
        """The character after blanks and comments."""
        found = _SPACE.match(self.text, self.at)
        if found:
            self.at = found.end()
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Json:
        char = self.skip()
        if depth > DEPTH:
            raise self.wrong("too deeply nested")
        if char == "{":
            return self.object(depth)
        if char == "[":
            return self.array(depth)
        if char == '"':
            return self.string()
        found = _ATOM.match(self.text, self.at)
        if found is None:
            raise self.wrong("a value is missing")
        try:
            value: Json = json.loads(found[0])
        except ValueError:
            raise self.wrong(f"{found[0][:40]} is no value") from None
        self.at = found.end()
        return value

    def string(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            raise self.wrong("a string is expected here, or is not closed")
        try:
            value: Json = json.loads(found[0], strict=False)
        except ValueError:
            raise self.wrong("a string has a wrong escape") from None
        self.at = found.end()
        return str(value)

    def object(self, depth: int) -> Json:
        self.at += 1
        members: dict[str, Json] = {}
        while self.skip() != "}":
            key = self.string()
            if self.skip() != ":":
                raise self.wrong(f'after "{key[:40]}" a colon is missing')
            self.at += 1
            members[key] = self.value(depth + 1)
            self.comma("}")
        self.at += 1
        return members

    def array(self, depth: int) -> Json:
        self.at += 1
        items: list[Json] = []
        while self.skip() != "]":
            items.append(self.value(depth + 1))
            self.comma("]")
        self.at += 1
        return items

    def comma(self, close: str) -> None:
        char = self.skip()
        if char == ",":
            self.at += 1
        elif char != close:
            raise self.wrong(f"a comma or {close} is missing")
