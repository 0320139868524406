"""Whether facts are well formed: every number in them stands for something."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from codegps.model.facts import HEAD, UNIT, Effect, FileFacts, Head, Op, Unit
from codegps.model.graph import Sites
from codegps.model.show import EFFECT_FORMS, FORMS

NAMED = {Op.DEF, Op.NAME, Op.IMPORT, Op.LOCAL, Op.PARAM, Op.ATTR}


def operands(forms: str, numbers: list[int]) -> Iterator[tuple[str, int]]:
    fixed, _, repeated = forms.partition("*")
    assert len(numbers) == len(fixed) or repeated
    yield from zip(fixed, numbers, strict=False)
    rest = numbers[len(fixed) :]
    assert not repeated or len(rest) % len(repeated) == 0
    for at, number in enumerate(rest):
        yield repeated[at % len(repeated)], number


def check_term(head: Head, sites: Sites, terms: list[list[int]], at: int) -> None:
    """Operands come first; only a UNION of a loop looks ahead."""
    term = terms[at]
    if term[0] == Op.CALL:
        assert 0 <= term[1] < at
        assert -1 <= term[4] < len(sites.calls)
        assert term[4] < 0 or (sites.calls[term[4]].line, sites.calls[term[4]].column) == (term[2], term[3])
        assert (len(term) - 6) % 3 == 0
        assert all(0 <= value < at for value in term[8::3])
        return
    bounds = {
        "t": len(terms) if term[0] == Op.UNION else at,
        "s": len(head.strings),
        "y": len(head.symbols),
        "i": len(head.imports),
    }
    for form, number in operands(FORMS.get(term[0], ""), term[1:]):
        assert form == "n" or -1 <= number < bounds[form], term


def check_unit(head: Head, sites: Sites, unit: Unit) -> None:
    for at in range(len(unit.terms)):
        check_term(head, sites, unit.terms, at)
    allocs = [term[1] for term in unit.terms if term[0] in (Op.LIST, Op.DICT)]
    assert len(allocs) == len(set(allocs))
    bounds = {"t": len(unit.terms), "s": len(head.strings), "y": len(head.symbols)}
    for effect in unit.effects:
        for form, number in operands(EFFECT_FORMS[effect[0]], effect[1:]):
            assert form in "nk" or -1 <= number < bounds[form], effect
        if effect[0] == Effect.REFER:
            assert unit.terms[effect[1]][0] in NAMED
    for first, end, symbol in unit.owners:
        assert 0 <= first < end <= len(unit.terms)
        assert 0 < symbol < len(head.symbols)


def check(facts: FileFacts) -> Head:
    head = HEAD.decode(facts.head)
    sites = msgspec.msgpack.decode(facts.sites, type=Sites)
    for at in range(len(head.terms)):
        if head.terms[at][0] != Op.DICT:  # An object may get members from further down.
            check_term(head, sites, head.terms, at)
    names = [symbol.qualified_name for symbol in head.symbols]
    assert len(names) == len(set(names))
    assert len(set(head.unit_symbols)) == len(facts.units)
    for number, unit in zip(head.unit_symbols, map(UNIT.decode, facts.units), strict=True):
        assert unit.symbol == number
        check_unit(head, sites, unit)
    for symbol in head.symbols[1:]:
        assert 0 <= symbol.parent < len(head.symbols)
        assert (symbol.start_line, symbol.start_column) <= (symbol.end_line, symbol.end_column)
    places = [(call.line, call.column) for call in sites.calls]
    assert places == sorted(places)
    assert all(0 <= call.block < len(sites.blocks) for call in sites.calls)
    return head
