"""What a refresh must find again, to and from a store's links.

Links of a file (key → value):

    g            its groups: for each root what it read, depended on and wrote
    h            fingerprints of what its definitions say to others
    k            numbers of its symbols, left out where they simply count up
    w VARIABLE   what the file as a whole writes to a variable
    r QUESTION   empty: some group of the file read this variable or depends on this answer
    b CLASS      the file's classes directly below that class
    m NAME       the file's classes with a member of that name
    a            its classes with what is above each
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import msgspec

from codegps.model.facts import ENCODER
from codegps.model.graph import FILE_SHIFT
from codegps.resolve.program import File
from codegps.resolve.questions import Key
from codegps.resolve.shapes import SHAPES
from codegps.resolve.values import Set, Value, Values, add
from codegps.store import Reader

DECODER = msgspec.msgpack.Decoder()
NUMBER_MASK = (1 << FILE_SHIFT) - 1
LONG = 1_000
"""Characters of a head term as text, above which it is shortened to a hash."""


def text(key: Key) -> str:
    """A question or variable as a link key."""
    return ":".join(map(str, key))


class Group:
    """What one group read, depended on and wrote."""

    __slots__ = ("deps", "out", "seen")

    def __init__(self, seen: set[str], deps: set[str], out: dict[str, Set]) -> None:
        self.seen = seen
        self.deps = deps
        self.out = out


def encode_groups(values: Values, groups: dict[int, Group]) -> bytes:
    """Groups by root; questions, variables and values are listed once."""
    table: dict[Value, int] = {}
    names: dict[str, int] = {}
    rows: list[Any] = []
    for root in sorted(groups):
        group = groups[root]
        out: list[Any] = []
        for key, found in group.out.items():
            out.append(names.setdefault(key, len(names)))
            out.append([part for value, cost in found.items() for part in (table.setdefault(value, len(table)), cost)])
        seen = [names.setdefault(name, len(names)) for name in group.seen]
        deps = [names.setdefault(name, len(names)) for name in group.deps]
        rows.append([root, seen, deps, out])
    return ENCODER.encode([list(names), [values.encode(value) for value in table], rows])


def decode_groups(values: Values, data: bytes) -> dict[int, Group]:
    names, listed, rows = DECODER.decode(data)
    table = [values.decode(each) for each in listed]
    groups: dict[int, Group] = {}
    for root, seen, deps, out in rows:
        groups[root] = Group(
            {names[each] for each in seen},
            {names[each] for each in deps},
            {
                names[out[at]]: {
                    table[out[at + 1][each]]: out[at + 1][each + 1] for each in range(0, len(out[at + 1]), 2)
                }
                for at in range(0, len(out), 2)
            },
        )
    return groups


def encode_set(values: Values, found: Set) -> bytes:
    return ENCODER.encode([part for value, cost in found.items() for part in (values.encode(value), cost)])


def decode_set(values: Values, data: bytes) -> Set:
    flat = DECODER.decode(data)
    return {values.decode(flat[at]): flat[at + 1] for at in range(0, len(flat), 2)}


def file_links(
    values: Values, file: File, groups: dict[int, Group], above: dict[int, list[int]], classes: dict[str, list[int]]
) -> dict[str, bytes]:
    """All links of one file."""
    links: dict[str, bytes] = {"g": encode_groups(values, groups), "h": ENCODER.encode(fingerprints(file))}
    if above:
        links["a"] = ENCODER.encode([[class_, order] for class_, order in above.items()])
    numbers = [key & NUMBER_MASK for key in file.keys]
    if numbers != list(range(len(numbers))):
        links["k"] = ENCODER.encode(numbers)
    totals: dict[str, Set] = {}
    questions: set[str] = set()
    for group in groups.values():
        questions |= group.seen
        questions |= group.deps
        for key, found in group.out.items():
            into = totals.setdefault(key, {})
            for value, cost in found.items():
                add(into, value, cost)
    for question in questions:
        links["r " + question] = b""
    for key, found in totals.items():
        links["w " + key] = encode_set(values, found)
    for link, symbols in classes.items():
        links[link] = ENCODER.encode(symbols)
    return links


def fingerprints(file: File) -> dict[str, int]:
    """What the file's definitions say to others, positions left out: question to fingerprint."""
    prints: dict[str, int] = {}
    head = file.head
    shown: dict[int, str] = {}

    def show(term: int) -> str:
        if term < 0:
            return "-"
        known = shown.get(term)
        if known is None:
            known = _show(file, term, show)
            # Terms may share most of what they are made of: written out, that multiplies.
            known = shown[term] = known if len(known) < LONG else f"#{_digest(known):x}"
        return known

    for at, fact in enumerate(head.symbols):
        said = (
            fact.name,
            fact.kind,
            fact.flags,
            fact.accessor,
            [(param.name, param.kind, show(param.type), param.default, param.key) for param in fact.params],
            show(fact.returns),
            fact.returned_params,
            [show(each) for each in fact.bases],
            [show(each) for each in fact.implements],
            fact.type_params,
            [show(each) for each in fact.type_bounds],
            show(fact.metaclass),
            show(fact.alias),
            show(fact.declared),
            [show(each) for each in fact.decorators],
            file.keys[fact.parent] if fact.parent >= 0 else -1,
            file.keys[fact.drawn],
        )
        prints[text(("s", file.keys[at]))] = _digest(said)
    for scope, names in file.members.items():
        for name, members in names.items():
            said = [
                (show(each.term), show(each.type), each.instance, each.static, _key(file, each.symbol))
                for each in members
            ]
            prints[text(("n", file.keys[scope], name))] = _digest(said)
    for name, terms in file.exports.items():
        prints[text(("n", file.key, f"export {name}"))] = _digest([show(each) for each in terms])
    stars = [head.imports[each].spec for each in [*head.stars, *head.star_exports]]
    prints[text(("*", file.key))] = _digest([stars, head.all_names, head.explicit_exports])
    return prints


def _key(file: File, local: int) -> int:
    return file.keys[local] if local >= 0 else -1


def _show(file: File, term: int, show: Any) -> str:
    """A head term as text that does not depend on positions and numbering."""
    row = file.terms[term]
    parts: list[str] = [str(row[0])]
    for operand, sort in zip(row[1:], SHAPES[row[0]](row), strict=False):
        if sort == "t":
            parts.append(show(operand))
        elif sort == "s":
            parts.append(file.strings[operand] if operand >= 0 else "-")
        elif sort == "d":
            parts.append(str(file.keys[operand]))
        elif sort == "i":
            fact = file.head.imports[operand]
            parts.append(f"{fact.kind}/{fact.spec}/{fact.name}")
        elif sort == "n":
            parts.append(str(operand))
    return "(" + " ".join(parts) + ")"


def _digest(said: object) -> int:
    return int.from_bytes(blake2b(repr(said).encode("utf-8", "surrogatepass"), digest_size=7).digest(), "big")


class Past:
    """The links of the last commit."""

    def __init__(self, store: Reader) -> None:
        self.store = store
        self.own: dict[int, dict[str, bytes]] = {}

    def file(self, key: int) -> dict[str, bytes]:
        links = self.own.get(key)
        if links is None:
            links = self.own[key] = {name: value for name, value in self.store.links_of(key).items() if len(name) == 1}
        return links

    def prints(self, key: int) -> dict[str, int]:
        data = self.file(key).get("h")
        return DECODER.decode(data) if data else {}

    def above(self, key: int) -> dict[int, list[int]]:
        data = self.file(key).get("a")
        return dict(DECODER.decode(data)) if data else {}

    def readers(self, questions: Iterable[str]) -> set[int]:
        """Keys of the files that read any of these."""
        found = self.store.links([f"r {question}" for question in questions])
        return {file for rows in found.values() for file, _ in rows}

    def classes(self, link: str) -> dict[int, list[int]]:
        """By file: the classes that a link of sort `b` or `m` lists."""
        return {file: DECODER.decode(value) for file, value in self.store.links([link]).get(link, [])}
