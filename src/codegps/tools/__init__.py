"""The tools: one file, one tool, one MCP tool, one CLI command, one Python call."""

from __future__ import annotations

from codegps.tool import Tool
from codegps.tools.analyze_file_logic import analyze_file_logic
from codegps.tools.dependencies_of import dependencies_of
from codegps.tools.dependents_of import dependents_of
from codegps.tools.find_symbol import find_symbol
from codegps.tools.get_function_details import get_function_details
from codegps.tools.paths_between import paths_between

TOOLS: tuple[Tool[...], ...] = (
    dependencies_of,
    dependents_of,
    paths_between,
    find_symbol,
    get_function_details,
    analyze_file_logic,
)
"""Every tool, in the order in which menus show them."""
