"""What a newcomer sees first: the demo, in a pipe."""

from __future__ import annotations

import subprocess
import sys

from tests.docs.pages import ROOT
from tests.serve.shop import environment


def test_the_demo_shows_an_index_dependents_a_path_and_a_refresh() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.demo"],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    out = done.stdout
    assert "\x1b" not in out
    assert [line for line in out.splitlines() if line.startswith("$ ")] == [
        "$ codegps index",
        "$ codegps dependents-of src/codegps/serve/connect/edit.py write",
        "$ codegps paths-between src/codegps/serve/commands/index.py run src/codegps/stores/sqlite/lock.py WriteLock",
        "$ codegps dependents-of src/codegps/serve/connect/edit.py write",
    ]
    assert "\nrun --CALLS--> _change --CALLS--> write\n" in out
    assert "    done = edit.write(agent, root, agent.entry(root, words))\n" in out
    assert "\nrun --CALLS--> Workspace.build --CALLS--> " in out
    assert "\n+ everywhere --CALLS--> write\n" in out
    counted = [
        line.split() for line in out.splitlines() if line.startswith(("  resolved ", "  inferred ", "  unknown "))
    ]
    assert [(words[0], int(words[1].replace(",", "")) > 100) for words in counted] == [
        ("resolved", True),
        ("inferred", True),
        ("unknown", True),
    ]
