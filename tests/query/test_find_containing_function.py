"""`find_containing_function` over a plain graph in memory."""

from __future__ import annotations

from codegps.model.calls import CallerInfo
from codegps.query.find_containing_function import find_containing_function
from tests.query.plain_graph import PlainGraph


def test_a_call_is_contained_by_the_function_around_it() -> None:
    graph = PlainGraph().function("main", line=10).call("main", "load", line=12)
    assert find_containing_function(graph, "main/call0") == CallerInfo(
        id="main", name="main", type="FUNCTION", file="main.py", line=12
    )


def test_the_walk_goes_up_through_nested_scopes() -> None:
    graph = PlainGraph().function("main").scope("if", "main/body").scope("for", "if").call("main", "load", scope="for")
    found = find_containing_function(graph, "main/call0")
    assert found is not None
    assert found.id == "main"


def test_a_class_or_a_module_is_a_container_too() -> None:
    graph = PlainGraph().klass("C").call("C", "field").function("app.py", kind="MODULE").call("app.py", "main")
    found = [find_containing_function(graph, call) for call in ("C/call0", "app.py/call0")]
    assert [container and container.type for container in found] == ["CLASS", "MODULE"]


def test_the_innermost_container_wins() -> None:
    graph = PlainGraph().function("outer").function("inner").contains("outer/body", "inner").call("inner", "load")
    found = find_containing_function(graph, "inner/call0")
    assert found is not None
    assert found.id == "inner"


def test_an_unnamed_function_is_called_anonymous() -> None:
    graph = PlainGraph().function("f").node("f", "FUNCTION", name="").call("f", "load")
    found = find_containing_function(graph, "f/call0")
    assert found is not None
    assert found.name == "<anonymous>"


def test_a_node_without_a_line_gives_the_line_of_its_container() -> None:
    graph = PlainGraph().function("main", line=10).call("main", "load")
    found = find_containing_function(graph, "main/call0")
    assert found is not None
    assert found.line == 10


def test_nothing_around_is_none() -> None:
    graph = PlainGraph().node("lost", "CALL")
    assert find_containing_function(graph, "lost") is None
    assert find_containing_function(graph, "not there") is None


def test_the_walk_ends_at_max_depth() -> None:
    graph = PlainGraph().function("main")
    around = "main/body"
    for depth in range(20):
        graph.scope(f"block{depth}", around)
        around = f"block{depth}"
    graph.call("main", "deep", scope=around)
    assert find_containing_function(graph, "main/call0") is None
    found = find_containing_function(graph, "main/call0", max_depth=21)
    assert found is not None
    assert found.id == "main"


def test_scopes_in_a_circle_end() -> None:
    graph = PlainGraph().node("a", "SCOPE").scope("b", "a").contains("b", "a")
    assert find_containing_function(graph, "a") is None
