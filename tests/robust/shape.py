"""What the deep and wide sources have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Files = dict[str, str]
Maker = Callable[[int], Files]


class Shape(NamedTuple):
    make: Maker
    """A size in, sources out."""
    size: int
    call: str
    """A call that must be found: `source -> target`, with the size as `{n}` and one less as `{last}`."""
    soak: int = 0
    """The size for which there is only time in a soak, where that is larger."""

    @property
    def expected(self) -> str:
        return self.call.format(n=self.size, last=self.size - 1, half=self.size // 2)
