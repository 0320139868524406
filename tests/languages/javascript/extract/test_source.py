"""What is in a file besides code: encodings, wide characters, line ends, components around scripts."""

from __future__ import annotations

from codegps.languages.javascript import VERSION
from codegps.model.facts import HEAD
from tests.languages.javascript.extract.reading import diagnostics, facts, head, names, sites, symbols


def test_columns_are_code_points() -> None:
    source = """
        const café = 1; /* 日本 */ function naïve() { 𝒳(); } // 😀
        let s = "é😀"; function g() {}
    """
    assert symbols(source) == [
        "Variable café 1:1-1:16 CONST",
        "Function naïve 1:26-1:56",
        "Variable s 2:1-2:14",
        "Function g 2:15-2:30",
    ]
    assert [(call.name, call.column) for call in sites('/* 日本 */ f(); 𝒳(); "😀".g();').calls] == [
        ("f", 10),
        ("𝒳", 15),
        ("g", 24),
    ]


def test_spaces_that_are_not_ascii() -> None:
    assert names("const\u00a0a = 1;\u2003function\u3000f() {}\ufeff") == ["Variable a", "Function f"]


def test_encodings() -> None:
    assert names("function f() {}".encode("utf-16")) == ["Function f"]
    assert names(b"\xfe\xff" + "function f() {}".encode("utf-16-be")) == ["Function f"]
    assert symbols(b"\xef\xbb\xbffunction f() {}\r\nfunction g() {\r\n}\r\n") == [
        "Function f 1:1-1:16",
        "Function g 2:1-3:2",
    ]
    assert names(b'var a = "\xe9"; function f() {}\0 function g() {}') == ["Variable a", "Function f", "Function g"]


def test_a_line_for_the_shell() -> None:
    assert symbols("#!/usr/bin/env node\nfunction f() {}") == ["Function f 2:1-2:16"]


def test_no_text_at_all() -> None:
    assert symbols("") == []
    assert symbols(" \n\n") == []
    assert symbols("// only words") == []


def test_vue_components() -> None:
    source = """
        <template>
          <p @click="go">é {{ function no() {} }}</p>
          <template #slot><script>const inTemplate = 1;</script></template>
        </template>
        <!-- <script>const commented = 1;</script> -->
        <script lang="ts">
        export default { name: "x" as string };
        </script>
        <script setup lang="ts">
        import { ref } from "vue";
        const n: number = 1;
        function go() { ref(n); }
        </script>
        <style>a { b: c }</style>
    """
    assert symbols(source, "m.vue") == [
        "Variable default 7:1-7:40 EXPORTED DEFAULT_EXPORT",
        "Variable n 11:1-11:21 CONST declared BUILTIN(number)",
        "Function go 12:1-12:26",
    ]
    assert [(call.name, call.line, call.column) for call in sites(source, "m.vue").calls] == [("ref", 12, 17)]
    assert diagnostics(source, "m.vue") == []


def test_svelte_components() -> None:
    source = """
        <script context="module">
          export const a = 1;
        </script>

        <script>
          let b = a; function go() {}
        </script>
        <button on:click={go}>x</button>
    """
    assert symbols(source, "m.svelte") == [
        "Variable a 2:3-2:22 EXPORTED CONST",
        "Variable b 6:3-6:13",
        "Function go 6:14-6:30",
    ]


def test_a_component_without_a_script() -> None:
    assert symbols("<template><p/></template>", "m.vue") == []
    assert symbols("<script", "m.svelte") == []


def test_grammars_follow_the_extension() -> None:
    assert names("const a = <T,>(x: T) => x;", "m.ts") == ["Function a"]
    assert names("const a = <Foo>x;", "m.cts") == ["Variable a"]
    assert names("const a = <Foo x={1}>{b}</Foo>;", "m.tsx") == ["Variable a"]
    assert names("const a = <Foo x={1}>{b}</Foo>;", "m.mjs") == ["Variable a"]


def test_facts_name_their_language() -> None:
    assert facts("").version == f"javascript/{VERSION}"
    assert facts("", "m.ts").version == f"typescript/{VERSION}"
    assert facts("", "m.vue").version == f"javascript/{VERSION}"


def test_lines_are_counted() -> None:
    assert [head(text).lines for text in ("", "a", "a\nb", "a\nb\n")] == [1, 1, 2, 2]


def test_the_same_text_gives_the_same_bytes() -> None:
    source = "import a from './a'; export class B extends a.C { m() { return { n: () => this.m() }; } }"
    assert facts(source) == facts(source)
    assert HEAD.decode(facts(source).head).lines == 1
