"""A program in, the calls that it really makes out: what the engine's edges are held against.

The program's source is compiled with every call expression marked, so that a call is known by the exact place of its
callee. Run as a command it prints the calls of a folder's `main.py`.
"""

from __future__ import annotations

import ast
import contextlib
import dis
import importlib
import io
import sys
import threading
import types
from collections.abc import Iterable
from importlib.machinery import FileFinder, SourceFileLoader
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_OPTIMIZED, getattr_static
from pathlib import Path
from typing import Any, NamedTuple, cast

from codegps.model.graph import Symbol
from codegps.model.kinds import Kind

LAZY = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
NO_MARK = frozenset({"super", "locals", "globals", "vars", "eval", "exec", "dir"})
"""Functions that look at the frame that calls them."""
FUNCTIONS = frozenset({Kind.Function, Kind.Method, Kind.Constructor, Kind.Property})


class Code(NamedTuple):
    """A body, by where it stands."""

    file: str
    name: str
    first_line: int
    place: tuple[int, int]
    """Line and column (1-based) of the first thing it does."""


class Call(NamedTuple):
    caller: Code | None
    """None: a thread's start."""
    callee: Code
    place: tuple[str, int, int] | None
    """File, line and column of the callee's last name token, where the call is written and goes straight there."""
    library: bool = False
    """Code of a library, or text that was evaluated, stands between the two."""


class Mark(NamedTuple):
    file: str
    line: int
    column: int
    span: tuple[int, int, int, int]


class Marking(ast.NodeTransformer):
    """`f(x)` becomes `__mark__(n, f)(x)`."""

    def __init__(self, file: str, source: str, marks: list[Mark]) -> None:
        self.file = file
        self.lines = source.split("\n")
        self.marks = marks

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in NO_MARK:
            return node
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        line, column = self._place(node.func)
        number = len(self.marks)
        span = (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)
        self.marks.append(Mark(self.file, line, column, span))
        marker = ast.Call(ast.Name("__mark__", ast.Load()), [ast.Constant(number), node.func], [])
        node.func = ast.copy_location(marker, node.func)
        return ast.fix_missing_locations(node)

    def _place(self, func: ast.expr) -> tuple[int, int]:
        assert func.end_lineno is not None
        assert func.end_col_offset is not None
        if isinstance(func, ast.Name):
            return func.lineno, func.col_offset + 1
        if isinstance(func, ast.Attribute):
            return func.end_lineno, func.end_col_offset - len(func.attr) + 1
        line, column = func.end_lineno, func.end_col_offset
        while self.lines[line - 1][column : column + 1] != "(":
            column += 1
            if column > len(self.lines[line - 1]):
                line, column = line + 1, 0
        return line, column + 1


class Tracer:
    """Runs one program."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.marks: list[Mark] = []
        self.spans: dict[tuple[str, tuple[int, int, int, int]], int] = {}
        self.called: dict[tuple[int, int], Any] = {}
        """(frame, mark) to the value that is called there."""
        self.pending: dict[types.CodeType, int] = {}
        """Generators and coroutines that were made and not started yet."""
        self.codes: dict[types.CodeType, Code] = {}
        self.positions: dict[types.CodeType, list[Any]] = {}
        self.yields: dict[types.CodeType, list[int]] = {}
        self.calls: dict[Call, None] = {}

    # -- compiling

    def compile(self, source: str, path: str) -> types.CodeType:
        file = self.relative(path)
        first = len(self.marks)
        tree = Marking(file, source, self.marks).visit(ast.parse(source, path))
        for number in range(first, len(self.marks)):
            self.spans[file, self.marks[number].span] = number
        return compile(tree, path, "exec", dont_inherit=True)

    def relative(self, path: str) -> str:
        return Path(path).resolve().relative_to(self.folder).as_posix()

    def mark(self, number: int, value: Any) -> Any:
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        self.called[id(frame), number] = value
        for code in codes_of(value):
            if code.co_flags & LAZY and self.inside(code):
                self.pending[code] = self.pending.get(code, 0) + 1
                mark = self.marks[number]
                place = (mark.file, mark.line, mark.column)
                self.calls[Call(self.code(frame.f_code), self.code(code), place)] = None
        return value

    # -- running

    def run(self, main: str) -> list[Call]:
        path = str(self.folder / main)
        tracer = self

        class Loader(SourceFileLoader):
            def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> types.CodeType:
                return tracer.compile(bytes(data).decode(), str(path))

        hook = FileFinder.path_hook((Loader, [".py"]))

        def inside(entry: str) -> Any:
            if not Path(entry or ".").resolve().is_relative_to(self.folder):
                raise ImportError
            return hook(entry)

        module = types.ModuleType("__main__")
        module.__file__ = path
        before = dict(sys.modules)
        sys.path_hooks.insert(0, inside)
        sys.path.insert(0, str(self.folder))
        sys.path_importer_cache.clear()
        importlib.invalidate_caches()
        sys.modules["__main__"] = module
        written, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        import builtins

        builtins.__dict__["__mark__"] = self.mark
        try:
            code = self.compile(Path(path).read_text(), path)
            threading.setprofile(self.event)
            with contextlib.redirect_stdout(io.StringIO()):
                sys.setprofile(self.event)
                try:
                    exec(code, module.__dict__)
                finally:
                    sys.setprofile(None)
        finally:
            threading.setprofile(None)  # pyright: ignore[reportArgumentType]
            del builtins.__dict__["__mark__"]
            sys.dont_write_bytecode = written
            sys.path.remove(str(self.folder))
            sys.path_hooks.remove(inside)
            sys.path_importer_cache.clear()
            for name in set(sys.modules) - set(before):
                found = sys.modules[name]
                if self.is_ours(found):
                    del sys.modules[name]
            sys.modules["__main__"] = before["__main__"]
        return list(self.calls)

    def is_ours(self, module: types.ModuleType) -> bool:
        file = getattr(module, "__file__", None)
        places = [file] if file else list(getattr(module, "__path__", []))
        return any(Path(place).resolve().is_relative_to(self.folder) for place in places)

    def inside(self, code: types.CodeType) -> bool:
        return code.co_filename.startswith(str(self.folder))

    def event(self, frame: types.FrameType, event: str, arg: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        back = frame.f_back
        if not self.inside(code):
            return
        if not code.co_flags & CO_OPTIMIZED or code.co_name in ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"):
            return
        if code.co_flags & LAZY:
            if self.resumed(frame):
                return
            if self.pending.get(code):
                self.pending[code] -= 1
                return
        between = False
        while back is not None and not self.inside(back.f_code):
            between, back = True, back.f_back
        if back is None:
            self.calls[Call(None, self.code(code), None, True)] = None
        elif between:
            self.calls[Call(self.code(back.f_code), self.code(code), None, True)] = None
        else:
            self.calls[Call(self.code(back.f_code), self.code(code), self.place(back, code))] = None

    def resumed(self, frame: types.FrameType) -> bool:
        """Whether a generator goes on; its first start is not told apart by the event."""
        code = frame.f_code
        yields = self.yields.get(code)
        if yields is None:
            found = [each.offset for each in dis.get_instructions(code) if each.opname in ("YIELD_VALUE", "SEND")]
            yields = self.yields[code] = found
        return bool(yields) and frame.f_lasti > yields[0]

    def place(self, frame: types.FrameType, entered: types.CodeType) -> tuple[str, int, int] | None:
        code = frame.f_code
        positions = self.positions.get(code)
        if positions is None:
            positions = self.positions[code] = list(code.co_positions())
        span = positions[frame.f_lasti // 2]
        number = self.spans.get((self.relative(frame.f_code.co_filename), span))  # pyright: ignore[reportArgumentType]
        if number is None or (id(frame), number) not in self.called:
            return None
        if entered not in codes_of(self.called[id(frame), number]):
            return None
        mark = self.marks[number]
        return mark.file, mark.line, mark.column

    def code(self, code: types.CodeType) -> Code:
        found = self.codes.get(code)
        if found is None:
            found = self.codes[code] = Code(
                self.relative(code.co_filename), code.co_name, code.co_firstlineno, first_place(code)
            )
        return found


def first_place(code: types.CodeType) -> tuple[int, int]:
    for line, _, column, end in code.co_positions():
        if line is not None and column is not None and end:
            return line, column + 1
    return code.co_firstlineno, 1


def codes_of(value: Any) -> list[types.CodeType]:
    """The code that calling a value enters."""
    for _ in range(10):
        if isinstance(value, types.MethodType):
            value = value.__func__
        elif hasattr(value, "func") and hasattr(value, "keywords"):
            value = value.func
        else:
            break
    if isinstance(value, types.FunctionType):
        return [value.__code__]
    found: list[types.CodeType] = []
    if isinstance(value, type):
        for name in ("__new__", "__init__"):
            function: object = getattr(value, name, None)
            if isinstance(function, types.FunctionType):
                found.append(function.__code__)
    function = getattr_static(cast(object, value).__class__, "__call__", None)
    if isinstance(function, types.FunctionType):
        found.append(function.__code__)
    return found


def symbol_of(code: Code, symbols: Iterable[Symbol]) -> Symbol | None:
    """The symbol of a body."""
    inner: Symbol | None = None
    for symbol in symbols:
        if symbol.file != code.file:
            continue
        if code.name == "<module>":
            if symbol.kind == Kind.File:
                return symbol
        elif code.name.startswith("<"):
            start = (symbol.start_line, symbol.start_column)
            if symbol.kind not in (*FUNCTIONS, Kind.Class, Kind.Enum, Kind.File) or not (
                start < code.place < (symbol.end_line, symbol.end_column)
            ):
                continue
            if inner is None or start >= (inner.start_line, inner.start_column):
                inner = symbol
        elif symbol.name == code.name and symbol.start_line == code.first_line:
            return symbol
    return inner


def trace(folder: Path, main: str = "main.py") -> list[Call]:
    return Tracer(folder).run(main)


if __name__ == "__main__":
    for each in trace(Path(sys.argv[1])):
        caller = f"{each.caller.file}:{each.caller.name}" if each.caller else "?"
        print(f"{caller} -> {each.callee.file}:{each.callee.name} {each.place or ''}")
