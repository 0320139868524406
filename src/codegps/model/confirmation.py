"""What a language server is asked about call sites, and what it says.

In: nothing (a contract). Whoever speaks to servers satisfies `Confirmer`; the tools that want a second opinion
ask it and never speak to a server themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

LspMode = Literal["auto", "off", "required"]

Place = tuple[int, int]
"""Line and column, 1-based, in code points."""
Definition = tuple[str, int, int]
"""Path (relative to the root with `/`, absolute where it lies outside), line and column of the defined name."""


class Confirmation(Protocol):
    """What a server said about a file. Places without an answer are left out."""

    @property
    def provider(self) -> str:
        """`typescript`, `pyright`, `clangd`, `rust-analyzer`; `static` where no server took part."""
        ...

    @property
    def definitions(self) -> Mapping[Place, Sequence[Definition]]:
        """Where the names at the places lead that were asked for."""
        ...

    @property
    def calls(self) -> Mapping[Place, Sequence[Definition]]:
        """What the server's call hierarchy says that the file's functions call, asked for or not."""
        ...

    @property
    def partial(self) -> bool:
        """A server took part, or should have, and did not say everything."""
        ...

    @property
    def available(self) -> bool:
        """False where there is no server that could be asked."""
        ...

    @property
    def reason(self) -> str: ...


class Confirmer(Protocol):
    def analyze_symbols(
        self,
        root: Path,
        path: str,
        language: str,
        places: Sequence[Place],
        budget_seconds: float | None = None,
        *,
        text: str | None = None,
        stamps: Mapping[str, int] | None = None,
    ) -> Confirmation:
        """Asks the language's server about a file, within the budget. Never raises for what a server does."""
        ...
