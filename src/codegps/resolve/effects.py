"""Effects in, writes and records out: one function an operation, called in order by `Frame`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codegps.model.kinds import EdgeKind, Kind
from codegps.resolve.attributes import do_store
from codegps.resolve.context import candidate, expect
from codegps.resolve.program import CLASSES
from codegps.resolve.questions import Key
from codegps.resolve.records import Arguments, Record
from codegps.resolve.values import (
    BOUND,
    BOX,
    CLASS,
    EMPTY,
    FUNC,
    INST,
    LIB,
    RETURN,
    Value,
)

if TYPE_CHECKING:
    from codegps.resolve.frame import Frame


NO_ARGUMENTS = Arguments()


def do_bind(frame: Frame, effect: list[int]) -> None:
    values = frame.vals[effect[3]]
    if not values:
        return
    scope = effect[1]
    fact = frame.file.head.symbols[scope]
    if scope == 0 or fact.kind in CLASSES or fact.kind == Kind.Namespace:
        key: Key = ("v", frame.file.keys[scope], frame.strings[effect[2]])
        for value, cost in values.items():
            frame.write(key, value, cost)
            if value.kind == INST and frame.semantics.name_hook and fact.kind in CLASSES:
                told_name(frame, scope, value, cost)
    if scope != 0:
        slot = frame.slots.setdefault((scope, effect[2]), {})
        for value, cost in values.items():
            old = slot.get(value)
            if old is None or cost < old:
                slot[value] = cost
                if (scope, effect[2]) in frame.looked:
                    frame.grew = True


def told_name(frame: Frame, scope: int, value: Value, cost: int) -> None:
    """A class statement tells what its attributes hold under which name they are held."""
    fact = frame.file.head.symbols[scope]
    record = Record(EdgeKind.CALLS, fact.parent, scope, fact.start_line, fact.start_column)
    owner = {frame.values(CLASS, frame.file.keys[scope], (), False): 0}
    args = frame.calls.positional([owner, EMPTY])
    frame.calls.implicit({value: cost}, frame.semantics.name_hook, args, record)
    frame.keep(record)


def do_put(frame: Frame, effect: list[int]) -> None:
    texts = frame.keys(effect[2])
    key = next(iter(texts)) if texts is not None and len(texts) == 1 else None
    values = frame.vals[effect[3]]
    for base, cost in frame.vals[effect[1]].items():
        if base.kind == BOX:
            if effect[2] >= 0:
                frame.put_keys(base, frame.vals[effect[2]])
            if values:
                frame.put_at(base, texts, values)
        elif base.kind in (INST, CLASS) and frame.semantics.set_item:
            record = Record(
                EdgeKind.CALLS, frame.symbol, frame.owners.get(effect[1], frame.symbol), effect[4], effect[5]
            )
            keys = frame.vals[effect[2]] if effect[2] >= 0 else EMPTY
            args = frame.calls.positional([keys, values])
            if frame.calls.implicit({base: cost}, frame.semantics.set_item, args, record) is None:
                frame.put(base, None, values)
            frame.keep(record)
        elif key is not None and frame.semantics.receiver == "this" and values:
            frame.store(base, key, values, cost)


def do_return(frame: Frame, effect: list[int]) -> None:
    fact = frame.file.head.symbols[frame.symbol]
    if fact.returns >= 0 and candidate(frame, frame.vals[effect[1]]):
        expect(frame, frame.vals[effect[1]], frame.types.of(frame.file, fact.returns))
    key: Key = ("r", frame.file.keys[frame.symbol])
    for value, cost in frame.vals[effect[1]].items():
        frame.write(key, value, cost)


def do_yield(frame: Frame, effect: list[int]) -> None:
    key: Key = ("y", frame.file.keys[frame.symbol])
    for value, cost in frame.vals[effect[1]].items():
        frame.write(key, value, cost)


def do_refer(frame: Frame, effect: list[int]) -> None:
    at = effect[1]
    kind = EdgeKind(effect[2])
    record = Record(kind, frame.symbol, frame.owners.get(at, frame.symbol), effect[3], effect[4])
    for symbol in frame.solver.named_symbols(frame, at):
        record.hit(symbol, 0)
    for value, cost in frame.vals[at].items():
        if cost:
            continue
        if value.kind in (FUNC, CLASS):
            record.hit(value.a, 0)
        elif value.kind == BOUND:
            record.hit(value.a, 0, value.c)
        elif value.kind == LIB and kind == EdgeKind.INCLUDES:
            record.externals.append(value.a)
    if record.targets or record.externals:
        frame.records.append(record)


def do_raise(frame: Frame, effect: list[int]) -> None:
    record = Record(EdgeKind.CALLS, frame.symbol, frame.owners.get(effect[1], frame.symbol), effect[2], effect[3])
    for value, cost in frame.vals[effect[1]].items():
        if value.kind == CLASS:
            frame.calls.construct(value, cost, NO_ARGUMENTS, record, 0)
    frame.keep(record)


def do_default(frame: Frame, effect: list[int]) -> None:
    params = frame.file.head.symbols[effect[1]].params
    if effect[2] < len(params) and params[effect[2]].key:
        frame.hand_key(("k", frame.file.keys[effect[1]], effect[2]), effect[3], 0)
    frame.calls._write(frame.file.keys[effect[1]], effect[2], frame.vals[effect[3]], 0)  # pyright: ignore[reportPrivateUsage]


def do_delete(frame: Frame, effect: list[int]) -> None:
    if not frame.semantics.delete_item:
        return
    record = Record(EdgeKind.CALLS, frame.symbol, frame.owners.get(effect[1], frame.symbol), effect[3], effect[4])
    keys = frame.vals[effect[2]] if effect[2] >= 0 else EMPTY
    frame.calls.implicit(frame.vals[effect[1]], frame.semantics.delete_item, frame.calls.positional([keys]), record)
    frame.keep(record)


def do_decorated(frame: Frame, effect: list[int]) -> None:
    key: Key = ("d", frame.file.keys[effect[1]])
    for value, cost in frame.vals[effect[2]].items():
        frame.write(key, value, cost or 1 << 3 | RETURN)


def do_thrown(frame: Frame, effect: list[int]) -> None:
    return


EFFECTS: list[Callable[[Frame, list[int]], None]] = [
    do_bind,
    do_store,
    do_put,
    do_return,
    do_yield,
    do_refer,
    do_raise,
    do_default,
    do_delete,
    do_decorated,
    do_thrown,
]
"""By operation."""
