"""A function or object literal and the type that is declared where it stands in; what that says of parameters out.

`items.map((each) => each.area())`: nobody writes what `each` is, its place says it. Such a parameter is declared, so it
takes no hop. That stays free of circles because it only goes inward: inside one group it is told to the frame itself,
which begins from nothing at each evaluation; a group only tells functions that are written in its own code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from codegps.model.facts import ParamKind
from codegps.model.kinds import Flag, Kind
from codegps.resolve.program import Result
from codegps.resolve.values import BOX, FUNC, GENERIC, INST, STRUCT, Set, Value

if TYPE_CHECKING:
    from codegps.resolve.frame import Frame

DEEPEST: Final = 3
TELLING: Final = frozenset({INST, GENERIC, STRUCT})
"""Kinds that say what a parameter is."""


def candidate(frame: Frame, values: Set) -> bool:
    """Whether something here could learn from its place."""
    return any(not cost and (is_literal(frame, value) or value.kind == BOX) for value, cost in values.items())


def is_literal(frame: Frame, value: Value) -> bool:
    """A function that is written right here and passed on: unnamed, or named by its key in an object literal."""
    if value.kind != FUNC:
        return False
    file = frame.file
    local = file.locals.get(value.a)
    if local is None or file.keys[local] != value.a:
        return False
    fact = file.head.symbols[local]
    if fact.kind != Kind.Function or not fact.params:
        return False
    return bool(fact.flags & Flag.ANONYMOUS) or "." in fact.qualified_name


def expect(frame: Frame, values: Set, declared: Result, link: int = 0, depth: int = 0) -> None:
    """Tells the function and object literals among these what is expected of them."""
    for value, cost in values.items():
        if cost:
            continue
        if is_literal(frame, value):
            for each in declared:
                for index, group in enumerate(parameters(frame, each)):
                    tell(frame, value, index, group, link)
        elif value.kind == BOX and depth < DEEPEST:
            _expect_members(frame, value, declared, link, depth)


def _expect_members(frame: Frame, box: Value, declared: Result, link: int, depth: int) -> None:
    contents = frame.boxes.get(box)
    if not contents:
        return
    for keyed, cost in list(contents.items()):
        if cost or not isinstance(keyed.a, str) or not (is_literal(frame, keyed.b) or keyed.b.kind == BOX):
            continue
        inner: Set = {keyed.b: 0}
        for each in declared:
            if box.c == "object":
                expect(frame, inner, frame.types.member(each, keyed.a), link, depth + 1)
                for index, group in enumerate(member_parameters(frame, each, keyed.a)):
                    if keyed.b.kind == FUNC:
                        tell(frame, keyed.b, index, group, link)
            if each.kind == GENERIC and each.b and each.a == ("dict" if box.c == "object" else "list"):
                expect(frame, inner, each.b[-1], link, depth + 1)


def parameters(frame: Frame, declared: Value) -> tuple[Result, ...]:
    """What a type that can be called takes."""
    if declared.kind == GENERIC and declared.a == "callable":
        return declared.b[1:]
    if declared.kind == INST:
        name = frame.semantics.call_signature
        return member_parameters(frame, declared, name) if name else ()
    return ()


def member_parameters(frame: Frame, declared: Value, name: str) -> tuple[Result, ...]:
    """What a declared method takes."""
    if declared.kind != INST:
        return ()
    lookup = frame.hierarchy.lookup(declared.a, name)
    for value in lookup.values:
        if value.kind == FUNC and frame.program.fact(value.a).flags & Flag.DECLARATION:
            names = frame.types.bindings(declared, lookup.owner)
            count = len(frame.program.fact(value.a).params)
            found = [frame.types.substitute(frame.types.parameter(value.a, at), names, declared) for at in range(count)]
            return tuple(found)
    return ()


def tell(frame: Frame, function: Value, index: int, group: Result, link: int) -> None:
    """Notes what a parameter is."""
    file = frame.file
    fact = file.head.symbols[file.locals[function.a]]
    if index >= len(fact.params) or fact.params[index].type >= 0 or fact.params[index].kind != ParamKind.NORMAL:
        return
    known = tuple(value for value in group if value.kind in TELLING)
    if not known:
        return
    if link or frame.solver.root_of(function.a) != frame.root:
        for value in known:
            frame.write(("p", function.a, index), value, link)
        return
    slot = (file.locals[function.a], index)
    told = frame.told.setdefault(slot, {})
    for value in known:
        if value not in told:
            told[value] = 0
            if slot in frame.parameters:
                del frame.parameters[slot]
                frame.grew = True
