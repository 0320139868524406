"""TypeScript: a dialect of JavaScript. What walks JavaScript walks it too; its own are the files and their grammars."""

from __future__ import annotations

from codegps.language import Language
from codegps.languages.javascript import PROJECT_FILES, finder, scripts
from codegps.languages.javascript.semantics import SEMANTICS
from codegps.model.facts import FileFacts

VERSION = 4


def extract(content: bytes, path: str) -> FileFacts:
    """Facts of one file; `.d.ts` files hold declarations only."""
    from codegps.languages.javascript.extract import extract as run

    return run(content, path, f"typescript/{VERSION}")


LANGUAGE = Language(
    name="typescript",
    version=VERSION,
    extensions=(".ts", ".tsx", ".mts", ".cts"),
    extract=extract,
    finder=finder,
    project_files=PROJECT_FILES,
    semantics=SEMANTICS,
    scripts=scripts,
)
