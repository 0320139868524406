"""The graph of last time and the tree as it is now in; what differs between them, out. Nothing is written here."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from codegps.discover import Source, Tree, discover, look_at
from codegps.discover.gate import MINIFIED, is_minified
from codegps.discover.patterns import Patterns
from codegps.gather import Content, read_source
from codegps.language import Language
from codegps.model.graph import FILE_SHIFT, FileRow, Skip
from codegps.project import Asked, extensions_of, has_changed
from codegps.settings import Settings
from codegps.store import Reader

STATE: Final = "look"
"""Name of the stored `State`."""
RACY_NS: Final = 2_000_000_000
"""A file this young when it was looked at may change once more without its time changing: file systems count in steps
of up to two seconds."""
FEW: Final = 64
"""So many files are read to see whether they really changed before anybody is locked out."""


class State(msgspec.Struct):
    """What the last look leaves for the next one, beside the graph itself."""

    engine: str = ""
    """What made the graph: versions of engine and languages."""
    looked_ns: int = 0
    """When the last look that wrote something began."""
    next_file: int = 1
    minified: dict[str, tuple[int, int]] = {}
    """Scripts that were read and found to be minified, with size and time."""
    include: tuple[str, ...] = ()
    """The setting then; with another one minified scripts are read again."""
    asked: dict[str, Asked] = {}
    """By language: what module finding depends on besides the sources."""


_STATE: Final = msgspec.json.Decoder(State)


class Known(msgspec.Struct):
    """The graph of last time."""

    generation: int
    rows: dict[str, FileRow]
    state: State
    skips: list[Skip]


def known(store: Reader) -> Known:
    # The generation first: who commits after that is noticed.
    generation = store.generation()
    text = store.meta(STATE)
    try:
        state = _STATE.decode(text) if text else State()
    except msgspec.DecodeError:
        state = State()
    return Known(generation, {row.path: row for row in store.files()}, state, store.skips())


class Changes(msgspec.Struct):
    """What a refresh has to do."""

    known: Known
    looked_ns: int
    rows: dict[str, FileRow] = {}
    """Files whose content is what it was."""
    candidates: list[Source] = []
    """Files that are new, or whose size or time says that they changed; read them to know."""
    touched: list[FileRow] = []
    """Files of `rows` with a new time only."""
    removed: list[FileRow] = []
    skips: dict[str, str] = {}
    minified: dict[str, tuple[int, int]] = {}
    reimport: set[str] = set()
    racy: int = 0
    """Files of `rows` that had to be read because they were too young at the last look."""

    @property
    def nothing(self) -> bool:
        """Nothing to write. Where many files have to be read at every look, the time of the look is worth writing."""
        return not (
            self.candidates or self.touched or self.removed or self.reimport or self.racy > FEW or self.skips_differ
        )

    @property
    def skips_differ(self) -> bool:
        return {s.file: s.reason for s in self.known.skips} != self.skips


def compare(root: Path, before: Known, settings: Settings, languages: Mapping[str, Language]) -> Changes:
    """Looks at the whole tree."""
    looked = time.time_ns()
    tree = discover(root, settings, languages)
    changes = Changes(before, looked, skips={s.file: s.reason for s in tree.skips})
    _sort(root, tree, changes, settings)
    endings = extensions_of(languages)
    for language, asked in before.state.asked.items():
        if language in languages and has_changed(root, asked, before.state.looked_ns - RACY_NS, endings):
            changes.reimport.add(language)
    if len(changes.candidates) <= FEW:
        _settle(root, changes, settings)
    return changes


def compare_only(
    root: Path, before: Known, settings: Settings, languages: Mapping[str, Language], paths: Iterable[str]
) -> Changes | None:
    """Looks at these files alone; None where that cannot tell (new and deleted files, project and ignore files)."""
    rows = [before.rows.get(path) for path in dict.fromkeys(paths)]
    candidates: list[Source] = []
    for row in rows:
        found = None if row is None else next(look_at(root, [row.path], settings))
        if row is None or found is None or len(candidates) == FEW:
            return None
        candidates.append(Source(row.path, row.language, found[1], found[2]))
    names = {name for language in languages.values() for name in language.project_files}
    if any(source.path.rpartition("/")[2] in names for source in candidates):
        return None
    # The time of the last full look stays: other files may be too young still to be trusted by their times.
    looked = before.state.looked_ns
    changes = Changes(before, looked, candidates=candidates, skips={s.file: s.reason for s in before.skips})
    changes.minified = dict(before.state.minified)
    mine = {source.path for source in candidates}
    changes.rows = {path: row for path, row in before.rows.items() if path not in mine}
    _settle(root, changes, settings)
    return changes


def _sort(root: Path, tree: Tree, changes: Changes, settings: Settings) -> None:
    before, state = changes.known.rows, changes.known.state
    racy_from = state.looked_ns - RACY_NS
    minified = state.minified if state.include == settings.include else {}
    for source in tree.sources:
        path = source.path
        row = before.get(path)
        if row is None:
            if minified and minified.get(path) == (source.size, source.mtime_ns) and source.mtime_ns < racy_from:
                changes.minified[path] = minified[path]
                changes.skips[path] = MINIFIED
            else:
                changes.candidates.append(source)
        elif (
            row.mtime_ns == source.mtime_ns
            and row.size == source.size
            and row.language == source.language
            and row.mtime_ns < racy_from
        ):
            changes.rows[path] = row
        else:
            changes.candidates.append(source)
    there = {source.path for source in tree.sources}
    changes.removed = [row for path, row in before.items() if path not in there]


def _settle(root: Path, changes: Changes, settings: Settings) -> None:
    """Reads the candidates: what is left of them really changed."""
    really: list[Source] = []
    for source in changes.candidates:
        content = examine(root, source, changes, settings)
        if content is not None and not same(changes, source, content):
            really.append(source)
    changes.candidates = really


def examine(root: Path, source: Source, changes: Changes, settings: Settings) -> Content | None:
    """The file's content; None where it is not to be indexed after all, which is noted."""
    row = changes.known.rows.get(source.path)
    try:
        content = read_source(str(root), source.path)
    except FileNotFoundError:
        reason = ""
    except OSError as error:
        reason = f"cannot be read: {error.strerror}"
    else:
        if not is_minified(source.path, content.source) or _is_included(source.path, settings):
            return content
        reason = MINIFIED
        changes.minified[source.path] = (content.size, content.mtime_ns)
    if reason:
        changes.skips[source.path] = reason
    if row is not None:
        changes.removed.append(row)
    return None


def same(changes: Changes, source: Source, content: Content) -> bool:
    """Whether the content is what it was; if so that is noted."""
    row = changes.known.rows.get(source.path)
    if row is None or row.language != source.language or row.sha != content.sha:
        return False
    now = msgspec.structs.replace(row, size=content.size, mtime_ns=content.mtime_ns)
    changes.rows[source.path] = now
    if now != row:
        changes.touched.append(now)
    elif row.mtime_ns >= changes.known.state.looked_ns - RACY_NS:
        changes.racy += 1
    return True


def settled(root: Path, rows: Iterable[FileRow], looked_ns: int) -> int:
    """A later time to note for this look, if the many files that were too young for it are still what they were: the
    next look need not read them then. A tree that was just copied or checked out is such a case."""
    now = time.time_ns()
    young = [row for row in rows if row.mtime_ns >= looked_ns - RACY_NS]
    if len(young) <= FEW:
        return looked_ns
    for row in young:
        try:
            content = read_source(str(root), row.path)
        except OSError:
            return looked_ns
        if (content.sha, content.mtime_ns) != (row.sha, row.mtime_ns):
            return looked_ns
    return now


def _is_included(path: str, settings: Settings) -> bool:
    return bool(settings.include) and bool(Patterns(settings.include).match(path))


def next_number(before: Known) -> int:
    """The number of the next new file: no number is used twice."""
    highest = max((row.key >> FILE_SHIFT for row in before.rows.values()), default=0)
    return max(before.state.next_file, highest + 1)
