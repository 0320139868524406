"""Unit terms to head terms: what a name plainly stands for, seen from other files.

In: a term of a walk. Out: the same as an interned head term, or -1 where it is no plain value.
"""

from __future__ import annotations

from codegps.languages.python.walk import CLASS, Walk
from codegps.model.facts import Member, Op

_DEEP = 60
_PLAIN = frozenset({Op.CONST, Op.DEF, Op.LOCAL, Op.NAME, Op.IMPORT, Op.TYPEPARAM, Op.BUILTIN})


def plain(walk: Walk, term: int, typed: bool = False, depth: int = 0, known: dict[int, int] | None = None) -> int:
    """The head term of definitions, imports, names, attributes, literals, unions of such; of types if `typed`.

    `known` remembers the terms met on the way: many may be made of the same ones.
    """
    known = {} if known is None else known
    head = known.get(term)
    if head is None:
        head = known[term] = _plain(walk, term, typed, depth, known)
    return head


def _plain(walk: Walk, term: int, typed: bool, depth: int, known: dict[int, int]) -> int:
    found = walk.terms[term]
    operation = found[0]
    head_term = walk.source.head_term
    if operation in _PLAIN:
        return head_term(*found)
    if depth > _DEEP:
        return -1
    inner: list[int] = []
    if operation == Op.ATTR:
        base = plain(walk, found[1], typed, depth + 1, known)
        return head_term(Op.ATTR, base, found[2], 0, 0, 0, 0) if base >= 0 else -1
    if operation in (Op.UNION, Op.TUPLETYPE):
        if any(operand >= term for operand in found[1:]):
            return -1
        inner = found[1:]
        return rebuilt(walk, found[:1], inner, typed, depth, known)
    if operation in (Op.LIST, Op.DICT):
        return rebuilt(walk, found[:3], found[3:], typed, depth, known)
    if operation == Op.SPREAD:
        return rebuilt(walk, found[:1], found[1:], typed, depth, known)
    if operation == Op.NARROW:
        return plain(walk, found[1], typed, depth + 1, known)
    if not typed:
        return -1
    if operation == Op.ITEM:
        base = plain(walk, found[1], typed, depth + 1, known)
        key = plain(walk, found[2], typed, depth + 1, known) if base >= 0 else -1
        return head_term(Op.ITEM, base, key, 0, 0) if key >= 0 else -1
    if operation == Op.OPER and found[3] >= 0:
        if walk.source.strings.listed[found[1]] == "__or__":
            return rebuilt(walk, [Op.UNION], found[2:4], typed, depth, known)
        return -1
    if operation == Op.CALL:
        made = [Op.CALL, plain(walk, found[1], typed, depth + 1, known), *found[2:4], -1, found[5]]
        for at in range(6, len(found), 3):
            argument = plain(walk, found[at + 2], typed, depth + 1, known)
            made += (found[at], found[at + 1], argument if argument >= 0 else head_term(Op.UNKNOWN))
        return head_term(*made) if made[1] >= 0 else -1
    return -1


def rebuilt(walk: Walk, start: list[int], operands: list[int], typed: bool, depth: int, known: dict[int, int]) -> int:
    made: list[int] = []
    for operand in operands:
        head = plain(walk, operand, typed, depth + 1, known) if operand >= 0 else -1
        if head < 0 and operand >= 0:
            return -1
        made.append(head)
    return walk.source.head_term(*start, *made)


def alternatives(walk: Walk, term: int) -> list[int]:
    """The terms that a join or a loop leaves under a name."""
    out: list[int] = []
    seen: set[int] = set()
    rest = [term]
    while rest:
        one = rest.pop()
        one = walk.narrowed.get(one, one)
        if one in seen:
            continue
        seen.add(one)
        if walk.terms[one][0] == Op.UNION and (one in walk.joins or one in walk.placeholders):
            rest += reversed(walk.terms[one][1:])
        else:
            out.append(one)
    return out


def own_symbol(walk: Walk, name: str, term: int, variable: int) -> int:
    """The symbol that binds `name` to `term`: the definition itself, the variable, or none where an import does."""
    found = walk.terms[term]
    if found[0] == Op.DEF:
        fact = walk.source.symbols[found[1]]
        if fact.name == name and fact.parent == walk.symbol:
            return found[1]
    if found[0] == Op.IMPORT:
        imported = walk.source.imports[found[1]]
        if name in (imported.name, imported.spec.partition(".")[0]):
            return -1
    return variable


def members(walk: Walk) -> list[tuple[str, int]]:
    """Writes down the names that reach the end of a module or class body; hands back what only the unit can bind."""
    source = walk.source
    opaque: list[tuple[str, int]] = []
    scope = walk.symbol
    done: set[str] = set()
    first = len(source.members)
    for name, term in walk.env.items():
        if "." in name or name in walk.declared:
            continue
        done.add(name)
        symbol = walk.variables.get(name, -1)
        typed = walk.types.get(name)
        declared = plain(walk, typed, True) if typed is not None else -1
        hidden = False
        for one in alternatives(walk, term):
            head = plain(walk, one)
            if head < 0:
                opaque.append((name, one))
                hidden = True
                continue
            source.members.append(Member(scope, name, head, own_symbol(walk, name, one, symbol), declared))
        if hidden:
            source.members.append(Member(scope, name, -1, symbol, declared))
    for name, typed in walk.types.items():
        if name not in done:
            field = walk.kind != 0 and name not in walk.class_vars
            source.members.append(
                Member(scope, name, -1, walk.variables.get(name, -1), plain(walk, typed, True), field)
            )
    if walk.kind == CLASS:
        # Fields in the order in which they stand: a dataclass is called by it.
        order = dict(walk.variables)
        source.members[first:] = sorted(source.members[first:], key=lambda m: order.get(m.name, len(source.symbols)))
    for name in sorted(walk.rebound.difference(name for name, _ in opaque)):
        source.members.append(Member(scope, name, -1, walk.variables.get(name, -1)))
    return opaque
