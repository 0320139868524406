"""Expressions as terms: calls, implicit calls, dynamic access, containers."""

from __future__ import annotations

from tests.languages.python.extract.reading import unit


def test_dynamic_access_with_literal_names() -> None:
    source = """
        def f(x):
            getattr(x, "go")()
            getattr(x, "stop", g)
            setattr(x, "hook", g)
            globals()["top"]()
            __import__("os.path")
            importlib.import_module("pkg.mod").run()
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 NAME getattr",
        "%2 CONST str go",
        "%3 CALL %1(%0, %2) @2:5 site 0",
        "%4 ATTR %0 go 2 5 2 5",
        "%5 CALL %4() @2:21 site 1",
        "%6 CONST str stop",
        "%7 NAME g",
        "%8 CALL %1(%0, %6, %7) @3:5 site 2",
        "%9 ATTR %0 stop 3 5 3 5",
        "%10 UNION %9 %7",
        "%11 NAME setattr",
        "%12 CONST str hook",
        "%13 CALL %11(%0, %12, %7) @4:5 site 3",
        "%14 NAME globals",
        "%15 CALL %14() @5:5 site 4",
        "%16 CONST str top",
        "%17 NAME top",
        "%18 CALL %17() @5:21 site 5",
        "%19 NAME __import__",
        "%20 CONST str os.path",
        "%21 CALL %19(%20) @6:5 site 6",
        "%22 IMPORT TOP os.path",
        "%23 NAME importlib",
        "%24 ATTR %23 import_module 7 15 7 5",
        "%25 CONST str pkg.mod",
        "%26 CALL %24(%25) @7:15 site 7",
        "%27 IMPORT MODULE pkg.mod",
        "%28 ATTR %27 run 7 40 7 5",
        "%29 CALL %28() @7:40 site 8",
        "REFER %7 REFERENCES 3 24",
        "REFER %9 REFERENCES 3 5",
        "REFER %7 REFERENCES 4 24",
        "STORE %0 hook %7 4 5",
        "REFER %23 REFERENCES 7 5",
    ]


def test_super_in_both_shapes() -> None:
    source = """
        class A:
            def m(self):
                super().m()
                super(A, self).m()
    """
    assert unit(source, "A.m").splitlines() == [
        "%0 PARAM A.m 0",
        "%1 NAME super",
        "%2 CALL %1() @3:9 site 0",
        "%3 SUPER A %0",
        "%4 ATTR %3 m 3 17 3 9",
        "%5 CALL %4() @3:17 site 1",
        "%6 NAME A",
        "%7 CALL %1(%6, %0) @4:9 site 2",
        "%8 SUPER A %0",
        "%9 ATTR %8 m 4 24 4 9",
        "%10 CALL %9() @4:24 site 3",
        "REFER %6 REFERENCES 4 15",
    ]


def test_operators_call_special_methods() -> None:
    """Two constants call nothing."""
    source = """
        def f(a, b):
            a += b
            return -a < b in [1 + 2]
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 OPER __iadd__ %0 %1 2 7",
        "%3 OPER __neg__ %2 - 3 12",
        "%4 OPER __lt__ %3 %1 3 15",
        "%5 CONST int 1",
        "%6 CONST int 2",
        "%7 LIST 0 list %5",
        "%8 OPER __contains__ %7 %1 3 19",
        "RETURN %4",
    ]


def test_arguments_keep_their_kind() -> None:
    source = """
        def f(a, *b, **c):
            g(a, 1, k="v", *b, **c)
            g(x for x in b)
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 PARAM f 2",
        "%3 NAME g",
        "%4 CONST int 1",
        "%5 CONST str v",
        "%6 ELEM %1 2 21 2",
        "%7 CALL %3(%0, %4, k=%5, *%1, **%2) @2:5 site 0",
        "%8 ELEM %1 3 18 3",
        "%9 LIST 0 generator %8",
        "%10 CALL %3(%9) @3:5 site 1",
    ]


def test_decorators_are_nested_calls_in_the_scope_around() -> None:
    source = """
        @first
        @second(1)
        def f(a=g): pass
    """
    assert unit(source, "").splitlines() == [
        "%0 NAME first",
        "%1 NAME second",
        "%2 CONST int 1",
        "%3 CALL %1(%2) @2:2 site 0",
        "%4 NAME g",
        "%5 NAME g",
        "%6 DEF f",
        "%7 DEF f",
        "%8 CALL %3(%7) @2:2 flags 4",
        "%9 CALL %0(%8) @1:2 flags 4",
        "REFER %5 REFERENCES 3 9",
        "DEFAULT f 0 %4",
        "DECORATED f %9",
        "owner %0..%6 f",
        "owner %7..%10 f",
    ]


def test_literals_are_unpacked_here() -> None:
    source = """
        def f(x):
            a, b = one, two
            a()
            c, *d, e = x
            g(d, e)
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 NAME one",
        "%2 NAME two",
        "%3 LIST 0 tuple %1 %2",
        "%4 CALL %1() @3:5 site 0",
        "%5 ELEM %0 4 16 2",
        "%6 UNPACK %0 0 0",
        "%7 UNPACK %0 1 1",
        "%8 UNPACK %0 -1 0",
        "%9 NAME g",
        "%10 CALL %9(%7, %8) @5:5 site 1",
        "REFER %1 REFERENCES 2 12",
        "REFER %2 REFERENCES 2 17",
    ]


def test_managers_awaits_and_yields() -> None:
    source = """
        async def f():
            with open() as h, lock:
                h.read()
            async with s() as (a, b):
                await a
            async for i in b:
                yield i
            yield
    """
    assert unit(source, "f").splitlines() == [
        "%0 NAME open",
        "%1 CALL %0() @2:10 site 0",
        "%2 ENTER %1 2 10 0",
        "%3 NAME lock",
        "%4 ENTER %3 2 23 0",
        "%5 ATTR %2 read 3 11 3 9",
        "%6 CALL %5() @3:11 site 1",
        "%7 NAME s",
        "%8 CALL %7() @4:16 site 2",
        "%9 ENTER %8 4 16 1",
        "%10 UNPACK %9 0 0",
        "%11 UNPACK %9 1 0",
        "%12 AWAIT %10 5 9",
        "%13 ELEM %11 6 20 1",
        "%14 YIELD %13",
        "%15 YIELD -",
        "REFER %3 REFERENCES 2 23",
        "YIELD %13",
    ]


def test_casts_and_annotations_type_values() -> None:
    source = """
        def f(x):
            y: "List[A]" = []
            z = cast(A, x)
            z.go()
            isinstance(x, (A, B)) and x.go()
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 NAME List",
        "%2 NAME A",
        "%3 ITEM %1 %2 2 9",
        "%4 LIST 0 list",
        "%5 TYPED %3 %4",
        "%6 NAME cast",
        "%7 CALL %6(%2, %0) @3:9 site 0",
        "%8 TYPED %2 %0",
        "%9 ATTR %8 go 4 7 4 5",
        "%10 CALL %9() @4:7 site 1",
        "%11 NAME isinstance",
        "%12 NAME B",
        "%13 LIST 1 tuple %2 %12",
        "%14 CALL %11(%0, %13) @5:5 site 2",
        "%15 NARROW %0 %13 1",
        "%16 ATTR %15 go 5 33 5 31",
        "%17 CALL %16() @5:33 site 3",
        "%18 UNION %14 %17",
        "REFER %1 USES_TYPE 2 9",
        "REFER %2 USES_TYPE 2 14",
        "REFER %2 USES_TYPE 3 14",
        "REFER %2 USES_TYPE 5 20",
        "REFER %12 USES_TYPE 5 23",
    ]


def test_lambdas_are_functions() -> None:
    source = """
        def f(xs):
            return sorted(xs, key=lambda x: x.rank)
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 NAME sorted",
        "%2 DEF f.<lambda1>",
        "%3 CALL %1(%0, key=%2) @2:12 site 0",
        "RETURN %3",
    ]


def test_items_are_put_and_deleted() -> None:
    source = """
        def f(d, k):
            d[k] = g
            del d[k], d.x
            d[1:2]
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME g",
        "%3 CONST int 1",
        "%4 CONST int 2",
        "%5 SLICE %0 4 5 %3 %4",
        "REFER %2 REFERENCES 2 12",
        "PUT %0 %1 %2 2 5",
        "DELETE %0 %1 3 9",
    ]


def test_format_strings_are_walked() -> None:
    source = """
        def f(x):
            return f"{x.name!r:>{width()}} {g(x)}" "tail"
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 ATTR %0 name 2 17 2 15",
        "%2 UNKNOWN",
        "%3 NAME width",
        "%4 CALL %3() @2:26 site 0",
        "%5 NAME g",
        "%6 CALL %5(%0) @2:37 site 1",
        "%7 CONST str -",
        "%8 CONST str tail",
        "REFER %1 REFERENCES 2 17",
        "RETURN %7",
    ]


def test_dicts_keep_constant_keys() -> None:
    source = """
        def f(k):
            table = {"a": one, k: two, **more}
            table["b"] = three
            table["a"]()
            return [*table, *k]
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 CONST str a",
        "%2 NAME one",
        "%3 NAME two",
        "%4 NAME more",
        "%5 DICT 0 dict %1 %2 %0 %3 - %4",
        "%6 NAME three",
        "%7 CONST str b",
        "%8 ITEM %5 %1 4 5",
        "%9 CALL %8() @4:15 site 0",
        "%10 ELEM %5 5 14 2",
        "%11 SPREAD %5",
        "%12 ELEM %0 5 22 2",
        "%13 SPREAD %0",
        "%14 LIST 1 list %11 %13",
        "REFER %2 REFERENCES 2 19",
        "REFER %3 REFERENCES 2 27",
        "REFER %4 REFERENCES 2 34",
        "REFER %6 REFERENCES 3 18",
        "PUT %5 %7 %6 3 5",
        "RETURN %14",
    ]


def test_long_tables_of_constants_are_their_types() -> None:
    source = """
        def f():
            return [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, "x"]
    """
    assert unit(source, "f").splitlines() == [
        "%0 CONST int -",
        "%1 CONST str -",
        "%2 LIST 0 list %0 %1",
        "RETURN %2",
    ]


def test_positions_count_code_points() -> None:
    source = """
        def f(x):
            "ä€𝄞"; x.méthode("é", y.go())
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 ATTR %0 méthode 2 14 2 12",
        "%2 CONST str é",
        "%3 NAME y",
        "%4 ATTR %3 go 2 29 2 27",
        "%5 CALL %4() @2:29 site 1",
        "%6 CALL %1(%2, %5) @2:14 site 0",
        "REFER %3 REFERENCES 2 27",
    ]


def test_strings_are_read() -> None:
    source = r"""
        def f(x):
            x["a" "b"]; x['q\n']; x[b"c"]; x[rb"d"]; x[-1]
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 CONST str ab",
        "%2 ITEM %0 %1 2 5",
        "%3 CONST str q",
        "%4 ITEM %0 %3 2 17",
        "%5 CONST bytes -",
        "%6 ITEM %0 %5 2 27",
        "%7 ITEM %0 %5 2 36",
        "%8 CONST int 1",
        "%9 CONST int -1",
        "%10 ITEM %0 %9 2 46",
    ]
