"""The tools, for doors that show or look them up; nothing but their registry is imported."""

from __future__ import annotations

from codegps.tool import Tool


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


def first_sentence(text: str, most: int = 200) -> str:
    """The first sentence of a description, cut at a word where it is long."""
    line = text.strip().split("\n", 1)[0]
    end = line.find(". ")
    line = line if end < 0 else line[: end + 1]
    return line if len(line) <= most else line[: most - 1].rsplit(" ", 1)[0].rstrip(",:;") + "…"
