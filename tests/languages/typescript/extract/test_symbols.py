"""Symbols of TypeScript: types, members, overloads, merging, namespaces, declarations."""

from __future__ import annotations

from tests.languages.javascript.extract.reading import effects, exports, members, section, symbols, unit


def test_classes() -> None:
    source = """
        @Injectable()
        export abstract class Service<T extends Base = Base> extends core.Base<T> implements Runs, Stops<T> {
            private readonly http: Http;
            declare name?: string;
            constructor(private store: Store<T>, public readonly log?: Log, plain = 1) { super(); }
            abstract run(x: T): Promise<T>;
            get size(): number { return 1; }
            stop(a: string): void;
            stop(a: number, b?: T): void;
            stop(a: any) {}
            @Get("/x") handler(@Body() dto: Dto): Result { return null!; }
            protected cb: (x: T) => void = (x) => {};
            [key: string]: any;
        }
    """
    assert symbols(source, "m.ts") == [
        "Class Service 1:1-14:2 ABSTRACT EXPORTED bases ITEM(ATTR(NAME(core), Base), TYPEPARAM(Service, "
        "T)) implements NAME(Runs), ITEM(NAME(Stops), TYPEPARAM(Service, T)) decorators NAME(Injectable) "
        "type_params T",
        "Property Service.http 3:5-3:32 PRIVATE declared NAME(Http)",
        "Property Service.name 4:5-4:26 declared BUILTIN(string)",
        "Constructor Service.constructor 5:5-5:92 drawn Service (store: ITEM(NAME(Store), "
        "TYPEPARAM(Service, T)), log: NAME(Log), plain = …)",
        "Property Service.store 5:17-5:40 PRIVATE declared ITEM(NAME(Store), TYPEPARAM(Service, T))",
        "Property Service.log 5:42-5:67 declared NAME(Log)",
        "Method Service.run 6:5-6:35 ABSTRACT DECLARATION (x: TYPEPARAM(Service, T)) -> "
        "ITEM(NAME(Promise), TYPEPARAM(Service, T))",
        "Property Service.size 7:5-7:37 () -> BUILTIN(number) accessor get",
        "Method Service.stop 8:5-10:20 (a: BUILTIN(any), b: TYPEPARAM(Service, T)) -> BUILTIN(void)",
        "Method Service.handler 11:5-11:67 (dto: NAME(Dto)) -> NAME(Result) decorators NAME(Get)",
        "Method Service.cb 12:5-12:45 (x: TYPEPARAM(Service, T)) -> BUILTIN(void) declared "
        "FUNCTYPE(BUILTIN(void), TYPEPARAM(Service, T))",
    ]
    assert members(source, "Service", "m.ts") == [
        "http = - symbol Service.http type NAME(Http) instance",
        "name = - symbol Service.name type BUILTIN(string) instance",
        "constructor = DEF(Service.constructor) symbol Service.constructor",
        "run = DEF(Service.run) symbol Service.run",
        "size = DEF(Service.size) symbol Service.size",
        "stop = DEF(Service.stop) symbol Service.stop",
        "handler = DEF(Service.handler) symbol Service.handler",
        "cb = DEF(Service.cb) symbol Service.cb type FUNCTYPE(BUILTIN(void), TYPEPARAM(Service, T)) instance",
        "store = - symbol Service.store type ITEM(NAME(Store), TYPEPARAM(Service, T)) instance",
        "log = - symbol Service.log type NAME(Log) instance",
    ]


def test_interfaces_aliases_and_enums() -> None:
    source = """
        export interface Shape<T> extends Base, ns.Other<T> {
            area(): number;
            scale(by: number): this;
            scale(by: T, deep: boolean): this;
            readonly name?: string;
            onChange: (shape: Shape<T>) => void;
            get size(): number;
            <R>(x: R): R;
            new (x: T): Shape<T>;
            [key: string]: unknown;
        }
        export type Point = { x: number; move(by: number): Point; to: () => Point };
        type Id = string | number;
        enum Color { Red, Green = 5, Blue, "quoted" = "q", Last = compute() }
        declare const enum Flags { A }
    """
    assert symbols(source, "m.ts") == [
        "Interface Shape 1:1-11:2 DECLARATION EXPORTED bases NAME(Base), ITEM(ATTR(NAME(ns), Other), "
        "TYPEPARAM(Shape, T)) type_params T",
        "Method Shape.area 2:5-2:19 DECLARATION () -> BUILTIN(number)",
        "Method Shape.scale 3:5-4:38 DECLARATION (by: BUILTIN(number), deep: BUILTIN(boolean)) -> THISTYPE()",
        "Property Shape.name 5:5-5:27 DECLARATION declared BUILTIN(string)",
        "Method Shape.onChange 6:5-6:40 DECLARATION (shape: ITEM(DEF(Shape), TYPEPARAM(Shape, T))) -> BUILTIN(void)",
        "Property Shape.size 7:5-7:23 DECLARATION () -> BUILTIN(number) accessor get",
        "Method Shape.() 8:5-8:17 DECLARATION (x: TYPEPARAM(Shape.(), R)) -> TYPEPARAM(Shape.(), R) type_params R",
        "Method Shape.new() 9:5-9:25 DECLARATION (x: TYPEPARAM(Shape, T)) -> ITEM(DEF(Shape), TYPEPARAM(Shape, T))",
        "TypeAlias Point 12:1-12:77 EXPORTED alias OBJTYPE(x, BUILTIN(number), move, FUNCTYPE(DEF(Point), "
        "BUILTIN(number)), to, FUNCTYPE(DEF(Point)))",
        "Property Point.x 12:23-12:32 DECLARATION declared BUILTIN(number)",
        "Method Point.move 12:34-12:57 DECLARATION (by: BUILTIN(number)) -> DEF(Point)",
        "Method Point.to 12:59-12:74 DECLARATION () -> DEF(Point)",
        "TypeAlias Id 13:1-13:27 alias UNION(BUILTIN(string), BUILTIN(number))",
        "Enum Color 14:1-14:70",
        "EnumMember Color.Red 14:14-14:17",
        "EnumMember Color.Green 14:19-14:28",
        "EnumMember Color.Blue 14:30-14:34",
        "EnumMember Color.quoted 14:36-14:50",
        "EnumMember Color.Last 14:52-14:68",
        "Enum Flags 15:1-15:31 DECLARATION CONST",
        "EnumMember Flags.A 15:28-15:29",
    ]
    assert members(source, "Shape", "m.ts") == [
        "area = DEF(Shape.area) symbol Shape.area",
        "scale = DEF(Shape.scale) symbol Shape.scale",
        "name = - symbol Shape.name type BUILTIN(string) instance",
        "onChange = DEF(Shape.onChange) symbol Shape.onChange instance",
        "size = DEF(Shape.size) symbol Shape.size",
        "() = DEF(Shape.()) symbol Shape.()",
        "new() = DEF(Shape.new()) symbol Shape.new()",
    ]
    assert members(source, "Color", "m.ts") == [
        "Red = CONST(number, 0) symbol Color.Red static",
        "Green = CONST(number, 5) symbol Color.Green static",
        "Blue = CONST(number, 6) symbol Color.Blue static",
        "quoted = CONST(string, q) symbol Color.quoted static",
        "Last = - symbol Color.Last static",
    ]


def test_overloads_are_one_symbol() -> None:
    source = """
        export function over(a: string): string;
        export function over(a: number): Foo;
        export function over(a: any) { return a; }
        function only(a: string): void;
        declare function ambient(a: string): Bar;
        declare function ambient(a: number): Baz;
    """
    assert symbols(source, "m.ts") == [
        "Function over 1:1-3:43 EXPORTED (a: BUILTIN(any)) -> UNION(BUILTIN(string), NAME(Foo)) returned_params [0]",
        "Function only 4:1-4:32 DECLARATION (a: BUILTIN(string)) -> BUILTIN(void)",
        "Function ambient 5:1-6:42 DECLARATION (a: BUILTIN(string)) -> UNION(NAME(Bar), NAME(Baz))",
    ]
    assert exports(source, "m.ts") == ["over = DEF(over)"]


def test_declarations_merge() -> None:
    source = """
        interface Box { a(): void }
        interface Box { b(): void }
        class Cup { c() {} }
        interface Cup { d(): void }
        function fn() {}
        namespace fn { export const x = 1; export function inner() {} }
        enum E { A }
        enum E { B = 1 }
        const Both = 1;
        type Both = string;
    """
    assert symbols(source, "m.ts") == [
        "Interface Box 1:1-1:28 DECLARATION",
        "Method Box.a 1:17-1:26 DECLARATION () -> BUILTIN(void)",
        "Method Box.b 2:17-2:26 DECLARATION () -> BUILTIN(void)",
        "Class Cup 3:1-3:21",
        "Method Cup.c 3:13-3:19",
        "Method Cup.d 4:17-4:26 DECLARATION () -> BUILTIN(void)",
        "Function fn 5:1-5:17",
        "Variable fn.x 6:16-6:35 EXPORTED CONST",
        "Function fn.inner 6:36-6:62 EXPORTED",
        "Enum E 7:1-7:13",
        "EnumMember E.A 7:10-7:11",
        "EnumMember E.B 8:10-8:15",
        "Variable Both 9:1-9:16 CONST",
        "TypeAlias Both~2 10:1-10:20 alias BUILTIN(string)",
    ]
    assert members(source, "fn", "m.ts") == [
        "x = CONST(number, 1) symbol fn.x static",
        "inner = DEF(fn.inner) symbol fn.inner static",
    ]
    assert members(source, "Box", "m.ts") == ["a = DEF(Box.a) symbol Box.a", "b = DEF(Box.b) symbol Box.b"]
    assert members(source, "<file>", "m.ts") == [
        "Cup = DEF(Cup) symbol Cup",
        "fn = DEF(fn) symbol fn",
        "E = DEF(E) symbol E",
        "Both = CONST(number, 1) symbol Both",
        "Box = DEF(Box) symbol Box",
        "Cup = DEF(Cup) symbol Cup",
        "Both = DEF(Both~2) symbol Both~2",
    ]


def test_namespaces() -> None:
    source = """
        namespace A.B {
            export const shared = make();
            const hidden = 1;
            export function f() { return g(shared, hidden); }
            function g() {}
            export class K {}
            export interface I {}
            export namespace C { export function deep() {} }
        }
        namespace A.B { export function later() { return shared; } }
        declare module "other" { export function ext(): void; }
        declare global { interface Window { mine: string } }
        import alias = A.B;
    """
    assert symbols(source, "m.ts") == [
        "Namespace A 1:1-9:2",
        "Namespace A.B 1:1-9:2",
        "Variable A.B.shared 2:5-2:34 EXPORTED CONST",
        "Variable A.B.hidden 3:5-3:22 CONST",
        "Function A.B.f 4:5-4:54 EXPORTED",
        "Function A.B.g 5:5-5:20",
        "Class A.B.K 6:5-6:22 EXPORTED",
        "Interface A.B.I 7:5-7:26 DECLARATION EXPORTED",
        "Namespace A.B.C 8:5-8:53 EXPORTED",
        "Function A.B.C.deep 8:26-8:51 EXPORTED",
        "Function A.B.later 10:17-10:59 EXPORTED",
        "Namespace other 11:1-11:56 DECLARATION",
        "Function other.ext 11:26-11:54 DECLARATION EXPORTED () -> BUILTIN(void)",
        "Namespace global 12:1-12:53 DECLARATION",
        "Interface global.Window 12:18-12:51 DECLARATION",
        "Property global.Window.mine 12:37-12:49 DECLARATION declared BUILTIN(string)",
    ]
    assert members(source, "A", "m.ts") == ["B = DEF(A.B) symbol A.B static"]
    assert members(source, "A.B", "m.ts") == [
        "I = DEF(A.B.I) symbol A.B.I static",
        "shared = - symbol A.B.shared static",
        "hidden = CONST(number, 1) symbol A.B.hidden static",
        "f = DEF(A.B.f) symbol A.B.f static",
        "g = DEF(A.B.g) symbol A.B.g static",
        "K = DEF(A.B.K) symbol A.B.K static",
        "C = DEF(A.B.C) symbol A.B.C static",
        "later = DEF(A.B.later) symbol A.B.later static",
    ]
    assert unit(source, "A.B.f", "m.ts") == [
        "%0 DEF A.B.g",
        "%1 LOCAL A.B shared",
        "%2 LOCAL A.B hidden",
        "%3 CALL %0(%1, %2) @4:34 site 1",
        "RETURN %3",
    ]
    assert unit(source, "A.B.later", "m.ts") == ["%0 LOCAL A.B shared", "RETURN %0"]
    assert effects(source, "A.B", "m.ts") == [
        "BIND A.B shared %1",
        "owner %0..%2 A.B.shared",
        "owner %2..%3 A.B.hidden",
    ]


def test_declaration_files_declare_only() -> None:
    source = """
        export declare class A { m(): void; p: string }
        export default function f(): A;
        export const x: A;
        declare let y: string;
        type T = A;
    """
    assert symbols(source, "m.d.ts") == [
        "Class A 1:1-1:48 DECLARATION EXPORTED",
        "Method A.m 1:26-1:35 DECLARATION () -> BUILTIN(void)",
        "Property A.p 1:37-1:46 DECLARATION declared BUILTIN(string)",
        "Function f 2:1-2:32 DECLARATION EXPORTED DEFAULT_EXPORT () -> DEF(A)",
        "Variable x 3:1-3:19 DECLARATION EXPORTED CONST declared DEF(A)",
        "Variable y 4:1-4:23 DECLARATION declared BUILTIN(string)",
        "TypeAlias T 5:1-5:12 alias DEF(A)",
    ]
    assert exports(source, "m.d.ts") == ["A = DEF(A)", "default = DEF(f)", "x = NAME(x)"]


def test_type_only_imports_and_exports() -> None:
    source = """
        import type { A } from './a';
        import { type B, c } from './b';
        import eq = require('./eq');
        export type { D } from './d';
        export { A, type B };
        export = c;
    """
    assert section(source, "imports", "m.ts") == [
        "0 NAME ./a:A @1:15",
        "1 NAME ./b:B @2:15",
        "2 NAME ./b:c @2:18",
        "3 REQUIRE ./eq @3:8",
        "4 NAME ./d:D @4:15",
        "export D = IMPORT(NAME ./d:D)",
        "export A = IMPORT(NAME ./a:A)",
        "export B = IMPORT(NAME ./b:B)",
        "export = = IMPORT(NAME ./b:c)",
    ]
    assert exports(source, "m.ts") == [
        "D = IMPORT(NAME ./d:D)",
        "A = IMPORT(NAME ./a:A)",
        "B = IMPORT(NAME ./b:B)",
        "= = IMPORT(NAME ./b:c)",
    ]


def test_enums_run_in_the_code_around_them() -> None:
    assert unit("enum E { A = make(), B = A }", "", "m.ts") == [
        "%0 NAME make",
        "%1 CALL %0() @1:14 site 0",
        "%2 DEF E.A",
        "REFER %2 REFERENCES 1 26",
        "owner %0..%3 E",
    ]


def test_decorators() -> None:
    assert unit("@One @Two(x) class A { @Three m(@Four() p: string) {} @Five field = 1; }", "", "m.ts") == [
        "%0 NAME One",
        "%1 NAME Two",
        "%2 NAME x",
        "%3 CALL %1(%2) @1:7 site 0",
        "%4 DEF A",
        "%5 CALL %3(%4) @1:7 flags 4",
        "%6 CALL %0(%5) @1:2 flags 4",
        "REFER %2 REFERENCES 1 11",
        "DECORATED A %6",
        "owner %0..%7 A",
    ]
    assert unit("@One @Two(x) class A { @Three m(@Four() p: string) {} @Five field = 1; }", "A", "m.ts") == [
        "%0 NAME Three",
        "%1 DEF A.m",
        "%2 CALL %0(%1) @1:25 flags 4",
        "%3 NAME Four",
        "%4 CALL %3() @1:34 site 1",
        "%5 NAME Five",
        "%6 DEF A.field",
        "%7 CALL %5(%6) @1:56 flags 4",
        "%8 CONST number 1",
        "%9 THIS A",
        "DECORATED A.m %2",
        "DECORATED A.field %7",
        "STORE %9 field %8 1 55",
        "owner %0..%3 A.m",
        "owner %3..%5 A.m",
        "owner %5..%8 A.field",
    ]
    assert symbols("@One @Two(x) class A { @Three m(@Four() p: string) {} @Five field = 1; }", "m.ts") == [
        "Class A 1:1-1:73 decorators NAME(One), NAME(Two)",
        "Method A.m 1:24-1:54 (p: BUILTIN(string)) decorators NAME(Three)",
        "Property A.field 1:55-1:70 decorators NAME(Five)",
    ]


def test_mixins() -> None:
    source = """
        function Stamped<T extends Ctor>(Base: T) { return class extends Base { now() {} }; }
        class User extends Stamped(Named(Person)) {}
    """
    assert symbols(source, "m.ts") == [
        "Function Stamped 1:1-1:86 (Base: TYPEPARAM(Stamped, T)) -> TYPEOF(DEF(Stamped.<anonymous1>)) type_params T",
        "Class Stamped.<anonymous1> 1:52-1:83 ANONYMOUS drawn Stamped bases LOCAL(Stamped, Base)",
        "Method Stamped.<anonymous1>.now 1:73-1:81",
        "Class User 2:1-2:45 bases CALL(DEF(Stamped), CALL(NAME(Named), NAME(Person))), "
        "CALL(NAME(Named)), NAME(Person)",
    ]
