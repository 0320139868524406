"""Python that is deep or wide beyond reason: a size in, sources out."""

# ruff: noqa: E501  Sources in one string read better than sources cut at a column.
from __future__ import annotations

from tests.robust.shape import Files, Maker, Shape


def _nested(opening: str, middle: str, closing: str = "") -> Maker:
    def make(size: int) -> Files:
        return {"a.py": f"def f(x): return x\ny = {opening * size}{middle}{closing * size}\ndef after(): return f(1)\n"}

    return make


def _chained(link: str) -> Maker:
    def make(size: int) -> Files:
        text = "class A:\n    def m(self): return self\n    def __add__(self, other): return self\n"
        return {"a.py": f"{text}def f(x): return x\na = A()\ny = a{link * size}\ndef after(): return f(a)\n"}

    return make


def elif_chain(size: int) -> Files:
    arms = "".join(f"    {'el' if at else ''}if x == {at}: g = f{at}\n" for at in range(size))
    functions = "".join(f"def f{at}(): pass\n" for at in range(size))
    return {"a.py": f"{functions}def go(x):\n{arms}    g()\n"}


def blocks(size: int) -> Files:
    text = "".join(" " * at + f"if x{at}:\n" for at in range(size)) + " " * size + "f()\n"
    return {"a.py": f"def f(): pass\n{text}def after(): f()\n"}


def functions(size: int) -> Files:
    return {"a.py": "".join(f"def f{at}(): return f{(at + 1) % size}()\n" for at in range(size))}


def inheritance(size: int) -> Files:
    """Each level calls the one above; one member is at the top only."""
    text = "class C0:\n    def __init__(self): self.x = top\n    def m(self): pass\n    def only(self): pass\ndef top(): pass\n"
    for at in range(1, size):
        text += (
            f"class C{at}(C{at - 1}):\n    def __init__(self):\n        super().__init__()\n"
            f"    def m(self):\n        super().m()\n        self.only()\n        self.x()\n"
        )
    return {"a.py": f"{text}C{size - 1}().m()\nC{size - 1}().only()\nC0().m()\n"}


def inheritance_over_files(size: int) -> Files:
    files = {"c0.py": "class C0:\n    def m(self): pass\n    def only(self): pass\n"}
    for at in range(1, size):
        files[f"c{at}.py"] = (
            f"from c{at - 1} import C{at - 1}\nclass C{at}(C{at - 1}):\n    def m(self):\n        super().m()\n"
        )
    files["main.py"] = f"from c{size - 1} import C{size - 1}\nC{size - 1}().m()\nC{size - 1}().only()\n"
    return files


def import_cycle(size: int) -> Files:
    return {
        f"m{at}.py": f"from m{(at + 1) % size} import f{(at + 1) % size}\ndef f{at}(): return f{(at + 1) % size}()\n"
        for at in range(size)
    }


def reexport_cycle(size: int) -> Files:
    """One name handed around the whole cycle, defined in one module, and one that is nowhere."""
    files = {
        f"m{at}.py": f"from m{(at + 1) % size} import thing, nothing\ndef f{at}(): return thing() or nothing()\n"
        for at in range(size)
    }
    files["m0.py"] = "import m1\nfrom m1 import nothing\ndef thing(): return m1.thing\n"
    return files


def star_cycle(size: int) -> Files:
    return {
        f"m{at}.py": f"from m{(at + 1) % size} import *\ndef f{at}(): return f0() or f{size // 2}() or nowhere() or len([])\n"
        for at in range(size)
    }


def star_web(size: int) -> Files:
    """Every module imports everything of every other."""
    return {
        f"m{at}.py": "".join(f"from m{to} import *\n" for to in range(size) if to != at)
        + f"def f{at}(): return f0() or f{size // 2}() or nowhere()\n"
        for at in range(size)
    }


def base_cycle(size: int) -> Files:
    """Classes around a cycle of modules that inherit from each other."""
    return {
        f"m{at}.py": f"import m{(at + 1) % size}\nclass C(m{(at + 1) % size}.C):\n    def m{at}(self): self.m0(); self.none()\n"
        for at in range(size)
    }


def arguments(size: int) -> Files:
    functions = "".join(f"def f{at}(): pass\n" for at in range(size))
    names = ", ".join(f"a{at}" for at in range(size))
    given = ", ".join(f"f{at}" for at in range(size))
    keywords = ", ".join(f"a{at}=f{at}" for at in range(size))
    calls = "".join(f"    a{at}()\n" for at in range(size))
    rest = "def rest(*args, **kw):\n    for each in args: each()\n    kw['a1']()\n    args[7]()\n    take(*args)\n"
    text = f"{functions}def take({names}):\n{calls}{rest}take({given})\ntake({keywords})\nrest({given})\nrest({keywords})\n"
    return {"a.py": text}


def union_of_types(size: int) -> Files:
    classes = "".join(f"class C{at}:\n    def m(self): pass\n" for at in range(size))
    kinds = " | ".join(f"C{at}" for at in range(size))
    return {"a.py": f"{classes}def go(x: {kinds}):\n    x.m()\n    y = x\n    y.m()\n"}


def union_of_values(size: int) -> Files:
    text = "".join(f"def f{at}(x): return x\n" for at in range(size))
    text += "import sys\n"
    text += "".join(f"{'el' if at else ''}if len(sys.argv) == {at}: g = f{at}\n" for at in range(size))
    text += "def go():\n    g(g)\n    h = g\n    return h(g)(g)\n"
    return {"a.py": text}


def overrides(size: int) -> Files:
    text = "class B:\n    def m(self, x): return x\n"
    text += "".join(f"class C{at}(B):\n    def m(self, x): return self.m(self)\n" for at in range(size))
    return {"a.py": f"{text}def go(b: B):\n    b.m(b).m(b).m(b)\n"}


def table(size: int) -> Files:
    text = "".join(f"def f{at}(x): pass\n" for at in range(size))
    text += "T = {" + ", ".join(f"'k{at}': f{at}" for at in range(size)) + "}\n"
    return {"a.py": f"{text}def go(key):\n    T[key](key)\n    T['k3'](key)\n    for f in T.values(): f(go)\n"}


def table_that_calls_itself(size: int) -> Files:
    text = "".join(f"def f{at}(x): return T[x]\n" for at in range(size))
    text += "T = {" + ", ".join(f"'k{at}': f{at}" for at in range(size)) + "}\n"
    return {"a.py": f"{text}def go(key):\n    T[key](key)(key)(key)\n    for f in T.values(): f(f)\n"}


def table_elsewhere(size: int) -> Files:
    files = table(size)
    files["b.py"] = "from a import T\ndef run(key):\n    T[key](key)\n    for f in T.values(): f(run)\n"
    return files


def assignments(size: int) -> Files:
    text = "".join(f"def f{at}(): pass\n" for at in range(size))
    body = "".join(f"    g = f{at}\n    g()\n" for at in range(size))
    module = "".join(f"h = f{at}\n" for at in range(size))
    return {
        "a.py": f"{text}def go():\n{body}{module}def run(): h()\ndef loop():\n    for x in y:\n    {body.replace('    ', '        ')}"
    }


def assignments_in_loop(size: int) -> Files:
    text = "".join(f"def f{at}(x): return x\n" for at in range(size))
    body = "".join(f"        g = f{at}(g) or g\n" for at in range(size))
    return {"a.py": f"{text}def go():\n    g = f0\n    while g:\n{body}    g(g)\n"}


def swapped_in_loop(size: int) -> Files:
    """A loop through which values move one variable a turn."""
    start = "".join(f"    v{at} = f{at}\n" for at in range(size))
    moves = "".join(f"        v{at} = v{at + 1}\n" for at in range(size - 1))
    text = "".join(f"def f{at}(): pass\n" for at in range(size))
    return {"a.py": f"{text}def go():\n{start}    while True:\n        v0()\n{moves}        v{size - 1} = v0\n"}


def branches_in_a_row(size: int) -> Files:
    text = "".join(f"def f{at}(x): return x\n" for at in range(size))
    body = "".join(f"    if x: g = f{at}\n    if x and y or z: g(g)\n" for at in range(size))
    return {"a.py": f"{text}def go(x, y, z):\n    g = go\n{body}    g()\n"}


def tries(size: int) -> Files:
    body = "".join(f"    try: g = f{at}()\n    except E: g()\n    finally: g = g or f{at}\n" for at in range(size))
    text = "".join(f"def f{at}(): return go\n" for at in range(size))
    return {"a.py": f"{text}def go():\n    g = go\n{body}    return g\n"}


def closures(size: int) -> Files:
    text = "def f(): pass\n"
    for at in range(size):
        text += " " * at + f"def c{at}(x{at}):\n"
    text += " " * size + "".join(f"x{at}();" for at in range(size)) + "\n"
    for at in reversed(range(1, size)):
        text += " " * at + f"c{at}(f)\n" + " " * at + f"return c{at}\n"
    return {"a.py": f"{text}c0(f)\n"}


def lambdas(size: int) -> Files:
    """Curried functions, called one by one."""
    return {"a.py": f"def f(): pass\ng = {''.join(f'lambda a{at}: ' for at in range(size))}a0\ng{'(f)' * size}()\n"}


def decorators(size: int) -> Files:
    text = "".join(f"def d{at}(f):\n    def w(*a): return f(*a)\n    return w\n" for at in range(size))
    stack = "".join(f"@d{at}\n" for at in range(size))
    return {"a.py": f"{text}{stack}def g(): pass\ng()\n"}


def identity_decorators(size: int) -> Files:
    return {
        "a.py": "def d(f): return f\n" + "@d\n" * size + "def g(): pass\ng()\n" + "@d\n" * size + "class C: pass\nC()\n"
    }


def bases(size: int) -> Files:
    text = "".join(f"class B{at}:\n    def m{at}(self): pass\n    def m(self): super().m()\n" for at in range(size))
    names = ", ".join(f"B{at}" for at in range(size))
    return {"a.py": f"{text}class C({names}):\n    pass\nC().m()\nC().m{size - 1}()\n"}


def diamonds(size: int) -> Files:
    text = "class A0:\n    def m(self): pass\n"
    for at in range(size):
        text += (
            f"class L{at}(A{at}):\n    def m(self): super().m()\nclass R{at}(A{at}):\n    def m(self): super().m()\n"
        )
        text += f"class A{at + 1}(L{at}, R{at}):\n    def m(self): super().m()\n"
    return {"a.py": f"{text}A{size}().m()\n"}


def callbacks(size: int) -> Files:
    """Functions that pass themselves and each other on."""
    text = "".join(
        f"def f{at}(g, h):\n    g(f{at}, h)\n    h(g, f{(at + 1) % size})\n    return g\n" for at in range(size)
    )
    return {"a.py": f"{text}f0(f1, f2)\n"}


def callbacks_one_door(size: int) -> Files:
    """All functions go through one function that hands them on."""
    text = "def door(f, g): return f(g, f)\nS = []\ndef keep(f): S.append(f)\ndef all():\n    for f in S: f(f, S[0])\n"
    text += "".join(
        f"def f{at}(a, b):\n    door(f{at}, a)\n    keep(b)\n    return door(b, f{at})\n" for at in range(size)
    )
    return {"a.py": f"{text}door(f0, f1)\n"}


def boxes(size: int) -> Files:
    """Containers that contain themselves and each other."""
    text = "".join(f"b{at} = []\n" for at in range(size))
    text += "".join(f"b{at}.append(b{(at + 1) % size})\nb{at}.append(b{at})\nb{at}[0][0][0](1)\n" for at in range(size))
    return {"a.py": f"def f(): pass\n{text}b0[7] = f\ndef go():\n    b0[0][1][2][3]()\n    b0[7]()\n"}


def partials(size: int) -> Files:
    text = "from functools import partial\ndef f(*a): return f\np = f\n"
    text += "".join("p = partial(p, f)\n" for _ in range(size)) + "p()\n"
    text += "def go(p):\n    while p: p = partial(p, f)\n    p()\n    go(partial(p, p))\n"
    return {"a.py": text}


def generics(size: int) -> Files:
    text = (
        "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass Box(Generic[T]):\n    def get(self) -> T: ...\n"
    )
    text += "    def wrap(self) -> 'Box[Box[T]]': ...\n    def me(self) -> 'Box[Self]': ...\n"
    text += f"def go(x: {'Box[' * size}int{']' * size}):\n    x{'.get()' * size}\n    while 1: x = x.wrap()\n    y = x{'.wrap()' * size}\n    y.get()\n"
    return {"a.py": text}


def polymorphic_recursion(size: int) -> Files:
    """Types that grow with every base."""
    text = "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass N0(Generic[T]):\n    def get(self) -> T: ...\n"
    for at in range(1, size):
        text += f"class N{at}(N{at - 1}['tuple[T, T]']): pass\n"
    return {"a.py": f"{text}class X:\n    def m(self): pass\ndef go(n: N{size - 1}[X]): n.get()[0].m()\n"}


def aliases(size: int) -> Files:
    text = "class A:\n    def m(self): pass\nT0 = A\n" + "".join(
        f"T{at} = T{at - 1} | T{at - 1}\n" for at in range(1, size)
    )
    text += (
        "".join(f"type U{at} = list[U{at + 1}] | tuple[U{at + 1}, U{at + 1}]\n" for at in range(size))
        + f"type U{size} = A | U0\n"
    )
    return {"a.py": f"{text}def go(x: T{size - 1}, y: U0): x.m(); y[0][1].m()\n"}


def shared(make: str, last: str = "", header: str = "") -> Maker:
    """Each value is made of two of the one before: a walk that does not remember takes for ever."""

    def files(size: int) -> Files:
        text = f"class A:\n    def m(self): pass\ndef f(): return A()\ndef g(): pass\n{header}x0 = f\ny0 = g\nT0 = A\nU0 = A\n"
        for at in range(1, size):
            text += make.replace("@", str(at)).replace("<", str(at - 1)) + "\n"
        return {
            "a.py": text + last.replace("@", str(size - 1)) + "\n",
            "b.py": "from a import *\n" + last.replace("@", str(size - 1)) + "\n",
        }

    return files


def shared_in_function(size: int) -> Files:
    body = "".join("    x, y = (x if p else y), (y if q else [x, y])\n    z = {'a': z, 'b': z}\n" for _ in range(size))
    return {
        "a.py": f"def f(): pass\ndef go(p, q, x, y, z):\n    x = f\n{body}    x(); y(); z['a']['b']['a']()\n    return x, y, z\ngo(f, f, f, f, f)\n"
    }


def string_pieces(size: int) -> Files:
    return {"a.py": "x = (" + "'a' " * size + ")\ny = " + "f'{x}' " * size + "\ndef f(): pass\nf()\n"}


def fields(size: int) -> Files:
    text = "class C:\n    def __init__(self):\n" + "".join(f"        self.a{at} = self\n" for at in range(size))
    text += "".join(f"    def m{at}(self): return self.a{(at * 7) % size}.m{(at + 1) % size}\n" for at in range(size))
    return {"a.py": f"{text}c = C()\nc{'.a0' * size}.m0()\n"}


def comprehensions(size: int) -> Files:
    inside = "x" + "".join(f" for x{at} in [x]" for at in range(size))
    nested = "[" * min(size, 90) + "x" + " for x in y]" * min(size, 90)
    return {"a.py": f"def f(): pass\nz = [f() for x in y for x in y]\na = [{inside}]\nb = {nested}\ndef after(): f()\n"}


AFTER = "a.py:after -> a.py:f"
SHAPES: dict[str, Shape] = {
    "parentheses": Shape(_nested("(", "f(1)", ")"), 10_000, AFTER),
    "lists": Shape(_nested("[", "f", "]"), 10_000, AFTER),
    "dicts": Shape(_nested("{1: ", "f", "}"), 10_000, AFTER),
    "calls": Shape(_nested("f(", "1", ")"), 10_000, AFTER),
    "calls of calls": Shape(_chained("()"), 10_000, AFTER),
    "lambdas in lambdas": Shape(_nested("lambda x: ", "f(1)"), 10_000, AFTER),
    "minuses": Shape(_nested("-", "f(1)"), 10_000, AFTER),
    "nots": Shape(_nested("not ", "f(1)"), 10_000, AFTER),
    "awaits": Shape(_nested("await ", "f(1)"), 10_000, AFTER),
    "conditional expressions": Shape(_nested("f(1) if f else ", "f(1)"), 10_000, AFTER),
    "subscripts in subscripts": Shape(_nested("f[", "f(1)", "]"), 10_000, AFTER),
    "method calls": Shape(_chained(".m()"), 10_000, AFTER),
    "attributes": Shape(_chained(".m"), 10_000, AFTER),
    "subscripts": Shape(_chained("[0]"), 10_000, AFTER),
    "sums": Shape(_chained(" + a"), 10_000, AFTER),
    "powers": Shape(_chained(" ** a"), 10_000, AFTER),
    "comparisons": Shape(_chained(" < a"), 10_000, AFTER),
    "ands": Shape(_chained(" and f(1)"), 10_000, AFTER),
    "string pieces": Shape(string_pieces, 10_000, "a.py -> a.py:f"),
    "elif chain": Shape(elif_chain, 1_000, "a.py:go -> a.py:f{last}", 10_000),
    "blocks": Shape(blocks, 1_000, "a.py:after -> a.py:f", 1_900),
    "functions": Shape(functions, 10_000, "a.py:f{last} -> a.py:f0"),
    "inheritance": Shape(inheritance, 200, "a.py -> a.py:C0.only"),
    "inheritance over files": Shape(inheritance_over_files, 200, "main.py -> c0.py:C0.only", 500),
    "import cycle": Shape(import_cycle, 500, "m{last}.py:f{last} -> m0.py:f0"),
    "re-export cycle": Shape(reexport_cycle, 500, "m1.py:f1 -> m0.py:thing"),
    "star cycle": Shape(star_cycle, 300, "m{last}.py:f{last} -> m{half}.py:f{half}", 500),
    "star web": Shape(star_web, 40, "m{last}.py:f{last} -> m{half}.py:f{half}", 100),
    "base cycle": Shape(base_cycle, 100, "m0.py:C.m0 -> m0.py:C.m0", 500),
    "arguments": Shape(arguments, 1_000, "a.py:take -> a.py:f{last}"),
    "union of types": Shape(union_of_types, 1_000, "a.py:go -> a.py:C{last}.m"),
    "union of values": Shape(union_of_values, 200, "a.py:go -> a.py:f{last}", 1_000),
    "overrides": Shape(overrides, 1_000, "a.py:go -> a.py:C{last}.m"),
    "table": Shape(table, 5_000, "a.py:go -> a.py:f{last}"),
    "table elsewhere": Shape(table_elsewhere, 5_000, "b.py:run -> a.py:f{last}"),
    "table that calls itself": Shape(table_that_calls_itself, 150, "a.py:go -> a.py:f{last}", 600),
    "assignments": Shape(assignments, 2_000, "a.py:run -> a.py:f{last}"),
    "assignments in a loop": Shape(assignments_in_loop, 2_000, "a.py:go -> a.py:f{last}"),
    "swapped in a loop": Shape(swapped_in_loop, 200, "a.py:go -> a.py:f49"),
    "branches in a row": Shape(branches_in_a_row, 60, "a.py:go -> a.py:f{last}", 300),
    "tries": Shape(tries, 150, "a.py:go -> a.py:f{last}", 1_000),
    "closures": Shape(closures, 95, "a.py -> a.py:c0"),
    "lambdas": Shape(lambdas, 90, "a.py -> a.py:<lambda1>"),
    "decorators": Shape(decorators, 200, "a.py -> a.py:d0.w"),
    "identity decorators": Shape(identity_decorators, 200, "a.py -> a.py:g"),
    "bases": Shape(bases, 500, "a.py -> a.py:B{last}.m{last}"),
    "diamonds": Shape(diamonds, 60, "a.py -> a.py:A{n}.m"),
    "callbacks": Shape(callbacks, 1_000, "a.py:f0 -> a.py:f1"),
    "callbacks through one door": Shape(callbacks_one_door, 200, "a.py:door -> a.py:f{last}", 1_000),
    "boxes": Shape(boxes, 300, "a.py:go -> a.py:f"),
    "partials": Shape(partials, 1_000, "a.py:go -> a.py:go"),
    "generics": Shape(generics, 30, "a.py:go -> a.py:Box.get", 100),
    "polymorphic recursion": Shape(polymorphic_recursion, 60, "a.py:go -> a.py:N0.get"),
    "aliases": Shape(aliases, 50, "a.py:go -> a.py:A.m"),
    "shared lists": Shape(
        shared("x@ = [x<, x<, y<]; y@ = (x<, y<)", "x@[0][1][0][0]()\nfor a in x@: a()"), 200, "a.py:f -> a.py:A"
    ),
    "shared dicts": Shape(
        shared("x@ = {'a': x<, 'b': y<, **x<}; y@ = {'c': x<, **y<}", "x@['a']['b']()"), 200, "a.py:f -> a.py:A"
    ),
    "shared choices": Shape(
        shared("x@ = x< if p else y<; y@ = y< if q else x<", "x@(); y@()"), 200, "a.py:f -> a.py:A"
    ),
    "shared calls": Shape(shared("x@ = x<(x<, y<); y@ = y<(x<, y<)", "x@(); y@()"), 200, "a.py:f -> a.py:A"),
    "shared sums": Shape(shared("x@ = x< + y<; y@ = y< + x<", "x@(); y@()"), 200, "a.py:f -> a.py:A"),
    "shared attributes": Shape(
        shared("x@ = x<.a or y<.b; y@ = y<.c or x<.d; x<.e = y@", "x@(); y@()"), 200, "a.py:f -> a.py:A"
    ),
    "shared types": Shape(
        shared("T@ = T< | U<; U@ = list[T<] | U< | None", "def h(a: T@, b: U@): a.m(); b[0].m()"),
        200,
        "a.py:f -> a.py:A",
    ),
    "shared tuples": Shape(
        shared("T@ = tuple[T<, U<]; U@ = dict[T<, U<]", "def h(a: T@, b: U@): a[0].m(); b[0].m()\nclass B(T@): pass"),
        200,
        "a.py:f -> a.py:A",
    ),
    "shared aliases": Shape(
        shared("type T@ = tuple[T<, U<] | U<\ntype U@ = dict[T<, U<] | T<", "def h(a: T@, b: U@): a[0].m(); b[0].m()"),
        200,
        "a.py:f -> a.py:A",
    ),
    "shared classes": Shape(
        shared("class T@(T<, U<): pass\nclass U@(U<): pass", "T@().m(); U@().m()"), 200, "a.py:f -> a.py:A"
    ),
    "shared generics": Shape(
        shared(
            "class T@(G[tuple[T<, T<]]): pass\nclass U@(H@[tuple[S, S]]): pass\nclass H@(H<[tuple[S, S]]): pass",
            "def h(a: T@, b: H@[A]): a.get()[0].get()[0].m(); b.get()[0].m(); b.get()",
            "from typing import *\nS = TypeVar('S')\nclass G(Generic[S]):\n    def get(self) -> S: ...\nclass H0(Generic[S]):\n    def get(self) -> S: ...\n",
        ),
        60,
        "a.py:f -> a.py:A",
    ),
    "shared decorators": Shape(
        shared("@x<\n@y<\ndef x@(f): return x<(f)\n@y<\n@x<\ndef y@(f): return y<", "x@(f)()"), 200, "a.py:f -> a.py:A"
    ),
    "shared in a function": Shape(shared_in_function, 200, "a.py:go -> a.py:f"),
    "fields": Shape(fields, 500, "a.py -> a.py:C.__init__", 1_000),
    "comprehensions": Shape(comprehensions, 1_000, "a.py:after -> a.py:f"),
}
