"""Runs every case file of every language."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.cases import Case, mentioned, read_cases, shown, update
from tests.languages.sources import solve_sources

CASES = [case for file in sorted(Path(__file__).parent.glob("*/*.md")) for case in read_cases(file)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file.parent.name}/{case.file.stem}: {case.name}")
def test_case(case: Case, request: pytest.FixtureRequest) -> None:
    kinds, unresolved = mentioned(case.graph)
    store = solve_sources(case.sources)
    found = shown(store, kinds or {"CALLS"}, unresolved)
    if request.config.getoption("--update-cases"):
        update(case, found)
        return
    assert sorted(found) == sorted(line for line in case.graph if line.strip())


def test_there_are_cases() -> None:
    assert CASES
