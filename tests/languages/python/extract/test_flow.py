"""Flow inside a function: each use of a local name is what may reach it there."""

from __future__ import annotations

from tests.languages.python.extract.reading import members, unit


def test_branches_join() -> None:
    """After an `if` a name is what either way left."""
    source = """
        def f(a, b, c):
            x = a
            x()
            if c:
                x = b
            x()
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 PARAM f 2",
        "%3 CALL %0() @3:5 site 0",
        "%4 UNION %1 %0",
        "%5 CALL %4() @6:5 site 1",
    ]


def test_early_return_narrows() -> None:
    """What fails the test has left."""
    source = """
        def f(x):
            if not isinstance(x, A):
                return
            x.go()
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 NAME isinstance",
        "%2 NAME A",
        "%3 CALL %1(%0, %2) @2:12 site 0",
        "%4 CONST bool -",
        "%5 NARROW %0 %2 0",
        "%6 NARROW %0 %2 1",
        "%7 ATTR %6 go 4 7 4 5",
        "%8 CALL %7() @4:7 site 1",
        "REFER %2 USES_TYPE 2 26",
    ]


def test_loops_look_ahead() -> None:
    """A name that the loop binds may come from the round before."""
    source = """
        def f(xs):
            last = None
            for x in xs:
                last.go()
                last = x
            return last
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 CONST None -",
        "%2 ELEM %0 3 14 0",
        "%3 UNION %1 %2",
        "%4 ATTR %3 go 4 14 4 9",
        "%5 CALL %4() @4:14 site 0",
        "RETURN %3",
    ]


def test_endless_loops_end_by_break() -> None:
    """`while True` is left with what a `break` knew."""
    source = """
        def f(g):
            x = g
            while True:
                x = h()
                if x:
                    break
            x()
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 UNION %0 %4",
        "%2 CONST bool -",
        "%3 NAME h",
        "%4 CALL %3() @4:13 site 0",
        "%5 CALL %4() @7:5 site 1",
    ]


def test_handlers_see_every_binding() -> None:
    """A handler may run behind any statement of its `try`."""
    source = """
        def f():
            try:
                v = one()
                v = two()
            except KeyError as e:
                v = three(e)
            return v
    """
    assert unit(source, "f").splitlines() == [
        "%0 NAME one",
        "%1 CALL %0() @3:13 site 0",
        "%2 NAME two",
        "%3 CALL %2() @4:13 site 1",
        "%4 UNION %1 %3",
        "%5 NAME KeyError",
        "%6 TYPED %5 -",
        "%7 NAME three",
        "%8 CALL %7(%6) @6:13 site 2",
        "%9 UNION %3 %8",
        "REFER %5 USES_TYPE 5 12",
        "RETURN %9",
    ]


def test_raised_classes_are_constructed() -> None:
    source = """
        def f(e):
            try:
                raise Broken
            except Broken:
                raise
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 NAME Broken",
        "RAISE %1 3 15",
        "REFER %1 USES_TYPE 4 12",
    ]


def test_captured_names_are_bound_for_closures() -> None:
    source = """
        def f(a):
            n = a
            def g():
                nonlocal n
                n = a
                return n
            return g
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 DEF f.g",
        "REFER %1 REFERENCES 7 12",
        "RETURN %1",
        "BIND f a %0",
        "BIND f n %0",
    ]


def test_inner_functions_read_captured_names() -> None:
    """`nonlocal` binds in the function around."""
    source = """
        def f(a):
            n = a
            def g():
                nonlocal n
                n = a
                return n
            return g
    """
    assert unit(source, "f.g").splitlines() == [
        "%0 LOCAL f a",
        "BIND f n %0",
        "RETURN %0",
    ]


def test_comprehensions_hide_their_targets() -> None:
    source = """
        def f(xs):
            x = 1
            ys = [x.go() for x in xs if x]
            return {k: v for k, v in ys}
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 CONST int 1",
        "%2 ELEM %0 3 27 3",
        "%3 ATTR %2 go 3 13 3 11",
        "%4 CALL %3() @3:13 site 0",
        "%5 LIST 0 list %4",
        "%6 ELEM %5 4 30 3",
        "%7 UNPACK %6 0 0",
        "%8 UNPACK %6 1 0",
        "%9 DICT 1 dict %7 %8",
        "RETURN %9",
    ]


def test_walrus_binds_in_the_function() -> None:
    source = """
        def f(xs):
            if (n := g(xs)):
                n.go()
            return [m := x for x in xs], m
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 NAME g",
        "%2 CALL %1(%0) @2:14 site 0",
        "%3 ATTR %2 go 3 11 3 9",
        "%4 CALL %3() @3:11 site 1",
        "%5 ELEM %0 4 29 3",
        "%6 LIST 0 list %5",
        "%7 LIST 1 tuple %6 %5",
        "RETURN %7",
    ]


def test_stored_fields_are_known_until_a_call() -> None:
    source = """
        def f(self, g):
            self.hook = g
            self.hook()
            g()
            self.hook()
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 ATTR %0 hook 3 10 3 5",
        "%3 CALL %1() @3:10 site 0",
        "%4 CALL %1() @4:5 site 1",
        "%5 ATTR %0 hook 5 10 5 5",
        "%6 UNION %1 %5",
        "%7 CALL %6() @5:10 site 2",
        "STORE %0 hook %1 2 5",
    ]


def test_assert_isinstance_callable_and_type_narrow() -> None:
    source = """
        def f(x, y):
            assert isinstance(x, A)
            x.a()
            if callable(y) or issubclass(y, A):
                y()
            if type(x) is B:
                x.b()
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME isinstance",
        "%3 NAME A",
        "%4 CALL %2(%0, %3) @2:12 site 0",
        "%5 NARROW %0 %3 1",
        "%6 ATTR %5 a 3 7 3 5",
        "%7 CALL %6() @3:7 site 1",
        "%8 NAME callable",
        "%9 CALL %8(%1) @4:8 site 2",
        "%10 BUILTIN builtins.callable",
        "%11 NARROW %1 %10 0",
        "%12 NAME issubclass",
        "%13 CALL %12(%11, %3) @4:23 site 3",
        "%14 BUILTIN builtins.type",
        "%15 ITEM %14 %3 4 23",
        "%16 UNION %9 %13",
        "%17 CALL %1() @5:9 site 4",
        "%18 NARROW %1 %10 0",
        "%19 NARROW %18 %15 0",
        "%20 NAME type",
        "%21 CALL %20(%5) @6:8 site 5",
        "%22 NAME B",
        "%23 CONST bool -",
        "%24 NARROW %5 %22 1",
        "%25 ATTR %24 b 7 11 7 9",
        "%26 CALL %25() @7:11 site 6",
        "REFER %3 USES_TYPE 2 26",
        "REFER %3 USES_TYPE 4 37",
        "REFER %22 USES_TYPE 6 19",
    ]


def test_conditional_expressions_narrow_both_ways() -> None:
    source = """
        def f(a, b):
            return (a if isinstance(a, A) else b) or g
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME isinstance",
        "%3 NAME A",
        "%4 CALL %2(%0, %3) @2:18 site 0",
        "%5 NARROW %0 %3 1",
        "%6 NARROW %0 %3 0",
        "%7 UNION %5 %1",
        "%8 NAME g",
        "%9 UNION %5 %1 %8",
        "REFER %3 USES_TYPE 2 32",
        "REFER %8 REFERENCES 2 46",
        "RETURN %9",
    ]


def test_patterns_narrow_and_capture() -> None:
    source = """
        def f(p):
            match p:
                case Point(x=0, y=y):
                    p.go(y)
                case [a, *rest] | {"k": a}:
                    a(rest)
                case mod.RED:
                    pass
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 NAME Point",
        "%2 NARROW %0 %1 1",
        "%3 ATTR %2 x 3 20 3 20",
        "%4 ATTR %2 y 3 25 3 25",
        "%5 ATTR %2 go 4 15 4 13",
        "%6 CALL %5(%4) @4:15 site 0",
        "%7 UNPACK %0 0 0",
        "%8 UNPACK %0 1 1",
        "%9 CONST str k",
        "%10 ITEM %0 %9 5 28",
        "%11 UNION %7 %10",
        "%12 CALL %11(%8) @6:13 site 1",
        "%13 NAME mod",
        "%14 ATTR %13 RED 7 18 7 14",
        "REFER %1 USES_TYPE 3 14",
        "REFER %13 REFERENCES 7 14",
        "REFER %14 REFERENCES 7 18",
    ]


def test_tests_join_type_checking_branches() -> None:
    """Names that only type checkers import mean what they import."""
    source = """
        if TYPE_CHECKING:
            from models import User
        else:
            User = object
        try:
            import fast
        except ImportError:
            fast = None
        if flag:
            def run(): pass
        else:
            def run(): pass
    """
    assert members(source) == [
        "User = IMPORT(NAME models:User)",
        "fast = IMPORT(TOP fast)",
        "fast = CONST(None, -) symbol fast",
        "run = DEF(run) symbol run",
        "run = DEF(run~2) symbol run~2",
    ]


def test_with_may_swallow_what_is_raised() -> None:
    """Code behind a `with` that raises is reached."""
    source = """
        def f():
            x = one
            with suppress():
                x = two
                raise Broken
            x()
    """
    assert unit(source, "f").splitlines() == [
        "%0 NAME one",
        "%1 NAME suppress",
        "%2 CALL %1() @3:10 site 0",
        "%3 ENTER %2 3 10 0",
        "%4 NAME two",
        "%5 NAME Broken",
        "%6 CALL %4() @6:5 site 1",
        "REFER %0 REFERENCES 2 9",
        "REFER %4 REFERENCES 4 13",
        "RAISE %5 5 15",
    ]


def test_loop_else_runs_without_break() -> None:
    source = """
        def f(xs):
            for x in xs:
                found = x
                break
            else:
                found = default
            found()
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 ELEM %0 2 14 0",
        "%2 UNION",
        "%3 NAME default",
        "%4 UNION %3 %1",
        "%5 CALL %4() @7:5 site 0",
        "REFER %3 REFERENCES 6 17",
    ]


def test_finally_runs_after_return() -> None:
    source = """
        def f():
            v = None
            try:
                v = open_it()
                return v
            finally:
                v.close()
    """
    assert unit(source, "f").splitlines() == [
        "%0 CONST None -",
        "%1 NAME open_it",
        "%2 CALL %1() @4:13 site 0",
        "%3 UNION %0 %2",
        "%4 ATTR %3 close 7 11 7 9",
        "%5 CALL %4() @7:11 site 1",
        "RETURN %2",
    ]


def test_deleted_names_are_gone() -> None:
    source = """
        def a(): pass
        def b(): pass
        del a
    """
    assert members(source) == [
        "b = DEF(b) symbol b",
    ]


def test_globals_bind_in_the_module() -> None:
    source = """
        def f():
            global state
            state = make()
            return state
    """
    assert unit(source, "f").splitlines() == [
        "%0 NAME make",
        "%1 CALL %0() @3:13 site 0",
        "BIND <file> state %1",
        "RETURN %1",
    ]
