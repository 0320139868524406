"""Nothing is left of a server: no process, no thread, no handle, whatever ended it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from codegps.lsp import Servers, Settings
from tests.lsp.conftest import FAKE, Fake

MakeFake = Callable[..., Fake]

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="looks at processes the POSIX way"),
    pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning"),
]


def runs(pid: int) -> bool:
    """Whether a process is there and not merely waiting for its parent to notice its end."""
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat")
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def ends(pid: int) -> bool:
    """Whether it ends, given time."""
    return any(not runs(pid) or time.sleep(0.05) for _ in range(400))


def pids(fake: Fake) -> list[int]:
    return [int(pid) for word in ("start", "child") for pid in fake.logged(word)]


def open_handles() -> int:
    folder = Path("/proc/self/fd") if Path("/proc/self/fd").exists() else Path("/dev/fd")
    return len(list(folder.iterdir()))


def server_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("language-server")]


@pytest.mark.parametrize("mode", ["good", "ignores-shutdown", "hangs", "deaf", "family", "stubborn"])
def test_closing_ends_the_server_and_its_children(fake: MakeFake, mode: str) -> None:
    server = fake(mode)
    server.ask_started()
    server.servers.close()
    started = pids(server)
    assert len(started) == (2 if mode in ("family", "stubborn") else 1)
    assert [pid for pid in started if not ends(pid)] == []
    assert server_threads() == []


def test_a_crash_takes_the_children_along(fake: MakeFake) -> None:
    server = fake("family")
    server.ask_started(5.0)
    leader, child = pids(server)
    os.kill(leader, signal.SIGKILL)
    assert ends(child)
    assert server.ask_started(5.0).available


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="strays are known on Linux alone")
def test_a_child_that_left_the_group_is_ended_too(fake: MakeFake) -> None:
    server = fake("stray")
    server.ask_started(5.0)
    (session,) = server.servers._sessions.values()  # pyright: ignore[reportPrivateUsage]
    session.fail("was told to")
    assert [pid for pid in pids(server) if not ends(pid)] == []


def test_a_good_server_is_asked_to_end(fake: MakeFake) -> None:
    server = fake("good")
    server.ask()
    server.servers.close()
    assert (server.logged("shutdown"), server.logged("exit")) == (["null"], ["null"])


def test_closing_twice_is_closing_once(fake: MakeFake) -> None:
    server = fake("good")
    server.ask()
    server.servers.close()
    server.servers.close()
    assert len(server.logged("shutdown")) == 1


def test_fifty_starts_and_stops_leave_nothing(fake: MakeFake) -> None:
    server = fake("good")
    server.ask()
    server.servers.close()
    handles = open_handles()
    for _ in range(50):
        server = fake("good")
        assert server.ask().provider == "pyright"
        server.servers.close()
    assert [pid for pid in pids(server) if not ends(pid)] == []
    assert len(pids(server)) == 51
    assert server_threads() == []
    assert open_handles() == handles


def test_crashes_leave_no_handle(fake: MakeFake) -> None:
    server = fake("dies")
    server.ask()
    for thread in threading.enumerate():
        if thread.name.startswith("language-server"):
            thread.join(5)
    handles = open_handles()
    for _ in range(3):
        server.ask()
    for thread in threading.enumerate():
        if thread.name.startswith("language-server"):
            thread.join(5)
    assert open_handles() == handles


def test_the_oldest_server_makes_room(fake: MakeFake, tmp_path: Path) -> None:
    from codegps.lsp import Limits

    server = fake("good", Limits(servers=2))
    for name in ("one", "two", "three", "two"):
        root = tmp_path / name
        root.mkdir(exist_ok=True)
        (root / "a.py").write_text("x = 1\n", encoding="utf-8")
        server.servers.analyze_symbols(root, "a.py", "python", [])
    first, second, third = pids(server)
    assert ends(first)
    assert runs(second) and runs(third)


PARENT = """
import os, sys
from pathlib import Path
from codegps.lsp import Servers, Settings
servers = Servers(Settings(commands={"pyright": (sys.executable, *sys.argv[2:])}))
servers.analyze_symbols(Path(sys.argv[1]), "a.py", "python", [], 1.0)
print("asked", flush=True)
if sys.stdin.readline() == "raise\\n":
    raise ValueError
"""


def parent(root: Path, mode: str, log: Path) -> subprocess.Popen[str]:
    (root / "a.py").write_text("x = 1\n", encoding="utf-8")
    command = [sys.executable, "-c", PARENT, str(root), str(FAKE), mode, str(log)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "asked\n"
    return process


@pytest.mark.parametrize("end", ["kill", "terminate", "raise", "finish"])
def test_no_server_outlives_us_however_we_end(tmp_path: Path, end: str) -> None:
    log = tmp_path / "log"
    with parent(tmp_path, "stubborn", log) as process:
        started = [int(line.split()[1]) for line in log.read_text().splitlines() if line[:5] in ("start", "child")]
        assert len(started) == 2 and all(runs(pid) for pid in started)
        if end in ("kill", "terminate"):
            process.send_signal(signal.SIGKILL if end == "kill" else signal.SIGTERM)
        else:
            process.communicate(f"{end}\n")
    assert [pid for pid in started if not ends(pid)] == []


def test_a_forked_child_leaves_its_parents_servers_alone(fake: MakeFake) -> None:
    server = fake("good")
    server.ask()
    child = os.fork()
    if not child:
        server.servers.close()
        os._exit(0)
    os.waitpid(child, 0)
    assert server.ask().provider == "pyright"
    assert len(server.logged("start")) == 1


def test_closing_wakes_who_waits_for_an_answer(fake: MakeFake) -> None:
    server = fake("swallows")
    answers: list[str] = []
    asking = threading.Thread(target=lambda: answers.append(server.ask(5.0).reason))
    asking.start()
    assert any(server.logged("textDocument/documentSymbol") or time.sleep(0.01) for _ in range(2000))
    server.servers.close()
    asking.join()
    assert answers in (["pyright: ended"], ["pyright: was stopped"])


def test_many_may_ask_at_once(fake: MakeFake) -> None:
    server = fake("good")
    answers: list[str] = []
    asking = [threading.Thread(target=lambda: answers.append(server.ask().provider)) for _ in range(8)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert answers == ["pyright"] * 8
    assert len(server.logged("start")) == 1


def test_a_pool_without_servers_starts_no_process() -> None:
    handles = open_handles()
    with Servers(Settings(mode="off")):
        assert open_handles() == handles
