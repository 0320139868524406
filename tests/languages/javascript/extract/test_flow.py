"""Which terms reach a use: assignments, branches, loops, jumps, closures, narrowing."""

from __future__ import annotations

from tests.languages.javascript.extract.reading import effects, members, symbols, unit


def test_a_use_is_what_was_assigned_last() -> None:
    assert unit("function f(p, q) { let x = p; x(); x = q; x(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 CALL %0() @1:31 site 0",
        "%3 CALL %1() @1:43 site 1",
    ]


def test_branches_join() -> None:
    assert unit("function f(p, q) { let x = p; if (c) x = q; x(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME c",
        "%3 UNION %1 %0",
        "%4 CALL %3() @1:45 site 0",
        "REFER %2 REFERENCES 1 35",
    ]
    assert unit("function f(p, q) { let x; if (c) x = p; else x = q; x(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME c",
        "%3 UNION %0 %1",
        "%4 CALL %3() @1:53 site 0",
        "REFER %2 REFERENCES 1 31",
    ]


def test_a_branch_that_leaves_does_not_join() -> None:
    assert unit("function f(p, q) { let x = p; if (c) { x = q; return; } x(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME c",
        "%3 CALL %0() @1:57 site 0",
        "REFER %2 REFERENCES 1 35",
    ]
    assert unit("function f(p, q) { let x = p; if (c) { x = q; throw x; } x(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME c",
        "%3 CALL %0() @1:58 site 0",
        "REFER %2 REFERENCES 1 35",
        "THROWN %1",
    ]


def test_loops_come_round() -> None:
    assert unit("function f(p, q) { let x = p; for (;;) { x(); x = q; } x(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 UNION %0 %4",
        "%3 CALL %2() @1:42 site 0",
        "%4 PARAM f 1",
        "%5 CALL %2() @1:56 site 1",
    ]
    assert unit("function f(p, q) { let x = p; while (c) { x(); x = q; } }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME c",
        "%3 UNION %0 %5",
        "%4 CALL %3() @1:43 site 0",
        "%5 PARAM f 1",
        "REFER %2 REFERENCES 1 38",
    ]


def test_a_loop_that_changes_nothing_is_no_union() -> None:
    assert unit("function f(p, q) { for (const y of q) { p(); } }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 ELEM %1 1 36 0",
        "%3 PARAM f 0",
        "%4 CALL %3() @1:41 site 0",
    ]


def test_break_and_continue() -> None:
    assert unit("function f(p, q) { let x = p; while (c) { if (d) { x = q; break; } } x(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME c",
        "%3 NAME d",
        "%4 PARAM f 1",
        "%5 UNION %4 %0",
        "%6 CALL %5() @1:70 site 0",
        "REFER %2 REFERENCES 1 38",
        "REFER %3 REFERENCES 1 47",
    ]
    assert unit("function f(p, q) { let x = p; a: for (;;) { for (;;) { x = q; continue a; } } x(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 UNION %1 %3",
        "%3 UNION %2",
        "%4 UNION %3 %0",
        "%5 CALL %4() @1:79 site 0",
    ]
    assert unit("function f(p, q) { b: { p(); if (c) break b; p = q; } p(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 CALL %0() @1:25 site 0",
        "%3 NAME c",
        "%4 UNION %0 %1",
        "%5 CALL %4() @1:55 site 1",
        "REFER %3 REFERENCES 1 34",
    ]


def test_a_do_loop_runs_once() -> None:
    assert unit("function f(p, q) { let x = p; do { x = q; } while (c); x(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 PARAM f 1",
        "%3 NAME c",
        "%4 CALL %2() @1:56 site 0",
        "REFER %3 REFERENCES 1 52",
    ]


def test_try() -> None:
    assert unit("function f(p, q) { let x = p; try { x = q; } catch (e) { x(); } x(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 UNION %0 %1",
        "%3 UNKNOWN",
        "%4 CALL %2() @1:58 site 0",
        "%5 UNION %1 %2",
        "%6 CALL %5() @1:65 site 1",
    ]
    assert unit("function f(p, q) { let x = p; try { x(); } finally { x = q; } x(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 CALL %0() @1:37 site 0",
        "%3 CALL %1() @1:63 site 1",
    ]


def test_switch() -> None:
    assert unit(
        "function f(p, q) { let x = p; switch (c) { case 1: x = q; break; case 2: x(); default: y(); } x(); }", "f"
    ) == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME c",
        "%3 CONST number 1",
        "%4 CONST number 2",
        "%5 CALL %0() @1:74 site 0",
        "%6 NAME y",
        "%7 CALL %6() @1:88 site 1",
        "%8 UNION %1 %0",
        "%9 CALL %8() @1:95 site 2",
        "REFER %2 REFERENCES 1 39",
    ]
    assert unit("function f(p, q) { let x = p; switch (c) { case 1: x = q; case 2: x(); } }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME c",
        "%3 CONST number 1",
        "%4 CONST number 2",
        "%5 UNION %0 %1",
        "%6 CALL %5() @1:67 site 0",
        "%7 UNION %5 %0",
        "REFER %2 REFERENCES 1 39",
    ]


def test_operators_that_choose() -> None:
    assert unit("function f(p, q) { const z = p || c; z(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME c",
        "%3 UNION %0 %2",
        "%4 CALL %3() @1:38 site 0",
        "REFER %2 REFERENCES 1 35",
    ]
    assert unit("function f(p, q) { const w = p && q; w(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 CALL %1() @1:38 site 0",
    ]
    assert unit("function f(p, q) { const v = p ?? c; v(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME c",
        "%3 UNION %0 %2",
        "%4 CALL %3() @1:38 site 0",
        "REFER %2 REFERENCES 1 35",
    ]
    assert unit("function f(p, q) { const u = c ? p : q; u(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME c",
        "%3 UNION %0 %1",
        "%4 CALL %3() @1:41 site 0",
        "REFER %2 REFERENCES 1 30",
    ]
    assert unit("function f(p, q) { p ||= q; p(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 UNION %0 %1",
        "%3 CALL %2() @1:29 site 0",
    ]


def test_instanceof_narrows() -> None:
    assert unit("function f(p, q) { if (p instanceof C) p.a(); else p.b(); p.c(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME C",
        "%3 NARROW %0 %2 1",
        "%4 ATTR %3 a 1 42 1 40",
        "%5 CALL %4() @1:42 site 0",
        "%6 NARROW %0 %2 0",
        "%7 ATTR %6 b 1 54 1 52",
        "%8 CALL %7() @1:54 site 1",
        "%9 ATTR %0 c 1 61 1 59",
        "%10 CALL %9() @1:61 site 2",
        "REFER %2 REFERENCES 1 37",
    ]
    assert unit("function f(p, q) { if (!(p instanceof C)) return; p.a(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME C",
        "%3 NARROW %0 %2 0",
        "%4 NARROW %0 %2 1",
        "%5 ATTR %4 a 1 53 1 51",
        "%6 CALL %5() @1:53 site 0",
        "REFER %2 REFERENCES 1 39",
    ]
    assert unit("function f(p, q) { if (p instanceof C && p.a()) p.b(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME C",
        "%3 NARROW %0 %2 1",
        "%4 ATTR %3 a 1 44 1 42",
        "%5 CALL %4() @1:44 site 0",
        "%6 NARROW %0 %2 1",
        "%7 ATTR %6 b 1 51 1 49",
        "%8 CALL %7() @1:51 site 1",
        "REFER %2 REFERENCES 1 37",
    ]
    assert unit("function f(p, q) { const x = p instanceof C ? p.a() : p.b(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME C",
        "%3 NARROW %0 %2 1",
        "%4 ATTR %3 a 1 49 1 47",
        "%5 CALL %4() @1:49 site 0",
        "%6 NARROW %0 %2 0",
        "%7 ATTR %6 b 1 57 1 55",
        "%8 CALL %7() @1:57 site 1",
        "%9 UNION %5 %8",
        "REFER %2 REFERENCES 1 43",
    ]
    assert unit("function f(p, q) { while (p instanceof C) p = p.next; }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 UNION %0 %5",
        "%3 NAME C",
        "%4 NARROW %2 %3 1",
        "%5 ATTR %4 next 1 49 1 47",
        "REFER %3 REFERENCES 1 40",
        "REFER %5 REFERENCES 1 49",
    ]


def test_closures_read_variables_that_change() -> None:
    assert unit("function f(p, q) { let x = p; const g = () => x; x = q; return g; }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 DEF f.g",
        "REFER %2 REFERENCES 1 64",
        "RETURN %2",
        "BIND f x %0",
        "BIND f x %1",
    ]
    assert unit("function f(p, q) { let x = p; const g = () => x; x = q; return g; }", "f.g") == [
        "%0 LOCAL f x",
        "RETURN %0",
    ]


def test_closures_write_variables() -> None:
    assert unit("function f(p, q) { let x = p; const g = () => { x = q; }; g(); x(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 DEF f.g",
        "%3 CALL %2() @1:59 site 0",
        "%4 LOCAL f x",
        "%5 UNION %0 %4",
        "%6 CALL %5() @1:64 site 1",
        "BIND f q %1",
        "BIND f x %0",
    ]
    assert unit("function f(p, q) { let x = p; const g = () => { x = q; }; g(); x(); }", "f.g") == [
        "%0 LOCAL f q",
        "BIND f x %0",
    ]


def test_definitions_are_seen_directly_from_inside() -> None:
    assert unit("function f(p, q) { const k = () => 1; const g = () => k(); }", "f.g") == [
        "%0 DEF f.k",
        "%1 CALL %0() @1:55 site 0",
        "RETURN %1",
    ]
    assert unit("function f(p, q) { const g = () => k(); const k = () => 1; }", "f.g") == [
        "%0 DEF f.k",
        "%1 CALL %0() @1:36 site 0",
        "RETURN %1",
    ]
    assert unit("function f(p, q) { const g = () => h(); function h() {} }", "f.g") == [
        "%0 DEF f.h",
        "%1 CALL %0() @1:36 site 0",
        "RETURN %1",
    ]
    assert unit("function f(p, q) { const g = () => new K(); class K {} }", "f.g") == [
        "%0 DEF f.K",
        "%1 CALL %0() @1:40 site 0 flags 1",
        "RETURN %1",
    ]


def test_function_declarations_are_there_before_their_line() -> None:
    assert unit("function f(p, q) { h(); function h() {} }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 DEF f.h",
        "%3 CALL %2() @1:20 site 0",
    ]
    assert unit("function f(p, q) { if (c) { h(); function h() {} } }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME c",
        "%3 DEF f.h",
        "%4 CALL %3() @1:29 site 0",
        "REFER %2 REFERENCES 1 24",
    ]


def test_a_declaration_that_is_assigned_again() -> None:
    assert unit("function f(p, q) { function h() {} h(); h = q; h(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 DEF f.h",
        "%3 CALL %2() @1:36 site 0",
        "%4 CALL %1() @1:48 site 1",
    ]
    assert members("function h() {} h = wrap(h);") == ["h = - symbol h"]


def test_blocks_have_their_own_variables() -> None:
    assert effects("function f(p, q) { { let x = p; use(() => x); } { let x = q; use(() => x); } }", "f") == [
        "BIND f x %0",
        "BIND f x~2 %1",
    ]
    assert unit("function f(p, q) { { let x = p; use(() => x); } { let x = q; use(() => x); } }", "f.<anonymous2>") == [
        "%0 LOCAL f x~2",
        "RETURN %0",
    ]


def test_taking_apart() -> None:
    assert unit("function f(p, q) { const { a, b: { c = d }, ...rest } = p; use(a, c, rest); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 ATTR %0 a 1 28 1 28",
        "%3 ATTR %0 b 1 31 1 31",
        "%4 ATTR %3 c 1 36 1 36",
        "%5 NAME d",
        "%6 UNION %4 %5",
        "%7 UNPACK %0 -1 1",
        "%8 NAME use",
        "%9 CALL %8(%2, %6, %7) @1:60 site 0",
        "REFER %5 REFERENCES 1 40",
    ]
    assert unit("function f(p, q) { const [g, , h = q, ...more] = p; use(g, h, more); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 UNPACK %0 0 0",
        "%3 UNPACK %0 2 0",
        "%4 UNION %3 %1",
        "%5 UNPACK %0 3 1",
        "%6 NAME use",
        "%7 CALL %6(%2, %4, %5) @1:53 site 0",
    ]
    assert unit("function f(p, q) { ({ a: p.x, b: q[0] } = c); [p, q] = [q, p]; p(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 NAME c",
        "%3 ATTR %2 a 1 23 1 23",
        "%4 ATTR %2 b 1 31 1 31",
        "%5 CONST number 0",
        "%6 LIST 0 array %1 %0",
        "%7 UNPACK %6 0 0",
        "%8 UNPACK %6 1 0",
        "%9 CALL %7() @1:64 site 0",
        "REFER %2 REFERENCES 1 43",
        "REFER %3 REFERENCES 1 23",
        "STORE %0 x %3 1 26",
        "REFER %4 REFERENCES 1 31",
        "PUT %1 %5 %4 1 34",
    ]


def test_top_level_code_is_flow_too() -> None:
    assert unit("let x = a(); x(); x = b(); x(); function g() { x(); }", "") == [
        "%0 NAME a",
        "%1 CALL %0() @1:9 site 0",
        "%2 CALL %1() @1:14 site 1",
        "%3 NAME b",
        "%4 CALL %3() @1:23 site 2",
        "%5 CALL %4() @1:28 site 3",
        "BIND <file> x %4",
        "owner %0..%2 x",
    ]
    assert unit("let x = a(); x(); x = b(); x(); function g() { x(); }", "g") == [
        "%0 NAME x",
        "%1 CALL %0() @1:48 site 4",
    ]


def test_module_variables_that_functions_write() -> None:
    assert unit("let app; beforeEach(() => { app = make(); }); app.go();", "") == [
        "%0 NAME beforeEach",
        "%1 DEF <anonymous1>",
        "%2 CALL %0(%1) @1:10 site 0",
        "%3 NAME app",
        "%4 ATTR %3 go 1 51 1 47",
        "%5 CALL %4() @1:51 site 2",
        "REFER %3 REFERENCES 1 47",
    ]
    assert unit("let app; beforeEach(() => { app = make(); }); app.go();", "<anonymous1>") == [
        "%0 NAME make",
        "%1 CALL %0() @1:35 site 1",
        "BIND <file> app %1",
    ]


def test_var_belongs_to_the_function() -> None:
    assert unit("function f(p, q) { x(); if (c) { var x = p; } x(); }", "f") == [
        "%0 PARAM f 0",
        "%1 PARAM f 1",
        "%2 CONST undefined -",
        "%3 CALL %2() @1:20 site 0",
        "%4 NAME c",
        "%5 CALL %0() @1:47 site 1",
        "REFER %4 REFERENCES 1 29",
    ]


def test_parameters_handed_back_as_they_are() -> None:
    source = """
        const a = (p, q) => q;
        function b(p) { return p; }
        async function c(p) { return p; }
        function d(p) { if (p) return p; return 1; }
    """
    assert symbols(source) == [
        "Function a 1:1-1:23 (p, q) returned_params [1]",
        "Function b 2:1-2:28 (p) returned_params [0]",
        "Function c 3:1-3:34 ASYNC (p)",
        "Function d 4:1-4:45 (p) returned_params [0]",
    ]


def test_type_guards_of_the_file_narrow() -> None:
    source = """
        function isC(x: unknown): x is C { return true; }
        function f(p: any) { if (isC(p)) p.a(); else p.b(); }
    """
    assert unit(source, "f", "m.ts") == [
        "%0 PARAM f 0",
        "%1 NAME isC",
        "%2 CALL %1(%0) @2:26 site 0",
        "%3 NAME C",
        "%4 NARROW %0 %3 1",
        "%5 ATTR %4 a 2 36 2 34",
        "%6 CALL %5() @2:36 site 1",
        "%7 NARROW %0 %3 0",
        "%8 ATTR %7 b 2 48 2 46",
        "%9 CALL %8() @2:48 site 2",
    ]
    source2 = """
        function need(x: unknown): asserts x is C {}
        function f(p: any) { need(p); p.a(); }
    """
    assert unit(source2, "f", "m.ts") == [
        "%0 PARAM f 0",
        "%1 NAME need",
        "%2 CALL %1(%0) @2:22 site 0",
        "%3 NAME C",
        "%4 NARROW %0 %3 1",
        "%5 ATTR %4 a 2 33 2 31",
        "%6 CALL %5() @2:33 site 1",
    ]
