"""How one file works inside: its symbols, who calls and names whom, and where that goes round. No I/O."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

TOP_LEVEL: Final = "(module)"
"""The source of what top-level code does; it is no node."""

Relation = Literal["calls", "references"]


class LogicNode(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    """`basename:qualified.name`; what lies outside the file `module:name`."""
    name: str
    """`Class.method`."""
    type: Literal["class", "function", "variable"]
    label: str
    """Class, Function, Method, Variable."""
    line: int
    """0 for what lies outside the file."""
    module: str | None = None
    """Of what lies outside the file: as the import writes it."""


class LogicEdge(msgspec.Struct, frozen=True, kw_only=True):
    source: str
    target: str
    relation: Relation
    line: int
    is_cycle: bool = False
    proof: str = "resolved"
    hops: int = 0
    via: str | None = None
    evidence: tuple[str, ...] = ()
    """`engine`, `lsp`, where a language server took part and knew the edge."""


class Disagreement(msgspec.Struct, frozen=True, kw_only=True):
    """A call that the engine and the language server see differently."""

    source: str
    line: int
    engine: tuple[str, ...]
    lsp: tuple[str, ...]


class FileLogic(msgspec.Struct, frozen=True, kw_only=True):
    nodes: list[LogicNode]
    """The file's own in order of position, then what lies outside, in order of the first call."""
    edges: list[LogicEdge]
    """One for each source, target and relation, in order of the first place."""
    cycles: list[list[str]]
    more_cycles: bool = False
    unresolved: list[tuple[str, int]] = []
    """Name and line of calls that nobody could resolve."""
    left_out: int = 0
    """Calls of the language's own library, which are never shown."""
    disagreements: list[Disagreement] = []
