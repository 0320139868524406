"""A value and a name in, what `value.name` is out: members, getters, descriptors; and what storing to it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.model.kinds import EdgeKind, Flag
from codegps.resolve.members import GETTER, Plan, Wrapped
from codegps.resolve.records import Arguments, Record
from codegps.resolve.values import (
    BOUND,
    BOX,
    CLASS,
    EMPTY,
    FIELD,
    FUNC,
    INST,
    VARIABLE,
    WRAPPED,
    Set,
    Value,
    add,
)

if TYPE_CHECKING:
    from codegps.resolve.frame import Frame

NO_ARGUMENTS = Arguments()


class Reading:
    """One place that reads attributes: the implicit calls there make one record."""

    __slots__ = ("at", "column", "frame", "line", "name", "record")

    def __init__(self, frame: Frame, at: int, line: int, column: int, name: str) -> None:
        self.frame = frame
        self.at = at
        self.line = line
        self.column = column
        self.name = name
        self.record: Record | None = None

    def note(self) -> Record:
        if self.record is None:
            self.record = self.frame.record(EdgeKind.CALLS, self.at, self.line, self.column)
        return self.record

    def close(self) -> None:
        if self.record is not None:
            self.frame.keep(self.record)

    # -- reading

    def get(self, value: Value, cost: int, out: Set) -> None:
        """`value.name`"""
        frame = self.frame
        if value.kind == BOX and value.c not in NAMELESS:
            for own, each, price in frame.box_items(value, cost, FIELD):
                if own == self.name:
                    if each.kind == FUNC and frame.program.peek(each.a).accessor:
                        self._access(each, value, price, out)
                    else:
                        add(out, method_of(frame, each, value), price)
        self.follow(frame.members.plan(value, self.name), value, cost, out)

    def _access(self, function: Value, box: Value, cost: int, out: Set) -> None:
        """A getter of an object literal runs; a setter is nothing that is read."""
        if self.frame.program.peek(function.a).accessor == "get":
            self._call(function, box, False, cost, out)

    def follow(self, plan: Plan, value: Value, cost: int, out: Set) -> None:
        frame = self.frame
        for each, price in frame.expand(plan.static, cost).items():
            add(out, each, price)
        for key in plan.variables:
            frame.read_step(key, cost, FIELD, out)
        for wrapped in plan.wrapped:
            self.unwrap(wrapped, cost, out)
        for bound in plan.getters:
            for each, price in frame.calls.apply(bound, cost, NO_ARGUMENTS, self.note(), 0, True).items():
                add(out, each, price)
        for hook in plan.hooks:
            args = frame.calls.positional([frame.literal(self.name)])
            args.terms = [self.name]
            for each, price in frame.calls.apply(hook, cost, args, self.note(), 0, True).items():
                add(out, each, price)

    def unwrap(self, wrapped: Wrapped, cost: int, out: Set) -> None:
        """What an attribute of a class holds, as it is got through its receiver."""
        frame = self.frame
        key, receiver, flags, override = wrapped
        found: Set = {}
        if key[0] == "d":
            if not flags & GETTER:
                frame.named.append(key[1])
            frame.read_into(key, cost, found)
        else:
            frame.read_step(key, cost, FIELD, found)
        for value, price in found.items():
            if flags & GETTER:
                self._call(value, receiver, override, price, out)
            else:
                self._bind(value, receiver, flags, override, price, out)

    def _bind(self, value: Value, receiver: Value, flags: int, override: bool, cost: int, out: Set) -> None:
        frame = self.frame
        kind = value.kind
        if kind == FUNC:
            if flags & Flag.STATIC:
                add(out, value, cost)
            elif flags & Flag.CLASSMETHOD:
                add(out, frame.values(BOUND, value.a, class_of(frame, receiver), override), cost)
            elif receiver.kind == INST:
                add(out, frame.values(BOUND, value.a, receiver, override), cost)
            else:
                add(out, value, cost)
        elif kind == WRAPPED:
            self._bind_wrapped(value, receiver, override, cost, out)
        elif kind == INST and self._descriptor(value, receiver, cost, out):
            return
        else:
            add(out, value, cost)

    def _bind_wrapped(self, value: Value, receiver: Value, override: bool, cost: int, out: Set) -> None:
        frame = self.frame
        if value.a == "property":
            if receiver.kind == INST and value.b[0] is not None:
                self._call(value.b[0], receiver, override, cost, out)
        elif value.b[0] is not None and value.b[0].kind == FUNC:
            add(out, frame.values(BOUND, value.b[0].a, class_of(frame, receiver), override), cost)

    def _call(self, value: Value, receiver: Value, override: bool, cost: int, out: Set) -> None:
        """A getter: a function, bound to the receiver."""
        frame = self.frame
        if value.kind == FUNC:
            value = frame.values(BOUND, value.a, receiver, override)
        for each, price in frame.calls.apply(value, cost, NO_ARGUMENTS, self.note(), 0, True).items():
            add(out, each, price)

    def _descriptor(self, value: Value, receiver: Value, cost: int, out: Set) -> bool:
        frame = self.frame
        name = frame.semantics_of(value.a).descriptor_get
        if not name or frame.hierarchy.lookup(value.a, name).owner < 0:
            return False
        instance: Set = {receiver: 0} if receiver.kind == INST else EMPTY
        args = frame.calls.positional([instance, {class_of(frame, receiver): 0}])
        for each, price in (frame.calls.implicit({value: cost}, name, args, self.note()) or EMPTY).items():
            add(out, each, price)
        return True

    # -- storing

    def set(self, value: Value, cost: int, stored: Set) -> bool:
        """`value.name = stored`; whether something else than a field took it."""
        frame = self.frame
        if value.kind == BOX and value.c == "object":
            return self._set_boxed(value, cost, stored)
        if value.kind != INST:
            return False
        took = False
        for each in frame.members.setters(value, self.name):
            frame.calls.apply(each, cost, frame.calls.positional([stored]), self.note(), 0, True)
            took = True
        semantics = frame.semantics_of(value.a)
        if took or not semantics.descriptor_set:
            return took
        hook = semantics.store_attribute
        if hook and frame.hierarchy.lookup(value.a, hook).owner >= 0:
            args = frame.calls.positional([frame.literal(self.name), stored])
            frame.calls.implicit({value: cost}, hook, args, self.note())
        for each in frame.hierarchy.lookup(value.a, self.name).values:
            if each.kind == VARIABLE:
                found: Set = {}
                frame.read_step(("v", each.a, each.b), cost, FIELD, found)
                for one, price in found.items():
                    self._store_into(one, price, value, stored, semantics.descriptor_set)
        return False

    def _set_boxed(self, box: Value, cost: int, stored: Set) -> bool:
        frame = self.frame
        took = False
        for own, each, price in frame.box_items(box, cost, FIELD):
            if own == f"set {self.name}" and each.kind == FUNC and frame.program.peek(each.a).accessor == "set":
                setter = frame.values(BOUND, each.a, box, False)
                frame.calls.apply(setter, price, frame.calls.positional([stored]), self.note(), 0, True)
                took = True
        return took

    def _store_into(self, one: Value, cost: int, receiver: Value, stored: Set, name: str) -> None:
        frame = self.frame
        if one.kind == WRAPPED:
            if one.a == "property" and one.b[1] is not None and one.b[1].kind == FUNC:
                setter = frame.values(BOUND, one.b[1].a, receiver, False)
                frame.calls.apply(setter, cost, frame.calls.positional([stored]), self.note(), 0, True)
        elif one.kind == INST and frame.hierarchy.lookup(one.a, name).owner >= 0:
            args = frame.calls.positional([{receiver: 0}, stored])
            frame.calls.implicit({one: cost}, name, args, self.note())


NAMELESS = frozenset({"dict", "list", "tuple", "set", "frozenset", "generator"})
"""Containers whose elements are no attributes."""


def class_of(frame: Frame, receiver: Value) -> Value:
    if receiver.kind == INST:
        return frame.values(CLASS, receiver.a, receiver.b, not receiver.c)
    return receiver


def method_of(frame: Frame, value: Value, box: Value) -> Value:
    if value.kind == FUNC and frame.semantics.receiver == "this":
        return frame.values(BOUND, value.a, box, False)
    return value


def methods(frame: Frame, value: Value, name: str, cost: int, record: Record) -> Set:
    """The special methods of that name, bound: what an implicit call runs."""
    plan = frame.members.plan(value, name)
    found = frame.expand(plan.static, cost)
    if plan.wrapped:
        reading = Reading(frame, frame.at, record.line, record.column, name)
        for wrapped in plan.wrapped:
            reading.unwrap(wrapped, cost, found)
        reading.close()
    return {each: price for each, price in found.items() if each.kind in (FUNC, BOUND)}


def eval_attr(frame: Frame, term: list[int]) -> Set:
    base = frame.vals[term[1]]
    if not base:
        return EMPTY
    out: Set = {}
    frame.named = []
    reading = Reading(frame, frame.at, term[5], term[6], frame.strings[term[2]])
    for value, cost in base.items():
        reading.get(value, cost, out)
    reading.close()
    if frame.named:
        frame.names[frame.symbol, frame.at] = frame.named
    return out


def do_store(frame: Frame, effect: list[int]) -> None:
    values = frame.vals[effect[3]]
    name = frame.strings[effect[2]]
    reading = Reading(frame, effect[1], effect[4], effect[5], name)
    for base, cost in frame.vals[effect[1]].items():
        if not reading.set(base, cost, values) and values:
            frame.store(base, name, values, cost)
    reading.close()
