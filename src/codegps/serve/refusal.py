"""An error in; what its reader sees, out: the object that a contract fixes as JSON, else the sentence."""

from __future__ import annotations

import json
from typing import Any

from codegps.errors import CodeGPSError, ToolError


def payload_of(error: CodeGPSError) -> dict[str, Any] | None:
    """The error object in plain JSON values."""
    if not isinstance(error, ToolError) or not error.payload:
        return None
    import msgspec

    return msgspec.to_builtins(error.payload)


def text_of(error: CodeGPSError) -> str:
    payload = payload_of(error)
    return str(error) if payload is None else json.dumps(payload, ensure_ascii=False)
