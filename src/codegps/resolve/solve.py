"""The whole-program run: numbers symbols, orders classes, solves all groups, and emits rows file by file."""

from __future__ import annotations

from collections.abc import Iterator

from codegps.resolve import Inputs
from codegps.resolve.calls import Record
from codegps.resolve.emit import Emitter
from codegps.resolve.program import File, Program
from codegps.resolve.solver import Solver
from codegps.store import FileGraph


def resolve(inputs: Inputs) -> Iterator[FileGraph]:
    """Complete rows for changed files; for files that are only affected, rows without symbols and sites."""
    program = Program(inputs, lambda file: [file.key + at for at in range(len(file.head.symbols))])
    solver = Solver(program)
    keys = sorted(inputs.rows)
    for key in keys:
        for symbol in solver.hierarchy.classes(program.file(key)):
            solver.hierarchy.add(symbol)
    early: list[int] = []
    late: list[int] = []
    for key in keys:
        file = program.file(key)
        for root in solver.group(file):
            (late if file.head.symbols[file.locals[root]].kind in (10, 11, 12, 13) else early).append(root)
    solver.enqueue(early)
    solver.enqueue(late)
    solver.solve()
    emitter = Emitter(solver)
    for key in keys:
        yield emitter.graph(program.file(key), records(solver, program.file(key)), True)


def records(solver: Solver, file: File) -> list[Record]:
    found: list[Record] = []
    for root in solver.group(file):
        found += solver.outcomes[root].records
    return found
