"""Broken text costs its statement, and nothing else."""

from __future__ import annotations

from tests.languages.javascript.extract.reading import diagnostics, names, symbols, unit


def test_definitions_after_an_unclosed_bracket_survive() -> None:
    source = """
        import x from "./x";
        export function first() { return x(); }
        function broken() { foo(1,
        }
        export function second() { first(); }
        class C { m() { second(); } }
        const y = {
          a: 1,
        export const api = { get() { first(); } };
        function third() { if (x { first(); }
        export default class D extends C { go() { this.m(); } }
        let s = "unclosed;
        function fourth() { second(); }
        let t = `unclosed ${ first( } `;
        function fifth() {}
    """
    assert names(source) == [
        "Function first",
        "Function broken",
        "Function second",
        "Class C",
        "Method C.m",
        "Variable y",
        "Variable api",
        "Function api.get",
        "Function third",
        "Class D",
        "Method D.go",
        "Function fourth",
        "Function fifth",
    ]
    assert diagnostics(source) == [
        (3, "syntax error: this statement is left out"),
        (7, "syntax error: this statement is left out"),
        (10, "syntax error: this statement is left out"),
        (12, "syntax error: this statement is left out"),
        (14, "syntax error: this statement is left out"),
    ]


def test_a_method_that_is_broken_leaves_its_class() -> None:
    source = """
        class A {
          before() { go(); }
          broken() { if (x) {
          }
          after() { go(); }
        }
        export function next() {}
    """
    assert names(source) == ["Class A", "Method A.before", "Method A.after", "Function next"]


def test_text_cut_in_the_middle() -> None:
    source = """
        function f() { g(); }
        class A {
          m() { return this.n(
    """
    assert names(source) == ["Function f", "Class A"]
    source2 = """
        export const a = 1;
        export function b() {
          const c = {
    """
    assert names(source2) == ["Variable a", "Function b"]


def test_small_errors_are_stepped_over() -> None:
    assert unit("function f() { a(); @; b(); }", "f") == [
        "%0 NAME a",
        "%1 CALL %0() @1:16 site 0",
        "%2 NAME b",
        "%3 CALL %2() @1:24 site 1",
    ]
    assert diagnostics("function f() { a(); @; b(); }") == [(1, "syntax error")]


def test_flow() -> None:
    source = """
        /** @flow strict */
        import type { Foo } from "./foo";
        import { type Bar, run } from "./run";
        type Props = {| +name: string, age?: ?number, ... |};
        opaque type ID = string;
        declare var __DEV__: boolean;
        class A<+T, -U> extends React.Component<Props> {
          static +x: number;
          m(x: ?Foo, y?: Bar = 1): Promise<void> { (x: any); run(x); }
        }
        export function f<T: Foo>(x: T, ...rest: Array<T>): %checks { return run(x); }
    """
    assert symbols(source) == [
        "TypeAlias Props 4:1-4:54 alias OBJTYPE(name, BUILTIN(string), age, BUILTIN(number))",
        "Property Props.name 4:18-4:30 DECLARATION declared BUILTIN(string)",
        "Property Props.age 4:32-4:45 DECLARATION declared BUILTIN(number)",
        "TypeAlias ID 5:8-5:25 alias BUILTIN(string)",
        "Variable __DEV__ 6:1-6:30 DECLARATION declared BUILTIN(boolean)",
        "Class A 7:1-10:2 bases ITEM(ATTR(NAME(React), Component), DEF(Props)) type_params T U",
        "Property A.x 8:3-8:20 STATIC declared BUILTIN(number)",
        "Method A.m 9:3-9:63 (x: IMPORT(NAME ./foo:Foo), y: IMPORT(NAME ./run:Bar) = …) -> "
        "ITEM(NAME(Promise), BUILTIN(void))",
        "Function f 11:1-11:79 EXPORTED (x: TYPEPARAM(f, T), *rest: ARRAYTYPE(TYPEPARAM(f, T))) type_params T",
    ]


def test_types_in_plain_javascript() -> None:
    source = """
        export function f(x: Foo): Bar { return x as any; }
        interface I { a(): void }
    """
    assert symbols(source) == [
        "Function f 1:1-1:52 EXPORTED (x: NAME(Foo)) -> NAME(Bar) returned_params [0]",
        "Interface I 2:1-2:26 DECLARATION",
        "Method I.a 2:15-2:24 DECLARATION () -> BUILTIN(void)",
    ]
