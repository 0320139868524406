"""What a language server is asked about call sites, and what it says.

In: nothing (nouns and a contract). Whoever speaks to servers satisfies `Confirmer`; the tools that want a second
opinion ask it and never speak to a server themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec

LspMode = Literal["auto", "off", "required"]


class Place(NamedTuple):
    """Where a server says something is defined: the first character of its name."""

    path: str
    """Relative to the root with `/` where it lies inside, else absolute."""
    line: int
    column: int


class Confirmation(msgspec.Struct, frozen=True):
    provider: str
    """`typescript`, `pyright`, `clangd`, `rust-analyzer`."""
    definitions: dict[tuple[int, int], tuple[Place, ...]]
    """For each call site (line, column) that the server answered: its definitions, empty where it knows none.
    Sites that it did not answer are left out."""
    timed_out: bool = False


class Confirmer(Protocol):
    def confirm(self, path: str, sites: Sequence[tuple[int, int]], timeout: float) -> Confirmation | None:
        """Definitions of the call sites (1-based line, column in code points) of a file, `path` relative to the root.

        None where no server can answer for such files: none is set up, found or trusted. Never raises for what a
        server does, and comes back within `timeout` seconds with what there is by then.
        """
        ...
