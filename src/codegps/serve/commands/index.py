"""A root in; its index, built or refreshed, and counts out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from codegps.serve.present import progress
from codegps.serve.root import find_root
from codegps.serve.workspace import Workspace


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="ROOT", nargs="?", help="the project (default: here)")
    parser.add_argument("--rebuild", action="store_true", help="start from nothing")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes to use (default: one for each core)")
    parser.add_argument("--json", action="store_true", dest="as_json", help="print the counts as JSON")
    parser.epilog = "examples:\n  codegps index\n  codegps index ~/work/shop --rebuild"


def root_of(options: argparse.Namespace) -> Path:
    """ROOT or --root; without either the folder that rule 13 finds."""
    return find_root(Path.cwd(), options.folder or options.root)


def run(options: argparse.Namespace) -> int:
    workspace = Workspace(root_of(options), options.store, options.project)
    store = workspace.open(rebuild=options.rebuild)
    try:
        with progress() as report:
            done = workspace.build(store, report, rebuild=options.rebuild, jobs=options.jobs)
    finally:
        store.close()
    if options.as_json:
        import msgspec

        print(msgspec.json.encode(done).decode())
        return 0
    from codegps.serve.commands.status import count_lines

    for line in count_lines(done.counts):
        print(line)
    for diagnostic in done.diagnostics[:10]:
        print(f"{diagnostic.file}:{diagnostic.line}: {diagnostic.message}", file=sys.stderr)
    if len(done.diagnostics) > 10:
        print(f"… and {len(done.diagnostics) - 10:,} more; codegps status shows all.", file=sys.stderr)
    print(f"{'seconds':12}{done.seconds:.2f}")
    return 0
