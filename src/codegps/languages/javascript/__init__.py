"""JavaScript: CommonJS, ES modules, JSX, and the script blocks of Vue and Svelte components."""

from __future__ import annotations

from codegps.language import Language
from codegps.languages.javascript.extract import VERSION, extract
from codegps.languages.javascript.relative import RelativeFinder
from codegps.languages.javascript.semantics import SEMANTICS

LANGUAGE = Language(
    name="javascript",
    version=VERSION,
    extensions=(".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"),
    extract=extract,
    finder=RelativeFinder,
    project_files=("package.json", "jsconfig.json", "tsconfig.json", "pnpm-workspace.yaml"),
    semantics=SEMANTICS,
    shebangs=("node", "bun", "deno"),
)
