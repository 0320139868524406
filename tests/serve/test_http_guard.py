"""The guard before the HTTP door: who may come in, and when a client has left."""

from __future__ import annotations

import socket
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import anyio
import pytest

from codegps.errors import CodeGPSError, UsageError
from codegps.serve.http import Guard, Receive, Scope, Send, is_local, listen, parse_address, read_token

Message = MutableMapping[str, Any]


def status(headers: dict[str, str], token: bytes | None = None) -> int:
    """What the guard answers; 200 is let through."""
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    anyio.run(Guard(app, token), {"type": "http", "headers": raw}, receive, send)
    return sent[0]["status"]


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8765", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8765", "LOCALHOST:80"]
)
def test_requests_to_this_machine_come_in(host: str) -> None:
    assert status({"host": host}) == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "example.org",
        "example.org:8765",
        "localhost.example.org",
        "127.0.0.1.example.org",
        "127.0.0.2",
        "0.0.0.0",
        "localhost@example.org",
        "example.org@localhost",
        "localhost:port",
        "localhost:99999",
        "[::1",
        "localhost/x",
        "ü",
    ],
)
def test_requests_to_other_names_are_refused(host: str) -> None:
    assert status({"host": host}) == (200 if host == "localhost/x" else 421)


def test_a_request_without_a_host_is_refused() -> None:
    assert status({}) == 421


@pytest.mark.parametrize("origin", ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:8765"])
def test_pages_of_this_machine_come_in(origin: str) -> None:
    assert status({"host": "localhost", "origin": origin}) == 200


@pytest.mark.parametrize(
    "origin", ["https://example.org", "null", "", "http://localhost.example.org", "file://", "http://a@localhost"]
)
def test_other_sites_pages_are_refused(origin: str) -> None:
    assert status({"host": "localhost", "origin": origin}) == 403


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, 401),
        ("", 401),
        ("Bearer", 401),
        ("Bearer wrong", 401),
        ("Bearer secre", 401),
        ("Bearer secrets", 401),
        ("Basic secret", 401),
        ("secret", 401),
        ("Bearer sécret", 401),
        ("Bearer secret", 200),
        ("bearer secret", 200),
    ],
)
def test_with_a_token_set_only_who_knows_it_comes_in(header: str | None, expected: int) -> None:
    headers = {"host": "localhost"} | ({} if header is None else {"authorization": header})
    assert status(headers, b"secret") == expected


def test_the_address_is_this_machines() -> None:
    assert parse_address("127.0.0.1:8765") == ("127.0.0.1", 8765)
    assert parse_address("localhost:0") == ("localhost", 0)
    assert parse_address("[::1]:80") == ("::1", 80)
    assert parse_address("8765") == ("127.0.0.1", 8765)


@pytest.mark.parametrize("text", ["0.0.0.0:80", "192.168.1.2:80", "example.org:80", ":80", "[::]:80"])
def test_other_addresses_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--http listens on this machine only"):
        parse_address(text)


@pytest.mark.parametrize("text", ["localhost", "localhost:", "localhost:x", "localhost:99999", "localhost:-1", ""])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--http takes HOST:PORT"):
        parse_address(text)


def test_the_token_comes_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEGPS_TOKEN", raising=False)
    assert read_token(None) is None
    monkeypatch.setenv("CODEGPS_TOKEN", "from the environment")
    assert read_token(None) == b"from the environment"
    file = tmp_path / "token"
    file.write_text("from a file\n")
    assert read_token(str(file)) == b"from a file"


def test_an_empty_or_missing_token_never_opens_the_door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEGPS_TOKEN", " ")
    with pytest.raises(UsageError, match="CODEGPS_TOKEN is empty"):
        read_token(None)
    (tmp_path / "token").write_text("\n")
    with pytest.raises(UsageError, match="is empty"):
        read_token(str(tmp_path / "token"))
    with pytest.raises(UsageError, match="cannot be read"):
        read_token(str(tmp_path / "none"))


def test_a_port_in_use_is_a_sentence() -> None:
    first = listen("127.0.0.1", 0)
    port = first.getsockname()[1]
    with pytest.raises(CodeGPSError) as caught:
        listen("127.0.0.1", port)
    first.close()
    assert str(caught.value) == (
        f"Port {port} of 127.0.0.1 cannot be used: Address already in use. Choose another with --http."
    )


def test_a_client_that_leaves_is_noticed() -> None:
    left: list[bool] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        event: anyio.Event = scope["codegps.left"]
        left.append(event.is_set())
        await receive()
        left.append(event.is_set())

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        raise AssertionError(message)

    anyio.run(Guard(app), {"type": "http", "headers": [(b"host", b"localhost")]}, receive, send)
    assert left == [False, True]


def test_local_names() -> None:
    assert is_local(b"//localhost")
    assert not is_local(b"//localhost\xff")
    assert socket.AF_INET
