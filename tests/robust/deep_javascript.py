"""JavaScript and TypeScript that is deep or wide beyond reason: a size in, sources out."""

# ruff: noqa: E501  Sources in one string read better than sources cut at a column.
from __future__ import annotations

from tests.robust.shape import Files, Maker, Shape


def _nested(opening: str, middle: str, closing: str = "", path: str = "a.js") -> Maker:
    def make(size: int) -> Files:
        text = f"function f(x) {{ return x }}\nlet y = {opening * size}{middle}{closing * size};\n"
        return {path: f"{text}function after() {{ return f(1) }}\n"}

    return make


def _chained(link: str) -> Maker:
    def make(size: int) -> Files:
        text = "class A { m() { return this } }\nfunction f(x) { return x }\nconst a = new A();\n"
        return {"a.js": f"{text}const y = a{link * size};\nfunction after() {{ return f(a) }}\n"}

    return make


def _statements(opening: str, middle: str, closing: str = "") -> Maker:
    def make(size: int) -> Files:
        text = f"function f() {{}}\n{opening * size}{middle}{closing * size}\n"
        return {"a.js": f"{text}function after() {{ f() }}\n"}

    return make


def _type(opening: str, middle: str, closing: str = "") -> Maker:
    def make(size: int) -> Files:
        text = f"class A {{ m() {{}} }}\ntype T = {opening * size}{middle}{closing * size};\n"
        return {"a.ts": f"{text}function after(x: T, a: A) {{ a.m(); (x as any).m() }}\n"}

    return make


def else_if_chain(size: int) -> Files:
    arms = "".join(f"  {'else ' if at else ''}if (x == {at}) g = f{at};\n" for at in range(size))
    functions = "".join(f"function f{at}() {{}}\n" for at in range(size))
    return {"a.js": f"{functions}function go(x) {{\n  let g;\n{arms}  g();\n}}\n"}


def switch(size: int) -> Files:
    arms = "".join(f"  case {at}: g = f{at};{' break;' if at % 2 else ''}\n" for at in range(size))
    functions = "".join(f"function f{at}() {{}}\n" for at in range(size))
    return {"a.js": f"{functions}function go(x) {{\n  let g;\n  switch (x) {{\n{arms}  }}\n  g();\n}}\n"}


def functions(size: int) -> Files:
    return {"a.js": "".join(f"function f{at}() {{ return f{(at + 1) % size}() }}\n" for at in range(size))}


def arrows(size: int) -> Files:
    text = "".join(f"export const f{at} = (x) => f{(at + 1) % size}(x);\n" for at in range(size))
    return {"a.ts": text}


def inheritance(size: int) -> Files:
    text = "class C0 { constructor() { this.x = top } m() {} only() {} }\nfunction top() {}\n"
    for at in range(1, size):
        text += (
            f"class C{at} extends C{at - 1} {{ constructor() {{ super() }} "
            f"m() {{ super.m(); this.only(); this.x() }} }}\n"
        )
    return {"a.js": f"{text}new C{size - 1}().m();\nnew C{size - 1}().only();\n"}


def interfaces(size: int) -> Files:
    text = "interface I0 { m(): void; only(): I0 }\n"
    text += "".join(f"interface I{at} extends I{at - 1} {{ m(): void }}\n" for at in range(1, size))
    text += "".join(f"class C{at} implements I{at} {{ m() {{}} only() {{ return this }} }}\n" for at in range(size))
    return {"a.ts": f"{text}function go(x: I{size - 1}, y: I0) {{ x.m(); x.only().only().m(); y.m() }}\n"}


def import_cycle(size: int) -> Files:
    return {
        f"m{at}.js": f"import {{ f{(at + 1) % size} }} from './m{(at + 1) % size}.js';\n"
        f"export function f{at}() {{ return f{(at + 1) % size}() }}\n"
        for at in range(size)
    }


def reexport_cycle(size: int) -> Files:
    files = {
        f"m{at}.ts": f"export {{ thing, nothing }} from './m{(at + 1) % size}';\nimport {{ thing, nothing }} from './m{(at + 1) % size}';\n"
        f"export function f{at}() {{ thing(); nothing() }}\n"
        for at in range(size)
    }
    files["m0.ts"] = (
        "export { nothing } from './m1';\nimport * as m1 from './m1';\nexport function thing() { return m1.thing }\n"
    )
    return files


def barrels(size: int) -> Files:
    """Every barrel hands on the next one's exports whole, around the cycle."""
    return {
        f"m{at}.ts": f"export * from './m{(at + 1) % size}';\nimport {{ f0, f{size // 2}, nowhere }} from './m{(at + 1) % size}';\n"
        f"export function f{at}() {{ f0(); f{size // 2}(); nowhere() }}\n"
        for at in range(size)
    }


def barrel_web(size: int) -> Files:
    return {
        f"m{at}.ts": "".join(f"export * from './m{to}';\n" for to in range(size) if to != at)
        + f"import {{ f0, f{size // 2}, nowhere }} from './m{(at + 1) % size}';\n"
        f"export function f{at}() {{ f0(); f{size // 2}(); nowhere() }}\n"
        for at in range(size)
    }


def barrel_ladder(size: int) -> Files:
    """Two ways at each step: as many ways through as there are subsets."""
    files = {"end.ts": "export function thing() {}\n"}
    for at in range(size):
        down = f"./j{at - 1}" if at else "./end"
        files[f"l{at}.ts"] = files[f"r{at}.ts"] = f"export * from '{down}';\n"
        files[f"j{at}.ts"] = f"export * from './l{at}';\nexport * from './r{at}';\n"
    files["main.ts"] = f"import {{ thing, nowhere }} from './j{size - 1}';\nthing(); nowhere();\n"
    return files


def commonjs_cycle(size: int) -> Files:
    return {
        f"m{at}.js": f"const next = require('./m{(at + 1) % size}');\nmodule.exports = {{ ...next, f{at}() {{ return next.f0() }} }};\n"
        for at in range(size)
    }


def base_cycle(size: int) -> Files:
    return {
        f"m{at}.js": f"import * as n from './m{(at + 1) % size}.js';\nexport class C extends n.C {{ m{at}() {{ this.m0(); this.none(); super.none() }} }}\n"
        for at in range(size)
    }


def arguments(size: int) -> Files:
    functions = "".join(f"function f{at}() {{}}\n" for at in range(size))
    names = ", ".join(f"a{at}" for at in range(size))
    given = ", ".join(f"f{at}" for at in range(size))
    calls = "".join(f"a{at}();" for at in range(size))
    rest = "function rest(...args) { for (const each of args) each(); args[7](); take(...args); arguments[3]() }\n"
    picked = ", ".join(f"a{at}" for at in range(size))
    objects = ", ".join(f"a{at}: f{at}" for at in range(size))
    text = f"{functions}function take({names}) {{ {calls} }}\n{rest}take({given});\nrest({given});\n"
    return {"a.js": f"{text}function named({{ {picked} }}) {{ {calls} }}\nnamed({{ {objects} }});\n"}


def union_of_types(size: int) -> Files:
    classes = "".join(f"class C{at} {{ m() {{}} kind: 'k{at}' }}\n" for at in range(size))
    kinds = " | ".join(f"C{at}" for at in range(size))
    return {
        "a.ts": f"{classes}type All = {kinds};\nfunction go(x: All) {{ x.m(); const y = x; y.m(); if (x.kind === 'k3') x.m() }}\n"
    }


def intersection(size: int) -> Files:
    classes = "".join(f"interface C{at} {{ m{at}(): void; m(): C{at} }}\n" for at in range(size))
    kinds = " & ".join(f"C{at}" for at in range(size))
    return {"a.ts": f"{classes}type All = {kinds};\nfunction go(x: All) {{ x.m().m().m(); x.m{size - 1}() }}\n"}


def overrides(size: int) -> Files:
    text = "class B { m(x: B): B { return x } }\n"
    text += "".join(f"class C{at} extends B {{ m(x: B): B {{ return this.m(this) }} }}\n" for at in range(size))
    return {"a.ts": f"{text}function go(b: B) {{ b.m(b).m(b).m(b) }}\n"}


def table(size: int) -> Files:
    text = "".join(f"function f{at}() {{}}\n" for at in range(size))
    text += "const T = { " + ", ".join(f"k{at}: f{at}" for at in range(size)) + " };\n"
    return {"a.js": f"{text}function go(key) {{ T[key](key); T.k3(); for (const f of Object.values(T)) f() }}\n"}


def table_that_calls_itself(size: int) -> Files:
    text = "".join(f"function f{at}(x) {{ return T[x] }}\n" for at in range(size))
    text += "const T = { " + ", ".join(f"k{at}: f{at}" for at in range(size)) + " };\n"
    return {"a.js": f"{text}function go(key) {{ T[key](key)(key)(key); for (const f of Object.values(T)) f(f) }}\n"}


def assignments(size: int) -> Files:
    text = "".join(f"function f{at}() {{}}\n" for at in range(size))
    body = "".join(f"g = f{at}; g();\n" for at in range(size))
    return {
        "a.js": f"{text}let h;\nfunction go() {{ let g;\n{body} }}\nfunction loop() {{ let g; while (1) {{\n{body} }} }}\n"
        + "".join(f"h = f{at};\n" for at in range(size))
        + "function run() { h() }\n"
    }


def branches_in_a_row(size: int) -> Files:
    text = "".join(f"function f{at}(x) {{ return x }}\n" for at in range(size))
    body = "".join(f"if (x) g = f{at}; if (x && y || z) g(g);\n" for at in range(size))
    return {"a.js": f"{text}function go(x, y, z) {{ let g = go;\n{body} g() }}\n"}


def swapped_in_loop(size: int) -> Files:
    start = "".join(f"let v{at} = f{at};\n" for at in range(size))
    moves = "".join(f"v{at} = v{at + 1};\n" for at in range(size - 1))
    text = "".join(f"function f{at}() {{}}\n" for at in range(size))
    return {"a.js": f"{text}function go() {{\n{start} while (true) {{ v0();\n{moves} v{size - 1} = v0 }} }}\n"}


def tries(size: int) -> Files:
    body = "".join(f"try {{ g = f{at}() }} catch (e) {{ g() }} finally {{ g = g || f{at} }}\n" for at in range(size))
    text = "".join(f"function f{at}() {{ return go }}\n" for at in range(size))
    return {"a.js": f"{text}function go() {{ let g = go;\n{body} return g }}\n"}


def loops_in_loops(size: int) -> Files:
    text = "".join(f"for (const a{at} of b) {{ g = f(g);\n" for at in range(size)) + "g = f(g)" + "}" * size
    return {"a.js": f"function f(x) {{ return x }}\nfunction go(g, b) {{ {text} }}\nfunction after() {{ f() }}\n"}


def closures(size: int) -> Files:
    text = "".join(f"function c{at}(x{at}) {{\n" for at in range(size)) + "".join(f"x{at}();" for at in range(size))
    text += "".join(f"}} c{at}(f); {f'return c{at};' if at else ''}\n" for at in reversed(range(size)))
    return {"a.js": f"function f() {{}}\n{text}"}


def curried(size: int) -> Files:
    return {
        "a.js": f"function f() {{}}\nconst g = {''.join(f'a{at} => ' for at in range(size))}a0;\ng{'(f)' * size}();\n"
    }


def decorators(size: int) -> Files:
    text = "".join(
        f"function d{at}(t: any, c: any) {{ return function (...a: any[]) {{ return t(...a) }} }}\n"
        for at in range(size)
    )
    stack = "".join(f"@d{at}\n" for at in range(size))
    return {"a.ts": f"{text}{stack}class G {{ {stack} m() {{}} }}\nnew G().m();\n"}


def mixins(size: int) -> Files:
    text = "class Base { m() {} }\n"
    text += "".join(
        f"const M{at} = (B) => class extends B {{ m() {{ super.m() }} m{at}() {{}} }};\n" for at in range(size)
    )
    made = "".join(f"M{at}(" for at in range(size)) + "Base" + ")" * size
    return {"a.js": f"{text}class All extends {made} {{}}\nnew All().m();\nnew All().m0();\n"}


def callbacks(size: int) -> Files:
    text = "".join(
        f"function f{at}(g, h) {{ g(f{at}, h); h(g, f{(at + 1) % size}); return g }}\n" for at in range(size)
    )
    return {"a.js": f"{text}f0(f1, f2);\n"}


def callbacks_one_door(size: int) -> Files:
    text = "function door(f, g) { return f(g, f) }\nconst S = [];\nfunction keep(f) { S.push(f) }\nfunction all() { for (const f of S) f(f, S[0]) }\n"
    text += "".join(
        f"function f{at}(a, b) {{ door(f{at}, a); keep(b); return door(b, f{at}) }}\n" for at in range(size)
    )
    return {"a.js": f"{text}door(f0, f1);\n"}


def promises(size: int) -> Files:
    text = "".join(f"const f{at} = async (x) => await f{(at + 1) % size}(x);\n" for at in range(size))
    return {"a.js": f"{text}f0(f1){''.join(f'.then(f{at})' for at in range(size))};\n"}


def emitters(size: int) -> Files:
    text = "import { EventEmitter } from 'events';\nconst e = new EventEmitter();\n"
    text += "".join(
        f"function f{at}() {{ e.emit('e{(at + 1) % size}', f{at}) }}\ne.on('e{at}', f{at});\n" for at in range(size)
    )
    return {"a.js": text}


def prototypes(size: int) -> Files:
    text = "function F0() {}\nF0.prototype.m = function () {};\nF0.prototype.only = function () {};\n"
    for at in range(1, size):
        text += f"function F{at}() {{ F{at - 1}.call(this) }}\nF{at}.prototype = Object.create(F{at - 1}.prototype);\n"
        text += f"F{at}.prototype.m = function () {{ F{at - 1}.prototype.m.call(this); this.only() }};\n"
    return {"a.js": f"{text}new F{size - 1}().m();\n"}


def generics(size: int) -> Files:
    text = "class Box<T> { get(): T { return this.x } wrap(): Box<Box<T>> { return null } x: T }\n"
    text += f"function go(x: {'Box<' * size}Date{'>' * size}) {{ x{'.get()' * size}; x{'.wrap()' * size}.get(); let z = x; while (1) z = z.wrap() }}\n"
    return {"a.ts": text}


def polymorphic_recursion(size: int) -> Files:
    text = "class N0<T> { get(): T }\nclass X { m() {} }\n"
    text += "".join(f"class N{at}<T> extends N{at - 1}<[T, T]> {{}}\n" for at in range(1, size))
    return {"a.ts": f"{text}function go(n: N{size - 1}<X>) {{ n.get()[0].m() }}\n"}


def aliases(size: int) -> Files:
    text = "class A { m() {} }\n"
    text += (
        "".join(f"type T{at}<P> = T{at + 1}<[P, P]> | T{at + 1}<P[]>;\n" for at in range(size))
        + f"type T{size}<P> = A | T0<P>;\n"
    )
    text += (
        "".join(f"type U{at} = {{ a: U{at + 1}, b: U{at + 1} }};\n" for at in range(size)) + f"type U{size} = A | U0;\n"
    )
    return {"a.ts": f"{text}function go(x: T0<A>, y: U0) {{ x.m(); y.a.b.a.b.m() }}\n"}


def shared(make: str, last: str = "", path: str = "a.js") -> Maker:
    """Each value is made of two of the one before: a walk that does not remember takes for ever."""

    def files(size: int) -> Files:
        text = "export class A { m() {} }\nexport function f() { return new A() }\nexport function g() {}\nexport const x0 = f, y0 = g;\n"
        if path.endswith("ts"):
            text += "export type T0 = A;\nexport type U0 = A;\n"
        for at in range(1, size):
            text += make.replace("@", str(at)).replace("~", str(at - 1)) + "\n"
        last_one = last.replace("@", str(size - 1)) + "\n"
        names = f"x{size - 1}, y{size - 1}" + (f", T{size - 1}, U{size - 1}" if "T@" in last else "")
        other = f"import {{ {names} }} from './a';\n{last_one}"
        return {path: text + last_one, path.replace("a.", "b."): other}

    return files


def shared_in_function(size: int) -> Files:
    body = "[x, y] = [p ? x : y, q ? y : [x, y]]; z = { a: z, b: z, ...z };\n" * size
    return {
        "a.js": f"function f() {{}}\nfunction go(p, q, x, y, z) {{ x = f;\n{body} x(); y(); z.a.b.a(); return [x, y, z] }}\ngo(f, f, f, f, f);\n"
    }


def objects(size: int) -> Files:
    text = f"const o = {'{ a: ' * size}f{' }' * size};\no{'.a' * size}();\n"
    return {"a.js": f"function f() {{}}\n{text}function after() {{ f() }}\n"}


def bundle(size: int) -> Files:
    modules = ",\n".join(
        f"{at}: (e, t, n) => {{ var r = n({(at + 1) % size}); function a(x) {{ return r.a(x) }} t.a = a; e.exports.b = r.b }}"
        for at in range(size)
    )
    head = "var c = {}; function req(id) { if (c[id]) return c[id].exports; var m = c[id] = { exports: {} }; m0[id](m, m.exports, req); return m.exports }"
    return {"a.js": f"(() => {{ var m0 = {{\n{modules}\n}}; {head}; req(0).a() }})();\n"}


def jsx(size: int) -> Files:
    return {
        "a.jsx": f"function F(p) {{ return p.children }}\nconst x = {'<F>' * size}{'</F>' * size};\nfunction After() {{ return <F /> }}\n"
    }


AFTER = "a.js:after -> a.js:f"

SHAPES: dict[str, Shape] = {
    "parentheses": Shape(_nested("(", "f(1)", ")"), 10_000, AFTER),
    "parentheses in TypeScript": Shape(_nested("(", "f(1)", ")", "a.ts"), 10_000, "a.ts:after -> a.ts:f"),
    "lists": Shape(_nested("[", "f", "]"), 10_000, AFTER),
    "objects": Shape(objects, 10_000, AFTER),
    "calls": Shape(_nested("f(", "1", ")"), 10_000, AFTER),
    "news": Shape(_nested("new f(", "1", ")"), 10_000, AFTER),
    "arrows in arrows": Shape(_nested("x => ", "f(1)"), 10_000, AFTER),
    "functions in functions": Shape(_nested("function () { return ", "f(1)", "}"), 10_000, AFTER),
    "templates": Shape(_nested("`${", "f(1)", "}`"), 10_000, AFTER),
    "minuses": Shape(_nested("- ", "f(1)"), 10_000, AFTER),
    "nots": Shape(_nested("!", "f(1)"), 10_000, AFTER),
    "casts": Shape(_nested("<any>", "f(1)", "", "a.ts"), 10_000, "a.ts:after -> a.ts:f"),
    "satisfies": Shape(_nested("", "f(1)", " as any", "a.ts"), 10_000, "a.ts:after -> a.ts:f"),
    "conditional expressions": Shape(_nested("f(1) ? f : ", "f(1)"), 10_000, AFTER),
    "subscripts in subscripts": Shape(_nested("f[", "f(1)", "]"), 10_000, AFTER),
    "assignments in assignments": Shape(_nested("y = ", "f"), 10_000, AFTER),
    "calls of calls": Shape(_chained("()"), 10_000, AFTER),
    "method calls": Shape(_chained(".m()"), 10_000, AFTER),
    "optional calls": Shape(_chained("?.m?.()"), 10_000, AFTER),
    "attributes": Shape(_chained(".m"), 10_000, AFTER),
    "subscripts": Shape(_chained("[0]"), 10_000, AFTER),
    "sums": Shape(_chained(" + a"), 10_000, AFTER),
    "powers": Shape(_chained(" ** a"), 10_000, AFTER),
    "ands": Shape(_chained(" && f(1)"), 10_000, AFTER),
    "commas": Shape(_chained(", f(1)"), 1_000, AFTER),
    "coalescing": Shape(_chained(" ?? f(1)"), 10_000, AFTER),
    "strings": Shape(_chained(" + 'a' + `b`"), 10_000, AFTER),
    "tagged templates": Shape(_chained("`x`"), 10_000, AFTER),
    "blocks": Shape(_statements("{", "f()", "}"), 10_000, AFTER),
    "ifs": Shape(_statements("if (f) ", "f()"), 10_000, AFTER),
    "loops": Shape(_statements("while (f) { ", "f()", "}"), 10_000, AFTER),
    "labels": Shape(_statements("a: ", "f()"), 10_000, AFTER),
    "immediately called": Shape(_statements("(function () { ", "f()", "})();"), 3_000, AFTER),
    "else ifs": Shape(else_if_chain, 1_000, "a.js:go -> a.js:f{last}", 10_000),
    "switch": Shape(switch, 1_000, "a.js:go -> a.js:f{last}", 10_000),
    "functions": Shape(functions, 10_000, "a.js:f{last} -> a.js:f0"),
    "arrows": Shape(arrows, 2_000, "a.ts:f{last} -> a.ts:f0", 10_000),
    "jsx": Shape(jsx, 10_000, "a.jsx:After -> a.jsx:F"),
    "array types": Shape(_type("", "A", "[]"), 10_000, "a.ts:after -> a.ts:A.m"),
    "types in parentheses": Shape(_type("(", "A", ")"), 10_000, "a.ts:after -> a.ts:A.m"),
    "generic types": Shape(_type("Array<", "A", ">"), 10_000, "a.ts:after -> a.ts:A.m"),
    "function types": Shape(_type("() => ", "A"), 10_000, "a.ts:after -> a.ts:A.m"),
    "object types": Shape(_type("{ a: ", "A", " }"), 10_000, "a.ts:after -> a.ts:A.m"),
    "conditional types": Shape(_type("A extends A ? A : ", "A"), 10_000, "a.ts:after -> a.ts:A.m"),
    "indexed types": Shape(_type("", "A", "['m']"), 10_000, "a.ts:after -> a.ts:A.m"),
    "inheritance": Shape(inheritance, 200, "a.js -> a.js:C0.only"),
    "interfaces": Shape(interfaces, 200, "a.ts:go -> a.ts:C0.only"),
    "import cycle": Shape(import_cycle, 500, "m{last}.js:f{last} -> m0.js:f0"),
    "re-export cycle": Shape(reexport_cycle, 500, "m1.ts:f1 -> m0.ts:thing"),
    "barrels": Shape(barrels, 500, "m{last}.ts:f{last} -> m{half}.ts:f{half}"),
    "barrel web": Shape(barrel_web, 40, "m{last}.ts:f{last} -> m{half}.ts:f{half}", 100),
    "barrel ladder": Shape(barrel_ladder, 60, "main.ts -> end.ts:thing"),
    "CommonJS cycle": Shape(commonjs_cycle, 500, "m{last}.js:f{last} -> m0.js:f0"),
    "base cycle": Shape(base_cycle, 100, "m0.js:C.m0 -> m0.js:C.m0", 500),
    "arguments": Shape(arguments, 1_000, "a.js:take -> a.js:f{last}"),
    "union of types": Shape(union_of_types, 1_000, "a.ts:go -> a.ts:C{last}.m"),
    "intersection": Shape(intersection, 1_000, "a.ts:go -> a.ts:C{last}.m{last}"),
    "overrides": Shape(overrides, 1_000, "a.ts:go -> a.ts:C{last}.m"),
    "table": Shape(table, 5_000, "a.js:go -> a.js:f{last}"),
    "table that calls itself": Shape(table_that_calls_itself, 150, "a.js:go -> a.js:f{last}", 600),
    "assignments": Shape(assignments, 2_000, "a.js:run -> a.js:f{last}"),
    "branches in a row": Shape(branches_in_a_row, 60, "a.js:go -> a.js:f{last}", 300),
    "swapped in a loop": Shape(swapped_in_loop, 200, "a.js:go -> a.js:f49"),
    "tries": Shape(tries, 150, "a.js:go -> a.js:f{last}", 1_000),
    "loops in loops": Shape(loops_in_loops, 90, "a.js:after -> a.js:f"),
    "closures": Shape(closures, 100, "a.js -> a.js:c0"),
    "curried": Shape(curried, 90, "a.js -> a.js:g"),
    "decorators": Shape(decorators, 200, "a.ts -> a.ts:d{last}"),
    "mixins": Shape(mixins, 100, "a.js -> a.js:M0.<anonymous1>.m0"),
    "callbacks": Shape(callbacks, 1_000, "a.js:f0 -> a.js:f1"),
    "callbacks through one door": Shape(callbacks_one_door, 200, "a.js:door -> a.js:f{last}", 1_000),
    "promises": Shape(promises, 1_000, "a.js -> a.js:f{last}"),
    "emitters": Shape(emitters, 200, "a.js:f{last} -> a.js:f0", 1_000),
    "prototypes": Shape(prototypes, 200, "a.js -> a.js:F{last}.m"),
    "generics": Shape(generics, 30, "a.ts:go -> a.ts:Box.get", 100),
    "polymorphic recursion": Shape(polymorphic_recursion, 60, "a.ts:go -> a.ts:N0.get"),
    "aliases": Shape(aliases, 60, "a.ts:go -> a.ts:A.m"),
    "shared arrays": Shape(
        shared("export const x@ = [x~, x~, y~], y@ = [x~, y~, ...x~];", "x@[0][1][0][0](); for (const a of x@) a();"),
        200,
        "a.js:f -> a.js:A",
    ),
    "shared objects": Shape(
        shared(
            "export const x@ = { a: x~, b: y~, ...x~ }, y@ = { c: x~, ...y~, ...x~ };", "x@.a.b(); x@.q(); y@.q.q()"
        ),
        200,
        "a.js:f -> a.js:A",
    ),
    "shared choices": Shape(
        shared("export const x@ = p ? x~ : y~, y@ = q ? y~ : x~;", "x@(); y@()"), 200, "a.js:f -> a.js:A"
    ),
    "shared calls": Shape(
        shared("export const x@ = x~(x~, y~), y@ = y~(x~, y~);", "x@(); y@()"), 200, "a.js:f -> a.js:A"
    ),
    "shared classes": Shape(
        shared("export class x@ extends (p ? x~ : y~) {}; export class y@ extends x~ {}", "new x@().m(); new y@().m()"),
        200,
        "a.js:f -> a.js:A",
    ),
    "shared attributes": Shape(
        shared("export const x@ = x~.a || y~.b, y@ = y~.c || x~.d; x~.e = y@;", "x@(); y@()"), 200, "a.js:f -> a.js:A"
    ),
    "shared types": Shape(
        shared(
            "export type T@ = T~ | U~; export type U@ = T~[] | U~ | null; const x@ = 1, y@ = 1;",
            "function h(a: T@, b: U@) { a.m(); b[0].m() }",
            "a.ts",
        ),
        200,
        "a.ts:f -> a.ts:A",
    ),
    "shared tuples": Shape(
        shared(
            "export type T@ = [T~, U~]; export type U@ = Map<T~, U~>; const x@ = 1, y@ = 1;",
            "function h(a: T@, b: U@) { a[0].m(); b.get(1).m() }",
            "a.ts",
        ),
        200,
        "a.ts:f -> a.ts:A",
    ),
    "shared intersections": Shape(
        shared(
            "export interface T@ extends T~, U~ {}; export interface U@ extends U~, T~ {}",
            "function h(a: T@, b: U@) { a.m(); b.m() }",
            "a.ts",
        ),
        60,
        "a.ts:f -> a.ts:A",
    ),
    "shared generics": Shape(
        shared(
            "export class T@<P> extends T~<[P, P]> {}; export type U@<P> = U~<[P, P]> | U~<P>;",
            "function h(a: T@<A>, b: U@<A>) { a.m(); b.m() }",
            "a.ts",
        ),
        60,
        "a.ts:f -> a.ts:A",
    ),
    "shared in a function": Shape(shared_in_function, 200, "a.js:go -> a.js:f"),
    "bundle": Shape(bundle, 300, "a.js:<anonymous1> -> a.js:<anonymous1>.m0.0.a", 2_000),
}
