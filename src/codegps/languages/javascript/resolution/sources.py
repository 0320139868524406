"""The indexed files of the tree: the path that an import names in, the file that it means, out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from codegps.languages.javascript.resolution.paths import inside

DECLARATIONS: Final = (".d.ts", ".d.mts", ".d.cts")
APPENDED: Final = (".ts", ".tsx", ".js", ".jsx", ".d.ts")
"""What an import leaves out, what is tried first in front: a source before the declarations beside it."""
RARELY: Final = (".mts", ".mjs", ".cts", ".cjs", ".vue", ".svelte", ".d.mts", ".d.cts")
"""What only some bundlers let an import leave out: tried when there is no folder of the name, either."""
EXTENSIONS: Final = (*APPENDED, *RARELY)
_SCRIPT: Final = (".ts", ".tsx", ".js", ".jsx", ".d.ts")
_COMPONENT: Final = (".tsx", ".ts", ".jsx", ".js", ".d.ts")
REPLACED: Final = {
    **dict.fromkeys((".js", ".ts"), _SCRIPT),
    **dict.fromkeys((".jsx", ".tsx"), _COMPONENT),
    **dict.fromkeys((".mjs", ".mts"), (".mts", ".mjs", ".d.mts")),
    **dict.fromkeys((".cjs", ".cts"), (".cts", ".cjs", ".d.cts")),
    ".vue": (".vue",),
    ".svelte": (".svelte",),
}
"""What a written extension may mean."""
ASSETS: Final = re.compile(
    r"\.(?:json[5c]?|ya?ml|toml|xml|csv|txt|mdx?|html?|hbs|ejs|pug|css|s[ac]ss|less|styl|p(?:ost)?css|map|svg|png|jpe?g|gif|"
    r"webp|avif|ico|bmp|mp[34]|webm|ogg|wav|pdf|woff2?|[to]tf|eot|wasm|node|graphql|gql|proto|sql|glsl|vert|frag|wgsl)"
)
"""Extensions of what bundlers import, though it is no module."""


def suffix(path: str) -> str:
    """`.d.ts` where a path ends so, else what follows the last dot of its name."""
    name = path[path.rfind("/") + 1 :]
    for each in DECLARATIONS:
        if name.endswith(each):
            return each
    dot = name.rfind(".")
    return name[dot:] if dot > 0 else ""


def is_declaration(path: str) -> bool:
    return path.endswith(DECLARATIONS)


def is_typed_source(path: str) -> bool:
    return path.endswith((".ts", ".tsx", ".mts", ".cts")) and not is_declaration(path)


def is_asset(path: str) -> bool:
    return ASSETS.fullmatch(suffix(path)) is not None


class Sources:
    def __init__(self, paths: Iterable[str]) -> None:
        self._files = frozenset(path for path in paths if path.endswith(EXTENSIONS))
        self._folders: set[str] | None = None
        self.has_installed = any("node_modules/" in path for path in self._files)
        """Whether packages that were installed are indexed."""

    @property
    def folders(self) -> set[str]:
        """All folders with files in or below them."""
        if self._folders is None:
            folders = self._folders = {""}
            for path in self._files:
                folder = path.rpartition("/")[0]
                while folder not in folders:
                    folders.add(folder)
                    folder = folder.rpartition("/")[0]
        return self._folders

    def folders_below(self, folder: str) -> list[str]:
        start = f"{folder}/" if folder else ""
        return sorted(each for each in self.folders if each.startswith(start) and each != folder)

    def file(self, path: str, marks: tuple[str, ...] = ("",)) -> str | None:
        """The file that is meant by `path`, with or without an extension. `marks` may stand before the extension
        (`.ios`), the first that is there wins."""
        name = path[path.rfind("/") + 1 :]
        dot = name.rfind(".")
        written = name[dot:] if dot > 0 else ""
        meant = REPLACED.get(written, ())
        for mark in marks:
            found = self._any(path[: len(path) - len(written)] + mark, meant) if meant else None
            found = found or self._any(path + mark, APPENDED)
            if found is not None:
                return found
        return None

    def rarely(self, path: str) -> str | None:
        """As `file`, with extensions that mostly have to be written."""
        return self._any(path, RARELY)

    def _any(self, stem: str, endings: tuple[str, ...]) -> str | None:
        files = self._files
        for ending in endings:
            if stem + ending in files:
                return stem + ending
        return None

    def index(self, folder: str, marks: tuple[str, ...] = ("",)) -> str | None:
        if folder not in self.folders:
            return None
        stem = inside(folder, "index")
        return self.file(stem, marks) or self.rarely(stem)

    def file_or_index(self, path: str, marks: tuple[str, ...] = ("",)) -> str | None:
        return (self.file(path, marks) if path else None) or self.index(path, marks) or self.rarely(path)
