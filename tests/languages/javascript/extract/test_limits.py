"""Deep and wide inputs: nothing overflows, and what is left out is told."""

from __future__ import annotations

import pytest

from codegps.model.facts import UNIT, Op
from tests.languages.javascript.extract.form import check
from tests.languages.javascript.extract.reading import diagnostics, facts, names

DEEP = 10_000
TOO_DEEP = "nested too deeply: this statement was left out"


@pytest.mark.parametrize(
    "statement",
    [
        "x = " + "[" * DEEP + "1" + "]" * DEEP,
        "x = " + "{a:" * DEEP + "1" + "}" * DEEP,
        "f(" * DEEP + ")" * DEEP,
        "{" * DEEP + "}" * DEEP,
        "x = " + "a=>" * DEEP + "1",
        "x = " + "a=" * DEEP + "1",
        "x = " + "!" * DEEP + "1",
        "x = " + "`${" * 2_000 + "1" + "}`" * 2_000,
        "x = " + "<A>" * DEEP + "</A>" * DEEP,
        "function g() {" * DEEP + "}" * DEEP,
        "class A { m() {" * 3_000 + "}}" * 3_000,
    ],
)
def test_deep_statements_are_left_out_and_told(statement: str) -> None:
    source = f"{statement};\nfunction after() {{}}\n"
    assert diagnostics(source) == [(1, TOO_DEEP)]
    assert names(source)[-1] == "Function after"
    check(facts(source))


@pytest.mark.parametrize(
    ("expression", "operation", "count"),
    [
        ("a" + ".b()" * DEEP, Op.CALL, DEEP),
        ("a" + ".b" * DEEP, Op.ATTR, DEEP),
        ("a" + "[0]" * DEEP, Op.ITEM, DEEP),
        ("a" + " + a()" * DEEP, Op.CALL, DEEP),
        ("a" + " && a()" * DEEP, Op.CALL, DEEP),
        ("a" + " || a()" * DEEP, Op.CALL, DEEP),
        ("a" + ", a()" * DEEP, Op.CALL, DEEP),
        ("a ? b() : " * DEEP + "c", Op.CALL, DEEP),
        ("(" * DEEP + "a()" + ")" * DEEP, Op.CALL, 1),
        ("f(" + ", ".join(f"a{at}" for at in range(1_000)) + ")", Op.NAME, 1_001),
    ],
)
def test_long_chains_are_walked_whole(expression: str, operation: int, count: int) -> None:
    source = f"x = ({expression});\n"
    assert diagnostics(source) == []
    terms = UNIT.decode(facts(source).units[0]).terms
    assert sum(1 for term in terms if term[0] == operation) == count


def test_long_chains_of_statements() -> None:
    source = "if (a) b();" + " else if (a) b();" * DEEP + " function after() {}"
    assert diagnostics(source) == []
    assert names(source) == ["Function after"]


def test_wide_types() -> None:
    source = "type A = " + " | ".join(f"B{at}" for at in range(5_000)) + ";"
    assert diagnostics(source, "m.ts") == []
    assert names(source, "m.ts") == ["TypeAlias A"]


def test_deep_types_say_nothing() -> None:
    source = "type A = " + "B<" * DEEP + "C" + ">" * DEEP + "; function after(): A {}"
    assert names(source, "m.ts") == ["TypeAlias A", "Function after"]


def test_many_functions() -> None:
    source = "".join(f"function f{at}() {{ return f{at + 1}(); }}\n" for at in range(DEEP))
    assert len(names(source)) == DEEP


def test_many_branches_over_many_variables() -> None:
    body = "".join(f"var v{at} = g();" for at in range(3_000)) + "".join(
        f"if (v{at}) v{at} = 1;" for at in range(3_000)
    )
    assert names(f"function f() {{ {body} }}") == ["Function f"]


def test_one_line_bundles() -> None:
    part = (
        "function a(b,c){for(var d=0,e=b.length;d<e;d++)if(c(b[d]))return b[d];return null}"
        "var x=a([1],function(b){return!b});"
    )
    source = "!function(){" + part * 2_000 + "}();"
    assert len(names(source)) == 4_001
    assert diagnostics(source) == []


@pytest.mark.parametrize(
    "junk", [bytes(range(256)) * 500, b"(" * 50_000, b"{" * 50_000, b"<" * 20_000, b"`${" * 5_000, b"\0" * 1_000]
)
@pytest.mark.parametrize("path", ["m.js", "m.ts", "m.tsx", "m.vue", "m.d.ts"])
def test_what_is_no_code_at_all(junk: bytes, path: str) -> None:
    check(facts(junk, path))
