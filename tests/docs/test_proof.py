"""The examples of the page about proofs are cases: what it shows is what the engine says."""

from __future__ import annotations

import pytest

from codegps.model.kinds import Proof, Reason, Via
from tests.docs.pages import ROOT, prose
from tests.languages.cases import Case, mentioned, read_cases, shown
from tests.languages.sources import solve_sources

CASES = read_cases(ROOT / "docs" / "proof.md")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_example(case: Case) -> None:
    kinds, unresolved = mentioned(case.graph)
    assert sorted(shown(solve_sources(case.sources), kinds, unresolved)) == sorted(case.graph)


def test_each_level_has_an_example() -> None:
    assert [case.name for case in CASES] == ["resolved", "dispatch", "inferred: hops and via", "not resolved"]


def test_the_tables_name_every_proof_reason_and_step() -> None:
    words = [*(each.name for each in Proof), *(each.name for each in Reason), *(via.label for via in Via if via.label)]
    page = prose("docs/proof.md")
    assert [word for word in words if f"`{word}`" not in page] == []
