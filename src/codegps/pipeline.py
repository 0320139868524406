"""A root and its settings in; its graph in a store, built or refreshed, out. Read this first: `_write` is the engine.

discover → compare → extract → resolve → store. Whoever has changed nothing pays for a look at the tree and no more.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from codegps.cache import FactsCache
from codegps.changes import STATE, Changes, Known, State, compare, compare_only, known, settled
from codegps.errors import CodeGPSError, RootError
from codegps.finding import Finding
from codegps.folders import facts_folder
from codegps.intake import Intake
from codegps.language import Language
from codegps.languages import load_all
from codegps.model.facts import FACTS_VERSION
from codegps.model.graph import Counts, Diagnostic, Skip
from codegps.project import joined
from codegps.resolve import Inputs, resolve
from codegps.settings import Settings
from codegps.store import Reader, Store, Writer

Progress = Callable[[str, int, int], None]

ENGINE: Final = 1
"""Counts up whenever the graph of unchanged facts would differ."""
VERIFY_ATTEMPTS: Final = 3
SCRATCH: Final = "codegps-verify-"
SCRATCH_SECONDS: Final = 86_400


class Report(msgspec.Struct, frozen=True):
    """What a build or refresh did."""

    changed: int
    """Files that are new or whose content changed."""
    removed: int
    counts: Counts
    """Of the whole graph: files, symbols, edges by proof, unresolved references by reason."""
    diagnostics: list[Diagnostic]
    skipped: int
    seconds: float
    rebuilt: str = ""
    """Why the graph was built from nothing although there was one."""


def index(
    root: Path,
    store: Store,
    settings: Settings,
    *,
    rebuild: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Builds the graph of a root, or refreshes it; with `rebuild` from nothing."""
    return _bring_up(_Order(root, settings, rebuild=rebuild, jobs=jobs, progress=progress), store)


def refresh(
    root: Path,
    store: Store,
    settings: Settings,
    only: Iterable[str] | None = None,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Brings the graph up to date. `only` names the paths that a watcher saw changing: no others are looked at."""
    return _bring_up(_Order(root, settings, None if only is None else list(only), jobs=jobs, progress=progress), store)


def verify(root: Path, store: Store, settings: Settings, *, progress: Progress | None = None) -> list[str]:
    """What differs between the graph, brought up to date, and one built from nothing: nothing, or we are wrong."""
    from codegps.format.export import export
    from codegps.stores.sqlite import SqliteStore

    with _scratch() as folder:
        for attempt in range(VERIFY_ATTEMPTS):
            _bring_up(_Order(root, settings, progress=progress), store)
            clean = SqliteStore.open(folder / f"index-{attempt}", create=True)
            try:
                order = _Order(root, settings, rebuild=True, progress=progress, cache=folder / f"facts-{attempt}")
                _bring_up(order, clean)
                # Sources that were edited meanwhile are no difference between the two.
                if _contents(store) == _contents(clean):
                    return _differences(export(store), export(clean))
            finally:
                clean.close()
    raise CodeGPSError("The sources kept changing while they were indexed. Verify again when they are at rest.")


def gc(root: Path, settings: Settings) -> int:
    """Drops the facts to which no root refers any more that is still there; how many."""
    del settings
    with FactsCache(facts_folder(root)) as cache:
        try:
            return cache.collect().dropped
        except OSError as error:
            raise CodeGPSError(f"The facts in {cache.folder} could not be collected: {error.strerror}.") from error


class _Order(msgspec.Struct, frozen=True):
    """What is to be brought up to date, and how."""

    root: Path
    settings: Settings
    only: list[str] | None = None
    rebuild: bool = False
    jobs: int | None = None
    progress: Progress | None = None
    cache: Path | None = None

    def tell(self, stage: str, done: int = 0, total: int = 0) -> None:
        if self.progress is not None:
            self.progress(stage, done, total)


def _bring_up(order: _Order, store: Store) -> Report:
    started = time.perf_counter()
    if not order.root.is_dir():
        raise RootError(f"There is no folder {order.root}. Give the folder that holds the sources.")
    languages = load_all()
    order.tell("discover")
    changed: set[int] = set()
    look = _look(order, store, languages)
    while look.wanted:
        writer = store.write(look.anew)
        try:
            if store.generation() == look.changes.known.generation:
                changed = _write(order, store, writer, languages, look)
                break
        finally:
            writer.rollback()
        # Somebody else wrote while we looked or waited: perhaps all is done.
        look = _look(order, store, languages)
    return Report(
        len(changed),
        len(look.changes.removed),
        store.counts(),
        store.diagnostics(),
        len(look.changes.skips),
        time.perf_counter() - started,
        look.reason,
    )


class _Look(msgspec.Struct, frozen=True):
    changes: Changes
    anew: bool
    """The graph is built from nothing."""
    reason: str
    """Why, where nobody asked for that."""

    @property
    def wanted(self) -> bool:
        return self.anew or not self.changes.nothing


def _look(order: _Order, store: Store, languages: Mapping[str, Language]) -> _Look:
    before = known(store)
    made_by = before.state.engine
    outdated = bool(made_by) and made_by != _engine(languages)
    if order.rebuild or outdated or not made_by:
        before = Known(before.generation, {}, State(), [])
        reason = "The index was made by another version of CodeGPS." if outdated and not order.rebuild else ""
        return _Look(compare(order.root, before, order.settings, languages), True, reason)
    changes = None
    if order.only is not None:
        changes = compare_only(order.root, before, order.settings, languages, order.only)
    return _Look(changes or compare(order.root, before, order.settings, languages), False, "")


def _write(order: _Order, store: Store, writer: Writer, languages: Mapping[str, Language], look: _Look) -> set[int]:
    """One transaction; the keys of the files that changed."""
    changes = look.changes
    with FactsCache(order.cache or facts_folder(order.root)) as cache:
        intake = Intake(order.root, order.settings, languages, cache, changes, order.rebuild)
        intake.run(order.jobs, order.tell)
        finding = Finding(order.root, languages, intake.rows)
        before = {row.key: row for row in changes.known.rows.values()}
        moved = finding.moved(before) if before and before.keys() != intake.rows.keys() else set[int]()
        for row in changes.removed:
            writer.remove(row.key)
        for row in changes.touched:
            writer.touch(row)
        if intake.changed or changes.removed or changes.reimport:
            order.tell("resolve", 0, len(intake.rows))
            inputs = Inputs(
                rows=intake.rows,
                languages=languages,
                finders=finding.finders,
                facts=intake.facts,
                changed=intake.changed | moved,
                removed=changes.removed,
                scripts=finding.scripts(),
                previous=None if look.anew else store,
                reimport=changes.reimport,
            )
            for done, graph in enumerate(resolve(inputs), 1):
                order.tell("resolve", done, max(done, len(intake.rows)))
                if graph.symbols:
                    writer.put(graph)
                else:
                    writer.put_edges(graph.row.key, graph.edges, graph.references, graph.links)
                    writer.put_entries(graph.row.key, graph.entries)
        order.tell("store")
        if look.anew or changes.skips_differ:
            writer.put_skips([Skip(file, reason) for file, reason in sorted(changes.skips.items())])
        looked = settled(order.root, intake.rows.values(), changes.looked_ns)
        state = State(_engine(languages), looked, intake.next_file, changes.minified, order.settings.include)
        state.asked = joined(changes.known.state.asked, finding.asked(), changes.reimport)
        writer.put_diagnostics(finding.diagnostics(() if look.anew else store.diagnostics(), changes.reimport))
        writer.put_meta(STATE, msgspec.json.encode(state).decode())
        writer.put_meta("built_at", datetime.now(UTC).isoformat(timespec="seconds"))
        writer.commit()
        cache.refer(order.root, intake.keys())
    return intake.changed


def _engine(languages: Mapping[str, Language]) -> str:
    """What a graph depends on besides the files."""
    return " ".join([f"{ENGINE}.{FACTS_VERSION}", *sorted(f"{x.name}/{x.version}" for x in languages.values())])


def _contents(store: Reader) -> dict[str, str]:
    return {row.path: row.sha for row in store.files()}


def _differences(mine: Iterable[str], clean: Iterable[str]) -> list[str]:
    ours, theirs = Counter(mine), Counter(clean)
    return [
        *(f"only in the index: {line}" for line in (ours - theirs).elements()),
        *(f"only in a clean index: {line}" for line in (theirs - ours).elements()),
    ]


@contextlib.contextmanager
def _scratch() -> Generator[Path]:
    """A temporary folder; those of processes that were killed long ago go too."""
    with tempfile.TemporaryDirectory(prefix=SCRATCH, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for other in folder.parent.glob(f"{SCRATCH}*"):
            with contextlib.suppress(OSError):
                if time.time() - other.stat().st_mtime > SCRATCH_SECONDS:
                    shutil.rmtree(other, ignore_errors=True)
        yield folder
