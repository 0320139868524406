"""`find_symbol`: names in, places out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import pytest

from codegps.errors import ToolError
from codegps.model.kinds import Flag, Kind
from codegps.query.graph import Graph
from codegps.tool import Answer
from codegps.tools.find_symbol import KindName, find_symbol
from tests.stores.graphs import SymbolLine, SymbolTuple, symbol
from tests.tools.projects import project

F = Kind.Function
ROWS: dict[str, Sequence[SymbolTuple | SymbolLine]] = {
    "src/user.py": [
        ("User", Kind.Class, 1, 9),
        ("User.save", Kind.Method, 2, 4),
        ("User.Meta", Kind.Class, 5, 8),
        ("User.Meta.save", Kind.Method, 6, 7),
        ("resave", F, 11, 12),
        ("save_all", F, 14, 15),
        symbol("save_all.<lambda1>", F, 15, 15, flags=Flag.ANONYMOUS),
    ],
    "src/forms.py": [
        ("UserForm", Kind.Class, 1, 3),
        ("user_form", F, 5, 9),
        ("user_form~2", F, 11, 12),
        ("Größe", Kind.Class, 14, 15),
    ],
}


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    return project(tmp_path, ROWS)


def test_name_kind_file_and_lines_only(graph: Graph) -> None:
    assert find_symbol(graph, "UserForm") == Answer("UserForm (Class) src/forms.py:1-3")


def test_whole_names_come_first_then_beginnings_then_the_rest_then_files(graph: Graph) -> None:
    assert find_symbol(graph, "SAVE") == Answer(
        "User.save (Method) src/user.py:2-4\n"
        "Meta.save (Method) src/user.py:6-7\n"
        "save_all (Function) src/user.py:14-15\n"
        "resave (Function) src/user.py:11-12"
    )
    assert find_symbol(graph, "user").text.split("\n") == [
        "User (Class) src/user.py:1-9",
        "UserForm (Class) src/forms.py:1-3",
        "user_form (Function) src/forms.py:5-9",
        "user_form (Function) src/forms.py:11-12",
        "User.save (Method) src/user.py:2-4",
        "User.Meta (Class) src/user.py:5-8",
        "Meta.save (Method) src/user.py:6-7",
        "src/user.py (File) src/user.py:1-15",
    ]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("User.save", ["User.save"]),
        ("meta.save", ["Meta.save"]),
        ("user.meta.save", ["Meta.save"]),
        ("*form", ["UserForm", "user_form", "user_form"]),
        ("User*", ["UserForm", "user_form", "user_form", "User", "User.save", "User.Meta", "Meta.save", "src/user.py"]),
        ("User.?ave", ["User.save"]),
        ("[ru]esave", ["resave"]),
        ("src/*.py", ["src/forms.py", "src/user.py"]),
        ("forms.py", ["src/forms.py"]),
        ("GRÖSSE", []),
        ("größe", ["Größe"]),
        ("RÖ", ["Größe"]),
        ("lambda", []),
    ],
)
def test_patterns_are_parts_of_names_or_globs(graph: Graph, pattern: str, names: list[str]) -> None:
    text = find_symbol(graph, pattern).text
    assert [line.partition(" (")[0] for line in text.split("\n") if "- " not in line and " (" in line] == names


def test_kind_narrows(graph: Graph) -> None:
    assert find_symbol(graph, "user", kind="Class").text.split("\n") == [
        "User (Class) src/user.py:1-9",
        "UserForm (Class) src/forms.py:1-3",
        "User.Meta (Class) src/user.py:5-8",
    ]
    with pytest.raises(ToolError, match=r"^There is no kind 'class'\. Kinds: File, Namespace, Class, "):
        find_symbol(graph, "user", kind="class")  # pyright: ignore[reportArgumentType]


def test_the_menu_of_kinds_is_every_kind() -> None:
    assert get_args(KindName) == tuple(Kind.__members__)


def test_a_limit_cuts_and_says_so(graph: Graph) -> None:
    answer = find_symbol(graph, "user", limit=2)
    assert answer.text == "User (Class) src/user.py:1-9\nUserForm (Class) src/forms.py:1-3"
    assert answer.note == "Shown: 2 of 8. Give a longer pattern, a kind or a greater limit (at most 100)."
    assert find_symbol(graph, "user", limit=0).note == (
        "limit must be from 1 to 100; 1 was used.\n"
        "Shown: 1 of 8. Give a longer pattern, a kind or a greater limit (at most 100)."
    )


def test_nothing_found_says_so_and_offers_the_nearest_names(graph: Graph) -> None:
    assert find_symbol(graph, "UserFrom") == Answer(
        "No symbol matches 'UserFrom'.\n\n"
        "Nearest names:\n"
        "  - UserForm (Class) src/forms.py:1-3\n"
        "  - user_form (Function) src/forms.py:5-9\n"
        "  - User (Class) src/user.py:1-9\n"
        "  - User.save (Method) src/user.py:2-4\n"
        "  - User.Meta (Class) src/user.py:5-8"
    )
    assert find_symbol(graph, "zzz", kind="Enum") == Answer("No Enum matches 'zzz'.")


@pytest.mark.parametrize(
    ("pattern", "message"),
    [("", "is empty"), ("a\0b", "control character"), ("x" * 201, "201 characters long; 200 are allowed")],
)
def test_bad_patterns_are_refused(graph: Graph, pattern: str, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        find_symbol(graph, pattern)


@pytest.mark.parametrize("pattern", ["[", "[]", "[!", "\\", "%", "_", "*" * 200, "(a+)+$", "'; DROP TABLE symbol; --"])
def test_patterns_are_never_code(graph: Graph, pattern: str) -> None:
    assert find_symbol(graph, pattern).text
