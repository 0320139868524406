"""`find_calls_in_function` over a plain graph in memory."""

from __future__ import annotations

from codegps.model.calls import CallInfo, FindCallsOptions
from codegps.query.find_calls_in_function import find_calls_in_function
from tests.query.plain_graph import PlainGraph

TRANSITIVE = FindCallsOptions(transitive=True)


def names(calls: list[CallInfo]) -> list[str]:
    return [call.name for call in calls]


def depths(calls: list[CallInfo]) -> list[tuple[str, int]]:
    return [(call.name, call.depth) for call in calls]


class TestDirectCalls:
    def test_should_find_call_nodes_in_function_scope(self) -> None:
        graph = PlainGraph().function("main", line=1).call("main", "load", line=2).call("main", "save", line=3)
        calls = find_calls_in_function(graph, "main")
        assert [(c.id, c.name, c.type, c.line, c.file, c.depth) for c in calls] == [
            ("main/call0", "load", "CALL", 2, "main.py", 0),
            ("main/call1", "save", "CALL", 3, "main.py", 0),
        ]

    def test_should_find_method_call_nodes_in_function_scope(self) -> None:
        graph = PlainGraph().function("main").call("main", "json", object="response")
        (call,) = find_calls_in_function(graph, "main")
        assert (call.type, call.object, call.name) == ("METHOD_CALL", "response", "json")

    def test_should_not_enter_nested_functions(self) -> None:
        graph = PlainGraph().function("main").call("main", "outer")
        graph.function("inner").call("inner", "hidden")
        graph.contains("main/body", "inner")
        graph.klass("Local").call("Local", "also_hidden")
        graph.contains("main/body", "Local")
        assert names(find_calls_in_function(graph, "main")) == ["outer"]

    def test_should_handle_nested_scopes_if_blocks_loops(self) -> None:
        graph = PlainGraph().function("main")
        graph.scope("if", "main/body").scope("for", "if").scope("else", "main/body")
        graph.call("main", "in_for", scope="for").call("main", "in_else", scope="else").call(
            "main", "in_if", scope="if"
        )
        graph.call("main", "in_body")
        assert names(find_calls_in_function(graph, "main")) == ["in_body", "in_if", "in_else", "in_for"]

    def test_should_return_empty_array_for_function_with_no_calls(self) -> None:
        assert find_calls_in_function(PlainGraph().function("main"), "main") == []

    def test_variables_are_no_calls(self) -> None:
        graph = PlainGraph().function("main").node("x", "VARIABLE").contains("main/body", "x")
        assert find_calls_in_function(graph, "main") == []

    def test_a_function_that_is_not_there_has_no_calls(self) -> None:
        assert find_calls_in_function(PlainGraph(), "nowhere") == []

    def test_blocks_deeper_than_max_depth_are_left_out(self) -> None:
        graph = PlainGraph().function("main")
        around = "main/body"
        for depth in range(1, 13):
            graph.scope(f"block{depth}", around).call("main", f"call{depth}", scope=f"block{depth}")
            around = f"block{depth}"
        assert names(find_calls_in_function(graph, "main")) == [f"call{n}" for n in range(1, 11)]
        assert names(find_calls_in_function(graph, "main", FindCallsOptions(max_depth=2))) == ["call1", "call2"]

    def test_a_scope_that_contains_itself_ends(self) -> None:
        graph = PlainGraph().function("main").call("main", "load").contains("main/body", "main/body")
        assert names(find_calls_in_function(graph, "main")) == ["load"]

    def test_an_edge_to_a_node_that_is_gone_is_passed_over(self) -> None:
        graph = PlainGraph().function("main").contains("main/body", "gone").call("main", "load")
        assert names(find_calls_in_function(graph, "main")) == ["load"]


class TestResolutionStatus:
    def test_should_mark_calls_with_calls_edge_as_resolved_true(self) -> None:
        graph = PlainGraph().function("main").function("load", line=9).call("main", "load", to="load")
        (call,) = find_calls_in_function(graph, "main")
        assert call.resolved is True
        assert call.target is not None
        assert (call.target.id, call.target.name, call.target.file, call.target.line) == ("load", "load", "load.py", 9)

    def test_should_mark_calls_without_calls_edge_as_resolved_false(self) -> None:
        (call,) = find_calls_in_function(PlainGraph().function("main").call("main", "fetch"), "main")
        assert call.resolved is False
        assert call.target is None
        assert call.targets == ()

    def test_a_call_with_several_targets_has_all_of_them_and_follows_all(self) -> None:
        graph = PlainGraph().function("main").function("Cat.speak").function("Dog.speak")
        graph.call("main", "speak", object="pet", to=("Cat.speak", "Dog.speak"))
        graph.call("Cat.speak", "meow").call("Dog.speak", "bark")
        calls = find_calls_in_function(graph, "main", TRANSITIVE)
        assert calls[0].target == calls[0].targets[0]
        assert [target.id for target in calls[0].targets] == ["Cat.speak", "Dog.speak"]
        assert depths(calls) == [("speak", 0), ("meow", 1), ("bark", 1)]


class TestTransitiveMode:
    def test_should_follow_resolved_calls_edges_when_transitive_true(self) -> None:
        graph = PlainGraph().function("a").function("b").call("a", "b", to="b").call("b", "c").call("a", "unknown")
        assert names(find_calls_in_function(graph, "a")) == ["b", "unknown"]
        assert names(find_calls_in_function(graph, "a", TRANSITIVE)) == ["b", "unknown", "c"]

    def test_should_add_depth_field_for_transitive_calls(self) -> None:
        assert depths(find_calls_in_function(chain(3), "f0", TRANSITIVE)) == [("f1", 0), ("f2", 1), ("f3", 2)]

    def test_should_stop_at_transitive_depth_limit(self) -> None:
        graph = chain(9)
        assert [d for _, d in depths(find_calls_in_function(graph, "f0", TRANSITIVE))] == [0, 1, 2, 3, 4, 5]
        two = FindCallsOptions(transitive=True, transitive_depth=2)
        assert [d for _, d in depths(find_calls_in_function(graph, "f0", two))] == [0, 1, 2]
        none = FindCallsOptions(transitive=True, transitive_depth=0)
        assert [d for _, d in depths(find_calls_in_function(graph, "f0", none))] == [0]

    def test_should_handle_recursive_functions_a_calls_a(self) -> None:
        graph = PlainGraph().function("a").call("a", "a", to="a")
        assert depths(find_calls_in_function(graph, "a", TRANSITIVE)) == [("a", 0)]

    def test_should_handle_cycles_a_calls_b_calls_a(self) -> None:
        graph = PlainGraph().function("a").function("b").call("a", "b", to="b").call("b", "a", to="a")
        assert depths(find_calls_in_function(graph, "a", TRANSITIVE)) == [("b", 0), ("a", 1)]

    def test_depth_is_the_shortest_distance(self) -> None:
        """a → b → c → d and a → d: what d calls is one call away, whatever is found first."""
        graph = PlainGraph().function("a").function("b").function("c").function("d")
        graph.call("a", "b", to="b").call("b", "c", to="c").call("c", "d", to="d").call("a", "d", to="d")
        graph.call("d", "end")
        found = depths(find_calls_in_function(graph, "a", TRANSITIVE))
        assert found == [("b", 0), ("d", 0), ("c", 1), ("end", 1), ("d", 2)]

    def test_a_called_class_is_not_entered(self) -> None:
        graph = PlainGraph().function("a").klass("C").call("a", "C", to="C").call("C", "in_class_body")
        assert names(find_calls_in_function(graph, "a", TRANSITIVE)) == ["C"]

    def test_a_limit_ends_the_search(self) -> None:
        options = FindCallsOptions(transitive=True, limit=2)
        assert names(find_calls_in_function(chain(5), "f0", options)) == ["f1", "f2"]

    def test_ten_thousand_functions_in_a_row_are_no_recursion(self) -> None:
        options = FindCallsOptions(transitive=True, transitive_depth=20_000)
        assert len(find_calls_in_function(chain(10_000), "f0", options)) == 10_000


def chain(length: int) -> PlainGraph:
    graph = PlainGraph().function("f0")
    for n in range(1, length + 1):
        graph.function(f"f{n}").call(f"f{n - 1}", f"f{n}", to=f"f{n}")
    return graph
