"""Random graphs and random changes: a seed in, file graphs out; everything a store can be asked, as one value."""

from __future__ import annotations

import random
from collections.abc import Sequence

from codegps.model.graph import (
    FILE_SHIFT,
    Block,
    Call,
    Diagnostic,
    Edge,
    Entry,
    FileRow,
    Local,
    Reference,
    Sites,
    Skip,
    Symbol,
)
from codegps.model.kinds import EdgeKind, Kind, Proof, Reason, Via
from codegps.store import FileGraph, Reader, Writer

NAMES = (
    "get",
    "Get",
    "GET",
    "save",
    "größe",
    "GRÖSSE",
    "a.b",
    "x::y.get",
    "日本",
    "Ünï",
    "<lambda1>",
    "f\x00g",
    "%_'\"",
)
PATHS = (
    "a.py", "b.py", "src/a.py", "src/b.py", "src/Z.py", "src/a:b.py", "src/a", "ä.py", "\U0001f600.py", "\uffff.py",
    "src/'quote\".py", "src/%.py",
)  # fmt: skip
SYMBOLS = 6
"""Symbols a file has, its File included."""


class Maker:
    """Makes files whose edges run between all of them, places colliding often."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def _key(self) -> int:
        return self.random.randrange(1, len(PATHS) + 2) << FILE_SHIFT | self.random.randrange(SYMBOLS + 1)

    def _symbol(self, path: str, base: int, number: int) -> Symbol:
        r = self.random
        name = r.choice(NAMES)
        line = r.randrange(1, 4)
        return Symbol(
            key=base + number,
            name=name,
            qualified_name=f"{name}~{number}",
            kind=r.choice([k for k in Kind if k is not Kind.File]),
            file=path,
            start_line=line,
            start_column=r.randrange(1, 3),
            end_line=line + r.randrange(3),
            end_column=r.randrange(1, 1 << 21),
            parent=base + r.randrange(number),
            language=r.choice(("python", "typescript")),
            flags=r.randrange(1 << 14),
            drawn=base + r.randrange(number + 1),
        )

    def _edge(self, base: int) -> Edge:
        r = self.random
        source = base + r.randrange(SYMBOLS)
        target = self._key()
        return Edge(
            kind=r.choice(list(EdgeKind)),
            source=source,
            target=target,
            line=r.randrange(1, 4),
            column=r.choice((1, 2, 1 << 21)),
            proof=r.choice(list(Proof)),
            hops=r.randrange(4),
            via=r.choice(list(Via)),
            class_=r.choice((-1, self._key())),
            drawn_source=r.choice((source, base, -1)),
            drawn_target=r.choice((target, self._key(), -1)),
            site=r.randrange(-1, 3),
        )

    def _reference(self, base: int) -> Reference:
        r = self.random
        source = base + r.randrange(SYMBOLS)
        return Reference(
            kind=r.choice(list(EdgeKind)),
            source=source,
            name=r.choice(NAMES),
            line=r.randrange(1, 4),
            column=r.randrange(1, 3),
            reason=r.choice(list(Reason)),
            external=r.choice(("", "os", "os.path")),
            candidates=tuple(self._key() for _ in range(r.randrange(3))),
            drawn_source=r.choice((source, base, -1)),
            site=r.randrange(-1, 3),
        )

    def edges(self, base: int) -> list[Edge]:
        return list({self._edge(base): None for _ in range(self.random.randrange(30))})

    def references(self, base: int) -> list[Reference]:
        # Two references that differ in nothing that orders them may come in either order.
        made = [self._reference(base) for _ in range(self.random.randrange(12))]
        return list(
            {(r.line, r.column, r.kind, r.name, r.source, r.reason, r.external, r.site): r for r in made}.values()
        )

    def links(self) -> dict[str, bytes]:
        r = self.random
        return {f"{r.choice(NAMES)}\x00{r.randrange(4)}": r.randbytes(r.randrange(5)) for _ in range(r.randrange(9))}

    def row(self, number: int) -> FileRow:
        r = self.random
        sha = f"{r.getrandbits(160):040x}"
        return FileRow(
            number << FILE_SHIFT, PATHS[number - 1], "python", sha, r.randrange(1 << 40), r.getrandbits(62), 9
        )

    def file(self, number: int) -> FileGraph:
        r = self.random
        row = self.row(number)
        base = row.key
        symbols = [
            Symbol(base, row.path.rpartition("/")[2], "", Kind.File, row.path, 1, 1, 9, 1, -1, "python", 0, base)
        ]
        symbols += [self._symbol(row.path, base, n) for n in range(1, r.randrange(1, SYMBOLS) + 1)]
        calls = [Call(0, "g", r.choice((None, "é")), 2, 5)]
        sites = Sites(["f"], [Block(0, -1, "body", 1)], calls, [Local(0, "x", 2)])
        return FileGraph(
            row=row,
            symbols=r.sample(symbols, len(symbols)),
            edges=self.edges(base),
            references=self.references(base),
            entries=[Entry(r.choice(("test", "main")), f"k{n}", self._key(), n) for n in range(r.randrange(3))],
            diagnostics=[Diagnostic(row.path, r.randrange(3), f"m{n}") for n in range(r.randrange(3))],
            sites=r.choice((None, sites)),
            links=self.links(),
        )

    def change(self, writers: Sequence[Writer], known: set[int]) -> None:
        """One random step, the same for each of the writers. `known` are the numbers of files that are there."""
        r = self.random
        step = r.randrange(8)
        number = r.choice(sorted(known)) if known and r.random() < 0.7 else r.randrange(1, len(PATHS) + 1)
        if step == 0 and number in known:
            known.discard(number)
            for writer in writers:
                writer.remove(number << FILE_SHIFT)
        elif step == 1 and number in known:
            base = number << FILE_SHIFT
            edges, references, links = self.edges(base), self.references(base), self.links()
            for writer in writers:
                writer.put_edges(base, edges, references, links)
        elif step == 2 and number in known:
            row = self.row(number)
            for writer in writers:
                writer.touch(row)
        elif step == 3:
            skips = [Skip(r.choice(PATHS), r.choice(("big", "binary"))) for _ in range(r.randrange(4))]
            diagnostics = [Diagnostic(r.choice(PATHS), n, "broken") for n in range(r.randrange(3))]
            for writer in writers:
                writer.put_skips(skips)
                writer.put_diagnostics(diagnostics)
                writer.put_meta("a", f"{number}")
        else:
            known.add(number)
            graph = self.file(number)
            for writer in writers:
                writer.put(graph)


def everything(store: Reader) -> dict[str, object]:
    """All that a store answers about the random graphs; its generation alone is left out."""
    symbols = list(store.all_symbols())
    keys = [s.key for s in symbols]
    some = keys[::3]
    kinds = (EdgeKind.CALLS, EdgeKind.EXTENDS)
    found: dict[str, object] = {
        "files": store.files(),
        "all_symbols": symbols,
        "classes": list(store.all_symbols([Kind.Class, Kind.File])),
        "symbols": list(store.symbols([*reversed(keys), 5 << 40]).items()),
        "symbol": [store.symbol(s.id) for s in symbols],
        "nothing": [store.symbol(s) for s in ("", ":", "a.py:", "a.py:no", "no.py", "src/a:b")],
        "named": [store.symbols_named(name) for name in (*NAMES, "no")],
        "containing": [list(store.symbols_containing(text)) for text in ("GE", "ö", "Ö", "", "%", "src/", "\x00")],
        "containing functions": list(store.symbols_containing("e", [Kind.Function, Kind.Method])),
        "references named": [store.references_named(names) for names in (NAMES, ["get", "y"], [])],
        "references from": [store.references_from(keys), store.references_from(some)],
        "entries": store.entries(),
        "diagnostics": store.diagnostics(),
        "skips": store.skips(),
        "counts": store.counts(),
        "links": store.links([f"{name}\x00{n}" for name in NAMES for n in range(5)]),
        "links of": [list(store.links_of(number << FILE_SHIFT).items()) for number in range(len(PATHS) + 2)],
        "meta": [store.meta("a"), store.meta("none")],
    }
    for path in (*PATHS, "none.py"):
        found[path] = [
            store.file(path),
            store.symbols_in(path),
            store.edges_in(path),
            store.references_in(path),
            store.sites(path),
        ]
    for direction in ("out", "in"):
        found[direction] = [
            store.neighbours(keys, list(EdgeKind), direction),
            store.neighbours(some, kinds, direction),
            store.drawn(keys, list(EdgeKind), direction),
            store.drawn([*some, *some], kinds, direction),
            store.drawn_ends(some, list(EdgeKind), direction),
            store.drawn_ends(some, list(EdgeKind), direction, flows=True),
            store.neighbours([], kinds, direction),
            store.drawn(some, [], direction),
        ]
    return found
