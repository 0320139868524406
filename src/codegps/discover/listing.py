"""A root folder in; the names of all files in it that are not ignored, out. Nothing is opened but ignore files."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from codegps.discover.patterns import Patterns
from codegps.folders import INDEX_FOLDER, common_git, git_folder

if TYPE_CHECKING:
    from codegps.discover.gate import Gate

NEVER: Final = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", "CVS", INDEX_FOLDER})
"""Folders that are no part of a tree; they are not even mentioned."""
ENVIRONMENT_MARK: Final = "pyvenv.cfg"
WORKTREE: Final = "another worktree of this repository"
GIT_TIMEOUT: Final = 300.0
LINK, SUBMODULE = "120000", "160000"
_FOREIGN: Final = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"),
    *("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX"),
)
"""Variables that are set while a hook runs and would show us another tree."""


class Listing(msgspec.Struct):
    """Paths relative to the root, with `/`; bytes that are not UTF-8 as lone surrogates."""

    paths: list[str] = []
    tracked: list[str] | None = None
    """Those under version control; None outside of git."""
    links: list[str] = []
    """Symbolic links that may lead to folders."""
    environments: list[str] = []
    """Folders that hold a virtual environment."""
    skips: dict[str, str] = {}


def list_tree(root: Path, gate: Gate) -> Listing:
    """By git where the root is in a checkout that does not ignore it, else by walking."""
    git = _git(root)
    listing = Listing()
    if git is not None and common_git(root) is not None and _is_wanted(git, root) and _by_git(git, root, "", listing):
        return listing
    listing = Listing()
    _Walk(root, gate, git, listing).run()
    return listing


# --- git --------------------------------------------------------------------------------------------------------------


def _git(root: Path) -> str | None:
    """The git program; never one that lies in the tree."""
    found = shutil.which("git")
    if found is None or Path(found).resolve().is_relative_to(root):
        return None
    return found


def _run(git: str, folder: Path, *arguments: str) -> bytes | None:
    """Git's output, None where it fails. A repository's own settings cannot make it start a program."""
    environment = {k: v for k, v in os.environ.items() if k not in _FOREIGN}
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    command = [git, "-C", str(folder), "-c", "core.fsmonitor=false", *arguments]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=GIT_TIMEOUT,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _is_wanted(git: str, root: Path) -> bool:
    """False for a folder below a checkout that git ignores: whoever indexes it wants it all the same."""
    if git_folder(root) is not None:
        return True
    return _run(git, root, "check-ignore", "-q", "--no-index", ".") is None


def _by_git(git: str, root: Path, prefix: str, listing: Listing) -> bool:
    """Adds the checkout at `root/prefix`, then those inside it."""
    output = _run(git, root / prefix, "ls-files", "-z", "-t", "-s", "-c", "-o", "--exclude-standard")
    if output is None:
        return False
    tracked = listing.tracked = [] if listing.tracked is None else listing.tracked
    paths, inner = listing.paths, list[str]()
    last = ""
    for record in output.decode("utf-8", "surrogateescape").split("\0"):
        if record.startswith("? "):
            path = record[2:]
            if path.endswith("/"):
                inner.append(path)
                continue
            path = prefix + path
        elif record:
            # "H 100644 <sha> 0\tpath"; a file in conflict comes once for each side
            path = record[record.index("\t") + 1 :]
            if path == last:
                continue
            last = path
            mode = record[2:8]
            if mode == SUBMODULE:
                inner.append(f"{path}/")
                continue
            path = prefix + path
            if mode == LINK:
                listing.links.append(path)
            tracked.append(path)
        else:
            continue
        if path.endswith(ENVIRONMENT_MARK):
            listing.environments.append(path[: max(path.rfind("/"), 0)])
        paths.append(path)
    for folder in inner:
        _enter(git, root, prefix + folder, listing)
    return True


def _enter(git: str, root: Path, folder: str, listing: Listing) -> None:
    """A submodule, or a checkout that lies in this one. A submodule that was not fetched is an empty folder."""
    found = git_folder(root / folder)
    if found is None:
        return
    # A worktree shares its common directory with the repository around it; a submodule has its own.
    if common_git(root / folder) == common_git((root / folder).parent):
        listing.skips[folder] = WORKTREE
    elif not _by_git(git, root, folder, listing):
        listing.skips[folder] = "git cannot list this checkout"


# --- walking ----------------------------------------------------------------------------------------------------------


class _Walk:
    def __init__(self, root: Path, gate: Gate, git: str | None, listing: Listing) -> None:
        self.root = root
        self.prefix = f"{root}{os.sep}"
        self.gate = gate
        self.git = git
        self.listing = listing

    def run(self) -> None:
        todo: list[tuple[str, tuple[tuple[str, Patterns], ...]]] = [("", ())]
        while todo:
            folder, rules = todo.pop()
            todo.extend(self._scan(folder, rules))

    def _scan(
        self, folder: str, rules: tuple[tuple[str, Patterns], ...]
    ) -> list[tuple[str, tuple[tuple[str, Patterns], ...]]]:
        """Adds the files of a folder (empty: the root, else ending in `/`); the folders in it to scan next."""
        try:
            with os.scandir(self.prefix + folder) as found:
                entries = list(found)
        except OSError as error:
            self.listing.skips[folder or "./"] = f"cannot be read: {error.strerror}"
            return []
        names = {entry.name for entry in entries}
        checkout = folder and ".git" in names and git_folder(self.root / folder) is not None
        if checkout and self.git and _by_git(self.git, self.root, folder, self.listing):
            return []
        if ENVIRONMENT_MARK in names and self.gate.refuse_environment(folder[:-1]):
            return []
        if ".gitignore" in names:
            patterns = _read_ignore(self.root / folder / ".gitignore")
            rules = (*rules, (folder, patterns)) if patterns else rules
        inner: list[tuple[str, tuple[tuple[str, Patterns], ...]]] = []
        for entry in entries:
            path = folder + entry.name
            if entry.name in NEVER:
                continue
            if _is_folder(entry):
                if not _ignored(f"{path}/", rules) and self.gate.enters(path):
                    inner.append((f"{path}/", rules))
            elif not rules or not _ignored(path, rules):
                self.listing.paths.append(path)
                if entry.is_symlink():
                    self.listing.links.append(path)
        return inner


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """A folder that a walk may go into: no link, and no junction, which is what Windows has for links to folders."""
    try:
        if not entry.is_dir(follow_symlinks=False):
            return False
        attributes = getattr(entry.stat(follow_symlinks=False), "st_file_attributes", 0) if os.name == "nt" else 0
    except OSError:
        return False
    return not attributes & stat.FILE_ATTRIBUTE_REPARSE_POINT


def _read_ignore(file: Path) -> Patterns | None:
    try:
        lines = file.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff").splitlines()
    except OSError:
        return None
    return Patterns(lines) if any(line.strip() and not line.startswith("#") for line in lines) else None


def _ignored(path: str, rules: tuple[tuple[str, Patterns], ...]) -> bool:
    """The nearest ignore file that speaks of a path decides."""
    for folder, patterns in reversed(rules):
        verdict = patterns.match(path[len(folder) :])
        if verdict is not None:
            return verdict
    return False
