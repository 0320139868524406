"""Errands in, answers out: worker processes, each with a thread that hands it chunks and reads what it answers.

A worker that dies is replaced. The file that it had in hand is tried once more, alone; if it kills that worker too, it
gets facts that hold only the reason.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from typing import IO, BinaryIO, Final, cast

from codegps.gather.reading import failed_facts
from codegps.gather.worker import ANSWER, Errand, Extracted, Request, receive, send

WAITING: Final = 64
"""Answers that may wait for us to take them; workers then wait too, and memory stays bounded."""
POLL_SECONDS: Final = 0.5
_HUNG: Final = "reading it took longer than"
_START: Final = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from codegps.gather.worker import main; main()"
)
# CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW. Workers are in a group of their own everywhere, so that Ctrl-C in a
# terminal reaches us alone and we end them.
_OWN_GROUP_ON_WINDOWS: Final = 0x00000200 | 0x08000000


class Worker:
    """One process. Starting it may raise OSError."""

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the worker)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, json.dumps([p or os.getcwd() for p in sys.path])],  # noqa: PTH109
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                process_group=None if os.name == "nt" else 0,
                creationflags=_OWN_GROUP_ON_WINDOWS if os.name == "nt" else 0,
            )
        except BaseException:
            self._errors.close()
            raise
        self._requests = cast("BinaryIO", self._process.stdin)
        self._answers = cast("BinaryIO", self._process.stdout)
        self._since = time.monotonic()

    def is_ready(self) -> bool:
        return bool(receive(self._answers))

    def run(self, root: str, errands: list[Errand], take: Callable[[Extracted], None]) -> int:
        """How many of the errands were answered; not all of them where the worker died."""
        try:
            send(self._requests, Request(root, errands))
        except OSError:
            return 0
        for done in range(len(errands)):
            self._since = time.monotonic()
            payload = receive(self._answers)
            if not payload:
                return done
            take(ANSWER.decode(payload))
        return len(errands)

    def reason(self, limit: float) -> str:
        """Why it died."""
        status = self._process.wait()
        if status < 0:
            name = signal.Signals(-status).name if -status in set(signal.Signals) else str(-status)
            return f"the process that read it was killed ({name}); perhaps memory ran out"
        if time.monotonic() - self._since >= limit:
            return f"{_HUNG} {limit:g} seconds"
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), f"exit status {status}")
        return f"the process that read it ended: {last}"

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._requests, self._answers, self._errors):
            _close(stream)


def _close(stream: IO[bytes]) -> None:
    try:
        stream.close()
    except OSError:
        return  # what was buffered for a dead process


class Workers:
    """Threads with a worker each, which take chunks from one queue and put answers into another."""

    def __init__(self, root: str, jobs: int) -> None:
        self._root = root
        self._jobs = jobs
        self._threads: list[threading.Thread] = []
        self._chunks: queue.SimpleQueue[list[Errand] | None] = queue.SimpleQueue()
        self._answers: queue.Queue[Extracted | list[Errand]] = queue.Queue(WAITING)
        self._lock = threading.Lock()
        self._closing = False
        self._living: set[Worker] = set()
        self._open = 0
        """Errands without an answer."""
        self.left: list[Errand] = []
        """Errands for which no worker could be started."""

    def submit(self, chunk: list[Errand]) -> None:
        if not chunk:
            return
        self._open += len(chunk)
        self._chunks.put(chunk)
        if len(self._threads) < self._jobs:
            thread = threading.Thread(target=self._serve, name="codegps-gather", daemon=True)
            self._threads.append(thread)
            thread.start()

    def ready(self) -> Iterator[Extracted]:
        """Answers that are there."""
        while True:
            try:
                yield from self._taken(self._answers.get_nowait())
            except queue.Empty:
                return

    def rest(self) -> Iterator[Extracted]:
        """All answers that are still to come; nothing can be submitted afterwards."""
        for _ in self._threads:
            self._chunks.put(None)
        while self._open:
            try:
                # With a time limit, because without one Windows does not hear Ctrl-C.
                yield from self._taken(self._answers.get(timeout=POLL_SECONDS))
            except queue.Empty:
                if self._answers.empty() and not any(t.is_alive() for t in self._threads):
                    raise RuntimeError(f"{self._open} files got no answer") from None

    def close(self) -> None:
        """Ends all workers, whatever they are doing."""
        with self._lock:
            self._closing = True
            living = list(self._living)
        for worker in living:
            worker.kill()
        for _ in self._threads:
            self._chunks.put(None)
        for thread in self._threads:
            thread.join()

    def _taken(self, answer: Extracted | list[Errand]) -> Iterator[Extracted]:
        if isinstance(answer, list):
            self._open -= len(answer)
            self.left += answer
        else:
            self._open -= 1
            yield answer

    # --- in the threads -----------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        worker: Worker | None = None
        try:
            while (chunk := self._chunks.get()) is not None and not self._closing:
                while chunk and not self._closing:
                    worker = worker or self._start()
                    if worker is None:
                        self._put(chunk)
                        break
                    done = worker.run(self._root, chunk, self._put)
                    if done == len(chunk):
                        break
                    reason = self._end(worker, chunk[done].limit)
                    worker = None
                    self._again(chunk[done], reason)
                    chunk = chunk[done + 1 :]
        finally:
            if worker is not None:
                self._end(worker)

    def _again(self, errand: Errand, reason: str) -> None:
        """A second chance in a fresh worker, unless the first attempt hung."""
        if self._closing:
            return
        worker = None if reason.startswith(_HUNG) else self._start()
        if worker is not None:
            if worker.run(self._root, [errand], self._put):
                self._end(worker)
                return
            reason = self._end(worker, errand.limit)
        facts, failure = failed_facts(errand.version, errand.path, 0, reason)
        self._put(Extracted(errand.number, facts=facts, failure=failure))

    def _start(self) -> Worker | None:
        """None where the system does not let us."""
        try:
            with self._lock:
                if self._closing:
                    return None
                worker = Worker()
                self._living.add(worker)
        except OSError:
            return None
        if worker.is_ready():
            return worker
        self._end(worker)
        return None

    def _end(self, worker: Worker, limit: float | None = None) -> str:
        reason = "" if limit is None else worker.reason(limit)
        with self._lock:
            self._living.discard(worker)
        worker.close()
        return reason

    def _put(self, answer: Extracted | list[Errand]) -> None:
        while not self._closing:
            try:
                self._answers.put(answer, timeout=POLL_SECONDS)
                return
            except queue.Full:
                continue
