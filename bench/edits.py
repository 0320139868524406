"""A tree of Python files in; one random edit of a function's body or signature after the other, out."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Edit(NamedTuple):
    file: str
    function: str
    what: str


class Editor:
    """Every file still parses after every edit."""

    def __init__(self, root: Path, files: list[str], seed: int) -> None:
        self.root = root
        self.files = files
        self.pick = random.Random(seed)
        self.number = 0

    def edit(self) -> Edit:
        while True:
            file = self.pick.choice(self.files)
            path = self.root / file
            try:
                text = path.read_bytes().decode("utf-8")
                functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, Function)]
            except (SyntaxError, ValueError):
                continue
            if not functions:
                continue
            function = self.pick.choice(functions)
            self.number += 1
            what = self.pick.choice(("call", "drop", "parameter", "return"))
            changed = getattr(self, f"_{what}")(text.split("\n"), function, functions)
            if changed is None or not _parses(changed):
                continue
            path.write_bytes(changed.encode("utf-8"))
            return Edit(file, function.name, what)

    def _call(self, lines: list[str], function: Function, functions: list[Function]) -> str | None:
        """Calls another function of the file."""
        return self._insert(lines, function, f"{self.pick.choice(functions).name}()")

    def _return(self, lines: list[str], function: Function, functions: list[Function]) -> str | None:
        """Hands another function of the file back, sometimes."""
        return self._insert(lines, function, f"if edited{self.number}: return {self.pick.choice(functions).name}")

    def _drop(self, lines: list[str], function: Function, functions: list[Function]) -> str | None:
        del functions
        if len(function.body) < 2:
            return None
        victim = self.pick.choice(function.body)
        assert victim.end_lineno is not None
        return "\n".join([*lines[: victim.lineno - 1], *lines[victim.end_lineno :]])

    def _parameter(self, lines: list[str], function: Function, functions: list[Function]) -> str | None:
        """Adds a parameter with a default, in front of nothing that has none."""
        del functions
        given = function.args
        if given.vararg or given.kwarg or given.kwonlyargs or function.returns:
            return None
        at = function.body[0].lineno - 2
        line = lines[at] if at >= 0 else ""
        if not line.endswith("):"):
            return None
        comma = "" if line.endswith(("():", ",):")) else ", "
        lines[at] = f"{line[:-2]}{comma}edited{self.number}=None):"
        return "\n".join(lines)

    def _insert(self, lines: list[str], function: Function, statement: str) -> str | None:
        first = function.body[0]
        line = lines[first.lineno - 1]
        indent = line[: len(line) - len(line.lstrip())]
        if len(indent) != first.col_offset:
            return None
        return "\n".join([*lines[: first.lineno - 1], indent + statement, *lines[first.lineno - 1 :]])


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
