"""A tool's MCP name and JSON arguments in; the first block of its answer out."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from codegps.errors import UsageError
from codegps.serve.commands.tool import ask
from codegps.serve.menu import find, menu
from codegps.serve.root import find_root
from codegps.serve.signature import accept
from codegps.serve.workspace import Workspace


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tool", metavar="TOOL", help="the tool's MCP name, for example dependentsOf")
    parser.add_argument(
        "arguments", metavar="JSON", help="its arguments as a JSON object, or - to read them from stdin"
    )
    parser.add_argument("--json", action="store_true", dest="as_json", help="print the answer as JSON")
    parser.epilog = 'example:\n  codegps call dependentsOf \'{"file_path": "src/app.py", "symbol": "main"}\''


def run(options: argparse.Namespace) -> int:
    tool = find(options.tool)
    if tool is None:
        names = ", ".join(one.name for one in menu())
        raise UsageError(f"There is no tool {options.tool}. The tools are {names}.")
    text = sys.stdin.read() if options.arguments == "-" else options.arguments
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"The arguments are not JSON: {error}.") from None
    workspace = Workspace(find_root(Path.cwd(), options.root), options.store, options.project)
    return ask(tool, accept(tool, given), workspace, options.as_json)
