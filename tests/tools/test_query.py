"""The command `query`: readable text and the object behind `--json`."""

from __future__ import annotations

import pytest

from codegps.errors import ToolError, UsageError
from codegps.model.kinds import Kind
from codegps.query.graph import Graph
from codegps.tools.query import query
from tests.query.sites import build_sites
from tests.stores.graphs import edge, symbol
from tests.tools.shop import ROOT, shop


def names(graph: Graph, pattern: str, type: str | None = None, limit: int = 10) -> list[str]:
    return [found["name"] for found in query(graph, pattern, type, limit).data["symbols"]]


def test_symbols_are_shown_with_their_callers_and_calls() -> None:
    assert (
        query(shop(), "helper").text
        == """\
helper (Function) src/app.py:14
  Called by (1):
    - main (src/app.py:10)
  Calls (1):
    - os.getcwd() (unresolved)"""
    )


def test_method_calls_are_shown() -> None:
    assert (
        query(shop(), "main").text
        == """\
main (Function) src/app.py:5
  Called by (1):
    - src/app.py (src/app.py:18)
  Calls (4):
    - Cart() -> __init__ (src/cart.py:4)
    - response.json() (unresolved)
    - helper() -> helper (src/app.py:14)
    - cart.total() -> total (src/cart.py:7)"""
    )


def test_a_class_is_called_through_its_constructor() -> None:
    text = query(shop(), "Cart", "class").text
    assert text == "Cart (Class) src/cart.py:3\n  Called by (1):\n    - main (src/app.py:6)\n  Calls (0):"


def test_the_object_for_programs_says_the_same() -> None:
    assert query(shop(), "User.save").data == {
        "pattern": "User.save",
        "total": 1,
        "symbols": [
            {
                "id": "src/user.py:User.save",
                "name": "User.save",
                "kind": "Method",
                "file": "src/user.py",
                "line": 3,
                "endLine": 9,
                "calledBy": [],
                "calls": [],
                "totals": {"calledBy": 0, "calls": 0},
            }
        ],
    }
    (helper,) = query(shop(), "helper").data["symbols"]
    assert helper["calledBy"] == [
        {"id": "src/app.py:main", "name": "main", "type": "FUNCTION", "file": "src/app.py", "line": 10}
    ]
    assert [(call["object"], call["name"], call["resolved"]) for call in helper["calls"]] == [("os", "getcwd", False)]


class TestPattern:
    def test_a_part_of_the_name_in_any_case(self) -> None:
        assert names(shop(), "SAV") == ["Cart.save", "User.save"]

    def test_a_glob(self) -> None:
        assert names(shop(), "p?ng") == ["ping", "pong"]
        assert names(shop(), "User.s*") == ["User.save"]

    def test_nothing_found_says_so_and_offers_the_nearest_names(self) -> None:
        answer = query(shop(), "helpers")
        assert answer.text == "No symbol matches 'helpers'.\n\nNearest names:\n  - helper (Function) src/app.py:14"
        assert answer.data == {"pattern": "helpers", "total": 0, "symbols": [], "nearest": ["src/app.py:helper"]}

    @pytest.mark.parametrize("pattern", ["", " ", "a\0", "x" * 201])
    def test_a_pattern_that_cannot_be_one_is_refused(self, pattern: str) -> None:
        with pytest.raises(ToolError, match=r"^`pattern` "):
            query(shop(), pattern)


class TestType:
    def test_function_means_methods_too(self) -> None:
        found = ["again", "main", "Cart.__init__", "Cart.total", "Cart.save", "User.save"]
        assert names(shop(), "a", "function") == found

    def test_a_kind_means_that_kind(self) -> None:
        assert names(shop(), "a", "Method") == ["Cart.total", "Cart.save", "User.save"]

    def test_module_means_files(self) -> None:
        assert names(shop(), "cart", "module") == ["src/cart.py"]

    def test_an_unknown_type_lists_the_known_ones(self) -> None:
        with pytest.raises(UsageError, match=r"^There is no type 'thing'\. Types: class, constant, constructor, "):
            query(shop(), "a", "thing")


class TestLimits:
    def test_limit_cuts_and_says_so(self) -> None:
        answer = query(shop(), "save", limit=1)
        assert answer.text.startswith("Cart.save (Method) src/cart.py:12\n")
        assert answer.note == "Shown: 1 of 2. Give a longer pattern, a type or a greater limit."

    def test_a_limit_out_of_range_is_clamped_and_said(self) -> None:
        assert query(shop(), "helper", limit=5_000).note == "limit must be from 1 to 100; 100 was used."

    def test_long_lists_are_cut_and_counted(self) -> None:
        callers = [symbol(f"c{n:03d}", Kind.Function, 2 * n + 10, 2 * n + 11) for n in range(150)]
        store = build_sites(
            {"hub.py": [symbol("hub", Kind.Function, 1, 2), *callers]},
            {"hub.py": {"hub": [], **{c.name: [f"hub@{c.start_line}:5"] for c in callers}}},
            edges=[edge(f"hub.py:{c.name}", "CALLS", "hub.py:hub", c.start_line, 5) for c in callers],
        )
        answer = query(Graph(ROOT, store), "hub", "function")
        assert "  Called by (150):\n    - c000 (hub.py:10)\n" in answer.text
        assert "    - c009 (hub.py:28)\n    ... and 140 more\n  Calls (0):" in answer.text
        assert len(answer.data["symbols"][0]["calledBy"]) == 100
        assert answer.data["symbols"][0]["totals"] == {"calledBy": 150, "calls": 0}
