"""Library models: what known library functions do with what they are given.

A model is a tuple of steps, run in order at each call of the library function:

    ("call", function, (argument, ...))   calls `function` with these positional arguments; its result is ("result", n);
                                          with a fourth part that is its receiver
    ("put", container, value)             adds an element
    ("set", container, key, value)        adds it under a key
    ("invoke", function, this, n)         calls it with that receiver and the arguments from n on
    ("apply", function, this, list)       calls it with that receiver and the elements of the list
    ("method", value, (names))            calls the first of these special methods that the value's class has
    ("send", generator, value)            hands it to the generator's `yield`
    ("fill", container)                   puts a mapping, pairs or keywords of the call into it
    ("listen", object, name, function)    keeps a function under the name of an event
    ("fire", object, name, n)             calls what was kept under that name with the arguments from n on
    ("merge", object, objects)            copies the members of the objects into the object
    ("return", expression)                what the call hands back; several are alternatives

Expressions: ("arg", i), ("kw", name, i) the keyword or else position i, ("rest", i) what is given from i on,
("recv",) the receiver of a method, ("elem", e) an element, ("inside", e) the same of an iterator, ("value", e) a
value of a mapping, ("key", e) a key, ("item", e, i), ("result", n) of the n-th call step, ("list", e) a new container
of that element, ("pair", e, f), ("dict", k, v), ("awaited", e), ("promise", e), ("instance", dotted), ("partial", e),
("bound", e) a function with its first argument given, ("emitter",) an object that keeps listeners, ("construct", e)
an instance of the class, ("same", e), ("set", e), ("inherit", e) an object with that prototype, ("class", e) the
class of an instance, ("made", dotted, e) a library's callable with that receiver, ("attribute", e, name) of a literal
name, ("wrapped", word, (e, ...)) a property, class or static method, ("mapping",) a dict of what the call is given,
("record",) an object with the fields that the receiver names, ("resolver", n) a function that fulfils the promise
("resolved", n), ("nothing",).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from codegps.resolve.attributes import Reading
from codegps.resolve.containers import Keys, later
from codegps.resolve.context import is_literal, tell
from codegps.resolve.values import (
    BOUND,
    BOX,
    CLASS,
    EMPTY,
    FIELD,
    FUNC,
    GEN,
    GENERIC,
    INST,
    LIBBOUND,
    LIT,
    PARAMETER,
    PARTIAL,
    RETURN,
    WRAPPED,
    Set,
    Value,
    add,
    carried,
    stepped,
)

if TYPE_CHECKING:
    from codegps.resolve.calls import Arguments, Calls, Record

Expression = tuple[Any, ...]
Steps = tuple[Expression, ...]


EVENT = "on "
"""Begins the names of the fields that hold listeners of events."""


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
            elif word == "method":
                self._method(step)
            elif word == "send":
                self._send(step)
            elif word == "fill":
                for container in self.eval(step[1]):
                    if container.kind == BOX:
                        self.fill(container)
            elif word == "listen":
                self._listen(step)
            elif word == "fire":
                self._fire(step)
            elif word == "set":
                keys = self.eval(step[2])
                values = self.eval(step[3])
                for container in self.eval(step[1]):
                    self.frame.put(container, self._event(step[2]), values)
                    self.frame.put_keys(container, keys)
            elif word == "put":
                value = self.eval(step[2])
                for container in self.eval(step[1]):
                    self.frame.put(container, None, value)
        return out

    def _call(self, step: Expression) -> None:
        functions = self.eval(step[1])
        given = cast(Steps, step[2])
        while given and not self._present(given[-1]):
            given = given[:-1]
        args = self.calls.positional([self.eval(each) for each in given])
        if len(step) > 3:
            for function in functions:
                if function.kind in (FUNC, BOUND):
                    self.calls.receive(function.a, self.eval(step[3]), 0)
        out: Set = {}
        for function, cost in functions.items():
            for value, price in self._lent(function, cost, args).items():
                add(out, value, price)
        self.results.append(out)

    def _lent(self, function: Value, cost: int, args: Arguments) -> Set:
        """Calling a function that the library was given is a step; what it gets and hands back takes its own only."""
        further = stepped(cost, self.cost, PARAMETER)
        if further < 0:
            return EMPTY
        if function.kind not in (FUNC, BOUND) or not self.frame.semantics.lent:
            return self.calls.apply(function, further, args, self.record, 0, True)
        bound = function.kind == BOUND
        receiver, over = (function.b, bool(function.c)) if bound else (None, False)
        if not cost and is_literal(self.frame, function):
            for index, values in enumerate(args.positionals):
                tell(self.frame, function, index, tuple(value for value, price in values.items() if not price), 0)
        return self.calls.enter(function.a, receiver, cost, args, self.record, 0, over, further)

    def _method(self, step: Expression) -> None:
        """Calls the first of some special methods that a value's class has."""
        out: Set = {}
        for value, cost in self.eval(step[1]).items():
            if value.kind != INST:
                continue
            for name in self._names(step[2]):
                if self.calls.hierarchy.lookup(value.a, name).owner >= 0:
                    args = self.calls.positional(self.args.positionals[1:] if step[2] == "literal" else [])
                    found = self.calls.implicit({value: cost}, name, args, self.record)
                    for each, price in (found or EMPTY).items():
                        add(out, each, price)
                    break
        self.results.append(out)

    def _names(self, names: object) -> tuple[str, ...]:
        if names == "literal":
            return tuple(value.b for value in self.receiver if value.kind == LIT)
        return cast(tuple[str, ...], names)

    def _send(self, step: Expression) -> None:
        """What a generator is sent is what its `yield` evaluates to."""
        values = self.eval(step[2])
        for generator, link in self.eval(step[1]).items():
            if generator.kind == GEN:
                for value, cost in values.items():
                    further = stepped(cost, link, PARAMETER)
                    if further >= 0:
                        self.frame.write(("s", generator.a), value, further)

    def _present(self, expression: Expression) -> bool:
        """Whether the call was given what the expression speaks of."""
        if expression[0] == "arg":
            return expression[1] < len(self.args.positionals) or bool(self.args.stars and not expression[1])
        if expression[0] == "kw":
            return expression[1] in self.args.keywords or expression[-1] in range(len(self.args.positionals))
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
        out: Set = {}
        for function, cost in self.eval(step[1]).items():
            if function.kind in (FUNC, BOUND):
                self.calls.receive(function.a, receivers, cost)
            for value, price in self._lent(function, cost, args).items():
                add(out, value, price)
        self.results.append(out)

    def _listen(self, step: Expression) -> None:
        """Keeps a function under the name of an event."""
        values = self.eval(step[3])
        name = self._event(step[2])
        for container in self.eval(step[1]):
            if container.kind == BOX:
                self.frame.put(container, name, values)
            elif container.kind == INST:
                self.frame.store(container, f"{EVENT}{name or ''}", values, 0)

    def _fire(self, step: Expression) -> None:
        """Calls what was kept under the name of an event."""
        name = self._event(step[2])
        found: Set = {}
        for container, link in self.eval(step[1]).items():
            if container.kind == BOX:
                for key, value, cost in self.frame.box_items(container, link, FIELD):
                    if name is None or key is None or key == name:
                        add(found, value, cost)
            elif container.kind == INST:
                for each in dict.fromkeys((f"{EVENT}{name or ''}", EVENT)):
                    for key in self.calls.members.fields(container, each):
                        self.frame.read_step(key, link, FIELD, found)
        args = self.calls.positional(self.args.positionals[step[3] :])
        for function, cost in found.items():
            self.calls.apply(function, cost, args, self.record, 0, True)

    def _event(self, expression: Expression) -> str | None:
        found = self.eval(expression)
        texts = {None if cost else self.frame.key_text(value) for value, cost in found.items()}
        return texts.pop() if len(texts) == 1 else None

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
        if e[1] >= len(self.args.positionals) and self.args.stars:
            spread: Set = {}
            for _, values in self.args.stars:
                for value, cost in values.items():
                    add(spread, value, cost)
            return self.frame.contents(spread)
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

    def on_inside(self, e: Expression) -> Set:
        """An element, without asking an object for its iterator."""
        return self.frame.elements(self.eval(e[1]), None)

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
            found = self.eval(cast(Expression, key))
            texts = {None if cost else self.frame.key_text(value) for value, cost in found.items()}
            keys = frozenset(text for text in texts if text is not None)
            return self.frame.item(self.eval(e[1]), keys if keys and None not in texts else None)
        return self.frame.item(self.eval(e[1]), frozenset({str(key)}))

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
                add(out, self.values(PARTIAL, value, given, tuple(self.args.keywords)), further)
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

    def on_emitter(self, e: Expression) -> Set:
        return self.calls.fresh(self.record, "emitter", [])

    def on_set(self, e: Expression) -> Set:
        return self.calls.fresh(self.record, "set", [(None, self.eval(e[1]))])

    def on_resolved(self, e: Expression) -> Set:
        return self.calls.fresh(self.record, "promise", [])

    def on_resolver(self, e: Expression) -> Set:
        return {self.values(LIBBOUND, "promise.resolver", box): cost for box, cost in self.on_resolved(e).items()}

    def on_class(self, e: Expression) -> Set:
        out: Set = {}
        for value, cost in self.eval(e[1]).items():
            if value.kind == INST:
                add(out, self.values(CLASS, value.a, value.b, not value.c), cost)
        return out

    def on_made(self, e: Expression) -> Set:
        """A library's callable that was given something: called later, that is its receiver."""
        out: Set = {}
        given = self.eval(e[2])
        for value, cost in given.items():
            if value.kind == BOX:
                texts = [str(each.b) for _, each, _ in self.frame.box_items(value, cost, FIELD) if each.kind == LIT]
                value = next(iter(self.frame.literal(" ".join(texts))), value)
            if len(given) == 1:
                add(out, self.values(LIBBOUND, e[1], value), cost)
        return out

    def on_attribute(self, e: Expression) -> Set:
        """`value.name`, where the name is a literal; of `getattr` the literal may be what callers pass."""
        out: Set = {}
        for names, link in self._asked(e[2]):
            for name in names or ():
                for value, cost in self._walked(self.eval(e[1]), name).items():
                    add(out, value, later(cost, link))
        return out

    def _asked(self, name: Expression) -> list[tuple[Keys, int]]:
        if name[0] == "arg":
            at = int(name[1])
            term = self.args.terms[at] if at < len(self.args.terms) else -1
            return [(frozenset({term}), 0)] if isinstance(term, str) else self.frame.asked(term)
        return [(frozenset(str(value.b) for value in self.eval(name) if value.kind == LIT), 0)]

    def _walked(self, found: Set, names: str) -> Set:
        for name in names.split("."):
            base, found = found, dict[Value, int]()
            reading = Reading(self.frame, self.frame.at, self.record.line, self.record.column, name)
            for value, cost in base.items():
                reading.get(value, cost, found)
            reading.close()
        return found

    def on_wrapped(self, e: Expression) -> Set:
        """`property(f, g)`, `classmethod(f)`, `staticmethod(f)` as values."""
        parts: list[Value | None] = []
        cost = 0
        for each in cast(Steps, e[2]):
            found = [(value, price) for value, price in self.eval(each).items() if value.kind == FUNC]
            parts.append(found[0][0] if len(found) == 1 else None)
            cost = max(cost, found[0][1]) if len(found) == 1 else cost
        if e[1] == "static":
            return {self.values(BOUND, parts[0].a, None, False): cost} if parts[0] is not None else EMPTY
        return {self.values(WRAPPED, e[1], tuple(parts)): cost}

    def on_mapping(self, e: Expression) -> Set:
        """A new dict of what a call of `dict` is given."""
        made = self.calls.fresh(self.record, "dict", [])
        for box in made:
            self.fill(box)
        return made

    def fill(self, box: Value) -> None:
        """Puts a mapping, pairs, or keywords into a dict."""
        frame = self.frame
        for name, values in self.args.keywords.items():
            frame.put(box, name, values)
        for value, cost in self.args.at(0).items():
            if value.kind == BOX and value.c == "dict":
                for key, each, price in frame.box_items(value, cost, FIELD):
                    frame.put(box, key, {each: price})
            elif value.kind == GENERIC and value.a == "dict":
                frame.put(box, None, frame.contents({value: cost}, True))
            else:
                self._fill_pairs(box, frame.elements({value: cost}, self.record))

    def _fill_pairs(self, box: Value, pairs: Set) -> None:
        frame = self.frame
        for pair, cost in pairs.items():
            one: Set = {pair: cost}
            keys = frame.item(one, frozenset({"0"}))
            texts = [frame.key_text(each) for each, price in keys.items() if not price]
            frame.put_keys(box, keys)
            frame.put(box, texts[0] if len(texts) == 1 and len(keys) == 1 else None, frame.item(one, frozenset({"1"})))

    def on_record(self, e: Expression) -> Set:
        """An object with the fields that the receiver's literal names, of what the call is given."""
        names = [name for value in self.receiver if value.kind == LIT for name in value.b.replace(",", " ").split()]
        made = self.calls.fresh(self.record, "record", [])
        for box in made:
            for at, values in enumerate(self.args.positionals):
                self.frame.put(box, str(at), values)
                if at < len(names):
                    self.frame.put(box, names[at], values)
            for name, values in self.args.keywords.items():
                self.frame.put(box, name, values)
                if name in names:
                    self.frame.put(box, str(names.index(name)), values)
        return made

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
    "inside": ModelRun.on_inside,
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
    "emitter": ModelRun.on_emitter,
    "resolved": ModelRun.on_resolved,
    "resolver": ModelRun.on_resolver,
    "inherit": ModelRun.on_carry,
    "nothing": ModelRun.on_nothing,
    "same": ModelRun.on_carry,
    "class": ModelRun.on_class,
    "made": ModelRun.on_made,
    "attribute": ModelRun.on_attribute,
    "wrapped": ModelRun.on_wrapped,
    "mapping": ModelRun.on_mapping,
    "record": ModelRun.on_record,
}
