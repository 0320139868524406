"""The tools, for doors that show or look them up; nothing but their registry is imported."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from codegps.tool import Tool


class Entry(NamedTuple):
    """A line of the menu."""

    command: str
    summary: str
    example: str


def menu() -> tuple[Tool[...], ...]:
    """Every tool, in the order in which menus show them."""
    from codegps.tools import TOOLS

    return TOOLS


def find(name: str) -> Tool[...] | None:
    """By command, which imports that tool alone, or by MCP name."""
    from codegps.tools import NAMES, load

    if name.replace("-", "_") in NAMES:
        return load(name.replace("-", "_"))
    return next((tool for tool in menu() if name in (tool.command, tool.name)), None)


def entries() -> list[Entry]:
    """The menu without importing a tool, so that `codegps --help` comes at once; by importing them where that fails."""
    from codegps.tools import NAMES

    try:
        return [_read_entry(name) for name in NAMES]
    except (OSError, SyntaxError, LookupError, AttributeError, ValueError):
        return [Entry(tool.command, tool.description, "".join(tool.examples[:1])) for tool in menu()]


def _read_entry(name: str) -> Entry:
    """What stands in the tool's own source: the arguments of its decorator."""
    import codegps.tools

    with open(os.path.join(codegps.tools.__path__[0], f"{name}.py"), encoding="utf-8") as file:  # noqa: PTH118, PTH123
        source = file.read()
    # The function's own lines say nothing of this; without them there is little to parse.
    head = source[: source.index(f"\ndef {name}(")] + "\ndef f(): ..."
    only_tree = 0x400
    tree: Any = compile(head, name, "exec", only_tree, dont_inherit=True)
    constants: dict[str, Any] = {}
    for node in tree.body:
        target = getattr(node, "target", None) or getattr(node, "targets", [None])[0]
        if hasattr(target, "id") and hasattr(getattr(node, "value", None), "value"):
            constants[target.id] = node.value.value
    (call,) = tree.body[-1].decorator_list
    given = {word.arg: word.value for word in call.keywords}
    description = given["description"]
    text = constants[description.id] if hasattr(description, "id") else description.value
    examples = [each.value for each in given["examples"].elts] if "examples" in given else []
    return Entry(given["command"].value, text, "".join(examples[:1]))


def first_sentence(text: str, most: int = 200) -> str:
    """The first sentence of a description, cut at a word where it is long."""
    line = text.strip().split("\n", 1)[0]
    end = line.find(". ")
    line = line if end < 0 else line[: end + 1]
    return line if len(line) <= most else line[: most - 1].rsplit(" ", 1)[0].rstrip(",:;") + "…"
