"""Members: what the names of a module or class stand for when its body is done."""

from __future__ import annotations

from tests.languages.python.extract.reading import members, section


def test_plain_names_are_head_terms() -> None:
    source = """
        from m import one, two as deux
        import a.b, a.c
        import x.y as z
        def f(): pass
        g = f
        h = z.thing
        table = {"a": f, "b": [one, deux]}
        later = make()
        n: int = 3
    """
    assert members(source) == [
        "one = IMPORT(NAME m:one)",
        "deux = IMPORT(NAME m:two)",
        "a = IMPORT(TOP a.b)",
        "z = IMPORT(MODULE x.y)",
        "f = DEF(f) symbol f",
        "g = DEF(f) symbol g",
        "h = ATTR(IMPORT(MODULE x.y), thing) symbol h",
        (
            "table = DICT(dict, CONST(str, a), DEF(f), CONST(str, b), LIST(list, IMPORT(NAME m:one), "
            "IMPORT(NAME m:two))) symbol table"
        ),
        "later = - symbol later",
        "n = - symbol n type NAME(int)",
    ]


def test_conditional_names_have_several() -> None:
    source = """
        try:
            from fast import loads
        except ImportError:
            loads = None
        if a:
            x = one
        elif b:
            x = two
        else:
            x = make()
    """
    assert members(source) == [
        "loads = IMPORT(NAME fast:loads)",
        "loads = CONST(None, -) symbol loads",
        "x = NAME(one) symbol x",
        "x = NAME(two) symbol x",
        "x = - symbol x",
    ]


def test_class_members() -> None:
    source = """
        class A:
            x: int
            y: ClassVar[int] = 1
            z: "list[A]" = field(default_factory=list)
            w = 1
            def m(self): self.late: str = ""
            alias = m
            @property
            def p(self): pass
            @p.setter
            def p(self, v): pass
    """
    assert section(source, "members") == [
        "A . late = - type NAME(str) instance",
        "A . self.late = -",
        "A . x = - symbol A.x type NAME(int) instance",
        "A . y = - symbol A.y type ITEM(NAME(ClassVar), NAME(int))",
        "A . z = - symbol A.z type ITEM(NAME(list), NAME(A))",
        "A . w = CONST(int, 1) symbol A.w",
        "A . alias = DEF(A.m) symbol A.alias",
        "A . m = DEF(A.m) symbol A.m",
        "A . p = DEF(A.p) symbol A.p",
        "A . p = DEF(A.p~2) symbol A.p~2",
        "<file> . A = DEF(A) symbol A",
    ]


def test_functions_bind_module_names() -> None:
    source = """
        ready = False
        def start():
            global ready, other
            ready = make()
            other = 1
    """
    assert members(source) == [
        "ready = CONST(bool, -) symbol ready",
        "start = DEF(start) symbol start",
        "other = - symbol other",
        "ready = - symbol ready",
    ]
