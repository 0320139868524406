"""Processes that die or meet: killed at random and at the worst moments, the old graph or the new one is there."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codegps.errors import IndexLocked
from codegps.model.kinds import EdgeKind, Kind
from codegps.stores.sqlite import SqliteStore
from tests.stores.graphs import at, file_graphs, fill

PATHS = [f"src/{n}.py" for n in range(40)]


def write(store: SqliteStore, mark: int, rebuild: bool) -> None:
    """All files of the graph say the same number."""
    rows = [(f"f{n}", Kind.Function, mark, mark) for n in range(30)]
    edges = [(f"{path}:f{n}", "CALLS", f"{PATHS[0]}:f{n}", mark, n + 1) for path in PATHS for n in range(30)]
    writer = store.write(rebuild=rebuild)
    for graph in file_graphs(dict.fromkeys(PATHS, rows), edges):
        writer.put(graph)
    writer.put_meta("mark", str(mark))
    writer.commit()


def read(store: SqliteStore) -> int:
    """The number that the whole graph says; fails where it says two."""
    with store.snapshot():
        mark = int(store.meta("mark") or -1)
        assert [f.path for f in store.files()] == sorted(PATHS)
        assert {s.end_line for s in store.all_symbols([Kind.Function])} == {mark}
        called = store.neighbours([at(store, f"{PATHS[0]}:f7").key], tuple(EdgeKind), "in")
        assert [e.line for e in called] == [mark] * len(PATHS)
        assert store.counts().resolved == 30 * len(PATHS)
    return mark


WRITER = """
import sys
from pathlib import Path
from codegps.stores.sqlite import SqliteStore
from tests.stores.test_crashes import write
store = SqliteStore.open(Path(sys.argv[1]), create=True, wait=5)
mark = int(store.meta("mark") or 0)
print("ready", flush=True)
while True:
    mark += 1
    write(store, mark, rebuild=mark % 3 == 0)
    print(mark, flush=True)
"""

DYING = """
import os, sys
from pathlib import Path
from codegps.stores.sqlite import SqliteStore, folder, writer
from tests.stores.test_crashes import write
store = SqliteStore.open(Path(sys.argv[1]), wait=5)
def die(*_): os._exit(9)
if sys.argv[2] == "before the swap":
    folder.Folder.point_to = die
elif sys.argv[2] == "in the swap":
    folder.os.replace = die
elif sys.argv[2] == "after the swap":
    point_to = folder.Folder.point_to
    folder.Folder.point_to = lambda self, name: (point_to(self, name), die())
elif sys.argv[2] == "while filling":
    add = writer.SqliteWriter._add
    left = [90]
    def dying(self, table, rows):
        left[0] -= 1
        left[0] or die()
        add(self, table, rows)
    writer.SqliteWriter._add = dying
elif sys.argv[2] == "after the commit":
    writer.SqliteWriter._empty_log = die
write(store, 2, rebuild=sys.argv[3] == "rebuild")
"""


def python(program: str, *arguments: object) -> subprocess.Popen[str]:
    root = Path(__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)], stdout=subprocess.PIPE, text=True, cwd=root
    )


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """A folder whose graph says 1."""
    path = tmp_path / ".codegps"
    store = SqliteStore.open(path, create=True)
    write(store, 1, rebuild=True)
    store.close()
    return path


@pytest.mark.parametrize("seed", range(12))
def test_a_writer_killed_at_any_moment_leaves_a_whole_graph_and_no_lock(index: Path, seed: int) -> None:
    with python(WRITER, index) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        time.sleep(random.Random(seed).uniform(0, 0.12))
        writer.kill()
        said = [int(line) for line in writer.stdout.read().split()]
    store = SqliteStore.open(index, wait=1)
    mark = read(store)
    # A commit that was reported is there; one more may have been finished unreported.
    assert mark - max(said, default=1) in (0, 1)
    write(store, mark + 1, rebuild=seed % 2 == 0)
    assert read(store) == mark + 1
    assert len(list(index.glob("graph-*.db"))) == 1
    store.close()


@pytest.mark.parametrize(
    ("moment", "how", "left"),
    [
        ("while filling", "rebuild", 1),
        ("while filling", "in place", 1),
        ("before the swap", "rebuild", 1),
        ("in the swap", "rebuild", 1),
        ("after the swap", "rebuild", 2),
        ("after the commit", "in place", 2),
    ],
)
def test_a_writer_that_dies_at_the_worst_moment_leaves_a_whole_graph(
    index: Path, moment: str, how: str, left: int
) -> None:
    reader = SqliteStore.open(index, wait=1)
    before = reader.generation()
    with python(DYING, index, moment, how) as writer:
        assert writer.wait() == 9
    assert read(reader) == left
    assert (reader.generation() > before) == (left == 2)
    write(reader, 3, rebuild=False)
    assert read(reader) == 3
    assert len(list(index.glob("graph-*.db"))) == 1
    assert list(index.glob("current.*")) == []
    reader.close()


def test_readers_and_two_writers_in_several_processes_see_whole_graphs(index: Path) -> None:
    store = SqliteStore.open(index, wait=30)
    with python(WRITER, index) as first, python(WRITER, index) as second:
        try:
            generation = store.generation()
            seen = 0
            while seen < 25:
                read(store)
                now = store.generation()
                assert now >= generation
                seen += now > generation
                generation = now
            write(store, 1000, rebuild=False)
        finally:
            first.kill()
            second.kill()
    read(store)
    store.close()


HOLDER = """
import os, sys, time
from pathlib import Path
from codegps.stores.sqlite import SqliteStore
store = SqliteStore.open(Path(sys.argv[1]))
writer = store.write(rebuild=sys.argv[2] == "rebuild")
child = os.fork() if sys.argv[2] == "fork" else None
if child != 0:
    print(child, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("how", ["rebuild", "in place"])
def test_a_writer_in_another_process_is_named_and_its_death_lets_go(index: Path, how: str) -> None:
    store = SqliteStore.open(index, wait=0.1)
    with python(HOLDER, index, how) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(IndexLocked) as raised:
            store.write()
        assert f"is being written by process {holder.pid} on " in str(raised.value)
        assert read(store) == 1
        holder.kill()
    fill(store, file_graphs({"a.py": []}))
    assert [f.path for f in store.files()] == ["a.py"]
    store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_worker_that_outlives_its_killed_parent_holds_no_lock(index: Path) -> None:
    store = SqliteStore.open(index, wait=1)
    with python(HOLDER, index, "fork") as holder:
        assert holder.stdout is not None
        orphan = int(holder.stdout.readline())
        holder.kill()
        holder.wait()
        try:
            store.write().rollback()
        finally:
            os.kill(orphan, 9)
    store.close()
