"""A refreshed graph equals one built from nothing, after any sequence of edits."""

from __future__ import annotations

import pytest

from codegps.model.kinds import EdgeKind
from tests.languages.cases import shown
from tests.languages.sources import solve_sources
from tests.resolve.programs import Maker

KINDS = {kind.name for kind in EdgeKind}


@pytest.mark.parametrize("seed", range(12))
def test_random_edits(seed: int) -> None:
    maker = Maker(seed)
    files = maker.program()
    store = solve_sources(files)
    for step in range(30):
        what = maker.edit(files)
        solve_sources(files, store)
        refreshed = shown(store, KINDS, KINDS)
        clean = shown(solve_sources(files), KINDS, KINDS)
        assert refreshed == clean, f"step {step}: {what}"
