"""Tasks in, what each file gave out, in any order: chunks of them go to as many workers as there are processors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from codegps.gather.reading import Extract
from codegps.gather.worker import Errand, Extracted, named, perform
from codegps.gather.workers import Workers
from codegps.language import Language

SMALL_BYTES: Final = 1_000_000
"""Less than this is extracted here: starting workers takes as long."""
CHUNK_BYTES: Final = 500_000
CHUNK_FILES: Final = 200
LIMIT_SECONDS: Final = 120.0
"""No file takes a tenth of this on a busy machine; one that does hangs."""


class Task(NamedTuple):
    """A file to extract. Its number comes back with the answer."""

    number: int
    path: str
    language: str
    size: int


def gather(
    root: str,
    tasks: Iterable[Task],
    languages: Mapping[str, Language],
    jobs: int | None = None,
    limit: float = LIMIT_SECONDS,
) -> Iterator[Extracted]:
    """One answer a task. `jobs` processes at most, by default one a processor; 1 is this one alone."""
    desk = _Desk(languages, limit)
    wanted = processors() if jobs is None else jobs
    workers: Workers | None = None
    waiting: list[Task] = []
    size = 0
    try:
        for task in tasks:
            waiting.append(task)
            size += task.size
            if wanted == 1 or (size < (CHUNK_BYTES if workers else SMALL_BYTES) and len(waiting) < CHUNK_FILES):
                continue
            if workers is None:
                if not all(desk.sends(t.language) for t in waiting):
                    wanted = 1
                    continue
                workers = Workers(root, wanted)
            for chunk in _chunks(waiting):
                workers.submit([desk.errand(t) for t in chunk])
            waiting, size = [], 0
            yield from workers.ready()
        left = [desk.errand(task) for task in waiting]
        if workers is not None:
            workers.submit(left)
            yield from workers.rest()
            left = workers.left
        for errand in left:
            yield perform(root, errand, desk.extract(errand))
    finally:
        if workers is not None:
            workers.close()


def processors() -> int:
    """Those that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _chunks(tasks: list[Task]) -> Iterator[list[Task]]:
    chunk: list[Task] = []
    size = 0
    for task in tasks:
        chunk.append(task)
        size += task.size
        if size >= CHUNK_BYTES or len(chunk) >= CHUNK_FILES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


class _Desk:
    """Writes errands: what a worker must be told of a language is where its extractor lies."""

    def __init__(self, languages: Mapping[str, Language], limit: float) -> None:
        self._languages = languages
        self._limit = limit
        self._references: dict[str, str] = {}

    def errand(self, task: Task) -> Errand:
        language = self._languages[task.language]
        version = f"{language.name}/{language.version}"
        return Errand(task.number, task.path, self._reference(language), version, self._limit)

    def sends(self, language: str) -> bool:
        """Whether a worker can import this language's extractor."""
        own = self._languages[language]
        where = self._reference(own)
        return not where.startswith("__main__:") and named(where) in (own, own.extract)

    def _reference(self, language: Language) -> str:
        if language.name not in self._references:
            self._references[language.name] = reference(language)
        return self._references[language.name]

    def extract(self, errand: Errand) -> Extract:
        return self._languages[errand.version.rpartition("/")[0]].extract


def reference(language: Language) -> str:
    """Where the language lies, or else its extractor. (A function may be hidden by a module of its name, as soon as
    that is imported; a language is not.)"""
    module = language.extract.__module__
    for name, value in vars(sys.modules[module]).items():
        if value is language:
            return f"{module}:{name}"
    return f"{module}:{getattr(language.extract, '__qualname__', '')}"
