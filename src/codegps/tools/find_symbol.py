"""`find_symbol`: a part of a name in, the symbols of that name and where they are out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from codegps.errors import ToolError
from codegps.model.graph import Symbol
from codegps.model.kinds import Kind
from codegps.model.visible import visible
from codegps.query.argument import clamped, plain
from codegps.query.graph import Graph
from codegps.query.names import display_names
from codegps.query.search import nearest_names, search
from codegps.store import Reader
from codegps.tool import Answer, tool

DESCRIPTION = """\
Find where symbols are defined by a part of their name or a pattern: name, kind, file and lines.

Use it first when you know a name but not its file: the other tools ask for both. It beats grep: it lists definitions \
alone, not every line that mentions the word. `User.save` finds a method, `*Form` everything that ends so."""

KindName = Literal[
    "File", "Namespace", "Class", "Interface", "Trait", "Struct", "Union", "Enum", "EnumMember", "TypeAlias",
    "Function", "Method", "Constructor", "Property", "Variable", "Constant", "Macro", "Element", "Procedure", "Table",
]  # fmt: skip
LIMIT = 100


@tool(
    "find_symbol",
    command="find-symbol",
    description=DESCRIPTION,
    examples=("formatDate", "User.save", "'*Form' --kind Class"),
)
def find_symbol(
    graph: Graph,
    pattern: Annotated[str, "Part of a name (`date`, `User.save`) or a glob (`*Form`); case is ignored", 200],
    kind: Annotated[KindName | None, "Only symbols of this kind"] = None,
    limit: Annotated[int, "How many to list; at most 100"] = 10,
) -> Answer:
    """The symbols whose name matches, one a line."""
    most, limit_note = clamped(limit, "limit", 1, LIMIT)
    wanted = plain(pattern, "pattern", 200).strip()
    if kind is not None and kind not in Kind.__members__:
        raise ToolError(f"There is no kind '{visible(str(kind), 100)}'. Kinds: {', '.join(Kind.__members__)}.")
    kinds = None if kind is None else [Kind[kind]]
    store = graph.store
    with store.snapshot():
        found = search(store, wanted, kinds, most)
        if not found.symbols:
            close = nearest_names(store, wanted, kinds)
            what = f"{kind} matches" if kind else "symbol matches"
            text = f"No {what} '{visible(wanted)}'."
            if close:
                text = "\n".join([text, "", "Nearest names:", *(f"  - {line}" for line in _lines(store, close))])
            return Answer(text, limit_note)
        lines = _lines(store, found.symbols)
    note = limit_note
    if len(found.symbols) < found.total:
        more = f"Shown: {len(found.symbols)} of {found.total:,}. Give a longer pattern, a kind"
        more += "." if most == LIMIT else f" or a greater limit (at most {LIMIT})."
        note = f"{note}\n{more}" if note else more
    return Answer("\n".join(lines), note)


def _lines(store: Reader, symbols: Sequence[Symbol]) -> list[str]:
    names = display_names(store, symbols)
    return [f"{names[s.key]} ({s.kind.name}) {visible(s.file)}:{s.start_line}-{s.end_line}" for s in symbols]
