"""The eight things that make call sites a success, each by its name, on sources, through the doors."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client

import codegps
from codegps.serve.cli import main
from codegps.serve.live import Live
from codegps.serve.mcp import Door, choose
from codegps.serve.workspace import Workspace
from codegps.tools import TOOLS
from codegps.tools import query as query_module
from tests.query import test_find_calls_in_function
from tests.tools import test_get_function_details

APP = """\
from store import Store


def main():
    store = Store()
    if store:
        store.load()
    finish()


def finish():
    ping()


def ping():
    pong()


def pong():
    ping()


main()
"""

STORE = """\
class Store:
    def load(self):
        return self.read()

    def read(self):
        return open("x").read()
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "app.py").write_text(APP)
    (root / "store.py").write_text(STORE)
    monkeypatch.chdir(root)
    return root


def details(root: Path, name: str, transitive: bool = False) -> dict[str, Any]:
    with codegps.open_graph(root) as graph:
        text = codegps.get_function_details(graph, name, transitive=transitive).text
    return json.loads(text[text.index("\n\n{") :])


def ask(root: Path, body: Callable[[Client], Awaitable[None]]) -> None:
    async def run() -> None:
        door = Door(choose(TOOLS, None), lambda root: Live(Workspace(root), watch=False), root, root)
        try:
            async with Client(door.server) as client:
                await body(client)
        finally:
            door.close()

    anyio.run(run)


def test_1_the_tool_appears_in_the_mcp_tool_list(project: Path) -> None:
    async def body(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools["get_function_details"].input_schema == {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Function name to look up"},
                "file": {"type": "string", "description": "Optional: file path to disambiguate (partial match)"},
                "transitive": {
                    "type": "boolean",
                    "description": "Follow call chains recursively (default: false)",
                    "default": False,
                },
            },
            "required": ["name"],
        }
        assert (tools["get_function_details"].description or "").startswith(
            "Get comprehensive details about a function, including what it calls and who calls it.\n\n"
            "Graph structure:\n"
            "  FUNCTION -[HAS_SCOPE]-> SCOPE -[CONTAINS]-> CALL/METHOD_CALL\n  CALL -[CALLS]-> FUNCTION (target)\n"
        )
        result = await client.call_tool("get_function_details", {"name": "main"})
        first = result.content[0]
        assert isinstance(first, types.TextContent)
        assert first.text.startswith("Function: main\nFile: app.py:4\nAsync: false\nTransitive: false\n\nCalls (3):\n")
        assert result.structured_content is None

    ask(project, body)


def test_2_returns_calls_with_both_call_and_method_call_types(project: Path) -> None:
    assert [(c["type"], c.get("object"), c["name"], c["line"]) for c in details(project, "main")["calls"]] == [
        ("CALL", None, "Store", 5),
        ("CALL", None, "finish", 8),
        ("METHOD_CALL", "store", "load", 7),
    ]


def test_3_returns_called_by_with_caller_function_info(project: Path) -> None:
    assert details(project, "finish")["calledBy"] == [
        {"id": "app.py:main", "name": "main", "type": "FUNCTION", "file": "app.py", "line": 8}
    ]
    assert details(project, "main")["calledBy"] == [
        {"id": "app.py", "name": "app.py", "type": "MODULE", "file": "app.py", "line": 23}
    ]


def test_4_transitive_mode_follows_call_chains(project: Path) -> None:
    assert [(c["name"], c["depth"]) for c in details(project, "main", True)["calls"]] == [
        ("Store", 0),
        ("finish", 0),
        ("load", 0),
        ("ping", 1),
        ("read", 1),
        ("pong", 2),
        ("open", 2),
        ("read", 2),
        ("ping", 3),
    ]


def test_5_transitive_mode_handles_cycles_without_infinite_loop(project: Path) -> None:
    assert [(c["name"], c["depth"]) for c in details(project, "ping", True)["calls"]] == [("pong", 0), ("ping", 1)]


def test_6_cli_query_uses_shared_utilities() -> None:
    """No search of its own: the module names the shared functions and walks no edges itself."""
    used = {node.id for node in ast.walk(ast.parse(inspect.getsource(query_module))) if isinstance(node, ast.Name)}
    assert {"find_calls_in_function", "find_containing_function"} <= used
    assert not {"get_outgoing_edges", "neighbours", "EdgeKind"} & used


def test_7_cli_correctly_shows_method_call_calls(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", "main", "--type", "function"]) == 0
    assert (
        capsys.readouterr().out
        == """\
main (Function) app.py:4
  Called by (1):
    - app.py (app.py:23)
  Calls (3):
    - Store() -> Store (store.py:1)
    - finish() -> finish (app.py:11)
    - store.load() -> load (store.py:2)
"""
    )
    assert main(["query", "main", "--type", "function", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["symbols"]
    assert [c["type"] for c in found["calls"]] == ["CALL", "CALL", "METHOD_CALL"]


PLANNED = {
    test_find_calls_in_function: (
        "should find CALL nodes in function scope",
        "should find METHOD_CALL nodes in function scope",
        "should not enter nested functions",
        "should handle nested scopes (if blocks, loops)",
        "should return empty array for function with no calls",
        "should mark calls with CALLS edge as resolved=true",
        "should mark calls without CALLS edge as resolved=false",
        "should follow resolved CALLS edges when transitive=true",
        "should add depth field for transitive calls",
        "should stop at transitiveDepth limit",
        "should handle recursive functions (A calls A)",
        "should handle cycles (A calls B calls A)",
    ),
    test_get_function_details: (
        "should return function details with calls",
        "should return function details with calledBy",
        "should handle function not found",
        "should disambiguate with file parameter",
        "should include both CALL and METHOD_CALL nodes",
        "should show object name for METHOD_CALL",
        "should return direct calls only when transitive=false",
        "should follow call chains when transitive=true",
        "should include depth in transitive results",
    ),
}


def test_8_all_planned_tests_are_there() -> None:
    """That they pass, they say themselves."""
    for module, sentences in PLANNED.items():
        written = {name for cls in vars(module).values() if inspect.isclass(cls) for name in vars(cls)}
        for sentence in sentences:
            words = "".join(c if c.isalnum() else "_" for c in sentence.replace("edBy", "ed_by").replace("veD", "ve_d"))
            name = "test_" + "_".join(part for part in words.lower().split("_") if part)
            assert name in written, name
