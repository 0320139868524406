"""Call sites as written: owners, blocks, calls, variables, imports."""

from __future__ import annotations

from tests.languages.javascript.extract.reading import sites

SOURCE = """
    import { connect } from "./db";
    const top = make();
    function f(xs) {
        for (const x of xs) {
            if (x) { let y = connect.pool(x, g()()); } else if (z) w(); else { k(); }
        }
        try { xs.map((i) => h(i)); } catch (e) { var deep = e; } finally { done(); }
        switch (xs) { case 1: one(); default: two(); }
        while (a()) b();
        do c(); while (d);
    }
    class C {
        field = f(1);
        m() { this.very_long_name_of_a_thing.another_very_long_name.and_yet_another_one.end(); new C(); tag`x`; }
    }
"""


def test_blocks_nest_in_their_owners() -> None:
    found = sites(SOURCE)
    assert [(found.owners[block.owner], block.parent, block.kind, block.line) for block in found.blocks] == [
        ("", -1, "body", 1),
        ("f", -1, "body", 3),
        ("f", 1, "for", 4),
        ("f", 2, "if", 5),
        ("f", 2, "else if", 5),
        ("f", 2, "else", 5),
        ("f", 1, "try", 7),
        ("f.<anonymous1>", -1, "body", 7),
        ("f", 1, "catch", 7),
        ("f", 1, "finally", 7),
        ("f", 1, "switch", 8),
        ("f", 1, "while", 9),
        ("f", 1, "do", 10),
        ("C", -1, "body", 12),
        ("C.m", -1, "body", 14),
    ]


def test_calls_stand_at_their_last_name() -> None:
    found = sites(SOURCE)
    assert [(call.block, call.receiver, call.name, call.line, call.column) for call in found.calls] == [
        (0, None, "make", 2, 13),
        (3, "connect", "pool", 5, 34),
        (3, None, "g", 5, 42),
        (3, None, "", 5, 45),
        (4, None, "w", 5, 64),
        (5, None, "k", 5, 76),
        (6, "xs", "map", 7, 14),
        (7, None, "h", 7, 25),
        (9, None, "done", 7, 72),
        (10, None, "one", 8, 27),
        (10, None, "two", 8, 43),
        (1, None, "a", 9, 12),
        (11, None, "b", 9, 17),
        (12, None, "c", 10, 8),
        (13, None, "f", 13, 13),
        (14, "this.very_long_name_of_a_thing.another_very_long_name.and_ye", "end", 14, 85),
        (14, None, "C", 14, 96),
        (14, None, "tag", 14, 101),
    ]


def test_variables_belong_to_the_block_that_binds_them_first() -> None:
    found = sites(SOURCE)
    assert [(local.block, local.name, local.line) for local in found.locals] == [
        (0, "top", 2),
        (2, "x", 4),
        (3, "y", 5),
        (8, "e", 7),
        (8, "deep", 7),
    ]


def test_imports_are_as_written() -> None:
    assert [(found.module, found.name) for found in sites(SOURCE).imports] == [("./db", "connect")]


def test_owners_have_their_final_names() -> None:
    found = sites("function f() {} function f() { a(); } ({ m() { b(); } }); const o = { n() { c(); } };")
    assert found.owners == ["", "f", "f~2", "m", "o.n"]
    assert [(found.owners[found.blocks[call.block].owner], call.name) for call in found.calls] == [
        ("f~2", "a"),
        ("m", "b"),
        ("o.n", "c"),
    ]
