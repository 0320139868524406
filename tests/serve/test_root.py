"""Rule 13: which folder is the root, and how FILE is read on the command line."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from codegps.errors import RootError
from codegps.serve.root import find_root, inside


def test_the_nearest_index_wins_over_the_git_root(tmp_path: Path) -> None:
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "a" / ".codegps").mkdir()
    (tmp_path / "a" / "b" / ".git").mkdir()
    assert find_root(tmp_path / "a" / "b" / "c") == tmp_path / "a"


def test_without_an_index_the_git_root_counts(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    # A worktree's `.git` is a file.
    (tmp_path / ".git").write_text("gitdir: elsewhere")
    assert find_root(tmp_path / "a" / "b") == tmp_path


def test_without_either_the_folder_itself(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    # Above may lie a checkout of whoever runs the tests.
    if find_root(tmp_path) == tmp_path:
        assert find_root(folder) == folder


def test_a_given_root_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a").mkdir()
    assert find_root(tmp_path, "a") == tmp_path / "a"


def test_a_missing_root(tmp_path: Path) -> None:
    with pytest.raises(RootError, match=r"There is no folder .*nowhere"):
        find_root(tmp_path, "nowhere")


def test_a_file_as_root(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    with pytest.raises(RootError, match="is a file"):
        find_root(tmp_path, "f")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is unreadable here")
def test_an_unreadable_root(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir(mode=0)
    with pytest.raises(RootError, match="permission denied"):
        find_root(tmp_path, "a")


def test_a_root_with_a_nul_byte(tmp_path: Path) -> None:
    with pytest.raises(RootError):
        find_root(tmp_path, "a\0b")


def test_files_are_relative_to_the_working_folder(tmp_path: Path) -> None:
    (tmp_path / "src" / "app").mkdir(parents=True)
    assert inside(tmp_path, tmp_path / "src" / "app", "main.py") == "src/app/main.py"
    assert inside(tmp_path, tmp_path / "src" / "app", "../lib.py") == "src/lib.py"
    assert inside(tmp_path, tmp_path, str(tmp_path / "src" / "x.py")) == "src/x.py"


def test_asked_from_outside_files_are_the_roots(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    assert inside(tmp_path / "project", tmp_path, "src/x.py") == "src/x.py"
    assert inside(tmp_path / "project", tmp_path, "project/src/x.py") == "src/x.py"


def test_what_lies_outside_is_handed_on_for_the_tool_to_refuse(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    assert inside(tmp_path / "project", tmp_path / "project", "../../etc/passwd") == "../../etc/passwd"
    assert inside(tmp_path / "project", tmp_path / "project", "/etc/passwd") == "/etc/passwd"


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_working_folder_that_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "real" / "src").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert inside(tmp_path / "real", tmp_path / "link" / "src", "x.py") == "src/x.py"
