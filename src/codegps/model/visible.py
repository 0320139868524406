"""Text that other people wrote (names, paths, arguments) in; the same on one line, safe to print, out."""

from __future__ import annotations

LIMIT = 500
"""Nobody reads a longer name, and a name can be a whole file."""

# C0 and C1 controls, line and paragraph separators, marks that turn the direction of text, lone surrogates.
_HIDDEN = frozenset(
    [*range(0x20), *range(0x7F, 0xA0), 0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFEFF]
)


def visible(text: str, limit: int = LIMIT) -> str:
    """Writes characters that would break a line or hide others as escapes (`\\n`, `\\x1b`), and cuts at `limit`."""
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(c) if ord(c) in _HIDDEN or "\ud800" <= c <= "\udfff" else c for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
