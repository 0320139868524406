"""Trees in git: its listing is the tree, with submodules; other worktrees and ignored roots."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.discover.trees import git, look, paths, skips, write

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")


def checkout(folder: Path, files: dict[str, str | bytes]) -> Path:
    write(folder, files)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    return folder


def test_tracked_and_new_files_are_listed_ignored_and_deleted_ones_not(tmp_path: Path) -> None:
    checkout(tmp_path, {"a.py": "", "gone.py": "", ".gitignore": "*_gen.py\n", "deep/b.py": ""})
    write(tmp_path, {"new.py": "", "x_gen.py": "", "deep/new.py": ""})
    (tmp_path / "gone.py").unlink()
    assert paths(look(tmp_path)) == ["a.py", "deep/b.py", "deep/new.py", "new.py"]


def test_a_tracked_file_is_listed_although_it_is_ignored(tmp_path: Path) -> None:
    checkout(tmp_path, {"a_gen.py": ""})
    write(tmp_path, {".gitignore": "*_gen.py\n", "b_gen.py": ""})
    assert paths(look(tmp_path)) == ["a_gen.py"]


def test_gits_private_ignore_file_counts(tmp_path: Path) -> None:
    checkout(tmp_path, {"a.py": ""})
    write(tmp_path, {"b.py": "", ".git/info/exclude": "b.py\n"})
    assert paths(look(tmp_path)) == ["a.py"]


def test_a_root_below_the_checkouts_top_has_its_own_paths(tmp_path: Path) -> None:
    checkout(tmp_path, {"a.py": "", "sub/b.py": "", ".gitignore": "*_gen.py\n", "sub/c_gen.py": ""})
    assert paths(look(tmp_path / "sub")) == ["b.py"]


def test_a_root_that_git_ignores_is_walked(tmp_path: Path) -> None:
    checkout(tmp_path, {"a.py": "", ".gitignore": "work/\n"})
    write(tmp_path, {"work/b.py": "", "work/deep/c.py": "", "work/.gitignore": "d.py", "work/d.py": ""})
    assert paths(look(tmp_path / "work")) == ["b.py", "deep/c.py"]


def test_a_file_in_conflict_is_listed_once(tmp_path: Path) -> None:
    checkout(tmp_path, {"a.py": "x = 1\n"})
    git(tmp_path, "checkout", "-q", "-b", "other")
    write(tmp_path, {"a.py": "x = 2\n"})
    git(tmp_path, "commit", "-q", "-a", "-m", "two")
    git(tmp_path, "checkout", "-q", "main")
    write(tmp_path, {"a.py": "x = 3\n"})
    git(tmp_path, "commit", "-q", "-a", "-m", "three")
    with pytest.raises(Exception, match="merge"):
        git(tmp_path, "merge", "-q", "other")
    assert paths(look(tmp_path)) == ["a.py"]


def test_submodules_are_entered_at_every_depth(tmp_path: Path) -> None:
    inner = checkout(tmp_path / "inner", {"i.py": "", ".gitignore": "skip.py\n"})
    middle = checkout(tmp_path / "middle", {"m.py": ""})
    git(middle, "submodule", "add", "-q", str(inner), "libs/inner")
    git(middle, "commit", "-q", "-m", "add inner")
    top = checkout(tmp_path / "top", {"t.py": ""})
    git(top, "submodule", "add", "-q", str(middle), "middle.js")
    git(top, "submodule", "update", "-q", "--init", "--recursive")
    write(top, {"middle.js/new.py": "", "middle.js/libs/inner/skip.py": ""})
    tree = look(top)
    assert paths(tree) == ["middle.js/libs/inner/i.py", "middle.js/m.py", "middle.js/new.py", "t.py"]
    assert tree.skips == []


def test_a_submodule_that_was_not_fetched_is_empty(tmp_path: Path) -> None:
    inner = checkout(tmp_path / "inner", {"i.py": ""})
    top = checkout(tmp_path / "top", {"t.py": ""})
    git(top, "submodule", "add", "-q", str(inner), "inner")
    git(top, "commit", "-q", "-m", "add inner")
    git(tmp_path, "clone", "-q", str(top), "clone")
    tree = look(tmp_path / "clone")
    assert (paths(tree), tree.skips) == (["t.py"], [])


def test_another_checkout_inside_is_entered(tmp_path: Path) -> None:
    top = checkout(tmp_path, {"t.py": ""})
    checkout(top / "nested", {"n.py": "", ".gitignore": "x.py\n"})
    write(top, {"nested/x.py": ""})
    assert paths(look(top)) == ["nested/n.py", "t.py"]


def test_a_worktree_of_the_same_repository_inside_is_skipped(tmp_path: Path) -> None:
    top = checkout(tmp_path, {"t.py": ""})
    git(top, "worktree", "add", "-q", "trees/side", "-b", "side")
    tree = look(top)
    assert paths(tree) == ["t.py"]
    assert skips(tree) == {"trees/side/": "another worktree of this repository"}
    assert paths(look(top / "trees" / "side")) == ["t.py"]


def test_a_folder_of_checkouts_lists_each_as_its_git_does(tmp_path: Path) -> None:
    checkout(tmp_path / "one", {"a.py": "", ".gitignore": "x.py\n"})
    checkout(tmp_path / "two", {"b.py": ""})
    write(tmp_path, {"one/x.py": "", "loose.py": ""})
    assert paths(look(tmp_path)) == ["loose.py", "one/a.py", "two/b.py"]


def test_a_build_folder_under_version_control_is_a_source_but_not_what_a_package_publishes(tmp_path: Path) -> None:
    checkout(
        tmp_path, {"build/tasks.js": "", "dist/lib.js": "", "package.json": "", "py/dist/a.py": "", "vendor/v.py": ""}
    )
    write(tmp_path, {"web/build/new.js": ""})
    tree = look(tmp_path)
    assert paths(tree) == ["build/tasks.js", "py/dist/a.py"]
    assert skips(tree) == {
        "dist/": "build output",
        "vendor/": "vendored: other people's code",
        "web/build/": "build output",
    }


def test_an_environment_that_git_does_not_ignore_is_skipped(tmp_path: Path) -> None:
    checkout(tmp_path, {"a.py": ""})
    write(tmp_path, {"mine/pyvenv.cfg": "", "mine/lib/x.py": ""})
    tree = look(tmp_path)
    assert paths(tree) == ["a.py"]
    assert skips(tree) == {"mine/": "an installed environment"}


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links_are_skipped_with_reasons(tmp_path: Path) -> None:
    checkout(tmp_path, {"a.py": "", "pkg/b.py": ""})
    (tmp_path / "alias.py").symlink_to("a.py")
    (tmp_path / "same").symlink_to("pkg")
    git(tmp_path, "add", "-A")
    tree = look(tmp_path)
    assert paths(tree) == ["a.py", "pkg/b.py"]
    assert skips(tree) == {"alias.py": "symbolic link to a.py", "same": "symbolic link to pkg"}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has names of any bytes")
def test_odd_names_come_through_git(tmp_path: Path) -> None:
    write(tmp_path, {"new\nline.py": "", "ümlaut.py": "", "tab\tname.py": ""})
    checkout(tmp_path, {"a.py": ""})
    (tmp_path / os.fsdecode(b"caf\xe9.py")).write_bytes(b"")
    tree = look(tmp_path)
    assert paths(tree) == ["a.py", "new\nline.py", "tab\tname.py", "ümlaut.py"]
    assert skips(tree) == {"caf\\xe9.py": "its name is not valid UTF-8"}


def test_a_hooks_environment_does_not_show_another_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = checkout(tmp_path / "other", {"o.py": ""})
    mine = checkout(tmp_path / "mine", {"m.py": ""})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    assert paths(look(mine)) == ["m.py"]


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_a_repositorys_settings_start_no_program(tmp_path: Path) -> None:
    checkout(tmp_path, {"a.py": ""})
    program = tmp_path / "watch.sh"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    program.chmod(0o755)
    git(tmp_path, "config", "core.fsmonitor", str(program))
    assert paths(look(tmp_path)) == ["a.py"]
    assert not (tmp_path / "started").exists()


def test_without_git_a_checkout_is_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout(tmp_path, {"a.py": "", ".gitignore": "x.py\n"})
    write(tmp_path, {"x.py": "", "new.py": ""})
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert paths(look(tmp_path)) == ["a.py", "new.py"]


def test_a_broken_checkout_is_walked(tmp_path: Path) -> None:
    write(tmp_path, {".git": "gitdir: ../nothing\n", "a.py": "", ".gitignore": "x.py\n", "x.py": ""})
    assert paths(look(tmp_path)) == ["a.py"]


def test_walking_and_git_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: dict[str, str | bytes] = {
        ".gitignore": "*.log.py\n/top.py\nlib/**/x.py\n!keep.log.py\n# no\n\\#odd.py\ntrail \n",
        "lib/.gitignore": "!/y/x.py\nz*/\n",
    }
    names = ["a.log.py", "keep.log.py", "top.py", "#odd.py", "trail/t.py", "lib/x.py", "lib/y/x.py", "lib/y/q/x.py"]
    names += ["lib/zed/a.py", "lib/zed.py", "sub/top.py", "sub/a.log.py", "lib/keep.log.py"]
    write(tmp_path, files | dict.fromkeys(names, ""))
    walked = paths(look(tmp_path))
    git(tmp_path, "init", "-q")
    listed = paths(look(tmp_path))
    assert walked == listed
    assert walked == ["keep.log.py", "lib/keep.log.py", "lib/y/x.py", "lib/zed.py", "sub/top.py"]
