"""Terms that make containers, take from them and put them together: value sets out, called as those of `terms`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.model.facts import Op
from codegps.model.kinds import EdgeKind
from codegps.resolve.attributes import method_of, methods
from codegps.resolve.records import Arguments, Record
from codegps.resolve.values import (
    BOX,
    CLASS,
    ELEMENT,
    EMPTY,
    FIELD,
    FUNC,
    GEN,
    GENERIC,
    INST,
    LIT,
    MODULE,
    OPAQUE,
    Set,
    Value,
    add,
)

if TYPE_CHECKING:
    from codegps.resolve.frame import Frame

NO_ARGUMENTS = Arguments()


def eval_item(frame: Frame, term: list[int]) -> Set:
    base = frame.vals[term[1]]
    if not base:
        return EMPTY
    out = frame.asked_items(base, term[2])
    if frame.semantics.receiver == "this":
        keys = frame.keys(term[2])
        key = next(iter(keys)) if keys is not None and len(keys) == 1 else None
        if key is not None:
            return member_item(frame, base, key, term, out)
        found, out = out, dict[Value, int]()
        boxes = [each for each in base if each.kind == BOX]
        for value, cost in found.items():
            for bound in [method_of(frame, value, box) for box in boxes] or [value]:
                add(out, bound, cost)
    for value, cost in base.items():
        if value.kind in (INST, CLASS) and frame.semantics.get_item:
            record = frame.record(EdgeKind.CALLS, frame.at, term[3], term[4])
            args = frame.calls.positional([frame.vals[term[2]]])
            found = frame.calls.implicit({value: cost}, frame.semantics.get_item, args, record)
            if found is None and value.kind == CLASS:
                found = class_item(frame, value, cost, args, record)
            frame.keep(record)
            for each, price in (found or EMPTY).items():
                add(out, each, price)
    return out


def class_item(frame: Frame, value: Value, cost: int, args: Arguments, record: Record) -> Set:
    """`C[key]` of a class: what `__class_getitem__` says, else the class with a type argument."""
    name = frame.semantics.class_item
    if not name or frame.hierarchy.lookup(value.a, name).owner < 0:
        return {value: cost}
    out: Set = {}
    for each, price in methods(frame, value, name, cost, record).items():
        for one, total in frame.calls.apply(each, price, args, record, 0, True).items():
            add(out, one, total)
    return out


def member_item(frame: Frame, base: Set, key: str, term: list[int], out: Set) -> Set:
    """JavaScript's `base["name"]` is `base.name`."""
    for value, cost in base.items():
        if value.kind in (INST, CLASS, MODULE, BOX, FUNC):
            plan = frame.members.plan(value, key)
            for each, price in frame.expand(plan.static, cost).items():
                add(out, each, price)
            for variable in plan.variables:
                frame.read_step(variable, cost, FIELD, out)
    return out


def eval_slice(frame: Frame, term: list[int]) -> Set:
    base = frame.vals[term[1]]
    out: Set = {}
    for value, cost in base.items():
        if value.kind == BOX:
            box = frame.values(BOX, frame.root, f"slice{frame.symbol}:{frame.at}", value.c)
            start, stop = slice_bounds(frame, value, term)
            for own, each, price in frame.box_items(value, cost, ELEMENT):
                if start is None or own is None or not own.isdecimal():
                    frame.put(box, None, {each: price})
                elif int(own) >= start and (stop is None or int(own) < stop):
                    frame.put(box, str(int(own) - start), {each: price})
            add(out, box, cost)
        elif value.kind in (GENERIC, OPAQUE, LIT):
            add(out, value, cost)
        elif value.kind == INST and frame.semantics.get_item:
            record = frame.record(EdgeKind.CALLS, frame.at, term[2], term[3])
            found = frame.calls.implicit({value: cost}, frame.semantics.get_item, NO_ARGUMENTS, record)
            frame.keep(record)
            for each, price in (found or EMPTY).items():
                add(out, each, price)
    return out


def slice_bounds(frame: Frame, box: Value, term: list[int]) -> tuple[int | None, int | None]:
    """First and last index where both are certain; None and None: any element may be anywhere."""
    if len(term) < 6:
        return None, None
    length = frame.length(box)
    start = frame.whole(term[4]) if term[4] >= 0 else 0
    stop = frame.whole(term[5]) if term[5] >= 0 else length
    if start is None or (stop is None and term[5] >= 0):
        return None, None
    if start < 0 or (stop is not None and stop < 0):
        if length is None:
            return None, None
        start = max(start + length, 0) if start < 0 else start
        stop = stop + length if stop is not None and stop < 0 else stop
    return start, stop


def eval_elem(frame: Frame, term: list[int]) -> Set:
    base = frame.vals[term[1]]
    if not base or term[4] == 4:
        return EMPTY
    record = frame.record(EdgeKind.CALLS, frame.at, term[2], term[3])
    out = frame.elements(base, record, term[4] == 1)
    frame.keep(record)
    return out


def eval_unpack(frame: Frame, term: list[int]) -> Set:
    base = frame.vals[term[1]]
    if not base:
        return EMPTY
    index, star = term[2], term[3]
    if star:
        return rest_items(frame, base, index)
    out = frame.item({v: c for v, c in base.items() if v.kind != INST}, frozenset({str(index)}))
    rest = {value: cost for value, cost in base.items() if value.kind in (INST, GEN)}
    if rest:
        for value, cost in frame.elements(rest, None).items():
            add(out, value, cost)
    return out


def rest_items(frame: Frame, base: Set, index: int) -> Set:
    """`*rest`: the elements from an index on; in a destructured object (index -1) all of them."""
    box = frame.values(BOX, frame.root, f"rest{frame.symbol}:{frame.at}", "list")
    out: Set = {box: 0}
    for value, cost in base.items():
        if value.kind == BOX:
            if index < 0:
                out[value] = cost
                continue
            for key, each, price in frame.box_items(value, cost, ELEMENT):
                if key is None or not key.isdecimal():
                    frame.put(box, None, {each: price})
                elif int(key) >= index:
                    frame.put(box, str(int(key) - index), {each: price})
        else:
            frame.put(box, None, frame.elements({value: cost}, None))
    return out


def eval_list(frame: Frame, term: list[int]) -> Set:
    kind = frame.strings[term[2]]
    box = frame.values(BOX, frame.file.keys[frame.symbol], term[1], kind)
    vals = frame.vals
    certain = kind not in ("set", "generator", "frozenset")
    for index, at in enumerate(term[3:]):
        if frame.unit.terms[at][0] == Op.SPREAD:
            certain = False
            frame.put(box, None, frame.elements(vals[at], None))
        elif vals[at]:
            frame.put(box, str(index) if certain else None, vals[at])
    if certain:
        frame.lengths[box] = len(term) - 3
    return {box: 0}


def eval_dict(frame: Frame, term: list[int]) -> Set:
    box = frame.values(BOX, frame.file.keys[frame.symbol], term[1], frame.strings[term[2]])
    vals = frame.vals
    objects = box.c == "object"
    written: set[str] = set()
    """Names written behind what is spread: they stand before it."""
    for at in range(len(term) - 2, 2, -2):
        key, value = term[at], vals[term[at + 1]]
        if key < 0:
            for name, each in frame.keyed({v: c for v, c in value.items() if v.kind == BOX}):
                if name not in written:
                    frame.put(box, name, each)
        else:
            frame.put_keys(box, vals[key])
            keys = frame.keys(key)
            if objects and keys is not None and len(keys) == 1:
                written |= keys
            if value:
                for name in (None,) if keys is None else sorted(keys):
                    frame.put(box, name, value, objects)
    return {box: 0}


def combine(frame: Frame, name: str, left: Set, right: Set, out: Set) -> None:
    """Containers put together, and literals that are literals no more."""
    for side, values in enumerate((left, right)):
        for value, cost in values.items():
            if value.kind == BOX:
                if name.startswith("__i"):
                    if side == 0:
                        add(out, value, cost)
                        for other, price in right.items():
                            join(frame, value, other, price, None)
                    continue
                box = frame.values(BOX, frame.root, f"join{frame.symbol}:{frame.at}", value.c)
                add(out, box, cost)
                join(frame, box, value, cost, shift(frame, name, side, left))
            elif value.kind == GENERIC and value.b:
                add(out, value, cost)
            elif value.kind == LIT:
                add(out, frame.values(GENERIC, value.a, ()), cost)


def shift(frame: Frame, name: str, side: int, left: Set) -> int | None:
    """How far the elements of an operand move; None where it is not known."""
    if name in ("__mul__", "__mod__"):
        return None
    if side == 0 or name == "__or__":
        return 0
    lengths = {frame.length(value) if value.kind == BOX else None for value in left}
    return lengths.pop() if len(lengths) == 1 else None


def join(frame: Frame, into: Value, source: Value, cost: int, moved: int | None) -> None:
    """Copies the elements of one container into another."""
    if source.kind != BOX:
        if source.kind in (GENERIC, GEN):
            frame.put(into, None, frame.elements({source: cost}, None))
        return
    for own, each, price in frame.box_items(source, cost, ELEMENT):
        if own is not None and own.isdecimal() and source.c in ("list", "tuple"):
            own = str(int(own) + moved) if moved is not None else None
        frame.put(into, own, {each: price})
