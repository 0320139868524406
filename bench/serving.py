"""A real project in; how quickly the doors answer, and whether a server holds out, out.

    python -m bench.serving ROOT                 cold commands, warm answers over MCP, answers after an edit
    python -m bench.serving ROOT --soak 10       twenty clients for ten minutes while files change

ROOT is indexed first and its files are edited and put back: give a copy.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

import codegps
from codegps.model.graph import Symbol
from codegps.model.kinds import Kind

KINDS = (Kind.Function, Kind.Method, Kind.Class)
CLIENTS = 20
Json = dict[str, Any]


def program(*words: str) -> list[str]:
    return [sys.executable, "-m", "codegps", *words]


def milliseconds(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    middle, high = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    return f"p50 {middle * 1e3:6.1f}   p95 {high * 1e3:6.1f}   max {ordered[-1] * 1e3:6.1f} ms"


def symbols_of(root: Path, count: int) -> list[Symbol]:
    with codegps.open_graph(root) as graph:
        found = list(graph.symbols(KINDS))
    return random.Random(1).sample(found, min(count, len(found)))


def questions(symbols: list[Symbol]) -> dict[str, list[Json]]:
    places: list[Json] = [{"file_path": s.file, "symbol": s.qualified_name} for s in symbols]
    pairs: list[Json] = [{"from": a, "to": b} for a, b in zip(places, places[1:] + places[:1], strict=True)]
    return {"dependenciesOf": places, "dependentsOf": places, "pathsBetween": pairs}


def cold(root: Path, symbols: list[Symbol]) -> None:
    """New processes, piped."""
    for words in (["--help"], ["dependents-of", symbols[0].file, symbols[0].qualified_name]):
        times: list[float] = []
        for _ in range(10):
            started = time.perf_counter()
            subprocess.run(program(*words), cwd=root, capture_output=True, check=True)
            times.append(time.perf_counter() - started)
        print(f"cold {words[0]:16} {milliseconds(times)}")


async def warm(root: Path, symbols: list[Symbol], *options: str) -> None:
    """One client over stdio."""
    command, *words = program("serve", "--root", str(root), *options)
    server = StdioServerParameters(command=command, args=words, env=dict(os.environ))
    label = options[0] if options else "watching"
    async with Client(server) as client:
        await client.call_tool("find_symbol", {"pattern": "x"})
        for tool, asked in questions(symbols).items():
            times: list[float] = []
            longest = 0
            for arguments in asked:
                started = time.perf_counter()
                result = await client.call_tool(tool, arguments)
                times.append(time.perf_counter() - started)
                longest = max(longest, len(getattr(result.content[0], "text", "")))
            print(f"warm {tool:16} {milliseconds(times)}   longest {longest:,} characters   ({label})")
        print(f"after an edit         {milliseconds(await after_edits(client, root, symbols))}   ({label})")


async def after_edits(client: Client, root: Path, symbols: list[Symbol]) -> list[float]:
    times: list[float] = []
    files = list(dict.fromkeys(s.file for s in symbols if s.file.endswith(".py")))[:20]
    for i, path in enumerate(files):
        with edited(root / path, f"\n\ndef fresh{i}():\n    return fresh{i}\n"):
            started = time.perf_counter()
            result = await client.call_tool("dependenciesOf", {"file_path": path, "symbol": f"fresh{i}"})
            times.append(time.perf_counter() - started)
            if result.is_error:
                print(f"WRONG after an edit of {path}")
    return times


@contextmanager
def edited(file: Path, more: str) -> Any:
    before = file.read_bytes()
    file.write_bytes(before + more.encode())
    try:
        yield
    finally:
        file.write_bytes(before)


async def soak(root: Path, symbols: list[Symbol], minutes: float) -> None:
    """Many clients of one HTTP server while files change: errors, and memory now and then."""
    with subprocess.Popen(
        program("serve", "--root", str(root), "--http", "127.0.0.1:0"), stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr
        address = process.stderr.readline().split()[-1]
        end = time.monotonic() + minutes * 60
        counts = {"answers": 0, "errors": 0}
        try:
            async with anyio.create_task_group() as tasks:
                for number in range(CLIENTS):
                    tasks.start_soon(ask_until, address, symbols, number, end, counts)
                while time.monotonic() < end:
                    for symbol in symbols[:20]:
                        with edited(root / symbol.file, "\n\ndef soaked():\n    return 1\n"):
                            await anyio.sleep(0.5)
                    print(f"{counts['answers']:8,} answers, {counts['errors']} errors, {memory(process.pid)} MB")
            async with Client(address) as client:
                wrong = await compare(client, root, symbols)
        finally:
            process.terminate()
    print(f"compared with a fresh index: {wrong} of {len(symbols)} answers differ")


async def ask_until(address: str, symbols: list[Symbol], number: int, end: float, counts: dict[str, int]) -> None:
    pick = random.Random(number)
    async with Client(address) as client:
        while time.monotonic() < end:
            tool, asked = pick.choice(list(questions(symbols).items()))
            result = await client.call_tool(tool, pick.choice(asked))
            text = getattr(result.content[0], "text", "")
            counts["answers"] += 1
            if result.is_error and not text.startswith("Invalid query"):
                counts["errors"] += 1
                print(text)


async def compare(client: Client, root: Path, symbols: list[Symbol]) -> int:
    wrong = 0
    fresh = root / ".codegps" / "compare"
    codegps.index(root, store=str(fresh), rebuild=True)
    with codegps.open_graph(root, store=str(fresh)) as graph:
        for arguments in questions(symbols)["dependentsOf"]:
            result = await client.call_tool("dependentsOf", arguments)
            answer = codegps.dependents_of(graph, arguments["file_path"], arguments["symbol"])
            wrong += getattr(result.content[0], "text", "") != answer.text
    return wrong


def memory(pid: int) -> int:
    """Of one process, in megabytes; 0 where the platform does not say."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--symbols", type=int, default=1000)
    parser.add_argument("--soak", type=float, metavar="MINUTES")
    options = parser.parse_args()
    root = options.root.resolve()
    symbols = symbols_of(root, options.symbols)
    if options.soak:
        anyio.run(soak, root, symbols[:100], options.soak)
        return
    cold(root, symbols)
    for extra in ([], ["--no-watch"]):
        anyio.run(warm, root, symbols, *extra)


if __name__ == "__main__":
    main()
