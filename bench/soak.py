"""What takes long: thousands of edits compared with graphs built from nothing, and a server under load for minutes.

python -m bench.soak                    everything
python -m bench.soak --only edits       10,000 random edits of made-up programs, every tenth compared
python -m bench.soak --only project     random edits of a real project on disk, every tenth verified
python -m bench.soak --only server      twenty clients for ten minutes while files change
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast

import anyio
from tests.languages.cases import shown
from tests.languages.sources import solve_sources
from tests.resolve.programs import Maker

import codegps
from bench import corpora, serving
from bench.edits import Edit, Editor
from codegps.model.kinds import EdgeKind
from codegps.pipeline import verify
from codegps.settings import load
from codegps.store import Store

EDITS = 10_000
A_PROGRAM = 100
COMPARED = 10
SHOWN = 10


def edits(options: argparse.Namespace) -> int:
    """Equal in every edge and unresolved reference, or the edits that led there are told."""
    kinds = {kind.name for kind in EdgeKind}
    done = 0
    seed = options.seed
    while done < options.edits:
        maker = Maker(seed)
        files = maker.program()
        store = solve_sources(files)
        since: list[str] = []
        for step in range(1, A_PROGRAM + 1):
            since.append(str(maker.edit(files)))
            solve_sources(files, store)
            if step % COMPARED:
                continue
            differences = differing(shown(store, kinds, kinds), shown(solve_sources(files), kinds, kinds))
            if differences:
                print(f"DIFFERS: program {seed}, edit {step}, since the last comparison: {'; '.join(since)}")
                print("\n".join(differences[:SHOWN]))
                return 1
            since.clear()
        done += A_PROGRAM
        seed += 1
        if done % 1000 < A_PROGRAM:
            print(f"{done:,} edits, every tenth compared: equal", flush=True)
    return 0


def differing(mine: Iterable[str], clean: Iterable[str]) -> list[str]:
    ours, theirs = Counter(mine), Counter(clean)
    return [
        *(f"only in the refreshed graph: {line}" for line in (ours - theirs).elements()),
        *(f"only in the clean graph: {line}" for line in (theirs - ours).elements()),
    ]


def project(options: argparse.Namespace) -> int:
    """On disk, through the store, each refresh on its own."""
    with corpora.copy(corpora.source("flask", "3.1.3")) as root:
        return _edited(root, options)


def _edited(root: Path, options: argparse.Namespace) -> int:
    codegps.index(root)
    with codegps.open_graph(root) as graph:
        files = [row.path for row in graph.store.files() if row.language == "python"]
    editor = Editor(root, files, options.seed)
    since: list[Edit] = []
    for step in range(1, options.project_edits + 1):
        since.append(editor.edit())
        codegps.index(root)
        if step % COMPARED:
            continue
        with codegps.open_graph(root) as graph:
            differences = verify(root, cast(Store, graph.store), load(root))
        if differences:
            print(f"DIFFERS after {step} edits; since the last comparison: {'; '.join(map(str, since))}")
            print("\n".join(differences[:SHOWN]))
            return 1
        since.clear()
    print(f"{options.project_edits:,} edits of flask, every tenth verified: equal")
    return 0


def server(options: argparse.Namespace) -> int:
    with corpora.copy(corpora.source("flask", "3.1.3")) as root:
        codegps.index(root)
        anyio.run(serving.soak, root, serving.symbols_of(root, 100), options.minutes)
    return 0


PARTS: dict[str, Callable[[argparse.Namespace], int]] = {"edits": edits, "project": project, "server": server}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=PARTS, default=[])
    parser.add_argument("--edits", type=int, default=EDITS)
    parser.add_argument("--project-edits", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1000)
    options = parser.parse_args()
    failed = 0
    for name in options.only or PARTS:
        started = time.perf_counter()
        print(f"== {name} ==", flush=True)
        failed |= PARTS[name](options)
        print(f"({time.perf_counter() - started:.0f} s)\n", flush=True)
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
