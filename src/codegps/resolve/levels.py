"""Dirty groups in, settled variables out: a solver that re-derives what is stored, one level of hops after the other.

Values are re-derived level by level. With added hops every cycle through a call or a field costs at least one hop, so
what holds at level k depends on levels below k and, without cycles, on level k itself: a value that lost its support
vanishes at its own level before a higher one could lean on it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any, cast

from codegps.model.graph import FILE_SHIFT
from codegps.resolve.calls import Record
from codegps.resolve.frame import Frame
from codegps.resolve.ledger import (
    Group,
    Past,
    decode_groups,
    decode_set,
    text,
)
from codegps.resolve.program import FUNCTIONS, Program
from codegps.resolve.questions import Key
from codegps.resolve.solver import Solver
from codegps.resolve.values import (
    BOUND,
    BOX,
    CLASS,
    CORO,
    FUNC,
    GEN,
    INST,
    MAX_HOPS,
    MODULE,
    SUPERV,
    Set,
    Value,
    Values,
    add,
)

OF_SYMBOL = frozenset({FUNC, BOUND, CLASS, INST, BOX, GEN, CORO, SUPERV})
"""Kinds whose `a` is a symbol."""
BASES = -1
"""The group that stands for a file's base lists."""


class Levels(Solver):
    """A solver over what is stored, with the files it touches laid open."""

    def __init__(self, program: Program, past: Past) -> None:
        super().__init__(program, self)
        self.past = past
        self.level = 0
        self.own: dict[int, dict[int, Group]] = {}
        """Files laid open: their groups as they are now."""
        self.gone: set[int] = set()
        """Files whose stored links do not count any more: changed and removed ones."""
        self.rows: dict[str, dict[int, Set]] = {}
        """Variable to what each file that is not laid open writes."""
        self.parts: dict[str, dict[int, Set]] = {}
        """Variable to what each group of a file laid open writes."""
        self.projected: dict[tuple[str, int], Set] = {}
        self.living: dict[tuple[str, int], Set] = {}
        self.life: dict[Value, bool] = {}
        self.watchers: dict[str, set[int]] = {}
        self.texts: dict[Key, str] = {}
        self.dirty: set[int] = set()
        self.records: dict[int, list[Record]] = {}
        """What the last evaluation of each dirty group found."""
        self.classed: set[int] = set()
        """Files whose classes this run has placed itself."""

    def children(self, symbol: int) -> list[int]:
        """Direct subclasses in files whose classes this run has not placed itself."""
        return self._elsewhere(f"b {symbol}")

    def having(self, name: str) -> list[int]:
        return self._elsewhere(f"m {name}")

    def _elsewhere(self, link: str) -> list[int]:
        found = self.past.classes(link)
        return [symbol for file, group in found.items() if file not in self.classed for symbol in group]

    # -- variables at a level

    def text(self, key: Key) -> str:
        known = self.texts.get(key)
        if known is None:
            known = self.texts[key] = text(key)
        return known

    def read(self, key: Key) -> Set:
        name = self.text(key)
        known = self.living.get((name, self.level))
        if known is None:
            known = {value: cost for value, cost in self.projection(name).items() if self.lives(value)}
            self.living[name, self.level] = known
        return known

    def lives(self, value: Value) -> bool:
        """Whether what the value speaks of is still there: a stored value may be older than an edit."""
        known = self.life.get(value)
        if known is None:
            known = self.life[value] = self._lives(value)
        return known

    def _lives(self, value: Value) -> bool:
        kind = value.kind
        if kind in OF_SYMBOL and not self._stands(value.a, kind):
            return False
        if kind == MODULE and value.a not in self.program.inputs.rows:
            return False
        parts: tuple[Any, Any] = (value.a, value.b)
        return all(self._part_lives(part) for part in parts)

    def _part_lives(self, part: Any) -> bool:
        if isinstance(part, Value):
            return self.lives(part)
        return not isinstance(part, tuple) or all(self._part_lives(each) for each in cast(tuple[Any, ...], part))

    def _stands(self, symbol: int, kind: int) -> bool:
        file_key = symbol >> FILE_SHIFT << FILE_SHIFT
        if file_key not in self.gone:
            return True
        if file_key not in self.program.inputs.rows:
            return False
        file = self.program.file(file_key)
        local = file.locals.get(symbol)
        if local is None:
            return False
        if kind in (FUNC, BOUND, GEN, CORO):
            return file.head.symbols[local].kind in FUNCTIONS
        if kind in (CLASS, INST, SUPERV):
            return file.head.symbols[local].kind not in FUNCTIONS or file.semantics.functions_construct
        return True

    def projection(self, name: str) -> Set:
        known = self.projected.get((name, self.level))
        if known is None:
            known = self.projected[name, self.level] = self._project(name)
        return known

    def _project(self, name: str) -> Set:
        rows = self.rows.get(name)
        if rows is None:
            found = self.past.store.links([f"w {name}"]).get(f"w {name}", [])
            rows = self.rows[name] = {file: decode_set(self.values, value) for file, value in found}
        out: Set = {}
        for file, values in rows.items():
            if file not in self.own and file not in self.gone:
                self._under(values, out)
        for values in self.parts.get(name, {}).values():
            self._under(values, out)
        return out

    def _under(self, values: Set, out: Set) -> None:
        limit = (self.level + 1) << 3
        for value, cost in values.items():
            if cost < limit:
                add(out, value, cost)

    @property
    def values(self) -> Values:
        return self.program.values

    # -- files laid open

    def lay_open(self, file_key: int) -> dict[int, Group]:
        """The file's groups as stored, from now on kept here."""
        groups = self.own.get(file_key)
        if groups is None:
            data = self.past.file(file_key).get("g")
            groups = self.own[file_key] = decode_groups(self.values, data) if data else {}
            for root, group in groups.items():
                for name, values in group.out.items():
                    self.parts.setdefault(name, {})[root] = values
                for name in group.seen:
                    self.watchers.setdefault(name, set()).add(root)
            if file_key in self.program.inputs.rows and file_key not in self.gone:
                self.group(self.program.file(file_key))
        return groups

    def change(self, root: int, file_key: int, new: dict[str, Set], pending: dict[str, None]) -> None:
        """Puts what a group writes up to this level; names variables whose projection changed in `pending`."""
        limit = (self.level + 1) << 3
        group = self.own[file_key].setdefault(root, Group(set(), set(), {}))
        for name in {*group.out, *new}:
            old = group.out.get(name, {})
            values = dict(new.get(name, {}))
            for value, cost in old.items():
                if cost >= limit and value not in values:
                    values[value] = cost
            if values == old:
                continue
            before = self.projection(name)
            if values:
                group.out[name] = values
                self.parts.setdefault(name, {})[root] = values
            else:
                group.out.pop(name, None)
                self.parts.get(name, {}).pop(root, None)
            for level in range(MAX_HOPS + 1):
                self.projected.pop((name, level), None)
                self.living.pop((name, level), None)
            if self.projection(name) != before:
                pending[name] = None

    def readers_of(self, names: Iterable[str]) -> set[int]:
        """Roots of all groups that read any of these variables."""
        wanted = list(names)
        for file in self.past.readers(wanted):
            if file not in self.gone:
                self.lay_open(file)
        return {root for name in wanted for root in self.watchers.get(name, ())}

    # -- levels

    def settle(self) -> None:
        """Re-derives everything dirty, level by level."""
        for level in range(MAX_HOPS + 1):
            self.level = level
            waiting = deque(sorted(self.dirty))
            queued = set(waiting)
            while waiting:
                pending: dict[str, None] = {}
                while waiting:
                    root = waiting.popleft()
                    queued.discard(root)
                    self._again(root, pending)
                if pending:
                    for root in sorted(self.readers_of(pending)):
                        self.dirty.add(root)
                        if root not in queued:
                            queued.add(root)
                            waiting.append(root)

    def _again(self, root: int, pending: dict[str, None]) -> None:
        file_key = root >> FILE_SHIFT << FILE_SHIFT
        if root not in self.groups:
            self.change(root, file_key, {}, pending)
            if self.level == MAX_HOPS:
                self.own[file_key].pop(root, None)
            return
        program = self.program
        file = program.file(file_key)
        program.watch()
        frame = Frame(self, file, root, self.groups[root])
        frame.run()
        frame.close()
        limit = (self.level + 1) << 3
        out: dict[str, Set] = {}
        for key, values in frame.out.items():
            kept = {value: cost for value, cost in values.items() if cost < limit}
            if kept:
                out[self.text(key)] = kept
        self.change(root, file_key, out, pending)
        group = self.own[file_key][root]
        seen = {self.text(key) for key in frame.seen}
        for name in group.seen - seen:
            self.watchers.get(name, set()).discard(root)
        for name in seen:
            self.watchers.setdefault(name, set()).add(root)
        group.seen = seen
        group.deps = {self.text(program.questions[number]) for number in program.outside(file_key)}
        self.records[root] = frame.records
