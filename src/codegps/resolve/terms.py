"""Terms in, value sets out: one function an operation, called in order by `Frame`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codegps.model.facts import Arg, CallFlag, Op
from codegps.model.kinds import EdgeKind, Kind
from codegps.resolve.attributes import eval_attr, methods
from codegps.resolve.context import candidate, expect
from codegps.resolve.items import combine, eval_dict, eval_elem, eval_item, eval_list, eval_slice, eval_unpack
from codegps.resolve.program import CLASSES, Result
from codegps.resolve.questions import Key
from codegps.resolve.records import Arguments, Record
from codegps.resolve.values import (
    BOUND,
    BOX,
    CLASS,
    CORO,
    ELEMENT,
    EMPTY,
    FUNC,
    GEN,
    GENERIC,
    INST,
    LIB,
    LIBBOUND,
    LIT,
    OPAQUE,
    RETURN,
    SELFTYPE,
    SUPERV,
    TYPEVAR,
    Set,
    Value,
    add,
    stepped,
)

if TYPE_CHECKING:
    from codegps.resolve.frame import Frame


NO_ARGUMENTS = Arguments()


def eval_none(frame: Frame, term: list[int]) -> Set:
    return EMPTY


def eval_const(frame: Frame, term: list[int]) -> Set:
    kind = frame.semantics.literal_types.get(frame.strings[term[1]])
    if kind is None:
        return EMPTY
    if term[2] < 0:
        return {frame.values(GENERIC, kind, ()): 0}
    return {frame.values(LIT, kind, frame.strings[term[2]]): 0}


def eval_def(frame: Frame, term: list[int]) -> Set:
    symbol = frame.file.keys[term[1]]
    fact = frame.file.head.symbols[term[1]]
    if fact.kind in CLASSES and fact.parent == frame.symbol:
        frame.calls.create(term[1])
    if fact.decorators and not frame.program.transparent(symbol, fact):
        frame.named = []
        out = frame.expand(frame.program.definition(symbol), 0)
        frame.names[frame.symbol, frame.at] = frame.named
        return out
    return {frame.values(CLASS, symbol, ()) if fact.kind in CLASSES else frame.values(FUNC, symbol): 0}


def eval_param(frame: Frame, term: list[int]) -> Set:
    return frame.parameter(term[1], term[2])


def eval_local(frame: Frame, term: list[int]) -> Set:
    if frame.file.head.symbols[term[1]].kind == Kind.Namespace:
        # Its members are seen from everywhere, as those of a module.
        return frame.expand(frame.program.member(frame.file, term[1], frame.strings[term[2]]) or (), 0)
    slot = (term[1], term[2])
    frame.looked.add(slot)
    return frame.slots.get(slot, EMPTY)


def eval_name(frame: Frame, term: list[int]) -> Set:
    frame.named = []
    out = frame.expand(frame.program.name(frame.file, frame.strings[term[1]]), 0)
    if frame.named:
        frame.names[frame.symbol, frame.at] = frame.named
    return out


def eval_import(frame: Frame, term: list[int]) -> Set:
    frame.named = []
    fact = frame.file.head.imports[term[1]]
    out = frame.expand(frame.program.imported(frame.file, fact), 0)
    if fact.kind == 5:
        return frame.calls.fresh(
            frame.record(EdgeKind.CALLS, frame.at, fact.line, fact.column), "promise", [(None, out)]
        )
    if frame.named:
        frame.names[frame.symbol, frame.at] = frame.named
    return out


OUTSIDE = frozenset({LIB, OPAQUE, GENERIC})
"""Kinds of callees that leave the project."""


def eval_call(frame: Frame, term: list[int]) -> Set:
    args = Arguments()
    vals = frame.vals
    for at in range(6, len(term), 3):
        kind = term[at]
        values = vals[term[at + 2]]
        if kind == Arg.POSITIONAL:
            args.positionals.append(values)
            args.terms.append(term[at + 2])
        elif kind == Arg.KEYWORD:
            args.keywords[frame.strings[term[at + 1]]] = values
            args.named_terms[frame.strings[term[at + 1]]] = term[at + 2]
        elif kind == Arg.STAR:
            args.stars.append((len(args.positionals), values))
        elif kind == Arg.TYPE:
            args.types.append(declared_type(frame, term[at + 2]))
        else:
            args.doubles.append(values)
    callee = frame.unit.terms[term[1]]
    name = callee_name(frame, callee)
    record = frame.record(EdgeKind.CALLS, frame.at, term[2], term[3], term[4], name)
    flags = term[5]
    values = vals[term[1]]
    if flags & CallFlag.DECORATOR:
        return decorate(frame, values, args, record, term)
    if flags & CallFlag.NEW:
        out = construct_new(frame, values, args, record)
    elif callee[0] == Op.SUPER:
        out = super_call(frame, values, args, record)
    else:
        out = frame.calls.call(values, args, record)
    if len(values) > 1:
        arms = {value.kind in OUTSIDE for value, cost in values.items() if not cost}
        record.mixed = len(arms) > 1
    if not values and callee[0] == Op.ITEM:
        unasked_callee(frame, callee, record)
    decorated_callee(frame, record, frame.names.get((frame.symbol, term[1])))
    frame.records.append(record)
    return out


def callee_name(frame: Frame, callee: list[int]) -> str:
    op = callee[0]
    if op == Op.ATTR:
        return frame.strings[callee[2]]
    if op == Op.NAME:
        return frame.strings[callee[1]]
    if op == Op.LOCAL:
        return frame.strings[callee[2]]
    if op == Op.DEF:
        return frame.file.head.symbols[callee[1]].name
    if op == Op.IMPORT:
        fact = frame.file.head.imports[callee[1]]
        return fact.name or fact.spec
    if op == Op.PARAM:
        params = frame.file.head.symbols[callee[1]].params
        return params[callee[2]].name if callee[2] < len(params) else ""
    return ""


def unasked_callee(frame: Frame, callee: list[int], record: Record) -> None:
    """`table[key](...)` of a parameter that nobody is seen to pass: any element; nothing flows from this."""
    key = frame.unit.terms[callee[2]] if callee[2] >= 0 else []
    if key and key[0] == Op.PARAM and not frame.asked(callee[2]):
        for value, cost in frame.item(frame.vals[callee[1]], None).items():
            if value.kind in (FUNC, BOUND, CLASS):
                record.hit(value.a, cost)


def decorated_callee(frame: Frame, record: Record, names: list[int] | None) -> None:
    """Calling a decorated name also names the definition; where nothing is known of what the decorator
    hands back, it is taken to be the definition."""
    for symbol in names or ():
        if any(target == symbol or class_ == symbol for target, class_ in record.targets):
            continue
        if not record.targets:
            record.hit(symbol, 1 << 3 | RETURN)
        else:
            refer = Record(EdgeKind.REFERENCES, record.source, record.owner, record.line, record.column)
            refer.hit(symbol, 0)
            frame.records.append(refer)


def decorate(frame: Frame, values: Set, args: Arguments, record: Record, term: list[int]) -> Set:
    """A decorator's call. What only a library knows is taken to hand back what it was given."""
    if frame.unit.terms[term[8]][0] == Op.DEF:
        args.positionals[0] = {frame.undecorated(frame.unit.terms[term[8]][1]): 0}
    semantics = frame.semantics
    known = {v: c for v, c in values.items() if v.kind != LIB or v.a not in semantics.transparent_decorators}
    out = dict(frame.calls.call(known, args, record, quiet=True))
    frame.keep(record)
    for value in values:
        if value.kind == LIB and value.a in semantics.transparent_decorators:
            for each, cost in args.at(0).items():
                add(out, each, cost)
        elif value.kind in (OPAQUE, GENERIC) or (value.kind in (LIB, LIBBOUND) and value.a not in semantics.models):
            for each, cost in args.at(0).items():
                further = stepped(cost, 0, RETURN)
                if further >= 0:
                    add(out, each, further)
    return out


def construct_new(frame: Frame, values: Set, args: Arguments, record: Record) -> Set:
    out: Set = {}
    for value, cost in values.items():
        if value.kind in (FUNC, BOUND) and frame.semantics.functions_construct:
            fact = frame.program.fact(value.a)
            record.hit(value.a, cost)
            frame.calls.pass_arguments(value.a, fact, 0, args, cost)
            add(out, frame.values(INST, value.a, (), True), cost)
        elif value.kind == INST and frame.semantics.construct_signature:
            for each, price in methods(frame, value, frame.semantics.construct_signature, cost, record).items():
                for one, total in frame.calls.apply(each, price, args, record, 0, False).items():
                    add(out, one, total)
        else:
            for each, price in frame.calls.apply(value, cost, args, record, 0, False).items():
                add(out, each, price)
    return out


def super_call(frame: Frame, values: Set, args: Arguments, record: Record) -> Set:
    """JavaScript's `super(...)`: the parent's constructor."""
    for value, cost in values.items():
        if value.kind != SUPERV:
            continue
        for name in frame.semantics.constructors:
            plan = frame.members.plan(value, name)
            for each in plan.static:
                if each.kind in (FUNC, BOUND):
                    record.hit(
                        each.a, cost, False, frame.program.file_of(each.a).keys[frame.program.peek(each.a).parent]
                    )
                    frame.calls.pass_arguments(each.a, frame.program.fact(each.a), 0, args, cost)
                elif each.kind == LIB:
                    record.externals.append(each.a)
        if not record.targets:
            super_class(frame, value, cost, record)
    return EMPTY


def super_class(frame: Frame, value: Value, cost: int, record: Record) -> None:
    order = frame.hierarchy.order(value.a)
    for each in order[1:2]:
        if each.kind == CLASS:
            record.hit(each.a, cost)
        elif each.kind == LIB:
            record.externals.append(each.a)


def eval_union(frame: Frame, term: list[int]) -> Set:
    at = frame.at
    out: Set = {}
    for each in term[1:]:
        values = frame.vals[each]
        if each >= at:
            values = (frame.before[each] if frame.before else None) or EMPTY
            frame.forward.append((each, len(values)))
        if values:
            for value, cost in values.items():
                add(out, value, cost)
    return out


def eval_await(frame: Frame, term: list[int]) -> Set:
    frame.place = (term[2], term[3])
    return frame.awaited(frame.vals[term[1]])


def eval_yield_from(frame: Frame, term: list[int]) -> Set:
    base = frame.vals[term[1]]
    record = frame.record(EdgeKind.CALLS, frame.at, term[2], term[3])
    key: Key = ("y", frame.file.keys[frame.symbol])
    for value, cost in frame.elements(base, record).items():
        frame.write(key, value, cost)
    frame.keep(record)
    out: Set = {}
    for value, cost in base.items():
        if value.kind == GEN:
            frame.read_step(("r", value.a), cost, RETURN, out)
    return out


IN_PLACE = {
    f"__i{name}__": f"__{name}__"
    for name in (
        "add",
        "sub",
        "mul",
        "matmul",
        "truediv",
        "floordiv",
        "mod",
        "pow",
        "lshift",
        "rshift",
        "and",
        "or",
        "xor",
    )
}
"""Augmented assignment: the method to fall back to."""


def eval_yield(frame: Frame, term: list[int]) -> Set:
    out: Set = {}
    frame.read_into(("s", frame.file.keys[frame.symbol]), 0, out)
    return out


def eval_oper(frame: Frame, term: list[int]) -> Set:
    left = frame.vals[term[2]]
    right = frame.vals[term[3]] if term[3] >= 0 else EMPTY
    if not left and not right:
        return EMPTY
    name = frame.strings[term[1]]
    record = frame.record(EdgeKind.CALLS, frame.at, term[4], term[5])
    given = frame.calls.positional([right] if term[3] >= 0 else [])
    out: Set = {}
    for value, cost in left.items():
        one = {value: cost}
        found = frame.calls.implicit(one, name, given, record)
        if found is None and name in IN_PLACE:
            found = frame.calls.implicit(one, IN_PLACE[name], given, record)
        if found is None and name in frame.semantics.reflected:
            found = frame.calls.implicit(right, frame.semantics.reflected[name], frame.calls.positional([one]), record)
        for each, price in (found or EMPTY).items():
            add(out, each, price)
    frame.keep(record)
    if name in ("__add__", "__or__", "__mul__", "__mod__", "__iadd__", "__ior__"):
        combine(frame, name, left, right, out)
    return out


def eval_super(frame: Frame, term: list[int]) -> Set:
    class_ = term[1]
    if class_ < 0:
        return EMPTY
    symbol = frame.file.keys[class_]
    out: Set = {}
    receivers = frame.vals[term[2]] if term[2] >= 0 else frame.this(frame.symbol)
    for value, cost in receivers.items():
        if value.kind in (INST, CLASS):
            add(out, frame.values(SUPERV, symbol, value), cost)
    if not out:
        out[frame.values(SUPERV, symbol, frame.values(INST, symbol, (), False))] = 0
    return out


def declared_type(frame: Frame, at: int) -> Result:
    """A unit's term in a type position."""
    view = frame.view
    if view is None:
        view = frame.view = frame.file.view(frame.unit.terms, frame.vals)
    op = frame.unit.terms[at][0]
    if op in (Op.LOCAL, Op.PARAM):
        found: list[Value] = []
        for value, cost in frame.vals[at].items():
            if value.kind == CLASS and not cost:
                found.append(frame.values(INST, value.a, value.b, False))
        return tuple(found)
    return frame.types.inline(view, at)


def eval_typed(frame: Frame, term: list[int]) -> Set:
    declared = declared_type(frame, term[1])
    values = frame.vals[term[2]] if term[2] >= 0 else EMPTY
    declared = frame.types.least(declared)
    if not declared:
        return values
    classes = {value.a for value in declared if value.kind == INST}
    if all(value.kind in (TYPEVAR, SELFTYPE) for value in declared):
        return values
    kept: Set = {}
    for value, cost in values.items():
        if value.kind == INST:
            if value.c and not cost and within(frame, value.a, classes):
                kept[value] = cost
        elif value.kind in (FUNC, BOUND, BOX, CLASS) and not classes:
            kept[value] = cost
    if term[2] >= 0 and frame.unit.terms[term[2]][0] == Op.CALL:
        expect_call(frame, frame.unit.terms[term[2]], declared)
    if kept and classes:
        return kept
    for value, cost in values.items():
        if value.kind == BOX and value.c == "object" and any(map(frame.solver.loose, declared)):
            kept[value] = cost  # What is written there implements the interface.
    for value in declared:
        if value.kind not in (TYPEVAR, SELFTYPE):
            add(kept, value, 0)
    if values and candidate(frame, values):
        expect(frame, values, declared)
    return kept


def expect_call(frame: Frame, call: list[int], wanted: Result) -> None:
    """A call whose result has a declared type: that says what a generic function's own parameters are."""
    args = Arguments()
    for at in range(6, len(call), 3):
        if call[at] == Arg.POSITIONAL:
            args.positionals.append(frame.vals[call[at + 2]])
    if not any(candidate(frame, values) for values in args.positionals):
        return
    for value, cost in frame.vals[call[1]].items():
        if value.kind in (FUNC, BOUND) and not cost:
            fact = frame.program.fact(value.a)
            if fact.type_params:
                receiver = value.b if value.kind == BOUND else None
                frame.calls.expect_arguments(value.a, fact, receiver, 0, args, 0, wanted)


def within(frame: Frame, symbol: int, classes: set[int]) -> bool:
    return symbol in classes or any(each.kind == CLASS and each.a in classes for each in frame.hierarchy.order(symbol))


def eval_narrow(frame: Frame, term: list[int]) -> Set:
    values = frame.vals[term[1]]
    declared = declared_type(frame, term[2])
    classes = {value.a for value in declared if value.kind == INST}
    if not term[3]:
        if not classes:
            return values
        return {v: c for v, c in values.items() if v.kind != INST or not within(frame, v.a, classes)}
    if not declared:
        return values
    kept = {v: c for v, c in values.items() if v.kind == INST and within(frame, v.a, classes)}
    if 0 not in kept.values():
        # Only what is here without a hop may narrow the type: what travels may still come.
        kept.update(dict.fromkeys(declared, 0))
    return kept


def eval_this(frame: Frame, term: list[int]) -> Set:
    return frame.this(term[1])


def eval_enter(frame: Frame, term: list[int]) -> Set:
    base = frame.vals[term[1]]
    if not base:
        return EMPTY
    names = frame.semantics.enter_async if term[4] else frame.semantics.enter
    record = frame.record(EdgeKind.CALLS, frame.at, term[2], term[3])
    leaving = frame.record(EdgeKind.CALLS, frame.at, term[2], term[3])
    out: Set = {}
    for value, cost in base.items():
        if value.kind == INST and names:
            found = frame.calls.implicit({value: cost}, names[0], NO_ARGUMENTS, record)
            args = frame.calls.positional([EMPTY, EMPTY, EMPTY])
            frame.calls.implicit({value: cost}, names[1], args, leaving)
            if found and term[4]:
                frame.place = (term[2], term[3])
                found = frame.awaited(found)
            for each, price in (found or EMPTY).items():
                add(out, each, price)
        elif value.kind in (GEN, CORO):
            frame.read_step(("y", value.a), cost, ELEMENT, out)
        else:
            add(out, value, cost)
    frame.keep(record)
    frame.keep(leaving)
    return out


def eval_spread(frame: Frame, term: list[int]) -> Set:
    return frame.vals[term[1]]


def eval_instance(frame: Frame, term: list[int]) -> Set:
    return dict.fromkeys(declared_type(frame, term[1]), 0)


def eval_builtin(frame: Frame, term: list[int]) -> Set:
    return {frame.values(LIB, frame.strings[term[1]]): 0}


HANDLERS: list[Callable[[Frame, list[int]], Set]] = [eval_none] * 64
"""By operation."""
HANDLERS[Op.CONST] = eval_const
HANDLERS[Op.DEF] = eval_def
HANDLERS[Op.PARAM] = eval_param
HANDLERS[Op.LOCAL] = eval_local
HANDLERS[Op.NAME] = eval_name
HANDLERS[Op.IMPORT] = eval_import
HANDLERS[Op.ATTR] = eval_attr
HANDLERS[Op.ITEM] = eval_item
HANDLERS[Op.SLICE] = eval_slice
HANDLERS[Op.ELEM] = eval_elem
HANDLERS[Op.UNPACK] = eval_unpack
HANDLERS[Op.CALL] = eval_call
HANDLERS[Op.LIST] = eval_list
HANDLERS[Op.DICT] = eval_dict
HANDLERS[Op.UNION] = eval_union
HANDLERS[Op.AWAIT] = eval_await
HANDLERS[Op.YIELD] = eval_yield
HANDLERS[Op.YIELD_FROM] = eval_yield_from
HANDLERS[Op.OPER] = eval_oper
HANDLERS[Op.SUPER] = eval_super
HANDLERS[Op.TYPED] = eval_typed
HANDLERS[Op.NARROW] = eval_narrow
HANDLERS[Op.THIS] = eval_this
HANDLERS[Op.ENTER] = eval_enter
HANDLERS[Op.SPREAD] = eval_spread
HANDLERS[Op.INSTANCE] = eval_instance
HANDLERS[Op.BUILTIN] = eval_builtin
