"""Changes in; the rows and facts of the tree as it is now, out: from the cache where the content is known there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from codegps.cache import FactsCache, facts_key
from codegps.changes import Changes, examine, next_number, same
from codegps.discover import Source
from codegps.gather import Content, Extracted, Task, count_lines, empty_facts, facts_of, gather, name_of, read_source
from codegps.language import Language
from codegps.model.facts import FACTS, FileFacts
from codegps.model.graph import FILE_SHIFT, FileRow
from codegps.settings import Settings

Progress = Callable[[str, int, int], None]


class Intake:
    """The files of one build or refresh."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        languages: Mapping[str, Language],
        cache: FactsCache,
        changes: Changes,
        retry: bool,
    ) -> None:
        """With `retry`, files that could not be extracted last time are tried again."""
        self._root = root
        self._settings = settings
        self._languages = languages
        self._cache = cache
        self._changes = changes
        self._retry = retry
        self.next_file = next_number(changes.known)
        self.rows: dict[int, FileRow] = {row.key: row for row in changes.rows.values()}
        """All files as they are now."""
        self.changed: set[int] = set()
        self._coming: set[bytes] = set()
        """Facts that are being extracted."""
        self._done = 0

    def run(self, jobs: int | None, progress: Progress) -> None:
        """Sees to it that every changed file has its row, and its facts in the cache."""
        total = len(self._changes.candidates)
        for extracted in gather(str(self._root), self._tasks(), self._languages, jobs):
            self._take(extracted)
            self._done += 1
            progress("extract", self._done, total)
        for row in self._changes.rows.values():
            self.rows[row.key] = row

    def facts(self, key: int) -> FileFacts:
        """Facts of any file; where the cache has lost them they are extracted again."""
        row = self.rows[key]
        language = self._languages[row.language]
        data = self._cached(row.sha, language, row.path, failed=True)
        if data is None:
            data = self._extract_again(row, language)
        return FACTS.decode(data)

    def keys(self) -> Iterator[bytes]:
        """What the graph is made of, as the cache calls it."""
        for row in self.rows.values():
            yield self._key(row.sha, self._languages[row.language], row.path)

    def _tasks(self) -> Iterator[Task]:
        """Reads all candidates; what comes out is in no cache."""
        for source in self._changes.candidates:
            content = examine(self._root, source, self._changes, self._settings)
            if content is not None and not same(self._changes, source, content):
                number = self._admit(source, content)
                language = self._languages[source.language]
                key = self._key(content.sha, language, source.path)
                cached = self._cached(content.sha, language, source.path, failed=not self._retry)
                if cached is None and key not in self._coming:
                    self._coming.add(key)
                    yield Task(number, source.path, source.language, content.size)
                    continue
            self._done += 1

    def _admit(self, source: Source, content: Content) -> int:
        """Gives a new or changed file its row. A path keeps its key."""
        old = self._changes.known.rows.get(source.path)
        if old is None:
            key = self.next_file << FILE_SHIFT
            self.next_file += 1
        else:
            key = old.key
        lines = count_lines(content.source)
        self.rows[key] = FileRow(key, source.path, source.language, content.sha, content.size, content.mtime_ns, lines)
        self.changed.add(key)
        return key

    def _take(self, extracted: Extracted) -> None:
        """Puts facts into the cache, under the content that they are of: the file may have changed since we read it."""
        key = extracted.number
        row = self.rows[key]
        if extracted.gone:
            del self.rows[key]
            self.changed.discard(key)
            if row.path in self._changes.known.rows:
                self._changes.removed.append(self._changes.known.rows[row.path])
            return
        if extracted.sha:
            row = self.rows[key] = msgspec.structs.replace(
                row, sha=extracted.sha, size=extracted.size, mtime_ns=extracted.mtime_ns, lines=extracted.lines
            )
        language = self._languages[row.language]
        self._cache.put(self._key(row.sha, language, row.path, bool(extracted.failure)), extracted.facts)

    def _cached(self, sha: str, language: Language, path: str, failed: bool) -> bytes | None:
        found = self._cache.get(self._key(sha, language, path))
        return self._cache.get(self._key(sha, language, path, True)) if found is None and failed else found

    def _key(self, sha: str, language: Language, path: str, failed: bool = False) -> bytes:
        return facts_key(sha, f"{language.name} failed" if failed else language.name, language.version, name_of(path))

    def _extract_again(self, row: FileRow, language: Language) -> bytes:
        version = f"{language.name}/{language.version}"
        try:
            content = read_source(str(self._root), row.path)
        except OSError:
            # The next look will find it gone.
            return empty_facts(version, row.path, row.lines, "this file vanished while it was indexed")
        facts, failure = facts_of(language.extract, version, row.path, content.source)
        self._cache.put(self._key(content.sha, language, row.path, bool(failure)), facts)
        return facts
