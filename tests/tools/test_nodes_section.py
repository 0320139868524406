"""The Nodes section, its snippets and its limits: each test is named after the sentence it holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegps.model.kinds import Kind
from codegps.query.find import Place
from codegps.tools.dependencies_of import dependencies_of
from codegps.tools.paths_between import paths_between
from tests.stores.graphs import EdgeLine, EdgeTuple, SymbolLine, SymbolTuple, edge, symbol
from tests.tools.projects import letters, node_names, project

F = Kind.Function


def block(text: str, name: str) -> str:
    """One node's paragraph."""
    return next(part for part in text.rstrip("\n").split("\n\n") if part.startswith(f"{name}:\n"))


def numbered(*ranges: tuple[int, int]) -> str:
    """Snippet lines of a file whose lines read `line N`."""
    return "\n".join(f"    {n}: line {n}" for first, last in ranges for n in range(first, last + 1))


def test_nodes_stand_in_the_order_in_which_the_graph_section_prints_them_without_the_queried_ones(
    tmp_path: Path,
) -> None:
    graph = letters(tmp_path, "A>B A>C B>D C>D D>A")
    assert node_names(dependencies_of(graph, "a.py", "A").text) == ["B", "D", "C"]
    assert node_names(paths_between(graph, Place("a.py", "A"), Place("a.py", "D")).text) == ["B"]


def test_a_direct_path_is_the_graph_section_alone_with_no_trailing_newline(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B")
    answer = paths_between(graph, Place("a.py", "A"), Place("a.py", "B"))
    assert answer.text == "## Graph\n\nA --CALLS--> B"


def test_with_a_nodes_section_the_answer_ends_in_one_newline_and_one_blank_line_stands_between_nodes(
    tmp_path: Path,
) -> None:
    graph = letters(tmp_path, "A>B B>C")
    assert dependencies_of(graph, "a.py", "A").text == (
        "## Graph\n"
        "\n"
        "A --CALLS--> B --CALLS--> C\n"
        "\n"
        "## Nodes\n"
        "\n"
        "B:\n"
        "  file: a.py\n"
        "  offset: 4, limit: 3\n"
        "  snippet:\n"
        "    4: line 4\n"
        "    5: line 5\n"
        "    6: line 6\n"
        "\n"
        "C:\n"
        "  file: a.py\n"
        "  offset: 7, limit: 3\n"
        "  snippet:\n"
        "    7: line 7\n"
        "    8: line 8\n"
        "    9: line 9\n"
    )


def test_the_seeds_own_example(tmp_path: Path) -> None:
    sources = {
        "src/entry.ts": 'import { step02 } from "./step02";\n\nexport function entry() {\n  return step02();\n}\n',
        "src/step02.ts": 'import { step03 } from "./step03";\n\n'
        'export function step02(): string {\n  return step03() + "-02";\n}\n',
        "src/step03.ts": 'export function step03(): string {\n  return "03";\n}\n',
    }
    graph = project(
        tmp_path,
        {"src/entry.ts": [("entry", F, 3, 5)], "src/step02.ts": [("step02", F, 3, 5)],
         "src/step03.ts": [("step03", F, 1, 3)]},
        [("src/entry.ts:entry", "CALLS", "src/step02.ts:step02", 4, 10),
         ("src/step02.ts:step02", "CALLS", "src/step03.ts:step03", 4, 10)],
        sources=sources,
    )  # fmt: skip
    assert (
        dependencies_of(graph, "src/entry.ts", "entry").text
        == """\
## Graph

entry --CALLS--> step02 --CALLS--> step03

## Nodes

step02:
  file: src/step02.ts
  offset: 3, limit: 3
  snippet:
    3: export function step02(): string {
    4:   return step03() + "-02";
    5: }

step03:
  file: src/step03.ts
  offset: 1, limit: 3
  snippet:
    1: export function step03(): string {
    2:   return "03";
    3: }
"""
    )


def long_node(
    root: Path, sites: list[int], start: int = 30, end: int = 70, leaves: int = 1, kind: str = "CALLS"
) -> str:
    """The paragraph of a long function `long` with these call sites, beside so many other nodes."""
    rows: list[SymbolTuple | SymbolLine] = [("entry", F, 1, 2), ("long", F, start, end)]
    edges: list[EdgeTuple | EdgeLine] = [("a.py:entry", "CALLS", "a.py:long", 2, 5)]
    for number in range(leaves):
        rows.append((f"leaf{number}", F, 80 + number, 80 + number))
        edges.append(("a.py:long", "REFERENCES", f"a.py:leaf{number}", end, 60 + number))
    for line in sites:
        edges.append(("a.py:long", kind, "a.py:leaf0", line, 9))
    return block(dependencies_of(project(root, {"a.py": rows}, edges), "a.py", "entry").text, "long")


HEAD = "long:\n  file: a.py\n  offset: 30, limit: 41\n  snippet:\n"


def test_a_node_with_no_call_site_in_the_result_shows_its_first_lines(tmp_path: Path) -> None:
    assert long_node(tmp_path, []) == HEAD + numbered((30, 39))


def test_its_first_lines_are_clipped_to_the_node(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B")
    assert block(dependencies_of(graph, "a.py", "A").text, "B").endswith("snippet:\n" + numbered((4, 6)))


def test_a_node_with_call_sites_and_at_most_twice_the_context_is_shown_whole(tmp_path: Path) -> None:
    text = long_node(tmp_path, [35], 30, 49)
    assert text == "long:\n  file: a.py\n  offset: 30, limit: 20\n  snippet:\n" + numbered((30, 49))


def test_a_longer_one_shows_context_each_side_of_every_call_site(tmp_path: Path) -> None:
    assert long_node(tmp_path, [50], 30, 70) == HEAD + numbered((40, 60))
    assert long_node(tmp_path / "longer", [45], 30, 50) == (
        "long:\n  file: a.py\n  offset: 30, limit: 21\n  snippet:\n" + numbered((35, 55))
    )


def test_includes_have_call_sites_and_other_kinds_have_none(tmp_path: Path) -> None:
    assert long_node(tmp_path / "a", [50], kind="INCLUDES") == HEAD + numbered((40, 60))
    assert long_node(tmp_path / "b", [50], kind="EXTENDS") == HEAD + numbered((30, 39))


def test_context_is_clipped_to_the_file_not_to_the_node(tmp_path: Path) -> None:
    assert long_node(tmp_path / "a", [31]) == HEAD + numbered((21, 41))
    assert long_node(tmp_path / "b", [6], 4, 44) == (
        "long:\n  file: a.py\n  offset: 4, limit: 41\n  snippet:\n" + numbered((1, 16))
    )
    assert long_node(tmp_path / "c", [97], 60, 100) == (
        "long:\n  file: a.py\n  offset: 60, limit: 41\n  snippet:\n" + numbered((87, 100))
    )


@pytest.mark.parametrize("gap", [0, 1, 2])
def test_a_gap_of_one_or_two_lines_is_filled(tmp_path: Path, gap: int) -> None:
    second = 32 + 21 + gap
    assert long_node(tmp_path, [32, second]) == HEAD + numbered((22, second + 10))


def test_a_larger_gap_between_them_says_how_many_lines_are_omitted(tmp_path: Path) -> None:
    assert long_node(tmp_path, [32, 56]) == (
        HEAD + numbered((22, 42)) + "\n    ... 3 lines omitted ...\n" + numbered((46, 66))
    )


def test_the_first_five_call_sites_get_context(tmp_path: Path) -> None:
    # 15 listed nodes: 5 lines each side.
    text = long_node(tmp_path, [12, 13, 14, 15, 30, 60], 10, 70, leaves=14)
    assert text == (
        "long:\n  file: a.py\n  offset: 10, limit: 61\n  snippet:\n"
        + numbered((7, 20))
        + "\n    ... 4 lines omitted ...\n"
        + numbered((25, 35))
    )


@pytest.mark.parametrize(
    ("listed", "context"), [(1, 10), (5, 10), (6, 9), (7, 9), (8, 8), (9, 8), (10, 7), (13, 6), (14, 5), (15, 5)]
)
def test_with_n_nodes_the_context_is_10_up_to_5_nodes_else_half_of_25_minus_n(
    tmp_path: Path, listed: int, context: int
) -> None:
    rows: list[SymbolTuple | SymbolLine] = [("entry", F, 1, 2)]
    rows += [(f"n{number}", F, 10 + number, 60 + number) for number in range(listed)]
    edges: list[EdgeTuple | EdgeLine] = [("a.py:entry", "CALLS", f"a.py:n{n}", 2, n + 1) for n in range(listed)]
    text = dependencies_of(project(tmp_path, {"a.py": rows}, edges), "a.py", "entry").text
    assert block(text, "n0").endswith("  snippet:\n" + numbered((10, 9 + context)))


def test_numbers_are_not_padded_blank_lines_stay_carriage_returns_are_dropped_and_tabs_kept(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {"a.js": [("f", F, 1, 1), ("g", F, 8, 12)]},
        [("a.js:f", "CALLS", "a.js:g", 1, 1)],
        sources={"a.js": "\ufefff()\r\n" + "\r\n" * 6 + "function g() {\r\n\treturn 1\r\n\r\n  // é\r\n}\r\n"},
    )
    assert block(dependencies_of(graph, "a.js", "f").text, "g") == (
        "g:\n  file: a.js\n  offset: 8, limit: 5\n  snippet:\n"
        "    8: function g() {\n    9: \treturn 1\n    10: \n    11:   // é\n    12: }"
    )


def test_a_call_in_a_constructor_elsewhere_is_no_call_site_of_the_class(tmp_path: Path) -> None:
    graph = project(
        tmp_path,
        {
            "c.h": [("C", Kind.Class, 10, 60)],
            "c.c": [symbol("C.C", Kind.Constructor, 5, 9, parent="", drawn=""), ("leaf", F, 20, 21)],
            "m.c": [("main", F, 1, 2)],
        },
        [
            ("m.c:main", "CALLS", "c.h:C", 2, 1),
            edge("c.c:C.C", "CALLS", "c.c:leaf", 7, 3, drawn_source="c.h:C"),
        ],
    )
    assert block(dependencies_of(graph, "m.c", "main").text, "C").endswith("  snippet:\n" + numbered((10, 19)))


def test_a_file_that_is_gone_or_has_shrunk_costs_its_snippet_only(tmp_path: Path) -> None:
    graph = letters(tmp_path, "A>B B>C")
    (tmp_path / "a.py").write_text("one\ntwo\nthree\nfour\nfive\n")
    assert dependencies_of(graph, "a.py", "A").text.endswith(
        "B:\n  file: a.py\n  offset: 4, limit: 3\n  snippet:\n    4: four\n    5: five\n\n"
        "C:\n  file: a.py\n  offset: 7, limit: 3\n  snippet:\n"
    )
    (tmp_path / "a.py").unlink()
    assert block(dependencies_of(graph, "a.py", "A").text, "B") == "B:\n  file: a.py\n  offset: 4, limit: 3\n  snippet:"


def test_a_link_that_leads_out_of_the_workspace_shows_nothing(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("password\n" * 9)
    root = tmp_path / "root"
    graph = letters(root, "A>B")
    (root / "a.py").unlink()
    try:
        (root / "a.py").symlink_to(tmp_path / "secret")
    except OSError:
        pytest.skip("no links on this system")
    with pytest.raises(Exception, match="outside the workspace"):
        dependencies_of(graph, "a.py", "A")
    (root / "b.py").write_text("x\n")
    two = project(
        root,
        {"b.py": [("f", F, 1, 1)], "c/d.py": [("g", F, 1, 3)]},
        [("b.py:f", "CALLS", "c/d.py:g", 1, 1)],
    )
    (root / "c" / "d.py").unlink()
    (root / "c" / "d.py").symlink_to(tmp_path / "secret")
    assert "password" not in dependencies_of(two, "b.py", "f").text
