"""Types as head terms, and the names they use."""

from __future__ import annotations

from tests.languages.javascript.extract.reading import effects, exports, members, symbols, unit


def test_type_terms() -> None:
    source = """
        type T0<K> = string;
        type T1<K> = Foo;
        type T2<K> = ns.Foo;
        type T3<K> = Foo[];
        type T4<K> = Array<Foo>;
        type T5<K> = readonly Foo[];
        type T6<K> = [Foo, b?: Bar, ...rest: Baz[]];
        type T7<K> = Foo | Bar | null;
        type T8<K> = Foo & Bar;
        type T9<K> = Promise<Foo>;
        type T10<K> = Map<string, Foo>;
        type T11<K> = (a: Foo, ...b: Bar[]) => Baz;
        type T12<K> = new (a: Foo) => Bar;
    """
    assert symbols(source, "m.ts") == [
        "TypeAlias T0 1:1-1:21 alias BUILTIN(string) type_params K",
        "TypeAlias T1 2:1-2:18 alias NAME(Foo) type_params K",
        "TypeAlias T2 3:1-3:21 alias ATTR(NAME(ns), Foo) type_params K",
        "TypeAlias T3 4:1-4:20 alias ARRAYTYPE(NAME(Foo)) type_params K",
        "TypeAlias T4 5:1-5:25 alias ARRAYTYPE(NAME(Foo)) type_params K",
        "TypeAlias T5 6:1-6:29 alias ARRAYTYPE(NAME(Foo)) type_params K",
        "TypeAlias T6 7:1-7:45 alias TUPLETYPE(NAME(Foo), NAME(Bar), ARRAYTYPE(NAME(Baz))) type_params K",
        "TypeAlias T7 8:1-8:31 alias UNION(NAME(Foo), NAME(Bar), CONST(null, -)) type_params K",
        "TypeAlias T8 9:1-9:24 alias INTERSECT(NAME(Foo), NAME(Bar)) type_params K",
        "TypeAlias T9 10:1-10:27 alias ITEM(NAME(Promise), NAME(Foo)) type_params K",
        "TypeAlias T10 11:1-11:32 alias ITEM(NAME(Map), TUPLETYPE(BUILTIN(string), NAME(Foo))) type_params K",
        "TypeAlias T11 12:1-12:44 alias FUNCTYPE(NAME(Baz), NAME(Foo)) type_params K",
        "TypeAlias T12 13:1-13:35 alias FUNCTYPE(NAME(Bar), NAME(Foo)) type_params K",
    ]


def test_type_terms_of_objects_and_values() -> None:
    source = """
        type T0<K> = { a: Foo; b(): Bar; c?: Baz };
        type T1<K> = { (x: Foo): Bar };
        type T2<K> = { [key: string]: Foo };
        type T3<K> = Foo["bar"];
        type T4<K> = typeof foo;
        type T5<K> = typeof ns.foo;
        type T6<K> = ReturnType<typeof foo>;
        type T7<K> = "lit";
        type T8<K> = 5;
        type T9<K> = K;
        type T10<K> = K extends infer U ? U : never;
        type T11<K> = keyof Foo;
        type T12<K> = { [P in keyof K]: K[P] };
        type T13<K> = this;
        type T14<K> = import('./x').Foo;
        type T15<K> = <R>(x: R) => R;
        type T16<K> = `a${string}`;
    """
    assert symbols(source, "m.ts") == [
        "TypeAlias T0 1:1-1:44 alias OBJTYPE(a, NAME(Foo), b, FUNCTYPE(NAME(Bar)), c, NAME(Baz)) type_params K",
        "Property T0.a 1:16-1:22 DECLARATION declared NAME(Foo)",
        "Method T0.b 1:24-1:32 DECLARATION () -> NAME(Bar)",
        "Property T0.c 1:34-1:41 DECLARATION declared NAME(Baz)",
        "TypeAlias T1 2:1-2:32 alias FUNCTYPE(NAME(Bar), NAME(Foo)) type_params K",
        "Method T1.() 2:16-2:29 DECLARATION (x: NAME(Foo)) -> NAME(Bar)",
        "TypeAlias T2 3:1-3:37 alias ITEM(NAME(Record), TUPLETYPE(BUILTIN(string), NAME(Foo))) type_params K",
        "TypeAlias T3 4:1-4:25 alias KEYOF(NAME(Foo), bar) type_params K",
        "TypeAlias T4 5:1-5:25 alias TYPEOF(NAME(foo)) type_params K",
        "TypeAlias T5 6:1-6:28 alias TYPEOF(ATTR(NAME(ns), foo)) type_params K",
        "TypeAlias T6 7:1-7:37 alias ITEM(NAME(ReturnType), TYPEOF(NAME(foo))) type_params K",
        "TypeAlias T7 8:1-8:20 alias CONST(string, lit) type_params K",
        "TypeAlias T8 9:1-9:16 alias CONST(number, 5) type_params K",
        "TypeAlias T9 10:1-10:16 alias TYPEPARAM(T9, K) type_params K",
        "TypeAlias T10 11:1-11:45 alias UNKNOWN() type_params K",
        "TypeAlias T11 12:1-12:25 alias UNKNOWN() type_params K",
        "TypeAlias T12 13:1-13:40 alias TYPEPARAM(T12, K) type_params K",
        "TypeAlias T13 14:1-14:20 alias THISTYPE() type_params K",
        "TypeAlias T14 15:1-15:33 alias ATTR(IMPORT(MODULE ./x), Foo) type_params K",
        "TypeAlias T15 16:1-16:30 alias FUNCTYPE(TYPEPARAM(T15, R), TYPEPARAM(T15, R)) type_params K",
        "TypeAlias T16 17:1-17:28 alias CONST(string, -) type_params K",
    ]


def test_annotations_everywhere() -> None:
    source = """
        import { Foo, Bar } from "./foo";
        function f(a: Foo, { b }: Bar, ...rest: Foo[]): Promise<Bar> {
            const x: Foo = make();
            const y = a as Bar;
            const z = <Bar>a;
            const m = new Map<string, Foo>();
            const s = { a } satisfies Bar;
            let later: Foo;
            later = x;
            return go<Foo>(x!, y, z, m, s, later);
        }
    """
    assert unit(source, "f", "m.ts") == [
        "%0 IMPORT NAME ./foo:Foo",
        "%1 PARAM f 0",
        "%2 IMPORT NAME ./foo:Bar",
        "%3 PARAM f 2",
        "%4 PARAM f 1",
        "%5 ATTR %4 b 2 22 2 22",
        "%6 NAME make",
        "%7 CALL %6() @3:20 site 0",
        "%8 TYPED %0 %7",
        "%9 TYPED %2 %1",
        "%10 TYPED %2 %1",
        "%11 NAME Map",
        "%12 CALL %11() @6:19 site 1 flags 1",
        "%13 BUILTIN string",
        "%14 TUPLETYPE %13 %0",
        "%15 ITEM %11 %14 6 15",
        "%16 TYPED %15 %12",
        "%17 CONST string a",
        "%18 DICT 0 object %17 %1",
        "%19 TYPED %0 -",
        "%20 TYPED %0 %8",
        "%21 NAME go",
        "%22 CALL %21(%8, %9, %10, %16, %18, %20, %0) @10:12 site 2",
        "REFER %0 USES_TYPE 2 15",
        "REFER %2 USES_TYPE 2 27",
        "REFER %0 USES_TYPE 2 41",
        "REFER %2 USES_TYPE 2 57",
        "REFER %0 USES_TYPE 3 14",
        "REFER %2 USES_TYPE 4 20",
        "REFER %2 USES_TYPE 5 16",
        "REFER %0 USES_TYPE 6 31",
        "REFER %2 USES_TYPE 7 31",
        "REFER %0 USES_TYPE 8 16",
        "REFER %0 USES_TYPE 10 15",
        "RETURN %22",
    ]
    source2 = """
        import { Foo, Bar } from "./foo";
        function f(a: Foo, { b }: Bar, ...rest: Foo[]): Promise<Bar> {}
        const g = (x: Foo): Bar => null, h: (x: Foo) => Bar = (x) => null;
        let v: Foo;
    """
    assert symbols(source2, "m.ts") == [
        "Function f 2:1-2:64 (a: IMPORT(NAME ./foo:Foo), : IMPORT(NAME ./foo:Bar), *rest: "
        "ARRAYTYPE(IMPORT(NAME ./foo:Foo))) -> ITEM(NAME(Promise), IMPORT(NAME ./foo:Bar))",
        "Function g 3:7-3:32 (x: IMPORT(NAME ./foo:Foo)) -> IMPORT(NAME ./foo:Bar)",
        "Function h 3:34-3:66 (x: IMPORT(NAME ./foo:Foo)) -> IMPORT(NAME ./foo:Bar) declared "
        "FUNCTYPE(IMPORT(NAME ./foo:Bar), IMPORT(NAME ./foo:Foo))",
        "Variable v 4:1-4:12 declared IMPORT(NAME ./foo:Foo)",
    ]


def test_bounds_of_type_parameters() -> None:
    assert symbols("function f<T extends Foo, U extends keyof T>(a: T, b: U): T { return a; }", "m.ts") == [
        "Function f 1:1-1:74 (a: TYPEPARAM(f, T), b: TYPEPARAM(f, U)) -> TYPEPARAM(f, T) type_params T U "
        "returned_params [0]"
    ]


def test_type_names_that_are_used() -> None:
    source = """
        import { Foo } from "./foo";
        import * as ns from "./ns";
        interface Own<T> extends Foo { a: ns.Deep<T>; b(x: Own<string>): Promise<Foo>; c: Record<string, T> }
    """
    assert effects(source, "Own", "m.ts") == [
        "REFER %1 USES_TYPE 3 38",
        "REFER %2 USES_TYPE 3 52",
        "REFER %3 USES_TYPE 3 74",
        "owner %2..%4 Own.b",
    ]
    source2 = """
        import { Foo } from "./foo";
        type Pair<T> = [Foo, T] | typeof import("./x") | { [P in keyof Foo]: P };
    """
    assert effects(source2, "Pair", "m.ts") == ["REFER %0 USES_TYPE 2 17", "REFER %0 USES_TYPE 2 64"]


def test_this_parameters() -> None:
    assert unit("import { Foo } from './foo'; function f(this: Foo, a: string) { this.go(); }", "f", "m.ts") == [
        "%0 IMPORT NAME ./foo:Foo",
        "%1 PARAM f 0",
        "%2 THIS f",
        "%3 TYPED %0 %2",
        "%4 ATTR %3 go 1 70 1 65",
        "%5 CALL %4() @1:70 site 0",
        "REFER %0 USES_TYPE 1 47",
    ]


def test_types_and_values_of_one_name() -> None:
    assert exports(
        "export const Kind = make(); export type Kind = string; export interface Make {} export function Make() {}",
        "m.ts",
    ) == ["Kind = NAME(Kind)", "Kind = DEF(Kind~2)", "Make = DEF(Make)", "Make = DEF(Make~2)"]
    assert members(
        "export const Kind = make(); export type Kind = string; export interface Make {} export function Make() {}",
        "<file>",
        "m.ts",
    ) == [
        "Kind = - symbol Kind",
        "Make = DEF(Make~2) symbol Make~2",
        "Kind = DEF(Kind~2) symbol Kind~2",
        "Make = DEF(Make) symbol Make",
    ]
