"""Symbols: kinds, spans, names, signatures."""

from __future__ import annotations

from tests.languages.python.extract.reading import symbols


def test_kinds_and_spans() -> None:
    source = '''
        """A module."""
        LIMIT: Final = 3
        rate = 1.5

        @wrap
        class A(Base, metaclass=Meta):
            size: int = 0

            def __init__(self, x, /, y=1, *rest, z: int, **more):
                pass

            @property
            def p(self) -> int:
                return 1

            @p.setter
            def p(self, v):
                pass

            @staticmethod
            def s(): pass

            @classmethod
            async def c(cls):
                yield 1

            class Inner:
                pass

        def f():
            def g(): return lambda: 1
            x = lambda: 2
            return lambda: 3

        handler = lambda a: a
    '''
    assert symbols(source) == [
        "Constant LIMIT 2:1-2:17",
        "Variable rate 3:1-3:11",
        "Class A 5:1-28:13 bases NAME(Base) decorators NAME(wrap) metaclass NAME(Meta)",
        "Variable A.size 7:5-7:18 declared NAME(int)",
        "Constructor A.__init__ 9:5-10:13 drawn A (self, x, y = …, *rest, z: NAME(int), **more)",
        "Property A.p 12:5-14:17 (self) -> NAME(int) decorators NAME(property) accessor get",
        "Property A.p~2 16:5-18:13 SETTER (self, v) accessor set",
        "Method A.s 20:5-21:18 STATIC decorators NAME(staticmethod)",
        "Method A.c 23:5-25:16 ASYNC GENERATOR CLASSMETHOD (cls) decorators NAME(classmethod)",
        "Class A.Inner 27:5-28:13",
        "Function f 30:1-33:21",
        "Function f.g 31:5-31:30",
        "Function f.g.<lambda1> 31:21-31:30 ANONYMOUS drawn f.g",
        "Function f.<lambda1> 32:9-32:18 ANONYMOUS drawn f",
        "Function f.<lambda2> 33:12-33:21 ANONYMOUS drawn f",
        "Variable handler 35:1-35:22",
        "Function <lambda1> 35:11-35:22 ANONYMOUS drawn handler (a) returned_params [0]",
    ]


def test_second_definitions_are_counted() -> None:
    source = """
        def f(): pass
        def f(): pass
        class C:
            def m(self): pass
        class C:
            def m(self): pass
            def m(self): pass
        f = wrap(f)
        x = 1
        x = 2
    """
    assert symbols(source) == [
        "Function f 1:1-1:14",
        "Function f~2 2:1-2:14",
        "Class C 3:1-4:22",
        "Method C.m 4:5-4:22 (self)",
        "Class C~2 5:1-7:22",
        "Method C~2.m 6:5-6:22 (self)",
        "Method C~2.m~2 7:5-7:22 (self)",
        "Variable x 9:1-9:6",
    ]


def test_enums_have_members() -> None:
    source = """
        class Color(enum.Enum):
            RED = 1
            _hidden = 2
            def label(self): pass
        class Shade(Color):
            DARK = auto()
        class Plain:
            X = 1
    """
    assert symbols(source) == [
        "Enum Color 1:1-4:26 bases ATTR(NAME(enum), Enum)",
        "EnumMember Color.RED 2:5-2:12",
        "Variable Color._hidden 3:5-3:16",
        "Method Color.label 4:5-4:26 (self)",
        "Enum Shade 5:1-6:18 bases DEF(Color)",
        "EnumMember Shade.DARK 6:5-6:18",
        "Class Plain 7:1-8:10",
        "Variable Plain.X 8:5-8:10",
    ]


def test_overloads_are_declarations() -> None:
    """The implementation has the name."""
    source = """
        @overload
        def f(a: int) -> int: ...
        @typing.overload
        def f(a: str) -> str: ...
        def f(a): return a
    """
    assert symbols(source) == [
        "Function f 1:1-2:26 DECLARATION (a: NAME(int)) -> NAME(int) decorators NAME(overload)",
        "Function f~2 3:1-4:26 DECLARATION (a: NAME(str)) -> NAME(str) decorators ATTR(NAME(typing), overload)",
        "Function f~3 5:1-5:19 (a) returned_params [0]",
    ]


def test_aliases_say_what_they_stand_for() -> None:
    source = """
        from typing import Union, NewType, TypeAlias
        Id = NewType("Id", int)
        Either = Union["A", B[int]]
        Named: TypeAlias = "list[A]"
        Pipe = A | None
        type Box[X] = list[X]
        T = TypeVar("T", bound=A)
    """
    assert symbols(source) == [
        "TypeAlias Id 2:1-2:24 alias NAME(int)",
        (
            "Variable Either 3:1-3:28 alias ITEM(IMPORT(NAME typing:Union), LIST(tuple, NAME(A), "
            "ITEM(NAME(B), NAME(int))))"
        ),
        "TypeAlias Named 4:1-4:29 alias ITEM(NAME(list), NAME(A))",
        "Variable Pipe 5:1-5:16 alias UNION(NAME(A), CONST(None, -))",
        "TypeAlias Box 6:1-6:22 alias ITEM(NAME(list), TYPEPARAM(Box, X)) type_params X",
        "Variable T 7:1-7:26",
    ]


def test_type_parameters_are_declared() -> None:
    """Defaults are read although the grammar does not know them."""
    source = """
        class Box[T: Base, *Ts, **P, D = str](Generic[T]):
            def get[U](self, t: T, u: U) -> D: ...
        def first[T](xs: list[T]) -> T: ...
    """
    assert symbols(source) == [
        "Class Box 1:1-2:43 bases ITEM(NAME(Generic), TYPEPARAM(Box, T)) type_params T Ts P D",
        (
            "Method Box.get 2:5-2:43 (self, t: TYPEPARAM(Box, T), u: TYPEPARAM(Box.get, U)) -> "
            "TYPEPARAM(Box, D) type_params U"
        ),
        "Function first 3:1-3:36 (xs: ITEM(NAME(list), TYPEPARAM(first, T))) -> TYPEPARAM(first, T) type_params T",
    ]


def test_stubs_are_declarations() -> None:
    source = """
        def f(a: int) -> str: ...
        class A:
            x: int
    """
    assert symbols(source, "m.pyi") == [
        "Function f 1:1-1:26 DECLARATION (a: NAME(int)) -> NAME(str)",
        "Class A 2:1-3:11 DECLARATION",
        "Variable A.x 3:5-3:11 declared NAME(int)",
    ]


def test_old_parameters_are_taken_apart() -> None:
    source = """
        def f(a, (b, c)):
            return b()
    """
    assert symbols(source) == [
        "Function f 1:1-2:15 (a, )",
    ]


def test_identity_is_noted_apart() -> None:
    source = """
        def f(a, b):
            if a: return b
            return a
    """
    assert symbols(source) == [
        "Function f 1:1-3:13 (a, b) returned_params [0, 1]",
    ]
