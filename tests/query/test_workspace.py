"""Paths that callers give, good and hostile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codegps.errors import ToolError
from codegps.query.workspace import inside


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root" / "src").mkdir(parents=True)
    (tmp_path / "root" / "src" / "a.py").write_text("")
    (tmp_path / "rooted").mkdir()
    (tmp_path / "rooted" / "a.py").write_text("")
    return tmp_path / "root"


@pytest.mark.parametrize(
    ("path", "relative"),
    [
        ("src/a.py", "src/a.py"),
        ("./src/a.py", "src/a.py"),
        ("src\\a.py", "src/a.py"),
        ("src/../src/a.py", "src/a.py"),
        ("../root/src/a.py", "src/a.py"),
        ("nowhere/at/all.py", "nowhere/at/all.py"),
        (".", "."),
        ("src/", "src"),
        ("..a/b", "..a/b"),
    ],
)
def test_paths_inside_become_relative_to_the_root(root: Path, path: str, relative: str) -> None:
    assert inside(root, path) == relative


def test_an_absolute_path_inside_is_fine(root: Path) -> None:
    assert inside(root, str(root / "src" / "a.py")) == "src/a.py"
    assert inside(root, str(root)) == "."


@pytest.mark.parametrize(
    "path",
    [
        "../../etc/passwd",
        "..",
        "src/../../rooted/a.py",
        "..\\..\\etc\\passwd",
        "/etc/passwd",
        "//server/share/a.py",
        "\\\\server\\share\\a.py",
        "../rooted/a.py",
    ],
)
def test_paths_outside_are_refused(root: Path, path: str) -> None:
    with pytest.raises(ToolError, match=r"is outside the workspace\. Give a path inside it, relative to its root\."):
        inside(root, path)


def test_the_neighbour_whose_name_begins_like_the_root_is_outside(root: Path) -> None:
    with pytest.raises(ToolError, match="outside the workspace"):
        inside(root, str(root.parent / "rooted" / "a.py"))


def test_links_out_of_the_workspace_are_refused(root: Path) -> None:
    try:
        (root / "out").symlink_to(root.parent / "rooted")
        (root / "loop").symlink_to(root / "loop")
    except OSError:
        pytest.skip("no links on this system")
    for path in ("out", "out/a.py", "src/../out/a.py", "out/nothing.py"):
        with pytest.raises(ToolError, match="outside the workspace"):
            inside(root, path)
    assert inside(root, "loop/a.py") == "loop/a.py"
    # Nothing of `out` is followed: the path that is handed back has no `..` left.
    assert inside(root, "out/../src/a.py") == "src/a.py"


def test_a_root_that_is_reached_by_a_link_is_the_same_root(root: Path) -> None:
    try:
        (root.parent / "alias").symlink_to(root)
    except OSError:
        pytest.skip("no links on this system")
    assert inside(root, str(root.parent / "alias" / "src" / "a.py")) == "src/a.py"
    assert inside(root.parent / "alias", str(root / "src" / "a.py")) == "src/a.py"


@pytest.mark.parametrize("path", ["a\0b", "a\nb", "src/\x1b[31m.py", "a\x7f", "\ud800"])
def test_control_characters_are_refused_and_shown_as_escapes(root: Path, path: str) -> None:
    with pytest.raises(ToolError, match="`file_path` has a control character") as error:
        inside(root, path)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(("path", "message"), [("", "is empty"), ("  ", "is empty"), ("a" * 5000, "5,000 characters")])
def test_empty_and_absurdly_long_paths_are_refused(root: Path, path: str, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        inside(root, path)


def test_a_component_longer_than_any_file_name_is_just_not_there(root: Path) -> None:
    assert inside(root, "a" * 3000) == "a" * 3000


@pytest.mark.skipif(os.name == "nt", reason="a backslash cannot be in a name there")
def test_a_file_whose_name_has_a_backslash_can_be_asked_for(root: Path) -> None:
    (root / "src\\b.py").write_text("")
    assert inside(root, "src\\b.py") == "src\\b.py"
