"""Ways into the program: test cases, routes, scripts.

In: calls and decorators as the walk meets them, and the project's `package.json`. Out: entries of the head, and for
`bin` the files that commands run.
"""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from codegps.language import Script
from codegps.languages.javascript.heads import plain
from codegps.languages.javascript.scopes import VariableKind
from codegps.model.facts import EntryFact, Op
from codegps.model.kinds import Flag, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.language import Project
    from codegps.languages.javascript.walker import Walker

SUITES: Final = frozenset({"describe", "suite", "context", "fdescribe", "xdescribe"})
CASES: Final = frozenset({"test", "it", "fit", "xit", "xtest", "specify", "bench"})
TESTS: Final = SUITES | CASES

VERBS: Final = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "all"})
ROUTING: Final = VERBS | {"route"}
_ROUTERS: Final = frozenset(
    {"express", "fastify", "hono", "koa-router", "@koa/router", "polka", "restify", "itty-router"}
)
_ROUTER_NAMES: Final = re.compile(r"(?:^|\.)(?:app|api|router|routes|server|fastify|instance)$|[rR]outer$|App$")
_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_NEST: Final = {
    "Get": "GET",
    "Post": "POST",
    "Put": "PUT",
    "Patch": "PATCH",
    "Delete": "DELETE",
    "Head": "HEAD",
    "Options": "OPTIONS",
    "All": "ALL",
}


# -- tests


def _title(w: Walker, arguments: Node) -> str | None:
    """The name of a case: its first argument as written."""
    first = next((each for each in arguments.named_children if each.kind_id != w.kinds.comment), None)
    if first is None or first.kind_id not in (w.kinds.string, w.kinds.template_string):
        return None
    return w.text[first.start_byte + 1 : first.end_byte - 1]


def _is_test(w: Walker, name: str) -> bool:
    variable = w.find(name)
    return variable is None or variable.kind == VariableKind.IMPORT or (variable.module and variable.fixed is None)


def open_suite(w: Walker, arguments: Node, name: str) -> bool:
    """Before the arguments of `describe("title", …)` are walked."""
    title = _title(w, arguments)
    if title is None or name not in SUITES or not _is_test(w, name):
        return False
    w.titles.append(title)
    return True


def close_suite(w: Walker, arguments: Node, name: str, row: list[int], opened: bool, line: int) -> None:
    """After them; a case becomes an entry."""
    if opened:
        w.titles.pop()
        return
    title = _title(w, arguments)
    if title is None or name not in CASES or len(row) < 12 or not _is_test(w, name):
        return
    for at in range(len(row) - 1, 8, -3):
        term = w.terms[row[at]]
        if term[0] == Op.DEF and w.symbols[term[1]].kind == Kind.Function:
            w.symbols[term[1]].flags |= Flag.TEST
            w.entries.append(EntryFact("test", " > ".join([*w.titles, title]), term[1], line))
            return


# -- routes


def route(w: Walker, row: list[int], name: str, line: int) -> None:
    """`app.get("/x", …, handler)`, `router.route("/x").get(handler)`, `app.route({ method, url, handler })`."""
    if len(row) < 9:
        return
    if name == "route":
        _described(w, row, line)
        return
    path = text_of(w, row[8])
    if path is None or len(row) < 12:
        path = _chained(w, row) if path is None else None
        first = 8
    else:
        first = 11
    if path is None or not path.startswith(("/", "*")):
        return
    _handled(w, row, row[-1] if first <= len(row) else -1, f"{name.upper()} {path}", line)


def _handled(w: Walker, row: list[int], term: int, key: str, line: int) -> None:
    handler = w.terms[term]
    if handler[0] == Op.DEF and w.symbols[handler[1]].kind in (Kind.Function, Kind.Method):
        w.entries.append(EntryFact("route", key, handler[1], line))
    elif handler[0] in (Op.NAME, Op.IMPORT, Op.ATTR) and _is_router(w, row[1]):
        w.entries.append(EntryFact("route", key, w.body.symbol, line, plain(w, term)))


def _chained(w: Walker, row: list[int]) -> str | None:
    """The path of `router.route("/x").get(a).post(b)`."""
    for _ in range(20):
        callee = w.terms[row[1]]
        base = w.terms[callee[1]] if callee[0] == Op.ATTR else callee
        if base[0] != Op.CALL:
            return None
        inner = w.terms[base[1]]
        if inner[0] == Op.ATTR and w.spelled(inner[2]) == "route" and len(base) > 8:
            return text_of(w, base[8])
        row = base
    return None


def _described(w: Walker, row: list[int], line: int) -> None:
    """A route as an object, as Fastify has it."""
    found = w.terms[row[8]]
    if found[0] != Op.DICT:
        return
    parts: dict[str, int] = {}
    for at in range(3, len(found), 2):
        key = text_of(w, found[at]) if found[at] >= 0 else None
        if key is not None:
            parts[key] = found[at + 1]
    path = parts.get("url", parts.get("path", -1))
    text = text_of(w, path) if path >= 0 else None
    if text is None or "handler" not in parts or "method" not in parts:
        return
    method = w.terms[parts["method"]]
    verbs = [text_of(w, each) for each in method[3:]] if method[0] == Op.LIST else [text_of(w, parts["method"])]
    for verb in verbs:
        if verb is not None:
            _handled(w, row, parts["handler"], f"{verb.upper()} {text}", line)


def text_of(w: Walker, term: int) -> str | None:
    """The text of a literal string."""
    row = w.terms[term]
    if row[0] != Op.CONST or row[2] < 0 or row[1] != w.strings["string"]:
        return None
    return w.spelled(row[2])


def _is_router(w: Walker, callee: int) -> bool:
    """Whether what `get` is called on was made by a known library, or is named like a router."""
    term = w.terms[callee]
    if term[0] != Op.ATTR:
        return False
    base = w.terms[term[1]]
    for _ in range(20):
        if base[0] in (Op.NAME, Op.LOCAL):
            return _ROUTER_NAMES.search(w.spelled(base[-1])) is not None
        if base[0] == Op.PARAM:
            params = w.symbols[base[1]].params
            return base[2] < len(params) and _ROUTER_NAMES.search(params[base[2]].name) is not None
        if base[0] == Op.IMPORT:
            return w.imports[base[1]].spec in _ROUTERS
        if base[0] not in (Op.CALL, Op.ATTR, Op.TYPED):
            return False
        base = w.terms[base[1] if base[0] != Op.TYPED else base[2]]
    return False


def file_routes(w: Walker) -> None:
    """Next.js: routes by where their file is."""
    path = PurePosixPath(w.path)
    parts = path.parts
    if path.stem == "route" and "app" in parts[:-1]:
        url = _url(parts[parts.index("app") + 1 : -1])
        for export in w.exports:
            if export.name in _METHODS:
                _exported(w, f"{export.name} {url}", export.term, export.line)
    elif "pages" in parts[:-1] and path.suffix in (".ts", ".tsx", ".js", ".jsx"):
        inner = parts[parts.index("pages") + 1 :]
        if inner[0] == "api":
            stem = [] if path.stem == "index" else [path.stem]
            url = _url((*inner[:-1], *stem))
            for export in w.exports:
                if export.name == "default":
                    _exported(w, f"ALL {url}", export.term, export.line)


def _url(parts: tuple[str, ...]) -> str:
    return "/" + "/".join(part for part in parts if not (part.startswith("(") and part.endswith(")")))


def _exported(w: Walker, key: str, term: int, line: int) -> None:
    row = w.head[term]
    if row[0] == Op.DEF:
        w.entries.append(EntryFact("route", key, row[1], line))
    else:
        w.entries.append(EntryFact("route", key, 0, line, term))


def controllers(w: Walker) -> None:
    """NestJS: `@Get("x")` in a class with `@Controller("y")`."""
    for symbol, found in w.decorations.items():
        fact = w.symbols[symbol]
        if fact.kind != Kind.Method:
            continue
        prefix = next((path for name, path in w.decorations.get(fact.parent, ()) if name == "Controller"), None)
        if prefix is None:
            continue
        for name, path in found:
            verb = _NEST.get(name)
            if verb is not None:
                url = "/" + "/".join(part.strip("/") for part in (prefix, path) if part.strip("/"))
                w.entries.append(EntryFact("route", f"{verb} {url}", symbol, fact.start_line))


# -- scripts


def scripts(project: Project) -> list[Script]:
    """The `bin` commands of all packages of the tree, and the files that they run."""
    folders = {""}
    for path in project.paths():
        folders.update(str(parent) if str(parent) != "." else "" for parent in PurePosixPath(path).parents)
    found: list[Script] = []
    for folder in sorted(folders):
        where = f"{folder}/package.json" if folder else "package.json"
        content = project.read(where)
        if content is None:
            continue
        try:
            package = json.loads(content.decode("utf-8", "replace"))
        except ValueError:
            continue
        if isinstance(package, dict):
            found += _bins(package, folder)  # pyright: ignore[reportUnknownArgumentType]
    return found


def _bins(package: dict[str, object], folder: str) -> list[Script]:
    commands = package.get("bin")
    if isinstance(commands, str):
        name = package.get("name")
        commands = {name.rpartition("/")[2] if isinstance(name, str) else folder.rpartition("/")[2]: commands}
    if not isinstance(commands, dict):
        return []
    found: list[Script] = []
    for name, target in commands.items():  # pyright: ignore[reportUnknownVariableType]
        if isinstance(name, str) and isinstance(target, str):
            path = _normal(folder, target)
            if path is not None:
                found.append(Script(name, f"./{path}"))
    return found


def _normal(folder: str, target: str) -> str | None:
    parts = folder.split("/") if folder else []
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
