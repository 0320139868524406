"""The tools: one file, one tool, one MCP tool, one CLI command, one Python call."""

from __future__ import annotations

from typing import Any

from codegps.tool import Tool

TOOLS: tuple[Tool[Any], ...] = ()
"""Every tool, in the order in which menus show them."""
