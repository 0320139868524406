"""The projects in; a table of how often each level proves true, with the largest causes of misses, out."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import codegps
from bench import corpora
from bench.truth.judge import Judged, Level, Miss, Tally, causes, is_test, judge, text_at
from bench.truth.projects import PROJECTS, Project
from bench.truth.run import interpreter, traced

MUST = {"resolved": (0.99, 0.995), "inferred": (0.65, 0.8), "found": (0.62, 0.75)}
EXAMPLES = 3


def report(names: Sequence[str] = (), groups: int = 12, again: bool = False, wrong: int = 12) -> Judged:
    chosen = [project for project in PROJECTS if not names or project.name in names]
    python = interpreter()
    total = Judged()
    roots: dict[str, Path] = {}
    print(f"{'':16} {'all call sites':^32}   {'outside of test folders':^32}")
    columns = f"{'sites':>7} {'found':>7} {'resolved':>8} {'inferred':>8}"
    print(f"{'project':16} {columns}   {columns}  its tests")
    for project in chosen:
        try:
            judged, root, summary = one(project, python, again)
        except (subprocess.TimeoutExpired, FileNotFoundError) as reason:
            print(f"{project.name:16} its tests did not run to their end: {reason}"[:120], flush=True)
            continue
        roots[project.name] = root
        total.add(judged)
        print(f"{project.name:16} {_row(judged.every)}   {_row(judged.library)}  {summary}", flush=True)
    print(f"{'all':16} {_row(total.every)}   {_row(total.library)}\n")
    print_levels(total)
    print_causes("Wrong where resolved and alone", total.wrong, wrong, roots)
    print_causes("Inferred and not seen", total.unseen, groups, roots)
    inside = [miss for miss in total.missed if is_test(miss.place[0])]
    outside = [miss for miss in total.missed if not is_test(miss.place[0])]
    print_causes("Seen and not had, outside of test folders", outside, groups, roots)
    print_causes("Seen and not had, in tests", inside, groups, roots)
    return total


def one(project: Project, python: str, again: bool) -> tuple[Judged, Path, str]:
    run = traced(project, python, again)
    source = corpora.source(project.name, project.version)
    with corpora.copy(source) as root:
        codegps.index(root)
        with codegps.open_graph(root, refresh=False) as graph:
            return judge(project.name, graph, run.calls), source, run.summary


def _row(tally: Tally) -> str:
    shares = (_share(tally.recall, 3), _share(tally.alone, 4), _share(tally.inferred, 3))
    return f"{tally.sites:7,} {shares[0]:>7} {shares[1]:>8} {shares[2]:>8}"


def _share(level: Level, digits: int) -> str:
    return f"{level.share:.{digits}f}" if level.predicted else "-"


def print_levels(total: Judged) -> None:
    print(f"{'':32} {'all call sites':^26}   {'outside of test folders':^26}")
    columns = f"{'targets':>9} {'seen':>7} {'share':>8}"
    print(f"{'predicted at sites that ran':32} {columns}   {columns}")
    for name in sorted(total.every.levels, key=_order):
        none = Level()
        _line(name, total.every.levels[name], total.library.levels.get(name, none))
    _line("inferred together", total.every.inferred, total.library.inferred)
    print(f"{'entered at sites that ran':32} {'targets':>9} {'had':>7} {'share':>8}")
    _line("found", total.every.recall, total.library.recall)
    print(f"functions entered that have no symbol: {total.unknown_bodies}")
    for scope, tally in (("all call sites", total.every), ("outside of test folders", total.library)):
        for name, level in (("resolved", tally.alone), ("inferred", tally.inferred), ("found", tally.recall)):
            must, aim = MUST[name]
            verdict = "aim reached" if level.share >= aim else "must holds" if level.share >= must else "MISSED"
            print(f"{scope:24} {name:10} {level.share:.4f}   must {must}, aim {aim}: {verdict}")


def _line(name: str, every: Level, library: Level) -> None:
    cells = (f"{level.predicted:9,} {level.seen:7,} {_share(level, 4):>8}" for level in (every, library))
    print(f"{name:32} {'   '.join(cells)}")


def _order(name: str) -> tuple[int, str]:
    words = ("resolved, the", "resolved", "dispatch", "inferred")
    return next(i for i, word in enumerate(words) if name.startswith(word)), name


def print_causes(title: str, misses: list[Miss], groups: int, roots: dict[str, Path]) -> None:
    print(f"\n{title}: {len(misses):,}")
    for cause, found in list(causes(misses))[:groups]:
        print(f"{len(found):6,}  {cause}")
        step = max(len(found) // EXAMPLES, 1)
        for miss in found[::step][:EXAMPLES]:
            file, line, column = miss.place
            print(f"          {miss.project}/{file}:{line}:{column}  {text_at(roots[miss.project], miss.place)[:90]}")
            print(f"              {miss.target}" + (f"   seen: {miss.said[:150]}" if ":" in miss.said else ""))
