"""The tools: one file, one tool, one MCP tool, one CLI command, one Python call.

A tool is imported when it is first asked for, so that a cold command pays for one tool and not for all.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codegps.tool import Tool

    TOOLS: tuple[Tool[...], ...]

NAMES = (
    "dependencies_of",
    "dependents_of",
    "paths_between",
    "find_symbol",
    "get_function_details",
    "analyze_file_logic",
)
"""Every tool, in the order in which menus show them; `TOOLS` is the tools themselves."""


def load(name: str) -> Tool[...]:
    """One tool by its Python name."""
    return getattr(import_module(f"{__name__}.{name}"), name)


def __getattr__(name: str) -> object:
    if name != "TOOLS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return tuple(load(each) for each in NAMES)
