"""Lookup of symbols and its errors: each test is named after the sentence it holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from codegps.errors import ToolError
from codegps.model.kinds import Flag, Kind
from codegps.query.find import find
from codegps.query.graph import Graph
from tests.stores.graphs import SymbolLine, SymbolTuple, symbol
from tests.tools.projects import project

F = Kind.Function
ROWS: dict[str, Sequence[SymbolTuple | SymbolLine]] = {
    "src/models.py": [
        ("User", Kind.Class, 1, 20),
        ("User.__init__", Kind.Constructor, 2, 4),
        ("User.save", Kind.Method, 5, 8),
        ("User.name", Kind.Property, 9, 10),
        ("User.name~2", Kind.Property, 11, 12),
        ("User.Meta", Kind.Class, 13, 15),
        ("User.Meta.check", Kind.Method, 14, 15),
        ("Group", Kind.Class, 22, 40),
        ("Group.save", Kind.Method, 23, 25),
        ("Group.drop", Kind.Method, 26, 27),
        ("drop", F, 42, 44),
        ("make", F, 46, 50),
        ("make.inner", F, 47, 48),
        symbol("make.<lambda1>", F, 49, 49, flags=Flag.ANONYMOUS),
    ],
    "src/api/users.py": [("get_user", F, 1, 2)],
    "tests/models.py": [("user", F, 1, 2), ("Save", F, 4, 5)],
}


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    return project(tmp_path, ROWS)


def ids(graph: Graph, path: str, name: str) -> list[str]:
    return [s.id for s in find(graph, path, name)]


def error(graph: Graph, path: str, name: str) -> str:
    with pytest.raises(ToolError) as caught:
        find(graph, path, name)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("User", ["User"]),
        ("User.save", ["User.save"]),
        ("User.Meta.check", ["User.Meta.check"]),
        ("Meta.check", ["User.Meta.check"]),
        ("check", ["User.Meta.check"]),
        ("drop", ["drop"]),
        ("Group.drop", ["Group.drop"]),
        ("make.inner", ["make.inner"]),
        ("inner", ["make.inner"]),
        ("name", ["User.name", "User.name~2"]),
        ("User.name~2", ["User.name~2"]),
        ("User.__init__", ["User"]),
        ("make.<lambda1>", ["make"]),
        (" User ", ["User"]),
    ],
)
def test_a_name_is_a_display_name_a_qualified_name_or_a_bare_name(graph: Graph, name: str, found: list[str]) -> None:
    assert ids(graph, "src/models.py", name) == [f"src/models.py:{one}" for one in found]


def test_the_files_own_path_is_its_top_level_code(graph: Graph, tmp_path: Path) -> None:
    assert ids(graph, "src/models.py", "src/models.py") == ["src/models.py"]
    whole = str(tmp_path / "src" / "models.py")
    assert ids(graph, whole, whole) == ["src/models.py"]


def test_a_bare_method_name_that_is_not_unique_in_the_file_is_not_found(graph: Graph) -> None:
    assert error(graph, "src/models.py", "save") == (
        "Symbol 'save' not found at src/models.py.\n\n"
        "Available symbols in this file:\n"
        "  - User.save (Method)\n"
        "  - Group.save (Method)\n"
        "  - User.name (Property)\n"
        "  - make (Function)\n"
        "  - User (Class)\n\n"
        "Found 'save' in:\n"
        "  - tests/models.py"
    )


@pytest.mark.parametrize("form", ["src/models.py", "./src/models.py", "src\\models.py", "src//api/../models.py"])
def test_paths_may_be_written_in_several_ways(graph: Graph, form: str) -> None:
    assert ids(graph, form, "User") == ["src/models.py:User"]


def test_absolute_paths_inside_are_fine(graph: Graph, tmp_path: Path) -> None:
    assert ids(graph, str(tmp_path / "src" / "models.py"), "User") == ["src/models.py:User"]


def test_file_not_indexed(graph: Graph) -> None:
    assert error(graph, "src/nope.py", "nothing") == "File 'src/nope.py' is not indexed."
    assert error(graph, "src", "nothing") == "File 'src' is not indexed."


def test_file_not_indexed_gives_the_locations_if_the_symbol_exists_elsewhere(graph: Graph) -> None:
    assert error(graph, "src/model.py", "user") == (
        "File 'src/model.py' is not indexed.\n\nFound 'user' in:\n  - src/models.py\n  - tests/models.py"
    )


def test_symbol_not_in_file_lists_the_nearest_five_of_all_symbols(tmp_path: Path) -> None:
    names = [
        "zebra",
        "formatTime",
        "alpha",
        "beta",
        "gamma",
        "formatDates",
        "Formatdate",
        "FORMAT",
        "delta",
        "parseDate",
    ]
    graph = project(tmp_path, {"a.ts": [(name, F, n + 1, n + 1) for n, name in enumerate(names)]})
    assert error(graph, "a.ts", "formatDate") == (
        "Symbol 'formatDate' not found at a.ts.\n\n"
        "Available symbols in this file:\n"
        "  - Formatdate (Function)\n"
        "  - formatDates (Function)\n"
        "  - formatTime (Function)\n"
        "  - FORMAT (Function)\n"
        "  - parseDate (Function)"
    )


def test_the_distance_is_that_of_the_name_or_of_the_display_name(graph: Graph) -> None:
    lines = error(graph, "src/models.py", "Grup.dropp").split("\n")
    assert lines[3] == "  - Group.drop (Method)"
    lines = error(graph, "src/models.py", "chekc").split("\n")
    assert lines[3] == "  - Meta.check (Method)"


def test_anonymous_functions_and_the_file_are_not_offered_and_a_name_is_offered_once(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 3), ("f~2", F, 5, 6), symbol("f.<lambda1>", F, 2, 2, flags=Flag.ANONYMOUS)]},
    )
    assert error(graph, "a.py", "g") == (
        "Symbol 'g' not found at a.py.\n\nAvailable symbols in this file:\n  - f (Function)"
    )


def test_wrong_file_gives_the_files_where_the_symbol_exists_by_similarity(tmp_path: Path) -> None:
    paths = ["lib/z.ts", "src/b/format.ts", "src/a/format.ts", "src/a/forma.ts", "x.ts", "src/a/formatter.ts", "q/r.ts"]
    rows: dict[str, Sequence[SymbolTuple | SymbolLine]] = {path: [("formatDate", F, 1, 1)] for path in paths}
    graph = project(tmp_path, rows | {"src/a/index.ts": [], "src/a/other.ts": [("FORMATDATE", F, 1, 1)]})
    assert error(graph, "src/a/index.ts", "formatDate") == (
        "Symbol 'formatDate' not found at src/a/index.ts.\n\n"
        "Found 'formatDate' in:\n"
        "  - src/a/other.ts\n"
        "  - src/a/forma.ts\n"
        "  - src/a/format.ts\n"
        "  - src/b/format.ts\n"
        "  - src/a/formatter.ts"
    )


def test_a_display_name_is_looked_for_elsewhere_as_well(graph: Graph) -> None:
    text = error(graph, "src/api/users.py", "user.SAVE")
    assert text.endswith("\n\nFound 'user.SAVE' in:\n  - src/models.py")


def test_a_link_inside_the_workspace_leads_to_the_file_it_names(graph: Graph, tmp_path: Path) -> None:
    try:
        (tmp_path / "alias.py").symlink_to(tmp_path / "src" / "models.py")
    except OSError:
        pytest.skip("no links on this system")
    assert ids(graph, "alias.py", "User") == ["src/models.py:User"]
