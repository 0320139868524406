"""Bytes from a server's stdout → the bodies of its messages, one at a time and never more than the limit; and back."""

from __future__ import annotations

from collections.abc import Callable

_END = b"\r\n\r\n"
_CHUNK = 1 << 16


class Garbage(Exception):
    """What came is not the protocol, or more than we take; nothing after it can be trusted."""


class Frames:
    """`read(n)` hands back up to n bytes, none at the end of the stream."""

    def __init__(self, read: Callable[[int], bytes], message_bytes: int, header_bytes: int) -> None:
        self._read = read
        self._message_bytes = message_bytes
        self._header_bytes = header_bytes
        self._buffer = bytearray()

    def next(self) -> bytes | None:
        """The next body; None at the end of the stream, even in the middle of a message."""
        header = self._header()
        if header is None:
            return None
        length = _length(header)
        if length > self._message_bytes:
            raise Garbage(f"sent a message of {length} bytes")
        while len(self._buffer) < length:
            if not self._more():
                return None
        body = bytes(self._buffer[:length])
        del self._buffer[:length]
        return body

    def _header(self) -> bytes | None:
        while (end := self._buffer.find(_END, 0, self._header_bytes)) < 0 or not _may_be_header(self._buffer):
            if len(self._buffer) >= self._header_bytes or not _may_be_header(self._buffer):
                line = bytes(self._buffer[:60]).partition(b"\n")[0]
                raise Garbage(f"wrote {line!r}, which is not the protocol")
            if not self._more():
                return None
        header = bytes(self._buffer[:end])
        del self._buffer[: end + len(_END)]
        return header

    def _more(self) -> bool:
        chunk = self._read(_CHUNK)
        self._buffer += chunk
        return bool(chunk)


def _may_be_header(start: bytes | bytearray) -> bool:
    """Headers start with `Content-`, so a program that chats on stdout is found out at its first bytes."""
    expected = b"content-"
    return bytes(start[: len(expected)]).lower() == expected[: len(start)]


def _length(header: bytes) -> int:
    for line in header.split(b"\r\n"):
        name, colon, value = line.partition(b":")
        digits = value.strip()
        if colon and name.strip().lower() == b"content-length" and digits.isdigit() and len(digits) <= 18:
            return int(digits)
    raise Garbage(f"wrote the header {header[:60]!r}, which has no length")


def frame(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
