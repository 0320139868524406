"""`codegps query`: a part of a name in; the symbols of that name with who calls them and what they call, out.

A command of its own and no MCP tool: agents have `find_symbol` and `get_function_details`. The same shared queries
answer it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from codegps.errors import UsageError
from codegps.format.matches import Match, matches_json, matches_text
from codegps.model.calls import VARIABLE, CallerInfo, FindCallsOptions
from codegps.model.graph import Symbol
from codegps.model.kinds import CALLABLE_KINDS, CLASS_KINDS, Kind
from codegps.model.visible import visible
from codegps.query.argument import clamped, plain
from codegps.query.call_sites import CallSiteView, node_type
from codegps.query.find_calls_in_function import find_calls_in_function
from codegps.query.find_containing_function import find_containing_function
from codegps.query.graph import Graph
from codegps.query.names import display_names
from codegps.query.search import nearest_names, search
from codegps.store import Reader
from codegps.tool import Answer

MAX_LIMIT: Final = 100
PATTERN_LIMIT: Final = 200
NESTING: Final = 1_000
LISTED_CALLERS: Final = 100

_GROUPS: Final = {
    "function": tuple(sorted(CALLABLE_KINDS)),
    "class": tuple(sorted(CLASS_KINDS)),
    "variable": (Kind.Variable, Kind.Constant),
    "module": (Kind.File, Kind.Namespace),
}
"""What `--type` takes besides the name of a kind."""


def query(graph: Graph, pattern: str, type: str | None = None, limit: int = 10) -> Answer:
    """Symbols whose name contains the pattern (or matches it, with `*`, `?` or `[`), case ignored.

    `type` is `function` (methods too), `class`, `variable`, `module` or a kind. `data` is the same as an object, for
    `--json`.
    """
    wanted = plain(pattern, "pattern", PATTERN_LIMIT).strip()
    kinds = _kinds(type)
    most, note = clamped(limit, "limit", 1, MAX_LIMIT)
    notes = [note] if note else []
    with graph.store.snapshot():
        found = search(graph.store, wanted, kinds, most)
        near = [] if found.symbols else nearest_names(graph.store, wanted, kinds)
        matches = _matches(graph.store, found.symbols)
        names = display_names(graph.store, near)
    if len(found.symbols) < found.total:
        notes.append(
            f"Shown: {len(found.symbols)} of {found.total:,}. Give a longer pattern, a type or a greater limit."
        )
    asked = f"{visible(type)} matches" if type else "symbol matches"
    nothing = f"No {asked} '{visible(wanted)}'."
    close = [f"{names[s.key]} ({s.kind.name}) {visible(s.file)}:{s.start_line}" for s in near]
    text = matches_text(matches, nothing, close)
    return Answer(text, "\n".join(notes), matches_json(wanted, matches, found.total, [s.id for s in near]))


def _kinds(type: str | None) -> tuple[Kind, ...] | None:
    if type is None:
        return None
    by_name = {kind.name.lower(): (kind,) for kind in Kind} | _GROUPS
    kinds = by_name.get(type.lower())
    if kinds is None:
        raise UsageError(f"There is no type '{visible(type, 100)}'. Types: {', '.join(sorted(by_name))}.")
    return kinds


def _matches(store: Reader, symbols: Sequence[Symbol]) -> list[Match]:
    view = CallSiteView(store)
    view.know(symbols)
    view.prepare([symbol.id for symbol in symbols])
    names = display_names(store, symbols)
    return [_match(store, view, symbol, names[symbol.key]) for symbol in symbols]


def _match(store: Reader, view: CallSiteView, symbol: Symbol, name: str) -> Match:
    match = Match(
        id=symbol.id,
        name=name,
        kind=symbol.kind.name,
        file=symbol.file,
        line=symbol.start_line,
        end_line=symbol.end_line,
    )
    if node_type(symbol.kind) == VARIABLE:
        return match
    first: dict[str, CallerInfo] = {}
    total = 0
    for target in (symbol.id, *_constructors(store, symbol)):
        calls, count = view.calls_by_container(target, LISTED_CALLERS)
        total = max(total, count)
        for call in calls:
            caller = find_containing_function(view, call, NESTING)
            if caller is not None:
                first.setdefault(caller.id, caller)
    return msgspec.structs.replace(
        match,
        calls=find_calls_in_function(view, symbol.id, FindCallsOptions(max_depth=NESTING)),
        called_by=list(first.values()),
        callers=max(total, len(first)),
    )


def _constructors(store: Reader, symbol: Symbol) -> list[str]:
    """Calling a class is calling its constructors."""
    if symbol.kind not in CLASS_KINDS:
        return []
    return [s.id for s in store.symbols_in(symbol.file) if s.kind is Kind.Constructor and s.parent == symbol.key]
