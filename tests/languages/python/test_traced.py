"""Runs the programs of the case files: what they call must be an edge, and what is `resolved` must be called."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from codegps.model.kinds import EdgeKind, Proof
from codegps.store import Reader
from tests.languages.cases import Case, read_cases
from tests.languages.python.trace import symbol_of, trace
from tests.languages.sources import solve_sources

CASES = [case for file in sorted(Path(__file__).parent.glob("*.md")) for case in read_cases(file)]
RUNNABLE = [case for case in CASES if "main.py" in case.sources]

Pair = tuple[str, str]


class Compared(NamedTuple):
    """A program's calls as they are traced and as they are predicted."""

    traced: set[Pair]
    predicted: set[Pair]
    library: set[Pair]
    """Calls that a library makes with what it was given: nothing demands them, nothing forbids them."""
    wrong: list[str]
    """Sites whose one resolved target is not what was called there."""


def compare(sources: dict[str, str], folder: Path) -> Compared:
    for path, text in sources.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return against(solve_sources(sources), folder)


def against(store: Reader, folder: Path) -> Compared:
    symbols = list(store.all_symbols())
    names = {symbol.key: symbol.id for symbol in symbols}
    traced: set[Pair] = set()
    library: set[Pair] = set()
    started: set[str] = set()
    called: dict[tuple[str, int, int], set[str]] = {}
    for call in trace(folder):
        callee = symbol_of(call.callee, symbols)
        caller = symbol_of(call.caller, symbols) if call.caller is not None else None
        if callee is None or (call.caller is not None and caller is None):
            raise AssertionError(f"no symbol for {call}")
        if caller is None:
            started.add(callee.id)
        else:
            (library if call.library else traced).add((caller.id, callee.id))
        if call.place is not None:
            called.setdefault(call.place, set()).add(callee.id)
    predicted: set[Pair] = set()
    sites: dict[tuple[str, int, int], list[tuple[str, Proof]]] = {}
    kinds = {symbol.key: symbol.kind for symbol in symbols}
    for file in store.files():
        for edge in store.edges_in(file.path):
            if edge.kind == EdgeKind.CALLS and kinds[edge.target].name not in ("Class", "Enum"):
                predicted.add((names[edge.source], names[edge.target]))
                place = (file.path, edge.line, edge.column)
                sites.setdefault(place, []).append((names[edge.target], edge.proof))
    wrong = [
        f"{place}: {targets[0][0]}, called was {sorted(called[place])}"
        for place, targets in sites.items()
        if place in called
        and len(targets) == 1
        and targets[0][1] == Proof.resolved
        and targets[0][0] not in called[place]
    ]
    library |= {pair for pair in predicted if pair[1] in started}
    return Compared(traced, predicted, library - traced, wrong)


@pytest.mark.parametrize("case", RUNNABLE, ids=lambda case: f"{case.file.stem}: {case.name}")
def test_calls_are_predicted(case: Case, tmp_path: Path) -> None:
    compared = compare(case.sources, tmp_path)
    assert compared.traced - compared.predicted == set()
    assert compared.wrong == []


def test_most_cases_run() -> None:
    assert len(RUNNABLE) * 10 > len(CASES) * 8
