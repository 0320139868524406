"""How much shorter TOON is than JSON: a project in; the saving over its files, and the time of an answer, out.

python -m bench.toon FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from time import perf_counter

import codegps
from codegps.tools.analyze_file_logic import analyze_file_logic

LINES = 100
"""Smaller files say little in either form."""


def main(folder: str) -> None:
    savings: list[float] = []
    seconds: list[float] = []
    written = {"toon": 0, "json": 0}
    with codegps.open_graph(folder) as graph:
        for file in graph.store.files():
            if file.lines < LINES:
                continue
            path = str(graph.root / file.path)
            start = perf_counter()
            toon = len(analyze_file_logic(graph, path, lsp="off").text)
            seconds.append(perf_counter() - start)
            json = len(analyze_file_logic(graph, path, format="json", lsp="off").text)
            written["toon"] += toon
            written["json"] += json
            savings.append(1 - toon / json)
    if not savings:
        print(f"No file of {LINES} lines or more in {Path(folder).resolve()}.")
        return
    print(f"files      {len(savings):,}")
    print(f"characters {written['toon']:,} as TOON, {written['json']:,} as compact JSON")
    saved = 1 - written["toon"] / written["json"]
    print(f"saved      {saved:.0%}, median {median(savings):.0%}, least {min(savings):.0%}")
    print(f"an answer  {median(seconds) * 1000:.1f} ms, slowest {max(seconds) * 1000:.0f} ms")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".")
