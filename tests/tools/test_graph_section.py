"""The Graph section, line by line: each test is named after the sentence it holds."""

from __future__ import annotations

from pathlib import Path

from codegps.model.kinds import Kind
from codegps.tools.dependencies_of import dependencies_of
from codegps.tools.dependents_of import dependents_of
from tests.tools.projects import graph_lines, letters, node_names, project

F = Kind.Function


def test_edges_are_ordered_by_edge_kind_name(tmp_path: Path) -> None:
    kinds = ["REFERENCES", "INCLUDES", "IMPLEMENTS", "EXTENDS", "CALLS"]
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 9), *((kind.lower(), F, 10 + n, 10 + n) for n, kind in enumerate(kinds))]},
        [("a.py:f", kind, f"a.py:{kind.lower()}", n + 1, 1) for n, kind in enumerate(kinds)],
    )
    assert graph_lines(dependencies_of(graph, "a.py", "f").text) == [
        "f --CALLS--> calls",
        "f --EXTENDS--> extends",
        "f --IMPLEMENTS--> implements",
        "f --INCLUDES--> includes",
        "f --REFERENCES--> references",
    ]


def test_then_by_path_and_position_of_the_sources_definition(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {
            "b.py": [("late", F, 5, 6), ("early", F, 1, 2)],
            "a.py": [("other", F, 50, 51)],
            "Z.py": [("upper", F, 90, 91), ("t", F, 1, 1)],
        },
        [(f"{path}:{name}", "CALLS", "Z.py:t", line, 1) for path, name, line in
         [("b.py", "late", 6), ("b.py", "early", 2), ("a.py", "other", 51), ("Z.py", "upper", 91)]],
    )  # fmt: skip
    assert graph_lines(dependents_of(graph, "Z.py", "t").text) == [
        "upper --CALLS--> t",
        "other --CALLS--> t",
        "early --CALLS--> t",
        "late --CALLS--> t",
    ]


def test_then_by_first_place(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 9), ("x", F, 20, 20), ("y", F, 21, 21), ("z", F, 22, 22)]},
        [
            ("a.py:f", "CALLS", "a.py:x", 8, 1),
            ("a.py:f", "CALLS", "a.py:y", 3, 10),
            ("a.py:f", "CALLS", "a.py:z", 3, 9),
            ("a.py:f", "CALLS", "a.py:x", 2, 1),
        ],
    )
    assert graph_lines(dependencies_of(graph, "a.py", "f").text) == [
        "f --CALLS--> x",
        "f --CALLS--> z",
        "f --CALLS--> y",
    ]


def test_then_by_path_and_position_of_the_target(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"m.py": [("f", F, 1, 9)], "b.py": [("one", F, 1, 1)], "a.py": [("two", F, 9, 9), ("three", F, 4, 4)]},
        [
            ("m.py:f", "CALLS", "b.py:one", 2, 5, "dispatch"),
            ("m.py:f", "CALLS", "a.py:two", 2, 5, "dispatch"),
            ("m.py:f", "CALLS", "a.py:three", 2, 5, "dispatch"),
        ],
    )
    assert graph_lines(dependencies_of(graph, "m.py", "f").text) == [
        "f --CALLS--> three",
        "f --CALLS--> two",
        "f --CALLS--> one",
    ]


def test_linear_chains_stand_on_one_line(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B B>C C>D")
    assert graph_lines(dependencies_of(graph, "a.py", "A").text) == ["A --CALLS--> B --CALLS--> C --CALLS--> D"]


def test_the_contracts_example_of_branches_of_branches(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B A>C B>D B>F C>D D>G D>H")
    assert graph_lines(dependencies_of(graph, "a.py", "A").text) == [
        "A --CALLS--> B --CALLS--> D --CALLS--> G",
        "A --CALLS--> C --CALLS--> D --CALLS--> H",
        "B --CALLS--> F",
    ]


def test_starts_are_the_nodes_that_are_nobodys_target_in_edge_order(tmp_path: Path) -> None:
    graph = letters(tmp_path, "C>D A>D B>A", "ABCD")
    assert graph_lines(dependents_of(graph, "a.py", "D").text) == ["B --CALLS--> A --CALLS--> D", "C --CALLS--> D"]


def test_self_loops_do_not_count_for_starts(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>A A>B B>B")
    assert graph_lines(dependencies_of(graph, "a.py", "A").text) == ["A --CALLS--> A --CALLS--> B --CALLS--> B"]


def test_where_no_start_is_left_it_is_the_source_of_the_first_edge_not_yet_printed(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B B>C C>A", "ABC")
    assert graph_lines(dependencies_of(graph, "a.py", "C").text) == ["A --CALLS--> B --CALLS--> C --CALLS--> A"]


def test_a_cycle_behind_a_start_is_printed_on_the_starts_lines(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B B>C C>B C>D")
    assert graph_lines(dependencies_of(graph, "a.py", "A").text) == [
        "A --CALLS--> B --CALLS--> C --CALLS--> B",
        "C --CALLS--> D",
    ]


def test_two_cycles_that_only_share_their_target_are_two_starts(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B B>A B>E C>D D>C D>E", "ABCDE")
    assert graph_lines(dependents_of(graph, "a.py", "E").text) == [
        "A --CALLS--> B --CALLS--> A",
        "B --CALLS--> E",
        "C --CALLS--> D --CALLS--> C",
        "D --CALLS--> E",
    ]


def test_queueing_reserves_nothing(tmp_path: Path) -> None:
    # C>D waits in the queue after the first line, and the second line, which begins earlier in the queue, takes it.
    graph = letters(tmp_path, "A>B A>C B>E C>D C>E", "ABCDE")
    assert graph_lines(dependencies_of(graph, "a.py", "A").text) == [
        "A --CALLS--> B --CALLS--> E",
        "A --CALLS--> C --CALLS--> D",
        "C --CALLS--> E",
    ]
    graph = letters(tmp_path, "A>B B>C C>D B>D C>B", "ABCD")
    assert graph_lines(dependencies_of(graph, "a.py", "A").text) == [
        "A --CALLS--> B --CALLS--> C --CALLS--> D",
        "B --CALLS--> D",
        "C --CALLS--> B",
    ]
    graph = letters(tmp_path, "A>B B>C B>D D>C C>A C>B", "ABCD")
    assert graph_lines(dependencies_of(graph, "a.py", "A").text) == [
        "A --CALLS--> B --CALLS--> C --CALLS--> A",
        "B --CALLS--> D --CALLS--> C --CALLS--> B",
    ]


def test_a_line_queues_its_own_left_overs_behind_what_waits_already(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B A>C A>D C>E C>F", "ABCDEF")
    assert graph_lines(dependencies_of(graph, "a.py", "A").text) == [
        "A --CALLS--> B",
        "A --CALLS--> C --CALLS--> E",
        "A --CALLS--> D",
        "C --CALLS--> F",
    ]


def test_the_queue_is_emptied_after_each_start(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>T A>C C>T B>T", "ABCT")
    assert graph_lines(dependents_of(graph, "a.py", "T").text) == [
        "A --CALLS--> T",
        "A --CALLS--> C --CALLS--> T",
        "B --CALLS--> T",
    ]


def test_a_diamond_repeats_its_nodes_and_prints_every_edge_exactly_once(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B A>C B>D C>D")
    answer = dependencies_of(graph, "a.py", "A")
    assert graph_lines(answer.text) == ["A --CALLS--> B --CALLS--> D", "A --CALLS--> C --CALLS--> D"]
    assert node_names(answer.text) == ["B", "D", "C"]


def test_kinds_may_change_along_a_chain(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A=B B>C")
    assert graph_lines(dependencies_of(graph, "a.py", "A").text) == ["A --REFERENCES--> B --CALLS--> C"]


def test_two_nodes_with_one_display_name_both_get_a_number_by_first_appearance(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.ts": [("formatDate", F, 1, 2)], "b.ts": [("formatDate", F, 1, 2)], "m.ts": [("main", F, 1, 4)]},
        [("m.ts:main", "CALLS", "b.ts:formatDate", 2, 1), ("m.ts:main", "CALLS", "a.ts:formatDate", 3, 1)],
    )
    answer = dependencies_of(graph, "m.ts", "main")
    assert graph_lines(answer.text) == ["main --CALLS--> formatDate#1", "main --CALLS--> formatDate#2"]
    assert "formatDate#1:\n  file: b.ts\n" in answer.text
    assert "formatDate#2:\n  file: a.ts\n" in answer.text


def test_what_was_asked_for_is_numbered_too(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.ts": [("run", F, 1, 2)], "b.ts": [("run", F, 1, 2)]},
        [("a.ts:run", "CALLS", "b.ts:run", 2, 1)],
    )
    answer = dependents_of(graph, "b.ts", "run")
    assert graph_lines(answer.text) == ["run#1 --CALLS--> run#2"]
    assert node_names(answer.text) == ["run#1"]


def test_a_methods_display_name_is_class_and_method(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {
            "a.py": [
                ("Outer", Kind.Class, 1, 9),
                ("Outer.Inner", Kind.Class, 2, 8),
                ("Outer.Inner.go", Kind.Method, 3, 4),
                ("f", F, 11, 14),
                ("f.nested", F, 12, 13),
                ("Color", Kind.Enum, 20, 22),
                ("Color.RED", Kind.EnumMember, 21, 21),
                ("api", Kind.Constant, 30, 33),
                ("api.get", F, 31, 32),
            ]
        },
        [
            ("a.py:f", "CALLS", "a.py:Outer.Inner.go", 14, 1),
            ("a.py:f", "CALLS", "a.py:f.nested", 14, 2),
            ("a.py:f", "REFERENCES", "a.py:Color.RED", 14, 3),
            ("a.py:f", "CALLS", "a.py:api.get", 14, 4),
        ],
    )
    assert graph_lines(dependencies_of(graph, "a.py", "f").text) == [
        "f --CALLS--> Inner.go",
        "f --CALLS--> nested",
        "f --CALLS--> api.get",
        "f --REFERENCES--> Color.RED",
    ]
