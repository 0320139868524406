"""Commands that project files declare are entries of what they run."""

from __future__ import annotations

from pathlib import Path

from tests.pipeline.projects import Root

PYPROJECT = '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.cli:main"\nlost = "shop.nowhere:main"\n'
PACKAGE = '{"name": "tool", "bin": {"tool": "bin/tool.js"}}'


def test_scripts_of_project_files(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": PYPROJECT,
        "package.json": PACKAGE,
        "shop/__init__.py": "",
        "shop/cli.py": "import sys\n\ndef main():\n    pass\n",
        "bin/tool.js": "console.log(1)\n",
    }
    root = Root(tmp_path, files)
    root.index()

    def scripts() -> list[tuple[str, str, int]]:
        entries = [entry for entry in root.store.entries() if entry.kind == "script"]
        names = root.store.symbols(entry.symbol for entry in entries)
        return sorted((entry.key, names[entry.symbol].id, entry.line) for entry in entries)

    assert scripts() == [("shop", "shop/cli.py:main", 3), ("tool", "bin/tool.js", 1)]
    (root.path / "pyproject.toml").write_text(PYPROJECT.replace('"shop.cli:main"', '"shop.cli:other"'))
    (root.path / "shop/cli.py").write_text("def other():\n    pass\n")
    root.refresh()
    assert scripts() == [("shop", "shop/cli.py:other", 1), ("tool", "bin/tool.js", 1)]
    (root.path / "pyproject.toml").write_text(PYPROJECT.replace('shop = "', 'sell = "').replace(":main", ":other"))
    root.refresh()
    assert scripts() == [("sell", "shop/cli.py:other", 1), ("tool", "bin/tool.js", 1)]
    root.close()
