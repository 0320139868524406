"""An MCP server and an address of this machine in; streamable HTTP for those who may ask, out.

The guard stands before everything else: it lets in requests that were sent to this machine by name, from a page of
this machine if from a page at all, and with the token where one is set.
"""

from __future__ import annotations

import hmac
import os
import socket
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio

from codegps.errors import CodeGPSError, UsageError

if TYPE_CHECKING:
    from mcp.server.lowlevel.server import Server

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_VARIABLE = "CODEGPS_TOKEN"
PATH = "/mcp"
FRAME_LIMIT = 4 * 1024 * 1024
"""Bytes in one message."""
DRAIN_SECONDS = 10.0
DRAIN_BYTES = 256 * 1024 * 1024


def parse_address(text: str) -> tuple[str, int]:
    """`HOST:PORT`, or a port alone; only this machine's own addresses."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") if colon else LOOPBACK[0]
    if not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise UsageError(f"--http takes HOST:PORT, for example 127.0.0.1:8765, not {text!r}.")
    if host not in LOOPBACK:
        raise UsageError(
            f"--http listens on this machine only ({', '.join(LOOPBACK)}), not on {host or 'all addresses'!r}. "
            "For other machines put a proxy with encryption and a login before it."
        )
    return host, int(port)


def read_token(file: str | None) -> bytes | None:
    """The token from a file or the environment; never from the command line, where everybody can read it."""
    if file is None:
        text = os.environ.get(TOKEN_VARIABLE)
        if text is None:
            return None
        where = f"The variable {TOKEN_VARIABLE}"
    else:
        where = f"The token file {file}"
        try:
            text = Path(file).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise UsageError(f"{where} cannot be read: {error}.") from None
    token = text.strip().encode()
    if not token:
        raise UsageError(f"{where} is empty.")
    return token


class Guard:
    """ASGI middleware: refuses what must not come in, and notices when a client leaves before its answer."""

    def __init__(self, app: App, token: bytes | None = None) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {bytes(name).lower(): bytes(value) for name, value in scope["headers"]}
        if not is_local(b"//" + headers.get(b"host", b"")):
            await _refuse(send, 421, b"This server answers to localhost only.")
        elif b"origin" in headers and not is_local(headers[b"origin"]):
            await _refuse(send, 403, b"Requests from other sites' pages are refused.")
        elif not self._knows(headers.get(b"authorization", b"")):
            await _refuse(send, 401, b"A token is needed: Authorization: Bearer TOKEN.")
        elif _length(headers.get(b"content-length", b"")) > FRAME_LIMIT:
            await _refuse_long(receive, send)
        else:
            await self._pass(scope, receive, send)

    def _knows(self, header: bytes) -> bool:
        if self._token is None:
            return True
        kind, _, given = header.partition(b" ")
        return hmac.compare_digest(given.strip(), self._token) and kind.lower() == b"bearer"

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        left = anyio.Event()
        scope["codegps.left"] = left

        async def listen() -> MutableMapping[str, Any]:
            message = await receive()
            if message["type"] == "http.disconnect":
                left.set()
            return message

        try:
            await self._app(scope, listen, send)
        finally:
            left.set()


def is_local(url: bytes) -> bool:
    """Whether a `Host` (after `//`) or `Origin` names this machine, with any port or none."""
    try:
        parts = urlsplit(url.decode("ascii"))
        return parts.hostname in LOOPBACK and (parts.port is None or parts.port >= 0) and "@" not in parts.netloc
    except ValueError:
        return False


async def _refuse(send: Send, status: int, text: bytes) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})


def _length(header: bytes) -> int:
    return int(header) if header.isdigit() and len(header) < 20 else 0


async def _refuse_long(receive: Receive, send: Send) -> None:
    """Answers at once, but hears the client out, within reason: who is cut off while sending never reads the answer."""
    text = f"The message is longer than {FRAME_LIMIT:,} bytes.".encode()
    headers = [
        (b"content-type", b"text/plain"),
        (b"content-length", str(len(text)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": text, "more_body": True})
    heard = 0
    with anyio.move_on_after(DRAIN_SECONDS):
        while heard < DRAIN_BYTES:
            message = await receive()
            heard += len(message.get("body", b""))
            if message["type"] == "http.disconnect" or not message.get("more_body", False):
                break
    await send({"type": "http.response.body", "body": b""})


def listen(host: str, port: int) -> socket.socket:
    """A bound socket, or a sentence about why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            # On Windows this option would let two servers share the port.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(128)
    except OSError as error:
        bound.close()
        reason = f"Port {port} of {host} cannot be used: {error.strerror}."
        raise CodeGPSError(f"{reason} Choose another with --http.") from None
    return bound


async def serve_http(server: Server[Any], bound: socket.socket, token: bytes | None) -> None:
    """Serves until the process is told to stop."""
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    # The guard checks Host and Origin; the SDK's own check would refuse a Host without a port.
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(
        streamable_http_path=PATH, transport_security=security, max_request_body_size=FRAME_LIMIT
    )
    config = uvicorn.Config(
        Guard(app, token),  # pyright: ignore[reportArgumentType]
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
        lifespan="on",
    )
    await uvicorn.Server(config).serve(sockets=[bound])
