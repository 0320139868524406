"""What answers add to the contract's text, and that they add nothing where there is nothing to say."""

from __future__ import annotations

from pathlib import Path

from codegps.model.kinds import Flag, Kind
from codegps.tool import Answer
from codegps.tools.dependencies_of import dependencies_of
from codegps.tools.dependents_of import dependents_of
from tests.stores.graphs import ReferenceLine, ReferenceTuple, symbol
from tests.tools.projects import letters, project

F = Kind.Function


def test_an_empty_answer_has_no_second_block_where_there_is_nothing_to_say(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B")
    assert dependencies_of(graph, "a.py", "B") == Answer("No dependencies found.")
    assert dependents_of(graph, "a.py", "A") == Answer("No dependents found.")


def test_dependencies_count_the_unresolved_uses_of_the_symbols_in_the_result_and_give_the_first_places(
    tmp_path: Path,
) -> None:
    references: list[ReferenceTuple | ReferenceLine] = [
        ("a.py:f", "CALLS", "x.save", 2, 5),
        ("a.py:g", "CALLS", "y.load", 5, 5),
        ("a.py:g", "REFERENCES", "callback", 6, 5),
        ("a.py:g", "CALLS", "z", 6, 9),
        ("a.py:g", "USES_TYPE", "T", 6, 9),
        ("a.py:g", "CALLS", "json.dumps", 6, 20, "external", "json.dumps"),
        ("a.py:h", "CALLS", "elsewhere", 9, 1),
    ]
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 3), ("g", F, 4, 6), ("h", F, 8, 9)]},
        [("a.py:f", "CALLS", "a.py:g", 3, 5)],
        references,
    )
    assert dependencies_of(graph, "a.py", "f").note == (
        "Found: 1 symbol and 1 edge, all shown.\n"
        "4 uses in these symbols could not be resolved, so dependencies may be missing: "
        "x.save (a.py:2), y.load (a.py:5), callback (a.py:6) and 1 more."
    )


def test_no_dependencies_tells_what_is_used_of_external_code(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 3)]},
        references=[
            ("a.py:f", "CALLS", "dumps", 2, 5, "external", "json.dumps"),
            ("a.py:f", "CALLS", "path.join", 2, 9, "external", "os.path.join"),
            ("a.py:f", "CALLS", "x.go", 3, 9),
        ],
    )
    assert dependencies_of(graph, "a.py", "f") == Answer(
        "No dependencies found.",
        "1 use in it could not be resolved, so dependencies may be missing: x.go (a.py:3).\n"
        "2 uses of external code, which is not in the graph: json, os.",
    )


def test_dependents_count_the_unresolved_uses_that_have_it_among_their_candidates(tmp_path: Path) -> None:
    saves = [f"a.py:C{n}.save" for n in range(6)]
    graph = project(
        tmp_path,
        {"a.py": [(name.removeprefix("a.py:"), Kind.Method, n + 1, n + 1) for n, name in enumerate(saves)],
         "b.py": [("f", F, 1, 9), ("other", F, 10, 11)]},
        references=[
            ("b.py:f", "CALLS", "x.save", 2, 5, "unknown", "", [saves[0], saves[1]]),
            ("b.py:f", "CALLS", "y.save", 3, 5, "unknown", "", [saves[1]]),
            ("b.py:f", "CALLS", "z.save", 4, 5, "unknown", "", saves[:5]),
            ("b.py:f", "CALLS", "w.save", 5, 5, "external", "lib"),
            ("b.py:f", "CALLS", "w.saved", 6, 5),
        ],
    )  # fmt: skip
    assert dependents_of(graph, "a.py", "C0.save") == Answer(
        "No dependents found.",
        "2 uses of that name could not be resolved, so dependents may be missing: x.save (b.py:2), z.save (b.py:4).",
    )
    # Five candidates may be a part of more.
    assert dependents_of(graph, "a.py", "C5.save").note == (
        "1 use of that name could not be resolved, so dependents may be missing: z.save (b.py:4)."
    )


def test_no_dependents_says_where_the_user_may_be(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {
            "a.py": [
                symbol("test_f", F, 1, 2, flags=Flag.TEST),
                symbol("api", F, 3, 4, flags=Flag.EXPORTED),
                symbol("stub", F, 5, 5, flags=Flag.DECLARATION),
            ]
        },
    )
    assert dependents_of(graph, "a.py", "test_f").note == "It is a test: the test runner calls it."
    assert dependents_of(graph, "a.py", "api").note == "It is exported: uses outside this project are not seen."
    assert dependencies_of(graph, "a.py", "stub").note == "It is a declaration without a body."


def test_dispatch_and_inferred_edges_are_named_five_of_each(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("f", F, 1, 2), *((f"d{n}", F, n + 3, n + 3) for n in range(7)), ("r", F, 20, 20)]},
        [
            *(("a.py:f", "CALLS", f"a.py:d{n}", 2, n + 1, "dispatch") for n in range(7)),
            ("a.py:f", "CALLS", "a.py:r", 2, 30, "inferred", 1, "return"),
        ],
    )
    assert dependencies_of(graph, "a.py", "f").note == (
        "Found: 8 symbols and 8 edges, all shown.\n"
        "Dispatch, one of several possible targets: f --CALLS--> d0; f --CALLS--> d1; f --CALLS--> d2; "
        "f --CALLS--> d3; f --CALLS--> d4 and 2 more.\n"
        "Inferred, by following a value: f --CALLS--> r (1 hop, return)."
    )


def test_many_methods_are_cut(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.py": [("C", Kind.Class, 1, 40), *((f"C.m{n:02}", Kind.Method, n + 2, n + 2) for n in range(15))]},
    )
    assert dependents_of(graph, "a.py", "C").note == (
        "Methods are symbols of their own: " + ", ".join(f"C.m{n:02}" for n in range(12)) + " and 3 more."
    )
