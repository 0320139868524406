"""The house keeps its rules where no linter looks."""

from __future__ import annotations

import re
from pathlib import Path

from codegps.languages import LANGUAGES

SOURCE = Path(__file__).parent.parent / "src" / "codegps"
OWNERS = {"languages", "lsp"}
"""Rooms that may speak of languages by name: their own folder, and the table of language servers."""


def test_the_engine_names_no_language() -> None:
    quoted = re.compile(rf"""["']({"|".join(LANGUAGES)})["']""")
    found = [
        f"{file.relative_to(SOURCE)}: {line.strip()}"
        for file in sorted(SOURCE.rglob("*.py"))
        # `parse` owns the parsers, and a grammar is known by its name.
        if file.relative_to(SOURCE).parts[0] not in OWNERS and file.name != "parse.py"
        for line in file.read_text().splitlines()
        if quoted.search(line)
    ]
    assert found == []


def test_only_the_doors_catch_everything() -> None:
    found = [
        str(file.relative_to(SOURCE))
        for file in sorted(SOURCE.rglob("*.py"))
        if file.relative_to(SOURCE).parts[0] != "serve"
        and re.search(r"^\s*except Exception\b", file.read_text(), re.MULTILINE)
    ]
    assert found == []


def test_files_stay_small() -> None:
    found = [
        f"{file.relative_to(SOURCE)}: {count}"
        for file in sorted(SOURCE.rglob("*.py"))
        if (count := len(file.read_text().splitlines())) > 600
    ]
    assert found == []
