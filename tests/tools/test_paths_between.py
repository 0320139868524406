"""`pathsBetween`: each test is named after the sentence it holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegps.errors import ToolError
from codegps.model.kinds import Kind
from codegps.query.find import Place
from codegps.query.graph import Graph
from codegps.tool import Answer
from codegps.tools.paths_between import paths_between
from tests.tools.projects import graph_lines, letters, project

F = Kind.Function


def between(graph: Graph, source: str, target: str, max_depth: int | None = None) -> Answer:
    return paths_between(graph, Place("a.py", source), Place("a.py", target), max_depth=max_depth)


def test_prints_one_shortest_path_from_source_to_target(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B B>C C>D A>E E>D")
    answer = between(graph, "A", "D")
    assert answer.text == (
        "## Graph\n\nA --CALLS--> E --CALLS--> D\n\n## Nodes\n\n"
        "E:\n  file: a.py\n  offset: 13, limit: 3\n  snippet:\n    13: line 13\n    14: line 14\n    15: line 15\n"
    )
    assert answer.note == "A shortest path: 2 steps."


def test_where_there_is_none_one_from_target_to_source_and_arrows_show_the_true_direction(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B B>C")
    assert graph_lines(between(graph, "C", "A").text) == ["A --CALLS--> B --CALLS--> C"]
    assert between(graph, "C", "A") == between(graph, "A", "C")


def test_the_direction_asked_for_comes_first_even_where_it_is_longer(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B B>C C>A")
    assert graph_lines(between(graph, "A", "C").text) == ["A --CALLS--> B --CALLS--> C"]
    assert graph_lines(between(graph, "C", "A").text) == ["C --CALLS--> A"]


def test_among_equals_the_first_in_edge_order_wins(tmp_path: Path) -> None:
    # All have two steps: by place B comes first, by kind of the first edge C and D, of these by place D.
    graph = letters(tmp_path, "A=B A>D A>C B>E C>E D=E D>E", "ABCDE")
    assert graph_lines(between(graph, "A", "E").text) == ["A --CALLS--> D --CALLS--> E"]


def test_a_symbol_that_does_not_lead_on_is_not_taken(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>X A>Y X>P Y>Q Q>R R>Z P>P", "AXYPQRZ")
    assert graph_lines(between(graph, "A", "Z").text) == [
        "A --CALLS--> Y --CALLS--> Q --CALLS--> R --CALLS--> Z",
    ]


def test_any_definition_of_a_name_may_begin_or_end_the_path(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 2), ("f~2", F, 3, 4), ("g", F, 5, 6), ("g~2", F, 7, 8), ("h", F, 9, 10)]},
        [
            ("a.py:f~2", "CALLS", "a.py:h", 4, 1),
            ("a.py:h", "CALLS", "a.py:g~2", 10, 1),
        ],
    )
    answer = between(graph, "f", "g")
    assert graph_lines(answer.text) == ["f --CALLS--> h --CALLS--> g"]
    assert "\n\n## Nodes\n\nh:\n" in answer.text


def test_no_path_found_is_an_answer(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B C>B")
    assert between(graph, "A", "C") == Answer("No path found.")


def test_no_path_tells_the_unresolved_uses_that_could_be_the_missing_step(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("A", F, 1, 2), ("save", F, 4, 5)]},
        references=[("a.py:A", "CALLS", "x.save", 2, 5, "unknown", "", ["a.py:save"])],
    )
    answer = between(graph, "A", "save")
    assert answer.text == "No path found."
    assert answer.note == "1 use of these names could not be resolved, so a path may be missing: x.save (a.py:2)."


def test_a_path_longer_than_max_depth_is_not_found_and_the_answer_says_so(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B B>C C>D")
    assert between(graph, "A", "D", max_depth=3).text != "No path found."
    answer = between(graph, "A", "D", max_depth=2)
    assert answer.text == "No path found."
    assert answer.note == "None of at most 2 steps; a longer one was not looked for."


def test_a_type_named_in_an_annotation_is_no_path_and_the_answer_says_where_to_ask(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 2), ("Shape", Kind.Interface, 4, 5)]},
        [("a.py:f", "USES_TYPE", "a.py:Shape", 1, 9)],
    )
    assert between(graph, "f", "Shape").note == (
        "A type that is only named in annotations is connected to nothing here; dependentsOf shows who names it."
    )


def test_same_symbol(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>A")
    with pytest.raises(ToolError) as error:
        between(graph, "A", "A")
    assert str(error.value) == "Invalid query: source and target are the same symbol."


def test_a_class_and_its_constructor_are_the_same_symbol(tmp_path: Path) -> None:
    graph = project(tmp_path, {"a.py": [("C", Kind.Class, 1, 3), ("C.__init__", Kind.Constructor, 2, 3)]})
    with pytest.raises(ToolError, match=r"^Invalid query: source and target are the same symbol\.$"):
        between(graph, "C", "C.__init__")


def test_if_both_endpoints_are_bad_both_are_reported_a_blank_line_between(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B")
    with pytest.raises(ToolError) as error:
        paths_between(graph, Place("a.py", "Bee"), Place("nope.py", "A"))
    assert str(error.value) == (
        "Symbol 'Bee' not found at a.py.\n\nAvailable symbols in this file:\n  - B (Function)\n  - A (Function)"
        "\n\nFile 'nope.py' is not indexed.\n\nFound 'A' in:\n  - a.py"
    )


def test_one_bad_endpoint_is_reported_alone(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B")
    with pytest.raises(ToolError) as error:
        paths_between(graph, Place("a.py", "A"), Place("nope.py", "Q"))
    assert str(error.value) == "File 'nope.py' is not indexed."
