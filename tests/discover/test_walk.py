"""Trees outside of git: what is listed, what is ignored, what is skipped and why."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.discover.trees import look, paths, skips, write

POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows has no such names, modes or links")


def test_sources_are_listed_by_path_with_language_size_and_time(tmp_path: Path) -> None:
    write(tmp_path, {"b.py": "x = 1\n", "a/z.js": "let x", "a/Y.PY": "", "a.txt": "", "README": "#!/bin/sh"})
    os.utime(tmp_path / "b.py", ns=(5, 1_000_000_007))
    tree = look(tmp_path)
    assert [(s.path, s.language, s.size) for s in tree.sources] == [
        ("a/Y.PY", "python", 0),
        ("a/z.js", "javascript", 5),
        ("b.py", "python", 6),
    ]
    assert tree.sources[2].mtime_ns == 1_000_000_007
    assert tree.skips == []


def test_an_empty_folder_has_nothing(tmp_path: Path) -> None:
    tree = look(tmp_path)
    assert (tree.sources, tree.skips, tree.project_files) == ([], [], [])


def test_project_files_are_listed(tmp_path: Path) -> None:
    write(tmp_path, {"package.json": "{}", "web/package.json": "{}", "node_modules/x/package.json": "{}"})
    assert look(tmp_path).project_files == ["package.json", "web/package.json"]


def test_the_nearest_gitignore_decides(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "*_gen.py\n/local/\nsecret.py\n",
            "a_gen.py": "",
            "local/a.py": "",
            "pkg/local/a.py": "",
            "pkg/.gitignore": "!keep_gen.py\nsecret.py/\n",
            "pkg/keep_gen.py": "",
            "pkg/drop_gen.py": "",
            "pkg/secret.py": "",
        },
    )
    assert paths(look(tmp_path)) == ["pkg/keep_gen.py", "pkg/local/a.py"]


def test_a_file_in_an_ignored_folder_cannot_be_taken_back(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "out_here/\n!out_here/keep.py\n", "out_here/keep.py": "", "a.py": ""})
    assert paths(look(tmp_path)) == ["a.py"]


def test_lines_that_are_no_patterns_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": b"!\n\xff\xfe\nb.py\n", "a.py": "", "b.py": ""})
    assert paths(look(tmp_path)) == ["a.py"]


def test_the_exclude_setting_takes_files_and_folders_out(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "", "docs/a.py": "", "docs/deep/b.py": "", "x_pb2.py": "", "pkg/x_pb2.py": ""})
    tree = look(tmp_path, exclude=("docs/", "/x_pb2.py"))
    assert paths(tree) == ["a.py", "pkg/x_pb2.py"]
    assert skips(tree) == {"docs/": "excluded by the settings", "x_pb2.py": "excluded by the settings"}


def test_other_peoples_and_generated_folders_are_skipped_whole_with_a_reason(tmp_path: Path) -> None:
    names = ["node_modules", ".venv", "__pycache__", "site-packages", ".tox", "x.egg-info", "third_party", "_vendor"]
    write(tmp_path, {f"{name}/deep/a.py": "" for name in names} | {"a.py": ""})
    tree = look(tmp_path)
    assert paths(tree) == ["a.py"]
    assert skips(tree) == {
        ".tox/": "an installed environment",
        ".venv/": "an installed environment",
        "__pycache__/": "generated",
        "_vendor/": "vendored: other people's code",
        "node_modules/": "vendored: other people's code",
        "site-packages/": "an installed environment",
        "third_party/": "vendored: other people's code",
        "x.egg-info/": "generated",
    }


def test_a_virtual_environment_is_known_by_its_mark_whatever_its_name(tmp_path: Path) -> None:
    write(tmp_path, {"mine/pyvenv.cfg": "", "mine/lib/a.py": "", "env/bin/activate": "", "env/a.py": "", "a.py": ""})
    tree = look(tmp_path)
    assert paths(tree) == ["a.py"]
    assert skips(tree) == {"env/": "an installed environment", "mine/": "an installed environment"}


def test_a_folder_named_env_without_the_mark_is_a_source(tmp_path: Path) -> None:
    write(tmp_path, {"env/a.py": "", "out/a.py": "", "target/a.py": "", "coverage/a.py": ""})
    assert paths(look(tmp_path)) == ["coverage/a.py", "env/a.py", "out/a.py", "target/a.py"]


def test_build_output_is_skipped(tmp_path: Path) -> None:
    write(tmp_path, {"build/lib/a.py": "", "dist/a.js": "", "Cargo.toml": "", "target/a.py": "", "vendor/a.py": ""})
    tree = look(tmp_path)
    assert paths(tree) == []
    assert skips(tree) == {
        "build/": "build output",
        "dist/": "build output",
        "target/": "build output",
        "vendor/": "vendored: other people's code",
    }


def test_packages_and_parts_of_src_with_such_a_name_are_sources(tmp_path: Path) -> None:
    write(
        tmp_path, {"build/__init__.py": "", "vendor/__init__.py": "", "src/build/a.js": "", "app/src/vendor/b.js": ""}
    )
    assert paths(look(tmp_path)) == ["app/src/vendor/b.js", "build/__init__.py", "src/build/a.js", "vendor/__init__.py"]


def test_what_package_managers_write_is_skipped(tmp_path: Path) -> None:
    write(tmp_path, {".pnp.js": "x", ".pnp.loader.mjs": "x", "pnp.js": "x"})
    tree = look(tmp_path)
    assert paths(tree) == ["pnp.js"]
    assert skips(tree) == {".pnp.js": "generated", ".pnp.loader.mjs": "generated"}


def test_minified_names_are_skipped(tmp_path: Path) -> None:
    write(tmp_path, {"a.min.js": "", "jquery-min.js": "", "admin.js": "", "a.min.py": ""})
    tree = look(tmp_path)
    assert paths(tree) == ["a.min.py", "admin.js"]
    assert skips(tree) == {"a.min.js": "minified", "jquery-min.js": "minified"}


def test_the_include_setting_brings_skipped_files_back(tmp_path: Path) -> None:
    write(tmp_path, {"vendor/ours/a.py": "", "vendor/theirs/b.py": "", "x.min.js": "", "node_modules/c.js": ""})
    tree = look(tmp_path, include=("vendor/ours/", "x.min.js"))
    assert paths(tree) == ["vendor/ours/a.py", "x.min.js"]
    assert skips(tree) == {
        "node_modules/": "vendored: other people's code",
        "vendor/": "vendored: other people's code",
    }


def test_exclude_wins_over_include(tmp_path: Path) -> None:
    write(tmp_path, {"vendor/a.py": "", "vendor/b.py": ""})
    assert paths(look(tmp_path, include=("vendor/",), exclude=("vendor/b.py",))) == ["vendor/a.py"]


def test_files_over_the_limit_are_skipped(tmp_path: Path) -> None:
    write(tmp_path, {"big.py": b"#" * 1_001, "fits.py": b"#" * 1_000, "big.txt": b"#" * 2_000})
    tree = look(tmp_path, max_file_bytes=1_000)
    assert paths(tree) == ["fits.py"]
    assert skips(tree) == {"big.py": "1,001 bytes; the limit is 1,000 (setting max_file_bytes)"}


def test_files_over_two_megabytes_are_skipped_by_default(tmp_path: Path) -> None:
    write(tmp_path, {"big.py": b"#" * 2_000_001, "fits.py": b"#" * 2_000_000})
    assert paths(look(tmp_path)) == ["fits.py"]


def test_our_own_folder_and_gits_are_no_part_of_the_tree(tmp_path: Path) -> None:
    write(tmp_path, {".codegps/a.py": "", ".git/hooks/a.py": "", ".hg/a.py": "", "a.py": ""})
    tree = look(tmp_path)
    assert (paths(tree), tree.skips) == (["a.py"], [])


@POSIX
def test_programs_without_an_extension_are_known_by_their_first_line(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "bin/plain": "#!/usr/bin/python3\n",
            "bin/env": "#!/usr/bin/env -S python3.11 -u\n",
            "bin/node": "#!/usr/bin/env NODE_ENV=x node\n",
            "bin/shell": "#!/bin/sh\n",
            "bin/none": "print()",
            "bin/empty": "",
            "data": "#!/usr/bin/python3\n",
        },
    )
    for name in ("plain", "env", "node", "shell", "none", "empty"):
        (tmp_path / "bin" / name).chmod(0o755)
    assert [(s.path, s.language) for s in look(tmp_path).sources] == [
        ("bin/env", "python"),
        ("bin/node", "javascript"),
        ("bin/plain", "python"),
    ]


@POSIX
def test_symbolic_links_are_not_followed_and_say_why(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(root, {"real/a.py": "", "b.py": ""})
    write(tmp_path, {"outside.py": ""})
    (root / "alias.py").symlink_to("b.py")
    (root / "broken.py").symlink_to("nothing.py")
    (root / "circle.py").symlink_to("circle.py")
    (root / "away.py").symlink_to(tmp_path / "outside.py")
    (root / "same").symlink_to("real")
    (root / "real" / "up").symlink_to("..")
    (root / "elsewhere").symlink_to(tmp_path)
    tree = look(root)
    assert paths(tree) == ["b.py", "real/a.py"]
    assert skips(tree) == {
        "alias.py": "symbolic link to b.py",
        "away.py": "symbolic link that leads out of the root",
        "broken.py": "symbolic link that leads nowhere",
        "circle.py": "symbolic link that leads to itself",
        "elsewhere": "symbolic link that leads to itself",
        "real/up": "symbolic link that leads to itself",
        "same": "symbolic link to real",
    }


@POSIX
def test_what_is_no_file_is_skipped(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    write(tmp_path, {"folder.py/a.py": ""})
    tree = look(tmp_path)
    assert paths(tree) == ["folder.py/a.py"]
    assert skips(tree) == {"pipe.py": "not a regular file"}


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_folder_that_cannot_be_read_is_skipped(tmp_path: Path) -> None:
    write(tmp_path, {"shut/a.py": "", "b.py": ""})
    (tmp_path / "shut").chmod(0)
    try:
        tree = look(tmp_path)
    finally:
        (tmp_path / "shut").chmod(0o755)
    assert paths(tree) == ["b.py"]
    assert skips(tree) == {"shut/": "cannot be read: Permission denied"}


@POSIX
def test_odd_names_are_kept(tmp_path: Path) -> None:
    names = [
        "new\nline.py",
        "back\\slash.py",
        " space .py",
        "ümlaut.py",
        "quote'\".py",
        "-dash.py",
        "tab\t.py",
        "日本.py",
    ]
    write(tmp_path, dict.fromkeys(names, ""))
    assert paths(look(tmp_path)) == sorted(names)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has names of any bytes")
def test_a_name_that_is_not_utf8_is_skipped_with_its_bytes(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.py")).write_bytes(b"")
    tree = look(tmp_path)
    assert paths(tree) == []
    assert skips(tree) == {"caf\\xe9.py": "its name is not valid UTF-8"}
