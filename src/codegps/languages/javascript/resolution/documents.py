"""Names of project files in; what they say, as objects, out. What is broken in them becomes a diagnostic, once."""

from __future__ import annotations

import re
from collections.abc import Callable

from codegps.language import Project
from codegps.languages.javascript.resolution.jsonc import Broken, Json, decoded, lenient, strict
from codegps.model.graph import Diagnostic

Table = dict[str, Json]


class Documents:
    def __init__(self, project: Project) -> None:
        self.project = project
        self._tables: dict[str, Table | None] = {}
        self._diagnostics: dict[Diagnostic, None] = {}

    def diagnostics(self) -> list[Diagnostic]:
        return sorted(self._diagnostics, key=lambda d: (d.file, d.line, d.message))

    def report(self, path: str, line: int, message: str) -> None:
        self._diagnostics[Diagnostic(path, line, message)] = None

    def text(self, path: str) -> str | None:
        data = self.project.read(path)
        return None if data is None else decoded(data)

    def json(self, path: str) -> Table | None:
        """A `package.json` or the like; None where there is none, or a broken one."""
        return self._table(path, strict)

    def jsonc(self, path: str) -> Table | None:
        """A `tsconfig.json` or the like."""
        return self._table(path, lenient)

    def _table(self, path: str, reader: Callable[[str], Json]) -> Table | None:
        if path not in self._tables:
            self._tables[path] = self._read(path, reader)
        return self._tables[path]

    def _read(self, path: str, reader: Callable[[str], Json]) -> Table | None:
        text = self.text(path)
        if text is None:
            return None
        try:
            value = reader(text)
        except Broken as error:
            self.report(path, error.line, f"not valid JSON: {error}")
            return None
        if isinstance(value, dict):
            return value
        self.report(path, 1, "not an object")
        return None

    def line(self, path: str, key: str) -> int:
        """The first line that names a key."""
        text = self.text(path) or ""
        found = re.search(rf'"{re.escape(key)}"\s*:', text)
        return text.count("\n", 0, found.start()) + 1 if found else 1

    def expect(self, path: str, key: str, fits: bool, what: str) -> bool:
        """Whether a value is what it has to be; if not that is reported."""
        if not fits:
            self.report(path, self.line(path, key), f'"{key}" must be {what}')
        return fits


def table(value: Json) -> Table:
    return value if isinstance(value, dict) else {}


def strings(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def text(value: Json) -> str:
    return value if isinstance(value, str) else ""
