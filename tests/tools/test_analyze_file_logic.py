"""`graphItLive_analyzeFileLogic`: the text, the JSON, and every sentence about what they hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from codegps.format.logic_json import MAX_CHARACTERS as JSON_MAX
from codegps.format.toon import MAX_CHARACTERS, escaped
from codegps.model.kinds import Flag, Kind
from codegps.query.graph import Graph
from codegps.serve.signature import schema
from codegps.stores.memory import MemoryStore
from codegps.tool import Answer
from codegps.tools.analyze_file_logic import analyze_file_logic
from tests.query.sites import Bodies, site_graphs
from tests.stores.graphs import EdgeLine, EdgeTuple, Files, ReferenceLine, ReferenceTuple, edge, fill, reference, symbol
from tests.tools.database import FILE, database, with_imports


def analyze(root: Path, external: bool = False) -> Answer:
    return analyze_file_logic(database(root), str(root / FILE), external)


def as_json(root: Path, external: bool = False) -> dict[str, Any]:
    return analyze_file_logic(database(root), str(root / FILE), external, "json").data


def small(
    root: Path,
    files: Files,
    bodies: Bodies | None = None,
    edges: list[EdgeTuple | EdgeLine] | None = None,
    references: list[ReferenceTuple | ReferenceLine] | None = None,
    imports: list[tuple[str, str]] | None = None,
) -> Graph:
    made = site_graphs(files, bodies or {}, edges or [], references or [])
    with_imports(made[0], imports or [])
    for path in files:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("")
    return Graph(root, fill(MemoryStore(), made))


class TestToon:
    def test_the_four_lines(self, tmp_path: Path) -> None:
        assert analyze(tmp_path).text.split("\n") == [
            "nodes:Variable:connection_string|Class:Database|Variable:Database.retries|Method:Database.__init__"
            "|Method:Database.query|Method:Database.process|Function:connect|Function:again|Variable:config",
            "edges:Database.query>Database.process:calls:15|Database.process>Database.query:calls:18"
            "|connect~connection_string:references:22|connect>Database.__init__:calls:23"
            "|connect>Database.query:calls:24|connect>again:calls:25|(module)~Database.retries:references:28"
            "|again>again:calls:29|(module)~connect:references:33|(module)>connect:calls:34",
            "cycles:Database.query>Database.process>Database.query|again>again",
            "external:",
        ]

    def test_external_calls_and_their_modules_on_request(self, tmp_path: Path) -> None:
        nodes, edges, cycles, external = analyze(tmp_path, external=True).text.split("\n")
        assert nodes.count("|") == 8
        assert external == "external:Pool:.pool|Logger.info:winston|drop:.pool|config:dotenv"
        assert edges.startswith("edges:Database.__init__>Pool:calls:12|")
        assert "|connect>Logger.info:calls:22|" in edges
        assert "|(module)>config:calls:32|" in edges
        assert cycles == "cycles:Database.query>Database.process>Database.query|again>again"

    def test_always_all_four_lines_empty_ones_too(self, tmp_path: Path) -> None:
        graph = small(tmp_path, {"empty.py": []})
        assert analyze_file_logic(graph, str(tmp_path / "empty.py")).text == "nodes:\nedges:\ncycles:\nexternal:"

    def test_no_structured_content(self, tmp_path: Path) -> None:
        assert analyze(tmp_path).data is None

    @pytest.mark.parametrize(
        ("name", "written"),
        [
            ("plain", "plain"),
            ("a|b", r"a\|b"),
            ("a:b", r"a\:b"),
            ("a>b", r"a\>b"),
            ("f~2", r"f\~2"),
            ("a\\b", r"a\\b"),
            ("a\nb", r"a\nb"),
            ("a\r\n|", r"a\r\n\|"),
        ],
    )
    def test_characters_with_a_meaning_are_written_with_a_backslash(self, name: str, written: str) -> None:
        assert escaped(name) == written

    def test_a_name_cannot_add_a_line_or_an_entry(self, tmp_path: Path) -> None:
        graph = small(tmp_path, {"a.js": [symbol("x|Function:y\ncycles:a>b>a", Kind.Function, 1, 2)]})
        text = analyze_file_logic(graph, str(tmp_path / "a.js")).text
        assert text == "nodes:Function:x\\|Function\\:y\\ncycles\\:a\\>b\\>a\nedges:\ncycles:\nexternal:"


class TestJson:
    def test_the_object(self, tmp_path: Path) -> None:
        found = as_json(tmp_path)
        assert list(found) == ["filePath", "lspProvider", "generatedAt", "isPartial", "nodes", "edges", "cycles"]
        assert found["filePath"] == (tmp_path / FILE).as_posix()
        assert found["lspProvider"] == "static"
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", found["generatedAt"])
        assert found["isPartial"] is False
        assert found["nodes"][1] == {
            "id": "database.py:Database",
            "name": "Database",
            "type": "class",
            "line": 8,
            "isExternal": False,
        }
        assert found["edges"][0] == {
            "source": "database.py:Database.query",
            "target": "database.py:Database.process",
            "relation": "calls",
            "line": 15,
            "isCycle": True,
        }
        assert found["cycles"] == [
            ["database.py:Database.query", "database.py:Database.process", "database.py:Database.query"],
            ["database.py:again", "database.py:again"],
        ]

    def test_the_text_is_the_json_of_the_object(self, tmp_path: Path) -> None:
        answer = analyze_file_logic(database(tmp_path), str(tmp_path / FILE), format="json")
        assert json.loads(answer.text) == answer.data

    def test_a_method_is_a_function(self, tmp_path: Path) -> None:
        types = {node["name"]: node["type"] for node in as_json(tmp_path)["nodes"]}
        assert types["Database.query"] == "function"
        assert types["Database.retries"] == "variable"

    def test_both_formats_name_the_same(self, tmp_path: Path) -> None:
        found = as_json(tmp_path / "a", external=True)
        text = analyze(tmp_path / "b", external=True).text
        nodes, edges, _, external = text.split("\n")
        inside = [node["name"] for node in found["nodes"] if not node["isExternal"]]
        assert [entry.split(":")[1] for entry in nodes.removeprefix("nodes:").split("|")] == inside
        assert external.count("|") + 1 == sum(node["isExternal"] for node in found["nodes"])
        assert edges.count("|") + 1 == len(found["edges"])

    def test_external_ids_are_module_and_name_at_line_0(self, tmp_path: Path) -> None:
        found = [node for node in as_json(tmp_path, external=True)["nodes"] if node["isExternal"]]
        assert found == [
            {"id": ".pool:Pool", "name": "Pool", "type": "class", "line": 0, "isExternal": True},
            {"id": "winston:Logger.info", "name": "Logger.info", "type": "function", "line": 0, "isExternal": True},
            {"id": ".pool:drop", "name": "drop", "type": "function", "line": 0, "isExternal": True},
            {"id": "dotenv:config", "name": "config", "type": "function", "line": 0, "isExternal": True},
        ]

    def test_top_level_code_is_the_source_module_and_no_node(self, tmp_path: Path) -> None:
        found = as_json(tmp_path)
        assert {
            "source": "(module)",
            "target": "database.py:connect",
            "relation": "calls",
            "line": 34,
            "isCycle": False,
        } in (found["edges"])
        assert not any("(module)" in node["id"] for node in found["nodes"])

    def test_an_edge_that_is_less_than_certain_says_so(self, tmp_path: Path) -> None:
        (found,) = [e for e in as_json(tmp_path)["edges"] if "proof" in e]
        assert (found["line"], found["proof"], found["hops"], found["via"]) == (18, "inferred", 2, "field")


class TestNodes:
    def test_kinds_count_as_the_contract_says(self, tmp_path: Path) -> None:
        kinds = [
            ("I", Kind.Interface, "Class"),
            ("S", Kind.Struct, "Class"),
            ("T", Kind.Trait, "Class"),
            ("E", Kind.Enum, "Class"),
            ("M", Kind.Macro, "Function"),
            ("K", Kind.Constant, "Variable"),
            ("E.ONE", Kind.EnumMember, "Variable"),
            ("I.run", Kind.Method, "Method"),
            ("A", Kind.TypeAlias, None),
            ("N", Kind.Namespace, None),
        ]
        symbols = [symbol(name, kind, line + 1, line + 1) for line, (name, kind, _) in enumerate(kinds)]
        graph = small(tmp_path, {"a.ts": symbols})
        nodes = analyze_file_logic(graph, str(tmp_path / "a.ts")).text.split("\n")[0]
        assert nodes == "nodes:" + "|".join(f"{label}:{name}" for name, _, label in kinds if label)

    def test_module_and_class_level_variables_alone(self, tmp_path: Path) -> None:
        names = ["top", "C", "C.field", "f", "f.local", "N", "N.inner"]
        kinds = [Kind.Variable, Kind.Class, Kind.Variable, Kind.Function, Kind.Variable, Kind.Namespace, Kind.Constant]
        symbols = [symbol(name, kind, n + 1, n + 1) for n, (name, kind) in enumerate(zip(names, kinds, strict=True))]
        graph = small(tmp_path, {"a.ts": symbols})
        nodes = analyze_file_logic(graph, str(tmp_path / "a.ts")).text.split("\n")[0]
        assert nodes == "nodes:Variable:top|Class:C|Variable:C.field|Function:f|Variable:N.inner"

    def test_a_property_with_a_body_is_a_method(self, tmp_path: Path) -> None:
        graph = small(
            tmp_path,
            {
                "a.py": [
                    symbol("C", Kind.Class, 1, 9),
                    symbol("C.x", Kind.Property, 2, 3),
                    symbol("C.y", Kind.Property, 5, 5),
                ]
            },
            {"a.py": {"C": [], "C.x": []}},
        )
        assert analyze_file_logic(graph, str(tmp_path / "a.py")).text.startswith(
            "nodes:Class:C|Method:C.x|Variable:C.y\n"
        )


class TestEdges:
    def test_one_edge_a_source_target_and_relation_at_its_first_line(self, tmp_path: Path) -> None:
        graph = small(
            tmp_path,
            {"a.py": [symbol("f", Kind.Function, 1, 9), symbol("g", Kind.Function, 11, 12)]},
            edges=[
                edge("a.py:f", "CALLS", "a.py:g", 7, 5),
                edge("a.py:f", "CALLS", "a.py:g", 3, 9, "inferred", 1, "return"),
                edge("a.py:f", "REFERENCES", "a.py:g", 5, 9),
            ],
        )
        found = analyze_file_logic(graph, str(tmp_path / "a.py"), format="json").data
        assert [(e["relation"], e["line"], e.get("proof")) for e in found["edges"]] == [
            ("calls", 3, None),
            ("references", 5, None),
        ]

    def test_anonymous_functions_are_folded_into_the_named_symbol_around_them(self, tmp_path: Path) -> None:
        graph = small(
            tmp_path,
            {
                "a.js": [
                    symbol("f", Kind.Function, 1, 9),
                    symbol("f.<anonymous1>", Kind.Function, 2, 8, flags=Flag.ANONYMOUS),
                    symbol("f.<anonymous1>.<anonymous1>", Kind.Function, 3, 7, flags=Flag.ANONYMOUS),
                    symbol("g", Kind.Function, 11, 12),
                    symbol("<anonymous1>", Kind.Function, 14, 20, flags=Flag.ANONYMOUS),
                ]
            },
            edges=[
                edge("a.js:f", "CALLS", "a.js:f.<anonymous1>", 8, 2),
                edge("a.js:f.<anonymous1>.<anonymous1>", "CALLS", "a.js:g", 4, 5),
                edge("a.js:<anonymous1>", "CALLS", "a.js:g", 15, 5),
                edge("a.js:g", "CALLS", "a.js:f.<anonymous1>", 12, 5, "inferred", 1, "return"),
            ],
        )
        edges = analyze_file_logic(graph, str(tmp_path / "a.js")).text.split("\n")[1]
        assert edges == "edges:f>g:calls:4|g>f:calls:12|(module)>g:calls:15"

    def test_a_class_whose_constructor_is_inherited_from_another_file_is_called_itself(self, tmp_path: Path) -> None:
        graph = small(
            tmp_path,
            {
                "a.py": [symbol("Sub", Kind.Class, 1, 2), symbol("f", Kind.Function, 4, 5)],
                "b.py": [symbol("Base", Kind.Class, 1, 9), symbol("Base.__init__", Kind.Constructor, 2, 3)],
            },
            edges=[edge("a.py:f", "CALLS", "b.py:Base.__init__", 5, 5, class_="a.py:Sub")],
        )
        assert analyze_file_logic(graph, str(tmp_path / "a.py")).text.split("\n")[1] == "edges:f>Sub:calls:5"

    def test_types_and_bases_are_neither_calls_nor_references(self, tmp_path: Path) -> None:
        graph = small(
            tmp_path,
            {"a.py": [symbol("A", Kind.Class, 1, 2), symbol("B", Kind.Class, 4, 5)]},
            edges=[edge("a.py:B", "EXTENDS", "a.py:A", 4, 9), edge("a.py:B", "USES_TYPE", "a.py:A", 5, 9)],
        )
        assert analyze_file_logic(graph, str(tmp_path / "a.py")).text.split("\n")[1] == "edges:"

    def test_a_jsx_element_names_its_component(self, tmp_path: Path) -> None:
        graph = small(
            tmp_path,
            {"a.tsx": [symbol("App", Kind.Function, 1, 3), symbol("Row", Kind.Function, 5, 6)]},
            edges=[edge("a.tsx:App", "INCLUDES", "a.tsx:Row", 2, 11)],
        )
        assert analyze_file_logic(graph, str(tmp_path / "a.tsx")).text.split("\n")[1] == "edges:App~Row:references:2"


class TestCycles:
    def test_each_elementary_cycle_once_from_its_first_defined_member_closed(self, tmp_path: Path) -> None:
        graph = small(
            tmp_path,
            {"a.py": [symbol(name, Kind.Function, n + 1, n + 1) for n, name in enumerate("abcd")]},
            edges=[
                edge("a.py:a", "CALLS", "a.py:b", 1, 5),
                edge("a.py:b", "CALLS", "a.py:c", 2, 5),
                edge("a.py:c", "CALLS", "a.py:b", 3, 5),
                edge("a.py:c", "CALLS", "a.py:d", 3, 9),
                edge("a.py:d", "CALLS", "a.py:b", 4, 5),
            ],
        )
        answer = analyze_file_logic(graph, str(tmp_path / "a.py"))
        assert answer.text.split("\n")[2] == "cycles:b>c>b|b>c>d>b"

    def test_is_cycle_marks_exactly_the_edges_inside_a_component(self, tmp_path: Path) -> None:
        marked = [(e["source"], e["target"]) for e in as_json(tmp_path)["edges"] if e["isCycle"]]
        assert marked == [
            ("database.py:Database.query", "database.py:Database.process"),
            ("database.py:Database.process", "database.py:Database.query"),
            ("database.py:again", "database.py:again"),
        ]

    def test_references_make_no_cycle(self, tmp_path: Path) -> None:
        graph = small(
            tmp_path,
            {"a.py": [symbol("f", Kind.Function, 1, 2), symbol("g", Kind.Function, 4, 5)]},
            edges=[edge("a.py:f", "CALLS", "a.py:g", 2, 5), edge("a.py:g", "REFERENCES", "a.py:f", 5, 5)],
        )
        found = analyze_file_logic(graph, str(tmp_path / "a.py"), format="json").data
        assert found["cycles"] == []
        assert [e["isCycle"] for e in found["edges"]] == [False, False]

    def test_at_most_50_and_a_cut_is_stated(self, tmp_path: Path) -> None:
        names = [f"f{n}" for n in range(8)]
        graph = small(
            tmp_path,
            {"a.py": [symbol(name, Kind.Function, n + 1, n + 1) for n, name in enumerate(names)]},
            edges=[
                edge(f"a.py:{a}", "CALLS", f"a.py:{b}", n + 1, k + 1)
                for n, a in enumerate(names)
                for k, b in enumerate(names)
            ],
        )
        answer = analyze_file_logic(graph, str(tmp_path / "a.py"))
        assert answer.text.split("\n")[2].count("|") == 49
        assert answer.note == "cycles: the first 50 are listed, there are more."


class TestExternals:
    def test_the_language_s_own_library_is_neither_a_file_nor_a_package(self, tmp_path: Path) -> None:
        answer = analyze(tmp_path, external=True)
        assert "print" not in answer.text
        assert "1 call of the language's own library left out." in answer.note

    def test_without_an_import_the_package_is_what_is_known(self, tmp_path: Path) -> None:
        graph = small(
            tmp_path,
            {"a.py": [symbol("f", Kind.Function, 1, 9)]},
            references=[
                reference("a.py:f", "CALLS", "execute", 2, 5, "external", "sqlite3.Cursor.execute"),
                reference("a.py:f", "CALLS", "fetch", 3, 5, "external", "aiohttp"),
            ],
        )
        text = analyze_file_logic(graph, str(tmp_path / "a.py"), True).text
        assert text.split("\n")[3] == "external:execute:sqlite3.Cursor|fetch:aiohttp"


class TestWhatTheAnswerAdds:
    def test_unresolved_calls_and_uncertain_edges(self, tmp_path: Path) -> None:
        assert analyze(tmp_path).note == (
            "1 edge is dispatch or inferred (up to 2 hops).\n1 call could not be resolved: mystery at line 33."
        )

    def test_nothing_to_say_is_an_empty_note(self, tmp_path: Path) -> None:
        graph = small(tmp_path, {"a.py": [symbol("f", Kind.Function, 1, 9)]})
        assert analyze_file_logic(graph, str(tmp_path / "a.py")).note == ""


class TestBounds:
    def big(self, root: Path, count: int) -> Graph:
        names = [f"a_function_{n:05d}" for n in range(count)]
        return small(
            root,
            {"big.py": [symbol(name, Kind.Function, 3 * n + 1, 3 * n + 2) for n, name in enumerate(names)]},
            edges=[
                edge(f"big.py:{name}", "CALLS", f"big.py:{names[(n + 1) % count]}", 3 * n + 2, 5)
                for n, name in enumerate(names)
            ],
        )

    def test_ten_thousand_functions_are_cut_and_counted(self, tmp_path: Path) -> None:
        answer = analyze_file_logic(self.big(tmp_path, 10_000), str(tmp_path / "big.py"))
        assert len(answer.text) < MAX_CHARACTERS + 100
        nodes, edges, cycles, external = answer.text.split("\n")
        assert answer.note.split("\n") == [
            "cycles: the first 0 of 1 are listed.",
            f"edges: the first {edges.count('|') + 1:,} of 10,000 are listed.",
            f"nodes: the first {nodes.count('|') + 1:,} of 10,000 are listed.",
        ]
        assert (cycles, external) == ("cycles:", "external:")
        assert nodes.count("|") > 500
        assert edges.count("|") > 500

    def test_json_that_was_cut_is_partial(self, tmp_path: Path) -> None:
        answer = analyze_file_logic(self.big(tmp_path, 10_000), str(tmp_path / "big.py"), format="json")
        assert len(answer.text) < JSON_MAX + 1_000
        assert answer.data["isPartial"] is True
        assert "nodes: the first" in answer.note

    def test_two_thousand_lines_are_whole(self, tmp_path: Path) -> None:
        answer = analyze_file_logic(self.big(tmp_path, 660), str(tmp_path / "big.py"))
        assert answer.text.split("\n")[1].count("|") == 659
        found = analyze_file_logic(self.big(tmp_path, 660), str(tmp_path / "big.py"), format="json")
        assert (len(found.data["edges"]), found.data["isPartial"], len(found.data["cycles"][0])) == (660, False, 661)


def test_the_tool_is_declared_as_agents_know_it() -> None:
    declared = schema(analyze_file_logic)
    assert analyze_file_logic.name == "graphItLive_analyzeFileLogic"
    assert analyze_file_logic.rate_limit == 10
    assert declared["required"] == ["filePath"]
    assert list(declared["properties"]) == ["filePath", "includeExternal", "format", "lsp"]
    assert declared["properties"]["filePath"] == {"type": "string", "description": "Absolute path to file to analyze"}
    assert declared["properties"]["format"]["enum"] == ["toon", "json"]
    assert declared["properties"]["format"]["default"] == "toon"
    assert declared["properties"]["includeExternal"]["default"] is False
