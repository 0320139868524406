"""Terms of a unit in, head terms out: what a value plainly stands for, without knowing how bodies flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.javascript.scopes import Variable
from codegps.model.facts import Op

if TYPE_CHECKING:
    from codegps.languages.javascript.walker import Walker

_SEALING = frozenset({"freeze", "seal", "preventExtensions"})
_DEPTH = 60


def plain(w: Walker, term: int) -> int:
    """The head term of a term of the unit being written; -1 where it does not plainly stand for something."""
    return _plain(w, term, 0)


def handed(w: Walker, term: int) -> int:
    """As `plain`; what was read from a module-level variable is that variable."""
    return _plain(w, term, 1)


def _plain(w: Walker, at: int, depth: int) -> int:
    if depth and at in w.origins and w.body.symbol == 0:
        return of_variable(w, w.origins[at])
    return _value(w, at, depth)


def _value(w: Walker, at: int, depth: int) -> int:
    known = w.body.plain.get(at)
    if known is None:
        known = w.body.plain[at] = _head(w, at, depth)
    return known


def _head(w: Walker, at: int, depth: int) -> int:
    term = w.terms[at]
    op = term[0]
    if op in (Op.DEF, Op.NAME, Op.IMPORT, Op.BUILTIN):
        return w.head_leaf_term(op, term[1])
    if op == Op.CONST:
        return w.head_put(term)
    if depth > _DEPTH:
        return -1
    if op == Op.ATTR:
        base = _value(w, term[1], depth + 1)
        if base >= 0 and w.body.symbol == 0 and term[1] in w.origins:
            base = of_variable(w, w.origins[term[1]])
        return -1 if base < 0 else w.head_put([Op.ATTR, base, *term[2:]])
    if op == Op.DICT:
        return _dict(w, term, depth)
    if op == Op.LIST:
        elements = [_part(w, each, depth) for each in term[3:]]
        return w.head_put([Op.LIST, term[1], term[2], *elements])
    if op == Op.UNION:
        found = [_plain(w, each, depth + 1) if each < at else -1 for each in term[1:]]
        return -1 if min(found) < 0 else w.head_put([Op.UNION, *found])
    if op == Op.TYPED and term[2] >= 0:
        return _plain(w, term[2], depth + 1)
    if op == Op.CALL and len(term) == 9:
        callee = w.terms[term[1]]
        if callee[0] == Op.ATTR and w.terms[callee[1]] == [Op.NAME, w.strings["Object"]]:
            name = next((text for text in _SEALING if w.strings.get(text) == callee[2]), None)
            if name is not None and w.find("Object") is None:
                return _plain(w, term[8], depth + 1)
    return -1


def _part(w: Walker, at: int, depth: int) -> int:
    """An element: what is not plain is unknown here, the unit knows more."""
    term = w.terms[at]
    if term[0] == Op.SPREAD:
        inner = _plain(w, term[1], depth + 1)
        return w.head_unknown() if inner < 0 else w.head_put([Op.SPREAD, inner])
    found = _plain(w, at, depth + 1)
    return w.head_unknown() if found < 0 else found


def _dict(w: Walker, term: list[int], depth: int) -> int:
    row = [Op.DICT, term[1], term[2]]
    for at in range(3, len(term), 2):
        key = term[at]
        if key >= 0 and w.terms[key][0] != Op.CONST:
            continue
        row.append(-1 if key < 0 else w.head_put(w.terms[key]))
        row.append(_part(w, term[at + 1], depth))
    return w.head_put(row)


def named(w: Walker, name: str) -> int:
    """The head term of a name at this place: in a base list, an export, a type."""
    variable = w.find(name)
    if variable is None:
        return w.head_leaf_term(Op.NAME, w.strings[name])
    return of_variable(w, variable)


def of_variable(w: Walker, variable: Variable) -> int:
    if variable.fixed is not None:
        return w.head_leaf_term(variable.fixed[0], variable.fixed[1])
    if variable.module:
        return w.head_leaf_term(Op.NAME, w.strings[variable.name])
    key = -id(variable)
    known = w.head_leaf.get(key)
    if known is None:
        variable.captured = True
        row = [Op.LOCAL, variable.body.symbol, w.strings[variable.label]]
        variable.locals.append(row)
        known = w.head_leaf[key] = w.head_put(row)
    return known
