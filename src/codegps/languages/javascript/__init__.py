"""JavaScript: CommonJS, ES modules, JSX, and the script blocks of Vue and Svelte components.

The walk over trees is loaded when the first file is read.
"""

from __future__ import annotations

from codegps.language import Language, ModuleFinder, Project, Script
from codegps.languages.javascript.semantics import SEMANTICS
from codegps.model.facts import FileFacts

VERSION = 4
PROJECT_FILES = (
    *("package.json", "tsconfig.json", "jsconfig.json", "tsconfig.base.json"),
    *("pnpm-workspace.yaml", "lerna.json", "rush.json", ".pnp.data.json", ".pnp.cjs", ".pnp.js"),
)
"""Files that steer how modules are found. Others, such as bases of configurations, count once they are read."""


def extract(content: bytes, path: str) -> FileFacts:
    from codegps.languages.javascript.extract import extract as run

    return run(content, path, f"javascript/{VERSION}")


def finder(project: Project) -> ModuleFinder:
    from codegps.languages.javascript.modules import Finder

    return Finder(project)


def scripts(project: Project) -> list[Script]:
    from codegps.languages.javascript.entries import scripts as run

    return run(project)


LANGUAGE = Language(
    name="javascript",
    version=VERSION,
    extensions=(".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"),
    extract=extract,
    finder=finder,
    project_files=PROJECT_FILES,
    semantics=SEMANTICS,
    scripts=scripts,
    shebangs=("node", "nodejs", "bun", "deno"),
)
