"""An index in; what it holds, how old it is, what was skipped and what was wrong out."""

from __future__ import annotations

import argparse
from collections import defaultdict
from datetime import UTC
from pathlib import Path

from codegps.errors import CodeGPSError
from codegps.model.graph import Counts, Skip
from codegps.serve.root import find_root
from codegps.serve.workspace import Workspace
from codegps.store import Reader

SHOWN = 20
"""Files shown for one reason; --all shows every one."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="ROOT", nargs="?", help="the project (default: here)")
    parser.add_argument("--all", action="store_true", help="list every skipped file and every diagnostic")
    parser.add_argument("--json", action="store_true", dest="as_json", help="print everything as JSON")


def run(options: argparse.Namespace) -> int:
    workspace = Workspace(find_root(Path.cwd(), options.folder or options.root), options.store, options.project)
    if not workspace.has_index():
        raise CodeGPSError(f"{workspace.root} has no index yet. Build it with: codegps index {workspace.root}")
    store = workspace.open()
    try:
        with store.snapshot():
            if options.as_json:
                _print_json(workspace, store)
            else:
                _print_text(workspace, store, None if options.all else SHOWN)
    finally:
        store.close()
    return 0


def _print_text(workspace: Workspace, store: Reader, most: int | None) -> None:
    print(f"{'project':12}{workspace.project}")
    print(f"{'root':12}{workspace.root}")
    if path := workspace.folder:
        print(f"{'index':12}{path}")
    if built := store.meta("built_at"):
        print(f"{'built':12}{age(built)}")
    for line in count_lines(store.counts()):
        print(line)
    skips = store.skips()
    for reason, files in by_reason(skips).items():
        print(f"\nskipped, {reason} ({len(files):,}):")
        _print_some(files, most)
    if diagnostics := store.diagnostics():
        print(f"\ndiagnostics ({len(diagnostics):,}):")
        _print_some([f"{d.file}:{d.line}: {d.message}" for d in diagnostics], most)


def _print_some(lines: list[str], most: int | None) -> None:
    for line in lines[:most]:
        print(f"  {line}")
    if most is not None and len(lines) > most:
        print(f"  … and {len(lines) - most:,} more (--all shows them)")


def _print_json(workspace: Workspace, store: Reader) -> None:
    import msgspec

    value = {
        "project": workspace.project,
        "root": str(workspace.root),
        "built_at": store.meta("built_at"),
        "counts": store.counts(),
        "skips": store.skips(),
        "diagnostics": store.diagnostics(),
    }
    print(msgspec.json.encode(value).decode())


def count_lines(counts: Counts) -> list[str]:
    """Edges by proof, unresolved references by reason."""
    rows = [
        ("files", f"{counts.files:,}"),
        ("symbols", f"{counts.symbols:,}"),
        ("edges", f"{counts.resolved:,} resolved, {counts.dispatch:,} dispatch, {counts.inferred:,} inferred"),
        ("unresolved", f"{counts.external:,} external, {counts.unknown:,} unknown"),
    ]
    return [f"{name:12}{value}" for name, value in rows]


def by_reason(skips: list[Skip]) -> dict[str, list[str]]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for skip in skips:
        groups[skip.reason].append(skip.file)
    return dict(sorted(groups.items()))


def age(built_at: str) -> str:
    """`2 minutes ago`, from an ISO time; the text itself where it is none."""
    from datetime import datetime

    try:
        then = datetime.fromisoformat(built_at)
    except ValueError:
        return built_at
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    seconds = max(0, int((datetime.now(UTC) - then).total_seconds()))
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            count = seconds // length
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return f"{seconds} seconds ago"
