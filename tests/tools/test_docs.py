"""The pages about these tools: every command with its answer is run, in a copy of the example."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    "dependencies-of", "dependents-of", "paths-between", "find-symbol",
    "get-function-details", "query", "analyze-file-logic",
]  # fmt: skip
BLOCK = re.compile(r"```console\n\$ codegps ([^\n]*)\n(.*?)\n```\n", re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_the_answers_on_the_page_are_what_the_commands_print(tmp_path: Path, page: str) -> None:
    example = tmp_path / "example"
    shutil.copytree(ROOT / "docs" / "example", example)
    blocks = BLOCK.findall((ROOT / "docs" / "tools" / f"{page}.md").read_text(encoding="utf-8"))
    assert blocks
    for command, answer in blocks:
        ran = subprocess.run(
            [sys.executable, "-m", "codegps", *shlex.split(command), "--root", str(example)],
            cwd=example,
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"},
            timeout=120,
            check=False,
        )
        assert (ran.returncode, ran.stdout.rstrip("\n")) == (0, answer), ran.stderr
