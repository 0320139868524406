"""A path as a caller wrote it in; the same relative to the root, surely inside it, out."""

from __future__ import annotations

import os
from pathlib import Path

from codegps.errors import ToolError
from codegps.model.visible import visible
from codegps.query.argument import plain

PATH_LIMIT = 4_096


def inside(root: Path, path: str, parameter: str = "file_path") -> str:
    """The path relative to the root with `/`, whether or not anything is there.

    Takes paths relative to the root, absolute ones and `\\` between folders. Raises ToolError where the real path
    lies outside: nothing is opened before. What it hands back may be opened under the root.
    """
    text = plain(path, parameter, PATH_LIMIT)
    base = os.path.realpath(root)
    if "\\" in text and not os.path.lexists(os.path.join(base, text)):  # noqa: PTH118 (joins what may be absolute)
        text = text.replace("\\", "/")
    whole = os.path.normpath(os.path.join(base, text))  # noqa: PTH118
    relative = _below(base, whole)
    if relative is None:
        # Asking where a network path leads would already talk to its server.
        if text.startswith("//") or whole.startswith("\\\\"):
            raise _outside(path)
        # The root may have been reached by another name (a link to it).
        relative = _below(base, os.path.realpath(whole))
    if relative is None or _below(base, os.path.realpath(os.path.join(base, relative))) is None:  # noqa: PTH118
        raise _outside(path)
    return relative.replace(os.sep, "/")


def _below(base: str, path: str) -> str | None:
    """What follows the base in the path; None where it is not below."""
    if os.path.normcase(path) == os.path.normcase(base):
        return "."
    start = base if base.endswith(os.sep) else base + os.sep
    if os.path.normcase(path).startswith(os.path.normcase(start)):
        return path[len(start) :]
    return None


def _outside(path: str) -> ToolError:
    return ToolError(
        f"Path '{visible(path, 200)}' is outside the workspace. Give a path inside it, relative to its root."
    )
