"""Broken text in; text of as many lines out, in which only the statements with a syntax error are gone.

After an unclosed bracket or string the parser alone would lose the rest of the file. So the text is first cut into
logical lines, where an open bracket ends at the next line that can only start a statement; then statements are parsed
one by one, from the outside inwards, until those that are wrong are found. They become `0`; a broken header of a `def`
or `class` keeps its name.
"""

from __future__ import annotations

import re

from codegps.languages.python import nodes as n
from codegps.languages.python.decode import Problem
from codegps.languages.python.lines import Logical, indent_of, split
from codegps.parse import parse_patiently

_HEADER = re.compile(r"(async\s+def|def|class)\s+(\w+)")
_PARAMETER = re.compile(r"(\*{0,2}[^\W\d][\w.]*)\s*(?:[:=].*)?$", re.DOTALL)
_COMPOUND = re.compile(r"(async\s+)?(if|for|while|with|try|elif|else|except|finally|match|case)\b")
_CLAUSE = re.compile(r"(elif|else|except|finally)\b")
_OPENERS = frozenset({"if", "for", "while", "try", "async"})
_GONE = "syntax error: this statement is left out"
_HEADER_GONE = "syntax error in this header: only its names are kept"
_TEST_GONE = "syntax error in this line: what it governs is kept"


def broken(source: bytes) -> bool:
    """Whether the parser stumbles anywhere, but for type parameter defaults, which the grammar does not know."""
    tree = parse_patiently("python", source)
    if tree is None:
        return True
    root = tree.root_node
    if not root.has_error:
        return False
    rest = [root]
    while rest:
        node = rest.pop()
        if node.is_missing:
            return True
        for child in node.children:
            if child.kind_id == n.ERROR and node.kind_id != n.TYPE_PARAMETER:
                return True
            if child.has_error and child.kind_id != n.ERROR:
                rest.append(child)
    return False


def recover(source: bytes, cuts: frozenset[int] = frozenset()) -> Recovery:
    """`cuts`: lines (from 0) before which every statement ends: a notebook's cells."""
    recovery = Recovery(source, cuts)
    recovery.run()
    return recovery


class Recovery:
    def __init__(self, source: bytes, cuts: frozenset[int]) -> None:
        self.lines = source.decode("utf-8", "replace").split("\n")
        self.problems: list[Problem] = []
        self.logical = split(self.lines, cuts)
        self.shifts: dict[int, int] = {}
        """Line, from 0 → columns by which its text was moved to the left."""

    def run(self) -> None:
        for at, line in enumerate(self.logical):
            if line.broken:
                following = self.logical[at + 1] if at + 1 < len(self.logical) else None
                governs = following is not None and following.indent > line.indent
                if governs and at and following is not None and self.logical[at - 1].indent >= following.indent:
                    governs = bool(_HEADER.match(text := self.lines[line.first].strip()) or _COMPOUND.match(text))
                    line.indent = line.indent if governs else following.indent
                self.drop(line, governs)
        self.straighten()
        if broken(self.text(0, len(self.lines))):
            self.mend(self.logical, 0)
        self.problems.sort()

    @property
    def result(self) -> bytes:
        return self.text(0, len(self.lines))

    def straighten(self) -> None:
        """Lines that stand at no level of the blocks around go to the next one inwards."""
        levels = [0]
        opens = False
        for line in self.logical:
            indent = line.indent
            if opens and indent > levels[-1]:
                levels.append(indent)
            else:
                inner = levels[-1]
                while len(levels) > 1 and levels[-1] > indent:
                    inner = levels.pop()
                if levels[-1] != indent:
                    if levels[-1] < indent and inner > levels[-1]:
                        levels.append(inner)
                    self.move(line, levels[-1])
            text = "\n".join(self.lines[line.first : line.end]).strip()
            opens = text.partition("#")[0].rstrip().endswith(":") or (
                ":" in text and bool(_HEADER.match(text) or _COMPOUND.match(text))
            )

    def move(self, line: Logical, indent: int) -> None:
        text = self.lines[line.first]
        if text.strip() and indent_of(text) != indent:
            self.lines[line.first] = " " * indent + text.lstrip()
            self.shifts[line.first] = len(text) - len(text.lstrip()) - indent
            self.problems.append((line.first + 1, "the indentation fits no block: read as part of the one before"))
        line.indent = indent

    def text(self, first: int, end: int) -> bytes:
        return "\n".join(self.lines[first:end]).encode("utf-8", "replace")

    def drop(self, line: Logical, governs: bool, orphan: bool = False) -> None:
        """Takes a statement out; a header that governs a block stays one."""
        old = self.lines[line.first]
        indent = old[: len(old) - len(old.lstrip())]
        rest = old.lstrip()
        header = _HEADER.match(rest)
        compound = _COMPOUND.match(rest)
        new, message = "0", _GONE
        if header:
            whole = "\n".join(self.lines[line.first : line.end])
            new = salvaged(" ".join(header.group(1).split()), header.group(2), whole) + ("" if governs else " pass")
            message = _HEADER_GONE
        elif rest.startswith("@"):
            new = ""
        elif line.indent != indent_of(old):
            # It stands further out than the block that goes on behind it.
            indent, new = " " * line.indent, "0"
        elif governs and orphan:
            new, message = "if 1:", _TEST_GONE
        elif governs and compound:
            word = compound.group(2)
            new = {"else": "else:", "finally": "finally:", "try": "try:", "case": "case _:"}.get(word, "if 1:")
            new = {"elif": "elif 1:", "except": "except Exception:", "match": "match 0:"}.get(word, new)
            message = _TEST_GONE
        elif governs:
            new, message = "if 1:", _TEST_GONE
        self.lines[line.first] = indent + new
        for number in range(line.first + 1, line.end):
            self.lines[number] = ""
        line.word = new.partition(" ")[0].rstrip(":()")
        self.problems.append((line.first + 1, message))

    def mend(self, logical: list[Logical], depth: int) -> None:
        """Finds the broken statements among these lines, which are one block."""
        if depth > 100:
            return
        for group in groups(logical):
            if self.wrong(group):
                self.mend_group(group, depth)

    def wrong(self, group: list[Logical]) -> bool:
        """Whether a statement with all that belongs to it fails to parse on its own."""
        text = self.text(group[0].first, group[-1].end)
        if group[0].word == "case":
            text = b"match 0:\n" + (text if group[0].indent else indented(text))
        elif group[0].indent:
            text = b"if 1:\n" + text
        return broken(text + b"\n")

    def mend_group(self, group: list[Logical], depth: int) -> None:
        base = group[0].indent
        if len(group) == 1:
            self.drop(group[0], False)
            return
        body: list[Logical] = []
        for at, line in enumerate(group):
            if line.indent > base:
                body.append(line)
                continue
            self.mend(body, depth + 1)
            body = []
            governs = at + 1 < len(group) and group[at + 1].indent > base
            orphan = at > 0 and bool(_CLAUSE.match(line.word)) and group[0].word not in _OPENERS
            if orphan or self.wrong_header(line, governs):
                self.drop(line, governs, orphan)
        self.mend(body, depth + 1)

    def wrong_header(self, line: Logical, governs: bool) -> bool:
        """Whether this line alone, with a block of its own to govern, fails to parse."""
        text = "\n".join(self.lines[line.first : line.end]).strip()
        word = line.word
        if text.startswith("@"):
            return broken(text.encode() + b"\ndef f(): pass\n")
        if governs or _COMPOUND.match(text):
            tail = "" if not governs else "\n  case _: pass" if word == "match" else "\n  pass"
            before = ""
            if word in ("elif", "else"):
                before = "if 1:\n pass\n"
            elif word in ("except", "finally"):
                before = "try:\n pass\n"
            elif word == "case":
                return broken(f"match 0:\n {text}{tail}\n".encode())
            elif word == "try":
                tail += "\nfinally: pass"
            return broken(f"{before}{text}{tail}\n".encode())
        return broken(text.encode() + b"\n")


def salvaged(keyword: str, name: str, whole: str) -> str:
    """A header as far as it can be understood: the names of parameters or bases, without types and defaults."""
    inside = whole.partition("(")[2].rpartition(")")[0] or whole.partition("(")[2].rstrip().rstrip(":")
    found: dict[str, None] = {}
    for part in inside.split(","):
        word = _PARAMETER.match(part.strip())
        if word is not None:
            found[word.group(1)] = None
    text = f"{keyword} {name}({', '.join(found)}):"
    if not broken(f"{text} pass\n".encode()):
        return text
    return f"{keyword} {name}:" if keyword == "class" else f"{keyword} {name}():"


def indented(text: bytes) -> bytes:
    return b"\n".join(b" " + line for line in text.split(b"\n"))


def groups(logical: list[Logical]) -> list[list[Logical]]:
    """Statements of a block: each with its block, its further clauses, and the decorators before it."""
    out: list[list[Logical]] = []
    base = logical[0].indent if logical else 0
    decorators = False
    for line in logical:
        base = min(base, line.indent)
        starts = line.indent <= base and not _CLAUSE.match(line.word)
        if out and (not starts or decorators):
            out[-1].append(line)
        else:
            out.append([line])
        decorators = line.word.startswith("@") if line.indent <= base else False
    return out
