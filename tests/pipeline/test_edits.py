"""However a graph got there, it is the one that a build from nothing gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegps.format.export import export
from tests.pipeline.edits import Project, PythonProject, ScriptProject
from tests.pipeline.projects import Root, clean

EDITS = 60
EVERY = 4


@pytest.mark.parametrize("kind", [PythonProject, ScriptProject])
@pytest.mark.parametrize("seed", range(6))
def test_any_sequence_of_edits_gives_the_graph_that_a_build_from_nothing_gives(
    tmp_path: Path, kind: type[Project], seed: int
) -> None:
    root = Root(tmp_path, {})
    project = kind(root.path, seed)
    root.index()
    done: list[str] = []
    for number in range(1, EDITS + 1):
        done.append(project.edit())
        root.refresh()
        if number % EVERY == 0:
            mine, fresh = list(export(root.store)), clean(root.path)
            missing, extra = sorted(set(fresh) - set(mine)), sorted(set(mine) - set(fresh))
            assert (missing[:3], extra[:3]) == ([], []), f"after {done[-EVERY:]} (edit {number}, seed {seed})"
            assert mine == fresh
    root.close()
