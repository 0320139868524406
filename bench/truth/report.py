"""The projects in; a table of how often each level proves true, with the largest causes of misses, out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import codegps
from bench import corpora
from bench.truth.judge import Judged, Level, Miss, causes, judge, text_at
from bench.truth.projects import PROJECTS, Project
from bench.truth.run import interpreter, traced

MUST = (("resolved, the only target", 0.99, 0.995), ("inferred together", 0.65, 0.8), ("found", 0.62, 0.75))
EXAMPLES = 3


def report(names: Sequence[str] = (), groups: int = 12, again: bool = False, wrong: int = 12) -> Judged:
    chosen = [project for project in PROJECTS if not names or project.name in names]
    python = interpreter()
    total = Judged()
    roots: dict[str, Path] = {}
    print(f"{'project':18} {'sites':>7} {'entered':>8} {'found':>6} {'resolved':>9} {'inferred':>9}  tests")
    for project in chosen:
        judged, root, summary = one(project, python, again)
        roots[project.name] = root
        total.add(judged)
        print(f"{project.name:18} {_row(judged)}  {summary}", flush=True)
    print(f"{'all':18} {_row(total)}\n")
    print_levels(total)
    print_causes("Wrong where resolved and alone", total.wrong, wrong, roots)
    print_causes("Seen and not had", total.missed, groups, roots)
    return total


def one(project: Project, python: str, again: bool) -> tuple[Judged, Path, str]:
    run = traced(project, python, again)
    root = corpora.copy(corpora.source(project.name, project.version), f"read-{project.name}")
    codegps.index(root)
    with codegps.open_graph(root, refresh=False) as graph:
        return judge(project.name, graph, run.calls), root, run.summary


def _row(judged: Judged) -> str:
    alone = judged.levels.get("resolved, the only target", Level()).share
    found = judged.found / judged.entered if judged.entered else 0.0
    return f"{judged.sites:7,} {judged.entered:8,} {found:6.3f} {alone:9.4f} {judged.inferred.share:9.3f}"


def print_levels(total: Judged) -> None:
    print(f"{'level':40} {'predicted':>10} {'seen':>8} {'share':>7}")
    for name in sorted(total.levels, key=_order):
        level = total.levels[name]
        print(f"{name:40} {level.predicted:10,} {level.seen:8,} {level.share:7.4f}")
    inferred = total.inferred
    print(f"{'inferred together':40} {inferred.predicted:10,} {inferred.seen:8,} {inferred.share:7.4f}")
    library = total.outside_tests
    print(f"{'found':40} {total.entered:10,} {total.found:8,} {total.found / max(total.entered, 1):7.4f}")
    print(f"{'found, outside of test folders':40} {library.predicted:10,} {library.seen:8,} {library.share:7.4f}")
    print(f"functions entered that have no symbol: {total.unknown_bodies}")
    shares = {
        "resolved, the only target": total.levels.get("resolved, the only target", Level()).share,
        "inferred together": inferred.share,
        "found": total.found / max(total.entered, 1),
    }
    for name, must, aim in MUST:
        verdict = "aim reached" if shares[name] >= aim else "holds" if shares[name] >= must else "MISSED"
        print(f"{name:40} {shares[name]:.4f}  must {must}, aim {aim}: {verdict}")


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
            print(f"              {miss.target}" + (f"   seen: {miss.said}" if ":" in miss.said else ""))
