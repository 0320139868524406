"""A root in; its facts cache without what no worktree needs, and what was dropped, out."""

from __future__ import annotations

import argparse
from pathlib import Path

from codegps.serve.root import find_root
from codegps.serve.workspace import Workspace


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="ROOT", nargs="?", help="the project (default: here)")


def run(options: argparse.Namespace) -> int:
    from codegps import pipeline

    workspace = Workspace(find_root(Path.cwd(), options.folder or options.root), options.store, options.project)
    dropped = pipeline.gc(workspace.root, workspace.settings())
    print(f"Dropped the facts of {dropped:,} files that no worktree needs.")
    return 0
