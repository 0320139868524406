"""A path in; whether it is let into the tree, out: excluded, vendored, generated and minified files are not.

Each refusal is noted with its reason. A folder that is refused whole is noted once.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from codegps.discover.listing import Listing
from codegps.discover.patterns import Patterns
from codegps.settings import Settings

VENDORED: Final = "vendored: other people's code"
ENVIRONMENT: Final = "an installed environment"
GENERATED: Final = "generated"
BUILD: Final = "build output"
MINIFIED: Final = "minified"
EXCLUDED: Final = "excluded by the settings"

FOLDERS: Final[dict[str, str]] = {
    **dict.fromkeys(("node_modules", "bower_components", "jspm_packages", "third_party", "third-party"), VENDORED),
    **dict.fromkeys(("_vendor", "_vendored", ".yarn", "Pods"), VENDORED),
    **dict.fromkeys((".venv", ".virtualenv", ".tox", ".nox", ".conda", "site-packages"), ENVIRONMENT),
    **dict.fromkeys(("__pycache__", ".eggs", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis"), GENERATED),
    **dict.fromkeys((".ipynb_checkpoints", "htmlcov", "lcov-report", ".cache", ".turbo", ".parcel-cache"), GENERATED),
    **dict.fromkeys((".next", ".nuxt", ".svelte-kit", ".angular", ".docusaurus", ".gradle", ".terraform"), BUILD),
}
"""Names that mean the same everywhere."""
ENDINGS: Final = ((".egg-info", GENERATED), (".dist-info", ENVIRONMENT))
UNLESS_OWN: Final[dict[str, str]] = {
    **dict.fromkeys(("venv", "virtualenv"), ENVIRONMENT),
    **dict.fromkeys(("build", "dist"), BUILD),
    "vendor": VENDORED,
}
"""Names that some projects give to folders of their own; see `Gate._own`."""
BESIDE: Final[dict[str, tuple[str, ...]]] = {
    "target": ("Cargo.toml", "pom.xml", "build.sbt"),
    "out": ("package.json", "tsconfig.json", "build.gradle", "CMakeLists.txt"),
    "env": ("env/bin/activate", "env/Scripts/activate"),
}
"""Names that mean something only beside one of these."""
GENERATED_NAMES: Final = frozenset({".pnp.js", ".pnp.cjs", ".pnp.loader.mjs"})
"""Files that package managers write."""
MINIFIED_NAME: Final = re.compile(r"[.-]min\.(js|mjs|cjs)$", re.IGNORECASE)
MINIFIABLE: Final = (".js", ".mjs", ".cjs")
MINIFIED_BYTES: Final = 2_000
MINIFIED_LINE: Final = 500
"""Longer lines, on average, nobody writes ..."""
MINIFIED_DENSITY: Final = 100
"""... least of all with a statement or block every so many characters."""


class Gate:
    """Decides for one root. `skips` holds what was refused: path (a folder's ends in `/`) to reason."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self.root = root
        self.skips: dict[str, str] = {}
        self._excluded = Patterns(settings.exclude) if settings.exclude else None
        self._included = Patterns(settings.include) if settings.include else None
        self._folders: dict[str, tuple[str, str] | None] = {"": None}
        self._tracked: list[str] | None = None

    def know(self, listing: Listing) -> None:
        """What a listing tells in advance: which files are under version control, which folders environments."""
        self._tracked = listing.tracked
        for folder in listing.environments:
            self.refuse_environment(folder)

    def refuse_environment(self, folder: str) -> bool:
        """Notes a virtual environment; whether a walk may leave it alone."""
        if folder and self.folder(folder) is None:
            self._folders[folder] = (f"{folder}/", ENVIRONMENT)
            self.skips[f"{folder}/"] = ENVIRONMENT
        return bool(folder) and self._included is None

    def admits(self, path: str, base: str) -> bool:
        """Whether a file is let in."""
        slash = len(path) - len(base) - 1
        refused = self.folder(path[:slash]) if slash > 0 else None
        if refused is None:
            if self._excluded is not None and self._excluded.match(path):
                refused = (path, EXCLUDED)
            elif MINIFIED_NAME.search(base):
                refused = (path, MINIFIED)
            elif base in GENERATED_NAMES:
                refused = (path, GENERATED)
            else:
                return True
        if refused[1] is not EXCLUDED and self.included(path):
            return not (self._excluded is not None and self._excluded.match(path))
        self.skips[refused[0]] = refused[1]
        return False

    def included(self, path: str) -> bool:
        """Whether the settings ask for it although it is vendored, generated or minified."""
        return self._included is not None and bool(self._included.match(path))

    def enters(self, folder: str) -> bool:
        """Whether a walk goes into this folder. A refused one may still hold files that the settings ask for."""
        refused = self.folder(folder)
        if refused is None or (refused[1] is not EXCLUDED and self._included is not None):
            return True
        self.skips[refused[0]] = refused[1]
        return False

    def folder(self, path: str) -> tuple[str, str] | None:
        """The outermost refused folder on the way to this one, with its reason."""
        known = self._folders
        missing: list[str] = []
        at = path
        while at not in known:
            missing.append(at)
            at = at[: max(at.rfind("/"), 0)]
        answer = known[at]
        for at in reversed(missing):
            if answer is None:
                answer = self._refusal(at)
            known[at] = answer
        return answer

    def _refusal(self, folder: str) -> tuple[str, str] | None:
        name = folder[folder.rfind("/") + 1 :]
        above = folder[: -len(name)]
        reason = FOLDERS.get(name)
        if reason is None and name in UNLESS_OWN and not self._own(folder, name, above):
            reason = UNLESS_OWN[name]
        if reason is None and name in BESIDE and any(self._exists(above + mark) for mark in BESIDE[name]):
            reason = ENVIRONMENT if name == "env" else BUILD
        if reason is None:
            reason = next((why for ending, why in ENDINGS if name.endswith(ending)), None)
        if reason is None and self._excluded is not None and self._excluded.match(f"{folder}/"):
            reason = EXCLUDED
        return (f"{folder}/", reason) if reason else None

    def _own(self, folder: str, name: str, above: str) -> bool:
        """Whether a `build`, `dist`, `vendor` or `venv` is the project's own work: a package, part of `src`, or (a
        `build`, but not a `dist` that a package publishes) under version control."""
        if self._exists(f"{folder}/__init__.py") or not {"src", "source"}.isdisjoint(above.split("/")):
            return True
        if self._tracked is None or UNLESS_OWN[name] is not BUILD:
            return False
        if name == "dist" and self._exists(f"{above}package.json"):
            return False
        return any(path.startswith(f"{folder}/") for path in self._tracked)

    def _exists(self, path: str) -> bool:
        return os.path.lexists(self.root / path)


def is_minified(path: str, source: bytes) -> bool:
    """Whether a script's text was made by a program: very long lines, full of statements."""
    size = len(source)
    if size < MINIFIED_BYTES or not path.lower().endswith(MINIFIABLE):
        return False
    if size < MINIFIED_LINE * (source.count(b"\n") + 1):
        return False
    return (source.count(b";") + source.count(b"{") + source.count(b",")) * MINIFIED_DENSITY > size
