"""Names and versions of source distributions in; their folders, fetched once by pip into `bench/.work`, out."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path

WORK = Path(__file__).parent / ".work"


class NotFetched(Exception):
    """pip could not get what the bench runs on; the message has its last words."""


def source(name: str, version: str) -> Path:
    """The unpacked source distribution, exactly as published."""
    folder = WORK / "sources" / f"{name}-{version}"
    if folder.is_dir():
        return folder
    parts = WORK / "parts" / f"{name}-{version}"
    shutil.rmtree(parts, ignore_errors=True)
    parts.mkdir(parents=True)
    command = ["download", "--no-deps", "--no-binary", ":all:", "--dest", str(parts), f"{name}=={version}"]
    run_pip(sys.executable, command)
    archive = next(parts.glob("*.tar.gz"), None)
    if archive is None:
        raise NotFetched(f"{name} {version} has no source distribution that is a tar archive")
    with tarfile.open(archive) as opened:
        if hasattr(tarfile, "data_filter"):
            opened.extractall(parts, filter="data")
        else:
            opened.extractall(parts)
    inner = next(path for path in sorted(parts.iterdir()) if path.is_dir())
    folder.parent.mkdir(parents=True, exist_ok=True)
    inner.rename(folder)
    shutil.rmtree(parts, ignore_errors=True)
    return folder


@contextmanager
def copy(folder: Path) -> Generator[Path]:
    """A copy that may be edited and indexed: no index, no facts, nothing from a run before, gone at the end."""
    parent = WORK / "copies"
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent, ignore_cleanup_errors=True) as name:
        target = Path(name).resolve() / folder.name
        shutil.copytree(folder, target, symlinks=True, ignore=shutil.ignore_patterns(".codegps", "__pycache__"))
        git = shutil.which("git")
        if git:
            # A checkout of its own has its own facts cache, not that of the repository around.
            subprocess.run([git, "init", "--quiet", str(target)], check=True)
        yield target


def environment(name: str, python: str, requirements: Iterable[str]) -> str:
    """The interpreter of a virtual environment that holds these packages."""
    folder = WORK / "environments" / name
    wanted = "\n".join(sorted(requirements))
    mark = folder / "requirements.txt"
    inner = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not mark.is_file() or mark.read_text() != wanted:
        if not inner.is_file():
            subprocess.run([python, "-m", "venv", str(folder)], check=True)
        run_pip(str(inner), ["install", "--prefer-binary", *sorted(requirements)])
        mark.write_text(wanted)
    return str(inner)


def run_pip(python: str, command: Sequence[str]) -> None:
    done = subprocess.run(
        [python, "-m", "pip", "--quiet", "--disable-pip-version-check", *command], capture_output=True, text=True
    )
    if done.returncode:
        words = done.stderr.strip().splitlines()
        raise NotFetched(words[-1] if words else f"pip {' '.join(command)} failed")
