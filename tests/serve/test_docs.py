"""Every command that the documentation of the doors shows is run, in the order in which a page shows it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.serve.shop import make_shop, run

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("command-line.md", "tools/connect.md")


def commands(page: str) -> list[str]:
    """Lines after `$ ` in console blocks."""
    text = (DOCS / page).read_text("utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_works(page: str, tmp_path: Path) -> None:
    folder = make_shop(tmp_path / "project")
    home = tmp_path / "home"
    home.mkdir()
    found = commands(page)
    assert len(found) >= 4
    for line in found:
        program, *words = shlex.split(line)
        assert program == "codegps"
        done = run(words, folder, HOME=str(home), USERPROFILE=str(home))
        assert done.returncode == 0, f"{line}: {done.stderr}"
        assert done.stdout, line


def test_the_python_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_shop(tmp_path)
    (source,) = re.findall(r"```python\n(.*?)```", (DOCS / "python.md").read_text("utf-8"), re.DOTALL)
    exec(source.replace("path/to/project", folder.as_posix()), {})
    out = capsys.readouterr().out
    assert out.startswith("4 files\n## Graph\n")
    assert "\nshop/prices.py:total Function 8\n" in out


def test_pages_link_to_pages_that_are_there() -> None:
    for page in (*PAGES, "tools/serve.md", "python.md", "configuration.md", "troubleshooting.md"):
        text = (DOCS / page).read_text("utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert ((DOCS / page).parent / target).exists(), f"{page}: {target}"
