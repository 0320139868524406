"""A command in; its wall clock, CPU seconds and memory, all its processes together, out."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

PAUSE = 0.05
Seconds = Callable[[], float]


class Cost(NamedTuple):
    wall: float
    cpu: float
    memory: int
    """Bytes at the peak; 0 where it was not sampled or the platform does not say."""


def codegps(*words: str) -> list[str]:
    return [sys.executable, "-m", "codegps", *words]


def run(command: Sequence[str], folder: Path | None = None, sample: bool = False) -> Cost:
    """Runs it to its end; its output goes nowhere. Sampling memory costs time: never in a run whose time counts."""
    cpu = children_cpu()
    started = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        peak = Peak(process.pid) if sample else None
        _, error = process.communicate()
        wall = time.perf_counter() - started
        if peak:
            peak.stop()
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed: {error.decode('utf-8', 'replace')[-2000:]}")
    return Cost(wall, children_cpu() - cpu, peak.bytes if peak else 0)


def best(runs: int, command: Callable[[], Cost]) -> Cost:
    """The quickest, by each measure."""
    costs = [command() for _ in range(runs)]
    return Cost(min(c.wall for c in costs), min(c.cpu for c in costs), max(c.memory for c in costs))


def children_cpu() -> float:
    """CPU seconds of all processes below this one that have ended."""
    times = os.times()
    return times.children_user + times.children_system


class Peak:
    """Samples the memory of a process and all below it, in a thread."""

    def __init__(self, pid: int) -> None:
        self.bytes = 0
        self._pid = pid
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._ended.wait(PAUSE):
            self.bytes = max(self.bytes, memory(self._pid))


def memory(pid: int) -> int:
    """Of a process and all below it: proportional set size on Linux, where pages that are shared count once."""
    return sum(_memory(each) for each in family(pid))


def family(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        found += _children(each)
    return found


def _children(pid: int) -> list[int]:
    children: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            children += map(int, (task / "children").read_text("ascii").split())
    except (OSError, ValueError):
        pass
    return children


def _memory(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return 0


def handles(pid: int) -> int:
    try:
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:
        return 0
