"""Sources in, a solved graph out: what the case files and the solver's own tests run on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha1

from codegps.language import Language
from codegps.languages import load_all
from codegps.model.facts import FileFacts
from codegps.model.graph import FILE_SHIFT, FileRow
from codegps.resolve import Inputs, resolve
from codegps.store import Reader
from codegps.stores.memory import MemoryStore


class Tree:
    """A tree of files in memory, as a `language.Project`."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = {path: text.encode() for path, text in files.items()}

    def paths(self) -> Iterable[str]:
        return sorted(path for path in self.files if language_of(path) is not None)

    def has(self, path: str) -> bool:
        return path in self.files

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def listing(self, folder: str) -> list[str]:
        prefix = folder.strip("/") + "/" if folder.strip("/") not in ("", ".") else ""
        names: set[str] = set()
        for path in self.files:
            if path.startswith(prefix):
                name, slash, _ = path[len(prefix) :].partition("/")
                names.add(name + slash)
        return sorted(names)


def language_of(path: str) -> Language | None:
    for language in load_all().values():
        if path.endswith(language.extensions):
            return language
    return None


def solve_sources(
    files: Mapping[str, str], store: MemoryStore | None = None, keys: dict[str, int] | None = None
) -> MemoryStore:
    """Solves a tree from nothing, or, given the store of an earlier run, refreshes what differs."""
    tree = Tree(files)
    previous: Reader | None = store
    store = store or MemoryStore()
    old = {row.path: row for row in store.files()}
    number = max((row.key >> FILE_SHIFT for row in old.values()), default=-1)
    rows: dict[int, FileRow] = {}
    facts: dict[int, FileFacts] = {}
    changed: set[int] = set()
    for path in tree.paths():
        language = language_of(path)
        assert language is not None
        data = tree.files[path]
        sha = sha1(b"blob %d\0" % len(data) + data).hexdigest()
        before = old.pop(path, None)
        if before is None:
            number += 1
        key = before.key if before is not None else number << FILE_SHIFT
        rows[key] = FileRow(key, path, language.name, sha, len(data), 0, data.count(b"\n") + 1)
        facts[key] = language.extract(data, path)
        if before is None or before.sha != sha:
            changed.add(key)
    inputs = Inputs(
        rows=rows,
        languages=load_all(),
        finders={language.name: language.finder(tree) for language in load_all().values()},
        facts=facts.__getitem__,
        changed=changed,
        removed=list(old.values()),
        previous=previous,
    )
    graphs = list(resolve(inputs))
    writer = store.write()
    for graph in graphs:
        if graph.symbols:
            writer.put(graph)
        else:
            writer.put_edges(graph.row.key, graph.edges, graph.references, graph.links)
            writer.put_entries(graph.row.key, graph.entries)
    for row in old.values():
        writer.remove(row.key)
    writer.commit()
    return store
