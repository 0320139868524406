"""Logical lines of text that may be broken: brackets and strings are followed as far as they can be trusted."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(r"""\#.*|'''|\"""|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()\[\]{}]|["']""")
_DEFINITION = re.compile(r"(?:(?:async\s+)?def\s+\w+\s*[(\[]|class\s+\w+\s*[(\[:])")
_HEADER = re.compile(r"(?:async|def|class|if|elif|else|for|while|with|try|except|match|case)\b")
_DECORATOR = re.compile(r"@\w[\w.]*\s*(?:\(.*)?$")
_STATEMENT = re.compile(
    r"(?:return|raise|pass|break|continue|import|while|with|try|del|assert|global|nonlocal|except|finally|elif)\b(?!\s*=)"
)
_NAME = re.compile(r"[^\W\d]|@")
_WORD = re.compile(r"@|\w+")
_PAIRS = {")": "(", "]": "[", "}": "{"}


@dataclass(slots=True)
class Logical:
    first: int
    """Number of its first line, from 0."""
    end: int
    """Number behind its last line."""
    indent: int
    word: str
    """Its first word."""
    broken: bool = False


def indent_of(line: str) -> int:
    """Columns before the text; a tab goes to the next eighth."""
    column = 0
    for char in line:
        if char == " ":
            column += 1
        elif char == "\t":
            column += 8 - column % 8
        elif char != "\f":
            break
    return column


def split(lines: list[str], cuts: frozenset[int] = frozenset()) -> list[Logical]:
    """All logical lines. A triple-quoted string that never ends is looked for among those that swallow definitions."""
    scan = Scan(lines, cuts, frozenset())
    found = scan.run()
    if scan.open_string < 0:
        return found
    suspects = scan.suspects[:20]
    for suspect in suspects:
        again = Scan(lines, cuts, frozenset({suspect}))
        cut = again.run()
        if again.open_string < 0:
            return cut
    if suspects:
        return Scan(lines, cuts, frozenset(suspects)).run()
    return found


class Scan:
    """One pass over the lines; strings that start in the lines `unclosed` end before the definition they swallow."""

    def __init__(self, lines: list[str], cuts: frozenset[int], unclosed: frozenset[int]) -> None:
        self.lines = lines
        self.cuts = cuts
        self.unclosed = unclosed
        self.open_string = -1
        self.suspects: list[int] = []
        self.jump = -1
        """Where the logical line ends that an unclosed string has broken."""

    def run(self) -> list[Logical]:
        out: list[Logical] = []
        at = 0
        while at < len(self.lines):
            text = self.lines[at].strip()
            if not text or text.startswith("#"):
                at += 1
                continue
            word = _WORD.match(text)
            line = Logical(at, at + 1, indent_of(self.lines[at]), word.group() if word else text[0])
            self.follow(line)
            out.append(line)
            at = line.end
        return out

    def follow(self, line: Logical) -> None:
        """Finds where a logical line ends."""
        stack: list[str] = []
        candidate = -1
        number = line.first
        column = 0
        while True:
            number, column, more = self.physical(line, number, column, stack)
            if self.jump >= 0:
                line.end, self.jump = self.jump, -1
                return
            if line.broken and not stack:
                line.end = number + 1
                return
            if not stack and not more:
                line.end = number + 1
                return
            number += 1
            column = 0
            if number >= len(self.lines) or number in self.cuts:
                line.broken = line.broken or bool(stack)
                line.end = self.cut(line, candidate, number) if stack else number
                return
            if stack and self.starts_statement(number, line.indent):
                line.broken = True
                line.end = self.cut(line, candidate, number)
                return
            text = self.lines[number]
            if candidate < 0 and indent_of(text) <= line.indent and _NAME.match(text.strip()[:1]):
                candidate = number

    def cut(self, line: Logical, candidate: int, number: int) -> int:
        """Where a line with an open bracket ends: a header with its colon, else at the next likely line."""
        text = self.lines[line.first].strip()
        if text.endswith(":") and _HEADER.match(text):
            return line.first + 1
        return candidate if candidate > 0 else number

    def starts_statement(self, number: int, indent: int) -> bool:
        """Whether this line can stand in no bracket."""
        text = self.lines[number].strip()
        if _DEFINITION.match(text) or _STATEMENT.match(text):
            return True
        return indent_of(self.lines[number]) <= indent and _DECORATOR.match(text) is not None

    def physical(self, line: Logical, number: int, column: int, stack: list[str]) -> tuple[int, int, bool]:
        """Reads to the end of a line, and on through strings; true where a backslash joins the next."""
        while True:
            text = self.lines[number]
            found = _TOKEN.search(text, column)
            if found is None:
                return number, column, text.endswith("\\") and not text[column:].lstrip().startswith("#")
            token = found.group()
            column = found.end()
            if token.startswith("#"):
                return number, len(text), False
            if token in ("'''", '"""'):
                ended = self.string_end(line, number, column, token)
                if ended is None:
                    return number, len(text), False
                number, column = ended
            elif token in "([{":
                stack.append(token)
            elif token in _PAIRS:
                if stack and stack[-1] == _PAIRS[token]:
                    stack.pop()
                else:
                    line.broken = True
                    stack.clear()
            elif token in "\"'":
                if text.endswith("\\"):
                    number, column, closed = self.joined_string(number, token)
                    line.broken = line.broken or not closed
                    continue
                line.broken = True
                stack.clear()
                return number, len(text), False

    def joined_string(self, number: int, quote: str) -> tuple[int, int, bool]:
        """A plain string that goes on behind backslashes at line ends."""
        while number + 1 < len(self.lines) and self.lines[number].endswith("\\"):
            number += 1
            closing = re.match(rf"(?:[^{quote}\\]|\\.)*{quote}", self.lines[number])
            if closing:
                return number, closing.end(), True
        return number, len(self.lines[number]), False

    def string_end(self, line: Logical, number: int, column: int, quotes: str) -> tuple[int, int] | None:
        """Line and column behind a triple-quoted string; None where the logical line is broken by it."""
        first = number
        swallowed = -1
        while number < len(self.lines):
            if number > first:
                if number in self.cuts:
                    break
                text = self.lines[number]
                if swallowed < 0 and indent_of(text) <= line.indent and _DEFINITION.match(text.strip()):
                    swallowed = number
                    if first in self.unclosed:
                        break
                column = 0
            closing = self.closing(number, column, quotes)
            if closing >= 0:
                if swallowed >= 0:
                    self.suspects.append(first)
                return number, closing
            number += 1
        line.broken = True
        if swallowed >= 0 and first not in self.unclosed:
            self.suspects.append(first)
        if number >= len(self.lines):
            self.open_string = first
        self.jump = swallowed if swallowed >= 0 else number
        return None

    def closing(self, number: int, column: int, quotes: str) -> int:
        text = self.lines[number]
        while (at := text.find(quotes, column)) >= 0:
            slashes = at - len(text[:at].rstrip("\\"))
            if slashes % 2 == 0:
                return at + 3
            column = at + 1
        return -1
