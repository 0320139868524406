"""What every store promises: the same literal answers, and on random graphs those of the memory store."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from codegps.model.graph import Counts, Diagnostic, Edge, Entry, Reference, Skip
from codegps.model.kinds import EdgeKind, Kind
from codegps.store import FileGraph, Reader, Store, Writer
from codegps.stores.memory import MemoryStore
from codegps.stores.sqlite import SqliteStore
from tests.stores.graphs import at, edge, file_graphs, fill, symbol
from tests.stores.randoms import Maker, everything

ALL = tuple(EdgeKind)
CALLS = (EdgeKind.CALLS,)


def small() -> list[FileGraph]:
    """`src/b.py` comes first, so keys and paths are ordered differently."""
    return file_graphs(
        {
            "src/b.py": [
                ("g", Kind.Function, 9, 12),
                ("C", Kind.Class, 1, 7),
                ("C.__init__", Kind.Constructor, 2, 3),
                ("C.Run", Kind.Method, 4, 7),
            ],
            "src/a.py": [
                ("f", Kind.Function, 1, 3),
                ("f.<lambda1>", Kind.Function, 2, 2, 9),
                ("G", Kind.Variable, 5, 5),
            ],
            "B.py": [("run", Kind.Function, 1, 2)],
        },
        edges=[
            ("src/b.py:g", "CALLS", "src/a.py:f", 11, 5),
            ("src/b.py:g", "CALLS", "B.py:run", 10, 5, "dispatch"),
            ("src/b.py:g", "CALLS", "src/b.py:C.Run", 10, 5),
            ("src/b.py:g", "REFERENCES", "src/a.py:G", 9, 2),
            edge("src/a.py:f.<lambda1>", "CALLS", "src/b.py:C.__init__", 2, 20, class_="src/b.py:C", site=4),
            ("src/a.py:f", "CALLS", "src/b.py:g", 3, 1, "inferred", 2, "parameter"),
            ("B.py:run", "CALLS", "src/b.py:C.Run", 2, 1),
            ("B.py", "EXTENDS", "src/b.py:C", 1, 1),
        ],
        references=[
            ("src/b.py:g", "CALLS", "self.log.run", 12, 3, "unknown", "", ["src/b.py:C.Run", "B.py:run"]),
            ("src/a.py:f.<lambda1>", "CALLS", "run", 2, 12, "external", "subprocess.run"),
            ("B.py", "CALLS", "run", 2, 9),
        ],
    )


@pytest.fixture
def filled(store: Store) -> Store:
    return fill(store, small())


def shown(store: Reader, edges: Sequence[Edge]) -> list[str]:
    ids = {s.key: s.id for s in store.all_symbols()}
    return [f"{ids[e.source]} {e.kind.name} {ids[e.target]} {e.line}:{e.column}" for e in edges]


def keys(store: Reader, *ids: str) -> list[int]:
    return [at(store, i).key for i in ids]


def test_an_empty_store_answers(store: Store) -> None:
    assert store.files() == []
    assert store.file("a.py") is None
    assert list(store.all_symbols()) == []
    assert store.symbol("a.py") is None
    assert store.counts() == Counts(0, 0, 0, 0, 0, 0, 0)
    assert store.meta("version") is None
    assert store.generation() == 0


def test_symbols_are_ordered_by_path_then_position_and_the_file_is_first(filled: Store) -> None:
    assert [s.id for s in filled.all_symbols()] == [
        "B.py",
        "B.py:run",
        "src/a.py",
        "src/a.py:f",
        "src/a.py:f.<lambda1>",
        "src/a.py:G",
        "src/b.py",
        "src/b.py:C",
        "src/b.py:C.__init__",
        "src/b.py:C.Run",
        "src/b.py:g",
    ]
    assert [f.path for f in filled.files()] == ["B.py", "src/a.py", "src/b.py"]
    assert [s.qualified_name for s in filled.symbols_in("src/b.py")] == ["", "C", "C.__init__", "C.Run", "g"]
    assert [s.id for s in filled.all_symbols([Kind.Class, Kind.Variable])] == ["src/a.py:G", "src/b.py:C"]


def test_a_symbol_comes_back_as_it_was_put(filled: Store) -> None:
    put = small()[0].symbols[3]
    assert put.id == "src/b.py:C.__init__"
    assert filled.symbol("src/b.py:C.__init__") == put
    assert filled.symbols([put.key, 1 << 60]) == {put.key: put}
    file = filled.symbol("src/b.py")
    assert file is not None
    assert (file.kind, file.name, file.parent, file.end_line) == (Kind.File, "b.py", -1, 12)


def test_names_are_found_ignoring_case(filled: Store) -> None:
    assert [s.id for s in filled.symbols_named("RUN")] == ["B.py:run", "src/b.py:C.Run"]
    assert filled.symbols_named("ru") == []
    assert [s.id for s in filled.symbols_containing("RUN")] == ["B.py:run", "src/b.py:C.Run"]
    assert [s.id for s in filled.symbols_containing("c.")] == ["src/b.py:C.__init__", "src/b.py:C.Run"]
    assert [s.id for s in filled.symbols_containing("B.PY", [Kind.File])] == ["B.py", "src/b.py"]


def test_ids_are_exact(filled: Store) -> None:
    for wrong in ("src/b.py:c", "SRC/b.py", "src/b.py:", "src/b.py:C.run", "", ":", "g"):
        assert filled.symbol(wrong) is None


def test_a_path_with_a_colon_is_found(store: Store) -> None:
    fill(store, file_graphs({"a:b.py": [("f", Kind.Function, 1, 1)], "a": [("b.py:g", Kind.Function, 1, 1)]}))
    assert at(store, "a:b.py:f").file == "a:b.py"
    assert at(store, "a:b.py").kind is Kind.File
    assert at(store, "a:b.py:g").file == "a"


def test_edges_come_by_path_and_place_then_kind_and_target(filled: Store) -> None:
    everything_from = keys(filled, "src/b.py:g", "B.py:run", "B.py")
    assert shown(filled, filled.neighbours(everything_from, ALL, "out")) == [
        "B.py EXTENDS src/b.py:C 1:1",
        "B.py:run CALLS src/b.py:C.Run 2:1",
        "src/b.py:g REFERENCES src/a.py:G 9:2",
        "src/b.py:g CALLS B.py:run 10:5",
        "src/b.py:g CALLS src/b.py:C.Run 10:5",
        "src/b.py:g CALLS src/a.py:f 11:5",
    ]
    assert shown(filled, filled.neighbours(keys(filled, "src/b.py:C.Run"), CALLS, "in")) == [
        "B.py:run CALLS src/b.py:C.Run 2:1",
        "src/b.py:g CALLS src/b.py:C.Run 10:5",
    ]
    assert shown(filled, filled.edges_in("src/a.py")) == [
        "src/a.py:f.<lambda1> CALLS src/b.py:C.__init__ 2:20",
        "src/a.py:f CALLS src/b.py:g 3:1",
    ]
    assert filled.edges_in("none.py") == []


def test_neighbours_fold_nothing_and_drawn_folds(filled: Store) -> None:
    constructor, class_, function = keys(filled, "src/b.py:C.__init__", "src/b.py:C", "src/a.py:f")
    call = "src/a.py:f.<lambda1> CALLS src/b.py:C.__init__ 2:20"
    assert shown(filled, filled.neighbours([constructor], CALLS, "in")) == [call]
    assert filled.neighbours([class_], CALLS, "in") == []
    assert shown(filled, filled.drawn([class_], CALLS, "in")) == [call]
    assert filled.drawn([constructor], CALLS, "in") == []
    assert shown(filled, filled.drawn([function], CALLS, "out")) == [call, "src/a.py:f CALLS src/b.py:g 3:1"]
    found = filled.drawn([class_], CALLS, "in")[0]
    assert (found.class_, found.drawn_target, found.drawn_source, found.site) == (class_, class_, function, 4)


def test_drawn_ends_leave_out_what_flowed_in(filled: Store) -> None:
    function, g, class_ = keys(filled, "src/a.py:f", "src/b.py:g", "src/b.py:C")
    assert filled.drawn_ends([function], ALL, "out") == [class_]
    assert filled.drawn_ends([function], ALL, "out", flows=True) == [g, class_]
    assert filled.drawn_ends([g], ALL, "in") == []
    assert filled.drawn_ends([g], ALL, "in", flows=True) == [function]


def test_references_are_found_by_place_by_who_draws_them_and_by_last_name(filled: Store) -> None:
    def places(found: Sequence[Reference]) -> list[str]:
        return [f"{r.name} {r.line}:{r.column}" for r in found]

    assert places(filled.references_in("src/b.py")) == ["self.log.run 12:3"]
    assert places(filled.references_from(keys(filled, "src/a.py:f", "B.py"))) == ["run 2:9", "run 2:12"]
    assert places(filled.references_named(["run"])) == ["run 2:9", "self.log.run 12:3"]
    assert filled.references_named(["Run", "log"]) == []
    candidates = filled.references_in("src/b.py")[0].candidates
    assert [filled.symbols([c])[c].id for c in candidates] == ["B.py:run", "src/b.py:C.Run"]
    assert filled.references_in("src/a.py")[0].external == "subprocess.run"


def test_counts_are_by_proof_and_reason(filled: Store) -> None:
    assert filled.counts() == Counts(files=3, symbols=11, resolved=6, dispatch=1, inferred=1, external=1, unknown=2)


def test_putting_a_file_replaces_all_that_it_owned(filled: Store) -> None:
    b = small()[0]
    writer = filled.write()
    writer.put(FileGraph(b.row, b.symbols[:2], [b.edges[0]], [], [], [], None, {}))
    writer.commit()
    assert [s.qualified_name for s in filled.symbols_in("src/b.py")] == ["", "g"]
    assert shown(filled, filled.edges_in("src/b.py")) == ["src/b.py:g CALLS src/a.py:f 11:5"]
    assert filled.references_in("src/b.py") == []
    assert filled.counts() == Counts(files=3, symbols=8, resolved=4, dispatch=0, inferred=1, external=1, unknown=1)
    # What other files own stands, also where it leads to symbols that have gone.
    assert len(filled.edges_in("B.py")) == 2


def test_put_edges_replaces_only_what_resolving_gave(filled: Store) -> None:
    b = small()[0]
    writer = filled.write()
    writer.put_edges(b.row.key, [b.edges[3]], [], {"k": b"v"})
    writer.commit()
    assert shown(filled, filled.edges_in("src/b.py")) == ["src/b.py:g REFERENCES src/a.py:G 9:2"]
    assert filled.references_in("src/b.py") == []
    assert filled.links_of(b.row.key) == {"k": b"v"}
    assert len(filled.symbols_in("src/b.py")) == 5
    assert filled.counts() == Counts(files=3, symbols=11, resolved=4, dispatch=0, inferred=1, external=1, unknown=1)


def test_a_file_put_twice_in_one_transaction_counts_once(store: Store) -> None:
    first, second = small()[:2]
    writer = store.write(rebuild=True)
    writer.put(first)
    writer.put(second)
    writer.put_edges(first.row.key, first.edges[:1], [], {"a": b"1"})
    writer.put(second)
    writer.put_edges(first.row.key, first.edges[:2], [], {"a": b"2"})
    writer.commit()
    assert len(store.edges_in("src/b.py")) == 2
    assert store.links(["a"]) == {"a": [(first.row.key, b"2")]}
    assert store.counts() == Counts(files=2, symbols=9, resolved=2, dispatch=1, inferred=1, external=1, unknown=0)


def test_removing_a_file_leaves_nothing_of_it(filled: Store) -> None:
    row = small()[0].row
    writer = filled.write()
    writer.remove(row.key)
    writer.commit()
    assert [f.path for f in filled.files()] == ["B.py", "src/a.py"]
    assert filled.symbol("src/b.py:g") is None
    assert filled.edges_in("src/b.py") == []
    assert filled.symbols_named("g")[0].id == "src/a.py:G"
    assert filled.counts().symbols == 6


def test_a_removed_path_may_come_back_under_another_key(filled: Store) -> None:
    other = file_graphs({"x.py": [], "y.py": [], "z.py": [], "src/b.py": [("new", Kind.Function, 1, 1)]})[3]
    writer = filled.write()
    writer.remove(small()[0].row.key)
    writer.put(other)
    writer.commit()
    assert at(filled, "src/b.py:new").key == other.symbols[1].key


def test_rebuilding_starts_from_nothing(filled: Store) -> None:
    writer = filled.write()
    writer.put_meta("version", "1")
    writer.put_skips([Skip("x", "big")])
    writer.commit()
    fill(filled, file_graphs({"only.py": []}), rebuild=True)
    assert [s.id for s in filled.all_symbols()] == ["only.py"]
    assert filled.meta("version") is None
    assert filled.skips() == []


@pytest.mark.parametrize("rebuild", [False, True])
def test_nobody_sees_anything_before_commit_and_nothing_is_left_of_a_rollback(filled: Store, rebuild: bool) -> None:
    before = [s.id for s in filled.all_symbols()]
    generation = filled.generation()
    writer = filled.write(rebuild=rebuild)
    writer.put(file_graphs({"a": [], "b": [], "c": [], "new.py": []})[3])
    writer.remove(small()[1].row.key)
    assert [s.id for s in filled.all_symbols()] == before
    writer.rollback()
    assert [s.id for s in filled.all_symbols()] == before
    assert filled.generation() == generation
    writer.rollback()


def test_generation_grows_with_every_commit(store: Store) -> None:
    seen = [store.generation()]
    for rebuild in (True, False, False, True, False, True, True):
        store.write(rebuild=rebuild).commit()
        seen.append(store.generation())
        assert store.generation() == seen[-1]
    assert seen == sorted(set(seen))


def test_touching_changes_the_row_alone(filled: Store) -> None:
    row = filled.files()[1]
    writer = filled.write()
    writer.touch(type(row)(row.key, row.path, row.language, "f" * 40, 7, 8, 9))
    writer.commit()
    found = filled.file("src/a.py")
    assert found is not None
    assert (found.sha, found.size, found.mtime_ns, found.lines) == ("f" * 40, 7, 8, 9)
    assert len(filled.symbols_in("src/a.py")) == 4
    assert filled.counts().symbols == 11


def test_a_transaction_that_has_ended_takes_nothing_more(filled: Store) -> None:
    committed = filled.write()
    committed.commit()
    undone = filled.write()
    undone.rollback()
    for writer in (committed, undone):
        with pytest.raises(ValueError, match="this transaction has ended"):
            writer.put_meta("a", "b")
        with pytest.raises(ValueError, match="this transaction has ended"):
            writer.commit()


def test_a_step_that_cannot_be_ends_the_transaction(filled: Store) -> None:
    b, a = small()[:2]
    elsewhere = file_graphs({"1": [], "2": [], "3": [], "src/a.py": []})[3]
    wrong = type(a.row)(a.row.key, "src/other.py", "python", "", 0, 0, 0)
    steps: list[tuple[Callable[[Writer], None], str]] = [
        (lambda w: w.put(elsewhere), "is in the graph"),
        (lambda w: w.put(FileGraph(b.row, [b.symbols[0], b.symbols[0]], [], [], [], [], None, {})), "key|twice"),
        (lambda w: w.put_edges(a.row.key, b.edges, [], {}), "in another file"),
        (lambda w: w.put_edges(9 << 20, [], [], {}), "no file with key 9437184"),
        (lambda w: w.touch(wrong), "no file src/other.py"),
    ]
    for step, message in steps:
        writer = filled.write()
        writer.remove(small()[2].row.key)
        with pytest.raises(ValueError, match=message):
            step(writer)
        with pytest.raises(ValueError, match="this transaction has ended"):
            writer.commit()
        assert len(filled.files()) == 3


def test_links_are_a_multimap_ordered_by_file(store: Store) -> None:
    graphs = small()
    graphs[2].links = {"name\x00run": b"3", "only": b""}
    graphs[0].links = {"name\x00run": b"1", "name\x00": b"0", "name": b"n"}
    fill(store, graphs)
    assert store.links(["name\x00run", "none", "only", "name\x00run"]) == {
        "name\x00run": [(1 << 20, b"1"), (3 << 20, b"3")],
        "only": [(3 << 20, b"")],
    }
    assert store.links(iter(["name"])) == {"name": [(1 << 20, b"n")]}
    assert list(store.links_of(1 << 20).items()) == [("name", b"n"), ("name\x00", b"0"), ("name\x00run", b"1")]
    assert store.links_of(2 << 20) == {}
    assert store.links([]) == {}


def test_entries_diagnostics_and_skips_are_ordered_and_whole(store: Store) -> None:
    graphs = small()
    run, f = graphs[2].symbols[1].key, graphs[1].symbols[1].key
    graphs[1].entries = [Entry("test", "b", f, 2), Entry("main", "a", f, 1), Entry("route", "/", run, 1)]
    graphs[0].diagnostics = [Diagnostic("src/b.py", 9, "unreadable"), Diagnostic("src/b.py", 3, "unreadable")]
    writer = store.write(rebuild=True)
    for graph in graphs:
        writer.put(graph)
    writer.put_skips([Skip("b", "big"), Skip("a", "binary")])
    writer.put_diagnostics([Diagnostic("pyproject.toml", 1, "broken")])
    writer.commit()
    assert store.entries() == [Entry("route", "/", run, 1), Entry("main", "a", f, 1), Entry("test", "b", f, 2)]
    assert [(d.file, d.line) for d in store.diagnostics()] == [("pyproject.toml", 1), ("src/b.py", 3), ("src/b.py", 9)]
    assert store.skips() == [Skip("a", "binary"), Skip("b", "big")]
    writer = store.write()
    writer.put_diagnostics([])
    writer.put_skips([])
    writer.commit()
    assert [(d.file, d.line) for d in store.diagnostics()] == [("src/b.py", 3), ("src/b.py", 9)]
    assert store.skips() == []


def test_a_snapshot_answers_from_one_graph(filled: Store) -> None:
    with filled.snapshot():
        before = filled.generation()
        for rebuild in (False, True):
            fill(filled, file_graphs({"only.py": []}), rebuild=rebuild)
            assert filled.generation() == before
            assert at(filled, "src/b.py:g").end_line == 12
            with filled.snapshot():
                assert filled.symbol("only.py") is None
    assert filled.generation() > before
    assert [f.path for f in filled.files()] == ["only.py"]


def test_a_stream_goes_on_over_a_rebuild(filled: Store) -> None:
    stream = iter(filled.all_symbols())
    assert next(stream).id == "B.py"
    fill(filled, file_graphs({"only.py": []}), rebuild=True)
    assert [s.id for s in stream][-1] == "src/b.py:g"


def test_very_wide_places_and_sites_survive(store: Store) -> None:
    graphs = file_graphs(
        {"wide.js": [symbol("f", Kind.Function, 1, 1, 1, 12_000_000)]},
        edges=[edge("wide.js:f", "CALLS", "wide.js:f", 1, 11_999_999, site=1_000_000)],
    )
    fill(store, graphs)
    found = store.edges_in("wide.js")[0]
    assert (found.line, found.column, found.site) == (1, 11_999_999, 1_000_000)
    assert at(store, "wide.js:f").end_column == 12_000_000


@pytest.mark.parametrize("seed", range(12))
def test_random_changes_leave_the_same_graph_in_every_store(sqlite: SqliteStore, seed: int) -> None:
    maker = Maker(seed)
    memory = MemoryStore()
    known: set[int] = set()
    for _ in range(12):
        rebuild = maker.random.random() < 0.25
        undone = maker.random.random() < 0.2
        writers = (memory.write(rebuild=rebuild), sqlite.write(rebuild=rebuild))
        after = set[int]() if rebuild else set(known)
        for _ in range(maker.random.randrange(12)):
            maker.change(writers, after)
        for writer in writers:
            if undone:
                writer.rollback()
            else:
                writer.commit()
        known = known if undone else after
        expected, found = everything(memory), everything(sqlite)
        for question, answer in expected.items():
            assert found[question] == answer, question


def test_put_entries_replaces_the_entries_alone(filled: Store) -> None:
    b = small()[0]
    writer = filled.write()
    writer.put_entries(b.row.key, [Entry("script", "tool", b.symbols[1].key, 3)])
    writer.commit()
    assert [entry for entry in filled.entries() if entry.kind == "script"] == [
        Entry("script", "tool", b.symbols[1].key, 3)
    ]
    assert len(filled.symbols_in("src/b.py")) == 5
