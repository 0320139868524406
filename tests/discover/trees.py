"""Trees on disk for tests: a dictionary in, files out; and git checkouts of them."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from codegps.discover import Tree, discover
from codegps.language import Found, Language, ModuleFinder, Project, Semantics
from codegps.model.facts import FileFacts
from codegps.settings import Settings


def extract(source: bytes, path: str) -> FileFacts:
    raise AssertionError("discovering opens nothing")


def finder(project: Project) -> ModuleFinder:
    raise AssertionError("discovering finds no modules")


def language(name: str, extensions: tuple[str, ...], project_files: tuple[str, ...], shebangs: tuple[str, ...] = ()):
    return Language(
        name=name,
        version=1,
        extensions=extensions,
        extract=extract,
        finder=finder,
        semantics=Semantics(),
        project_files=project_files,
        shebangs=shebangs,
    )


LANGUAGES = {
    "python": language("python", (".py", ".pyi"), ("pyproject.toml",), ("python",)),
    "javascript": language("javascript", (".js", ".mjs"), ("package.json",), ("node",)),
}

__all__ = ["LANGUAGES", "Found", "git", "look", "paths", "skips", "write"]


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())


def git(folder: Path, *arguments: str) -> str:
    """Runs git with nothing of the user's own settings."""
    command = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    command += ["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"]
    done = subprocess.run([*command, *arguments], check=True, capture_output=True, text=True)
    return done.stdout


def look(root: Path, **settings: object) -> Tree:
    return discover(root.resolve(), Settings(**settings), LANGUAGES)  # pyright: ignore[reportArgumentType]


def paths(tree: Tree) -> list[str]:
    return [source.path for source in tree.sources]


def skips(tree: Tree) -> dict[str, str]:
    return {skip.file: skip.reason for skip in tree.skips}
