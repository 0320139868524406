"""Library models: what known library functions do with what they are given.

A model is a tuple of steps, run in order at each call of the library function:

    ("call", function, (argument, ...))   calls `function` with these positional arguments; its result is ("result", n)
    ("put", container, value)             adds an element
    ("invoke", function, this, n)         calls it with that receiver and the arguments from n on
    ("apply", function, this, list)       calls it with that receiver and the elements of the list
    ("merge", object, objects)            copies the members of the objects into the object
    ("return", expression)                what the call hands back; several are alternatives

Expressions: ("arg", i), ("kw", name, i) the keyword or else position i, ("rest", i) what is given from i on, ("recv",)
the receiver of a method, ("elem", e) an element, ("value", e) a value of a mapping, ("key", e) a key, ("item", e, i),
("result", n) of the n-th call step, ("list", e) a new container of that element, ("pair", e, f), ("dict", k, v),
("awaited", e), ("promise", e), ("instance", dotted), ("partial", e), ("bound", e) a function with its first argument
given, ("construct", e) an instance of the class, ("same", e), ("set", e), ("inherit", e) an object with that prototype,
("resolver", n) a function that fulfils the promise ("resolved", n), ("nothing",).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from codegps.resolve.values import (
    BOUND,
    BOX,
    CLASS,
    EMPTY,
    FIELD,
    FUNC,
    GENERIC,
    INST,
    LIBBOUND,
    LIT,
    PARAMETER,
    PARTIAL,
    RETURN,
    Set,
    add,
    carried,
    stepped,
)

if TYPE_CHECKING:
    from codegps.resolve.calls import Arguments, Calls, Record

Expression = tuple[Any, ...]
Steps = tuple[Expression, ...]


class ModelRun:
    """One run of a model at one call."""

    def __init__(self, calls: Calls, receiver: Set, args: Arguments, record: Record, cost: int) -> None:
        self.calls = calls
        self.frame = calls.frame
        self.values = calls.values
        self.receiver = receiver
        self.args = args
        self.record = record
        self.cost = cost
        self.results: list[Set] = []

    def run(self, steps: tuple[Expression, ...]) -> Set:
        out: Set = {}
        for step in steps:
            word = step[0]
            if word == "call":
                self._call(step)
            elif word == "return":
                for value, cost in self.eval(step[1]).items():
                    add(out, value, cost)
            elif word in ("invoke", "apply"):
                self._invoke(step)
            elif word == "merge":
                self._merge(step)
            elif word == "put":
                value = self.eval(step[2])
                for container in self.eval(step[1]):
                    self.frame.put(container, None, value)
        return out

    def _call(self, step: Expression) -> None:
        functions: Set = {}
        for value, cost in self.eval(step[1]).items():
            further = stepped(cost, self.cost, PARAMETER)
            if further >= 0:
                add(functions, value, further)
        given = cast(Steps, step[2])
        while given and not self._present(given[-1]):
            given = given[:-1]
        args = self.calls.positional([self.eval(each) for each in given])
        self.results.append(self.calls.call(functions, args, self.record, quiet=True))

    def _present(self, expression: Expression) -> bool:
        """Whether the call was given what the expression speaks of."""
        if expression[0] == "arg":
            return expression[1] < len(self.args.positionals)
        return all(self._present(cast(Expression, part)) for part in expression[1:] if isinstance(part, tuple))

    def _invoke(self, step: Expression) -> None:
        args = self.calls.positional([])
        if step[0] == "apply":
            args.stars = [(0, self.eval(step[3]))]
        else:
            args.positionals = self.args.positionals[step[3] :]
            args.stars = self.args.stars
            args.keywords = self.args.keywords
        receivers = self.eval(step[2])
        functions: Set = {}
        for value, cost in self.eval(step[1]).items():
            further = stepped(cost, self.cost, PARAMETER)
            if further < 0:
                continue
            add(functions, value, further)
            if value.kind in (FUNC, BOUND):
                self.calls.receive(value.a, receivers, further)
        self.results.append(self.calls.call(functions, args, self.record, quiet=True))

    def _merge(self, step: Expression) -> None:
        sources = self.eval(step[2])
        for target in self.eval(step[1]):
            for source, cost in sources.items():
                if source.kind == BOX:
                    for key, value, price in self.frame.box_items(source, cost, FIELD):
                        if key is None:
                            self.frame.put(target, None, {value: price})
                        else:
                            self.frame.store(target, key, {value: price}, 0)

    def eval(self, expression: Expression) -> Set:
        return EXPRESSIONS[expression[0]](self, expression)

    # -- expressions

    def on_arg(self, e: Expression) -> Set:
        return self.args.at(e[1])

    def on_kw(self, e: Expression) -> Set:
        if e[1] in self.args.keywords:
            return self.args.keywords[e[1]]
        return self.args.at(e[2]) if len(e) > 2 else EMPTY

    def on_rest(self, e: Expression) -> Set:
        out: Set = {}
        for values in self.args.rest(e[1]):
            for value, cost in values.items():
                add(out, value, cost)
        return out

    def on_recv(self, e: Expression) -> Set:
        return self.receiver

    def on_elem(self, e: Expression) -> Set:
        return self.frame.elements(self.eval(e[1]), self.record)

    def on_value(self, e: Expression) -> Set:
        return self.frame.contents(self.eval(e[1]), mapping=True)

    def on_key(self, e: Expression) -> Set:
        out: Set = {}
        for value, cost in self.eval(e[1]).items():
            if value.kind == GENERIC and value.a == "dict" and value.b:
                for each in value.b[0]:
                    add(out, each, cost)
        return out

    def on_item(self, e: Expression) -> Set:
        key = e[2]
        if isinstance(key, tuple):
            texts = [str(value.b) for value in self.eval(key) if value.kind == LIT]
            if len(texts) != 1:
                return self.frame.contents(self.eval(e[1]), mapping=True)
            key = texts[0]
        return self.frame.item(self.eval(e[1]), str(key))

    def on_result(self, e: Expression) -> Set:
        return self.results[int(e[1])]

    def on_list(self, e: Expression) -> Set:
        return self.calls.fresh(self.record, "list", [(None, self.eval(e[1]))])

    def on_dict(self, e: Expression) -> Set:
        return self.calls.fresh(self.record, "dict", [(None, self.eval(e[2]))])

    def on_pair(self, e: Expression) -> Set:
        parts: list[tuple[str | None, Set]] = [(str(at), self.eval(each)) for at, each in enumerate(e[1:])]
        return self.calls.fresh(self.record, "tuple", parts, key="|".join(map(repr, e)))

    def on_instance(self, e: Expression) -> Set:
        return {self.values(GENERIC, e[1], ()): 0}

    def on_partial(self, e: Expression) -> Set:
        out: Set = {}
        given = max(len(self.args.positionals) - 1, 0)
        for value, cost in self.eval(e[1]).items():
            further = stepped(cost, self.cost, RETURN)
            if further >= 0:
                self.calls.give(value, self.args.without_first(), further)
                add(out, self.values(PARTIAL, value, given), further)
        return out

    def on_bound(self, e: Expression) -> Set:
        out: Set = {}
        given = max(len(self.args.positionals) - 1, 0)
        for value, cost in self.eval(e[1]).items():
            further = stepped(cost, self.cost, RETURN)
            if further >= 0:
                self.calls.give(value, self.args.without_first(), further)
                target = value
                for receiver in self.args.at(0):
                    if value.kind in (BOUND, FUNC):
                        self.calls.receive(value.a, {receiver: 0}, further)
                add(out, self.values(PARTIAL, target, given) if given else target, further)
        return out

    def on_awaited(self, e: Expression) -> Set:
        return self.frame.awaited(self.eval(e[1]))

    def on_promise(self, e: Expression) -> Set:
        return self.calls.fresh(self.record, "promise", [(None, self.eval(e[1]))])

    def on_construct(self, e: Expression) -> Set:
        out: Set = {}
        for value, cost in self.eval(e[1]).items():
            if value.kind == CLASS:
                add(out, self.values(INST, value.a, value.b, False), cost)
        return out

    def on_set(self, e: Expression) -> Set:
        return self.calls.fresh(self.record, "set", [(None, self.eval(e[1]))])

    def on_resolved(self, e: Expression) -> Set:
        return self.calls.fresh(self.record, "promise", [])

    def on_resolver(self, e: Expression) -> Set:
        return {self.values(LIBBOUND, "promise.resolver", box): cost for box, cost in self.on_resolved(e).items()}

    def on_nothing(self, e: Expression) -> Set:
        return EMPTY

    def on_carry(self, e: Expression) -> Set:
        """The values one `return` hop further."""
        out: Set = {}
        for value, cost in self.eval(e[1]).items():
            further = carried(cost, self.cost)
            if further >= 0:
                add(out, value, further)
        return out


EXPRESSIONS: dict[str, Callable[[ModelRun, Expression], Set]] = {
    "arg": ModelRun.on_arg,
    "kw": ModelRun.on_kw,
    "rest": ModelRun.on_rest,
    "recv": ModelRun.on_recv,
    "elem": ModelRun.on_elem,
    "value": ModelRun.on_value,
    "key": ModelRun.on_key,
    "item": ModelRun.on_item,
    "result": ModelRun.on_result,
    "list": ModelRun.on_list,
    "iter": ModelRun.on_list,
    "dict": ModelRun.on_dict,
    "pair": ModelRun.on_pair,
    "instance": ModelRun.on_instance,
    "partial": ModelRun.on_partial,
    "bound": ModelRun.on_bound,
    "awaited": ModelRun.on_awaited,
    "promise": ModelRun.on_promise,
    "construct": ModelRun.on_construct,
    "set": ModelRun.on_set,
    "resolved": ModelRun.on_resolved,
    "resolver": ModelRun.on_resolver,
    "inherit": ModelRun.on_carry,
    "nothing": ModelRun.on_nothing,
    "same": ModelRun.on_carry,
}
