"""What the package needs is declared, and nothing more is."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
OF_DEPENDENCIES = {"mcp": {"anyio", "mcp", "mcp_types", "uvicorn"}}
"""Distributions of which we use more than one top-level package: the SDK is built on these."""


def imported() -> set[str]:
    """Top-level packages that any module of ours imports, also inside functions."""
    found: set[str] = set()
    for file in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"codegps"}


def declared() -> dict[str, set[str]]:
    names = [re.split(r"[<>=~!\[; ]", line)[0] for line in PROJECT["project"]["dependencies"]]
    return {name: OF_DEPENDENCIES.get(name, {name.replace("-", "_")}) for name in names}


def test_what_is_imported_is_declared() -> None:
    assert imported() <= set().union(*declared().values())


def test_what_is_declared_is_used() -> None:
    # Grammars are loaded by their name, so they are looked for in the text.
    text = "\n".join(file.read_text("utf-8") for file in (ROOT / "src").rglob("*.py"))
    assert [name for name, packages in declared().items() if not any(package in text for package in packages)] == []


def test_the_package_says_that_it_is_typed_and_its_version_is_the_projects() -> None:
    import codegps

    assert (ROOT / "src" / "codegps" / "py.typed").exists()
    assert PROJECT["tool"]["setuptools"]["package-data"] == {"codegps": ["py.typed"]}
    assert codegps.__version__ == PROJECT["project"]["version"]


def test_every_dependency_is_explained() -> None:
    table = (ROOT / "ARCHITECTURE.md").read_text("utf-8").partition("## Dependencies")[2].partition("\n## ")[0]
    assert [name for name in declared() if f"{name.removeprefix('tree-sitter')}" not in table] == []
