"""`graphItLive_analyzeFileLogic` with a second opinion: what a language server confirms, adds, contradicts, withholds.

The opinion here is written down; real servers are asked in the tests of `lsp`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from codegps.errors import ToolError
from codegps.model.confirmation import Confirmation, Definition, Place
from codegps.model.graph import Edge
from codegps.model.kinds import EdgeKind, Proof, Via
from codegps.query.graph import Graph
from codegps.stores.memory import MemoryStore
from codegps.tools.analyze_file_logic import LATE, analyze_file_logic
from tests.stores.graphs import at as at_id
from tests.tools.database import FILE, SOURCE, database, graphs

Said = dict[Place, Sequence[Definition]]


@dataclass(frozen=True)
class Opinion:
    provider: str = "pyright"
    definitions: Mapping[Place, Sequence[Definition]] = field(default_factory=Said)
    calls: Mapping[Place, Sequence[Definition]] = field(default_factory=Said)
    partial: bool = False
    available: bool = True
    reason: str = ""


@dataclass
class Oracle:
    opinion: Opinion
    asked: list[tuple[str, str, list[Place]]] = field(default_factory=list[tuple[str, str, list[Place]]])

    def analyze_symbols(
        self,
        root: Path,
        path: str,
        language: str,
        places: Sequence[Place],
        budget_seconds: float | None = None,
        *,
        text: str | None = None,
        stamps: Mapping[str, int] | None = None,
    ) -> Confirmation:
        assert budget_seconds is not None
        assert budget_seconds < 5
        self.asked.append((path, language, list(places)))
        return self.opinion


def at(needle: str, name: str | None = None) -> tuple[int, int]:
    """Line and column of a name (default: the last word of the needle) in the first line with the needle."""
    name = name or needle.split()[-1]
    for number, line in enumerate(SOURCE.split("\n"), 1):
        if needle in line:
            return number, line.index(name, line.index(needle)) + 1
    raise AssertionError(needle)


QUERY, PROCESS, AGAIN = at("def query"), at("def process"), at("def again")
CONNECT, DATABASE = at("def connect"), at("class Database")


def asking(root: Path, opinion: Opinion) -> Graph:
    graph = database(root)
    graph.confirmer = Oracle(opinion)
    return graph


def edges(graph: Graph, root: Path, **more: Any) -> dict[tuple[str, str], dict[str, Any]]:
    data = analyze_file_logic(graph, str(root / FILE), format="json", **more).data
    return {(e["source"].partition(":")[2] or e["source"], e["target"].partition(":")[2]): e for e in data["edges"]}


class TestConfirmed:
    def test_an_edge_that_the_server_confirms_says_so(self, tmp_path: Path) -> None:
        graph = asking(tmp_path, Opinion(definitions={(15, 21): [(FILE, *PROCESS)]}))
        found = edges(graph, tmp_path)
        assert found["Database.query", "Database.process"]["evidence"] == ["engine", "lsp"]
        assert "evidence" not in found["connect", "again"]

    def test_by_the_call_hierarchy_alone_too(self, tmp_path: Path) -> None:
        graph = asking(tmp_path, Opinion(calls={(25, 12): [(FILE, *AGAIN)]}))
        assert edges(graph, tmp_path)["connect", "again"]["evidence"] == ["engine", "lsp"]

    def test_a_class_and_its_constructor_are_one_answer(self, tmp_path: Path) -> None:
        graph = asking(tmp_path, Opinion(definitions={(23, 16): [(FILE, *DATABASE)]}))
        assert edges(graph, tmp_path)["connect", "Database.__init__"]["evidence"] == ["engine", "lsp"]

    def test_the_provider_is_named(self, tmp_path: Path) -> None:
        graph = asking(tmp_path, Opinion())
        data = analyze_file_logic(graph, str(tmp_path / FILE), format="json").data
        assert (data["lspProvider"], data["isPartial"]) == ("pyright", False)

    def test_every_written_call_is_asked_about_once(self, tmp_path: Path) -> None:
        graph = asking(tmp_path, Opinion())
        analyze_file_logic(graph, str(tmp_path / FILE))
        assert isinstance(graph.confirmer, Oracle)
        ((path, language, places),) = graph.confirmer.asked
        assert (path, language) == (FILE, "python")
        assert places == [
            (12, 21), (15, 21), (18, 21), (22, 12), (23, 16), (24, 14), (25, 12), (25, 26), (29, 12), (32, 17),
            (33, 1), (33, 7), (34, 1),
        ]  # fmt: skip


class TestAdded:
    def test_an_edge_that_only_the_server_knows_is_there_and_says_so(self, tmp_path: Path) -> None:
        graph = asking(tmp_path, Opinion(definitions={(33, 7): [(FILE, *AGAIN)]}))
        added = edges(graph, tmp_path)["(module)", "again"]
        assert added == {
            "source": "(module)",
            "target": "database.py:again",
            "relation": "calls",
            "line": 33,
            "isCycle": False,
            "evidence": ["lsp"],
        }

    def test_edges_stay_in_order_and_cycles_take_part(self, tmp_path: Path) -> None:
        graph = asking(tmp_path, Opinion(calls={(29, 1): [(FILE, *CONNECT)]}))
        answer = analyze_file_logic(graph, str(tmp_path / FILE))
        assert "|again>again:calls:29|again>connect:calls:29|(module)~connect:references:33|" in answer.text
        assert "|connect>again>connect|" in answer.text

    def test_a_call_into_another_file_only_with_include_external(self, tmp_path: Path) -> None:
        opinion = Opinion(definitions={(33, 7): [("src/pool.py", 6, 5)]})
        assert ("(module)", "drop") not in edges(asking(tmp_path / "a", opinion), tmp_path / "a")
        added = edges(asking(tmp_path / "b", opinion), tmp_path / "b", includeExternal=True)["(module)", "drop"]
        assert (added["target"], added["evidence"]) == (".pool:drop", ["lsp"])

    @pytest.mark.parametrize(
        "place",
        [
            at("def again(run", "run"),  # a parameter
            at("database = Database()", "database"),  # a local variable
            at("connection_string ="),  # no function
            (29, 5),  # somewhere inside
            (999, 1),
            (0, 0),
        ],
    )
    def test_a_definition_that_is_no_function_s_name_adds_nothing(self, tmp_path: Path, place: Place) -> None:
        graph = asking(tmp_path, Opinion(definitions={(33, 7): [(FILE, *place)]}))
        assert set(edges(graph, tmp_path)) == set(edges(database(tmp_path / "b"), tmp_path / "b"))

    def test_places_outside_the_project_add_nothing(self, tmp_path: Path) -> None:
        said: Said = {(33, 7): [("/usr/lib/python3/mystery.py", 1, 5), ("gone.py", 3, 1)]}
        graph = asking(tmp_path, Opinion(definitions=said))
        assert set(edges(graph, tmp_path)) == set(edges(database(tmp_path / "b"), tmp_path / "b"))


class TestDisagreement:
    OPINION = Opinion(definitions={(25, 12): [(FILE, *CONNECT)], (24, 14): [("/usr/lib/sql.py", 7, 1)]})

    def test_the_json_says_both(self, tmp_path: Path) -> None:
        data = analyze_file_logic(asking(tmp_path, self.OPINION), str(tmp_path / FILE), format="json").data
        assert data["disagreements"] == [
            {
                "source": "database.py:connect",
                "line": 24,
                "engine": [f"{FILE}:Database.query"],
                "lsp": ["/usr/lib/sql.py:7"],
            },
            {"source": "database.py:connect", "line": 25, "engine": [f"{FILE}:again"], "lsp": [f"{FILE}:connect"]},
        ]

    def test_so_does_the_second_block_of_toon(self, tmp_path: Path) -> None:
        note = analyze_file_logic(asking(tmp_path, self.OPINION), str(tmp_path / FILE)).note
        assert f"Line 25: the engine says {FILE}:again, the language server {FILE}:connect." in note

    def test_the_engine_s_edge_stays_without_evidence(self, tmp_path: Path) -> None:
        found = edges(asking(tmp_path, self.OPINION), tmp_path)
        assert "evidence" not in found["connect", "again"]
        assert ("connect", "connect") not in found

    def test_a_server_that_stops_at_a_variable_does_not_disagree(self, tmp_path: Path) -> None:
        opinion = Opinion(definitions={(24, 14): [(FILE, *at("database = Database()", "database"))]})
        data = analyze_file_logic(asking(tmp_path, opinion), str(tmp_path / FILE), format="json").data
        assert "disagreements" not in data

    @pytest.mark.parametrize("place", [(33, 7), (22, 12)])
    def test_what_a_library_calls_is_not_what_is_written(self, tmp_path: Path, place: Place) -> None:
        """`mystery(connect)` calls connect; a server names mystery."""
        graph = asking(tmp_path, Opinion(definitions={place: [("/usr/lib/mystery.py", 1, 5)]}))
        edge_to(graph, place, f"{FILE}:connect", "inferred", 1, "parameter")
        assert "disagreements" not in analyze_file_logic(graph, str(tmp_path / FILE), format="json").data

    def test_the_decorated_name_is_named_and_what_the_decorator_made_is_called(self, tmp_path: Path) -> None:
        graph = asking(tmp_path, Opinion(definitions={(33, 7): [(FILE, *AGAIN)]}))
        edge_to(graph, (33, 7), f"{FILE}:connect")
        edge_to(graph, (33, 7), f"{FILE}:again", kind="REFERENCES")
        assert "disagreements" not in analyze_file_logic(graph, str(tmp_path / FILE), format="json").data

    def test_an_implicit_call_is_not_the_written_call_at_its_place(self, tmp_path: Path) -> None:
        """`for x in mystery(...)`: the loop calls `__iter__` where `mystery` stands."""
        graph = asking(tmp_path, Opinion(definitions={(33, 7): [(FILE, *AGAIN)]}))
        edge_to(graph, (33, 7), f"{FILE}:Database.query", written=False)
        found = analyze_file_logic(graph, str(tmp_path / FILE), format="json").data
        assert "disagreements" not in found
        assert {"source": "(module)", "target": "database.py:again", "relation": "calls", "line": 33, "isCycle": False,
                "evidence": ["lsp"]} in found["edges"]  # fmt: skip


def edge_to(
    graph: Graph, place: Place, target: str, proof: str = "resolved", hops: int = 0, via: str = "", *,
    kind: str = "CALLS", written: bool = True,
) -> None:  # fmt: skip
    """One more edge of the engine, from top-level code."""
    store = graph.store
    assert isinstance(store, MemoryStore)
    sites = store.sites(FILE)
    assert sites is not None
    site = next(n for n, call in enumerate(sites.calls) if (call.line, call.column) == place) if written else -1
    made = Edge(
        kind=EdgeKind[kind],
        source=at_id(store, FILE).key,
        target=at_id(store, target).key,
        line=place[0],
        column=place[1],
        proof=Proof[proof],
        hops=hops,
        via=next((v for v in Via if v.label == via), Via.none),
        site=site if kind == "CALLS" else -1,
    )
    file = next(each for each in graphs() if each.row.path == FILE)
    writer = store.write()
    writer.put_edges(file.row.key, [*store.edges_in(FILE), made], store.references_in(FILE), {})
    writer.commit()


class TestLateOrMissing:
    LATE = Opinion(definitions={(15, 21): [(FILE, *PROCESS)]}, partial=True, reason="did not answer in time")
    NONE = Opinion(provider="static", available=False, reason="no server for python is on PATH")

    def test_auto_keeps_the_engine_s_answer_and_says_that_it_is_partial(self, tmp_path: Path) -> None:
        graph = asking(tmp_path, self.LATE)
        data = analyze_file_logic(graph, str(tmp_path / FILE), format="json").data
        assert data["isPartial"] is True
        assert len(data["edges"]) == 10
        note = analyze_file_logic(graph, str(tmp_path / FILE)).note
        assert note.startswith("isPartial: the language server did not say everything (did not answer in time).")

    def test_auto_without_a_server_is_static(self, tmp_path: Path) -> None:
        data = analyze_file_logic(asking(tmp_path, self.NONE), str(tmp_path / FILE), format="json").data
        assert (data["lspProvider"], data["isPartial"]) == ("static", False)

    def test_off_asks_nobody(self, tmp_path: Path) -> None:
        graph = asking(tmp_path, Opinion())
        assert analyze_file_logic(graph, str(tmp_path / FILE), format="json", lsp="off").data["lspProvider"] == "static"
        assert isinstance(graph.confirmer, Oracle)
        assert graph.confirmer.asked == []

    def test_the_setting_is_the_default(self, tmp_path: Path) -> None:
        graph = asking(tmp_path, self.NONE)
        graph.lsp_mode = "required"
        with pytest.raises(ToolError):
            analyze_file_logic(graph, str(tmp_path / FILE))
        assert analyze_file_logic(graph, str(tmp_path / FILE), lsp="auto").text.startswith("nodes:")

    @pytest.mark.parametrize("confirmer", [None, Oracle(NONE)])
    def test_required_without_a_server_is_lsp_unavailable(self, tmp_path: Path, confirmer: Oracle | None) -> None:
        graph = database(tmp_path)
        graph.confirmer = confirmer
        with pytest.raises(ToolError) as error:
            analyze_file_logic(graph, str(tmp_path / FILE), lsp="required")
        assert error.value.payload is not None
        assert error.value.payload["code"] == "LSP_UNAVAILABLE"
        assert "python" in error.value.payload["message"]

    def test_required_and_late_is_lsp_timeout_with_the_partial_answer(self, tmp_path: Path) -> None:
        graph = asking(tmp_path, self.LATE)
        with pytest.raises(ToolError) as error:
            analyze_file_logic(graph, str(tmp_path / FILE), format="json", lsp="required")
        assert error.value.payload is not None
        partial = error.value.payload.pop("partial")
        assert error.value.payload == {"error": "LSP_TIMEOUT", "code": "LSP_TIMEOUT", "message": LATE}
        assert (partial["isPartial"], len(partial["edges"])) == (True, 10)
        with pytest.raises(ToolError) as error:
            analyze_file_logic(graph, str(tmp_path / FILE), lsp="required")
        assert error.value.payload is not None
        assert error.value.payload["partial"].startswith("nodes:Variable:connection_string|")

    def test_the_message_says_what_to_do(self) -> None:
        assert LATE == "Symbol analysis incomplete (LSP timeout after 5 seconds). Partial results returned."
