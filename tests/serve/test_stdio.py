"""Lines from a pipe: bounded, and answered when they are no messages."""

from __future__ import annotations

import io

import pytest
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

from codegps.serve.stdio import OVERSIZED, bounded_lines, refusal


def lines(data: bytes, limit: int = 10) -> list[str]:
    return list(bounded_lines(io.BytesIO(data), limit))


def test_lines_come_one_by_one() -> None:
    assert lines(b"a\nbc\n") == ["a\n", "bc\n"]


def test_half_a_frame_at_the_end_is_a_line() -> None:
    assert lines(b'a\n{"json') == ["a\n", '{"json']


def test_blank_lines_are_left_out() -> None:
    assert lines(b"\n \r\na\n") == ["a\n"]


def test_of_a_long_line_only_a_mark_remains_and_the_next_one_counts() -> None:
    assert lines(b"x" * 10 + b"\n" + b"ok\n") == ["x" * 10 + "\n", "ok\n"]
    assert lines(b"x" * 1000 + b"\nok\n") == [OVERSIZED, "ok\n"]
    assert lines(b"x" * 1000) == [OVERSIZED]


def test_what_is_not_utf8_does_not_stop_the_stream() -> None:
    assert lines(b"\xff\xfe\nok\n") == ["\ufffd\ufffd\n", "ok\n"]


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ('{"jsonrpc": "2.0", "id"', -32700, "Parse error: the line is not JSON."),
        ("hello", -32700, "Parse error: the line is not JSON."),
        ("[]", -32600, "The line is JSON, but not a JSON-RPC 2.0 message."),
        ("{}", -32600, "The line is JSON, but not a JSON-RPC 2.0 message."),
        ('{"jsonrpc": "1.0", "id": 1, "method": "x"}', -32600, "The line is JSON, but not a JSON-RPC 2.0 message."),
        (OVERSIZED, -32600, "The message is longer than 4,194,304 bytes."),
    ],
)
def test_a_line_that_is_no_message_is_answered(line: str, code: int, message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    made = refusal(caught.value)
    assert (made.id, made.error.code, made.error.message) == (None, code, message)
