"""Broken and hostile project files: a diagnostic with file and line, and resolution goes on without them."""

from __future__ import annotations

import json

import pytest

from codegps.languages.javascript import LANGUAGE
from tests.languages.javascript.trees import diagnostics, finder, lead, shown


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n  "compilerOptions": {\n    "paths" {}\n  }\n}', 3),
        ('{\n  "a": "unclosed\n}', 2),
        ('{\n  "a": [1, 2\n}', 3),
        ('{\n  "a": 1\n} x', 3),
        ('{"a": 1 "b": 2}', 1),
        ('{\n "a": nonsense\n}', 2),
        ("[]", 1),
        ("5", 1),
        ("\0\0\0", 1),
        ("{" * 100_000, 1),
        ('{"a":' + "[" * 100_000, 1),
        ("{\n/* never closed", 2),
    ],
)
def test_a_broken_tsconfig(text: str, line: int) -> None:
    files = {"web/tsconfig.json": text, "tsconfig.json": '{"compilerOptions": {"baseUrl": "lib"}}'}
    found = finder({**files, "web/a.ts": "", "web/b.ts": "", "lib/x.ts": ""})
    assert shown(found, "./b", "web/a.ts") == "web/b.ts"
    assert shown(found, "x", "web/a.ts") == "lib/x.ts"
    assert [(d.file, d.line) for d in found.diagnostics()] == [("web/tsconfig.json", line)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n  "name": "x",\n}', "package.json:3: not valid JSON: Expecting property name enclosed in double quotes"),
        ("", "package.json:1: not valid JSON: Expecting value"),
        ("[" * 100_000, "package.json:1: not valid JSON: too deeply nested"),
        ("[1]", "package.json:1: not an object"),
        ('{\n"workspaces": 5}', 'package.json:2: "workspaces" must be a list or an object'),
    ],
)
def test_a_broken_package(text: str, message: str) -> None:
    found = finder({"package.json": text, "src/a.ts": "", "src/b.ts": ""})
    assert shown(found, "./b", "src/a.ts") == "src/b.ts"
    assert shown(found, "x", "src/a.ts") == "external x"
    assert [d[: len(message)] for d in diagnostics(found)] == [message]


def test_wrong_kinds_of_values() -> None:
    text = """{
      "extends": 5,
      "compilerOptions": {
        "baseUrl": 7,
        "rootDirs": "src",
        "outDir": [],
        "moduleSuffixes": {},
        "paths": {
          "@a": "src/a",
          "@*/*": ["src/*"],
          "@b": [1, null, "src/b"]
        }
      },
      "files": "a.ts",
      "include": {},
      "references": [1, {"path": 2}, {}]
    }"""
    found = finder({"tsconfig.json": text, "src/a.ts": "", "src/b.ts": ""})
    assert shown(found, "@b", "src/a.ts") == "src/b.ts"
    assert shown(found, "@a", "src/a.ts") == "external @a"
    assert diagnostics(found) == [
        'tsconfig.json:2: "extends" must be a string or a list of strings',
        'tsconfig.json:9: "@a" must be a list, and one * at most',
        'tsconfig.json:10: "@*/*" must be a list, and one * at most',
        'tsconfig.json:14: "files" must be a list',
        'tsconfig.json:15: "include" must be a list',
    ]


@pytest.mark.parametrize("options", ["5", "[]", '{"paths": 5}', '{"paths": [["a"]]}'])
def test_wrong_options(options: str) -> None:
    found = finder({"tsconfig.json": f'{{"compilerOptions": {options}}}', "a.ts": ""})
    assert shown(found, "x", "a.ts") == "external x"
    assert [(d.file, d.line) for d in found.diagnostics()] == [("tsconfig.json", 1)]


@pytest.mark.parametrize("start", ["tsconfig.json", "b/tsconfig.json", "c.json"])
def test_a_cycle_in_extends(start: str) -> None:
    files = {
        "tsconfig.json": '{\n"extends": "./b/tsconfig.json", "compilerOptions": {"baseUrl": "lib"}}',
        "b/tsconfig.json": '{"extends": "../c"}',
        "c.json": '{"extends": ["./base", "./tsconfig"], "compilerOptions": {"paths": {"@x": ["lib/x.ts"]}}}',
        "base.json": '{"compilerOptions": {"moduleSuffixes": [".ios", ""]}}',
        "d/tsconfig.json": f'{{"extends": "../{start}"}}',
        **dict.fromkeys(("a.ts", "lib/x.ts", "b/a.ts", "d/a.ts"), ""),
    }
    found = finder(files)
    for importer in ("d/a.ts", "b/a.ts", "a.ts"):
        found.find("x", importer)
    assert shown(found, "x", "a.ts") == "lib/x.ts"
    assert diagnostics(found) == ["b/tsconfig.json:1: extends itself by way of c.json, tsconfig.json"]
    assert diagnostics(finder(files)) == []
    again = finder(files)
    again.find("x", "d/a.ts")
    assert diagnostics(again) == ["b/tsconfig.json:1: extends itself by way of c.json, tsconfig.json"]


def test_a_configuration_that_extends_itself() -> None:
    found = finder({"tsconfig.json": '{"extends": "./tsconfig.json", "compilerOptions": {"baseUrl": "."}}', "x.ts": ""})
    assert shown(found, "x", "x.ts") == "x.ts"
    assert diagnostics(found) == ["tsconfig.json:1: extends itself"]


def test_a_base_that_is_not_there() -> None:
    text = '{\n\n"extends": ["./gone.json", "../../outside.json", "/etc/x.json", "not-installed"]}'
    found = finder({"a/tsconfig.json": text, "a/a.ts": ""})
    assert shown(found, "x", "a/a.ts") == "external x"
    assert diagnostics(found) == [
        "a/tsconfig.json:3: extends '../../outside.json', which is not there",
        "a/tsconfig.json:3: extends './gone.json', which is not there",
        "a/tsconfig.json:3: extends '/etc/x.json', which is not there",
    ]


def test_a_broken_base() -> None:
    files = {
        "base.json": "{",
        "tsconfig.json": '{"extends": "./base.json", "compilerOptions": {"baseUrl": "lib"}}',
        "lib/x.ts": "",
    }
    found = finder(files)
    assert shown(found, "x", "lib/x.ts") == "lib/x.ts"
    assert [(d.file, d.line) for d in found.diagnostics()] == [("base.json", 1)]


def test_many_configurations_that_all_extend_each_other() -> None:
    bases = [f"./{n}.json" for n in range(150)]
    files = {f"{n}.json": json.dumps({"extends": bases}) for n in range(150)}
    found = finder({**files, "tsconfig.json": '{"extends": "./0.json"}', "a.ts": ""})
    assert shown(found, "x", "a.ts") == "external x"
    assert diagnostics(found) == ["0.json:1: extends itself by way of 1.json, 10.json, 100.json, ..."]


def test_a_long_chain_of_bases() -> None:
    files = {f"{n}.json": json.dumps({"extends": f"./{n + 1}.json"}) for n in range(3000)}
    files["3000.json"] = '{"compilerOptions": {"baseUrl": "lib"}}'
    assert lead({**files, "tsconfig.json": '{"extends": "./0"}', "lib/x.ts": ""}, "lib/x.ts", "x") == ["lib/x.ts"]


def test_aliases_never_lead_out_of_the_tree() -> None:
    targets = ["../x", "/etc/passwd", "C:\\x", "..\\..\\x", "./../../x"]
    files = {"tsconfig.json": json.dumps({"compilerOptions": {"paths": {"@/*": targets}}}), "x.ts": ""}
    assert lead(files, "x.ts", "@/x", "@/../../x") == ["external @/x", "external @/../../x"]
    files = {"tsconfig.json": '{"compilerOptions": {"baseUrl": "src", "paths": {"@/*": ["*"]}}}', "x.ts": ""}
    assert lead(files, "x.ts", "@/../x", "@/../../../x", "../../x") == [
        "x.ts",
        "external @/../../../x",
        "missing ../../x",
    ]


def test_conditions_nested_without_end() -> None:
    deep = '{"import": [' * 400 + '"./index.js"' + "]}" * 400
    files = {"package.json": f'{{"name": "x", "exports": {deep}}}', "index.js": ""}
    assert lead(files, "index.js", "x") == ["missing x"]


def test_patterns_that_ask_for_too_much() -> None:
    files = {
        "package.json": json.dumps({"workspaces": ["{a,b}" * 30, "**/" * 50 + "x", "*/" * 50, "{", "}{", "!"]}),
        "a/package.json": '{"name": "a"}',
        "a/index.ts": "",
    }
    assert lead(files, "a/index.ts", "b") == ["external b"]


def test_many_imports_of_one_file_cost_little() -> None:
    files = {f"src/f{n // 50}/m{n}.ts": "" for n in range(2000)}
    found = finder({**files, "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}'})
    for n in range(2000):
        assert shown(found, f"@/f{n // 50}/m{n}", "src/f0/m0.ts") == f"src/f{n // 50}/m{n}.ts"


def test_the_files_that_steer_are_named() -> None:
    assert {"package.json", "tsconfig.json", "jsconfig.json", "pnpm-workspace.yaml", ".pnp.cjs"} <= set(
        LANGUAGE.project_files
    )


def test_imports_of_a_package_that_lead_nowhere() -> None:
    imports = {"#root": "/", "#absolute": "/etc/passwd", "#chain": "#root", "#empty": "", "#folder": "./", "#number": 5}
    files = {"package.json": json.dumps({"name": "x", "imports": imports}), "src/a.ts": ""}
    assert lead(files, "src/a.ts", *imports) == [f"missing {name}" for name in imports]


WRONG: list[object] = [
    None,
    5,
    True,
    "",
    "*",
    "../../..",
    "/",
    "\0",
    [],
    {},
    [[]],
    [None],
    {"": ""},
    {"*": "*"},
    {".": []},
    "workspace:",
]


@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_any_value_in_any_place(value: object) -> None:
    options = ("paths", "baseUrl", "rootDirs", "outDir", "rootDir", "moduleSuffixes", "customConditions", "module")
    heads = ("extends", "references", "files", "include", "exclude")
    fields = ("main", "types", "exports", "imports", "workspaces", "dependencies", "typesVersions", "browser")
    config = {**dict.fromkeys(heads, value), "compilerOptions": dict.fromkeys(options, value)}
    for name in fields:
        files = {
            "package.json": json.dumps({"name": "x", "workspaces": ["lib"], name: value}),
            "lib/package.json": json.dumps({"name": "lib", name: value}),
            "lib/index.ts": "",
            "src/tsconfig.json": json.dumps(config),
            **dict.fromkeys(
                ("lerna.json", "rush.json", ".pnp.data.json"), json.dumps({"packages": value, "projects": value})
            ),
            **dict.fromkeys(("src/a.ts", "src/b.ts"), ""),
        }
        found = finder(files)
        answers = [found.find(spec, "src/a.ts") for spec in ("lib", "lib/x", "x", "#x", "@/x", "./a", "..", "react")]
        assert all(answer.name in files for answer in answers if answer.kind == "file")
        assert found.find("react", "src/b.ts").kind == "external"
        found.layout("src")
        found.diagnostics()
