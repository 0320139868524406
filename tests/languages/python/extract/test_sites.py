"""Call sites as written: owners, blocks, calls, variables, imports."""

from __future__ import annotations

from tests.languages.python.extract.reading import sites

SOURCE = """
    from .db import connect
    def f(xs):
        for x in xs:
            if x:
                y = connect.pool(x, g()())
            elif z:
                pass
            else:
                w = 1
        try:
            [h(i) for i in xs]
        except E:
            pass
        finally:
            k()
    class C:
        a = f(1)
        def m(self):
            with self.lock as l:
                l.go()
            while l:
                match l:
                    case 1: f(l)
            ((self.very_long_name_of_a_thing).another_very_long_name.and_yet_another_one).end()
"""


def test_blocks_nest_in_their_owners() -> None:
    found = sites(SOURCE)
    assert [(found.owners[block.owner], block.parent, block.kind, block.line) for block in found.blocks] == [
        ("", -1, "body", 1),
        ("f", -1, "body", 2),
        ("f", 1, "for", 3),
        ("f", 2, "if", 4),
        ("f", 2, "elif", 6),
        ("f", 2, "else", 8),
        ("f", 1, "try", 10),
        ("f", 6, "comprehension", 11),
        ("f", 1, "except", 12),
        ("f", 1, "finally", 14),
        ("C", -1, "body", 16),
        ("C.m", -1, "body", 18),
        ("C.m", 11, "with", 19),
        ("C.m", 11, "while", 21),
        ("C.m", 13, "case", 23),
    ]


def test_calls_stand_at_their_last_name() -> None:
    found = sites(SOURCE)
    assert [(call.block, call.receiver, call.name, call.line, call.column) for call in found.calls] == [
        (3, "connect", "pool", 5, 25),
        (3, None, "g", 5, 33),
        (3, None, "", 5, 36),
        (7, None, "h", 11, 10),
        (9, None, "k", 15, 9),
        (10, None, "f", 17, 9),
        (12, "l", "go", 20, 15),
        (14, None, "f", 23, 25),
        (11, "((self.very_long_name_of_a_thing).another_very_long_name.and", "end", 24, 87),
    ]


def test_variables_belong_to_the_block_that_binds_them_first() -> None:
    found = sites(SOURCE)
    assert [(local.block, local.name, local.line) for local in found.locals] == [
        (2, "x", 3),
        (3, "y", 5),
        (5, "w", 9),
        (10, "a", 17),
        (12, "l", 19),
    ]


def test_imports_are_as_written() -> None:
    assert [(found.module, found.name) for found in sites(SOURCE).imports] == [(".db", "connect")]
