"""Broken sources, full disks, killed processes: a clear answer, and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from codegps import pipeline
from codegps.errors import IndexError_, IndexLocked
from codegps.folders import facts_folder, index_folder
from codegps.format.export import export
from codegps.languages import LANGUAGES
from codegps.settings import load
from codegps.stores.sqlite import SqliteStore
from tests.pipeline.projects import SHOP, Root, clean

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows has no signals")
TEXT = "def first():\n    second()\n\n\ndef second():\n    größe = 1\n"


@pytest.mark.parametrize(
    "source",
    [
        TEXT.encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        b"# -*- coding: latin-1 -*-\n" + TEXT.encode("latin-1"),
        TEXT.encode("utf-16"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        TEXT.replace("ö", "\0ö").encode(),
        TEXT.encode("latin-1"),
        TEXT.encode() + b"x = foo(1,\n",
        TEXT.encode() + b's = """never closed\n',
        TEXT.encode()[:-4],
        b"x = foo(1,\n\n" + TEXT.encode(),
    ],
    ids=["utf8", "bom", "latin1", "utf16", "crlf", "cr", "nul", "undeclared", "bracket", "string", "cut", "before"],
)
def test_no_definition_of_a_damaged_source_is_lost(tmp_path: Path, source: bytes) -> None:
    root = Root(tmp_path, {"a.py": source})
    root.index()
    assert {"a.py:first", "a.py:second"} <= set(root.symbols())
    assert root.calls() == ["a.py:first -> a.py:second"]
    assert list(export(root.store)) == clean(root.path)
    root.close()


def test_binary_content_is_said(tmp_path: Path) -> None:
    root = Root(tmp_path, {"a.py": b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 9, "b.py": "def f(): pass\n"})
    report = root.index()
    assert [(d.file, d.line, d.message) for d in report.diagnostics] == [
        ("a.py", 1, "this is binary, or text in an unknown encoding; nothing of it was read")
    ]
    assert root.symbols() == ["a.py", "b.py", "b.py:f"]
    root.close()


def test_minified_scripts_are_skipped_and_not_read_at_every_look(tmp_path: Path) -> None:
    if "javascript" not in LANGUAGES:
        pytest.skip("needs a language whose sources are shipped minified")
    body = "".join(f"function f{n}(a,b){{return a+b;}}var v{n}=f{n}(1,2);" for n in range(200))
    root = Root(tmp_path, {"lib.js": body, "own.js": "function f() {}\n", "long.js": f'var s = "{"x" * 9_000}"\n'})
    root.index()
    assert root.skips() == {"lib.js": "minified"}
    assert sorted(row.path for row in root.store.files()) == ["long.js", "own.js"]
    before = root.store.generation()
    root.refresh()
    assert root.store.generation() == before
    root.write({"codegps.toml": 'include = ["lib.js"]\n'})
    assert root.refresh().changed == 1
    assert root.skips() == {}
    (root.path / "codegps.toml").unlink()
    root.refresh()
    assert root.skips() == {"lib.js": "minified"} or root.store.file("lib.js") is not None
    root.close()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_cannot_be_read_is_skipped_with_the_reason(root: Root) -> None:
    (root.path / "main.py").chmod(0)
    root.index()
    assert root.skips() == {"main.py": "cannot be read: Permission denied"}
    before = root.store.generation()
    root.refresh()
    assert root.store.generation() == before
    (root.path / "main.py").chmod(0o644)
    assert root.refresh().changed == 1
    assert root.skips() == {}


def test_a_file_that_vanishes_while_it_is_read_is_left_out(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    from codegps.gather import worker

    read = worker.read_source

    def late(folder: str, path: str) -> Any:
        if path == "main.py":
            (root.path / path).unlink(missing_ok=True)
        return read(folder, path)

    monkeypatch.setattr(worker, "read_source", late)
    root.index(jobs=1)
    assert [row.path for row in root.store.files()] == ["shop/__init__.py", "shop/cart.py", "shop/prices.py"]
    monkeypatch.undo()
    assert root.verify() == []


def test_a_file_that_changes_while_it_is_read_is_what_it_was_last(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    from codegps.gather import worker

    read = worker.read_source

    def late(folder: str, path: str) -> Any:
        if path == "main.py":
            root.write({path: "def changed(): pass\n"})
        return read(folder, path)

    monkeypatch.setattr(worker, "read_source", late)
    root.index(jobs=1)
    assert "main.py:changed" in root.symbols()
    row = root.store.file("main.py")
    assert row is not None
    assert row.size == 20
    monkeypatch.undo()
    assert root.refresh().changed == 0
    assert root.verify() == []


def test_a_file_that_fails_to_be_extracted_is_tried_again_only_by_a_rebuild(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    from codegps.languages.python import extractor

    extract = extractor.extract
    tried: list[str] = []

    def fail(content: bytes, path: str) -> Any:
        tried.append(path)
        if path == "prices.py":
            raise KeyError("lost")
        return extract(content, path)

    monkeypatch.setattr(extractor, "extract", fail)
    report = root.index(jobs=1)
    words = "nothing of this file was read, which is a fault in CodeGPS: KeyError: 'lost'"
    assert [(d.file, d.message) for d in report.diagnostics] == [("shop/prices.py", words)]
    assert "shop/cart.py:Cart.pay" in root.symbols()
    tried.clear()
    root.write({"main.py": "from shop.prices import total\n\ntotal(1)\n"})
    root.refresh()
    assert tried == ["main.py"]
    monkeypatch.undo()
    report = root.index(rebuild=True)
    assert report.diagnostics == []
    assert "main.py -> shop/prices.py:total" in root.calls()


# --- processes that die -----------------------------------------------------------------------------------------------

INDEX = textwrap.dedent("""
    import os, signal, sys
    from pathlib import Path
    from codegps import pipeline
    from codegps.folders import index_folder
    from codegps.settings import load
    from codegps.stores.sqlite import SqliteStore

    root, stage, at, deed = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]

    def progress(now, done, total):
        if now == stage and done >= at:
            if deed == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            if deed == "interrupt":
                os.kill(os.getpid(), signal.SIGINT)
            if deed == "say":
                print("here", flush=True)
                sys.stdin.readline()

    store = SqliteStore.open(index_folder(root), create=True)
    try:
        pipeline.index(root, store, load(root), rebuild="rebuild" in sys.argv, jobs=2, progress=progress)
    except KeyboardInterrupt:
        sys.exit(130)
""")
STAGES = [("discover", 0), ("extract", 1), ("extract", 9), ("resolve", 0), ("resolve", 3), ("store", 0)]


def index(root: Path, stage: str, at: int, deed: str, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", INDEX, str(root), stage, str(at), deed, *more]
    return subprocess.Popen(
        command, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def large() -> dict[str, str]:
    """Enough that workers are started."""
    filler = f'FILLER = """{"what nobody reads " * 8_000}"""\n'
    return {f"m{n}.py": f"from m{n - 1} import f as g\n\n\ndef f():\n    g()\n{filler}" for n in range(1, 10)}


@POSIX
@pytest.mark.parametrize(("stage", "at"), STAGES)
@pytest.mark.parametrize(("deed", "status"), [("kill", -9), ("interrupt", 130)])
def test_a_first_index_that_ends_early_leaves_nothing_half(
    tmp_path: Path, stage: str, at: int, deed: str, status: int
) -> None:
    root = Root(tmp_path, large())
    process = index(root.path, stage, at, deed)
    _, errors = process.communicate()
    assert process.returncode == status, errors
    assert root.store.files() == []
    report = root.index()
    assert report.changed == 9
    assert list(export(root.store)) == clean(root.path)
    root.close()


@POSIX
@pytest.mark.parametrize(("stage", "at"), STAGES)
@pytest.mark.parametrize(("deed", "status"), [("kill", -9), ("interrupt", 130)])
@pytest.mark.parametrize("more", ["", "rebuild"])
def test_the_old_graph_is_still_there_when_a_refresh_or_rebuild_ends_early(
    tmp_path: Path, stage: str, at: int, deed: str, status: int, more: str
) -> None:
    files = large()
    root = Root(tmp_path, files)
    root.index()
    before = list(export(root.store))
    root.write({path: text.replace("def f", "def other(): pass\ndef f") for path, text in files.items()})
    process = index(root.path, stage, at, deed, more)
    _, errors = process.communicate()
    assert process.returncode == status, errors
    assert list(export(root.store)) == before
    assert root.refresh().changed == 9
    assert list(export(root.store)) == clean(root.path)
    folder = index_folder(root.path)
    assert len([p for p in folder.iterdir() if p.suffix == ".db"]) == 1, "the dead process's database is gone"
    root.close()


@POSIX
def test_ctrl_c_ends_the_workers(tmp_path: Path) -> None:
    root = Root(tmp_path, {f"deep{n}.py": f"x = {'[' * 60}{']' * 60}\n" * 4_000 for n in range(6)})
    process = index(root.path, "none", 0, "none")
    children: list[int] = []
    for _ in range(400):
        listed = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False).stdout
        children = [int(word) for word in listed.split()]
        if len(children) == 2:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode in (0, 130)
    assert not [child for child in children if _lives(child)]
    root.close()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


# --- many at once -----------------------------------------------------------------------------------------------------


def test_a_second_indexer_waits_and_finds_the_work_done(root: Root) -> None:
    first = index(root.path, "resolve", 0, "say")
    assert first.stdout is not None
    assert first.stdout.readline() == "here\n"
    second = index(root.path, "extract", 0, "none")
    time.sleep(0.3)
    assert second.poll() is None, "it waits"
    first.communicate("\n" * 50)
    second.communicate()
    assert (first.returncode, second.returncode) == (0, 0)
    assert len(root.store.files()) == 4
    assert root.store.generation() == root.store.generation()
    assert list(export(root.store)) == clean(root.path)


def test_a_second_indexer_that_will_not_wait_is_told_who_writes(root: Root) -> None:
    first = index(root.path, "resolve", 0, "say")
    assert first.stdout is not None
    assert first.stdout.readline() == "here\n"
    impatient = SqliteStore.open(index_folder(root.path), create=True, wait=0.1)
    try:
        with pytest.raises(IndexLocked, match=rf"process {first.pid} "):
            pipeline.index(root.path, impatient, load(root.path))
    finally:
        impatient.close()
        first.communicate("\n" * 50)
    assert first.returncode == 0


READ = textwrap.dedent("""
    import sys
    from pathlib import Path
    from codegps.folders import index_folder
    from codegps.stores.sqlite import SqliteStore

    store = SqliteStore.open(index_folder(Path(sys.argv[1])))
    seen = set()
    while not Path(sys.argv[2]).exists():
        with store.snapshot():
            files = {row.path: row for row in store.files()}
            symbols = [s for s in store.all_symbols() if s.name.startswith("version")]
            # Every commit gives all files the same version.
            assert len(files) == 9, len(files)
            assert len({s.name for s in symbols}) == 1, symbols
            assert len(symbols) == 9, symbols
            seen.add(symbols[0].name)
    assert seen
""")


def test_two_write_and_ten_read_and_all_see_whole_graphs(tmp_path: Path) -> None:
    files = {f"m{n}.py": "def version0(): pass\n" for n in range(9)}
    root = Root(tmp_path / "root", files)
    root.index()
    stop = tmp_path / "stop"
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READ, str(root.path), str(stop)],
            env=ENVIRONMENT,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(10)
    ]
    try:
        for version in range(1, 4):
            root.write(dict.fromkeys(files, f"def version{version}(): pass\n# {version}\n"))
            writers = [index(root.path, "none", 0, "none", *(["rebuild"] if version == 2 else [])) for _ in range(2)]
            for writer in writers:
                _, errors = writer.communicate()
                assert writer.returncode == 0, errors
    finally:
        stop.touch()
    for reader in readers:
        _, errors = reader.communicate()
        assert reader.returncode == 0, errors
    assert list(export(root.store)) == clean(root.path)
    root.close()


# --- disks and folders ------------------------------------------------------------------------------------------------

LIMITED = textwrap.dedent("""
    import resource, signal, sys
    from pathlib import Path
    from codegps import pipeline
    from codegps.errors import CodeGPSError
    from codegps.folders import index_folder
    from codegps.settings import load
    from codegps.stores.sqlite import SqliteStore

    root = Path(sys.argv[1])
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
    store = SqliteStore.open(index_folder(root), create=True)
    try:
        pipeline.index(root, store, load(root), rebuild=True, jobs=1)
    except CodeGPSError as error:
        print(error)
        sys.exit(7)
""")


@pytest.mark.skipif(os.name == "nt", reason="needs a limit on the size of files")
@pytest.mark.parametrize("limit", [4_096, 40_000, 100_000])
def test_a_disk_that_takes_no_more_leaves_the_old_graph(tmp_path: Path, limit: int) -> None:
    files = {f"m{n}.py": "".join(f"def f{i}():\n    f{i - 1}()\n\n\n" for i in range(100)) for n in range(10)}
    root = Root(tmp_path, files)
    root.index()
    before = list(export(root.store))
    root.write({"m0.py": "def changed(): pass\n"})
    command = [sys.executable, "-c", LIMITED, str(root.path), str(limit)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 7, done.stderr
    assert "disk" in done.stdout.lower()
    assert "Traceback" not in done.stderr
    assert list(export(root.store)) == before
    assert root.refresh().changed == 1
    assert list(export(root.store)) == clean(root.path)
    root.close()


def test_facts_that_cannot_be_kept_do_not_stop_a_build(root: Root) -> None:
    facts_folder(root.path).write_text("in the way")
    assert root.index().changed == 4
    root.write({"shop/prices.py": "def total(cart): pass\n"})
    assert root.refresh().changed == 1
    assert list(export(root.store)) == clean(root.path)


def test_a_root_that_cannot_be_written_has_its_index_in_the_users_cache(
    root: Root, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    (root.path / ".codegps").write_text("no folder can be made here")
    folder = index_folder(root.path)
    assert folder.is_relative_to(tmp_path / "cache")
    assert folder == index_folder(root.path)
    assert root.index().changed == 4
    assert facts_folder(root.path) == folder / "facts"
    assert [row.path for row in root.store.files()] == sorted(SHOP)


def test_where_nothing_can_be_written_that_is_said(root: Root, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").touch()
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    (root.path / ".codegps").write_text("no folder can be made here")
    with pytest.raises(Exception, match="so there is no place for the index") as caught:
        index_folder(root.path)
    assert not isinstance(caught.value, IndexError_)
