"""Containers and keys in, elements out: the part of a frame that knows what lists, dicts and objects hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.language import Semantics
from codegps.model.facts import Op, Unit
from codegps.resolve.program import File, Program, Result
from codegps.resolve.questions import Key
from codegps.resolve.values import (
    BOX,
    CLASS,
    ELEMENT,
    FIELD,
    FUNC,
    GENERIC,
    INST,
    KEYED,
    KEYS,
    LIB,
    LIT,
    MODULE,
    OPAQUE,
    PARAMETER,
    Set,
    Value,
    Values,
    add,
    carried,
    stepped,
)

if TYPE_CHECKING:
    from codegps.resolve.solver import Solver

SILENT = frozenset({LIT, LIB, OPAQUE})
"""Kinds that do not cross a border as they are: of a library's things only the package is left."""
PLAIN = frozenset({FUNC, CLASS})
CONTAINERS = ("list", "tuple", "set", "iterator", "array")
ANY = "\0any"
"""The key that stands for any."""
WHOLE = "[]"
"""The field that stands for the elements of an object whose class is a library's container."""

Keys = frozenset[str] | None
"""The keys that a subscript may be; None: any."""


def later(cost: int, key: int) -> int:
    """The cost of what a key finds: it is there when both are. Handing a key on costs, so no circle is for nothing."""
    return cost if cost >> 3 >= key >> 3 else key


class Containers:
    """The containers of one group."""

    program: Program
    solver: Solver
    values: Values
    semantics: Semantics
    root: int
    file: File
    unit: Unit
    vals: list[Set]

    def __init__(self) -> None:
        self.boxes: dict[Value, Set] = {}
        """Contents of containers written here: KEYED values."""
        self.lengths: dict[Value, int] = {}
        """Containers written here whose number of elements is certain."""
        self.looked: set[object] = set()
        """Containers and captured variables that this pass has read already."""
        self.seen: set[Key] = set()
        """Variables that were read."""
        self.grew = False
        self.out: dict[Key, Set] = {}

    def write(self, key: Key, value: Value, cost: int) -> None:
        raise NotImplementedError

    def read_step(self, key: Key, link: int, via: int, out: Set) -> None:
        raise NotImplementedError

    def store(self, target: Value, name: str, values: Set, cost: int) -> None:
        raise NotImplementedError

    # -- keys

    def key_text(self, value: Value) -> str | None:
        """A value as a key; None where it is not certain which one it is."""
        kind = value.kind
        if kind == LIT:
            text: str = value.b
            if self.semantics.dictionaries and value.a == self.semantics.literal_types["str"]:
                return f"'{text}" if text.lstrip("-").isdecimal() else text
            return text
        if kind == INST and isinstance(value.c, str):
            return f"{self._path(value.a)}.{value.c}"
        if kind in (FUNC, CLASS) and not value.c and self.semantics.dictionaries:
            return self._path(value.a)
        return None

    def _path(self, symbol: int) -> str:
        return f"#{self.program.file_of(symbol).path}:{self.program.fact(symbol).qualified_name}"

    def keys(self, at: int, depth: int = 0) -> Keys:
        """The keys that a term may be, where nothing else is possible. What flows has no part in this."""
        if at < 0 or depth > 20:
            return None
        term = self.unit.terms[at]
        op = term[0]
        if op in (Op.CONST, Op.DEF):
            return self._texts(at)
        if op in (Op.NAME, Op.IMPORT):
            return self._texts(at)
        if op == Op.ATTR:
            base = self.vals[term[1]]
            certain = base and all(
                not cost and (each.kind == MODULE or (each.kind == CLASS and not each.c)) for each, cost in base.items()
            )
            return self._texts(at) if certain else None
        if op == Op.UNION:
            return self._united(term[1:], at, depth)
        if op == Op.LIST and self.strings_of(term[2]) == "tuple":
            return self._tuple(term[3:], depth)
        if op == Op.ELEM:
            base_term = self.unit.terms[term[1]]
            if base_term[0] == Op.LIST and len(base_term) > 3:
                return self._united(base_term[3:], at, depth)
        return None

    def asked(self, at: int) -> list[tuple[Keys, int]]:
        """Keys that a term may be, with the cost at which they came; parameters are what callers pass literally."""
        if at >= 0:
            term = self.unit.terms[at]
            if term[0] == Op.PARAM and self.asked_param(term):
                key: Key = ("k", self.file.keys[term[1]], term[2])
                self.seen.add(key)
                found: dict[int, set[str]] = {}
                for value, cost in self.solver.read(key).items():
                    if value.b == ANY:
                        return [(None, cost)]
                    found.setdefault(cost, set()).add(value.b)
                return [(frozenset(texts), cost) for cost, texts in sorted(found.items())]
        return [(self.keys(at), 0)]

    def asked_param(self, term: list[int]) -> bool:
        params = self.file.head.symbols[term[1]].params
        return term[2] < len(params) and params[term[2]].key

    def hand_key(self, key: Key, at: int | str, link: int) -> None:
        """Tells a function which literal it is given for a parameter that it uses as a key."""
        given = [(frozenset({at}), 0)] if isinstance(at, str) else self.asked(at)
        for texts, cost in given:
            further = stepped(cost, link, PARAMETER)
            if further >= 0:
                for text in sorted(texts) if texts is not None else (ANY,):
                    add(self.out.setdefault(key, {}), self.values(LIT, "key", text), further)

    def asked_items(self, containers: Set, at: int) -> Set:
        """`container[key]` of a key that is a term."""
        out: Set = {}
        for keys, link in self.asked(at):
            for value, cost in self.item(containers, keys).items():
                # The key is not known here, whatever its callers pass.
                add(out, value, later(cost, link) >> 3 << 3 | ELEMENT if link else cost)
        return out

    def strings_of(self, number: int) -> str:
        return self.file.strings[number]

    def _texts(self, at: int) -> Keys:
        values = self.vals[at]
        texts = {None if cost else self.key_text(value) for value, cost in values.items()}
        found = frozenset(text for text in texts if text is not None)
        return found if found and None not in texts else None

    def _united(self, terms: list[int], at: int, depth: int) -> Keys:
        found: set[str] = set()
        for each in terms:
            texts = self.keys(each, depth + 1) if each < at else None
            if texts is None:
                return None
            found |= texts
        return frozenset(found) if found else None

    def _tuple(self, terms: list[int], depth: int) -> Keys:
        parts: list[str] = []
        for each in terms:
            texts = self.keys(each, depth + 1)
            if texts is None or len(texts) > 1:
                return None
            parts += texts
        return frozenset({f"({', '.join(parts)})"})

    def whole(self, at: int) -> int | None:
        """A term that is certainly this whole number."""
        texts = self.keys(at)
        if texts is not None and len(texts) == 1:
            for text in texts:
                if text.lstrip("-").isdecimal():
                    return int(text)
        return None

    def length(self, box: Value) -> int | None:
        """How many elements a list had when it was written."""
        known = self.lengths.get(box)
        if known is not None or not isinstance(box.b, int) or box.b < 0:
            return known
        file = self.program.file_of(box.a)
        at = file.boxes.get((file.locals[box.a], box.b))
        if at is None or file.head.terms[at][0] != Op.LIST:
            return None
        term = file.head.terms[at]
        return None if any(file.head.terms[each][0] == Op.SPREAD for each in term[3:]) else len(term) - 3

    # -- putting

    def put(self, box: Value, key: str | None, values: Set, own: bool = False) -> None:
        """Adds to a container: known here at once where it was written here, else through its variable. `own`: its
        functions are members of an object literal, found by their name as those of a class."""
        if box.kind != BOX:
            if box.kind == INST and values:
                self.store(box, WHOLE, values, 0)
            return
        mine = box.a == self.root or self.solver.root_of(box.a) == self.root
        if mine:
            contents = self.boxes.get(box)
            if contents is None:
                contents = self.boxes[box] = {}
            for value, cost in values.items():
                keyed = self.values(KEYED, key, value, True if own and not cost and value.kind in PLAIN else None)
                old = contents.get(keyed)
                if old is None or cost < old:
                    contents[keyed] = cost
                    if box in self.looked:
                        self.grew = True
        for value, cost in values.items():
            if value.kind not in SILENT:
                plain = True if own and not cost and value.kind in PLAIN else None
                self.write(("o", box.a, box.b), self.values(KEYED, key, value, plain), cost)

    def put_keys(self, box: Value, keys: Set) -> None:
        """Notes what is used as a key, where it may be called when it comes back."""
        if self.semantics.dictionaries and box.kind == BOX:
            found = {value: cost for value, cost in keys.items() if value.kind not in (LIT, GENERIC, LIB, OPAQUE)}
            if found:
                self.put(box, KEYS, found)

    def put_at(self, box: Value, keys: Keys, values: Set) -> None:
        for key in (None,) if keys is None else sorted(keys):
            self.put(box, key, values)

    def fill(self, function: int, alloc: int, kind: str, key: str, values: Set, cost: int) -> None:
        """Adds to the container of a star parameter."""
        for value, price in values.items():
            further = stepped(price, cost, 3)
            if further >= 0 and value.kind not in SILENT:
                self.write(("o", function, alloc), self.values(KEYED, key, value), further)

    # -- taking

    def box_items(self, box: Value, link: int, via: int) -> list[tuple[str | None, Value, int]]:
        """(key, value, cost) of what is in a container, its keys left out."""
        items: list[tuple[str | None, Value, int]] = []
        self.looked.add(box)
        local = self.boxes.get(box)
        if local:
            for keyed, cost in local.items():
                further = carried(cost, link)
                if further >= 0 and keyed.a != KEYS:
                    items.append((keyed.a, keyed.b, further))
        star = isinstance(box.b, int) and box.b < 0 and self.solver.root_of(box.a) == self.root
        self.seen.add(("o", box.a, box.b))
        for keyed, cost in self.solver.read(("o", box.a, box.b)).items():
            further = carried(cost, link) if star or (keyed.c and via == FIELD) else stepped(cost, link, via)
            if further >= 0 and keyed.a != KEYS:
                items.append((keyed.a, keyed.b, further))
        return items

    def box_keys(self, box: Value, link: int, out: Set) -> None:
        """What is used as a key in a container."""
        self.looked.add(box)
        for keyed, cost in self.boxes.get(box, {}).items():
            further = carried(cost, link)
            if further >= 0 and keyed.a == KEYS:
                add(out, keyed.b, further)
        self.seen.add(("o", box.a, box.b))
        for keyed, cost in self.solver.read(("o", box.a, box.b)).items():
            further = stepped(cost, link, ELEMENT)
            if further >= 0 and keyed.a == KEYS:
                add(out, keyed.b, further)

    def keyed(self, containers: Set) -> list[tuple[str | None, Set]]:
        """Contents of argument containers by key."""
        out: dict[str | None, Set] = {}
        for value, cost in containers.items():
            if value.kind == BOX:
                for key, each, price in self.box_items(value, cost, ELEMENT):
                    add(out.setdefault(key, {}), each, price)
            elif value.kind == GENERIC:
                for group in value.b[-1:]:
                    for each in group:
                        add(out.setdefault(None, {}), each, cost)
            elif value.kind == OPAQUE:
                add(out.setdefault(None, {}), value, cost)
        return list(out.items())

    def contents(self, containers: Set, mapping: bool = False) -> Set:
        out: Set = {}
        for value, cost in containers.items():
            if value.kind == BOX:
                for _, each, price in self.box_items(value, cost, ELEMENT):
                    add(out, each, price)
            elif value.kind == GENERIC and value.b:
                group = value.b[-1] if value.a == "dict" or mapping else value.b[0]
                for each in group:
                    add(out, each, cost)
            elif value.kind == INST:
                self.whole_items(value, cost, out)
        return out

    def whole_items(self, value: Value, cost: int, out: Set) -> None:
        """The elements of an object whose class is a library's container."""
        if any(each.kind == LIB for each in self.solver.hierarchy.order(value.a)):
            for key in self.solver.members.fields(value, WHOLE):
                self.read_step(key, cost, ELEMENT, out)

    def item(self, containers: Set, keys: Keys) -> Set:
        """`container[key]`"""
        out: Set = {}
        for value, cost in containers.items():
            if value.kind == BOX:
                wanted = self._counted(value, keys)
                via = FIELD if wanted is not None else ELEMENT
                for own, each, price in self.box_items(value, cost, via):
                    if wanted is None or own is None or own in wanted:
                        add(out, each, price)
            elif value.kind == GENERIC and value.b:
                self._generic_item(value, keys, cost, out)
            elif value.kind == INST:
                self.whole_items(value, cost, out)
            elif value.kind == OPAQUE or (value.kind == LIB and value.a.partition(".")[0] != self.semantics.builtins):
                add(out, value, cost)
        return out

    def _counted(self, box: Value, keys: Keys) -> Keys:
        """Keys with those counted from the end as they are from the start; any where the length is not known."""
        if keys is None or box.c not in ("list", "tuple") or all(not key.startswith("-") for key in keys):
            return keys
        length = self.length(box)
        if length is None:
            return None
        return frozenset(str(int(key) + length) if key.startswith("-") else key for key in keys)

    def _generic_item(self, value: Value, keys: Keys, cost: int, out: Set) -> None:
        groups: tuple[Result, ...] = ()
        if value.a == "tuple":
            wanted = {int(key) for key in keys} if keys is not None and all(key.isdecimal() for key in keys) else None
            groups = tuple(group for at, group in enumerate(value.b) if wanted is None or at in wanted)
            if not groups and len(value.b) == 1:
                groups = value.b
        elif value.a == "dict":
            groups = value.b[-1:]
        elif value.a in CONTAINERS:
            groups = value.b[:1]
        for group in groups:
            for each in group:
                add(out, each, cost)
