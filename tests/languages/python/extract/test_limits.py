"""Deep and wide inputs: nothing overflows, and what is left out is told."""

from __future__ import annotations

import pytest

from codegps.model.facts import UNIT, Op
from tests.languages.python.extract.reading import diagnostics, facts, names

DEEP = 10_000
TOO_DEEP = "expression nested too deeply: what is inside is left out"


@pytest.mark.parametrize(
    "expression",
    [
        "(" * DEEP + "1" + ")" * DEEP,
        "f(" * DEEP + "1" + ")" * DEEP,
        "[" * DEEP + "1" + "]" * DEEP,
        "-" * DEEP + "y",
        "not " * DEEP + "y",
        "a ** " * DEEP + "y",
        "lambda: " * 2_000 + "y",
    ],
)
def test_deep_expressions_are_cut_and_told(expression: str) -> None:
    source = f"x = {expression}\ndef f(): pass\n"
    assert diagnostics(source) == [(1, TOO_DEEP)]
    assert names(source)[-1] == "f"


@pytest.mark.parametrize(
    ("expression", "operation", "count"),
    [
        ("a" + ".b()" * DEEP, Op.CALL, DEEP),
        ("a" + "[0]" * DEEP, Op.ITEM, DEEP),
        ("a" + " + a" * DEEP, Op.OPER, DEEP),
        ("a" + " and a()" * DEEP, Op.CALL, DEEP),
        ("a() if b else " * DEEP + "y", Op.CALL, DEEP),
        ("f(" + ", ".join(f"a{at}" for at in range(1_000)) + ")", Op.NAME, 1_001),
    ],
)
def test_long_chains_are_walked_whole(expression: str, operation: int, count: int) -> None:
    source = f"x = {expression}\n"
    assert diagnostics(source) == []
    terms = UNIT.decode(facts(source).units[-1]).terms
    made = [term for term in terms if term[0] == operation]
    # Naming a module-level name in an initialiser makes a term of its own for the reference.
    assert len(made) - (1_000 if operation == Op.NAME else 0) == count


def test_many_functions() -> None:
    source = "".join(f"def f{at}(): return f{at + 1}()\n" for at in range(DEEP))
    assert len(names(source)) == DEEP


def test_deep_blocks_are_cut_and_told() -> None:
    source = "".join(" " * at + f"if x{at}:\n" for at in range(300)) + " " * 300 + "f()\ndef g(): pass\n"
    assert diagnostics(source) == [(101, "block nested too deeply: what is inside is left out")]
    assert names(source) == ["g"]


def test_a_wide_union_is_flat() -> None:
    source = "def f(k):\n"
    source += "".join(f"    {'el' if at else ''}if k == {at}: h = a{at}\n" for at in range(1_000)) + "    h()\n"
    terms = UNIT.decode(facts(source).units[0]).terms
    assert max(len(term) - 1 for term in terms if term[0] == Op.UNION) == 1_000


def test_nested_loops() -> None:
    source = "".join(" " * at + f"for a{at} in b:\n" for at in range(90)) + " " * 90 + "a = g(a)\n"
    assert diagnostics(source) == []
