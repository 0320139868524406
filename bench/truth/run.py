"""A project in; the calls that its tests made, and the graph of its sources, out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench import corpora
from bench.truth.projects import PROJECTS, Project

TRACER = Path(__file__).with_name("tracer.py")
MINUTES = 20
OPTIONS = ("-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:randomly", "--continue-on-collection-errors")
OVERRIDES = ("addopts=", "filterwarnings=default", "xfail_strict=false", "timeout=0")

Place = tuple[str, int, int]


class Entered(NamedTuple):
    """A function of the project, as the interpreter knows it."""

    file: str
    name: str
    first_line: int
    line: int
    column: int
    """Of the first thing it does: tells two lambdas of one line apart."""


class Traced(NamedTuple):
    calls: dict[Place, set[Entered]]
    summary: str
    """pytest's last line."""


def interpreter(projects: Sequence[Project] = PROJECTS) -> str:
    wanted = {"pytest>=8,<9", "setuptools"}
    for project in projects:
        wanted |= {project.requirement, *project.needs}
    return corpora.environment("truth", sys.executable, wanted)


def traced(project: Project, python: str, again: bool = False) -> Traced:
    """Runs the tests, or reads what an earlier run saw."""
    out = corpora.WORK / "traces" / f"{project.name}-{project.version}.json"
    if again or not out.is_file():
        out.parent.mkdir(parents=True, exist_ok=True)
        with corpora.copy(corpora.source(project.name, project.version)) as root:
            trace(root, python, project.arguments, out)
    return read(out)


def trace(root: Path, python: str, arguments: Sequence[str], out: Path) -> None:
    """Runs the tests of a folder; what they called goes to `out`, what pytest says beside it."""
    paths = [str(root / part) for part in ("src", "lib") if (root / part).is_dir()]
    overrides = [word for each in OVERRIDES for word in ("-o", each)]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL", "PYTEST"))}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.pathsep.join([*paths, str(root)])}
    with out.with_suffix(".txt").open("w") as log:
        subprocess.run(
            [python, str(TRACER), str(out), str(root), *paths, str(root), "--", *OPTIONS, *overrides, *arguments],
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            timeout=MINUTES * 60,
            check=False,
        )


def read(out: Path) -> Traced:
    calls: dict[Place, set[Entered]] = {}
    for file, line, column, *entered in json.loads(out.read_text("utf-8")):
        calls.setdefault((file, line, column), set()).add(Entered(*entered))
    return Traced(calls, _summary(out.with_suffix(".txt").read_text("utf-8", "replace")))


def _summary(text: str) -> str:
    found = re.findall(r"^=*\s*(\d+ (?:passed|failed|error|skipped).*?)\s*=*$", text, re.MULTILINE)
    return found[-1] if found else "no summary"
