"""Django in; how long answers take at every door, for hubs too, and what a thousand of them leave behind, out."""

from __future__ import annotations

import gc
import os
import random
import time
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters

import codegps
from bench import corpora, serving
from bench.processes import codegps as program
from bench.processes import family, handles, memory
from codegps.model.graph import Symbol
from codegps.model.kinds import Kind
from codegps.query.graph import Graph
from codegps.tools.analyze_file_logic import analyze_file_logic
from codegps.tools.get_function_details import get_function_details

HUBS = ("QuerySet.filter", "Model.save", "QuerySet.get", "Manager", "Model", "gettext_lazy", "HttpResponse")
LINES = 2000
A_SECOND = 10
"""Requests that one client may make of the file tool."""


def report(name: str = "django", version: str = "5.2", count: int = 1000, requests: int = 500) -> None:
    print(f"{name} {version}")
    with corpora.copy(corpora.source(name, version)) as root:
        measure(root, count, requests)


def measure(root: Path, count: int, requests: int) -> None:
    codegps.index(root)
    with codegps.open_graph(root, refresh=False) as graph:
        hubs = hubs_of(graph)
        print(f"hubs: {', '.join(symbol.id for symbol in hubs)}")
        symbols = serving.symbols_of(root, count)
        file_logic(graph)
        details(graph, hubs)
        python_calls(graph, symbols[:count])
    serving.cold(root, hubs[:1])
    asked = [*hubs, *symbols[: max(count - len(hubs), 0)]]
    anyio.run(serving.warm, root, asked)
    anyio.run(serving.warm, root, asked, "--no-watch")
    anyio.run(leaks, root, requests)


def hubs_of(graph: Graph) -> list[Symbol]:
    found: list[Symbol] = []
    for hub in HUBS:
        named = [s for s in graph.store.symbols_named(hub.rpartition(".")[2]) if s.qualified_name == hub]
        degrees = {s.key: 0 for s in named}
        for edge in graph.neighbours(named, direction="in"):
            degrees[edge.target] += 1
        found += sorted(named, key=lambda symbol: -degrees[symbol.key])[:1]
    return found


def file_logic(graph: Graph) -> None:
    """The engine's answer alone, warm, for the file nearest to 2,000 lines."""
    row = min(graph.store.files(), key=lambda each: abs(each.lines - LINES))
    times: list[float] = []
    analyze_file_logic(graph, str(graph.root / row.path), lsp="off")
    for _ in range(20):
        started = time.perf_counter()
        answer = analyze_file_logic(graph, str(graph.root / row.path), lsp="off")
        times.append(time.perf_counter() - started)
        assert len(answer.text) <= 80_000
    print(f"file logic of {row.path}, {row.lines:,} lines: {serving.milliseconds(times)}   must 50 ms")


def details(graph: Graph, hubs: list[Symbol]) -> None:
    times: list[float] = []
    longest = 0
    for hub in hubs:
        if hub.kind not in (Kind.Function, Kind.Method):
            continue
        get_function_details(graph, hub.qualified_name, file=hub.file, transitive=True)
        for _ in range(5):
            started = time.perf_counter()
            answer = get_function_details(graph, hub.qualified_name, file=hub.file, transitive=True)
            times.append(time.perf_counter() - started)
            longest = max(longest, len(answer.text))
    print(f"function details, transitive, of hubs: {serving.milliseconds(times)}   must 200 ms; longest {longest:,}")


def python_calls(graph: Graph, symbols: list[Symbol]) -> None:
    """A thousand answers in this process: what is left of them."""
    pick = random.Random(2)
    files = [str(graph.root / row.path) for row in graph.store.files()]
    functions = [symbol for symbol in symbols if symbol.kind is not Kind.Class]
    before: tuple[int, int] = (0, 0)
    for number in range(len(symbols) + 100):
        if number == 100:  # caches are full, whatever is left is a leak
            gc.collect()
            before = (memory(os.getpid()), handles(os.getpid()))
        if number % 2:
            symbol = functions[number % len(functions)]
            get_function_details(graph, symbol.qualified_name, file=symbol.file, transitive=True)
        else:
            analyze_file_logic(graph, pick.choice(files), lsp="off")
    gc.collect()
    grown, opened = memory(os.getpid()) - before[0], handles(os.getpid()) - before[1]
    left = f"memory {grown / 1e6:+.1f} MB, file handles {opened:+}, processes {len(family(os.getpid())) - 1:+}"
    print(f"{len(symbols):,} Python calls: {left}")


async def leaks(root: Path, requests: int) -> None:
    """At the allowed rate over MCP: what the server keeps."""
    command, *words = program("serve", "--root", str(root))
    server = StdioServerParameters(command=command, args=words, env=dict(os.environ))
    with codegps.open_graph(root, refresh=False) as graph:
        files = [row.path for row in graph.store.files() if row.language == "python"]
    pick = random.Random(3)
    errors = 0
    before: tuple[int, int, int] = (0, 0, 0)
    after = before
    async with Client(server) as client:
        for number in range(requests + 50):
            if number == 50:
                before = _state()
            asked = time.monotonic()
            result = await client.call_tool(
                "graphItLive_analyzeFileLogic", {"filePath": str(root / pick.choice(files)), "lsp": "off"}
            )
            errors += bool(result.is_error)
            await anyio.sleep(max(1.05 / A_SECOND - (time.monotonic() - asked), 0))
        after = _state()
    grown, opened, started = (now - then for now, then in zip(after, before, strict=True))
    left = f"memory {grown / 1e6:+.1f} MB, file handles {opened:+}, processes {started:+}"
    print(f"{requests:,} MCP calls at {A_SECOND} a second: {errors} errors, {left}")


def _state() -> tuple[int, int, int]:
    """Of everything below this process: the server and what it started."""
    below = family(os.getpid())[1:]
    return sum(memory(pid) for pid in below[:1]), sum(handles(pid) for pid in below), len(below)
