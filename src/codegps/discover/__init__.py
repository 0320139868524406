"""A root folder in; its source files, project files and skips with their reasons out.

In a git checkout git's own listing is the tree, submodules included; elsewhere the folders are walked under the
rules of every `.gitignore` on the way. Nothing is opened here but the first line of programs without an extension.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from codegps.discover.gate import Gate
from codegps.discover.listing import Listing, list_tree
from codegps.language import Language
from codegps.model.graph import Skip
from codegps.settings import Settings


class Source(NamedTuple):
    """A source file as it lies there now."""

    path: str
    """Relative to the root, with `/`."""
    language: str
    size: int
    mtime_ns: int


class Tree(msgspec.Struct):
    """What is in a root."""

    sources: list[Source]
    """Ordered by path."""
    skips: list[Skip]
    """Ordered by path; a folder that is skipped whole ends in `/` and stands for all in it."""
    project_files: list[str]
    """Files that steer how modules are found, ordered by path."""


NOT_UTF8: Final = "its name is not valid UTF-8"
SHEBANG_BYTES: Final = 200


def discover(root: Path, settings: Settings, languages: Mapping[str, Language]) -> Tree:
    """Everything below `root`, an absolute folder with its links resolved."""
    gate = Gate(root, settings)
    return _Sorting(root, settings, languages, gate).sort(list_tree(root, gate))


def look_at(root: Path, paths: Iterable[str], settings: Settings) -> Iterator[tuple[str, int, int] | None]:
    """Size and time of files known from before; None for one that is no longer the plain file that it was."""
    prefix = f"{root}{os.sep}"
    for path in paths:
        try:
            found = os.lstat(prefix + path)
        except OSError:
            yield None
            continue
        plain = stat.S_ISREG(found.st_mode) and found.st_size <= settings.max_file_bytes
        yield (path, found.st_size, found.st_mtime_ns) if plain else None


class _Sorting:
    """Puts each name of the tree where it belongs."""

    def __init__(self, root: Path, settings: Settings, languages: Mapping[str, Language], gate: Gate) -> None:
        self.root = root
        self.prefix = f"{root}{os.sep}"
        self.limit = settings.max_file_bytes
        self.gate = gate
        self.by_extension = {e.lower(): lang.name for lang in languages.values() for e in lang.extensions}
        self.by_shebang = {s: lang.name for lang in languages.values() for s in lang.shebangs}
        self.project_names = {name for lang in languages.values() for name in lang.project_files}
        self.sources: list[Source] = []
        self.project_files: list[str] = []

    def sort(self, listing: Listing) -> Tree:
        skips = self.gate.skips
        for path, reason in listing.skips.items():
            skips[_shown(path)] = reason
        self.gate.know(listing)
        by_extension, project_names, programs = self.by_extension, self.project_names, bool(self.by_shebang)
        for path in listing.paths:
            base = path[path.rfind("/") + 1 :]
            dot = base.rfind(".")
            if dot < 0:
                if programs:
                    self._add_program(path, base)
            elif (language := by_extension.get(base[dot:].lower())) is not None:
                if self.gate.admits(path, base):
                    self._add(path, language)
            elif base in project_names and self.gate.admits(path, base):
                self.project_files.append(path)
        for path in listing.links:
            if (self.root / path).is_dir():
                skips[_shown(path)] = link_reason(self.root, path)
        self.sources.sort()
        self.project_files.sort()
        return Tree(self.sources, [Skip(f, skips[f]) for f in sorted(skips)], self.project_files)

    def _add(self, path: str, language: str) -> None:
        try:
            found = os.lstat(self.prefix + path)
        except FileNotFoundError:
            return
        except OSError as error:
            self.gate.skips[_shown(path)] = f"cannot be read: {error.strerror}"
            return
        mode = found.st_mode
        if stat.S_ISREG(mode):
            if found.st_size > self.limit:
                reason = f"{found.st_size:,} bytes; the limit is {self.limit:,} (setting max_file_bytes)"
            elif _shown(path) != path:
                reason = NOT_UTF8
            else:
                self.sources.append(Source(path, language, found.st_size, found.st_mtime_ns))
                return
        elif stat.S_ISDIR(mode):
            return  # a submodule whose name looks like a source's: what is in it is listed by itself
        elif stat.S_ISLNK(mode):
            reason = link_reason(self.root, path)
        else:
            reason = "not a regular file"
        self.gate.skips[_shown(path)] = reason

    def _add_program(self, path: str, base: str) -> None:
        """A file without an extension is a source if it can be run and its first line names an interpreter."""
        try:
            found = os.lstat(self.prefix + path)
        except OSError:
            return
        if not stat.S_ISREG(found.st_mode) or not (found.st_mode & 0o111 or os.name == "nt"):
            return
        language = self.by_shebang.get(_interpreter(self.prefix + path)) if found.st_size else None
        if language is not None and self.gate.admits(path, base):
            self._add(path, language)


def _interpreter(file: str) -> str:
    """The program that a `#!` line names, without its version."""
    try:
        with open(file, "rb") as opened:  # noqa: PTH123  (a Path for each file of a large tree is dear)
            line = opened.read(SHEBANG_BYTES).split(b"\n", 1)[0]
    except OSError:
        return ""
    if not line.startswith(b"#!"):
        return ""
    words = [w.rpartition("/")[2] for w in line[2:].decode("utf-8", "replace").split()]
    if words[:1] == ["env"]:
        words = [w for w in words[1:] if not w.startswith("-") and "=" not in w]
    return words[0].rstrip("0123456789.") if words else ""


def _shown(path: str) -> str:
    """The path as text that can be stored: bytes that are not UTF-8 as `\\xNN`."""
    try:
        path.encode()
        return path
    except UnicodeEncodeError:
        pass
    try:
        return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # Windows has names with halves of surrogate pairs, which are no bytes at all
        return path.encode("utf-8", "backslashreplace").decode()


def link_reason(root: Path, path: str) -> str:
    """Why a symbolic link is not followed: what it leads to is read under its own name, or not at all."""
    link = root / path
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):
        return "symbolic link that leads nowhere" if not _loops(link) else "symbolic link that leads to itself"
    if link.parent.resolve().is_relative_to(target):
        return "symbolic link that leads to itself"
    if not target.is_relative_to(root):
        return "symbolic link that leads out of the root"
    return f"symbolic link to {_shown(target.relative_to(root).as_posix())}"


def _loops(link: Path) -> bool:
    seen: set[str] = set()
    at = str(link)
    while at not in seen:
        seen.add(at)
        try:
            at = os.path.normpath(os.path.join(os.path.dirname(at), os.readlink(at)))  # noqa: PTH115, PTH118, PTH120
        except OSError:
            return False
    return True
