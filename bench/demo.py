"""This repository in; a short tour out: an index, who depends on something, a path, a refresh after an edit, proofs.

Everything happens in a copy in a temporary folder, which is gone afterwards. What is shown is what the commands print.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

import codegps

ROOT = Path(__file__).parent.parent
PARTS = ("src", "tests", "bench", "docs", "pyproject.toml")
ASKED = ("src/codegps/serve/connect/edit.py", "write")
ENDS = ("src/codegps/serve/commands/index.py", "run", "src/codegps/stores/sqlite/lock.py", "WriteLock")
EDITED = "src/codegps/serve/commands/status.py"
EDIT = """

def everywhere(agents, root, entry):
    from codegps.serve.connect import edit as agent_files

    return [agent_files.write(agent, root, entry) for agent in agents]
"""


class Tour:
    """A copy of the repository, and a screen."""

    def __init__(self, copy: Path) -> None:
        self.copy = copy
        self.index = copy / ".codegps"
        self.console = Console(highlight=False, soft_wrap=True)
        settings = {name: value for name, value in os.environ.items() if not name.startswith("CODEGPS")}
        self.environment = {**settings, "CODEGPS_STORE": str(self.index), "PYTHONUTF8": "1"}

    def say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style))

    def heading(self, text: str) -> None:
        self.say(f"\n{text}\n{'─' * len(text)}", "bold")

    def run(self, *words: str, lets_through: bool = False) -> tuple[str, str]:
        """Shows the command and how long it took; what it printed, and its second block, unless that is let through
        to the terminal as it comes: progress."""
        self.say(f"\n$ codegps {' '.join(words)}", "bold green")
        begun = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "codegps", *words],
            cwd=self.copy,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=None if lets_through else subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
        seconds = time.perf_counter() - begun
        if done.returncode:
            raise SystemExit(f"codegps {' '.join(words)} ended with status {done.returncode}. {done.stderr or ''}")
        self.say(f"  {seconds:.2f} s, the start of the program included", "dim")
        return done.stdout, done.stderr or ""

    def show(self, text: str, lines: int = 24) -> None:
        """An answer, or its beginning: whole paragraphs while there is room."""
        paragraphs = text.rstrip("\n").split("\n\n")
        shown = 1
        while shown < len(paragraphs) and "\n\n".join(paragraphs[: shown + 1]).count("\n") < lines:
            shown += 1
        styled = Text("\n\n".join(paragraphs[:shown]))
        styled.highlight_regex(r"(?m)^## .*$", "bold")
        styled.highlight_regex(r"--[A-Z_]+-->", "cyan")
        styled.highlight_regex(r"(?m)^\S[^\n]*:$", "bold green")
        styled.highlight_regex(r"(?m)^  (file|offset|snippet):", "dim")
        styled.highlight_regex(r"(?m)^    \d+:", "dim")
        self.console.print(styled)
        if shown < len(paragraphs):
            self.say(f"\n... and {len(paragraphs) - shown} more, each with its place and its lines", "dim")

    def note(self, text: str) -> None:
        """The second block of an answer: an agent reads it, too; on the command line it goes to stderr."""
        self.say("\n" + text.rstrip("\n"), "yellow")


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character shows another.
        stream.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    with tempfile.TemporaryDirectory(prefix="codegps-demo-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder).resolve() / "codegps"
        _copy(copy)
        try:
            _walk(Tour(copy))
        except KeyboardInterrupt:
            raise SystemExit(130) from None
        except BrokenPipeError:
            # Whoever read along has seen enough: nothing is left to be flushed.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _copy(copy: Path) -> None:
    ignored = shutil.ignore_patterns(".*", "__pycache__", "node_modules", "*.egg-info")
    copy.mkdir()
    (copy / ".codegps").mkdir()
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, copy / part, ignore=ignored)
        else:
            shutil.copy(ROOT / part, copy)


def _walk(tour: Tour) -> None:
    tour.say("CodeGPS: who calls what in a source tree, and how sure that is.", "bold")
    tour.say("A tour of this repository, in a temporary copy of it. Your checkout is not touched.")
    _show_index(tour)
    before = _show_dependents(tour)
    _show_path(tour)
    _show_refresh(tour, before)
    _show_proofs(tour)
    tour.heading("Now yours")
    tour.say(
        f"\n  {Path(sys.executable).with_name('codegps')} dependents-of FILE SYMBOL --root YOUR/PROJECT\n"
        "  codegps connect        lets Claude Code, Cursor, VS Code, Codex and others ask over MCP\n\n"
        "README.md has the sixty seconds, docs/ a page for every tool."
    )


def _show_index(tour: Tour) -> None:
    tour.heading("1. Index it")
    out, _ = tour.run("index", lets_through=True)
    tour.show(out)


def _show_dependents(tour: Tour) -> str:
    file, name = ASKED
    word = re.compile(rf"\b{name}\b")
    lines = sum(
        bool(word.search(line))
        for source in tour.copy.rglob("*.py")
        for line in source.read_text("utf-8", "replace").splitlines()
    )
    tour.heading("2. Who depends on it?")
    tour.say(
        f"\nYou want to change the function `{name}` of {file}.\n"
        f"The word `{name}` stands in {lines} lines of this repository. These are the ones that matter:"
    )
    text, note = tour.run("dependents-of", *ASKED)
    tour.show(text, 48)
    tour.note(note)
    tour.say("\nTests are among them: those are the ones to run. And it says what it could not resolve.")
    return text


def _show_path(tour: Tour) -> None:
    tour.heading("3. How are these two connected?")
    tour.say("\nBy which way does `codegps index` come to the lock that keeps two writers apart?")
    text, note = tour.run("paths-between", *ENDS)
    tour.show(text)
    tour.note(note)


def _show_refresh(tour: Tour, before: str) -> None:
    tour.heading("4. Edit, and ask again")
    tour.say(f"\nThe copy's {EDITED} gets a function that calls it by way of another name:\n")
    tour.say("\n".join(f"  + {line}".rstrip() for line in EDIT.strip("\n").splitlines()), "cyan")
    edited = tour.copy / EDITED
    edited.write_text(edited.read_text("utf-8") + EDIT, "utf-8")
    text, _ = tour.run("dependents-of", *ASKED)
    known = set(_graph(before))
    for line in _graph(text):
        if line not in known:
            tour.say(f"+ {line}", "bold green")
    tour.say(
        "\nBefore each answer changed files are noticed, and only what they reach is solved again. The graph is the\n"
        "one that an index from nothing would have: `codegps verify` proves that, on your project, too."
    )


def _graph(text: str) -> list[str]:
    """The chains of an answer."""
    return text.partition("\n\n## Nodes")[0].splitlines()[2:]


def _show_proofs(tour: Tour) -> None:
    tour.heading("5. How sure is it?")
    with codegps.open_graph(tour.copy, store=str(tour.index)) as graph:
        counts = graph.store.counts()
    rows = [
        ("resolved", counts.resolved, "follows from scope, import, lookup order or a declared type"),
        ("dispatch", counts.dispatch, "one of a known set: an override, a branch"),
        ("inferred", counts.inferred, "a value that travelled one to three steps; the edge says how"),
        ("external", counts.external, "not an edge: it leaves the project, and the library's name is kept"),
        ("unknown", counts.unknown, "not an edge: kept with its place, counted in every answer it may concern"),
    ]
    tour.say("\nEvery edge carries its proof, and what has none is never guessed from its name:\n")
    for name, count, meaning in rows:
        tour.say(f"  {name:10}{count:>8,}  {meaning}")
    tour.say("\ndocs/proof.md shows each with an example, and how often each proves true when tests are run.")


if __name__ == "__main__":
    main()
