"""Types in comments of JavaScript."""

from __future__ import annotations

from tests.languages.javascript.extract.reading import effects, exports, members, section, symbols, unit


def test_types_in_comments() -> None:
    source = """
        /** @import { Foo, Bar as B } from './foo' */
        /** @typedef {Object} Opts
         * @property {Foo} foo the foo
         * @property {string[]} [names]
         */
        /** @callback Cb
         * @param {B} b
         * @returns {Promise<Foo>} */
        /**
         * @template T
         * @param {Opts} opts - options
         * @param {Array.<Foo>} [list]
         * @param {?Foo} [opt=null]
         * @param {...Foo} rest
         * @returns {Promise<T>}
         */
        function load(opts, list, opt, ...rest) {}
        /** @type {Map<string, Foo>} */
        const m = new Map();
        /** @type {(a: Foo) => B} */
        const g = (a) => null;
        /** @extends {Base<Foo>} */
        class C extends Base {
            constructor() {
                /** @type {Foo} */
                this.foo = null;
            }
            /** @param {function(Foo): B} cb */
            m(cb) {}
            /** @type {Foo} */
            field;
        }
        const y = /** @type {Foo} */ (make());
        /** @param {import('./z').Z} z */
        export const h = (z) => {};
    """
    assert symbols(source) == [
        "TypeAlias Opts 2:1-5:4 alias OBJTYPE(foo, IMPORT(NAME ./foo:Foo), names, ARRAYTYPE(BUILTIN(string)))",
        "TypeAlias Cb 6:1-8:30 alias FUNCTYPE(ITEM(NAME(Promise), IMPORT(NAME ./foo:Foo)), IMPORT(NAME ./foo:Bar))",
        "Function load 17:1-17:43 (opts: DEF(Opts), list: ARRAYTYPE(IMPORT(NAME ./foo:Foo)), opt: "
        "IMPORT(NAME ./foo:Foo), *rest: ARRAYTYPE(IMPORT(NAME ./foo:Foo))) -> ITEM(NAME(Promise), "
        "TYPEPARAM(load, T)) type_params T",
        "Variable m 19:1-19:21 CONST declared ITEM(NAME(Map), TUPLETYPE(BUILTIN(string), IMPORT(NAME ./foo:Foo)))",
        "Function g 21:1-21:23 (a: IMPORT(NAME ./foo:Foo)) -> IMPORT(NAME ./foo:Bar) declared "
        "FUNCTYPE(IMPORT(NAME ./foo:Bar), IMPORT(NAME ./foo:Foo))",
        "Class C 23:1-32:2 bases ITEM(NAME(Base), IMPORT(NAME ./foo:Foo))",
        "Constructor C.constructor 24:5-27:6 drawn C",
        "Method C.m 29:5-29:13 (cb: FUNCTYPE(IMPORT(NAME ./foo:Bar), IMPORT(NAME ./foo:Foo)))",
        "Property C.field 31:5-31:10 declared IMPORT(NAME ./foo:Foo)",
        "Variable y 33:1-33:39 CONST",
        "Function h 35:1-35:28 EXPORTED (z: ATTR(IMPORT(MODULE ./z), Z))",
    ]
    assert members(source, "C") == [
        "constructor = DEF(C.constructor) symbol C.constructor",
        "m = DEF(C.m) symbol C.m",
        "field = - symbol C.field type IMPORT(NAME ./foo:Foo) instance",
        "foo = - type IMPORT(NAME ./foo:Foo) instance",
    ]
    assert section(source, "imports") == ["0 NAME ./foo:Foo @1:13", "1 NAME ./foo:Bar @1:13", "2 MODULE ./z @34:13"]
    assert effects(source, "load") == [
        "REFER %4 USES_TYPE 11 12",
        "REFER %5 USES_TYPE 12 18",
        "REFER %5 USES_TYPE 13 12",
        "REFER %5 USES_TYPE 14 13",
    ]


def test_casts() -> None:
    assert unit("import { Foo } from './foo'; const y = /** @type {Foo} */ (make());", "") == [
        "%0 NAME make",
        "%1 CALL %0() @1:60 site 0",
        "%2 IMPORT NAME ./foo:Foo",
        "%3 TYPED %2 %1",
        "REFER %2 USES_TYPE 1 51",
        "BIND <file> y %3",
        "owner %0..%4 y",
    ]


def test_types_of_comments_are_exported() -> None:
    source = """
        /** @typedef {string | number} Id */
        export {};
    """
    assert exports(source) == ["Id = DEF(Id)"]


def test_broken_types_say_nothing() -> None:
    source = """
        /** @param {Foo<} a @param {{ b */
        function f(a, b) {}
    """
    assert symbols(source) == ["Function f 2:1-2:20 (a: UNKNOWN(), b)"]


def test_typescript_does_not_read_them() -> None:
    source = """
        /** @param {Foo} a */
        function f(a) {}
    """
    assert symbols(source, "m.ts") == ["Function f 2:1-2:17 (a)"]
