"""A client that closes its connection in the middle of an answer takes its work with it; with real sockets."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import anyio.from_thread
import pytest

from codegps.serve.http import listen, serve_http
from tests.serve.doors import ByHand, Slow, make_door


@pytest.fixture
def port(tmp_path: Path) -> Generator[int]:
    """An HTTP server in a thread of this process, so that its tools can be watched."""
    bound = listen("127.0.0.1", 0)
    ready = threading.Event()
    stop: list[Any] = []

    async def main() -> None:
        door = make_door(ByHand(tmp_path), tmp_path)
        async with anyio.create_task_group() as tasks:
            stop.extend((anyio.lowlevel.current_token(), tasks.cancel_scope.cancel))
            tasks.start_soon(serve_http, door.server, bound, None)
            ready.set()
        door.close()

    thread = threading.Thread(target=anyio.run, args=(main,))
    thread.start()
    assert ready.wait(10)
    yield bound.getsockname()[1]
    anyio.from_thread.run_sync(stop[1], token=stop[0])
    thread.join(10)
    assert not thread.is_alive()


def post(port: int, message: dict[str, Any], *headers: str) -> socket.socket:
    body = json.dumps(message).encode()
    head = [
        "POST /mcp HTTP/1.1",
        f"Host: localhost:{port}",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        f"Content-Length: {len(body)}",
        *headers,
    ]
    connection = socket.create_connection(("127.0.0.1", port), 30)
    connection.sendall("\r\n".join([*head, "", ""]).encode() + body)
    return connection


def session_of(port: int) -> str:
    capabilities = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    first = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": capabilities}
    with closing(post(port, first)) as connection:
        shown = b""
        while b"\r\n\r\n" not in shown:
            shown += connection.recv(1000)
    lines = shown.decode().split("\r\n")
    session = next(line for line in lines if line.lower().startswith("mcp-session-id:"))
    with closing(post(port, {"jsonrpc": "2.0", "method": "notifications/initialized"}, session)) as connection:
        assert b" 202 " in connection.recv(1000)
    return session


@pytest.mark.parametrize("era", ["handshake", "2026-07-28"])
def test_a_connection_that_closes_cancels_the_work(port: int, era: str) -> None:
    Slow.started.clear()
    Slow.stopped.clear()
    params: dict[str, Any] = {"name": "slow", "arguments": {}}
    if era == "handshake":
        headers = [session_of(port)]
    else:
        headers = ["MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: slow"]
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    connection = post(port, call, *headers)
    assert Slow.started.wait(10)
    assert not Slow.stopped.is_set()
    connection.close()
    assert Slow.stopped.wait(10)
