"""A project's tests in; for each call site that ran, the project's functions that it really entered, out.

    python tracer.py OUT ROOT PATH… -- PYTEST ARGUMENTS…

Runs in the project's own environment and needs nothing but the standard library and pytest. Every module of ROOT is
compiled with its written calls marked: `f(x)` becomes `__mark__(n, f)(x)`, so a call is known by the exact place of its
callee, whatever the version of Python, and the value called there says which function is entered. What a library
calls, module and class bodies, comprehensions and resumed generators carry no mark. PATH… go in front of `sys.path`.
"""

from __future__ import annotations

import ast
import builtins
import functools
import json
import sys
import types
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

UNMARKED = frozenset({"super", "locals", "globals", "vars", "eval", "exec", "dir", "__import__"})
"""They look at the frame that calls them, or the compiler looks for them."""
LRU = type(functools.lru_cache(lambda: None))

Place = tuple[str, int, int]
"""File relative to the root, line and column (1-based, in code points) of the callee's last name token."""


class Marking(ast.NodeTransformer):
    """Wraps the callee of every written call."""

    def __init__(self, file: str, source: str, marks: list[Place]) -> None:
        self.file = file
        self.lines = source.split("\n")
        self.marks = marks

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in UNMARKED:
            return node
        place = self.place(node.func)
        if place is None:
            return node
        self.marks.append((self.file, *place))
        mark = ast.Call(ast.Name("__mark__", ast.Load()), [ast.Constant(len(self.marks) - 1), node.func], [])
        node.func = ast.copy_location(mark, node.func)
        ast.fix_missing_locations(mark)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:
        # Before 3.12 the places inside an f-string are not its own.
        return node if sys.version_info < (3, 12) else self.inside(node)

    def inside(self, node: ast.JoinedStr) -> ast.JoinedStr:
        self.generic_visit(node)
        return node

    def place(self, func: ast.expr) -> tuple[int, int] | None:
        line, end = func.end_lineno, func.end_col_offset
        if line is None or end is None or line > len(self.lines):
            return None
        raw = self.lines[line - 1].encode()
        name = func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
        named = (line, column(raw, end - len(name.encode())))
        while True:
            while end < len(raw):
                letter = raw[end : end + 1]
                if letter == b"(":
                    return named if name else (line, column(raw, end))
                if letter == b")":
                    name = ""  # `(f)()`: what is in parentheses does not end in a name
                elif letter == b"#":
                    break
                end += 1
            line, end = line + 1, 0
            if line > len(self.lines):
                return None
            raw = self.lines[line - 1].encode()


def column(raw: bytes, offset: int) -> int:
    return len(raw[:offset].decode("utf-8", "replace")) + 1


class Tracer:
    def __init__(self, root: Path) -> None:
        self.prefix = f"{root}/"
        self.marks: list[Place] = []
        self.seen: dict[tuple[int, Any], None] = {}
        """(mark, what was called there): code of a function, else a class or the type of an instance."""

    def compile(self, source: bytes, path: str) -> types.CodeType:
        file = path[len(self.prefix) :]
        text = decoded(source)
        first = len(self.marks)
        try:
            tree = Marking(file, text, self.marks).visit(ast.parse(source, path))
            return compile(tree, path, "exec", dont_inherit=True)
        except (RecursionError, ValueError):
            del self.marks[first:]
            return compile(source, path, "exec", dont_inherit=True)

    def mark(self, number: int, value: Any) -> Any:
        kind = kind_of(value)
        if kind is types.FunctionType:
            key = (number, value.__code__)
        elif kind is types.MethodType and type(value.__func__) is types.FunctionType:
            key = (number, value.__func__.__code__)
        elif kind is types.BuiltinFunctionType:
            return value
        else:
            self.other(number, value)
            return value
        self.seen[key] = None
        return value

    def other(self, number: int, value: Any) -> None:
        for _ in range(20):
            if isinstance(value, types.MethodType):
                value = value.__func__
            elif isinstance(value, functools.partial):
                value = value.func
            elif isinstance(value, (LRU, staticmethod)):
                value = value.__wrapped__
            else:
                break
        if isinstance(value, types.FunctionType):
            self.seen[number, value.__code__] = None
            return
        if not isinstance(value, type):
            self.enters(number, inherited(kind_of(value), "__call__"))
            return
        if self.enters(number, inherited(kind_of(value), "__call__")):
            return
        self.enters(number, inherited(value, "__new__"))
        self.enters(number, inherited(value, "__init__"))

    def enters(self, number: int, function: Any) -> bool:
        for _ in range(20):
            if type(function) in (staticmethod, classmethod):
                function = function.__func__
            elif isinstance(function, LRU):
                function = function.__wrapped__
            else:
                break
        if isinstance(function, types.FunctionType):
            self.seen[number, function.__code__] = None
            return True
        return False

    def install(self) -> None:
        builtins.__dict__["__mark__"] = self.mark
        plain = SourceFileLoader.source_to_code
        tracer = self

        def source_to_code(loader: Any, data: Any, path: Any, *args: Any, **options: Any) -> types.CodeType:
            if isinstance(data, (bytes, bytearray)) and str(path).startswith(tracer.prefix):
                return tracer.compile(bytes(data), str(path))
            return plain(loader, data, path, *args, **options)

        SourceFileLoader.source_to_code = source_to_code  # type: ignore[method-assign]

    def records(self) -> list[list[Any]]:
        """`[file, line, column, file, name, first line, line and column of the first thing done]` for each target."""
        found: list[list[Any]] = []
        for number, code in list(self.seen):
            path = code.co_filename
            if not path.startswith(self.prefix):
                continue
            found.append(
                [*self.marks[number], path[len(self.prefix) :], code.co_name, code.co_firstlineno, *first_place(code)]
            )
        return found


def kind_of(value: object) -> Any:
    return type(value)


def inherited(kind: Any, name: str) -> Any:
    for base in type.__getattribute__(kind, "__mro__"):
        if name in base.__dict__:
            return base.__dict__[name]
    return None


def first_place(code: types.CodeType) -> tuple[int, int]:
    """Of the first expression with an extent: what tells two lambdas of one line apart."""
    for line, last, start, end in code.co_positions():
        if line is not None and start is not None and (line, start) != (last, end):
            return line, start + 1
    return code.co_firstlineno, 1


def decoded(source: bytes) -> str:
    import io
    import tokenize

    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    return source.decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n")


def main() -> int:
    out, root, *rest = sys.argv[1:]
    split = rest.index("--")
    sys.path[0:1] = rest[:split]
    sys.argv = ["pytest", *rest[split + 1 :]]
    sys.dont_write_bytecode = True
    tracer = Tracer(Path(root).resolve())
    tracer.install()
    import pytest

    status = int(pytest.main(sys.argv[1:]))
    Path(out).write_text(json.dumps(tracer.records()))
    return status


if __name__ == "__main__":
    sys.exit(main())
