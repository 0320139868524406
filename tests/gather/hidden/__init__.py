"""A language whose extractor is hidden by a module of its name once that is imported."""

from __future__ import annotations

from codegps.language import Language, ModuleFinder, Project, Semantics
from codegps.model.facts import FileFacts


def extract(source: bytes, path: str) -> FileFacts:
    from tests.gather.hidden.extract import extract as run

    return run(source, path)


def finder(project: Project) -> ModuleFinder:
    raise AssertionError("gathering finds no modules")


LANGUAGE = Language(name="toy", version=7, extensions=(".toy",), extract=extract, finder=finder, semantics=Semantics())
