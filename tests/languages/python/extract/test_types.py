"""Types as written: annotations, strings and comments, all noted as USES_TYPE."""

from __future__ import annotations

from tests.languages.python.extract.reading import symbols, unit


def test_annotations_are_uses() -> None:
    source = """
        def f(a: A, b: "pkg.B | None" = None, *c: List["C"], d: Callable[[D], E]) -> Optional[F]:
            x: G
            y: H[int] = a
            return y
    """
    assert unit(source, "f").splitlines() == [
        "%0 NAME A",
        "%1 NAME pkg",
        "%2 ATTR %1 B 1 21 1 17",
        "%3 CONST None -",
        "%4 UNION %2 %3",
        "%5 NAME List",
        "%6 NAME C",
        "%7 ITEM %5 %6 1 43",
        "%8 NAME Callable",
        "%9 NAME D",
        "%10 LIST 0 list %9",
        "%11 NAME E",
        "%12 LIST 1 tuple %10 %11",
        "%13 ITEM %8 %12 1 57",
        "%14 NAME Optional",
        "%15 NAME F",
        "%16 ITEM %14 %15 1 78",
        "%17 PARAM f 0",
        "%18 PARAM f 1",
        "%19 PARAM f 2",
        "%20 PARAM f 3",
        "%21 NAME G",
        "%22 TYPED %21 -",
        "%23 NAME H",
        "%24 NAME int",
        "%25 ITEM %23 %24 3 8",
        "%26 TYPED %25 %17",
        "REFER %0 USES_TYPE 1 10",
        "REFER %1 USES_TYPE 1 17",
        "REFER %2 USES_TYPE 1 21",
        "REFER %5 USES_TYPE 1 43",
        "REFER %6 USES_TYPE 1 49",
        "REFER %8 USES_TYPE 1 57",
        "REFER %9 USES_TYPE 1 67",
        "REFER %11 USES_TYPE 1 71",
        "REFER %14 USES_TYPE 1 78",
        "REFER %15 USES_TYPE 1 87",
        "REFER %21 USES_TYPE 2 8",
        "REFER %23 USES_TYPE 3 8",
        "REFER %24 USES_TYPE 3 10",
        "RETURN %26",
    ]


def test_signatures_have_head_terms() -> None:
    source = """
        def f(a: A, b: "pkg.B | None" = None, *c: List["C"], d: Callable[[D], E]) -> Optional[F]: ...
        def g(x: Literal["A"], y: Annotated[A, check(B)], z: tuple[A, ...]) -> t.Self: ...
        def h(x: 'broken [', y: "") -> None: ...
    """
    assert symbols(source) == [
        (
            "Function f 1:1-1:94 (a: NAME(A), b: UNION(ATTR(NAME(pkg), B), CONST(None, -)) = …, *c: "
            "ITEM(NAME(List), NAME(C)), d: ITEM(NAME(Callable), LIST(tuple, LIST(list, NAME(D)), NAME(E)))) "
            "-> ITEM(NAME(Optional), NAME(F))"
        ),
        (
            "Function g 2:1-2:83 (x: ITEM(NAME(Literal), CONST(str, A)), y: ITEM(NAME(Annotated), "
            "LIST(tuple, NAME(A), CALL(NAME(check), NAME(B)))), z: ITEM(NAME(tuple), LIST(tuple, NAME(A), "
            "CONST(ellipsis, -)))) -> ATTR(NAME(t), Self)"
        ),
        "Function h 3:1-3:41 (x, y) -> CONST(None, -)",
    ]


def test_type_comments_are_read() -> None:
    source = """
        def f(a, b):
            # type: (A, List[B]) -> C
            x = []  # type: List[D]
        def g(
            a,  # type: A
            *b,  # type: B
        ):
            # type: (...) -> C
            pass
        class K:
            def m(self, a):
                # type: (A) -> None
                pass
    """
    assert symbols(source) == [
        "Function f 1:1-3:28 (a: NAME(A), b: ITEM(NAME(List), NAME(B))) -> NAME(C)",
        "Function g 4:1-9:9 (a: NAME(A), *b: NAME(B)) -> NAME(C)",
        "Class K 10:1-13:13",
        "Method K.m 11:5-13:13 (self, a: NAME(A)) -> CONST(None, -)",
    ]


def test_a_class_sees_its_own_names() -> None:
    source = """
        class A:
            class Inner: pass
            def date(self) -> date: ...
            def make(self) -> Inner: ...
    """
    assert symbols(source) == [
        "Class A 1:1-4:33",
        "Class A.Inner 2:5-2:22",
        "Method A.date 3:5-3:32 (self) -> NAME(date)",
        "Method A.make 4:5-4:33 (self) -> DEF(A.Inner)",
    ]


def test_types_of_handlers_and_tests() -> None:
    source = """
        def f(x):
            try:
                pass
            except (A, mod.B) as e:
                e.go()
            except C:
                raise D from x
            return isinstance(x, (E, F)) or issubclass(x, G | H)
    """
    assert unit(source, "f").splitlines() == [
        "%0 PARAM f 0",
        "%1 NAME A",
        "%2 NAME mod",
        "%3 ATTR %2 B 4 20 4 16",
        "%4 LIST 0 tuple %1 %3",
        "%5 UNION %1 %3",
        "%6 TYPED %5 -",
        "%7 ATTR %6 go 5 11 5 9",
        "%8 CALL %7() @5:11 site 0",
        "%9 NAME C",
        "%10 NAME D",
        "%11 NAME isinstance",
        "%12 NAME E",
        "%13 NAME F",
        "%14 LIST 1 tuple %12 %13",
        "%15 CALL %11(%0, %14) @8:12 site 1",
        "%16 NARROW %0 %14 0",
        "%17 NAME issubclass",
        "%18 NAME G",
        "%19 NAME H",
        "%20 UNION %18 %19",
        "%21 CALL %17(%16, %20) @8:37 site 2",
        "%22 BUILTIN builtins.type",
        "%23 ITEM %22 %20 8 37",
        "%24 UNION %15 %21",
        "REFER %1 USES_TYPE 4 13",
        "REFER %2 USES_TYPE 4 16",
        "REFER %3 USES_TYPE 4 20",
        "REFER %9 USES_TYPE 6 12",
        "RAISE %10 7 15",
        "REFER %12 USES_TYPE 8 27",
        "REFER %13 USES_TYPE 8 30",
        "REFER %18 USES_TYPE 8 51",
        "REFER %19 USES_TYPE 8 55",
        "RETURN %24",
    ]
