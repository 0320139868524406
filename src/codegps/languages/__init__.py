"""The languages, one folder each. A language is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from codegps.language import Language

LANGUAGES: Final[tuple[str, ...]] = ("python", "javascript", "typescript")
"""Names of the folders here; each has a `LANGUAGE`. Importing one must be cheap: what parses is imported by `extract`
when it is first called, so that a look at an unchanged tree loads no grammar."""


def load(name: str) -> Language:
    language: Language = import_module(f"{__name__}.{name}").LANGUAGE
    return language


def load_all() -> Mapping[str, Language]:
    """Every language by its name."""
    return {name: load(name) for name in LANGUAGES}
