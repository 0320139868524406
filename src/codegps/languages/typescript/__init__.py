"""TypeScript: JavaScript with types. The walker is JavaScript's; what is TypeScript's own are the files."""

from __future__ import annotations

from codegps.language import Language
from codegps.languages.javascript.extract import VERSION
from codegps.languages.javascript.extract import extract as walk
from codegps.languages.javascript.relative import RelativeFinder
from codegps.languages.javascript.semantics import SEMANTICS
from codegps.model.facts import FileFacts


def extract(content: bytes, path: str) -> FileFacts:
    """Facts of one file; `.d.ts` files hold declarations only."""
    return walk(content, path, "typescript")


LANGUAGE = Language(
    name="typescript",
    version=VERSION,
    extensions=(".ts", ".tsx", ".mts", ".cts"),
    extract=extract,
    finder=RelativeFinder,
    project_files=("tsconfig.json", "package.json", "jsconfig.json", "pnpm-workspace.yaml"),
    semantics=SEMANTICS,
)
