"""A part of a name in; the symbols of that name with who calls them and what they call, out."""

from __future__ import annotations

import argparse
from pathlib import Path

from codegps.serve.present import opened, show
from codegps.serve.root import find_root
from codegps.serve.workspace import Workspace
from codegps.tool import Answer


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "pattern", metavar="PATTERN", help="a part of a name, or a glob such as '*Form'; case is ignored"
    )
    parser.add_argument("--type", metavar="TYPE", help="function (methods too), class, variable, module, or a kind")
    parser.add_argument("--limit", type=int, default=10, metavar="N", help="how many symbols to show (default: 10)")
    parser.add_argument("--json", action="store_true", dest="as_json", help="print the answer as JSON")
    parser.epilog = "examples:\n  codegps query save\n  codegps query '*Form' --type class\n  codegps query save --json"


def run(options: argparse.Namespace) -> int:
    from codegps.tools.query import query

    workspace = Workspace(find_root(Path.cwd(), options.root), options.store, options.project)
    with opened(workspace) as graph:
        answer = query(graph, options.pattern, options.type, options.limit)
    if options.as_json:
        import msgspec

        answer = Answer(msgspec.json.encode(answer.data).decode(), answer.note)
    show(Answer(answer.text, answer.note))
    return 0
