"""Symbols: kinds, spans, names, what they are folded into."""

from __future__ import annotations

from tests.languages.javascript.extract.reading import symbols


def test_functions_are_named_by_what_they_are_bound_to() -> None:
    source = """
        export const f = () => 1, g = 2;
        export const h = async function* named() {};
        export async function* gen() {}
        function plain() {
            const inner = () => {};
            function nested() {}
            class Local { m() {} }
        }
        let v = [() => {}, function () {}], w = function boxed() {};
        const C = class Own {};
    """
    assert symbols(source) == [
        "Function f 1:14-1:25 EXPORTED",
        "Variable g 1:27-1:32 EXPORTED CONST",
        "Function h 2:1-2:45 ASYNC GENERATOR EXPORTED",
        "Function gen 3:1-3:32 ASYNC GENERATOR EXPORTED",
        "Function plain 4:1-8:2",
        "Function plain.inner 5:5-5:28",
        "Function plain.nested 6:5-6:25",
        "Class plain.Local 7:5-7:27",
        "Method plain.Local.m 7:19-7:25",
        "Variable v 9:5-9:35",
        "Function <anonymous1> 9:10-9:18 ANONYMOUS drawn v",
        "Function <anonymous2> 9:20-9:34 ANONYMOUS drawn v",
        "Function w 9:37-9:60",
        "Class C 10:1-10:24",
    ]


def test_members_of_a_class() -> None:
    source = """
        // a comment is left out
        export default class {
            static count = 0;
            #secret = 1;
            handle = () => {};
            static make = function () {};
            constructor() { this.run = () => {}; }
            get size() { return 1; }
            set size(v) {}
            static async go() {}
            *[Symbol.iterator]() {}
            "quoted name"() {}
            [key]() {}
            #hidden() {}
            static { setup(() => {}); }
        }
    """
    assert symbols(source) == [
        "Class default 2:1-16:2 EXPORTED DEFAULT_EXPORT",
        "Property default.count 3:5-3:21 STATIC",
        "Property default.#secret 4:5-4:16 PRIVATE",
        "Method default.handle 5:5-5:22",
        "Method default.make 6:5-6:33 STATIC",
        "Constructor default.constructor 7:5-7:43 drawn default",
        "Method default.run 7:21-7:41",
        "Property default.size 8:5-8:29 accessor get",
        "Property default.size~2 9:5-9:19 SETTER (v) accessor set",
        "Method default.go 10:5-10:25 ASYNC STATIC",
        "Method default.[Symbol.iterator] 11:5-11:28 GENERATOR",
        "Method default.quoted name 12:5-12:23",
        "Method default.[key] 13:5-13:15",
        "Method default.#hidden 14:5-14:17 PRIVATE",
        "Function default.<anonymous1> 15:20-15:28 ANONYMOUS drawn default",
    ]


def test_functions_in_objects_are_named_by_their_keys() -> None:
    source = """
        const api = {
            get() {},
            post: async () => {},
            "put": function () {},
            nested: { deep: () => {}, get prop() { return 1; }, set prop(v) {} },
            [computed]: () => {},
            list: [{ run() {} }],
        };
        export default { name: "x", methods: { go() {} } };
        function make() {
            const local = { a() {} };
            return { b() {}, c: { d() {} } };
        }
        use({ e() {} }, () => {}, function named() {});
    """
    assert symbols(source) == [
        "Variable api 1:1-8:3 CONST",
        "Function api.get 2:5-2:13",
        "Function api.post 3:5-3:25 ASYNC",
        "Function api.put 4:5-4:26",
        "Function api.nested.deep 5:15-5:29",
        "Property api.nested.prop 5:31-5:55 accessor get",
        "Property api.nested.prop~2 5:57-5:71 SETTER (v) accessor set",
        "Function api.[computed] 6:5-6:25",
        "Function api.list.run 7:14-7:22",
        "Variable default 9:1-9:52 EXPORTED DEFAULT_EXPORT",
        "Function default.methods.go 9:40-9:47",
        "Function make 10:1-13:2",
        "Function make.local.a 11:21-11:27",
        "Function make.b 12:14-12:20",
        "Function make.c.d 12:27-12:33",
        "Function e 14:7-14:13",
        "Function <anonymous1> 14:17-14:25 ANONYMOUS drawn <file>",
        "Function named 14:27-14:46",
    ]


def test_functions_assigned_to_properties_are_named_by_them() -> None:
    source = """
        exports.one = function () {};
        module.exports.two = () => {};
        exports.three = class {};
        exports.four = { go() {} };
        api.five = () => {};
        api.six.seven = function () {};
        api["eight"] = () => {};
        window.nine = function own() {};
        let ten; ten = () => {};
        call().eleven = () => {};
        const obj = {};
        obj.twelve = function () {};
        const sealed = Object.freeze({ thirteen() {} });
    """
    assert symbols(source) == [
        "Function one 1:1-1:30 EXPORTED",
        "Function two 2:1-2:31 EXPORTED",
        "Class three 3:1-3:26 EXPORTED",
        "Function four.go 4:18-4:25",
        "Function api.five 5:1-5:21",
        "Function api.six.seven 6:1-6:32",
        "Function api.eight 7:1-7:25",
        "Function window.nine 8:1-8:33",
        "Variable ten 9:1-9:9",
        "Function ten~2 9:10-9:25",
        "Function eleven 10:1-10:26",
        "Variable obj 11:1-11:16 CONST",
        "Function obj.twelve 12:1-12:29",
        "Variable sealed 13:1-13:49 CONST",
        "Function sealed.thirteen 13:32-13:45",
    ]


def test_default_exports_without_a_name() -> None:
    assert symbols("export default () => {};") == ["Function default 1:1-1:25 EXPORTED DEFAULT_EXPORT"]
    assert symbols("export default function () {}") == ["Function default 1:1-1:30 EXPORTED DEFAULT_EXPORT"]
    assert symbols("module.exports = function () {};") == ["Function default 1:1-1:33 EXPORTED DEFAULT_EXPORT"]
    assert symbols("module.exports = class {};") == ["Class default 1:1-1:27 EXPORTED DEFAULT_EXPORT"]
    assert symbols("module.exports = function named() {};") == ["Function named 1:1-1:38 EXPORTED DEFAULT_EXPORT"]
    assert symbols("export default function named() {}") == ["Function named 1:1-1:35 EXPORTED DEFAULT_EXPORT"]


def test_repeated_names_are_numbered() -> None:
    source = """
        function f() {}
        function f() {}
        if (a) { var f = () => {}; }
        class K { m() {} }
        { class K { m() {} } }
    """
    assert symbols(source) == [
        "Function f 1:1-1:16",
        "Function f~2 2:1-2:16",
        "Function f~3 3:10-3:27",
        "Class K 4:1-4:19",
        "Method K.m 4:11-4:17",
        "Class K~2 5:3-5:21",
        "Method K~2.m 5:13-5:19",
    ]


def test_unnamed_functions_are_counted_in_their_scope_and_folded_into_the_named_one_around() -> None:
    source = """
        items.map(() => others.map(() => () => {}));
        const memo = wrap(() => {});
        class K { x = wrap(() => {}); m() { return () => {}; } }
        (function () {})();
        (function named() {})();
    """
    assert symbols(source) == [
        "Function <anonymous1> 1:11-1:43 ANONYMOUS drawn <file>",
        "Function <anonymous1>.<anonymous1> 1:28-1:42 ANONYMOUS drawn <file>",
        "Function <anonymous1>.<anonymous1>.<anonymous1> 1:34-1:42 ANONYMOUS drawn <file>",
        "Variable memo 2:1-2:29 CONST",
        "Function <anonymous2> 2:19-2:27 ANONYMOUS drawn memo",
        "Class K 3:1-3:57",
        "Property K.x 3:11-3:29",
        "Function K.<anonymous1> 3:20-3:28 ANONYMOUS drawn K",
        "Method K.m 3:31-3:55",
        "Function K.m.<anonymous1> 3:44-3:52 ANONYMOUS drawn K.m",
        "Function <anonymous3> 4:2-4:16 ANONYMOUS drawn <file>",
        "Function named 5:2-5:21",
    ]


def test_prototypes_have_methods() -> None:
    source = """
        function F() { this.own = function () {}; }
        F.prototype.m = function () {};
        F.prototype["n"] = () => {};
        F.make = () => new F();
        const p = F.prototype;
        p.o = function named() {};
        Object.assign(F.prototype, { q() {}, r: () => {} });
        Object.defineProperty(F.prototype, "s", { get() { return 1; } });
        function G() {}
        G.prototype = { t() {}, u: function () {} };
        class H {}
        H.prototype.v = function () {};
    """
    assert symbols(source) == [
        "Function F 1:1-1:44",
        "Method F.own 1:16-1:42",
        "Method F.m 2:1-2:32",
        "Method F.n 3:1-3:29",
        "Method F.make 4:1-4:24 STATIC",
        "Variable p 5:1-5:23 CONST",
        "Method F.o 6:1-6:27",
        "Method F.q 7:30-7:36",
        "Method F.r 7:38-7:49",
        "Function F.s.get 8:43-8:62",
        "Function G 9:1-9:16",
        "Method G.t 10:17-10:23",
        "Method G.u 10:25-10:42",
        "Class H 11:1-11:11",
        "Method H.v 12:1-12:32",
    ]


def test_flags() -> None:
    assert symbols("class A { static async *m() {} #p = 1; static get x() { return 1; } }") == [
        "Class A 1:1-1:70",
        "Method A.m 1:11-1:31 ASYNC GENERATOR STATIC",
        "Property A.#p 1:32-1:38 PRIVATE",
        "Property A.x 1:40-1:68 STATIC accessor get",
    ]
    assert symbols("function f() {} const g = () => {}; export { f, g as h }; export default g;") == [
        "Function f 1:1-1:16 EXPORTED",
        "Function g 1:17-1:36 EXPORTED",
    ]
