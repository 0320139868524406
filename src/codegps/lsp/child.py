"""A command → a running process with pipes, which never outlives us and takes its own children along when it goes."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

_REAP_SECONDS = 2.0


class Guard:
    """Kills the watched process groups should this process die without a goodbye. On Windows jobs do that."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def watch(self, pid: int) -> None:
        self._tell(b"+%d\n" % pid, start=True)

    def release(self, pid: int) -> None:
        self._tell(b"-%d\n" % pid, start=False)

    def close(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_REAP_SECONDS)

    def _tell(self, line: bytes, start: bool) -> None:
        if sys.platform == "win32":
            return
        with self._lock:
            if self._process is None and start:
                # A machine that cannot start it can still run servers: they notice the end of their input.
                with contextlib.suppress(OSError):
                    self._process = _start_guard()
            if self._process is not None and self._process.stdin is not None:
                with contextlib.suppress(OSError):
                    self._process.stdin.write(line)


def _start_guard() -> subprocess.Popen[bytes]:
    """No `site`, a session of its own: it starts in 15 ms and no Ctrl-C reaches it."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(Path(__file__).with_name("guard.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        cwd=os.sep,
        start_new_session=True,
    )


class Child:
    """A running server process. Raises OSError where it cannot be started."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: str, guard: Guard) -> None:
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env=dict(environment),
            start_new_session=True,
            creationflags=flags,
        )
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self.pid = process.pid
        self.stdin, self.stdout, self.stderr = process.stdin, process.stdout, process.stderr
        self._process = process
        self._guard = guard
        self._lock = threading.Lock()
        self._reaped = False
        self._ender: threading.Thread | None = None
        if sys.platform == "win32":
            from codegps.lsp.windows import Job

            self._job = Job(process.pid)
        guard.watch(process.pid)

    def watch(self, on_end: Callable[[], None]) -> None:
        """Reaps the process and its children when it ends, and tells."""
        self._ender = threading.Thread(target=self._await_end, args=(on_end,), daemon=True, name="language-server-end")
        self._ender.start()

    def kill(self) -> None:
        """Ends the process and its children, without waiting. Any thread may call this, any number of times."""
        with self._lock:
            if not self._reaped:
                strays = _descendants(self.pid)
                self._kill_group()
                for stray in strays:
                    _kill(stray)

    def join(self) -> None:
        """Waits, not for ever, until the process is reaped and its end was told."""
        if self._ender is not None:
            self._ender.join(_REAP_SECONDS)

    def _await_end(self, on_end: Callable[[], None]) -> None:
        """A process that died leaves children that hold its pipes open, so their end alone does not tell of its own."""
        self._process.wait()
        with self._lock:
            self._reaped = True
            self._kill_group()
        self._guard.release(self.pid)
        on_end()

    def _kill_group(self) -> None:
        if sys.platform == "win32":
            self._job.close()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def close_pipes(self) -> None:
        for pipe in (self.stdin, self.stdout, self.stderr):
            with contextlib.suppress(OSError):
                pipe.close()


def _kill(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)


def _descendants(pid: int) -> list[int]:
    """Processes it started that may have left its group; known on Linux alone, elsewhere the group has to do."""
    found: list[int] = []
    todo = [pid]
    while todo:
        with contextlib.suppress(OSError):
            for listing in Path(f"/proc/{todo.pop()}/task").glob("*/children"):
                children = [int(word) for word in listing.read_text().split()]
                found += children
                todo += children
    return found
