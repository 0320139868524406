"""Sources that are deep or wide beyond reason are solved, and so is an edit of them."""

from __future__ import annotations

import pytest

from codegps.format.export import export
from codegps.model.kinds import EdgeKind
from codegps.stores.memory import MemoryStore
from tests.languages.sources import solve_sources
from tests.robust import deep_javascript, deep_python
from tests.robust.shape import Files, Shape

PYTHON_EDIT = "\n\ndef edited():\n    return 1\n"
JAVASCRIPT_EDIT = "\n\nfunction edited() {\n  return 1;\n}\n"


def cases(shapes: dict[str, Shape]) -> list[object]:
    return [pytest.param(shape, id=name) for name, shape in shapes.items()]


@pytest.mark.parametrize("shape", cases(deep_python.SHAPES))
def test_python(shape: Shape) -> None:
    solved(shape, PYTHON_EDIT)


@pytest.mark.parametrize("shape", cases(deep_javascript.SHAPES))
def test_javascript(shape: Shape) -> None:
    solved(shape, JAVASCRIPT_EDIT)


def solved(shape: Shape, edit: str) -> None:
    files = shape.make(shape.size)
    store = solve_sources(files)
    assert shape.expected in calls(store)
    path = sorted(files)[-1]
    edited: Files = {**files, path: files[path] + edit}
    solve_sources(edited, store)
    assert f"{path}:edited" in {symbol.id for symbol in store.symbols_in(path)}
    assert list(export(store)) == list(export(solve_sources(edited)))


def calls(store: MemoryStore) -> set[str]:
    """Calls, and JSX elements, as `source -> target`."""
    names = {symbol.key: symbol.id for symbol in store.all_symbols()}
    edges = [edge for file in store.files() for edge in store.edges_in(file.path)]
    return {f"{names[e.source]} -> {names[e.target]}" for e in edges if e.kind in (EdgeKind.CALLS, EdgeKind.INCLUDES)}
