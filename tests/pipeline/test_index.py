"""Building and refreshing: what is written, what is not, and that both give one graph."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codegps import pipeline
from codegps.changes import STATE, State
from codegps.errors import RootError
from codegps.folders import facts_folder
from codegps.format.export import export
from codegps.settings import Settings, load
from codegps.stores.memory import MemoryStore
from tests.discover.trees import git
from tests.pipeline.projects import SHOP, Root, clean

LONG_AGO = 1_000_000_000_000_000_000


def age(root: Root, *paths: str) -> None:
    """Makes files old enough for their times to be trusted."""
    for path in paths or [p.relative_to(root.path).as_posix() for p in root.path.rglob("*.py")]:
        os.utime(root.path / path, ns=(LONG_AGO, LONG_AGO))


def test_a_build_reports_what_it_did(root: Root) -> None:
    report = root.index()
    assert (report.changed, report.removed, report.skipped, report.rebuilt, report.diagnostics) == (4, 0, 0, "", [])
    assert report.counts.files == 4
    assert report.counts.symbols == len(root.symbols()) == 8
    assert root.calls() == [
        "main.py -> shop/cart.py:Cart",
        "main.py -> shop/cart.py:Cart.pay",
        "shop/cart.py:Cart.pay -> shop/prices.py:total",
        "shop/prices.py:total -> shop/prices.py:rounded",
    ]


def test_rows_say_what_lies_there(root: Root) -> None:
    root.index()
    row = root.store.file("shop/prices.py")
    assert row is not None
    found = (root.path / "shop/prices.py").stat()
    assert (row.language, row.size, row.mtime_ns, row.lines) == ("python", found.st_size, found.st_mtime_ns, 6)
    assert row.sha == git(root.path, "hash-object", "shop/prices.py").strip()


def test_files_are_numbered_in_order_of_their_paths(root: Root) -> None:
    root.index()
    assert [(row.path, row.key >> 20) for row in root.store.files()] == [
        ("main.py", 1),
        ("shop/__init__.py", 2),
        ("shop/cart.py", 3),
        ("shop/prices.py", 4),
    ]


def test_an_unchanged_tree_is_not_written(root: Root) -> None:
    age(root)
    root.index()
    before = root.store.generation()
    report = root.index()
    assert (report.changed, report.removed, report.counts.files) == (0, 0, 4)
    assert root.store.generation() == before
    assert root.refresh().changed == 0
    assert root.store.generation() == before


def test_young_files_are_read_again_and_not_written(root: Root) -> None:
    root.index()
    before = root.store.generation()
    assert root.index().changed == 0
    assert root.store.generation() == before


def test_a_change_that_leaves_size_and_time_is_noticed_while_the_file_is_young(root: Root) -> None:
    root.index()
    file = root.path / "shop/prices.py"
    time = file.stat().st_mtime_ns
    root.write({"shop/prices.py": SHOP["shop/prices.py"].replace("rounded", "ROUNDED")})
    os.utime(file, ns=(time, time))
    assert root.refresh().changed == 1
    assert "shop/prices.py:ROUNDED" in root.symbols()
    assert root.verify() == []


def test_a_new_time_without_a_new_content_is_noted_and_nothing_is_resolved(root: Root) -> None:
    age(root)
    root.index()
    os.utime(root.path / "main.py", ns=(LONG_AGO + 5, LONG_AGO + 5))
    report = root.refresh()
    assert (report.changed, report.removed) == (0, 0)
    row = root.store.file("main.py")
    assert row is not None
    assert row.mtime_ns == LONG_AGO + 5
    before = root.store.generation()
    root.refresh()
    assert root.store.generation() == before


def test_many_young_files_are_trusted_after_they_were_read_twice(tmp_path: Path) -> None:
    root = Root(tmp_path, {f"m{n}.py": f"x = {n}\n" for n in range(100)})
    root.index()
    state = msgspec.json.decode(root.store.meta(STATE) or "", type=State)
    young = max(row.mtime_ns for row in root.store.files())
    assert state.looked_ns > young, "the time noted is that of the second reading"
    root.close()


def test_an_edit_is_refreshed(root: Root) -> None:
    root.index()
    root.write({"shop/prices.py": "def total(cart):\n    return net(cart)\n\n\ndef net(x):\n    return x\n"})
    assert root.refresh().changed == 1
    assert root.calls()[-1] == "shop/prices.py:total -> shop/prices.py:net"
    assert root.verify() == []


def test_a_path_keeps_its_key_and_new_ones_get_the_next(root: Root) -> None:
    root.index()
    keys = {row.path: row.key for row in root.store.files()}
    root.write({"a_new.py": "def f(): pass\n", "shop/prices.py": "def total(c): return c\n"})
    root.refresh()
    now = {row.path: row.key >> 20 for row in root.store.files()}
    assert now == {path: key >> 20 for path, key in keys.items()} | {"a_new.py": 5}
    (root.path / "a_new.py").unlink()
    root.refresh()
    root.write({"b_new.py": ""})
    root.refresh()
    row = root.store.file("b_new.py")
    assert row is not None
    assert row.key >> 20 == 6, "no number is used twice"


def test_new_files_make_imports_resolve(tmp_path: Path) -> None:
    root = Root(tmp_path, {"a.py": "from b import f\n\nf()\n"})
    root.index()
    assert root.calls() == []
    root.write({"b.py": "def f(): pass\n"})
    assert root.refresh().changed == 1
    assert root.calls() == ["a.py -> b.py:f"]
    assert root.verify() == []
    root.close()


def test_deleted_files_leave_nothing(root: Root) -> None:
    root.index()
    (root.path / "shop/prices.py").unlink()
    report = root.refresh()
    assert (report.changed, report.removed) == (0, 1)
    assert not [s for s in root.symbols() if s.startswith("shop/prices.py")]
    assert root.calls() == ["main.py -> shop/cart.py:Cart", "main.py -> shop/cart.py:Cart.pay"]
    assert root.verify() == []


def test_renamed_files_and_folders_are_followed(root: Root) -> None:
    root.index()
    (root.path / "shop").rename(root.path / "store")
    report = root.refresh()
    assert (report.changed, report.removed) == (3, 3)
    assert root.verify() == []
    root.write({"main.py": "from store.cart import Cart\n\nCart().pay()\n"})
    root.write({"store/cart.py": SHOP["shop/cart.py"].replace("shop", "store")})
    root.refresh()
    assert root.calls()[1:3] == [
        "main.py -> store/cart.py:Cart.pay",
        "store/cart.py:Cart.pay -> store/prices.py:total",
    ]
    assert root.verify() == []


def test_a_file_that_becomes_a_folder_and_back(root: Root) -> None:
    root.index()
    (root.path / "shop/prices.py").unlink()
    root.write({"shop/prices.py/__init__.py": "def total(c): pass\n"})
    root.refresh()
    assert root.verify() == []
    shutil.rmtree(root.path / "shop/prices.py")
    root.write({"shop/prices.py": SHOP["shop/prices.py"]})
    root.refresh()
    assert root.verify() == []
    assert list(export(root.store)) == clean(root.path)


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")
def test_switching_branches(root: Root) -> None:
    git(root.path, "init", "-q")
    git(root.path, "add", "-A")
    git(root.path, "commit", "-q", "-m", "one")
    root.index()
    first = list(export(root.store))
    git(root.path, "checkout", "-q", "-b", "other")
    root.write({"shop/prices.py": "def total(cart, tax=0):\n    return cart\n", "extra.py": "import shop.cart\n"})
    (root.path / "main.py").unlink()
    git(root.path, "add", "-A")
    git(root.path, "commit", "-q", "-m", "two")
    root.refresh()
    assert root.verify() == []
    packs = sorted(facts_folder(root.path).glob("*.pack"))
    git(root.path, "checkout", "-q", "main")
    assert root.refresh().changed == 2
    assert list(export(root.store)) == first
    assert sorted(facts_folder(root.path).glob("*.pack")) == packs, "nothing had to be extracted"


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")
def test_worktrees_share_their_facts(root: Root, tmp_path: Path) -> None:
    git(root.path, "init", "-q")
    git(root.path, "add", "-A")
    git(root.path, "commit", "-q", "-m", "one")
    root.index()
    assert facts_folder(root.path) == root.path / ".git" / "codegps" / "facts"
    git(root.path, "worktree", "add", "-q", str(tmp_path / "side"), "-b", "side")
    side = Root(tmp_path / "side", {})
    packs = sorted(facts_folder(root.path).glob("*.pack"))
    assert side.index().changed == 4
    assert facts_folder(side.path) == facts_folder(root.path)
    assert sorted(facts_folder(root.path).glob("*.pack")) == packs
    assert list(export(side.store)) == list(export(root.store))
    assert git(side.path, "status", "--porcelain") == "", "the index ignores itself"
    side.write({"shop/prices.py": "def total(c): pass\n"})
    side.refresh()
    side.close()
    assert pipeline.gc(root.path, Settings()) == 0
    git(root.path, "worktree", "remove", "--force", str(tmp_path / "side"))
    assert pipeline.gc(root.path, Settings()) == 1
    assert root.index(rebuild=True).changed == 4


def test_without_its_facts_a_refresh_is_right_all_the_same(root: Root) -> None:
    root.index()
    shutil.rmtree(facts_folder(root.path))
    root.write({"shop/prices.py": "def total(cart):\n    return cart\n"})
    root.refresh()
    assert root.verify() == []


def test_damaged_facts_are_extracted_again(root: Root) -> None:
    root.index()
    for pack in facts_folder(root.path).glob("*.pack"):
        data = bytearray(pack.read_bytes())
        for at in range(0, len(data) - 2_000, 50):
            data[at] ^= 0x55
        pack.write_bytes(data)
    root.write({"shop/prices.py": "def total(cart):\n    return cart\n"})
    root.refresh()
    assert root.verify() == []


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_any_number_of_processes_gives_the_same_graph(tmp_path: Path, jobs: int) -> None:
    filler = f'FILLER = """{"what nobody reads " * 6_000}"""\n'
    files = {f"m{n}.py": f"from m{n - 1} import f as g\n\n\ndef f():\n    g()\n{filler}" for n in range(1, 12)}
    root = Root(tmp_path, files | {"m0.py": "def f(): pass\n"})
    root.index(jobs=jobs)
    assert root.calls() == sorted(f"m{n}.py:f -> m{n - 1}.py:f" for n in range(1, 12))
    assert list(export(root.store)) == clean(root.path)
    root.close()


def test_progress_tells_every_stage_in_order(root: Root) -> None:
    seen: list[tuple[str, int, int]] = []

    def note(stage: str, done: int, total: int) -> None:
        seen.append((stage, done, total))

    root.index(progress=note)
    assert list(dict.fromkeys(stage for stage, _, _ in seen)) == ["discover", "extract", "resolve", "store"]
    assert [s for s in seen if s[0] == "extract"][-1] == ("extract", 4, 4)


def test_who_stops_the_progress_stops_the_build(root: Root) -> None:
    class Stop(Exception):
        pass

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "resolve":
            raise Stop

    with pytest.raises(Stop):
        root.index(progress=stop)
    assert root.store.files() == []
    root.index()
    assert len(root.store.files()) == 4


def test_a_watchers_paths_are_the_only_ones_looked_at(root: Root) -> None:
    age(root)
    root.index()
    root.write({"shop/prices.py": "def total(c): pass\n", "main.py": "import shop\n"})
    assert root.refresh("shop/prices.py").changed == 1
    assert root.symbols()[-1] == "shop/prices.py:total"
    assert "main.py -> shop/cart.py:Cart" in root.calls()
    assert root.refresh().changed == 1
    assert root.verify() == []


@pytest.mark.parametrize("path", ["new.py", "shop", ".gitignore", "pyproject.toml", "../outside.py", "gone.py"])
def test_paths_that_say_more_than_an_edit_cost_a_look_at_everything(root: Root, path: str) -> None:
    root.write({"gone.py": ""})
    age(root)
    root.index()
    (root.path / "gone.py").unlink()
    root.write({"new.py": "def n(): pass\n", "shop/cart.py": "def c(): pass\n"})
    report = root.refresh(path)
    assert (report.changed, report.removed) == (2, 1)
    assert root.verify() == []


def test_no_paths_from_a_watcher_mean_no_look(root: Root) -> None:
    age(root)
    root.index()
    root.write({"new.py": "def n(): pass\n"})
    assert pipeline.refresh(root.path, root.store, Settings(), []).changed == 0


def test_settings_take_files_out_and_bring_them_back(root: Root) -> None:
    root.index()
    root.write({"codegps.toml": 'exclude = ["shop/prices.py"]\n'})
    assert root.refresh().removed == 1
    assert root.skips() == {"shop/prices.py": "excluded by the settings"}
    assert root.verify() == []
    (root.path / "codegps.toml").unlink()
    assert root.refresh().changed == 1
    assert root.skips() == {}
    assert root.verify() == []


def test_a_changed_project_file_resolves_imports_anew(tmp_path: Path) -> None:
    files = {"code/lib/a.py": "def f(): pass\n", "app.py": "from a import f\n\nf()\n", "code/x.py": "", "b/c.py": ""}
    root = Root(tmp_path, files)
    root.index()
    assert root.calls() == []
    root.write({"pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["code/lib"]\n'})
    report = root.refresh()
    assert (report.changed, report.removed) == (0, 0)
    assert root.calls() == ["app.py -> code/lib/a.py:f"]
    assert root.verify() == []
    before = root.store.generation()
    root.refresh()
    assert root.store.generation() == before
    root.write({"pyproject.toml": "[tool.setuptools\n"})
    root.refresh()
    assert root.calls() == []
    assert list(root.diagnostics()) == ["pyproject.toml"]
    root.write({"app.py": "from a import f\n\nf()\nf()\n"})
    root.refresh()
    assert list(root.diagnostics()) == ["pyproject.toml"], "it is broken still"
    (root.path / "pyproject.toml").unlink()
    root.refresh()
    assert root.diagnostics() == {}
    assert root.verify() == []
    root.close()


def test_a_graph_of_another_engine_is_rebuilt_with_a_word(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    root.index()
    monkeypatch.setattr(pipeline, "ENGINE", pipeline.ENGINE + 1)
    report = root.refresh()
    assert (report.changed, report.rebuilt) == (4, "The index was made by another version of CodeGPS.")
    assert root.refresh().rebuilt == ""
    assert root.verify() == []


def test_a_rebuild_starts_from_nothing(root: Root) -> None:
    root.index()
    root.write({"a.py": ""})
    root.refresh()
    report = root.index(rebuild=True)
    assert (report.changed, report.rebuilt) == (5, "")
    assert [row.key >> 20 for row in root.store.files()] == [1, 2, 3, 4, 5]


def test_verify_names_what_differs(root: Root) -> None:
    root.index()
    row = root.store.file("shop/prices.py")
    assert row is not None
    edges = [e for e in root.store.edges_in("shop/prices.py") if e.line != 2]
    writer = root.store.write()
    writer.put_edges(row.key, edges, root.store.references_in("shop/prices.py"), root.store.links_of(row.key))
    writer.commit()
    differences = root.verify()
    assert len(differences) == 1
    assert differences[0].startswith('only in a clean index: {"record":"edge","kind":"CALLS"')
    root.index(rebuild=True)
    assert root.verify() == []


def test_verify_leaves_nothing_behind(root: Root, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    assert root.verify() == []
    assert list(scratch.iterdir()) == []

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "_differences", interrupt)
    with pytest.raises(KeyboardInterrupt):
        root.verify()
    assert list(scratch.iterdir()) == []


def test_any_store_will_do(root: Root) -> None:
    store = MemoryStore()
    root.index()
    pipeline.index(root.path, store, load(root.path))
    root.write({"shop/prices.py": "def total(c): pass\n", "z.py": "import shop.prices\nshop.prices.total(1)\n"})
    pipeline.refresh(root.path, store, load(root.path))
    root.refresh()
    assert list(export(store)) == list(export(root.store))


def test_an_empty_root_has_an_empty_graph(tmp_path: Path) -> None:
    root = Root(tmp_path, {})
    report = root.index()
    assert (report.counts.files, report.changed, report.skipped) == (0, 0, 0)
    assert root.store.generation() > 0
    before = root.store.generation()
    root.index()
    assert root.store.generation() == before
    root.write({"a.py": "def f(): pass\n"})
    assert root.refresh().changed == 1
    assert root.verify() == []
    (root.path / "a.py").unlink()
    assert root.refresh().removed == 1
    assert root.verify() == []
    root.close()


def test_a_root_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(RootError, match=r"There is no folder .*nowhere\. Give the folder that holds the sources\."):
        pipeline.index(tmp_path / "nowhere", MemoryStore(), Settings())
    (tmp_path / "file").touch()
    with pytest.raises(RootError, match="There is no folder"):
        pipeline.index(tmp_path / "file", MemoryStore(), Settings())
