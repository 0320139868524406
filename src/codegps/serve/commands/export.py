"""An index in; the whole graph on stdout, one JSON object a line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from codegps.serve.present import opened
from codegps.serve.root import find_root
from codegps.serve.workspace import Workspace


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="ROOT", nargs="?", help="the project (default: here)")
    parser.add_argument("--format", choices=("jsonl",), default="jsonl", help="one JSON object a line")


def run(options: argparse.Namespace) -> int:
    from codegps.format.export import export

    workspace = Workspace(find_root(Path.cwd(), options.folder or options.root), options.store, options.project)
    with opened(workspace) as graph:
        for line in export(graph.store):
            sys.stdout.write(line if line.endswith("\n") else line + "\n")
    return 0
