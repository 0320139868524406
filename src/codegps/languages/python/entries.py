"""Tests and ways into the program: definitions, decorators and calls in; EntryFacts out."""

from __future__ import annotations

import re
import tomllib
from configparser import ConfigParser
from configparser import Error as ConfigError
from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.dynamic import METHODS, NAMES
from codegps.languages.python.heads import plain
from codegps.languages.python.walk import CLASS, MODULE, Walk
from codegps.model.facts import EntryFact, Op, SymbolFact
from codegps.model.kinds import Flag

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.language import Project

_HTTP = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "trace", "websocket"})


_LISTED = re.compile(r"""["'](?:console|gui)_scripts["']\s*:\s*\[((?:\s*(?:"[^"\n]*"|'[^'\n]*')\s*,?)*)""")
_QUOTED = re.compile(r"""["']([^"'\n]+)["']""")
_SECTION = re.compile(r"\[(?:console|gui)_scripts\][ \t]*\n((?:[^\n\[]*=[^\n]*\n)+)")


def is_test_file(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name.startswith("test_") or name.endswith("_test.py")


def function_entries(walk: Walk, fact: SymbolFact, symbol: int, decorators: list[Node]) -> None:
    """Tests by name, commands and routes by decorator."""
    source = walk.source
    if fact.name.startswith("test"):
        if walk.kind == MODULE:
            test = is_test_file(source.path)
        elif walk.kind == CLASS:
            around = source.symbols[walk.symbol]
            test = walk.symbol in source.test_classes or (
                is_test_file(source.path) and around.name.startswith("Test") and "__init__" not in walk.env
            )
        else:
            test = False
        if test:
            fact.flags |= Flag.TEST
            source.entries.append(EntryFact("test", fact.qualified_name, symbol, fact.start_line))
    for node in decorators:
        decorator_entries(walk, fact, symbol, node)


def class_entries(walk: Walk, fact: SymbolFact, symbol: int, decorators: list[Node]) -> None:
    """Class-based views and commands by decorator."""
    for node in decorators:
        decorator_entries(walk, fact, symbol, node)


def decorator_entries(walk: Walk, fact: SymbolFact, symbol: int, node: Node) -> None:
    """`@click.command("x")`, `@app.command()`, `@app.route("/x", methods=["GET"])`, `@router.get("/x")`"""
    source = walk.source
    called = node.kind_id == n.CALL
    callee = node.children[0] if called else node
    text = source.text[callee.start_byte : callee.end_byte]
    base, _, name = text.rpartition(".")
    written = node.children[-1].children if called else []
    first = next((child for child in written if child.kind_id not in n.PUNCTUATION), None)
    literal = quoted(source.word(first)) if first is not None and first.kind_id == n.STRING else None
    if name in ("command", "group"):
        if base or called:
            key = literal or keyword(walk, written, "name") or fact.name.replace("_", "-")
            source.entries.append(EntryFact("command", key, symbol, fact.start_line))
    elif called and base and literal is not None and (literal.startswith("/") or not literal):
        if name == "route":
            for method in methods(walk, written):
                source.entries.append(EntryFact("route", f"{method} {literal}", symbol, fact.start_line))
        elif name in _HTTP:
            source.entries.append(EntryFact("route", f"{name.upper()} {literal}", symbol, fact.start_line))


def quoted(text: str) -> str | None:
    """The text of a plain string literal."""
    if text[:1] in "rR":
        text = text[1:]
    if len(text) < 2 or text[0] not in "\"'" or text[0] != text[-1] or "\\" in text:
        return text[1:-1] if len(text) >= 2 and text[0] in "\"'" else None
    return text[1:-1]


def keyword(walk: Walk, written: list[Node], name: str) -> str | None:
    for child in written:
        if child.kind_id == n.KEYWORD_ARGUMENT and walk.source.word(child.children[0]) == name:
            return quoted(walk.source.word(child.children[-1]))
    return None


def methods(walk: Walk, written: list[Node]) -> list[str]:
    """The literal `methods=[…]` of a Flask route."""
    for child in written:
        if child.kind_id == n.KEYWORD_ARGUMENT and walk.source.word(child.children[0]) == "methods":
            found = [quoted(walk.source.word(one)) for one in child.children[-1].named_children]
            return [method.upper() for method in found if method] or ["GET"]
    return ["GET"]


def main_entry(walk: Walk, test: Node) -> None:
    """`if __name__ == "__main__":`"""
    source = walk.source
    if walk.kind == MODULE and test.kind_id == n.COMPARISON and "__name__" in (text := source.word(test)):
        parts = text.replace("'", '"').split()
        if sorted(parts) == sorted(["__name__", "==", '"__main__"']):
            source.entries.append(EntryFact("main", source.path, 0, source.place(test.start_byte)[0]))


def argparse_command(walk: Walk, base: int, term: int, arguments: Node) -> int:
    """`parser.set_defaults(func=f)`, of the parser that `add_parser("name")` made."""
    source = walk.source
    call = walk.terms[term]
    listed = source.strings.listed
    key = ""
    made = walk.terms[base]
    if made[0] == Op.CALL and len(made) > 8 and walk.terms[made[8]][0] == Op.CONST and walk.terms[made[8]][2] >= 0:
        key = listed[walk.terms[made[8]][2]]
    for at in range(6, len(call), 3):
        if call[at] == 1:
            head = plain(walk, call[at + 2])
            if head >= 0 and source.terms[head][0] != Op.CONST:
                target = walk.terms[call[at + 2]]
                name = listed[target[-1]] if target[0] == Op.NAME else ""
                name = listed[target[2]] if target[0] == Op.ATTR else name
                name = source.symbols[target[1]].name if target[0] == Op.DEF else name
                source.entries.append(EntryFact("command", key or name, walk.symbol, call[2], head))
    return term


def django_route(walk: Walk, term: int, arguments: Node) -> int:
    """`path("x", view)` inside `urlpatterns`; `include(…)` leads elsewhere."""
    source = walk.source
    call = walk.terms[term]
    if walk.routes < 0 or len(call) < 12:
        return term
    key = walk.terms[call[8]]
    if key[0] != Op.CONST or key[2] < 0:
        return term
    view = walk.terms[call[11]]
    target = call[11]
    if view[0] == Op.CALL:
        callee = walk.terms[view[1]]
        if callee[0] != Op.ATTR or source.strings.listed[callee[2]] != "as_view":
            return term
        target = callee[1]
    head = plain(walk, target)
    if head >= 0 and walk.terms[target][0] not in (Op.CONST, Op.LIST, Op.DICT):
        source.entries.append(EntryFact("route", source.strings.listed[key[2]], walk.routes, call[2], head))
    return term


METHODS["set_defaults"] = argparse_command
NAMES.update(dict.fromkeys(("path", "re_path", "url"), django_route))


def scripts(project: Project) -> list[tuple[str, str]]:
    """Commands that the project's own packaging files declare: name and `package.module:function`, sorted."""
    found: dict[str, str] = {}
    setup = project.read("setup.py")
    if setup is not None:
        text = setup.decode("utf-8", "replace")
        for listed in _LISTED.finditer(text):
            add_scripts(found, [line.strip() for line in _QUOTED.findall(listed.group(1))])
        for section in _SECTION.finditer(text):
            add_scripts(found, section.group(1).splitlines())
    setup = project.read("setup.cfg")
    if setup is not None:
        parser = ConfigParser(interpolation=None)
        try:
            parser.read_string(setup.decode("utf-8", "replace"))
            lines = parser.get("options.entry_points", "console_scripts", fallback="")
        except ConfigError:
            lines = ""
        add_scripts(found, lines.splitlines())
    pyproject = project.read("pyproject.toml")
    if pyproject is not None:
        for name, target in declared_scripts(pyproject).items():
            found[name] = target.partition("[")[0].strip()
    return sorted(found.items())


def add_scripts(found: dict[str, str], lines: list[str]) -> None:
    """`name = package.module:function [extra]`"""
    for line in lines:
        name, _, target = line.partition("=")
        if target.strip():
            found[name.strip()] = target.partition("[")[0].strip()


def declared_scripts(pyproject: bytes) -> dict[str, str]:
    """`[project.scripts]`, `[project.gui-scripts]`, and Poetry's table."""
    try:
        data: dict[str, object] = tomllib.loads(pyproject.decode("utf-8", "replace"))
    except tomllib.TOMLDecodeError:
        return {}
    out: dict[str, str] = {}
    for path in (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts")):
        table: object = data
        for part in path:
            table = table.get(part) if isinstance(table, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if isinstance(table, dict):
            for name, target in table.items():  # pyright: ignore[reportUnknownVariableType]
                if isinstance(name, str) and isinstance(target, str):
                    out[name] = target
    return out
