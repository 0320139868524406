"""A tree of sources in; what module finders may ask about it, out, and whether an answer they got has changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from codegps.discover.listing import NEVER
from codegps.language import Language

MAX_BYTES: Final = 5_000_000
"""Larger project files say nothing that steers imports."""
UNSEEN: Final = NEVER | {"__pycache__"}


class Seen(msgspec.Struct, array_like=True):
    """What a project file was like when a finder read it."""

    size: int
    mtime_ns: int
    sha: str


class Asked(msgspec.Struct):
    """All that a language's finder read, and so all that its imports depend on besides the sources themselves."""

    files: dict[str, Seen | None] = {}
    """None: it was not there."""
    folders: dict[str, str] = {}
    """Digest of the names that are no sources'."""


ASKED: Final = msgspec.json.Decoder(dict[str, Asked])


def extensions_of(languages: Mapping[str, Language]) -> tuple[str, ...]:
    """What the names of sources end in."""
    return tuple(sorted({extension for language in languages.values() for extension in language.extensions}))


class SourceTree:
    """The `Project` that finders see; remembers what they ask."""

    def __init__(self, root: Path, paths: Sequence[str], extensions: tuple[str, ...]) -> None:
        """`extensions` are those of sources, which are no news here: the resolver knows them by their rows."""
        self._root = root
        self._extensions = extensions
        self._paths = paths
        self._set = frozenset(paths)
        self._texts: dict[str, bytes | None] = {}
        self._names: dict[str, list[str]] = {}
        self.asked = Asked({}, {})

    def paths(self) -> Iterable[str]:
        return self._paths

    def has(self, path: str) -> bool:
        return path in self._set

    def read(self, path: str) -> bytes | None:
        path = _plain(path)
        if path not in self._texts:
            seen, text = _read(self._root, path)
            self.asked.files[path] = seen
            self._texts[path] = text
        return self._texts[path]

    def listing(self, folder: str) -> list[str]:
        folder = _plain(folder)
        if folder not in self._names:
            names = self._names[folder] = _names(self._root, folder)
            self.asked.folders[folder] = _digest(names, self._extensions)
        return list(self._names[folder])


def has_changed(root: Path, asked: Asked, looked_ns: int, extensions: tuple[str, ...]) -> bool:
    """Whether a finder would get another answer today. `looked_ns`: a file younger than this may have changed without
    a change of its time."""
    for path, seen in asked.files.items():
        try:
            found = os.stat(root / path)  # noqa: PTH116
        except (OSError, ValueError):
            if seen is not None:
                return True
            continue
        if seen and (seen.size, seen.mtime_ns) == (found.st_size, found.st_mtime_ns) and seen.mtime_ns < looked_ns:
            continue
        now = _read(root, path)[0]
        if (now and now.sha) != (seen and seen.sha):
            return True
    return any(_digest(_names(root, folder), extensions) != digest for folder, digest in asked.folders.items())


def joined(old: Mapping[str, Asked], new: Mapping[str, Asked], anew: Iterable[str]) -> dict[str, Asked]:
    """By language: what was asked for the imports that the graph holds, after some more were resolved. The languages
    in `anew` had all of theirs resolved."""
    both = dict(old)
    for language, asked in new.items():
        before = both.get(language)
        if before is None or language in anew:
            both[language] = asked
        else:
            both[language] = Asked({**before.files, **asked.files}, {**before.folders, **asked.folders})
    return both


def _plain(path: str) -> str:
    return str(PurePosixPath(path)) if path else "."


def _inside(root: Path, path: str) -> Path | None:
    """The real place of a path of the tree; None where it leads out of the root."""
    if path.startswith("/") or ".." in path.split("/") or "\0" in path:
        return None
    try:
        place = (root / path).resolve()
    except (OSError, RuntimeError):
        return None
    return place if place.is_relative_to(root) else None


def _read(root: Path, path: str) -> tuple[Seen | None, bytes | None]:
    # Most of what finders ask for is not there, and to learn that costs less than to follow the links on the way.
    if not os.path.exists(f"{root}/{path}"):  # noqa: PTH110
        return None, None
    place = _inside(root, path)
    try:
        if place is None or not place.is_file():
            return None, None
        found = place.stat()
        if found.st_size > MAX_BYTES:
            return None, None
        text = place.read_bytes()
    except OSError:
        return None, None
    return Seen(len(text), found.st_mtime_ns, hashlib.sha1(text, usedforsecurity=False).hexdigest()), text


def _names(root: Path, folder: str) -> list[str]:
    place = _inside(root, folder)
    if place is None:
        return []
    try:
        with os.scandir(place) as entries:
            return sorted(f"{e.name}/" if e.is_dir() else e.name for e in entries if e.name not in UNSEEN)
    except OSError:
        return []


def _digest(names: list[str], extensions: tuple[str, ...]) -> str:
    text = "\0".join(name for name in names if not name.endswith(extensions))
    return hashlib.sha1(text.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()
