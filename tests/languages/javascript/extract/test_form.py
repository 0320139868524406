"""Facts are well formed: every number in them stands for something, whatever the code looks like."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.cases import Case, read_cases
from tests.languages.javascript.extract.form import check
from tests.languages.javascript.extract.reading import facts

FOLDERS = [Path(__file__).parents[1], Path(__file__).parents[2] / "typescript"]
CASES = [case for folder in FOLDERS for file in sorted(folder.glob("*.md")) for case in read_cases(file)]

EVERYTHING = """
    #!/usr/bin/env node
    "use strict";
    import a, { b as c, default as d } from "./m";
    import * as ns from "./n";
    import "./side";
    const { e, f: { g = h } = {}, [k]: l, ...rest } = c, [m, , n = 1, ...o] = d;
    let p, q = 1; var r = `t${a}u`, s = /x/g, t = 10n, u = null ?? undefined;
    label: for (let i = 0, j = 1; i < j; i++, j--) { if (i) continue label; else break label; }
    for (const x of a) for (x in y) for await (var z of w) ;
    while (p) { p = p.next; if (p instanceof a.B && !(p.c || p.d)) break; }
    do { q ||= a(); q &&= b; q ??= c; q += 1; q++; --q; } while (typeof q === "function");
    switch (q) { case 1: case 2: { let x = 1; break; } default: const y = 2; }
    try { throw new Error("x"); } catch ({ message, ...more }) { delete more.x; } finally { void 0; }
    try { } catch { } finally { }
    async function* gen(x, y = x, { z } = {}, [w], ...more) { yield; yield x; yield* y; await z; return arguments; }
    class A extends mixin(B, C.D) {
        static #count = 0; #p; static x = this.#count; [k] = 1; "str" = 2; 3 = 4; handle = async () => this;
        static { this.x = 1; for (const y of z) { let w; } }
        constructor() { super(); super.m(); new.target; this.own = () => super.n; }
        get v() { return this.#p; } set v(x) { this.#p = x; } static async *m() {} #priv() {} [Symbol.iterator]() {}
    }
    const B = class Named { self() { return Named; } }, F = function own() { return own(); };
    const obj = { a, b: 1, "c": () => {}, [d]: 2, ...e, m() { return super.m(); }, get g() { return this; },
        set g(x) {}, async *h() {}, 5: x, nested: { deep() {}, list: [{ x() {} }, () => {}] }, __proto__: base };
    (function () { "use strict"; return this; }).call(this);
    (() => ({}))(), (async x => await x)(1);
    a?.b?.[c]?.(d)?.e; tag`x${y}z`; new Foo; new (foo())(...args); (0, a.b)(); a.b.c.d = e => f;
    import("./dyn").then(({ default: x }) => x); import.meta.url; require("./req").x; require(y);
    F.prototype.m = function () {}; F.prototype = { n() {} }; F.s = class {}; Object.assign(F.prototype, { o() {} });
    module.exports = F; exports.x = 1; module.exports.y = () => {};
    const el = <Comp a={1} b="x" {...c} d={<A.B />}>{x} text {/* c */}<></><div /></Comp>;
    export { a as z, B as "string name" }; export * from "./all"; export * as all from "./all"; export { x } from "./y";
    export const v1 = 1, { v2, v3: [v4] } = obj; export default class extends A {}
    if (a) { function inBlock() { return v1; } inBlock(); } else if (b) { var hoisted = () => hoisted; } else { }
    with (obj) { a(); }
    debugger;;
"""

TYPED = """
    import type { A } from "./a"; import { type B, c } from "./b"; import eq = require("eq"); import al = eq.Sub.Deep;
    @Dec() @Other export abstract class C<T extends A = B, const U = unknown> extends D<T>.E implements I, J<K> {
        private readonly x: A = 1; declare y?: string; static z: Map<string, A[]>; accessor w = 1;
        protected abstract v: A;
        constructor(private a: A, public readonly b?: B, @Inject() protected override d = 1) { super(); }
        over(a: string): A; over(a: number): B; over(a: any) { return a!; } abstract m(): void; get g(): A { return 1; }
        [key: string]: any; static async *gen<V>(this: A, ...r: V[]): AsyncGenerator<V> {} #p?: A; isA(): this is A { }
    }
    interface I<T> extends J, K.L<T> { a: string; b?(x: T): void; c: () => A; <V>(x: V): V; new (x): I<T>; get d(): A;
        readonly [k: string]: any; method<V extends T>(x: V, y?: A): asserts x is V; }
    type U<K> = { [P in keyof K]: K[P] } | ((a: K) => void) | typeof import("x") | K["k"] | [a: A, b?: B, ...c: C[]]
        | readonly string[] | `a${string}` | (new (x: any) => A) | "lit" | 5 | -1 | null | undefined | this
        | (K extends infer V ? V : never) | unique symbol | keyof typeof obj | { (x: A): B; m?: C; n(): D } | A & B;
    enum E { A = 1, B, "C" = f(), D = A | B } declare const enum CE { X } const enum F1 { Y }
    namespace N.M { export const x: A = 1; export function f() { return x; } class In {} export namespace O { f(); } }
    namespace N.M { f(); } declare module "amb" { export function f(): void; const z: number; export default z; }
    declare global { interface Window { x: number } } declare function df(x: A): B; declare let dl: A, dm: B;
    function over(a: string): string; function over(this: A, a: any, ...r: any[]): a is A { return a as unknown as B; }
    const g = <T,>(x: T): x is A => x satisfies B, h = f<string>, m1 = new Map<string, A>(), n1 = <A>x, o1 = y as const;
    let u1!: A; u1 = x; export = N; export as namespace G; abstract class AA { abstract get y(): number }
    export type { A }; export declare class Amb { m(): void } export default interface Def { x: A }
    function guard(x: unknown): x is A { return true; } if (guard(u1)) u1.go(); else u1.stop();
    const w1: { a: A; b(x: B): void } = { a, b(x) { this.a; } }; class Merged {} interface Merged { m(): A }
"""


@pytest.mark.parametrize("path", ["m.js", "m.jsx", "m.mjs"])
def test_everything_of_javascript(path: str) -> None:
    head = check(facts(EVERYTHING, path))
    assert head.diagnostics == []
    assert len(head.symbols) > 55


@pytest.mark.parametrize("path", ["m.ts", "m.mts", "m.d.ts"])
def test_everything_of_typescript(path: str) -> None:
    head = check(facts(TYPED, path))
    assert head.diagnostics == []
    assert len(head.symbols) > 55


@pytest.mark.parametrize("source", [EVERYTHING, TYPED])
@pytest.mark.parametrize("path", ["m.js", "m.ts", "m.tsx"])
def test_text_cut_anywhere(source: str, path: str) -> None:
    for at in range(0, len(source), 97):
        check(facts(source[:at].encode(), path))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file.stem}: {case.name}")
def test_case_files(case: Case) -> None:
    for path, text in case.sources.items():
        if path.endswith((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte")):
            check(facts(text.encode(), path))
