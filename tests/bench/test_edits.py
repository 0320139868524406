"""Random edits change exactly one function at a time, and the files still parse."""

from __future__ import annotations

import ast
from pathlib import Path

from bench.edits import Editor

SOURCE = '''\
class A:
    def one(self, x):
        y = x
        return y

    def two(self):
        """Text."""
        return self.one(1)


def three(a, *, b): return a


def four():
    if four:
        return 1
    return "é"
'''


def test_files_still_parse_and_differ(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(SOURCE, encoding="utf-8")
    editor = Editor(tmp_path, ["a.py"], 7)
    seen = {SOURCE}
    kinds: set[str] = set()
    for _ in range(60):
        edit = editor.edit()
        text = file.read_text("utf-8")
        ast.parse(text)
        assert edit.file == "a.py"
        assert edit.function in ("one", "two", "three", "four")
        kinds.add(edit.what)
        seen.add(text)
        if len(text) > 3 * len(SOURCE):
            file.write_text(SOURCE, encoding="utf-8")
    assert kinds == {"call", "drop", "parameter", "return"}
    assert len(seen) > 40


def test_the_same_seed_makes_the_same_edits(tmp_path: Path) -> None:
    texts: list[str] = []
    for name in ("x", "y"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "a.py").write_text(SOURCE, encoding="utf-8")
        editor = Editor(folder, ["a.py"], 3)
        for _ in range(5):
            editor.edit()
        texts.append((folder / "a.py").read_text("utf-8"))
    assert texts[0] == texts[1]
