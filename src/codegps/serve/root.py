"""Where we are asked in; the root folder that is meant out."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from codegps.errors import RootError
from codegps.folders import INDEX_FOLDER


def find_root(start: Path, given: str | Path | None = None) -> Path:
    """The root that was given, else the nearest folder upwards with an index, else the git root, else `start`."""
    if given is not None:
        return checked(start / given)
    start = checked(start)
    above = (start, *start.parents)
    for mark in (INDEX_FOLDER, ".git"):
        for folder in above:
            if (folder / mark).exists():
                return folder
    return start


def checked(root: Path) -> Path:
    """The folder, absolute and with links resolved; a `RootError` where it cannot be indexed."""
    try:
        resolved = root.expanduser().resolve()
        if not resolved.exists():
            raise RootError(f"There is no folder {root}. Give an existing one with --root.")
        if not resolved.is_dir():
            raise RootError(f"{root} is a file. Give the folder that holds it with --root.")
        with os.scandir(resolved):
            return resolved
    except PermissionError:
        raise RootError(f"{root} cannot be read: permission denied.") from None
    except (OSError, ValueError, RuntimeError) as error:
        raise RootError(f"{root} cannot be read: {error}.") from None


def config_folder() -> Path:
    if sys.platform == "win32":
        base = os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming"
    else:
        base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "codegps"


def inside(root: Path, folder: Path, argument: str) -> str:
    """A FILE of the command line, relative to the working folder, as the path relative to the root that tools take.

    Asked from outside the root, a relative FILE can only mean the root's. What lies outside is handed on as it is:
    the tool refuses it.
    """
    path = Path(os.path.normpath(folder / argument))
    for candidate in (path, _real(path)):
        if candidate.is_relative_to(root):
            return candidate.relative_to(root).as_posix()
    return argument.replace(os.sep, "/")


def _real(path: Path) -> Path:
    # Only the folder: a link to a file keeps its own name.
    try:
        return path.parent.resolve() / path.name
    except (OSError, RuntimeError):
        return path
