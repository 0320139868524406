"""Expressions as terms and effects."""

from __future__ import annotations

from tests.languages.javascript.extract.reading import members, symbols, unit


def test_members_elements_and_calls() -> None:
    source = """
        import { imp, Cls } from './x';
        import * as ns from './y';
        const mod = 1;
        function fn() {}
        function f(p, q) { p.a.b(q).c[0][q](...p, q)?.d?.(1); }
    """
    assert unit(source, "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 ATTR %0 a 5 22 5 20",
        "%3 ATTR %2 b 5 24 5 20",
        "%4 CALL %3(%1) @5:24 site 0",
        "%5 ATTR %4 c 5 29 5 20",
        "%6 CONST number 0",
        "%7 ITEM %5 %6 5 20",
        "%8 ITEM %7 %1 5 20",
        "%9 CALL %8(*%0, %1) @5:36 site 1",
        "%10 ATTR %9 d 5 47 5 20",
        "%11 CONST number 1",
        "%12 CALL %10(%11) @5:47 site 2 flags 2",
        "REFER %2 REFERENCES 5 22",
        "REFER %5 REFERENCES 5 29",
    ]


def test_new() -> None:
    source = """
        import { imp, Cls } from './x';
        import * as ns from './y';
        const mod = 1;
        function fn() {}
        function f(p, q) { new Cls(p); new ns.Cls(); new (p())(); new Cls; new p.q.R(1); }
    """
    assert unit(source, "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 IMPORT NAME ./x:Cls",
        "%3 CALL %2(%0) @5:24 site 0 flags 1",
        "%4 IMPORT MODULE ./y",
        "%5 ATTR %4 Cls 5 39 5 36",
        "%6 CALL %5() @5:39 site 1 flags 1",
        "%7 CALL %0() @5:51 site 2",
        "%8 CALL %7() @5:55 site 3 flags 1",
        "%9 CALL %2() @5:63 site 4 flags 1",
        "%10 ATTR %0 q 5 74 5 72",
        "%11 ATTR %10 R 5 76 5 72",
        "%12 CONST number 1",
        "%13 CALL %11(%12) @5:76 site 5 flags 1",
        "REFER %10 REFERENCES 5 74",
    ]


def test_calls_of_all_shapes() -> None:
    source = """
        import { imp, Cls } from './x';
        import * as ns from './y';
        const mod = 1;
        function fn() {}
        function f(p, q) { tag`a${p}b`; fn`x`; (p)(); p!(); (0, p.x)(); (function () {})(); (() => 1)(); p.a()(); }
    """
    assert unit(source, "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME tag",
        "%3 UNKNOWN",
        "%4 CALL %2(%3, %0) @5:20 site 0 flags 8",
        "%5 NAME fn",
        "%6 CALL %5(%3) @5:33 site 1 flags 8",
        "%7 CALL %0() @5:43 site 2",
        "%8 CALL %0() @5:47 site 3",
        "%9 CONST number 0",
        "%10 ATTR %0 x 5 59 5 57",
        "%11 CALL %10() @5:61 site 4",
        "%12 DEF f.<anonymous1>",
        "%13 CALL %12() @5:81 site 5",
        "%14 DEF f.<anonymous2>",
        "%15 CALL %14() @5:94 site 6",
        "%16 ATTR %0 a 5 100 5 98",
        "%17 CALL %16() @5:100 site 7",
        "%18 CALL %17() @5:103 site 8",
        "REFER %10 REFERENCES 5 59",
    ]


def test_names_that_are_named() -> None:
    source = """
        import { imp, Cls } from './x';
        import * as ns from './y';
        const mod = 1;
        function fn() {}
        function f(p, q) { use(imp, ns, mod, fn, ns.x, mod.y, glob, console, undefined); mod; fn(); }
    """
    assert unit(source, "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME use",
        "%3 IMPORT NAME ./x:imp",
        "%4 IMPORT MODULE ./y",
        "%5 NAME mod",
        "%6 NAME fn",
        "%7 ATTR %4 x 5 45 5 42",
        "%8 ATTR %5 y 5 52 5 48",
        "%9 NAME glob",
        "%10 NAME console",
        "%11 CONST undefined -",
        "%12 CALL %2(%3, %4, %5, %6, %7, %8, %9, %10, %11) @5:20 site 0",
        "%13 CALL %6() @5:87 site 1",
        "REFER %3 REFERENCES 5 24",
        "REFER %5 REFERENCES 5 33",
        "REFER %6 REFERENCES 5 38",
        "REFER %7 REFERENCES 5 45",
        "REFER %5 REFERENCES 5 48",
        "REFER %8 REFERENCES 5 52",
        "REFER %9 REFERENCES 5 55",
        "REFER %5 REFERENCES 5 82",
    ]


def test_objects_and_arrays() -> None:
    source = """
        import { imp, Cls } from './x';
        import * as ns from './y';
        const mod = 1;
        function fn() {}
        function f(p, q) { const o = { a: p, [q]: fn, 'b c': 1, mod, ...q, get x() {}, m() {} }; return [o, ...p]; }
    """
    assert unit(source, "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 CONST string a",
        "%3 NAME fn",
        "%4 CONST string b c",
        "%5 CONST number 1",
        "%6 CONST string mod",
        "%7 NAME mod",
        "%8 CONST string x",
        "%9 DEF f.o.x",
        "%10 CONST string m",
        "%11 DEF f.o.m",
        "%12 DICT 0 object %2 %0 %1 %3 %4 %5 %6 %7 - %1 %8 %9 %10 %11",
        "%13 SPREAD %0",
        "%14 LIST 1 array %12 %13",
        "REFER %3 REFERENCES 5 43",
        "REFER %7 REFERENCES 5 57",
        "REFER %11 REFERENCES 5 80",
        "RETURN %14",
    ]


def test_stores() -> None:
    source = """
        import { imp, Cls } from './x';
        import * as ns from './y';
        const mod = 1;
        function fn() {}
        function f(p, q) { delete p.x; p.x = q; p[q] = 1; p['k'] = 2; p.x ||= q; q += 1; throw p; }
    """
    assert unit(source, "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 CONST string x",
        "%3 CONST boolean -",
        "%4 CONST number 1",
        "%5 CONST number 2",
        "%6 CONST string k",
        "%7 ATTR %0 x 5 65 5 63",
        "%8 UNION %7 %1",
        "%9 UNKNOWN",
        "DELETE %0 %2 5 27",
        "STORE %0 x %1 5 32",
        "PUT %0 %1 %4 5 41",
        "PUT %0 %6 %5 5 51",
        "REFER %7 REFERENCES 5 65",
        "STORE %0 x %8 5 63",
        "THROWN %0",
    ]


def test_iteration() -> None:
    source = """
        import { imp, Cls } from './x';
        import * as ns from './y';
        const mod = 1;
        function fn() {}
        function f(p, q) { for (const x of p) x(); for (const k in p) q[k](); }
    """
    assert unit(source, "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 ELEM %0 5 36 0",
        "%3 CALL %2() @5:39 site 0",
        "%4 ELEM %0 5 60 4",
        "%5 PARAM f 1",
        "%6 ITEM %5 %4 5 63",
        "%7 CALL %6() @5:67 site 1",
    ]


def test_async_and_generators() -> None:
    assert unit("async function f(p) { for await (const x of p) x(); const v = await p.go(); return v; }", "f") == [
        "%0 PARAM f 0",
        "%1 ELEM %0 1 45 1",
        "%2 CALL %1() @1:48 site 0",
        "%3 ATTR %0 go 1 71 1 69",
        "%4 CALL %3() @1:71 site 1 flags 16",
        "%5 AWAIT %4 1 69",
        "RETURN %5",
    ]
    assert unit("function* f(p) { const x = yield p; yield* p; yield; return x; }", "f") == [
        "%0 PARAM f 0",
        "%1 YIELD %0",
        "%2 YIELD_FROM %0 1 44",
        "%3 YIELD -",
        "YIELD %0",
        "RETURN %1",
    ]


def test_arguments() -> None:
    assert unit("function f(a, b) { return g.apply(this, arguments); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME g",
        "%3 ATTR %2 apply 1 29 1 27",
        "%4 THIS f",
        "%5 PARAM f 0",
        "%6 PARAM f 1",
        "%7 PARAM f 2",
        "%8 SPREAD %7",
        "%9 LIST 0 array %5 %6 %8",
        "%10 CALL %3(%4, %9) @1:29 site 0",
        "REFER %2 REFERENCES 1 27",
        "RETURN %10",
    ]


def test_defaults_and_rest() -> None:
    assert unit("function f(a, b = make(), { c, d = a } = {}, [e] = [], ...rest) { return rest; }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 PARAM f 4",
        "%3 NAME make",
        "%4 CALL %3() @1:19 site 0",
        "%5 DICT 0 object",
        "%6 LIST 1 array",
        "%7 PARAM f 2",
        "%8 ATTR %7 c 1 29 1 29",
        "%9 ATTR %7 d 1 32 1 32",
        "%10 UNION %9 %0",
        "%11 PARAM f 3",
        "%12 UNPACK %11 0 0",
        "DEFAULT f 1 %4",
        "DEFAULT f 2 %5",
        "DEFAULT f 3 %6",
    ]
    assert symbols("function f(a, b = make(), { c, d = a } = {}, [e] = [], ...rest) { return rest; }") == [
        "Function f 1:1-1:81 (a, b = …,  = …,  = …, *rest) returned_params [4]"
    ]


def test_this_in_classes() -> None:
    assert unit("class A { static y = make(this); z = () => this.x; static { this.w(); } x = this.z; }", "A") == [
        "%0 NAME make",
        "%1 DEF A",
        "%2 CALL %0(%1) @1:22 site 0",
        "%3 DEF A",
        "%4 ATTR %3 w 1 66 1 61",
        "%5 CALL %4() @1:66 site 1",
        "%6 THIS A",
        "%7 ATTR %6 z 1 82 1 77",
        "BIND A y %2",
        "REFER %7 REFERENCES 1 82",
        "STORE %6 x %7 1 73",
    ]
    assert unit("class A { z = () => this.x; }", "A.z") == [
        "%0 THIS A",
        "%1 ATTR %0 x 1 26 1 21",
        "REFER %1 REFERENCES 1 26",
        "RETURN %1",
    ]
    assert unit("class A { m() { return () => this; } }", "A.m.<anonymous1>") == ["%0 THIS A.m", "RETURN %0"]
    assert unit("class A { static m() { return this; } }", "A.m") == ["%0 THIS A.m", "RETURN %0"]


def test_this_elsewhere() -> None:
    assert unit("const o = { a() { this.b(); }, b() {}, c: () => this };", "o.a") == [
        "%0 THIS o.a",
        "%1 NAME o",
        "%2 UNION %0 %1",
        "%3 ATTR %2 b 1 24 1 19",
        "%4 CALL %3() @1:24 site 0",
    ]
    assert unit("const o = { a() { this.b(); }, c: () => this };", "o.c") == ["%0 THIS <file>", "RETURN %0"]
    assert unit("function f() { this.x = 1; }", "f") == ["%0 THIS f", "%1 CONST number 1", "STORE %0 x %1 1 16"]
    assert unit("this.go();", "") == ["%0 THIS <file>", "%1 ATTR %0 go 1 6 1 1", "%2 CALL %1() @1:6 site 0"]


def test_super() -> None:
    assert unit("class A extends B { constructor() { super(1); } }", "A.constructor") == [
        "%0 THIS A.constructor",
        "%1 SUPER A %0",
        "%2 CONST number 1",
        "%3 CALL %1(%2) @1:37 site 0",
    ]
    assert unit("class A extends B { m() { super.m(); return () => super.n(); } }", "A.m.<anonymous1>") == [
        "%0 THIS A.m",
        "%1 SUPER A %0",
        "%2 ATTR %1 n 1 57 1 51",
        "%3 CALL %2() @1:57 site 1",
        "RETURN %3",
    ]
    assert unit("class A extends B { static m() { super.m(); } }", "A.m") == [
        "%0 THIS A.m",
        "%1 SUPER A %0",
        "%2 ATTR %1 m 1 40 1 34",
        "%3 CALL %2() @1:40 site 0",
    ]


def test_symbols_as_keys() -> None:
    source = """
        const kState = Symbol("s");
        function f(p) { p[kState](); p[kState] = 1; for (const x of p[Symbol.iterator]()) x(); }
    """
    assert unit(source, "f") == [
        "%0 PARAM f 0",
        "%1 NAME kState",
        "%2 ATTR %0 [kState] 2 19 2 17",
        "%3 CALL %2() @2:26 site 1",
        "%4 CONST number 1",
        "%5 NAME Symbol",
        "%6 ATTR %5 iterator 2 70 2 63",
        "%7 ATTR %0 [Symbol.iterator] 2 63 2 61",
        "%8 CALL %7() @2:79 site 2",
        "%9 ELEM %8 2 61 0",
        "%10 CALL %9() @2:83 site 3",
        "REFER %1 REFERENCES 2 19",
        "STORE %0 [kState] %4 2 30",
        "REFER %6 REFERENCES 2 70",
    ]
    assert members("const kState = Symbol('s'); class A { [kState]() {} [Symbol.iterator]() {} }", "A") == [
        "[kState] = DEF(A.[kState]) symbol A.[kState]",
        "[Symbol.iterator] = DEF(A.[Symbol.iterator]) symbol A.[Symbol.iterator]",
    ]


def test_jsx() -> None:
    source = """
        import { Card, UI } from "./ui";
        export function App(p) {
            return <Card onClick={() => p.go()} {...p}>
                <UI.Button x={p.a} />
                <div>{p.list.map(i => <Card />)}</div>
            </Card>;
        }
    """
    assert unit(source, "App", "m.jsx") == [
        "%0 PARAM App 0",
        "%1 IMPORT NAME ./ui:Card",
        "%2 DEF App.<anonymous1>",
        "%3 UNKNOWN",
        "%4 IMPORT NAME ./ui:UI",
        "%5 ATTR %4 Button 4 13 4 10",
        "%6 ATTR %0 a 4 25 4 23",
        "%7 ATTR %0 list 5 17 5 15",
        "%8 ATTR %7 map 5 22 5 15",
        "%9 DEF App.<anonymous2>",
        "%10 CALL %8(%9) @5:22 site 1",
        "REFER %1 INCLUDES 3 13",
        "REFER %5 INCLUDES 4 13",
        "REFER %6 REFERENCES 4 25",
        "REFER %7 REFERENCES 5 17",
        "RETURN %3",
        "BIND App p %0",
    ]
