"""The whole-program run: numbers symbols, orders classes, solves all groups, and emits rows file by file."""

from __future__ import annotations

import gc
from collections.abc import Iterator

from codegps.resolve import Inputs
from codegps.resolve.calls import Record
from codegps.resolve.emit import Emitter
from codegps.resolve.ledger import Group, file_links, text
from codegps.resolve.levels import BASES
from codegps.resolve.program import FUNCTIONS, File, Program
from codegps.resolve.questions import Key
from codegps.resolve.refresh import class_links, refresh
from codegps.resolve.solver import Solver
from codegps.store import FileGraph


def resolve(inputs: Inputs) -> Iterator[FileGraph]:
    """Complete rows for changed files; for files that are only affected, rows without symbols and sites."""
    collecting = gc.isenabled()
    # Nothing that a run makes is garbage before its end: looking for some costs a quarter of the time.
    gc.disable()
    try:
        if inputs.previous is not None:
            yield from refresh(inputs, inputs.previous)
        else:
            yield from _rows(inputs)
    finally:
        if collecting:
            gc.enable()


def _rows(inputs: Inputs) -> Iterator[FileGraph]:
    solver = solve(inputs)
    emitter = Emitter(solver)
    texts: dict[Key, str] = {}
    for key in sorted(inputs.rows):
        file = solver.program.file(key)
        roots = solver.group(file)
        records: list[Record] = []
        for root in roots:
            records += solver.outcomes[root].records
        graph = emitter.graph(file, records, True)
        graph.links = _links(solver, file, roots, texts)
        yield graph


def solve(inputs: Inputs) -> Solver:
    """Everything from nothing."""
    program = Program(inputs, lambda file: [file.key + at for at in range(len(file.head.symbols))])
    solver = Solver(program)
    keys = sorted(inputs.rows)
    for key in keys:
        for symbol in solver.hierarchy.classes(program.file(key)):
            solver.hierarchy.add(symbol)
    late: list[int] = []
    for key in keys:
        file = program.file(key)
        for root in solver.group(file):
            if file.head.symbols[file.locals[root]].kind in FUNCTIONS:
                late.append(root)
            else:
                solver.enqueue([root])
    solver.enqueue(late)
    solver.solve()
    return solver


def _links(solver: Solver, file: File, roots: list[int], texts: dict[Key, str]) -> dict[str, bytes]:
    def named(key: Key) -> str:
        known = texts.get(key)
        if known is None:
            known = texts[key] = text(key)
        return known

    groups: dict[int, Group] = {}
    for root in roots:
        outcome = solver.outcomes.pop(root)
        groups[root] = Group(
            {named(key) for key in outcome.seen},
            {named(solver.program.questions[number]) for number in outcome.deps},
            {named(key): values for key, values in outcome.out.items()},
        )
    above, classes, deps = class_links(solver, file)
    groups[BASES] = Group(set(), deps, {})
    return file_links(solver.program.values, file, groups, above, classes)
