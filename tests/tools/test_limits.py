"""What happens to answers that would be too large: each test is named after the sentence it holds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from codegps.errors import ToolError
from codegps.model.kinds import Kind
from codegps.query.find import Place
from codegps.query.graph import Graph
from codegps.tools.dependencies_of import dependencies_of
from codegps.tools.dependents_of import dependents_of
from codegps.tools.paths_between import paths_between
from tests.stores.graphs import EdgeLine, EdgeTuple, SymbolLine, SymbolTuple
from tests.tools.projects import graph_lines, node_names, project

F = Kind.Function


def fan(root: Path, count: int, name: str = "n") -> Graph:
    """`entry` calls `n0` to `n<count-1>`, in that order."""
    rows: list[SymbolTuple | SymbolLine] = [("entry", F, 1, 2)]
    rows += [(f"{name}{n}", F, n + 3, n + 3) for n in range(count)]
    edges: list[EdgeTuple | EdgeLine] = [("a.py:entry", "CALLS", f"a.py:{name}{n}", 2, n + 1) for n in range(count)]
    return project(root, {"a.py": rows}, edges)


def chain(root: Path, count: int) -> Graph:
    """`n0` calls `n1`, which calls `n2`, and so on."""
    rows: list[SymbolTuple | SymbolLine] = [(f"n{n}", F, n + 1, n + 1) for n in range(count)]
    edges: list[EdgeTuple | EdgeLine] = [(f"a.py:n{n}", "CALLS", f"a.py:n{n + 1}", n + 1, 1) for n in range(count - 1)]
    return project(root, {"a.py": rows}, edges)


def test_15_nodes_have_snippets_and_no_note(tmp_path: Path) -> None:
    text = dependencies_of(fan(tmp_path, 15), "a.py", "entry").text
    assert text.count("  snippet:\n") == 15
    assert text.endswith("n14:\n  file: a.py\n  offset: 17, limit: 1\n  snippet:\n    17: line 17\n")


def test_more_than_15_nodes_have_no_snippets_and_a_last_paragraph_says_so(tmp_path: Path) -> None:
    text = dependencies_of(fan(tmp_path, 16), "a.py", "entry").text
    assert "snippet:" not in text
    assert text.endswith(
        "n14:\n  file: a.py\n  offset: 17, limit: 1\n\nn15:\n  file: a.py\n  offset: 18, limit: 1\n\n"
        "Note: Snippets omitted (16 nodes). Use Read tool with offset/limit shown above.\n"
    )


def test_50_nodes_are_not_truncated(tmp_path: Path) -> None:
    answer = dependencies_of(fan(tmp_path, 50), "a.py", "entry")
    assert len(node_names(answer.text)) == 50
    assert answer.text.endswith("Note: Snippets omitted (50 nodes). Use Read tool with offset/limit shown above.\n")
    assert answer.note == "Found: 50 symbols and 50 edges, all shown."


def test_more_nodes_than_max_nodes_keep_the_nearest_and_the_only_note_has_the_number_in_force(tmp_path: Path) -> None:
    answer = dependencies_of(fan(tmp_path, 51), "a.py", "entry")
    assert node_names(answer.text) == [f"n{n}" for n in range(50)]
    assert graph_lines(answer.text) == [f"entry --CALLS--> n{n}" for n in range(50)]
    assert answer.text.endswith(
        "limit: 1\n\nNote: Results truncated to 50 nodes. Refine query with more specific symbol.\n"
    )
    assert answer.text.count("Note: ") == 1
    assert answer.note == (
        "Shown: the nearest 50 of 51 symbols. Give max_depth=1 for the immediate ones only or max_nodes for more "
        "(at most 500)."
    )


def test_a_truncated_answer_of_up_to_15_nodes_has_snippets(tmp_path: Path) -> None:
    answer = dependencies_of(fan(tmp_path, 4), "a.py", "entry", max_nodes=2)
    assert answer.text == (
        "## Graph\n\nentry --CALLS--> n0\nentry --CALLS--> n1\n\n## Nodes\n\n"
        "n0:\n  file: a.py\n  offset: 3, limit: 1\n  snippet:\n    3: line 3\n\n"
        "n1:\n  file: a.py\n  offset: 4, limit: 1\n  snippet:\n    4: line 4\n\n"
        "Note: Results truncated to 2 nodes. Refine query with more specific symbol.\n"
    )


def test_nearest_is_breadth_first_from_the_queried_symbol(tmp_path: Path) -> None:
    rows: list[SymbolTuple | SymbolLine] = [(n, F, i + 1, i + 1) for i, n in enumerate(["a", "deep", "b", "c", "d"])]
    graph = project(
        tmp_path,
        {"a.py": rows},
        [
            ("a.py:a", "CALLS", "a.py:b", 1, 1),
            ("a.py:b", "CALLS", "a.py:deep", 3, 1),
            ("a.py:a", "CALLS", "a.py:c", 1, 2),
            ("a.py:a", "REFERENCES", "a.py:d", 1, 3),
        ],
    )
    answer = dependencies_of(graph, "a.py", "a", max_nodes=3)
    assert graph_lines(answer.text) == ["a --CALLS--> b", "a --CALLS--> c", "a --REFERENCES--> d"]
    answer = dependents_of(graph, "a.py", "deep", max_nodes=1)
    assert graph_lines(answer.text) == ["b --CALLS--> deep"]


def test_ties_among_the_nearest_are_in_edge_order(tmp_path: Path) -> None:
    callers = [(f"{path}.py", f"u{n}") for path in "cab" for n in (2, 1)]
    rows: dict[str, list[SymbolTuple | SymbolLine]] = {"t.py": [("t", F, 1, 1)]}
    for path, name in callers:
        rows.setdefault(path, []).append((name, F, int(name[1]), int(name[1])))
    edges: list[EdgeTuple | EdgeLine] = [
        (f"{path}:{name}", "CALLS" if path != "a.py" else "REFERENCES", "t.py:t", int(name[1]), 1)
        for path, name in callers
    ]
    answer = dependents_of(project(tmp_path, rows, edges), "t.py", "t", max_nodes=5)
    assert graph_lines(answer.text) == [
        "u1#1 --CALLS--> t", "u2#1 --CALLS--> t", "u1#2 --CALLS--> t", "u2#2 --CALLS--> t", "u1#3 --REFERENCES--> t",
    ]  # fmt: skip
    assert [line for line in answer.text.split("\n") if "file:" in line] == [
        "  file: b.py", "  file: b.py", "  file: c.py", "  file: c.py", "  file: a.py",
    ]  # fmt: skip


def test_a_hub_is_narrowed_by_file_and_keeps_the_same_nearest(tmp_path: Path) -> None:
    numbers = list(range(900))
    random.Random(7).shuffle(numbers)
    rows: dict[str, list[SymbolTuple | SymbolLine]] = {"t.py": [("t", F, 1, 1)]}
    edges: list[EdgeTuple | EdgeLine] = []
    for n in numbers:
        rows.setdefault(f"f{n % 30:02}.py", []).append((f"u{n:03}", F, n + 1, n + 1))
        edges.append((f"f{n % 30:02}.py:u{n:03}", "CALLS", "t.py:t", n + 1, 1))
    answer = dependents_of(project(tmp_path, rows, edges), "t.py", "t")
    # Thirty symbols a file; file f00 holds those divisible by 30.
    expected = [f"u{n:03}" for n in range(0, 900, 30)] + [f"u{n:03}" for n in range(1, 900, 30)][:20]
    assert graph_lines(answer.text) == [f"{name} --CALLS--> t" for name in expected]
    assert answer.note.startswith("Shown: the nearest 50 of 900 symbols.")


def test_truncated_answers_show_at_most_200_edges_and_no_symbol_hangs_in_the_air(tmp_path: Path) -> None:
    count = 40
    rows: list[SymbolTuple | SymbolLine] = [("entry", F, 1, 1), *((f"n{n:02}", F, n + 2, n + 2) for n in range(count))]
    edges: list[EdgeTuple | EdgeLine] = [
        (f"a.py:n{a:02}", "CALLS", f"a.py:n{b:02}", a + 2, b + 1) for a in range(count) for b in range(count) if a != b
    ]
    edges += [("a.py:entry", "REFERENCES", f"a.py:n{n:02}", 1, n + 1) for n in range(count)]
    answer = dependencies_of(project(tmp_path, {"a.py": rows}, edges), "a.py", "entry", max_nodes=30)
    assert answer.text.count(" --") == 200
    assert sorted(node_names(answer.text)) == [f"n{n:02}" for n in range(30)]
    assert [answer.text.count(f"entry --REFERENCES--> n{n:02}") for n in range(30)] == [1] * 30
    assert answer.note == (
        "Shown: the nearest 30 of 40 symbols. 200 of the 900 edges between them are drawn. "
        "Give max_depth=1 for the immediate ones only or max_nodes for more (at most 500)."
    )
    whole = dependencies_of(project(tmp_path, {"a.py": rows}, edges), "a.py", "entry")
    assert whole.text.count(" --") == 40 * 39 + 40


def test_with_more_symbols_than_edges_may_be_drawn_the_others_are_listed_all_the_same(tmp_path: Path) -> None:
    answer = dependencies_of(fan(tmp_path, 400), "a.py", "entry", max_nodes=300)
    assert answer.text.count(" --CALLS--> ") == 200
    assert node_names(answer.text) == [f"n{n}" for n in range(300)]
    assert answer.text.endswith("Note: Results truncated to 300 nodes. Refine query with more specific symbol.\n")


def test_the_second_block_gives_the_totals_up_to_10000(tmp_path: Path) -> None:
    exactly = dependencies_of(fan(tmp_path / "a", 10_000), "a.py", "entry")
    assert exactly.note.startswith("Shown: the nearest 50 of 10,000 symbols.")
    more = dependencies_of(fan(tmp_path / "b", 10_001), "a.py", "entry")
    assert more.note.startswith("Shown: the nearest 50 of more than 10,000 symbols.")


def test_counting_goes_on_behind_what_is_shown(tmp_path: Path) -> None:
    assert dependencies_of(chain(tmp_path, 120), "a.py", "n0").note.startswith("Shown: the nearest 50 of 119 symbols.")
    assert dependencies_of(chain(tmp_path, 120), "a.py", "n0", max_depth=70).note.startswith(
        "Shown: the nearest 50 of 70 symbols."
    )


@pytest.mark.parametrize(
    ("max_nodes", "used", "note"),
    [
        (0, 1, "max_nodes must be from 1 to 500; 1 was used."),
        (-7, 1, "max_nodes must be from 1 to 500; 1 was used."),
        (10**9, 500, "max_nodes must be from 1 to 500; 500 was used."),
    ],
)
def test_a_number_out_of_range_is_clamped_and_the_answer_says_what_was_used(
    tmp_path: Path, max_nodes: int, used: int, note: str
) -> None:
    graph = fan(tmp_path, 600)
    answer = dependencies_of(graph, "a.py", "entry", max_nodes=max_nodes)
    assert len(node_names(answer.text)) == used
    assert answer.note.split("\n")[0] == note
    assert dependents_of(graph, "a.py", "n0", max_nodes=max_nodes).note.startswith(note)
    path = paths_between(graph, Place("a.py", "n0"), Place("a.py", "entry"), max_nodes=max_nodes)
    assert path.note.startswith(note)


def test_max_depth_below_1_is_1(tmp_path: Path) -> None:
    answer = dependencies_of(chain(tmp_path, 3), "a.py", "n0", max_depth=0)
    assert graph_lines(answer.text) == ["n0 --CALLS--> n1"]
    assert answer.note.startswith("max_depth must be from 1 to 10,000; 1 was used.")


@pytest.mark.parametrize("value", ["5", 2.5, True, [1]])
def test_a_number_of_another_type_is_refused(tmp_path: Path, value: object) -> None:
    with pytest.raises(ToolError, match=r"`max_nodes` must be a whole number, not \w+\."):
        dependencies_of(chain(tmp_path, 3), "a.py", "n0", max_nodes=value)  # pyright: ignore[reportArgumentType]


def test_no_answer_is_over_80000_characters_snippets_go_first(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.js": [("entry", F, 1, 1), ("g", F, 2, 3)]},
        [("a.js:entry", "CALLS", "a.js:g", 1, 1)],
        sources={"a.js": "g()\n" + "x" * 90_000 + "\ny\n"},
    )
    answer = dependencies_of(graph, "a.js", "entry")
    assert answer.text == (
        "## Graph\n\nentry --CALLS--> g\n\n## Nodes\n\ng:\n  file: a.js\n  offset: 2, limit: 2\n\n"
        "Note: Snippets omitted (1 nodes). Use Read tool with offset/limit shown above.\n"
    )
    assert answer.note == (
        "Found: 1 symbol and 1 edge, all shown. With snippets it would be longer than 80,000 characters."
    )


def test_then_the_farthest_nodes_go(tmp_path: Path) -> None:
    answer = dependencies_of(fan(tmp_path, 490, "x" * 240), "a.py", "entry", max_nodes=500)
    assert len(answer.text) <= 80_000
    kept = node_names(answer.text)
    assert kept == [f"{'x' * 240}{n}" for n in range(len(kept))]
    assert 100 < len(kept) < 490
    assert answer.text.endswith(
        f"Note: Results truncated to {len(kept)} nodes. Refine query with more specific symbol.\n"
    )
    assert answer.note.startswith(f"Shown: the nearest {len(kept)} of 490 symbols.")


def test_a_path_longer_than_max_nodes_keeps_what_is_nearest_to_its_source(tmp_path: Path) -> None:
    answer = paths_between(chain(tmp_path, 60), Place("a.py", "n0"), Place("a.py", "n59"), max_nodes=3)
    assert graph_lines(answer.text) == ["n0 --CALLS--> n1 --CALLS--> n2 --CALLS--> n3"]
    assert node_names(answer.text) == ["n1", "n2", "n3"]
    assert answer.text.endswith("Note: Results truncated to 3 nodes. Refine query with more specific symbol.\n")
    assert answer.note.startswith("A shortest path: 59 steps. Shown: the nearest 3 of 58 symbols.")
