"""A tiny process of its own: reads `+pid` and `-pid` lines, and kills those process groups once the input ends.

The input is a pipe that only the process with the language servers holds open, so it ends however that process does:
by a goodbye, a crash or `kill -9`. Run as a script, with nothing imported from the project.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys


def main() -> None:
    watched: set[int] = set()
    for line in sys.stdin.buffer:
        pid = int(line[1:])
        if line[:1] == b"+":
            watched.add(pid)
        else:
            watched.discard(pid)
    if sys.platform != "win32":
        for pid in watched:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
