"""Facts of real sources are well formed: every number in them stands for something."""

from __future__ import annotations

import asyncio
import email
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import codegps
from codegps.languages.python.extractor import extract
from codegps.model.facts import HEAD, UNIT, Effect, Head, Op, Unit
from codegps.model.graph import Sites
from codegps.model.show import EFFECT_FORMS, FORMS

SOURCES = [path for package in (codegps, asyncio, email) for path in sorted(Path(package.__path__[0]).rglob("*.py"))]
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


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: "/".join(path.parts[-2:]))
def test_every_number_stands_for_something(path: Path) -> None:
    facts = extract(path.read_bytes(), path.name)
    head = HEAD.decode(facts.head)
    sites = msgspec.msgpack.decode(facts.sites, type=Sites)
    assert head.diagnostics == []
    for at in range(len(head.terms)):
        check_term(head, sites, head.terms, at)
    names = [symbol.qualified_name for symbol in head.symbols]
    assert len(names) == len(set(names))
    assert len(set(head.unit_symbols)) == len(facts.units)
    for number, unit in zip(head.unit_symbols, map(UNIT.decode, facts.units), strict=True):
        assert unit.symbol == number
        check_unit(head, sites, unit)


def test_the_same_text_gives_the_same_bytes() -> None:
    for path in SOURCES[:10]:
        content = path.read_bytes()
        assert extract(content, path.name) == extract(content, path.name)
