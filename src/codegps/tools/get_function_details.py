"""`get_function_details`: a function's name in; what it calls, call by call, and who calls it, out."""

from __future__ import annotations

from typing import Annotated, Final

from codegps.errors import ToolError
from codegps.format.call_notes import call_notes, plural
from codegps.format.function_details import function_details
from codegps.model.calls import FindCallsOptions, FunctionDetails
from codegps.model.graph import Symbol
from codegps.model.kinds import EdgeKind, Flag
from codegps.model.visible import visible
from codegps.query.argument import plain
from codegps.query.call_sites import CallSiteView
from codegps.query.find_calls_in_function import find_calls_in_function
from codegps.query.find_containing_function import find_containing_function
from codegps.query.functions import classes_named, functions_named, near_functions
from codegps.query.graph import Graph
from codegps.tool import Answer, tool

MAX_CALLS: Final = 1_000
"""The transitive search stops here; far more than an answer has room for."""
MAX_CALLERS: Final = 100
NESTING: Final = 1_000
"""Blocks inside blocks: no call may be missed for being deep."""
_PLACES: Final = 3
_LISTED: Final = 20

DESCRIPTION: Final = """Get comprehensive details about a function, including what it calls and who calls it.

Graph structure:
  FUNCTION -[HAS_SCOPE]-> SCOPE -[CONTAINS]-> CALL/METHOD_CALL
  CALL -[CALLS]-> FUNCTION (target)

Returns:
- Function metadata (name, file, line, async)
- calls: What functions/methods this function calls
- calledBy: What functions call this one

For calls array:
- resolved=true means target function was found
- resolved=false means unknown target (external/dynamic)
- type='CALL' for function calls like foo()
- type='METHOD_CALL' for method calls like obj.method()
- depth field shows transitive level (0=direct, 1+=indirect)

Use transitive=true to follow call chains (A calls B calls C).
Max transitive depth is 5 to prevent explosion."""


@tool(
    "get_function_details",
    command="get-function-details",
    description=DESCRIPTION,
    examples=("load_settings", "Model.save --file models/base.py", "main --transitive"),
)
def get_function_details(
    graph: Graph,
    name: Annotated[str, "Function name to look up"],
    file: Annotated[str | None, "Optional: file path to disambiguate (partial match)"] = None,
    transitive: Annotated[bool, "Follow call chains recursively (default: false)"] = False,
) -> Answer:
    """What a function calls, call by call, and who calls it."""
    asked = plain(name, "name").strip()
    part = plain(file, "file").strip() if file else None
    with graph.store.snapshot():
        return _details(graph, asked, part, transitive)


def _details(graph: Graph, name: str, file: str | None, transitive: bool) -> Answer:
    function = _find(graph, name, file)
    view = CallSiteView(graph.store)
    view.know([function])
    options = FindCallsOptions(max_depth=NESTING, transitive=transitive, limit=MAX_CALLS + 1)
    calls = find_calls_in_function(view, function.id, options)
    containers, total = view.calls_by_container(function.id, MAX_CALLERS)
    callers = [find_containing_function(view, call, NESTING) for call in containers]
    details = FunctionDetails(
        id=function.id,
        name=function.name,
        file=function.file,
        line=function.start_line,
        is_async=bool(function.flags & Flag.ASYNC),
        transitive=transitive,
        calls=calls[:MAX_CALLS],
        called_by=[caller for caller in callers if caller is not None],
        more_calls=len(calls) > MAX_CALLS,
        callers=total,
    )
    rendered = function_details(details)
    notes = [*call_notes(details, rendered.calls, rendered.callers), *_may_call(graph, function)]
    return Answer(rendered.text, "\n".join(notes))


def _find(graph: Graph, name: str, file: str | None) -> Symbol:
    """The one function that is meant, or the error that says how to name it."""
    found = functions_named(graph.store, name, file, graph.root)
    if len(found) == 1:
        return found[0]
    if not found:
        raise ToolError(_not_found(graph, name, file))
    places = ", ".join(map(_place, found[:_LISTED]))
    if len(found) > _LISTED:
        places += f", and {len(found) - _LISTED} more"
    message = f'Multiple functions named "{visible(name)}" found: {places}. Use the "file" parameter to disambiguate.'
    if len({f.file for f in found}) < len(found):
        names = ", ".join(visible(n) for n in dict.fromkeys(f.qualified_name for f in found[:_LISTED]))
        message += f" Or give a qualified name: {names}."
    raise ToolError(message)


def _not_found(graph: Graph, name: str, file: str | None) -> str:
    lines = [f'Function "{visible(name)}" not found.']
    if file:
        lines[0] += f' (searched in files matching "{visible(file)}")'
        elsewhere = functions_named(graph.store, name)
        if elsewhere:
            lines.append(f"It is defined in: {', '.join(map(_place, elsewhere[:_LISTED]))}")
    for owner in classes_named(graph.store, name)[:1]:
        lines.append(f'"{visible(name)}" is a {owner.kind.name} ({_place(owner)}): ask for one of its methods.')
    if len(lines) == 1:
        near = near_functions(graph.store, name)
        if near:
            lines.append("Nearest names: " + ", ".join(f"{visible(f.qualified_name)} ({_place(f)})" for f in near))
    return "\n".join(lines)


def _may_call(graph: Graph, function: Symbol) -> list[str]:
    """What may call the function without an edge that says so."""
    notes: list[str] = []
    unknown = graph.store.references_named([function.name])
    if unknown:
        sources = graph.store.symbols(reference.source for reference in unknown[:_PLACES])
        places = [f"{visible(sources[r.source].file)}:{r.line}" for r in unknown[:_PLACES] if r.source in sources]
        count = f"{len(unknown):,} unresolved {plural(len(unknown), 'reference')} named {visible(function.name)}"
        notes.append(f"{count} may also mean it: {', '.join(places)}{', ...' if len(unknown) > _PLACES else ''}.")
    named = graph.store.neighbours([function.key], (EdgeKind.REFERENCES,), "in")
    if named:
        count = f"{len(named):,} {plural(len(named), 'place')}"
        notes.append(f"It is also named without being called (passed, stored) in {count}; dependentsOf shows them.")
    return notes


def _place(symbol: Symbol) -> str:
    return f"{visible(symbol.file)}:{symbol.start_line}"
