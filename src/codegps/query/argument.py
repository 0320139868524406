"""Arguments as callers sent them in; arguments that the engine can work with, or an error that says how, out."""

from __future__ import annotations

from codegps.errors import ToolError
from codegps.model.visible import visible

TEXT_LIMIT = 1_000


def plain(value: object, parameter: str, limit: int = TEXT_LIMIT) -> str:
    """A text without control characters, neither empty nor absurdly long."""
    if not isinstance(value, str):
        raise ToolError(f"`{parameter}` must be text, not {type(value).__name__}.")
    if not value.strip():
        raise ToolError(f"`{parameter}` is empty. Give a value for it.")
    if len(value) > limit:
        raise ToolError(f"`{parameter}` is {len(value):,} characters long; {limit:,} are allowed.")
    if any(c < " " or "\x7f" <= c <= "\x9f" or "\ud800" <= c <= "\udfff" for c in value):
        raise ToolError(f"`{parameter}` has a control character: '{visible(value, 100)}'. Give it as plain text.")
    return value


def clamped(value: object, parameter: str, lowest: int, highest: int) -> tuple[int, str]:
    """The number in its range, and a word on it where it was moved."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise ToolError(f"`{parameter}` must be a whole number, not {type(value).__name__}.")
    if lowest <= value <= highest:
        return value, ""
    used = min(max(value, lowest), highest)
    return used, f"{parameter} must be from {lowest:,} to {highest:,}; {used:,} was used."
