"""Messages come out whole however the bytes are cut, and nothing else comes out."""

from __future__ import annotations

import pytest

from codegps.lsp.framing import Frames, Garbage, frame


def frames(data: bytes, step: int = 1 << 16, message_bytes: int = 100) -> Frames:
    position = 0

    def read(size: int) -> bytes:
        nonlocal position
        chunk = data[position : position + min(size, step)]
        position += len(chunk)
        return chunk

    return Frames(read, message_bytes, 200)


@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000])
def test_bodies_come_out_whole(step: int) -> None:
    source = frames(frame(b"{}") + frame(b"") + frame("𝄞".encode() * 9) + frame(b"x" * 100), step)
    assert [source.next() for _ in range(5)] == [b"{}", b"", "𝄞".encode() * 9, b"x" * 100, None]


def test_other_headers_and_any_case_are_understood() -> None:
    data = b"content-type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:  2 \r\n\r\n{}"
    assert frames(data).next() == b"{}"


@pytest.mark.parametrize("data", [b"", b"Content-Le", b"Content-Length: 5\r\n\r\n", b"Content-Length: 5\r\n\r\n{}"])
def test_an_end_in_the_middle_is_an_end(data: bytes) -> None:
    assert frames(data).next() is None


@pytest.mark.parametrize(
    "data",
    [
        b"hello\n",
        b"{}\n",
        b"\r\n\r\n{}",
        b"Content-" + b"x" * 300,
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 1_0\r\n\r\n",
        b"Content-Length: +2\r\n\r\n{}",
        b"Content-Length:\r\n\r\n{}",
        b"Content-Length: " + b"9" * 19 + b"\r\n\r\n{}",
        b"Content-Length: 101\r\n\r\n",
        b"Content-Type: 1\r\n\r\n",
    ],
)
def test_anything_else_is_garbage(data: bytes) -> None:
    with pytest.raises(Garbage):
        frames(data).next()
