"""The nouns of the finished graph: symbols, edges, unresolved references, entries, diagnostics.

Frozen and without I/O. Keys are integers of one store (`file << 20 | number`), stable while the symbol
keeps its path and qualified name; `Symbol.id` is the identity that people and exports see.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from codegps.model.kinds import EdgeKind, Kind, Proof, Reason, Via

FILE_SHIFT = 20


class Span(NamedTuple):
    """1-based; `end_line` inclusive, `end_column` exclusive; columns in code points."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


class Symbol(msgspec.Struct, frozen=True, gc=False):
    key: int
    name: str
    """The last part of the qualified name, without `~2`; a File's is its base name."""
    qualified_name: str
    """Within its file, `Outer.method`; empty for a File."""
    kind: Kind
    file: str
    start_line: int
    start_column: int
    end_line: int
    end_column: int
    parent: int
    """Key of the symbol that contains this one; a File's is -1."""
    language: str
    flags: int = 0
    drawn: int = -1
    """Key of the symbol this one is folded into where graphs are drawn (itself mostly): a constructor into
    its class, an anonymous function into the named symbol around it."""

    @property
    def id(self) -> str:
        return f"{self.file}:{self.qualified_name}" if self.qualified_name else self.file

    @property
    def file_key(self) -> int:
        """Key of the File symbol."""
        return self.key >> FILE_SHIFT << FILE_SHIFT


class Edge(msgspec.Struct, frozen=True, gc=False):
    """One call site (or place of naming) and one target. The place lies in the source's file."""

    kind: EdgeKind
    source: int
    """Innermost symbol whose body executes it."""
    target: int
    line: int
    column: int
    proof: Proof = Proof.resolved
    hops: int = 0
    via: Via = Via.none
    class_: int = -1
    """Where the target is a constructor: the class that was called."""
    drawn_source: int = -1
    """Whose own code it is when drawn: decorators and defaults belong to their function, a module-level
    initialiser to its variable, constructors to their class, anonymous functions to the named one around."""
    drawn_target: int = -1
    site: int = -1
    """Number of the call in the file's `Sites.calls`, -1 where the place is no written call."""


class Reference(msgspec.Struct, frozen=True, gc=False):
    """A use that was not resolved, and why."""

    kind: EdgeKind
    source: int
    name: str
    line: int
    column: int
    reason: Reason
    external: str = ""
    """Dotted name of the library's symbol, or only its package, where the reason is external."""
    candidates: tuple[int, ...] = ()
    """Up to five symbols of that name, ordered by id."""
    drawn_source: int = -1
    site: int = -1

    @property
    def last_name(self) -> str:
        """`c` of `a.b.c` and of `a::b::c`."""
        return self.name.rpartition(".")[2].rpartition("::")[2]


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A test or a way into the program: kind is `test`, `main`, `script`, `command`, `route`, ..."""

    kind: str
    key: str
    symbol: int
    line: int


class Diagnostic(msgspec.Struct, frozen=True, gc=False):
    """Something wrong in the user's files that cost facts."""

    file: str
    line: int
    message: str


class Skip(msgspec.Struct, frozen=True, gc=False):
    """A file that was not read, and the reason."""

    file: str
    reason: str


class FileRow(msgspec.Struct, frozen=True, gc=False):
    """A file of the index. `key` is the key of its File symbol."""

    key: int
    path: str
    language: str
    sha: str
    """Git blob id."""
    size: int
    mtime_ns: int
    lines: int


class Block(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A scope inside a function: its body or a nested block."""

    owner: int
    """Local number of the symbol whose body it lies in (index into `Sites.owners`)."""
    parent: int
    """Number of the block around it, -1 for a body."""
    kind: str
    line: int


class Call(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A written call."""

    block: int
    name: str
    """Last name of the callee, empty where it has none (`f()()`)."""
    receiver: str | None
    """Source text of what stands before the last dot (at most 60 characters); None for a plain call."""
    line: int
    column: int


class Local(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A variable that a block binds first."""

    block: int
    name: str
    line: int


class Imported(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An import, as written: `from .db import connect` is `.db` and `connect`."""

    module: str
    name: str
    """The member, empty where the module itself is imported."""


class Sites(msgspec.Struct, frozen=True, array_like=True):
    """The call sites of one file, as written; edges point here by `Edge.site`."""

    owners: list[str]
    """Qualified names of the symbols that have a body, in source order."""
    blocks: list[Block]
    calls: list[Call]
    locals: list[Local]
    imports: list[Imported] = []


class Counts(msgspec.Struct, frozen=True):
    files: int
    symbols: int
    resolved: int
    dispatch: int
    inferred: int
    external: int
    unknown: int
