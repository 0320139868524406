"""`get_function_details`: what was planned first, then every sentence of the contract."""

from __future__ import annotations

import pytest

from codegps.errors import ToolError
from codegps.format.function_details import MAX_CHARACTERS
from codegps.model.kinds import Kind
from codegps.query.graph import Graph
from codegps.tools.get_function_details import get_function_details
from tests.query.sites import build_sites
from tests.stores.graphs import edge, reference, symbol
from tests.tools.shop import ROOT, json_of, shop


class TestBasicFunctionality:
    def test_should_return_function_details_with_calls(self) -> None:
        found = json_of(get_function_details(shop(), "main"))
        assert (found["id"], found["name"], found["file"], found["line"], found["async"]) == (
            "src/app.py:main",
            "main",
            "src/app.py",
            5,
            True,
        )
        assert [(c["name"], c["resolved"], c["line"]) for c in found["calls"]] == [
            ("Cart", True, 6),
            ("json", False, 9),
            ("helper", True, 10),
            ("total", True, 8),
        ]

    def test_should_return_function_details_with_called_by(self) -> None:
        found = json_of(get_function_details(shop(), "total"))
        assert found["calledBy"] == [
            {"id": "src/app.py:main", "name": "main", "type": "FUNCTION", "file": "src/app.py", "line": 8},
            {"id": "src/cart.py:Cart.save", "name": "save", "type": "FUNCTION", "file": "src/cart.py", "line": 13},
        ]

    def test_should_handle_function_not_found(self) -> None:
        with pytest.raises(ToolError) as error:
            get_function_details(shop(), "mian")
        assert str(error.value).startswith('Function "mian" not found.\nNearest names: main (src/app.py:5)')

    def test_should_disambiguate_with_file_parameter(self) -> None:
        with pytest.raises(ToolError) as error:
            get_function_details(shop(), "save")
        assert str(error.value) == (
            'Multiple functions named "save" found: src/cart.py:12, src/user.py:3. '
            'Use the "file" parameter to disambiguate.'
        )
        assert json_of(get_function_details(shop(), "save", file="user"))["id"] == "src/user.py:User.save"


class TestCallTypes:
    def test_should_include_both_call_and_method_call_nodes(self) -> None:
        found = json_of(get_function_details(shop(), "main"))
        assert [c["type"] for c in found["calls"]] == ["CALL", "METHOD_CALL", "CALL", "METHOD_CALL"]

    def test_should_show_object_name_for_method_call(self) -> None:
        answer = get_function_details(shop(), "main")
        assert [c.get("object") for c in json_of(answer)["calls"]] == [None, "response", None, "cart"]
        assert "\n  - response.json() (unresolved)\n" in answer.text
        assert "\n  - cart.total() -> total (src/cart.py:7)\n" in answer.text


class TestTransitiveMode:
    def test_should_return_direct_calls_only_when_transitive_false(self) -> None:
        answer = get_function_details(shop(), "main", transitive=False)
        assert {c["depth"] for c in json_of(answer)["calls"]} == {0}
        assert "Transitive calls:" not in answer.text

    def test_should_follow_call_chains_when_transitive_true(self) -> None:
        found = json_of(get_function_details(shop(), "main", transitive=True))
        assert [c["name"] for c in found["calls"]] == ["Cart", "json", "helper", "total", "getcwd", "sum"]

    def test_should_include_depth_in_transitive_results(self) -> None:
        answer = get_function_details(shop(), "main", transitive=True)
        assert [c["depth"] for c in json_of(answer)["calls"]] == [0, 0, 0, 0, 1, 1]
        assert "\n\n  Transitive calls:\n    [depth=1] os.getcwd()\n    [depth=1] sum()\n\nCalled by" in answer.text

    def test_it_handles_cycles_without_infinite_loop(self) -> None:
        found = json_of(get_function_details(shop(), "ping", transitive=True))
        assert [(c["name"], c["depth"]) for c in found["calls"]] == [("pong", 0), ("ping", 1)]

    def test_a_function_that_calls_itself_lists_one_call(self) -> None:
        found = json_of(get_function_details(shop(), "again", transitive=True))
        assert [(c["name"], c["depth"]) for c in found["calls"]] == [("again", 0)]
        assert [c["id"] for c in found["calledBy"]] == ["src/loop.py:again"]


def test_the_text_is_the_summary_a_blank_line_and_the_json() -> None:
    assert (
        get_function_details(shop(), "helper").text
        == """\
Function: helper
File: src/app.py:14
Async: false
Transitive: false

Calls (1):
  - os.getcwd() (unresolved)

Called by (1):
  - main (src/app.py:10)

{
  "id": "src/app.py:helper",
  "name": "helper",
  "file": "src/app.py",
  "line": 14,
  "async": false,
  "calls": [
    {
      "id": "src/app.py#call:4",
      "name": "getcwd",
      "type": "METHOD_CALL",
      "object": "os",
      "resolved": false,
      "file": "src/app.py",
      "line": 15,
      "column": 8,
      "depth": 0,
      "external": "os.getcwd"
    }
  ],
  "calledBy": [
    {
      "id": "src/app.py:main",
      "name": "main",
      "type": "FUNCTION",
      "file": "src/app.py",
      "line": 10
    }
  ]
}"""
    )


def test_a_target_says_how_it_is_known() -> None:
    (call,) = json_of(get_function_details(shop(), "Cart.save"))["calls"]
    assert call["target"] == {
        "id": "src/cart.py:Cart.total",
        "name": "total",
        "file": "src/cart.py",
        "line": 7,
        "proof": "inferred",
        "hops": 2,
        "via": "field",
    }


def test_called_by_names_the_container_and_cites_the_line_of_the_call_site() -> None:
    answer = get_function_details(shop(), "main")
    assert answer.text.partition("\n\n{")[0].endswith("Called by (1):\n  - src/app.py (src/app.py:18)")
    assert json_of(answer)["calledBy"][0]["type"] == "MODULE"


class TestWhichFunction:
    def test_the_name_may_be_qualified(self) -> None:
        assert json_of(get_function_details(shop(), "User.save"))["id"] == "src/user.py:User.save"

    def test_the_name_may_be_an_identity(self) -> None:
        assert json_of(get_function_details(shop(), "src/user.py:User.save"))["id"] == "src/user.py:User.save"

    def test_the_file_may_be_absolute_relative_or_written_with_backslashes(self) -> None:
        for file in (str(ROOT / "src" / "user.py"), "./src/user.py", "src\\user.py", "user.py", "src/u"):
            assert json_of(get_function_details(shop(), "save", file))["id"] == "src/user.py:User.save"

    def test_several_matches_with_a_file_are_an_error_too(self) -> None:
        with pytest.raises(ToolError, match=r'^Multiple functions named "save" found: src/cart.py:12, src/user.py:3\.'):
            get_function_details(shop(), "save", file="src/")

    def test_two_in_one_file_are_told_apart_by_their_qualified_names(self) -> None:
        store = build_sites(
            {"a.py": [("A.run", Kind.Method, 2, 3), ("f", Kind.Function, 5, 6), ("f~2", Kind.Function, 8, 9)]}, {}
        )
        graph = Graph(ROOT, store)
        with pytest.raises(ToolError) as error:
            get_function_details(graph, "f")
        assert str(error.value) == (
            'Multiple functions named "f" found: a.py:5, a.py:8. Use the "file" parameter to disambiguate. '
            "Or give a qualified name: f, f~2."
        )
        assert json_of(get_function_details(graph, "f~2"))["line"] == 8

    def test_names_are_case_sensitive(self) -> None:
        with pytest.raises(ToolError, match=r'^Function "MAIN" not found'):
            get_function_details(shop(), "MAIN")

    def test_not_found_in_the_file_says_where_it_is(self) -> None:
        with pytest.raises(ToolError) as error:
            get_function_details(shop(), "main", file="cart")
        assert str(error.value) == (
            'Function "main" not found. (searched in files matching "cart")\nIt is defined in: src/app.py:5'
        )

    def test_a_class_is_no_function_and_the_error_says_so(self) -> None:
        with pytest.raises(ToolError) as error:
            get_function_details(shop(), "Cart")
        assert str(error.value) == (
            'Function "Cart" not found.\n"Cart" is a Class (src/cart.py:3): ask for one of its methods.'
        )

    @pytest.mark.parametrize("name", ["", "   ", "a\0b", "x" * 1_001, "a\nb", 7, None])
    def test_a_name_that_cannot_be_one_is_refused(self, name: str) -> None:
        with pytest.raises(ToolError, match=r"^`name` "):
            get_function_details(shop(), name)

    def test_a_property_counts_where_it_has_a_body(self) -> None:
        store = build_sites(
            {"a.py": [("A", Kind.Class, 1, 9), ("A.size", Kind.Property, 2, 3), ("A.field", Kind.Property, 5, 5)]},
            {"a.py": {"A": [], "A.size": ["len@3:16"]}},
        )
        assert [c["name"] for c in json_of(get_function_details(Graph(ROOT, store), "size"))["calls"]] == ["len"]
        with pytest.raises(ToolError):
            get_function_details(Graph(ROOT, store), "field")


class TestSeveralTargets:
    def speak(self, count: int) -> Graph:
        pets = [symbol(f"Pet{n:04d}.speak", Kind.Method, 10 * n + 10, 10 * n + 12) for n in range(count)]
        store = build_sites(
            {"pets.py": [symbol("main", Kind.Function, 1, 5), *pets]},
            {"pets.py": {"main": ["pet.speak@2:9"], **{pet.name: [] for pet in pets}}},
            edges=[
                edge("pets.py:main", "CALLS", f"pets.py:{pet.name}", 2, 9, "resolved" if n == 1 else "dispatch")
                for n, pet in enumerate(pets)
            ],
        )
        return Graph(ROOT, store)

    def test_target_is_the_resolved_one_and_targets_holds_all(self) -> None:
        answer = get_function_details(self.speak(3), "main")
        (call,) = json_of(answer)["calls"]
        assert call["target"]["id"] == "pets.py:Pet0001.speak"
        assert [(t["id"], t["proof"]) for t in call["targets"]] == [
            ("pets.py:Pet0001.speak", "resolved"),
            ("pets.py:Pet0000.speak", "dispatch"),
            ("pets.py:Pet0002.speak", "dispatch"),
        ]
        assert "\n  - pet.speak() -> speak (pets.py:20) and 2 more\n" in answer.text

    def test_a_thousand_targets_are_counted_and_ten_listed(self) -> None:
        (call,) = json_of(get_function_details(self.speak(1_000), "main"))["calls"]
        assert len(call["targets"]) == 10
        assert call["targetsTotal"] == 1_000


class TestBounds:
    def fan(self, width: int) -> Graph:
        """main calls `width` functions, each of which calls `width` others of them."""
        names = [f"f{n:03d}" for n in range(width)]
        edges = [edge("big.py:main", "CALLS", f"big.py:{name}", n + 2, 5) for n, name in enumerate(names)]
        bodies = {"main": [f"{name}@{n + 2}:5" for n, name in enumerate(names)]}
        files = [symbol("main", Kind.Function, 1, width + 2)]
        for n, name in enumerate(names):
            start = 1_000 * (n + 1)
            files.append(symbol(name, Kind.Function, start, start + 999))
            bodies[name] = [f"{other}@{start + k + 1}:5" for k, other in enumerate(names)]
            edges += [
                edge(f"big.py:{name}", "CALLS", f"big.py:{other}", start + k + 1, 5) for k, other in enumerate(names)
            ]
        return Graph(ROOT, build_sites({"big.py": files}, {"big.py": bodies}, edges=edges))

    def test_no_answer_is_over_80_000_characters_and_the_totals_are_named(self) -> None:
        answer = get_function_details(self.fan(30), "main", transitive=True)
        assert len(answer.text) <= MAX_CHARACTERS
        found = json_of(answer)
        listed = len(found["calls"])
        assert 100 < listed < 930
        assert found["totals"] == {"calls": 930}
        assert "\nCalls (930):\n" in answer.text
        assert [c["depth"] for c in found["calls"]] == [0] * 30 + [1] * (listed - 30)
        assert answer.note == f"The nearest {listed} of 930 calls are listed (depth 0 to 1)."

    def test_a_search_that_never_ends_says_more_than(self) -> None:
        answer = get_function_details(self.fan(40), "main", transitive=True)
        assert "\nCalls (1000+):\n" in answer.text
        assert json_of(answer)["totals"] == {"calls": 1_000, "moreCalls": True}
        assert "of more than 1,000 calls are listed" in answer.note

    def test_a_hub_lists_the_first_callers_and_their_number(self) -> None:
        callers = [symbol(f"c{n:03d}", Kind.Function, 2 * n + 10, 2 * n + 11) for n in range(250)]
        store = build_sites(
            {"hub.py": [symbol("hub", Kind.Function, 1, 2), *callers]},
            {"hub.py": {"hub": [], **{c.name: [f"hub@{c.start_line}:5"] for c in callers}}},
            edges=[edge(f"hub.py:{c.name}", "CALLS", "hub.py:hub", c.start_line, 5) for c in callers],
        )
        answer = get_function_details(Graph(ROOT, store), "hub")
        listed = len(json_of(answer)["calledBy"])
        assert 60 < listed <= 100
        assert json_of(answer)["totals"] == {"calledBy": 250}
        assert "\nCalled by (250):\n  - c000 (hub.py:10)\n" in answer.text
        assert answer.note == f"The first {listed} of 250 callers are listed."

    def test_calls_deep_inside_blocks_are_found(self) -> None:
        body: list[object] = ["deep@99:1"]
        for line in range(40, 0, -1):
            body = [f"if@{line}", *body]
        store = build_sites({"a.py": [("f", Kind.Function, 1, 99)]}, {"a.py": {"f": [body]}})  # type: ignore[dict-item]
        assert [c["name"] for c in json_of(get_function_details(Graph(ROOT, store), "f"))["calls"]] == ["deep"]


class TestWhatTheAnswerAdds:
    def test_unresolved_calls_are_told_apart(self) -> None:
        note = get_function_details(shop(), "main", transitive=True).note
        assert note == (
            "Of 3 unresolved calls 2 leave the project (builtins, os) and 1 could not be resolved "
            "(json at src/app.py:9)."
        )

    def test_inferred_and_dispatch_targets_are_counted(self) -> None:
        assert get_function_details(shop(), "Cart.save").note == (
            "1 call is inferred: the function travelled as a value, up to 2 hops."
        )

    def test_what_may_call_it_without_an_edge_is_named(self) -> None:
        store = build_sites(
            {"a.py": [("f", Kind.Function, 1, 2), ("g", Kind.Function, 4, 6)]},
            {"a.py": {"f": [], "g": ["x.f@5:7"]}},
            edges=[("a.py:g", "REFERENCES", "a.py:f", 6, 9)],
            references=[reference("a.py:g", "CALLS", "f", 5, 7)],
        )
        assert get_function_details(Graph(ROOT, store), "f").note == (
            "1 unresolved reference named f may also mean it: a.py:5.\n"
            "It is also named without being called (passed, stored) in 1 place; dependentsOf shows them."
        )

    def test_nothing_to_say_is_an_empty_note(self) -> None:
        assert get_function_details(shop(), "Cart.__init__").note == ""


def test_names_that_would_break_the_text_are_escaped() -> None:
    hostile = "t.a\nb\x1b[31m"
    store = build_sites(
        {"a.js": [("f", Kind.Function, 1, 3), (hostile, Kind.Function, 5, 6)]},
        {"a.js": {"f": ["x\n   .y.a\nb\x1b[31m@2:3"], hostile: []}},
        edges=[("a.js:f", "CALLS", f"a.js:{hostile}", 2, 3)],
    )
    answer = get_function_details(Graph(ROOT, store), "f")
    assert "\nCalls (1):\n  - x .y.a\\nb\\x1b[31m() -> a\\nb\\x1b[31m (a.js:5)\n" in answer.text
    assert json_of(answer)["calls"][0]["target"]["name"] == "a\nb\x1b[31m"
