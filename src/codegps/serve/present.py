"""Answers and progress in; what a person or a program reads, out.

In a pipe stdout is the answer's text and nothing else. On a terminal it may have colours; rich is imported only
there.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Generator
from time import monotonic
from typing import TYPE_CHECKING, Any

from codegps.query.graph import Graph
from codegps.serve.workspace import Workspace
from codegps.tool import Answer

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

QUIET_SECONDS = 0.4
"""A refresh that is quicker shows no progress."""


@contextlib.contextmanager
def opened(workspace: Workspace) -> Generator[Graph]:
    """A graph of the files as they are now. The first time this builds the index and says so on stderr."""
    new = not workspace.has_index()
    store = workspace.open()
    try:
        if new:
            print(f"Indexing {workspace.root} for the first time …", file=sys.stderr, flush=True)
        with progress() as report:
            done = workspace.refresh(store, report)
        if new:
            print(f"Indexed {done.counts.files:,} files in {done.seconds:.1f} s.", file=sys.stderr, flush=True)
        with store.snapshot():
            yield workspace.graph(store)
    finally:
        store.close()


def show(answer: Answer, as_json: bool = False) -> None:
    """The first block on stdout, what we add on stderr."""
    text, note = answer.text, answer.note
    if as_json and answer.data is None:
        text = json.dumps({"text": text, "note": note} if note else {"text": text}, ensure_ascii=False)
        note = ""
    if sys.stdout.isatty() and not as_json:
        _show_pretty(text, answer.data is not None)
    else:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
    sys.stdout.flush()
    if note:
        print(harmless(note) if sys.stderr.isatty() else note, file=sys.stderr)


_CONTROL = {code: "\ufffd" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}


def harmless(text: str) -> str:
    """Without control characters: what stands in a source file must not steer somebody's terminal."""
    return text.translate(_CONTROL)


def _show_pretty(text: str, is_json: bool) -> None:
    text = harmless(text)
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    if is_json:
        console.print_json(text)
        return
    styled = Text(text.removesuffix("\n"))
    styled.highlight_regex(r"(?m)^## .*$", "bold")
    styled.highlight_regex(r"--[A-Z_]+-->", "cyan")
    styled.highlight_regex(r"(?m)^\S[^\n]*:$", "bold green")
    styled.highlight_regex(r"(?m)^  (file|offset|snippet):", "dim")
    styled.highlight_regex(r"(?m)^    \d+:", "dim")
    console.print(styled)


@contextlib.contextmanager
def progress() -> Generator[Progress]:
    """Progress on stderr: a bar on a terminal, now and then a line elsewhere."""
    made = Progress()
    try:
        yield made
    finally:
        made.close()


class Progress:
    """Called by the pipeline with stage, done and total."""

    def __init__(self) -> None:
        self._begun = self._last = monotonic()
        self._terminal = sys.stderr.isatty()
        self._bar: Bar | None = None
        self._tasks: dict[str, Any] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = monotonic()
        if now - self._begun < QUIET_SECONDS:
            return
        if self._terminal:
            self._draw(stage, done, total)
        elif now - self._last >= 2:
            self._last = now
            print(f"{stage}: {done:,} of {total:,}", file=sys.stderr, flush=True)

    def _draw(self, stage: str, done: int, total: int) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress as Bar

            self._bar = Bar(console=Console(stderr=True), transient=True)
            self._bar.start()
        if stage not in self._tasks:
            self._tasks[stage] = self._bar.add_task(stage, total=total)
        self._bar.update(self._tasks[stage], completed=done, total=total)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
