"""A tool and command line words in; its answer, printed, out. Everything is derived from the tool's signature."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegps.errors import UsageError
from codegps.serve.cli import new_parser
from codegps.serve.root import find_root, inside
from codegps.serve.signature import Parameter, accept, choices_of, item_of, parameters
from codegps.serve.workspace import Workspace
from codegps.tool import Tool

if TYPE_CHECKING:
    import argparse

FILE_PARAMETERS = ("file_path", "files", "file")
"""Paths relative to the root for the tool, relative to the working folder on the command line."""
PARTIAL_PARAMETER = "file"
"""May also be a part of a path, so only what exists is translated."""
ABSOLUTE_PARAMETERS = ("filePath",)
"""Paths that the tool wants absolute."""


def make_parser(tool: Tool[...]) -> argparse.ArgumentParser:
    parser = new_parser(tool.command, tool.description.strip())
    for member in parameters(tool):
        _add(parser, member, (member.name,))
    parser.add_argument("--json", action="store_true", dest="as_json", help="print the answer as JSON")
    if tool.examples:
        lines = [f"  codegps {tool.command} {example}".rstrip() for example in tool.examples]
        parser.epilog = "\n".join(["examples:", *lines])
    return parser


def _add(parser: argparse.ArgumentParser, member: Parameter, path: tuple[str, ...], required: bool = True) -> None:
    required = required and member.required
    if members := member.fields:
        for part in members:
            _add(parser, part, (*path, part.name), required)
        return
    item = item_of(member.type)
    kind = member.type if item is None else item
    details: dict[str, Any] = {"help": _help(member), "metavar": _metavar(path, kind)}
    if choices := choices_of(kind):
        details |= {"choices": choices, "metavar": None}
    elif kind in (int, float):
        details["type"] = kind
    dest = ".".join(path)
    if required:
        if item is not None:
            details["nargs"] = "+"
        parser.add_argument(dest, **details)
    elif member.type is bool:
        _add_switch(parser, member, dest, path)
    else:
        if item is not None:
            details["action"] = "append"
        parser.add_argument(_option(path), dest=dest, default=None, **details)


def _add_switch(parser: argparse.ArgumentParser, member: Parameter, dest: str, path: tuple[str, ...]) -> None:
    from argparse import BooleanOptionalAction

    parser.add_argument(_option(path), dest=dest, default=None, action=BooleanOptionalAction, help=_help(member))


def _option(path: tuple[str, ...]) -> str:
    return "--" + "-".join(kebab(part) for part in path)


def kebab(name: str) -> str:
    """`max_depth` and `includeExternal` as options are written."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).replace("_", "-").strip("-")


def _metavar(path: tuple[str, ...], kind: Any) -> str | None:
    name = path[-1]
    if name in (*FILE_PARAMETERS, *ABSOLUTE_PARAMETERS):
        name = "file"
    elif kind in (int, float):
        return "N"
    return kebab("-".join((*path[:-1], name))).replace("-", "_").upper()


def _help(member: Parameter) -> str:
    text, default = member.description, member.default
    if isinstance(default, list | tuple):
        default = ", ".join(map(str, default))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if isinstance(default, bool | int | str) and default != "" and "default" not in text.lower():
        text = f"{text} (default: {default})" if text else f"default: {default}"
    return text.replace("%", "%%")


def collect(tool: Tool[...], options: argparse.Namespace, root: Path, folder: Path) -> dict[str, Any]:
    """What was given on the command line, as a client would have written it."""
    given: dict[str, Any] = {}
    for dest, value in vars(options).items():
        path = dest.split(".")
        if value is None or path[0] not in {member.name for member in parameters(tool)}:
            continue
        into = given
        for part in path[:-1]:
            into = into.setdefault(part, {})
        into[path[-1]] = _translated(path[-1], value, root, folder)
    return given


def _translated(name: str, value: Any, root: Path, folder: Path) -> Any:
    if name == PARTIAL_PARAMETER and not (folder / value).exists():
        return value
    if name in FILE_PARAMETERS:
        return [inside(root, folder, one) for one in value] if isinstance(value, list) else inside(root, folder, value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if name in ABSOLUTE_PARAMETERS:
        return str(root / inside(root, folder, value))
    if value == "-" and name == "diff":
        return sys.stdin.read()
    return value


def run(tool: Tool[...], words: list[str]) -> int:
    options = make_parser(tool).parse_args(words)
    folder = Path.cwd()
    root = find_root(folder, options.root)
    arguments = accept_words(tool, collect(tool, options, root, folder))
    return ask(tool, arguments, Workspace(root, options.store, options.project), options.as_json)


def accept_words(tool: Tool[...], given: dict[str, Any]) -> dict[str, Any]:
    try:
        return accept(tool, given)
    except UsageError as error:
        first = str(error).partition("\n")[0]
        raise UsageError(f"{first}\nSee codegps {tool.command} --help.") from None


def ask(tool: Tool[...], arguments: dict[str, Any], workspace: Workspace, as_json: bool) -> int:
    from codegps.serve.present import opened, show

    with opened(workspace) as graph:
        show(tool.function(graph, **arguments), as_json)
    return 0
