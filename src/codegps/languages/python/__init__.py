"""Python: what the engine needs to know of it. The walk over trees is loaded when the first file is read."""

from __future__ import annotations

from codegps.language import Language, ModuleFinder, Project, Script
from codegps.languages.python.semantics import SEMANTICS
from codegps.model.facts import FileFacts

VERSION = 1


def extract(content: bytes, path: str) -> FileFacts:
    from codegps.languages.python.extractor import extract as run

    return run(content, path)


def finder(project: Project) -> ModuleFinder:
    from codegps.languages.python.modules import Finder

    return Finder(project)


def scripts(project: Project) -> list[Script]:
    from codegps.languages.python.entries import scripts as run

    return [Script(name, target.partition(":")[0], target.partition(":")[2].strip()) for name, target in run(project)]


LANGUAGE = Language(
    name="python",
    version=VERSION,
    extensions=(".py", ".pyi", ".pyw", ".ipynb"),
    extract=extract,
    finder=finder,
    project_files=("pyproject.toml", "setup.cfg", "setup.py"),
    semantics=SEMANTICS,
    scripts=scripts,
    shebangs=("python", "python2", "python3", "pypy", "pypy3"),
)
