"""A language server that behaves as badly as its first argument says; tests run it, it imports nothing of ours.

Its first file argument is a log: a line `start PID` for each start, `child PID` for each process it starts, and a line
for each message it got.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

MODE, LOG = sys.argv[1], Path(sys.argv[2])
FOREVER = 600.0
IN, OUT = sys.stdin.buffer, sys.stdout.buffer


def log(*words: object) -> None:
    with LOG.open("a", encoding="utf-8") as file:
        file.write(" ".join(str(word) for word in words) + "\n")


def read() -> dict[str, Any] | None:
    length = 0
    while line := IN.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(IN.read(length)) if length else None


def write(message: object) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message} if isinstance(message, dict) else message).encode()
    write_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)


def write_raw(data: bytes) -> None:
    OUT.write(data)
    OUT.flush()


def span(line: int, start: int, end: int) -> dict[str, Any]:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def greet(message: dict[str, Any]) -> None:
    if MODE == "silent":
        time.sleep(FOREVER)
    if MODE == "dies-at-start":
        sys.stderr.write("Traceback\nError: no license\nbye\n")
        sys.exit(3)
    if MODE == "refuses":
        write({"id": message["id"], "error": {"code": 1, "message": "not on a Sunday"}})
        return
    encoding = "utf-7" if MODE == "encoding" else MODE if MODE.startswith("utf-") else "utf-16"
    providers = ("definitionProvider", "referencesProvider", "documentSymbolProvider", "callHierarchyProvider")
    capabilities = {name: True for name in providers if MODE != "poor"}
    write({"id": message["id"], "result": {"capabilities": {"positionEncoding": encoding, **capabilities}}})


def answer(message: dict[str, Any]) -> object:
    """What a good server says about `def f(): g()` on line 1 and `def g(): ...` on line 2."""
    params = message["params"]
    method = message["method"]
    if method == "textDocument/definition":
        where = {"uri": params["textDocument"]["uri"], "range": span(1, 4, 5)}
        if MODE == "outside":
            return [
                where,
                {"uri": "file:///outside/of/it.py", "range": span(6, 7, 8)},
                {"uri": "https://example.org/x.py", "range": span(0, 0, 0)},
                {"targetUri": where["uri"], "targetSelectionRange": span(70, 5, 6)},
            ]
        return {"text": 1} if MODE == "shapes" else where
    if method == "textDocument/references":
        return [{"uri": params["textDocument"]["uri"], "range": span(0, 9, 10)}]
    if method == "textDocument/documentSymbol":
        inner = {"name": "h", "kind": 12, "selectionRange": span(1, 4, 5)}
        symbol = {"name": "f", "kind": 12, "selectionRange": span(0, 4, 5), "children": [inner]}
        return 7 if MODE == "shapes" else [symbol]
    if method == "textDocument/prepareCallHierarchy":
        item = {"name": "f", "kind": 12, "uri": params["textDocument"]["uri"], "data": [1, {"x": None}]}
        return (
            [{**item, "range": span(0, 0, 9), "selectionRange": span(0, 4, 5)}]
            if params["position"]["line"] == 0
            else None
        )
    if method == "callHierarchy/outgoingCalls":
        assert params["item"]["data"] == [1, {"x": None}]
        target = {"name": "g", "kind": 12, "uri": params["item"]["uri"], "selectionRange": span(1, 4, 5)}
        return [{"to": target, "fromRanges": [span(0, 9, 10)]}]
    return None


def misbehave(message: dict[str, Any]) -> bool:
    """Does what the mode says at a question; whether that was all the answer there is."""
    body = b'{"jsonrpc": "2.0", "id": 1, "result": null}'
    if MODE in ("hangs", "deaf", "stubborn"):
        time.sleep(FOREVER)
    elif MODE == "swallows":
        return True
    elif MODE == "dies":
        write_raw(b"Content-Length: 1000\r\n\r\n" + body)
        sys.stderr.write("fatal error: out of luck\n")
        sys.exit(1)
    elif MODE == "garbage":
        write_raw(b"Starting up, please wait...\n")
    elif MODE == "bad-json":
        write_raw(b"Content-Length: 9\r\n\r\n{'no': 1}")
    elif MODE == "bad-text":
        write_raw(b'Content-Length: 16\r\n\r\n{"method": "\xff\xfe"}')
    elif MODE == "deep":
        write_raw(b"Content-Length: 2000000\r\n\r\n" + b"[" * 2000000)
    elif MODE == "no-length":
        write_raw(b"Content-Type: text\r\n\r\n{}")
    elif MODE == "huge":
        write_raw(b"Content-Length: 99999999999\r\n\r\n{")
    elif MODE == "endless-header":
        while True:
            write_raw(b"Content-" + b"x" * 1000)
    elif MODE == "floods":
        while True:
            write({"method": "window/logMessage", "params": {"type": 3, "message": "x" * 100}})
    elif MODE == "floods-requests":
        for number in range(1_000_000_000):
            write({"id": number, "method": "workspace/configuration", "params": {"items": [{"section": "python"}]}})
    elif MODE == "big-answers":
        write({"id": message["id"], "result": ["x" * 300_000]})
        return True
    elif MODE == "late":
        time.sleep(0.3)
    elif MODE == "errors":
        write({"id": message["id"], "error": {"code": -32603, "message": "no idea"}})
        return True
    elif MODE == "closes-stdout":
        os.close(1)
        time.sleep(FOREVER)
    return False


def serve() -> None:
    log("start", os.getpid())
    if MODE in ("family", "stray", "stubborn"):
        child = subprocess.Popen(
            [sys.executable, "-c", f"import time; time.sleep({FOREVER})"], start_new_session=MODE == "stray"
        )
        log("child", child.pid)
    if MODE == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    modified = False
    while (message := read()) is not None:
        method = message.get("method", "reply")
        log(method, json.dumps(message.get("params", message.get("result"))))
        if method == "initialize":
            greet(message)
            if MODE == "deaf":
                time.sleep(FOREVER)
        elif method == "initialized" and MODE in ("reads", "reads-on"):
            write({"method": "experimental/serverStatus", "params": {"health": "ok", "quiescent": False}})
            time.sleep(0.2)
            write({"method": "experimental/serverStatus", "params": {"health": "ok", "quiescent": MODE == "reads"}})
        elif method == "shutdown" and MODE != "ignores-shutdown":
            write({"id": message["id"], "result": None})
        elif method == "exit" and MODE != "ignores-shutdown":
            return
        elif MODE == "modified" and "id" in message and not modified:
            modified = True
            write({"id": message["id"], "error": {"code": -32801, "message": "content modified"}})
        elif "id" in message and method not in ("reply", "shutdown"):
            if MODE == "asks":
                write(
                    {"id": "q1", "method": "workspace/configuration", "params": {"items": [{"section": "python"}, {}]}}
                )
                write({"id": "q2", "method": "window/showMessageRequest", "params": {"message": "?", "type": 1}})
                write({"id": "q3", "method": "client/registerCapability", "params": {"registrations": []}})
            if not misbehave(message):
                write({"id": message["id"], "result": answer(message)})
    if MODE in ("ignores-shutdown", "stubborn"):
        time.sleep(FOREVER)


if __name__ == "__main__":
    serve()
