"""Whether anything changed: with the operating system's news, and without."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from codegps.serve.watch import Watcher, filesystem_of

MOUNTS = [
    "/dev/sda1 / ext4 rw 0 0",
    "server:/home /home nfs4 rw 0 0",
    "tmpfs /home/me/tmp tmpfs rw 0 0",
    "host:/x /mnt/my\\040share fuse.sshfs rw 0 0",
    "broken",
]


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/srv/code", "ext4"),
        ("/home/me/code", "nfs4"),
        ("/home/me/tmp/code", "tmpfs"),
        ("/mnt/my share/code", "fuse.sshfs"),
        ("/homestead", "ext4"),
    ],
)
def test_the_file_system_of_a_folder(folder: str, kind: str) -> None:
    assert filesystem_of(Path(folder), MOUNTS) == kind


@pytest.fixture
def watcher(tmp_path: Path) -> Generator[Watcher]:
    (tmp_path / ".codegps").mkdir()
    (tmp_path / "src").mkdir()
    made = Watcher(tmp_path, tmp_path / ".codegps")
    end = time.monotonic() + 10
    while not made.watching and time.monotonic() < end:
        time.sleep(0.01)
    if not made.watching:
        pytest.skip("the operating system does not watch here")
    assert made.changed() is None
    yield made
    made.close()


def test_nothing_changed(watcher: Watcher) -> None:
    assert [watcher.changed() for _ in range(3)] == [set(), set(), set()]


def test_a_change_is_known_at_once(watcher: Watcher, tmp_path: Path) -> None:
    for i in range(20):
        (tmp_path / "src" / "a.py").write_text(f"x = {i}")
        assert watcher.changed() == {"src/a.py"}
        assert watcher.changed() == set()


def test_new_folders_are_watched_too(watcher: Watcher, tmp_path: Path) -> None:
    (tmp_path / "src" / "new" / "deep").mkdir(parents=True)
    # News of the inner folder may be missing: what is new is looked at as a whole.
    assert "src/new" in (watcher.changed() or ())
    (tmp_path / "src" / "new" / "deep" / "b.py").write_text("")
    assert watcher.changed() == {"src/new/deep/b.py"}
    assert watcher.changed() == set()


def test_deletions_and_renames(watcher: Watcher, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    assert watcher.changed() == {"a.py"}
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    assert watcher.changed() == {"a.py", "b.py"}
    (tmp_path / "b.py").unlink()
    assert watcher.changed() == {"b.py"}
    assert watcher.changed() == set()


def test_thousands_of_changes_are_anything(watcher: Watcher, tmp_path: Path) -> None:
    for i in range(200):
        (tmp_path / "src" / f"{i}.py").write_text("")
    assert watcher.changed() is None
    assert watcher.changed() == set()


def test_our_own_writing_is_no_change(watcher: Watcher, tmp_path: Path) -> None:
    (tmp_path / ".codegps" / "graph-1.db").write_text("")
    assert watcher.changed() == set()


def test_in_git_only_what_decides_about_files_counts(watcher: Watcher, tmp_path: Path) -> None:
    (tmp_path / ".git" / "objects").mkdir(parents=True)
    watcher.changed()
    (tmp_path / ".git" / "objects" / "12").write_text("")
    assert watcher.changed() == set()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main")
    assert watcher.changed() is None


def test_without_its_folder_the_answer_is_anything(watcher: Watcher, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / ".codegps")
    assert [watcher.changed() for _ in range(5)] == [None] * 5
    assert not watcher.watching


def test_a_closed_watcher_says_anything(watcher: Watcher) -> None:
    watcher.close()
    assert watcher.changed() is None


def test_cookies_outside_the_root_cannot_be_heard(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "elsewhere").mkdir()
    made = Watcher(tmp_path / "root", tmp_path / "elsewhere")
    assert made.changed() is None
    assert made.changed() is None
    made.close()
    assert not made.watching


def test_where_watches_are_exhausted_every_answer_is_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from watchfiles import _rust_notify

    tried = threading.Event()

    def exhausted(*arguments: object) -> None:
        tried.set()
        raise OSError("OS file watch limit reached.")

    monkeypatch.setattr(_rust_notify, "RustNotify", exhausted)
    (tmp_path / ".codegps").mkdir()
    made = Watcher(tmp_path, tmp_path / ".codegps")
    assert tried.wait(10)
    assert [made.changed() for _ in range(3)] == [None, None, None]
    assert not made.watching
    made.close()
