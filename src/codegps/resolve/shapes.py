"""The operands of each operation, by sort, for code that walks terms without knowing what they mean.

`t` a term, `s` a string, `d` a definition (symbol), `i` an import, `n` a number that matters, `p` a place (ignored).
"""

from __future__ import annotations

from collections.abc import Callable

from codegps.model.facts import Op

Shape = Callable[[list[int]], str]


def _fixed(sorts: str) -> Shape:
    return lambda row: sorts


def _then(first: str, rest: str) -> Shape:
    return lambda row: first + rest * len(row)


SHAPES: list[Shape] = [_then("", "p")] * 64
"""By operation: the sorts of a row's operands; may be longer than the row."""

for _op, _shape in {
    Op.CONST: _fixed("ss"),
    Op.DEF: _fixed("d"),
    Op.PARAM: _fixed("dn"),
    Op.LOCAL: _fixed("ds"),
    Op.NAME: _fixed("s"),
    Op.IMPORT: _fixed("i"),
    Op.ATTR: _fixed("tspppp"),
    Op.ITEM: _fixed("ttpp"),
    Op.SLICE: _fixed("tpp"),
    Op.CALL: _then("tpppn", "nst"),
    Op.LIST: _then("ns", "t"),
    Op.DICT: _then("ns", "t"),
    Op.UNION: _then("", "t"),
    Op.TYPED: _fixed("tt"),
    Op.FUNCTYPE: _then("", "t"),
    Op.OBJTYPE: _then("", "st"),
    Op.KEYOF: _fixed("ts"),
    Op.TYPEOF: _fixed("t"),
    Op.INSTANCE: _fixed("t"),
    Op.BUILTIN: _fixed("s"),
    Op.TUPLETYPE: _then("", "t"),
    Op.ARRAYTYPE: _fixed("t"),
    Op.TYPEPARAM: _fixed("ds"),
    Op.INTERSECT: _then("", "t"),
}.items():
    SHAPES[_op] = _shape
