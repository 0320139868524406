"""A source file in; for each call site a few words on the form of its callee, so that misses can be grouped, out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Scope = Function | ast.Module | ast.ClassDef


class Shapes:
    """`self.f.g()` is `attribute of self.attribute`; `f()` says where `f` comes from."""

    def __init__(self, source: bytes) -> None:
        self.by_line: dict[tuple[int, int], str] = {}
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError):
            return
        self.lines = source.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._walk(tree, [tree])

    def at(self, line: int, column: int) -> str:
        return self.by_line.get((line, column), "other")

    def _walk(self, node: ast.AST, scopes: list[Scope]) -> None:
        if isinstance(node, ast.Call):
            self._note(node, scopes)
        inner = [*scopes, node] if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else scopes
        for child in ast.iter_child_nodes(node):
            self._walk(child, inner)

    def _note(self, node: ast.Call, scopes: list[Scope]) -> None:
        func = node.func
        if isinstance(func, ast.Name):
            place = (func.lineno, self._column(func.lineno, func.col_offset))
            self.by_line[place] = _name(func.id, scopes)
        elif isinstance(func, ast.Attribute) and func.end_lineno and func.end_col_offset is not None:
            start = func.end_col_offset - len(func.attr.encode())
            place = (func.end_lineno, self._column(func.end_lineno, start))
            self.by_line[place] = f"attribute of {_base(func.value, scopes)}"

    def _column(self, line: int, offset: int) -> int:
        return len(self.lines[line - 1].encode()[:offset].decode("utf-8", "replace")) + 1


def _base(node: ast.expr, scopes: list[Scope]) -> str:
    if isinstance(node, ast.Name):
        return node.id if node.id in ("self", "cls") else _name(node.id, scopes)
    if isinstance(node, ast.Attribute):
        inner = _base(node.value, scopes)
        return f"{inner}.attribute" if inner.count(".") < 2 else "a.long.chain"
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name):
            return "super()" if node.func.id == "super" else f"a call of {_name(node.func.id, scopes)}"
        if isinstance(node.func, ast.Attribute):
            return "a call of a method"
        return "a call"
    if isinstance(node, ast.Subscript):
        return "an item"
    if isinstance(node, ast.Await):
        return "an awaited value"
    if isinstance(node, (ast.Constant, ast.JoinedStr)):
        return "a literal"
    return type(node).__name__.lower()


def _name(name: str, scopes: list[Scope]) -> str:
    for number, scope in enumerate(reversed(scopes)):
        found = _bound(name, scope)
        if found:
            return found if number == 0 or isinstance(scope, ast.Module) else f"{found} of a function around"
    return "unbound name"


def _bound(name: str, scope: Scope) -> str:
    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        arguments = scope.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        if any(each is not None and each.arg == name for each in every):
            return "parameter"
    where = "module's" if isinstance(scope, ast.Module) else "local"
    for node in _own(scope):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            return f"{where} {'decorated ' if node.decorator_list else ''}function"
        if isinstance(node, ast.ClassDef) and node.name == name:
            return f"{where} class"
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if any((each.asname or each.name.split(".")[0]) == name for each in node.names):
                return f"{where} import"
        elif isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return f"{where} variable"
        elif isinstance(node, ast.ExceptHandler) and node.name == name:
            return f"{where} exception"
    return ""


def _own(scope: Scope) -> Iterator[ast.AST]:
    """What a scope holds, without what the scopes in it hold."""
    body: list[ast.AST] = [scope.body] if isinstance(scope, ast.Lambda) else list(scope.body)
    while body:
        node = body.pop(0)
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            body[:0] = list(ast.iter_child_nodes(node))
