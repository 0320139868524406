"""Broken text: a syntax error costs its statement, and says so."""

from __future__ import annotations

from tests.languages.python.extract.reading import diagnostics, names, symbols, unit


def test_unclosed_brackets_end_at_the_next_definition() -> None:
    source = """
        def first(): pass
        x = foo(1,
        def second(): pass
        class A:
            def m(self):
                y = [1, {
            def n(self): pass
        def third(): pass
    """
    assert names(source) == [
        "first",
        "second",
        "A",
        "A.m",
        "A.n",
        "third",
    ]


def test_unclosed_brackets_end_at_a_statement() -> None:
    source = """
        def f():
            x = foo(1,
            return g(x)
    """
    assert unit(source, "f").splitlines() == [
        "%0 CONST int 0",
        "%1 NAME g",
        "%2 NAME x",
        "%3 CALL %1(%2) @3:12 site 0",
        "REFER %2 REFERENCES 3 14",
        "RETURN %3",
    ]


def test_unclosed_strings_end_with_their_line() -> None:
    source = """
        def f():
            x = "abc
            g(x)
    """
    assert unit(source, "f").splitlines() == [
        "%0 CONST int 0",
        "%1 NAME g",
        "%2 NAME x",
        "%3 CALL %1(%2) @3:5 site 0",
        "REFER %2 REFERENCES 3 7",
    ]


def test_broken_headers_keep_their_name() -> None:
    source = """
        class A(:
            def m(self, x=:
                return self.n()
        def f(a, b
            return g(a)
    """
    assert symbols(source) == [
        "Class A 1:1-3:24",
        "Method A.m 2:5-3:24 (self, x)",
        "Function f 4:1-5:16 (a, b)",
    ]


def test_broken_tests_keep_what_they_govern() -> None:
    source = """
        def f(x):
            if x ===:
                one()
            else:
                two()
            for in x:
                three()
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 CONST int 1",
        "%2 NAME one",
        "%3 CALL %2() @3:9 site 0",
        "%4 NAME two",
        "%5 CALL %4() @5:9 site 1",
        "%6 NAME three",
        "%7 CALL %6() @7:9 site 2",
    ]


def test_unclosed_docstrings_do_not_swallow_definitions() -> None:
    source = """
        def one():
            '''Never closed.
            a()

        def two():
            '''Closed.'''
            b()

        def three():
            '''Closed too.'''
            c()
    """
    assert names(source) == [
        "one",
        "two",
        "three",
    ]


def test_crooked_lines_join_the_block_before() -> None:
    source = """
        class A:
            def m(self):
                one()
              two()
            def n(self):
                pass
    """
    assert names(source) == [
        "A",
        "A.m",
        "A.n",
    ]


def test_each_error_is_told() -> None:
    source = """
        x = = 1
        def f(:
            y = (
            return 1
          z = 2
    """
    assert diagnostics(source) == [
        (1, "syntax error: this statement is left out"),
        (2, "syntax error in this header: only its names are kept"),
        (3, "syntax error: this statement is left out"),
        (5, "the indentation fits no block: read as part of the one before"),
    ]


def test_the_old_language_keeps_its_definitions() -> None:
    source = """
        def f():
            print "x", y
            print >>out, "z"
            exec "code" in scope
            try:
                pass
            except Error, e:
                raise Broken, "why"
            x = `y`
        def g(): pass
    """
    assert names(source) == [
        "f",
        "g",
    ]


def test_stray_closers_cost_their_line() -> None:
    source = """
        def f(): pass
        )
        x = 1]
        def g(): pass
    """
    assert names(source) == [
        "f",
        "g",
    ]


def test_decorators_that_are_broken_leave_the_definition() -> None:
    source = """
        @route(
        def f(): pass
        @
        def g(): pass
    """
    assert names(source) == [
        "f",
        "g",
    ]
