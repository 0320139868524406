"""The SQLite store alone: its folder, locks, damage, versions, threads and full disks."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from codegps.errors import IndexError_, IndexLocked, IndexOutdated
from codegps.model.graph import Block, Call, Reference, Sites
from codegps.model.kinds import EdgeKind, Kind, Reason
from codegps.store import FileGraph
from codegps.stores.sqlite import SqliteStore, folder, pool, writer
from codegps.stores.sqlite import store as questions
from tests.stores.graphs import at, file_graphs, fill
from tests.stores.randoms import PATHS, Maker, everything

REBUILD = "codegps index --rebuild"


def one_file(name: str = "a.py") -> list[FileGraph]:
    return file_graphs({name: [("f", Kind.Function, 1, 1)]})


def random_files(seed: int) -> list[FileGraph]:
    maker = Maker(seed)
    return [maker.file(number) for number in range(1, len(PATHS) + 1)]


def databases(path: Path) -> list[str]:
    return sorted(p.name for p in path.glob("graph-*.db"))


def database(path: Path) -> Path:
    return path / (path / "current").read_text().strip()


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """A folder with an index of random files, closed."""
    path = tmp_path / ".codegps"
    store = SqliteStore.open(path, create=True)
    fill(store, random_files(1))
    store.close()
    return path


# The folder


def test_the_index_folder_ignores_itself_in_git(sqlite: SqliteStore, tmp_path: Path) -> None:
    assert (tmp_path / ".codegps" / ".gitignore").read_text() == "*\n"
    if shutil.which("git"):
        fill(sqlite, one_file())
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
        status = subprocess.run(
            ["git", "-C", str(tmp_path), "status", "--porcelain"], check=True, capture_output=True, text=True
        )
        assert status.stdout == ""


def test_no_index_is_said_and_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(IndexError_) as raised:
        SqliteStore.open(tmp_path / ".codegps")
    assert str(raised.value) == f"There is no index in {tmp_path / '.codegps'}. Build it with: codegps index"
    assert not (tmp_path / ".codegps").exists()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IndexError_, match=r"The index folder .* cannot be made"):
        SqliteStore.open(tmp_path / "file" / ".codegps", create=True)


def test_rebuilding_leaves_one_database(sqlite: SqliteStore, tmp_path: Path) -> None:
    path = tmp_path / ".codegps"
    for _ in range(3):
        fill(sqlite, one_file())
    (path / "graph-7.db").write_text("a dead writer's")
    (path / "graph-7.db-wal").write_text("")
    (path / "current.4711").write_text("")
    (path / "keep.me").write_text("")
    fill(sqlite, one_file(), rebuild=False)
    assert databases(path) == [database(path).name]
    assert not (path / "current.4711").exists()
    assert not (path / "graph-7.db-wal").exists()
    assert (path / "keep.me").exists()


def test_a_path_of_any_letters_can_hold_an_index(tmp_path: Path) -> None:
    path = tmp_path / "sp ace #%41?&mode=rw ä" / ".codegps"
    store = SqliteStore.open(path, create=True)
    fill(store, one_file())
    store.close()
    again = SqliteStore.open(path)
    assert at(again, "a.py:f").name == "f"
    again.close()


def test_an_index_that_vanishes_is_said_and_can_be_built_again(sqlite: SqliteStore, tmp_path: Path) -> None:
    fill(sqlite, one_file())
    before = sqlite.generation()
    shutil.rmtree(tmp_path / ".codegps")
    with pytest.raises(IndexError_, match="There is no index in"):
        sqlite.files()
    fill(sqlite, one_file("b.py"))
    assert [f.path for f in sqlite.files()] == ["b.py"]
    assert sqlite.generation() > before


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs a user who may not write everywhere")
def test_an_index_is_read_where_nothing_may_be_written(index: Path) -> None:
    index.chmod(0o555)
    store = SqliteStore.open(index)
    assert store.counts().files == len(PATHS)
    store.close()
    index.chmod(0o755)


# Two at a time


def test_a_swapped_database_is_noticed_at_the_next_question(sqlite: SqliteStore, tmp_path: Path) -> None:
    fill(sqlite, one_file())
    other = SqliteStore.open(tmp_path / ".codegps")
    assert other.symbol("a.py") is not None
    for name, rebuild in (("b.py", True), ("c.py", True), ("d.py", False)):
        before = other.generation()
        if rebuild:
            fill(sqlite, one_file(name))
        else:
            fill(sqlite, file_graphs({"c.py": [], name: []})[1:], rebuild=False)
        assert other.symbol(name) is not None
        assert other.generation() == sqlite.generation() > before
    other.close()


def test_a_second_writer_waits_then_names_the_first(sqlite: SqliteStore, tmp_path: Path) -> None:
    impatient = SqliteStore.open(tmp_path / ".codegps", create=True, wait=0.05)
    first = sqlite.write()
    with pytest.raises(IndexLocked) as raised:
        impatient.write()
    assert f"is being written by process {os.getpid()} on " in str(raised.value)
    assert str(raised.value).endswith("Try again when it has finished, or end that process.")
    first.commit()
    impatient.write().rollback()
    impatient.close()


def test_writers_of_several_threads_take_turns(sqlite: SqliteStore) -> None:
    fill(sqlite, one_file())

    def write(number: int) -> None:
        w = sqlite.write(rebuild=number % 5 == 0)
        w.put(one_file()[0])
        w.put_meta("n", str(number))
        w.commit()

    before = sqlite.generation()
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(24)))
    assert sqlite.generation() > before
    assert [f.path for f in sqlite.files()] == ["a.py"]


def test_a_writer_that_is_dropped_lets_go(sqlite: SqliteStore) -> None:
    fill(sqlite, one_file())
    dropped = sqlite.write()
    dropped.put(one_file("b.py")[0])
    del dropped
    sqlite.write().commit()
    assert [f.path for f in sqlite.files()] == ["a.py"]


# Threads


def test_threads_ask_one_store(sqlite: SqliteStore) -> None:
    fill(sqlite, random_files(2))
    expected = everything(sqlite)

    def ask(_: int) -> bool:
        return everything(sqlite) == expected

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(32)))


def test_threads_see_whole_graphs_while_others_write(sqlite: SqliteStore) -> None:
    paths = [f"{n}.py" for n in range(20)]

    def graphs(mark: int) -> list[FileGraph]:
        made = file_graphs({path: [("f", Kind.Function, mark, mark)] for path in paths})
        return made

    fill(sqlite, graphs(1))
    done = threading.Event()

    def read(_: int) -> set[int]:
        sizes: set[int] = set()
        while not done.is_set():
            with sqlite.snapshot():
                lines = {s.start_line for s in sqlite.symbols_named("f")}
                assert lines == {at(sqlite, "7.py:f").start_line}
            assert len({f.lines for f in sqlite.files()}) == 1
            sizes |= lines
        return sizes

    with ThreadPoolExecutor(4) as threads:
        readers = [threads.submit(read, n) for n in range(4)]
        try:
            for mark in range(2, 30):
                fill(sqlite, graphs(mark), rebuild=mark % 3 == 0)
        finally:
            done.set()
        seen = set[int]().union(*(reader.result() for reader in readers))
    assert seen <= set(range(1, 30))
    assert {s.start_line for s in sqlite.symbols_named("f")} == {29}


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts open files in /proc")
def test_closing_closes_every_file(sqlite: SqliteStore, tmp_path: Path) -> None:
    def still_open() -> list[str]:
        links = [os.readlink(p) for p in Path("/proc/self/fd").iterdir() if p.is_symlink()]  # noqa: PTH115
        return [link for link in links if link.startswith(str(tmp_path))]

    fill(sqlite, random_files(3))
    with ThreadPoolExecutor(12) as threads:
        list(threads.map(everything, [sqlite] * 24))
    assert still_open()
    stream = iter(sqlite.all_symbols())
    next(stream)
    sqlite.close()
    del stream
    assert still_open() == []
    with pytest.raises(ValueError, match="this store is closed"):
        sqlite.files()


def test_a_stream_may_not_outlive_its_snapshot(sqlite: SqliteStore) -> None:
    fill(sqlite, file_graphs({f"{n}.py": [] for n in range(500)}))
    with sqlite.snapshot():
        stream = iter(sqlite.all_symbols())
        next(stream)
    with pytest.raises(ValueError, match="the snapshot that this stream reads has ended"):
        list(stream)


# Damage and versions


def garble(data: bytearray, r: random.Random) -> None:
    for _ in range(r.randrange(1, 60)):
        data[r.randrange(len(data))] = r.randrange(256)


HARMS: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "text": lambda data: b"x" * len(data),
    "zeros": lambda data: data[:100] + bytes(len(data) - 100),
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_database_is_said_and_rebuilt(index: Path, harm: str) -> None:
    file = database(index)
    file.write_bytes(HARMS[harm](file.read_bytes()))
    with pytest.raises(IndexError_) as raised:
        everything(SqliteStore.open(index))
    assert str(raised.value).startswith(f"The index in {index} ")
    assert str(raised.value).endswith(REBUILD)
    store = SqliteStore.open(index, create=True, fresh=True)
    assert store.files() == []
    fill(store, one_file())
    store.close()
    again = SqliteStore.open(index)
    assert [f.path for f in again.files()] == ["a.py"]
    again.close()


@pytest.mark.parametrize("pointer", ["", "graph-.db", "../graph-1.db", "graph-1.db", "\x00" * 20])
def test_a_damaged_pointer_is_said_and_rebuilt(index: Path, pointer: str) -> None:
    (index / "current").write_text(pointer)
    with pytest.raises(IndexError_) as raised:
        SqliteStore.open(index)
    assert str(raised.value).endswith(REBUILD)
    store = SqliteStore.open(index, create=True, fresh=True)
    fill(store, one_file())
    assert [f.path for f in store.files()] == ["a.py"]
    store.close()


@pytest.mark.parametrize("seed", range(40))
def test_any_damage_gives_an_answer_or_the_sentence(index: Path, seed: int) -> None:
    file = database(index)
    data = bytearray(file.read_bytes())
    garble(data, random.Random(seed))
    file.write_bytes(data)
    try:
        store = SqliteStore.open(index)
    except IndexError_ as error:
        assert str(error).endswith(REBUILD)
        return
    try:
        for _ in range(2):
            everything(store)
    except IndexError_ as error:
        assert str(error).endswith(REBUILD)
    finally:
        store.close()


@pytest.mark.parametrize("seed", range(20))
def test_writing_to_a_damaged_database_gives_the_sentence_or_works(index: Path, seed: int) -> None:
    file = database(index)
    data = bytearray(file.read_bytes())
    garble(data, random.Random(seed))
    file.write_bytes(data)
    try:
        store = SqliteStore.open(index, wait=1)
    except IndexError_:
        return
    try:
        fill(store, random_files(2), rebuild=False)
    except IndexError_ as error:
        assert str(error).endswith(REBUILD)
    store.close()
    SqliteStore.open(index, fresh=True, wait=1).write(rebuild=True).commit()


def set_version(path: Path, version: int) -> None:
    db = sqlite3.connect(database(path))
    db.execute(f"PRAGMA user_version = {version}")
    db.close()


def test_an_index_of_an_older_version_asks_for_a_rebuild(index: Path) -> None:
    set_version(index, 0)
    with pytest.raises(IndexOutdated) as raised:
        SqliteStore.open(index, create=True)
    assert str(raised.value).endswith(REBUILD)
    store = SqliteStore.open(index, create=True, fresh=True)
    fill(store, one_file(), rebuild=False)
    assert [f.path for f in store.files()] == ["a.py"]
    store.close()


def test_an_index_of_a_newer_version_is_refused(index: Path) -> None:
    store = SqliteStore.open(index)
    set_version(index, 99)
    with pytest.raises(IndexError_, match="written by a newer CodeGPS") as raised:
        store.write()
    store.close()
    for create in (False, True):
        with pytest.raises(IndexError_) as raised:
            SqliteStore.open(index, create=create)
        assert not isinstance(raised.value, IndexOutdated)
        assert str(raised.value).endswith(REBUILD)


def test_another_program_s_database_is_refused(index: Path) -> None:
    file = database(index)
    file.unlink()
    db = sqlite3.connect(file)
    db.execute("CREATE TABLE cookies (name TEXT)")
    db.close()
    with pytest.raises(IndexError_, match="it is not a database of CodeGPS") as raised:
        SqliteStore.open(index)
    assert str(raised.value).endswith(REBUILD)


# Full disks


def test_a_full_disk_leaves_the_old_graph_when_rebuilding(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SqliteStore.open(index)
    expected = everything(store)
    with monkeypatch.context() as patch:
        patch.setattr(writer, "TABLES", "PRAGMA max_page_count = 40;" + writer.TABLES)
        with pytest.raises(IndexError_) as raised:
            fill(store, file_graphs({f"{n}.py": [("f" * 200, Kind.Function, 1, 1)] for n in range(2000)}))
    assert str(raised.value).startswith(f"The disk is full: the index in {index} could not be written and stays as it")
    assert databases(index) == [database(index).name]
    assert everything(store) == expected
    fill(store, one_file())
    assert [f.path for f in store.files()] == ["a.py"]
    store.close()


def test_a_full_disk_leaves_the_old_graph_when_writing_in_place(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SqliteStore.open(index)
    expected = everything(store)

    def limited(db: sqlite3.Connection, where: folder.Folder) -> None:
        pool.check(db, where)
        db.execute("PRAGMA max_page_count = 1")

    big = file_graphs({p: [(f"{n}{'f' * 200}", Kind.Function, 1, 1) for n in range(2000)] for p in PATHS})
    with monkeypatch.context() as patch:
        patch.setattr(writer, "check", limited)
        with pytest.raises(IndexError_, match="The disk is full"):
            fill(store, big, rebuild=False)
    assert everything(store) == expected
    fill(store, big, rebuild=False)
    assert store.counts().files == len(PATHS)
    store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
@pytest.mark.parametrize("rebuild", [True, False])
def test_a_file_that_may_not_grow_leaves_the_old_graph(index: Path, rebuild: bool) -> None:
    program = (
        "import resource, sys; from pathlib import Path\n"
        "from codegps.stores.sqlite import SqliteStore\n"
        "from codegps.errors import IndexError_\n"
        "from tests.stores.graphs import file_graphs, fill; from codegps.model.kinds import Kind\n"
        "from tests.stores.randoms import PATHS\n"
        "store = SqliteStore.open(Path(sys.argv[1]), wait=1)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))\n"
        "big = file_graphs({p: [(f'{n}' + 'f' * 400, Kind.Function, 1, 1) for n in range(2000)] for p in PATHS})\n"
        "try: fill(store, big, rebuild=sys.argv[2] == 'True')\n"
        "except IndexError_ as error: print(error)\n"
        "store.write().rollback(); store.close()\n"
    )
    before = SqliteStore.open(index)
    expected = everything(before)
    before.close()
    done = subprocess.run(
        [sys.executable, "-c", program, str(index), str(rebuild)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.startswith(f"The index in {index} cannot be used (disk I/O error)")
    after = SqliteStore.open(index)
    assert everything(after) == expected
    after.close()


# Text, and how it is asked


def test_text_that_has_no_utf8_is_replaced(sqlite: SqliteStore) -> None:
    graphs = one_file()
    graphs += file_graphs({"1": [], "b.py": [(f"n{n}", Kind.Function, 1, 1) for n in range(40)]})[1:]
    last = graphs[1].symbols[-1]
    graphs[1].symbols[-1] = type(last)(
        last.key, "\ud800x", "\ud800x", last.kind, "b.py", 1, 1, 1, 1, last.parent, "python", 0, last.key
    )
    graphs[1].references = [Reference(EdgeKind.CALLS, last.key, "a.\udfff", 1, 1, Reason.unknown, "\udfff")]
    graphs[1].sites = Sites(["\ud800x"], [Block(0, -1, "body", 1)], [Call(0, "\udfff", None, 1, 1)], [])
    graphs[1].links = {"\ud800": b"1"}
    fill(sqlite, graphs)
    assert [s.qualified_name for s in sqlite.symbols_named("?x")] == ["?x"]
    assert len(sqlite.symbols_in("b.py")) == 41
    assert sqlite.symbol("b.py:\ud800x") == sqlite.symbol("b.py:?x")
    assert [r.name for r in sqlite.references_named(["\udfff"])] == ["a.?"]
    assert sqlite.links(["\ud800"]) == {"\ud800": [(2 << 20, b"1")]}
    sites = sqlite.sites("b.py")
    assert sites is not None
    assert (sites.owners, sites.calls[0].name) == (["?x"], "?")
    assert sqlite.file("\ud800") is None


def test_no_question_about_edges_reads_all_of_them(index: Path) -> None:
    db = sqlite3.connect(database(index))
    asked = 0
    for ends in questions._ENDS.values():  # pyright: ignore[reportPrivateUsage]
        for end in ends:
            plan = [row[3] for row in db.execute("EXPLAIN QUERY PLAN SELECT e.target " + end, ("[1]", 1))]
            assert [step for step in plan if step.startswith("SCAN e")] == []
            assert any(step.startswith("SEARCH e") for step in plan)
            asked += 1
    db.close()
    assert asked == 6
