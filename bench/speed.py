"""Django in; how long and how much an index, a second look, an edit and the menu take, against a bare parse, out."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from statistics import median

import codegps
from bench import corpora
from bench.edits import Editor
from bench.processes import Cost, best, run
from bench.processes import codegps as program

PARSE = """
import sys
from pathlib import Path
import tree_sitter_python
from tree_sitter import Language, Parser
parser = Parser(Language(tree_sitter_python.language()))
for name in Path(sys.argv[1]).read_text("utf-8").split("\\n"):
    parser.parse(Path(name).read_bytes())
"""
PAIR = """
import subprocess, sys
running = [subprocess.Popen([sys.executable, "-c", sys.argv[1], part]) for part in sys.argv[2:]]
sys.exit(max(each.wait() for each in running))
"""


def report(name: str = "django", version: str = "5.2", runs: int = 3, edits: int = 50, seed: int = 1) -> None:
    print(f"{name} {version}: ", end="")
    with corpora.copy(corpora.source(name, version)) as root:
        measure(root, runs, edits, seed)


def measure(root: Path, runs: int, edits: int, seed: int) -> None:
    first = _afresh(root)
    with codegps.open_graph(root, refresh=False) as graph:
        files = [row for row in graph.store.files() if row.language == "python"]
        counts = graph.store.counts()
    lines = sum(row.lines for row in files)
    print(f"{len(files):,} Python files, {lines:,} lines")
    halves = _halves(root, {row.path: row.size for row in files})
    # Turn about, so that a busy moment of the machine weighs on both.
    parses, indexes = [_parse(halves)], [first]
    for _ in range(runs - 1):
        parses.append(_parse(halves))
        indexes.append(_afresh(root))
    parse, full = _least(parses), _least(indexes)
    print(f"bare parse, two processes   {parse.wall:6.2f} s  {parse.cpu:6.2f} CPU s")
    print(f"full index, stored          {full.wall:6.2f} s  {full.cpu:6.2f} CPU s")
    _told("ratio, wall clock", full.wall / parse.wall, 10, 6, "x")
    _told("ratio, CPU", full.cpu / parse.cpu, 10, 6, "x")
    peak = _afresh(root, sample=True).memory
    if peak:
        _told("memory of all processes", peak / 1e6, 700, 400, "MB")
    again = best(runs, lambda: run(program("index", str(root))))
    _told("unchanged again", again.wall, 0.4, 0.4, "s")
    print(f"{'':28}{again.cpu:.2f} CPU s")
    _edits(root, [row.path for row in files], edits, seed)
    menu = best(max(runs, 10), lambda: run(program("--help")))
    _told("codegps --help", menu.wall, 0.1, 0.05, "s")
    calls = counts.resolved + counts.dispatch + counts.inferred + counts.external + counts.unknown
    print(f"edges and unresolved references: {calls:,}, of these")
    for label in ("resolved", "dispatch", "inferred", "external", "unknown"):
        number = getattr(counts, label)
        print(f"    {label:10} {number:9,}  {number / calls:6.1%}")


def _edits(root: Path, files: list[str], count: int, seed: int) -> None:
    editor = Editor(root, files, seed)
    costs: list[Cost] = []
    slowest = ""
    for _ in range(count):
        edit = editor.edit()
        costs.append(run(program("index", str(root))))
        if costs[-1].wall == max(cost.wall for cost in costs):
            slowest = f"{edit.what} in {edit.file}:{edit.function}"
    _told(f"one function edited, {count} x", median(cost.wall for cost in costs), 0.5, 0.25, "s")
    _told("the slowest of them", max(cost.wall for cost in costs), 2.0, 2.0, "s")
    cpu = [cost.cpu for cost in costs]
    print(f"{'':28}{median(cpu):.2f} CPU s, slowest {max(cpu):.2f} CPU s: {slowest}")


def _afresh(root: Path, sample: bool = False) -> Cost:
    """From nothing: no index, no facts from before."""
    shutil.rmtree(root / ".codegps", ignore_errors=True)
    shutil.rmtree(root / ".git" / "codegps", ignore_errors=True)
    return run(program("index", str(root)), sample=sample)


def _halves(root: Path, sizes: dict[str, int]) -> list[str]:
    """Two lists of files, alike in bytes."""
    parts: list[list[str]] = [[], []]
    weights = [0, 0]
    for path in sorted(sizes, key=lambda each: -sizes[each]):
        lighter = weights.index(min(weights))
        parts[lighter].append(str(root / path))
        weights[lighter] += sizes[path]
    names = [root.parent / f"half-{number}.txt" for number in (1, 2)]
    for name, part in zip(names, parts, strict=True):
        name.write_text("\n".join(part), encoding="utf-8")
    return [str(name) for name in names]


def _parse(halves: list[str]) -> Cost:
    return run([sys.executable, "-c", PAIR, PARSE, *halves])


def _least(costs: list[Cost]) -> Cost:
    return Cost(min(cost.wall for cost in costs), min(cost.cpu for cost in costs), 0)


def _told(label: str, value: float, must: float, aim: float, unit: str) -> None:
    verdict = "aim reached" if value <= aim else "must holds" if value <= must else "MISSED"
    print(f"{label:27} {value:6.2f} {unit:2}  must {must:g}, aim {aim:g}: {verdict}", flush=True)
