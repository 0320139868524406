"""An index in; whether it equals one built from nothing, and the first differences, out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from codegps.serve.present import progress
from codegps.serve.root import find_root
from codegps.serve.workspace import Workspace


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="ROOT", nargs="?", help="the project (default: here)")


def run(options: argparse.Namespace) -> int:
    from codegps import pipeline

    workspace = Workspace(find_root(Path.cwd(), options.folder or options.root), options.store, options.project)
    store = workspace.open()
    try:
        with progress() as report:
            differences = pipeline.verify(workspace.root, store, workspace.settings(), progress=report)
    finally:
        store.close()
    if not differences:
        print("The index equals one built from nothing.")
        return 0
    print(f"The index differs from one built from nothing in {len(differences):,} places.")
    for line in differences[:20]:
        print(f"  {line}")
    print("Please report this. codegps index --rebuild mends the index.", file=sys.stderr)
    return 1
