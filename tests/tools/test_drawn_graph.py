"""Which edges the drawn graph has: each test is named after the sentence it holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegps.errors import ToolError
from codegps.model.kinds import Flag, Kind
from codegps.query.find import Place
from codegps.tools.dependencies_of import dependencies_of
from codegps.tools.dependents_of import dependents_of
from codegps.tools.paths_between import paths_between
from tests.stores.graphs import edge, symbol
from tests.tools.projects import graph_lines, node_names, project

F = Kind.Function


def test_edges_are_calls_references_extends_implements_and_includes(tmp_path: Path) -> None:
    kinds = ["CALLS", "EXTENDS", "IMPLEMENTS", "INCLUDES", "REFERENCES", "USES_TABLE", "USES_TYPE"]
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 9), *((f"t{n}", F, 10 + n, 10 + n) for n in range(len(kinds)))]},
        [("a.py:f", kind, f"a.py:t{n}", 2, n + 1) for n, kind in enumerate(kinds)],
    )
    assert graph_lines(dependencies_of(graph, "a.py", "f").text) == [
        "f --CALLS--> t0",
        "f --EXTENDS--> t1",
        "f --IMPLEMENTS--> t2",
        "f --INCLUDES--> t3",
        "f --REFERENCES--> t4",
    ]


def test_a_call_of_class_d_is_drawn_calls_d_whoever_defines_its_constructor(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {
            "a.py": [
                ("make", F, 1, 2),
                ("B", Kind.Class, 4, 6),
                ("B.__init__", Kind.Constructor, 5, 6),
                ("D", Kind.Class, 8, 9),
            ]
        },
        [
            edge("a.py:make", "CALLS", "a.py:B.__init__", 2, 5, class_="a.py:D", drawn_target="a.py:D"),
            ("a.py:D", "EXTENDS", "a.py:B", 8, 9),
        ],
    )
    assert dependencies_of(graph, "a.py", "make").text == (
        "## Graph\n\nmake --CALLS--> D --EXTENDS--> B\n\n## Nodes\n\n"
        "D:\n  file: a.py\n  offset: 8, limit: 2\n  snippet:\n    8: line 8\n    9: line 9\n\n"
        "B:\n  file: a.py\n  offset: 4, limit: 3\n  snippet:\n    4: line 4\n    5: line 5\n    6: line 6\n"
    )


CLASS_WITH_CONSTRUCTOR = {
    "a.py": [
        ("C", Kind.Class, 1, 8),
        ("C.__init__", Kind.Constructor, 2, 4),
        ("C.save", Kind.Method, 5, 6),
        ("helper", F, 10, 11),
        ("user", F, 13, 14),
    ]
}


def test_what_the_constructor_does_is_done_by_the_class(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        CLASS_WITH_CONSTRUCTOR,
        [("a.py:C.__init__", "CALLS", "a.py:helper", 3, 9), ("a.py:user", "CALLS", "a.py:C.__init__", 14, 5)],
    )
    assert graph_lines(dependents_of(graph, "a.py", "helper").text) == ["user --CALLS--> C --CALLS--> helper"]
    assert graph_lines(dependencies_of(graph, "a.py", "C").text) == ["C --CALLS--> helper"]


def test_asking_for_the_constructor_is_asking_for_the_class(tmp_path: Path) -> None:
    graph = project(tmp_path, CLASS_WITH_CONSTRUCTOR, [("a.py:user", "CALLS", "a.py:C.__init__", 14, 5)])
    asked_class = dependents_of(graph, "a.py", "C")
    assert graph_lines(asked_class.text) == ["user --CALLS--> C"]
    assert dependents_of(graph, "a.py", "C.__init__") == asked_class
    assert dependents_of(graph, "a.py", "__init__") == asked_class


def test_the_second_block_of_an_answer_about_a_class_names_its_methods(tmp_path: Path) -> None:
    graph = project(tmp_path, CLASS_WITH_CONSTRUCTOR, [("a.py:user", "CALLS", "a.py:C.__init__", 14, 5)])
    line = "Methods are symbols of their own: C.save."
    assert dependents_of(graph, "a.py", "C").note == f"Found: 1 symbol and 1 edge, all shown.\n{line}"
    assert dependencies_of(graph, "a.py", "C").note == line
    assert line not in dependents_of(graph, "a.py", "C.save").note


def test_a_class_that_calls_itself_is_a_self_loop(tmp_path: Path) -> None:
    graph = project(tmp_path, CLASS_WITH_CONSTRUCTOR, [("a.py:C.__init__", "CALLS", "a.py:C.__init__", 3, 9)])
    assert dependencies_of(graph, "a.py", "C").text == "## Graph\n\nC --CALLS--> C"


def test_an_anonymous_function_is_folded_into_the_named_symbol_around_it(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 5), symbol("f.<lambda1>", F, 2, 3, flags=Flag.ANONYMOUS), ("g", F, 7, 8)]},
        [
            ("a.py:f", "REFERENCES", "a.py:f.<lambda1>", 2, 5),
            ("a.py:f.<lambda1>", "CALLS", "a.py:g", 3, 5),
        ],
    )
    assert graph_lines(dependencies_of(graph, "a.py", "f").text) == ["f --CALLS--> g"]
    assert graph_lines(dependencies_of(graph, "a.py", "f.<lambda1>").text) == ["f --CALLS--> g"]
    assert graph_lines(dependents_of(graph, "a.py", "g").text) == ["f --CALLS--> g"]


def test_an_anonymous_function_that_calls_the_function_around_it_is_a_self_loop(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 5), symbol("f.<lambda1>", F, 2, 3, flags=Flag.ANONYMOUS)]},
        [("a.py:f.<lambda1>", "CALLS", "a.py:f", 3, 5)],
    )
    assert dependencies_of(graph, "a.py", "f").text == "## Graph\n\nf --CALLS--> f"


def test_decorators_and_parameter_defaults_belong_to_the_function_they_stand_at(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("deco", F, 1, 2), ("f", F, 4, 6)]},
        [edge("a.py", "CALLS", "a.py:deco", 4, 2, drawn_source="a.py:f")],
    )
    assert graph_lines(dependencies_of(graph, "a.py", "f").text) == ["f --CALLS--> deco"]
    assert dependencies_of(graph, "a.py", "a.py").text == "No dependencies found."


def test_a_module_level_initialiser_belongs_to_its_variable(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("load", F, 1, 2), ("CONFIG", Kind.Constant, 4, 4)]},
        [edge("a.py", "CALLS", "a.py:load", 4, 10, drawn_source="a.py:CONFIG")],
    )
    assert graph_lines(dependents_of(graph, "a.py", "load").text) == ["CONFIG --CALLS--> load"]


def test_other_top_level_code_belongs_to_the_file_whose_display_name_is_its_path(tmp_path: Path) -> None:
    graph = project(tmp_path, {"src/run.py": [("main", F, 1, 2)]}, [("src/run.py", "CALLS", "src/run.py:main", 4, 1)])
    assert dependents_of(graph, "src/run.py", "main").text == (
        "## Graph\n\nsrc/run.py --CALLS--> main\n\n## Nodes\n\n"
        "src/run.py:\n  file: src/run.py\n  offset: 1, limit: 2\n  snippet:\n    1: line 1\n    2: line 2\n"
    )


def test_a_file_can_be_asked_for_by_giving_its_path_as_symbol(tmp_path: Path) -> None:
    graph = project(tmp_path, {"src/run.py": [("main", F, 1, 2)]}, [("src/run.py", "CALLS", "src/run.py:main", 4, 1)])
    assert graph_lines(dependencies_of(graph, "src/run.py", "src/run.py").text) == ["src/run.py --CALLS--> main"]


TYPES = {
    "a.ts": [
        ("Shape", Kind.Interface, 1, 3),
        ("Alias", Kind.TypeAlias, 5, 5),
        ("Box", Kind.Class, 7, 9),
        ("area", F, 11, 13),
        ("main", F, 15, 17),
        ("Holder", Kind.Interface, 19, 21),
        ("deep", F, 23, 24),
    ]
}


def test_uses_type_is_not_drawn_except_that_dependents_of_an_interface_draws_its_direct_users(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        TYPES,
        [
            ("a.ts:area", "USES_TYPE", "a.ts:Shape", 11, 20),
            ("a.ts:main", "CALLS", "a.ts:area", 16, 3),
            ("a.ts:Holder", "USES_TYPE", "a.ts:Shape", 20, 8),
            ("a.ts:deep", "USES_TYPE", "a.ts:Holder", 23, 9),
            ("a.ts:Box", "IMPLEMENTS", "a.ts:Shape", 7, 21),
        ],
    )
    assert graph_lines(dependents_of(graph, "a.ts", "Shape").text) == [
        "main --CALLS--> area --REFERENCES--> Shape",
        "Box --IMPLEMENTS--> Shape",
        "Holder --REFERENCES--> Shape",
    ]
    assert dependencies_of(graph, "a.ts", "area").text == "No dependencies found."


def test_dependents_of_a_type_alias_draws_its_direct_users_as_references_once(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        TYPES,
        [
            ("a.ts:area", "USES_TYPE", "a.ts:Alias", 11, 20),
            ("a.ts:area", "USES_TYPE", "a.ts:Alias", 12, 9),
            ("a.ts:area", "REFERENCES", "a.ts:Alias", 13, 9),
        ],
    )
    assert graph_lines(dependents_of(graph, "a.ts", "Alias").text) == ["area --REFERENCES--> Alias"]


def test_users_of_a_class_as_a_type_are_not_drawn(tmp_path: Path) -> None:
    graph = project(tmp_path, TYPES, [("a.ts:area", "USES_TYPE", "a.ts:Box", 11, 20)])
    assert dependents_of(graph, "a.ts", "Box").text == "No dependents found."


def test_an_edge_is_drawn_once_per_source_kind_and_target(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 5), ("g", F, 7, 8)]},
        [
            ("a.py:f", "CALLS", "a.py:g", 2, 5),
            ("a.py:f", "CALLS", "a.py:g", 4, 5),
            ("a.py:f", "REFERENCES", "a.py:g", 3, 5),
        ],
    )
    assert graph_lines(dependencies_of(graph, "a.py", "f").text) == ["f --CALLS--> g", "f --REFERENCES--> g"]


def test_a_name_with_several_definitions_in_its_file_means_all_of_them(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 2), ("f~2", F, 4, 5), ("g", F, 7, 8), ("h", F, 10, 11)]},
        [("a.py:f", "CALLS", "a.py:g", 2, 5), ("a.py:f~2", "CALLS", "a.py:h", 5, 5)],
    )
    answer = dependencies_of(graph, "a.py", "f")
    assert graph_lines(answer.text) == ["f#1 --CALLS--> g", "f#2 --CALLS--> h"]
    assert node_names(answer.text) == ["g", "h"]
    assert graph_lines(dependencies_of(graph, "a.py", "f~2").text) == ["f --CALLS--> h"]


CALLBACK = {"a.py": [("main", F, 1, 3), ("callback", F, 5, 6), ("apply", F, 8, 9), ("each", F, 11, 12)]}


@pytest.mark.parametrize("via", ["parameter", "element"])
def test_calls_that_are_inferred_via_parameter_or_element_are_not_drawn(tmp_path: Path, via: str) -> None:
    graph = project(
        tmp_path,
        CALLBACK,
        [
            ("a.py:main", "CALLS", "a.py:apply", 2, 5),
            ("a.py:main", "REFERENCES", "a.py:callback", 2, 11),
            ("a.py:apply", "CALLS", "a.py:callback", 9, 5, "inferred", 1, via),
        ],
    )
    assert graph_lines(dependents_of(graph, "a.py", "callback").text) == ["main --REFERENCES--> callback"]
    assert graph_lines(dependencies_of(graph, "a.py", "main").text) == [
        "main --CALLS--> apply",
        "main --REFERENCES--> callback",
    ]
    assert dependencies_of(graph, "a.py", "apply").text == "No dependencies found."


@pytest.mark.parametrize("via", ["return", "field"])
def test_calls_that_are_inferred_otherwise_are_drawn_and_the_second_block_gives_their_hops(
    tmp_path: Path, via: str
) -> None:
    graph = project(tmp_path, CALLBACK, [("a.py:apply", "CALLS", "a.py:callback", 9, 5, "inferred", 2, via)])
    answer = dependents_of(graph, "a.py", "callback")
    assert graph_lines(answer.text) == ["apply --CALLS--> callback"]
    assert answer.note == (
        "Found: 1 symbol and 1 edge, all shown.\n"
        f"Inferred, by following a value: apply --CALLS--> callback (2 hops, {via})."
    )


def test_paths_between_takes_flows_into_account_only_when_nothing_else_connects_the_two(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        CALLBACK,
        [
            ("a.py:apply", "CALLS", "a.py:callback", 9, 5, "inferred", 1, "parameter"),
            ("a.py:main", "CALLS", "a.py:apply", 2, 5),
            ("a.py:main", "CALLS", "a.py:each", 3, 5),
            ("a.py:each", "REFERENCES", "a.py:callback", 12, 5),
        ],
    )
    direct = paths_between(graph, Place("a.py", "main"), Place("a.py", "callback"))
    assert graph_lines(direct.text) == ["main --CALLS--> each --REFERENCES--> callback"]
    assert direct.note == "A shortest path: 2 steps."
    flowing = paths_between(graph, Place("a.py", "apply"), Place("a.py", "callback"))
    assert graph_lines(flowing.text) == ["apply --CALLS--> callback"]
    assert flowing.note == (
        "A shortest path: 1 step.\n"
        "Nothing else connects the two: it takes a call of a function that came as an argument or out of a container, "
        "which graphs do not draw.\n"
        "Inferred, by following a value: apply --CALLS--> callback (1 hop, parameter)."
    )


def test_a_path_back_over_drawn_edges_comes_before_a_path_there_over_flows(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        CALLBACK,
        [
            ("a.py:apply", "CALLS", "a.py:callback", 9, 5, "inferred", 1, "parameter"),
            ("a.py:callback", "CALLS", "a.py:apply", 6, 5),
        ],
    )
    answer = paths_between(graph, Place("a.py", "apply"), Place("a.py", "callback"))
    assert graph_lines(answer.text) == ["callback --CALLS--> apply"]


def test_of_an_edge_with_several_proofs_the_best_is_told(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        CALLBACK,
        [
            ("a.py:main", "CALLS", "a.py:each", 2, 5, "inferred", 1, "field"),
            ("a.py:main", "CALLS", "a.py:each", 3, 5, "dispatch"),
        ],
    )
    assert dependencies_of(graph, "a.py", "main").note == (
        "Found: 1 symbol and 1 edge, all shown.\nDispatch, one of several possible targets: main --CALLS--> each."
    )


def test_table_of_functions_the_caller_references_the_table_and_the_table_each_entry(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.ts": [("dispatch", F, 5, 7), ("TABLE", Kind.Constant, 1, 4), ("a", F, 9, 9), ("b", F, 10, 10)]},
        [
            ("a.ts:dispatch", "REFERENCES", "a.ts:TABLE", 6, 10),
            ("a.ts:dispatch", "CALLS", "a.ts:a", 6, 10, "inferred", 1, "element"),
            ("a.ts:dispatch", "CALLS", "a.ts:b", 6, 10, "inferred", 1, "element"),
            edge("a.ts", "REFERENCES", "a.ts:a", 2, 6, drawn_source="a.ts:TABLE"),
            edge("a.ts", "REFERENCES", "a.ts:b", 3, 6, drawn_source="a.ts:TABLE"),
        ],
    )
    assert graph_lines(dependencies_of(graph, "a.ts", "dispatch").text) == [
        "dispatch --REFERENCES--> TABLE --REFERENCES--> a",
        "TABLE --REFERENCES--> b",
    ]
    assert graph_lines(dependents_of(graph, "a.ts", "b").text) == ["dispatch --REFERENCES--> TABLE --REFERENCES--> b"]


def test_a_symbol_asked_at_its_barrel_is_not_found_there_and_the_answer_says_where_it_is(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"src/index.ts": [], "src/date/format.ts": [("formatDate", F, 1, 3)], "src/use.ts": [("main", F, 3, 5)]},
        [("src/use.ts:main", "CALLS", "src/date/format.ts:formatDate", 4, 3)],
    )
    with pytest.raises(ToolError) as error:
        dependents_of(graph, "src/index.ts", "formatDate")
    assert str(error.value) == (
        "Symbol 'formatDate' not found at src/index.ts.\n\nFound 'formatDate' in:\n  - src/date/format.ts"
    )
    assert graph_lines(dependents_of(graph, "src/date/format.ts", "formatDate").text) == ["main --CALLS--> formatDate"]


def test_max_depth_1_is_immediate_only(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 2), ("g", F, 4, 5), ("h", F, 7, 8)]},
        [
            ("a.py:f", "CALLS", "a.py:g", 2, 1),
            ("a.py:f", "CALLS", "a.py:h", 2, 9),
            ("a.py:g", "CALLS", "a.py:h", 5, 1),
        ],
    )
    answer = dependencies_of(graph, "a.py", "f", max_depth=1)
    assert graph_lines(answer.text) == ["f --CALLS--> g", "f --CALLS--> h"]
    assert answer.note == "Found: 2 symbols and 2 edges, all shown."
    first = dependents_of(graph, "a.py", "h", max_depth=1)
    assert graph_lines(first.text) == ["f --CALLS--> h", "g --CALLS--> h"]


def test_an_answer_tells_when_max_depth_cut_it(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 2), ("g", F, 4, 5), ("h", F, 7, 8)]},
        [("a.py:f", "CALLS", "a.py:g", 2, 1), ("a.py:g", "CALLS", "a.py:h", 5, 1)],
    )
    assert dependencies_of(graph, "a.py", "f", max_depth=1).note == (
        "Found: 1 symbol and 1 edge, all shown. More lies beyond max_depth=1."
    )
    assert dependencies_of(graph, "a.py", "f", max_depth=2).note == "Found: 2 symbols and 2 edges, all shown."
