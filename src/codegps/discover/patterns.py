"""Lines as in `.gitignore` in; whether they match a path, out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Patterns:
    """The lines of one ignore file, or of one setting."""

    def __init__(self, lines: Sequence[str]) -> None:
        # Imported here because most trees have no patterns, and it costs more than the rest of a look.
        from pathspec import GitIgnoreSpec

        try:
            self._spec: GitIgnoreSpec = GitIgnoreSpec.from_lines(lines)
        except (ValueError, re.error):
            self._spec = GitIgnoreSpec.from_lines([line for line in lines if _valid(line)])

    def match(self, path: str) -> bool | None:
        """True: ignored; False: a `!` line takes it back; None: no line speaks of it. A folder's path ends in `/`."""
        return self._spec.check_file(path).include


def _valid(line: str) -> bool:
    """Git passes over lines that it cannot read, and so do we."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True
