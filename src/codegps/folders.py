"""A root folder in; the folders out in which its index and the facts of its files lie."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Final

from codegps.errors import RootError

INDEX_FOLDER: Final = ".codegps"


def index_folder(root: Path) -> Path:
    """The folder of the root's index; made where it can be, in the user's cache where the root cannot be written."""
    folder = root / INDEX_FOLDER
    if usable(folder):
        return folder
    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
    other = user_cache() / f"{root.name or 'root'}-{name}"
    if usable(other):
        return other
    raise RootError(f"Neither {folder} nor {other} can be written to, so there is no place for the index.")


def facts_folder(root: Path) -> Path:
    """The folder of the facts cache: in git's common directory, which all worktrees share, else beside the index."""
    common = common_git(root)
    if common is not None:
        folder = common / "codegps"
        if os.access(common, os.W_OK | os.X_OK) and usable(folder, ignore=False):
            return folder / "facts"
    return index_folder(root) / "facts"


def git_folder(folder: Path) -> Path | None:
    """What `.git` of exactly this folder stands for: itself, or the folder that a worktree's or submodule's names."""
    mark = folder / ".git"
    if mark.is_dir():
        return mark
    try:
        text = mark.read_text("utf-8", "surrogateescape")
    except OSError:
        return None
    named = text.removeprefix("gitdir:").strip()
    found = folder / named
    return found if text.startswith("gitdir:") and found.is_dir() else None


def common_git(root: Path) -> Path | None:
    """Git's common directory of the checkout that holds this root; None outside of git."""
    for folder in (root, *root.parents):
        found = git_folder(folder)
        if found is None:
            continue
        try:
            named = (found / "commondir").read_text("utf-8", "surrogateescape").strip()
        except OSError:
            return found.resolve()
        return (found / named).resolve()
    return None


def usable(folder: Path, ignore: bool = True) -> bool:
    """Makes the folder and lets git ignore it, whoever made it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mark = folder / ".gitignore"
        if ignore and not mark.exists():
            mark.write_text("*\n", encoding="utf-8")
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def user_cache() -> Path:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "codegps"
