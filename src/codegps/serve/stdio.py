"""The process's stdin and stdout in; a pair of message streams that survives whatever a client sends, out.

The SDK's transport keeps stdout for the protocol alone: anything else that prints goes to stderr. Around it we
bound the length of a line and answer what is not JSON-RPC, which the SDK drops in silence.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, BinaryIO, cast

import anyio
import anyio.from_thread
import anyio.lowlevel
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError

from codegps.serve.http import FRAME_LIMIT

OVERSIZED = "\x00oversized"
"""What stands for a line that was too long; no message looks like it."""


class _Lines:
    """Bounded lines from a pipe, as the SDK's transport reads them; a daemon thread, so nothing waits for a client."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._send, self._receive = anyio.create_memory_object_stream[str](0)
        self._token = anyio.lowlevel.current_token()
        threading.Thread(target=self._read, name="codegps-stdin", daemon=True).start()

    def __aiter__(self) -> AsyncIterator[str]:
        return self._receive.__aiter__()

    def close(self) -> None:
        """Whoever is sending is told that nobody listens, and does not wait for a loop that ends."""
        self._receive.close()

    def _read(self) -> None:
        # The loop may be gone before the pipe is, and cancels what it still has.
        with contextlib.suppress(BaseException):
            for line in bounded_lines(self._source):
                anyio.from_thread.run(self._send.send, line, token=self._token)
            anyio.from_thread.run(self._send.aclose, token=self._token)


def bounded_lines(source: BinaryIO, limit: int = FRAME_LIMIT) -> Any:
    """Lines as text; of a longer one only a mark remains. Blank lines are left out."""
    while line := source.readline(limit + 1):
        if len(line) > limit and not line.endswith(b"\n"):
            while (rest := source.readline(limit)) and not rest.endswith(b"\n"):
                pass
            yield OVERSIZED
        elif line.strip():
            yield line.decode("utf-8", "replace")


def _private_stdin() -> BinaryIO:
    """Stdin for us alone: whoever else reads, a child process say, finds it empty."""
    try:
        private = os.dup(0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
    except OSError:
        return sys.stdin.buffer
    return os.fdopen(private, "rb", closefd=False)


@contextlib.asynccontextmanager
async def _closed_at_last(lines: _Lines) -> AsyncGenerator[None]:
    try:
        yield
    finally:
        lines.close()
        with anyio.CancelScope(shield=True):
            await anyio.lowlevel.checkpoint()


Messages = SessionMessage | Exception


@contextlib.asynccontextmanager
async def stdio_streams() -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[Messages], MemoryObjectSendStream[SessionMessage]]
]:
    """The streams to hand to `Server.run`."""
    lines = _Lines(_private_stdin())
    async with _closed_at_last(lines), stdio_server(stdin=cast("Any", lines)) as (read, write):
        passed, good = anyio.create_memory_object_stream[Messages](0)
        outgoing, answers = anyio.create_memory_object_stream[SessionMessage](0)

        async def receive() -> None:
            async with passed:
                async for item in read:
                    if isinstance(item, Exception):
                        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                            await write.send(SessionMessage(refusal(item)))
                    else:
                        await passed.send(item)

        async def send() -> None:
            async with write:
                async for message in answers:
                    await write.send(message)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(receive)
            tasks.start_soon(send)
            yield good, outgoing
            tasks.cancel_scope.cancel()


def refusal(problem: Exception) -> JSONRPCError:
    """What a client hears about a line that is no message."""
    text = str(problem)
    if OVERSIZED in text or "\\x00oversized" in text or "\\u0000oversized" in text:
        return _error(INVALID_REQUEST, f"The message is longer than {FRAME_LIMIT:,} bytes.")
    if "json_invalid" in text or "Invalid JSON" in text:
        return _error(PARSE_ERROR, "Parse error: the line is not JSON.")
    return _error(INVALID_REQUEST, "The line is JSON, but not a JSON-RPC 2.0 message.")


def _error(code: int, message: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=message))
