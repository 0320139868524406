"""Relative imports: extensions, index files, folders, declarations, outputs."""

from __future__ import annotations

import pytest

from tests.languages.javascript.trees import finder, lead


@pytest.mark.parametrize(
    ("files", "spec", "expected"),
    [
        (["b.ts"], "./b", "b.ts"),
        (["b.tsx"], "./b", "b.tsx"),
        (["b.js"], "./b", "b.js"),
        (["b.jsx"], "./b", "b.jsx"),
        (["b.mts"], "./b", "b.mts"),
        (["b.cjs"], "./b", "b.cjs"),
        (["b.ts"], "./b.js", "b.ts"),
        (["b.tsx"], "./b.js", "b.tsx"),
        (["b.tsx"], "./b.jsx", "b.tsx"),
        (["b.mts"], "./b.mjs", "b.mts"),
        (["b.cts"], "./b.cjs", "b.cts"),
        (["b.js"], "./b.js", "b.js"),
        (["b.ts"], "./b.ts", "b.ts"),
        (["b.mts"], "./b.mts", "b.mts"),
        (["b.vue"], "./b.vue", "b.vue"),
        (["b.svelte"], "./b.svelte", "b.svelte"),
        (["b.svelte.ts"], "./b.svelte", "b.svelte.ts"),
        (["b.svelte.ts"], "./b.svelte.js", "b.svelte.ts"),
        (["b.service.ts"], "./b.service", "b.service.ts"),
        (["b/index.ts"], "./b", "b/index.ts"),
        (["b/index.tsx"], "./b/", "b/index.tsx"),
        (["b/index.js"], "./b/index", "b/index.js"),
        (["b/index.ts"], "./b/index.js", "b/index.ts"),
        (["b.ts", "b.js"], "./b", "b.ts"),
        (["b.ts", "b.js"], "./b.js", "b.ts"),
        (["b.ts", "b/index.ts"], "./b", "b.ts"),
        (["b.ts", "b/index.ts"], "./b/", "b/index.ts"),
        (["b.d.ts", "b.js"], "./b", "b.js"),
        (["b.d.ts", "b.js"], "./b.js", "b.js"),
        (["b.d.ts", "b.ts"], "./b", "b.ts"),
        (["b.d.mts", "b.mjs"], "./b.mjs", "b.mjs"),
        (["b.d.ts"], "./b", "b.d.ts"),
        (["b.d.ts"], "./b.js", "b.d.ts"),
        (["b.d.ts"], "./b.d.ts", "b.d.ts"),
        (["b.d.ts"], "./b.d", "b.d.ts"),
        (["b.d.mts"], "./b.mjs", "b.d.mts"),
        (["b/index.d.ts", "b/index.js"], "./b", "b/index.js"),
        (["b.vue"], "./b.vue?vue&type=script", "b.vue"),
        (["b.ts"], "./b?worker", "b.ts"),
        (["b.ts"], "./b.ts?raw", "missing ./b.ts?raw"),
        (["b.ts"], "loader?x!./b", "b.ts"),
        (["b.ts"], "././/b", "b.ts"),
        (["b.json"], "./b.json", "missing ./b.json"),
        (["b.css"], "./b.css", "missing ./b.css"),
        (["c.ts"], "./b", "missing ./b"),
        (["b.ts"], "./b.mjs", "missing ./b.mjs"),
        (["b.jsx"], "./b.ts", "b.jsx"),
        (["b.mts", "b/index.ts"], "./b", "b/index.ts"),
        (["b.vue", "b/index.js"], "./b", "b/index.js"),
        (["b.d.ts", "b/index.ts"], "./b", "b.d.ts"),
        (["b.d.mts"], "./b", "b.d.mts"),
        (["b.ts"], "../b", "missing ../b"),
        (["b.ts"], "../../../etc/b", "missing ../../../etc/b"),
        (["b.ts"], "", "missing "),
        (["b.ts"], "./b\0", "missing ./b\0"),
        (["b.ts"], ".\\b", "missing .\\b"),
        (["src/b.ts"], "/src/b", "src/b.ts"),
        (["src/b.ts"], "/etc/passwd", "missing /etc/passwd"),
    ],
)
def test_names_of_a_file(files: list[str], spec: str, expected: str) -> None:
    assert lead(["a.ts", *files], "a.ts", spec) == [expected]


def test_folders_around() -> None:
    files = ["index.ts", "x/index.ts", "x/y/a.ts", "x/y/index.ts", "x/y.ts", "z.ts"]
    assert lead(files, "x/y/a.ts", ".", "./", "..", "../", "../y", "../..", "../../z", "../../..") == [
        "x/y/index.ts",
        "x/y/index.ts",
        "x/index.ts",
        "x/index.ts",
        "x/y.ts",
        "index.ts",
        "z.ts",
        "missing ../../..",
    ]


def test_a_folder_names_its_main_file() -> None:
    files = {
        "a.js": "",
        "b/package.json": '{"main": "lib/start"}',
        "b/lib/start.js": "",
        "b/index.js": "",
        "c/package.json": '{"main": "nowhere.js"}',
        "c/index.js": "",
        "d/package.json": '{"types": "./d.d.ts", "main": "./core"}',
        "d/core/index.js": "",
        "d/d.d.ts": "",
        "e/package.json": '{"main": "../b/lib/start.js"}',
        "e/only.js": "",
        "f/package.json": '{"types": "types.d.ts"}',
        "f/types.d.ts": "",
    }
    assert lead(files, "a.js", "./b", "./c", "./d", "./e", "./f") == [
        "b/lib/start.js",
        "c/index.js",
        "d/core/index.js",
        "b/lib/start.js",
        "f/types.d.ts",
    ]


def test_an_output_that_is_not_in_the_tree_stands_for_its_source() -> None:
    files = {
        "package.json": '{"name": "tool"}',
        "tsconfig.json": '{"compilerOptions": {"outDir": "made", "rootDir": "code"}}',
        "bin/tool.js": "",
        "code/cli.ts": "",
        "src/api.ts": "",
        "src/deep/x.ts": "",
    }
    assert lead(files, "bin/tool.js", "../made/cli.js", "../dist/api.js", "../lib/deep/x", "../build/nothing.js") == [
        "code/cli.ts",
        "src/api.ts",
        "src/deep/x.ts",
        "missing ../build/nothing.js",
    ]


def test_an_output_beside_the_importer_is_not_looked_for_elsewhere() -> None:
    files = {"package.json": '{"name": "tool"}', "lib/a.js": "", "b.js": "", "src/b.js": ""}
    assert lead(files, "lib/a.js", "./b", "./b.js") == ["missing ./b", "missing ./b.js"]


def test_an_output_that_is_in_the_tree_is_what_a_relative_import_says() -> None:
    files = {"package.json": "{}", "bin/a.js": "", "lib/api.js": "", "src/api.ts": ""}
    assert lead(files, "bin/a.js", "../lib/api") == ["lib/api.js"]


def test_module_suffixes() -> None:
    files = {
        "tsconfig.json": '{"compilerOptions": {"moduleSuffixes": [".ios", ".native", ""]}}',
        "a.ts": "",
        "b.ts": "",
        "b.ios.ts": "",
        "c.native.ts": "",
        "d.ts": "",
        "e/index.ios.ts": "",
    }
    assert lead(files, "a.ts", "./b", "./c", "./d", "./e", "./b.js") == [
        "b.ios.ts",
        "c.native.ts",
        "d.ts",
        "e/index.ios.ts",
        "b.ios.ts",
    ]


def test_root_dirs_are_one_folder() -> None:
    files = {
        "tsconfig.json": '{"compilerOptions": {"rootDirs": ["src/views", "made/views", "src"]}}',
        "src/views/a.ts": "",
        "src/views/b.ts": "",
        "made/views/b.ts": "",
        "made/views/c.ts": "",
        "made/views/deep/index.ts": "",
    }
    assert lead(files, "src/views/a.ts", "./b", "./c", "./deep", "./d") == [
        "src/views/b.ts",
        "made/views/c.ts",
        "made/views/deep/index.ts",
        "missing ./d",
    ]
    assert lead({**files, "src/index.ts": ""}, "src/views/a.ts", "./") == ["src/index.ts"]
    assert lead(files, "made/views/c.ts", "./a", "./b") == ["src/views/a.ts", "made/views/b.ts"]


def test_packages_from_elsewhere_keep_the_name_that_is_written() -> None:
    specs = ["react", "@scope/pkg", "node:fs", "fs/promises", "lodash/fp", "@scope/pkg/deep/x.js", "https://x.y/z.js"]
    specs += ["data:text/javascript,1", "bun:test", "npm:chalk@5", "virtual:pwa", "@scope", ".hidden", "swiper/css"]
    assert lead(["a.ts"], "a.ts", *specs) == [f"external {spec}" for spec in specs]


def test_other_languages_files_are_no_modules() -> None:
    assert lead(["a.ts", "b.py"], "a.ts", "./b.py", "./b") == ["missing ./b.py", "missing ./b"]


def test_installed_packages_where_they_are_indexed() -> None:
    files = {
        "src/a.ts": "",
        "node_modules/x/package.json": '{"name": "x", "main": "lib/x.js"}',
        "node_modules/x/lib/x.js": "",
        "node_modules/x/y.js": "",
    }
    assert lead(files, "src/a.ts", "x", "x/y", "z") == ["node_modules/x/lib/x.js", "node_modules/x/y.js", "external z"]


def test_modules_have_no_modules_in_them() -> None:
    found = finder(["a.ts", "b/index.ts", "b/c.ts"])
    assert found.submodule(found.find("./b", "a.ts"), "c") is None
    assert found.submodule(found.find("react", "a.ts"), "dom") is None


def test_what_answers_depend_on_besides_names() -> None:
    files = {
        "package.json": '{"workspaces": ["lib", "app"]}',
        "tsconfig.json": '{"compilerOptions": {"paths": {"@x": ["app/helpers"], "@/*": ["app/*"]}}}',
        "lib/package.json": '{"name": "lib", "exports": {".": "./dist/start.js", "./x": "./dist/more.js"}}',
        "app/package.json": '{"name": "app", "imports": {"#in": "./inner.js"}, "dependencies": {"o": "file:../other"}}',
        "other/package.json": '{"name": "other", "main": "dist/o.js"}',
        "app/deep/a.ts": "",
    }
    before = finder(files).layout("app/deep")
    assert finder({**files, "app/new.ts": "", "app/deep/b.ts": "", "lib/src/y.ts": ""}).layout("app/deep") == before
    for path in ("app/helpers.ts", "lib/src/start.ts", "lib/src/more.ts", "app/inner.ts", "other/src/o.ts"):
        assert finder({**files, path: ""}).layout("app/deep") != before, path
    for path in ("app/index.ts", "app/deep/index.tsx", "index.js"):
        assert finder({**files, path: ""}).layout("app/deep") != before, path
