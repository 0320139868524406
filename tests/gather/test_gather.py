"""Files in, facts out, whatever happens to the processes in between."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from codegps.gather import Task, gather
from codegps.gather.worker import Extracted
from codegps.model.facts import FileFacts
from tests.gather import extractors, hidden
from tests.gather.extractors import language, said

Extract = Callable[[bytes, str], FileFacts]


def run(
    root: Path,
    sources: dict[str, str],
    extract: Extract,
    jobs: int | None = 2,
    limit: float = 60.0,
    weight: int = 600_000,
) -> dict[str, Extracted]:
    """Gathers these files; each counts as `weight` bytes, so that one is a chunk and two start workers."""
    for path, text in sources.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    names = list(sources)
    tasks = [Task(number, path, "toy", weight) for number, path in enumerate(names)]
    answers = gather(str(root), tasks, {"toy": language(extract)}, jobs, limit)
    return {names[answer.number]: answer for answer in answers}


def messages(answers: dict[str, Extracted]) -> dict[str, str]:
    return {path: said(answers[path].facts)[0] for path in sorted(answers)}


FAULT = "nothing of this file was read, which is a fault in CodeGPS: "


@pytest.mark.parametrize("jobs", [1, 2, 5, None])
def test_every_file_is_answered_once_by_any_number_of_processes(tmp_path: Path, jobs: int | None) -> None:
    sources = {f"a/{n}.toy": f"text {n}\n" for n in range(30)}
    answers = run(tmp_path, sources, extractors.echo, jobs)
    assert messages(answers) == {f"a/{n}.toy": f"{n}.toy: text {n}\n" for n in range(30)}
    first = answers["a/0.toy"]
    assert (first.sha, first.size, first.lines, first.gone) == ("090d4ea8b37dd3b8e5ccaa3149e171c664c8809d", 7, 1, False)


def test_few_bytes_are_extracted_here(tmp_path: Path) -> None:
    answers = run(tmp_path, {"a.toy": "", "b.toy": ""}, extractors.tell_process, weight=100)
    assert messages(answers) == {"a.toy": str(os.getpid()), "b.toy": str(os.getpid())}


def test_many_bytes_are_extracted_by_workers(tmp_path: Path) -> None:
    answers = run(tmp_path, {f"{n}.toy": "" for n in range(8)}, extractors.tell_process)
    assert str(os.getpid()) not in messages(answers).values()


def test_an_extractor_that_no_worker_can_import_runs_here(tmp_path: Path) -> None:
    def local(source: bytes, path: str) -> FileFacts:
        return extractors.facts(f"local {os.getpid()}")

    answers = run(tmp_path, {f"{n}.toy": "" for n in range(4)}, local)
    assert set(messages(answers).values()) == {f"local {os.getpid()}"}


def test_an_extractor_that_a_module_hides_runs_in_workers(tmp_path: Path) -> None:
    for n in range(8):
        (tmp_path / f"{n}.toy").touch()
    tasks = [Task(n, f"{n}.toy", "toy", 300_000) for n in range(8)]
    for _ in range(2):
        answers = list(gather(str(tmp_path), tasks, {"toy": hidden.LANGUAGE}, 2))
        assert len(answers) == 8
        assert {a.failure for a in answers} == {""}
        assert str(os.getpid()) not in {said(a.facts)[0] for a in answers}
        hidden.LANGUAGE.extract(b"", "")  # hides the function in this process too


def test_a_worker_that_dies_costs_its_file_alone(tmp_path: Path) -> None:
    sources = {f"{n:02}.toy": "fine" for n in range(20)} | {"05.toy": "die", "06.toy": "die", "17.toy": "exit"}
    answers = run(tmp_path, sources, extractors.obey, weight=100_000)
    expected = {f"{n:02}.toy": "fine" for n in range(20)}
    expected["05.toy"] = expected["06.toy"] = f"{FAULT}the process that read it ended: exit status 3"
    expected["17.toy"] = f"{FAULT}the process that read it ended: words on the way out"
    assert messages(answers) == expected
    assert [path for path in sorted(answers) if answers[path].failure] == ["05.toy", "06.toy", "17.toy"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals")
def test_a_worker_that_is_killed_says_by_what(tmp_path: Path) -> None:
    answers = run(tmp_path, {"a.toy": "fine", "b.toy": "abort", "c.toy": "fine"}, extractors.obey)
    assert messages(answers) == {
        "a.toy": "fine",
        "b.toy": f"{FAULT}the process that read it was killed (SIGABRT); perhaps memory ran out",
        "c.toy": "fine",
    }


def test_a_file_gets_a_second_chance_in_a_fresh_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARK", str(tmp_path / "mark"))
    answers = run(tmp_path, {"a.toy": "fine", "b.toy": "die-once", "c.toy": "fine"}, extractors.obey)
    assert messages(answers) == {"a.toy": "fine", "b.toy": "fine", "c.toy": "fine"}


@pytest.mark.parametrize("word", ["hang", "spin"])
def test_an_extractor_that_hangs_is_ended(tmp_path: Path, word: str) -> None:
    answers = run(tmp_path, {"a.toy": "fine", "b.toy": word, "c.toy": "fine"}, extractors.obey, limit=1.0)
    assert messages(answers) == {
        "a.toy": "fine",
        "b.toy": f"{FAULT}reading it took longer than 1 seconds",
        "c.toy": "fine",
    }


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_an_extractor_raises_costs_its_file_alone(tmp_path: Path, jobs: int) -> None:
    sources = {"a.toy": "memory", "b.toy": "key", "c.toy": "deep", "d.toy": "fine"}
    found = messages(run(tmp_path, sources, extractors.obey, jobs))
    assert found["a.toy"] == f"{FAULT}out of memory"
    assert found["b.toy"] == f"{FAULT}KeyError: 'lost'"
    assert found["c.toy"].startswith(f"{FAULT}RecursionError: maximum recursion depth exceeded")
    assert found["d.toy"] == "fine"


def test_what_an_extractor_prints_does_not_get_between_the_answers(tmp_path: Path) -> None:
    answers = run(tmp_path, {f"{n}.toy": "print" for n in range(4)}, extractors.obey)
    assert set(messages(answers).values()) == {"fine"}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_that_vanished_is_answered_as_gone(tmp_path: Path, jobs: int) -> None:
    (tmp_path / "a.toy").write_text("here")
    tasks = [Task(0, "a.toy", "toy", 700_000), Task(1, "b.toy", "toy", 700_000)]
    answers = gather(str(tmp_path), tasks, {"toy": language(extractors.echo)}, jobs)
    assert {a.number: a.gone for a in answers} == {0: False, 1: True}


def test_leaving_early_ends_the_workers(tmp_path: Path) -> None:
    for n in range(10):
        (tmp_path / f"{n}.toy").write_text("fine" if n == 0 else "hang")
    tasks = [Task(n, f"{n}.toy", "toy", 600_000) for n in range(10)]
    answers = gather(str(tmp_path), tasks, {"toy": language(extractors.obey)}, 2)
    assert next(answers).number == 0
    before = time.monotonic()
    answers.close()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    assert time.monotonic() - before < 30, "it waited for the files that hang"


def test_where_no_process_can_be_started_everything_runs_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    answers = run(tmp_path, {f"{n}.toy": "" for n in range(6)}, extractors.tell_process)
    assert set(messages(answers).values()) == {str(os.getpid())}
    assert len(answers) == 6


def test_a_script_without_a_main_guard_can_use_workers(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
            import sys
            from codegps.gather import Task, gather
            from tests.gather.extractors import language, tell_process
            print("once")
            tasks = [Task(n, "script.py", "toy", 600_000) for n in range(4)]
            print(len(list(gather(sys.argv[1], tasks, {"toy": language(tell_process)}, 2))))
        """)
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["once", "4"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals")
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
            import os, signal, sys
            from codegps.gather import Task, gather
            from tests.gather.extractors import language, said, tell_process
            tasks = [Task(n, "script.py", "toy", 600_000) for n in range(50)]
            answers = gather(sys.argv[1], tasks, {"toy": language(tell_process)}, 2)
            print(said(next(answers).facts)[0], flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        """)
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], env=environment, capture_output=True, text=True, check=False
    )
    worker = int(done.stdout)
    assert done.returncode == -9
    assert _ends(worker)


def _ends(process: int) -> bool:
    for _ in range(200):
        try:
            os.kill(process, 0)
            state = Path(f"/proc/{process}/stat")
            if state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False
