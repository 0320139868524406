"""A workspace in; an MCP server over stdio or HTTP out, until the client leaves or the process is stopped."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import threading
from pathlib import Path

from codegps.serve.menu import menu
from codegps.serve.root import find_root


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tools", metavar="NAMES", help="offer only these tools, separated by commas")
    parser.add_argument("--http", metavar="HOST:PORT", help="speak streamable HTTP at this address of this machine")
    parser.add_argument("--token-file", metavar="FILE", help="with --http: let in only who knows the token in FILE")
    parser.add_argument("--no-watch", action="store_true", help="look at every file before each answer")
    parser.epilog = (
        "Over HTTP the token may also stand in the variable CODEGPS_TOKEN.\n\n"
        "examples:\n  codegps serve\n  codegps serve --root ~/work/shop --http 127.0.0.1:8765"
    )


def run(options: argparse.Namespace) -> int:
    from codegps.serve.http import listen, parse_address, read_token, serve_http
    from codegps.serve.mcp import Door, choose

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="codegps: %(message)s")
    tools = choose(menu(), options.tools)
    folder = Path.cwd()
    root = find_root(folder, options.root) if options.root or options.http else None
    address = parse_address(options.http) if options.http else None
    bound = listen(*address) if address else None
    token = read_token(options.token_file) if bound else None

    def open_live(root: Path) -> Live:
        return Live(Workspace(root, options.store, options.project), watch=not options.no_watch)

    from codegps.serve.live import Live
    from codegps.serve.workspace import Workspace

    async def serve() -> None:
        door = Door(tools, open_live, root, folder)
        try:
            if bound is None:
                from codegps.serve.stdio import stdio_streams

                async with stdio_streams() as (read, write):
                    await door.server.run(read, write, door.server.create_initialization_options())
            else:
                host, port = bound.getsockname()[:2]
                shown = f"[{host}]" if ":" in host else host
                print(f"CodeGPS listens on http://{shown}:{port}/mcp", file=sys.stderr, flush=True)
                await serve_http(door.server, bound, token)
        finally:
            door.close()

    import anyio

    try:
        anyio.run(serve)
    except* (BrokenPipeError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        # The client closed its end in the middle of an answer: nobody is left to be told, and nothing to be flushed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    _leave()
    return 0


def _leave() -> None:
    """Worker threads whose client has gone must not keep the process: nothing they do needs to be finished."""
    if any(thread.name.startswith("AnyIO worker") for thread in threading.enumerate()):
        sys.stderr.flush()
        os._exit(0)
