"""Imports, exports and members of modules, ES and CommonJS."""

from __future__ import annotations

from tests.languages.javascript.extract.reading import effects, exports, members, section, symbols, unit


def test_es_modules() -> None:
    source = """
        import a, { b as c, default as d } from './m';
        import * as n from 'n';
        import './s';
        export { x as y, default as w } from './e';
        export * from './f';
        export * as g from './h';
        export { a, c as k, n };
        const q = 1, z = make();
        export { q, z };
        export default z.x();
        export const { l, m: [o] } = z;
        export function fn() {}
        export class Cls {}
    """
    assert section(source, "imports") == [
        "0 DEFAULT ./m @1:8",
        "1 NAME ./m:b @1:18",
        "2 DEFAULT ./m @1:32",
        "3 MODULE n @2:13",
        "4 SIDE_EFFECT ./s @3:8",
        "5 NAME ./e:x @4:10",
        "6 DEFAULT ./e @4:18",
        "7 STAR ./f @5:1",
        "8 MODULE ./h @6:13",
    ]
    assert exports(source) == [
        "y = IMPORT(NAME ./e:x)",
        "w = IMPORT(DEFAULT ./e)",
        "g = IMPORT(MODULE ./h)",
        "a = IMPORT(DEFAULT ./m)",
        "k = IMPORT(NAME ./m:b)",
        "n = IMPORT(MODULE n)",
        "q = NAME(q)",
        "z = NAME(z)",
        "default = NAME(<export default>)",
        "l = NAME(l)",
        "o = NAME(o)",
        "fn = DEF(fn)",
        "Cls = DEF(Cls)",
    ]
    assert members(source) == [
        "<export default> = -",
        "q = CONST(number, 1) symbol q",
        "z = - symbol z",
        "l = - symbol l",
        "o = - symbol o",
        "fn = DEF(fn) symbol fn",
        "Cls = DEF(Cls) symbol Cls",
    ]


def test_only_what_is_exported_is_seen() -> None:
    assert exports("const a = 1;") == []
    assert exports("export {};") == []


def test_default_exports() -> None:
    assert exports("export default function f() {}") == ["default = DEF(f)"]
    assert exports("export default class {}") == ["default = DEF(default)"]
    assert exports("const a = {}; export default a;") == ["default = NAME(a)"]
    assert exports("export default { a: 1, b() {} };") == ["default = NAME(<export default>)"]
    assert exports("import x from './x'; export default x;") == ["default = IMPORT(DEFAULT ./x)"]
    assert exports("export default make();") == ["default = NAME(<export default>)"]
    assert effects("export default make();", "") == ["BIND <file> <export default> %1"]


def test_commonjs_names() -> None:
    source = """
        const lib = require("./lib");
        const { one, two: deux } = require("./parts");
        const part = require("./parts").three;
        var late = require("./late");
        let changing = require("./first");
        changing = require("./second");
        exports.a = lib.go;
        module.exports.b = function () { late(); };
        exports["c"] = 1 + 1;
        if (test) exports.d = require("./d"); else exports.d = require("./e");
        function inner() { exports.f = inner; exports.b(); }
    """
    assert section(source, "imports") == [
        "0 REQUIRE ./lib @1:21",
        "1 NAME ./parts:one @2:36",
        "2 NAME ./parts:two @2:36",
        "3 NAME ./parts:three @3:22",
        "4 REQUIRE ./late @4:20",
        "5 REQUIRE ./first @5:24",
        "6 REQUIRE ./second @6:20",
        "7 REQUIRE ./d @10:31",
        "8 REQUIRE ./e @10:64",
    ]
    assert exports(source) == [
        "f = NAME(inner)",
        "a = ATTR(IMPORT(REQUIRE ./lib), go)",
        "b = DEF(b)",
        "c = NAME(<exports.c>)",
        "d = IMPORT(REQUIRE ./d)",
        "d = IMPORT(REQUIRE ./e)",
    ]
    assert members(source) == [
        "<exports.c> = -",
        "lib = IMPORT(REQUIRE ./lib)",
        "one = IMPORT(NAME ./parts:one)",
        "deux = IMPORT(NAME ./parts:two)",
        "part = IMPORT(NAME ./parts:three)",
        "late = IMPORT(REQUIRE ./late)",
        "changing = UNION(IMPORT(REQUIRE ./first), IMPORT(REQUIRE ./second)) symbol changing",
        "inner = DEF(inner) symbol inner",
        "<module.exports> = DICT(object, CONST(string, f), NAME(inner), CONST(string, a), "
        "ATTR(IMPORT(REQUIRE ./lib), go), CONST(string, b), DEF(b), CONST(string, c), NAME(<exports.c>), "
        "CONST(string, d), IMPORT(REQUIRE ./d), CONST(string, d), IMPORT(REQUIRE ./e))",
    ]


def test_module_exports_as_a_whole() -> None:
    assert exports("module.exports = class A {};") == ["= = DEF(A)"]
    assert exports("function f() {} module.exports = f; module.exports.g = () => {};") == ["= = DEF(f)", "g = DEF(g)"]
    assert members("function f() {} module.exports = f; module.exports.g = () => {};", "f") == ["g = DEF(g) static"]
    assert exports("exports = module.exports = make; function make() {}") == ["= = DEF(make)"]
    assert exports("const app = make(); module.exports = app;") == ["= = NAME(app)"]
    assert exports("module.exports = make();") == ["= = NAME(<module.exports>)"]
    assert effects("module.exports = make();", "") == ["BIND <file> <module.exports> %1"]


def test_an_exported_object_can_be_imported_by_name() -> None:
    assert exports("module.exports = { a, b: f, ...require('./rest') }; function f() {} const a = 1;") == [
        "= = NAME(<module.exports>)",
        "a = NAME(a)",
        "b = DEF(f)",
    ]


def test_conditional_exports() -> None:
    assert exports("if (process.env.X) module.exports = require('./a'); else module.exports = require('./b');") == [
        "= = IMPORT(REQUIRE ./a)",
        "= = IMPORT(REQUIRE ./b)",
    ]


def test_what_compilers_write() -> None:
    source = """
        Object.defineProperty(exports, "__esModule", { value: true });
        var x_1 = require("./x");
        Object.defineProperty(exports, "y", { enumerable: true, get: function () { return x_1.y; } });
        exports.default = x_1.z;
    """
    assert exports(source) == ["y = ATTR(IMPORT(REQUIRE ./x), y)", "default = ATTR(IMPORT(REQUIRE ./x), z)"]
    assert section("__exportStar(require('./all'), exports);", "imports") == ["0 REQUIRE ./all @1:22"]


def test_umd() -> None:
    source = """
        (function (root, factory) {
            if (typeof module === 'object' && module.exports) module.exports = factory();
            else root.lib = factory();
        })(this, function () { return { a() {} }; });
    """
    assert exports(source) == ["= = NAME(<module.exports>)"]
    assert effects(source, "<anonymous1>") == [
        "REFER %6 REFERENCES 2 46",
        "BIND <file> <module.exports> %7",
        "STORE %0 lib %8 3 10",
    ]


def test_a_parameter_named_module_is_none() -> None:
    assert exports("(function (module, exports) { exports.a = 1; module.exports = 2; })();") == []


def test_both_systems_in_one_file() -> None:
    assert exports("import x from './x'; const y = require('./y'); export { y }; module.exports = x;") == [
        "y = IMPORT(REQUIRE ./y)"
    ]
    assert section("import x from './x'; const y = require('./y'); export { y }; module.exports = x;", "imports") == [
        "0 DEFAULT ./x @1:8",
        "1 REQUIRE ./y @1:40",
    ]


def test_dynamic_imports() -> None:
    assert unit("import('./x').then(cb); if (c) require('w').go(); require(dyn); import(dyn);", "") == [
        "%0 IMPORT DYNAMIC ./x",
        "%1 ATTR %0 then 1 15 1 1",
        "%2 NAME cb",
        "%3 CALL %1(%2) @1:15 site 0",
        "%4 NAME c",
        "%5 IMPORT REQUIRE w",
        "%6 ATTR %5 go 1 45 1 32",
        "%7 CALL %6() @1:45 site 1",
        "%8 NAME require",
        "%9 NAME dyn",
        "%10 CALL %8(%9) @1:51 site 2",
        "%11 UNKNOWN",
        "REFER %2 REFERENCES 1 20",
        "REFER %4 REFERENCES 1 29",
        "REFER %9 REFERENCES 1 59",
        "REFER %9 REFERENCES 1 72",
    ]


def test_objects_that_grow_at_the_top() -> None:
    assert members("const api = { a() {} }; api.b = () => {}; api.c = api.a;") == [
        "api = DICT(object, CONST(string, a), DEF(api.a), CONST(string, b), DEF(api.b), CONST(string, c), "
        "ATTR(NAME(api), a)) symbol api"
    ]


def test_names_bound_several_times() -> None:
    assert members("let impl = fast; if (slow) impl = other; function fast() {} function other() {}") == [
        "impl = UNION(DEF(fast), DEF(other)) symbol impl",
        "fast = DEF(fast) symbol fast",
        "other = DEF(other) symbol other",
    ]
    assert members("var x = make();") == ["x = - symbol x"]


def test_inheritance_of_functions() -> None:
    source = """
        const util = require("util");
        function A() {}
        function B() {}
        function C() {}
        function D() {}
        util.inherits(B, A);
        C.prototype = Object.create(A.prototype);
        D.prototype.__proto__ = B.prototype;
        Object.setPrototypeOf(A, D);
    """
    assert symbols(source) == [
        "Function A 2:1-2:16 bases DEF(D)",
        "Function B 3:1-3:16 bases DEF(A)",
        "Function C 4:1-4:16 bases DEF(A)",
        "Function D 5:1-5:16 bases DEF(B)",
    ]
