"""Packages: `main`, `exports`, `imports`, workspaces; what a build writes stands for its source."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from codegps.languages.javascript.resolution.pnpm import package_patterns
from tests.languages.javascript.trees import diagnostics, finder, lead


def workspace(package: dict[str, object], sources: Iterable[str], config: object = None) -> dict[str, str]:
    """A root with a package `lib` and an importer `app/a.ts`."""
    files = {
        "package.json": '{"workspaces": ["app", "lib"]}',
        "app/package.json": '{"name": "app"}',
        "app/a.ts": "",
        "lib/package.json": json.dumps({"name": "lib", **package}),
        **{f"lib/{source}": "" for source in sources},
    }
    return files if config is None else {**files, "lib/tsconfig.json": json.dumps(config)}


@pytest.mark.parametrize(
    ("package", "sources", "expected"),
    [
        ({}, ["index.ts"], "index.ts"),
        ({}, ["src/index.ts"], "src/index.ts"),
        ({}, ["index.ts", "src/index.ts"], "index.ts"),
        ({"main": "src/start.ts"}, ["src/start.ts", "src/index.ts"], "src/start.ts"),
        ({"main": "./src"}, ["src/index.ts"], "src/index.ts"),
        ({"main": "lib/x.js"}, ["lib/x.js"], "lib/x.js"),
        ({"main": "lib/x.js"}, ["lib/x.js", "src/x.ts"], "src/x.ts"),
        ({"main": "lib/x.js"}, ["lib/x.js", "x.js"], "lib/x.js"),
        ({"main": "dist/index.js"}, ["dist/index.js", "dist/index.d.ts", "src/index.ts"], "src/index.ts"),
        ({"main": "dist/index.js"}, ["dist/index.js"], "dist/index.js"),
        ({"main": "dist/index.js"}, ["src/index.tsx"], "src/index.tsx"),
        ({"main": "dist/index.cjs", "module": "dist/index.mjs"}, ["src/index.ts"], "src/index.ts"),
        ({"main": "dist/index.cjs", "module": "dist/index.mjs"}, ["src/index.mts", "src/index.cts"], "src/index.mts"),
        ({"main": "dist/lib.cjs.js"}, ["src/index.ts", "src/other.ts"], "src/index.ts"),
        ({"main": "dist/lib.esm.min.js"}, ["src/lib.ts", "src/index.ts"], "src/lib.ts"),
        ({"main": "build/src/main.js"}, ["src/main.ts"], "src/main.ts"),
        ({"main": "dist/packages/lib/src/main.js"}, ["src/main.ts"], "src/main.ts"),
        ({"main": "dist/esm/index.js"}, ["src/index.ts"], "src/index.ts"),
        ({"types": "dist/types/index.d.ts"}, ["src/index.ts", "src/types/index.ts"], "src/index.ts"),
        ({"main": "out/server.js"}, ["server.ts"], "server.ts"),
        ({"main": "./dist"}, ["src/index.ts"], "src/index.ts"),
        ({"source": "code/a.ts", "main": "dist/b.js"}, ["code/a.ts", "src/b.ts"], "code/a.ts"),
        ({"typings": "./build/api.d.ts"}, ["src/api.ts"], "src/api.ts"),
        ({"types": "index.d.ts", "main": "index.js"}, ["index.d.ts", "index.js"], "index.js"),
        ({"types": "index.d.ts", "main": "dist/x.js"}, ["index.d.ts", "src/index.ts"], "src/index.ts"),
        ({"types": "index.d.ts"}, ["index.d.ts"], "index.d.ts"),
        ({"main": "dist/style.css"}, ["src/style.ts"], None),
        ({"main": "../../../etc/passwd"}, ["other.ts"], None),
        ({"main": 5, "types": ["x"], "browser": {"a": False}}, ["index.ts"], "index.ts"),
        ({"exports": "./dist/index.js"}, ["src/index.ts"], "src/index.ts"),
        ({"exports": ["./dist/index.js"]}, ["src/index.ts"], "src/index.ts"),
        (
            {"exports": {".": "./dist/index.js"}, "main": "src/other.ts"},
            ["src/index.ts", "src/other.ts"],
            "src/index.ts",
        ),
        ({"exports": {"import": "./dist/index.mjs", "require": "./dist/index.cjs"}}, ["src/index.ts"], "src/index.ts"),
        ({"exports": {".": {"types": "./t.d.ts", "default": "./b.js"}}}, ["t.d.ts", "b.js"], "b.js"),
        ({"exports": {".": {"default": "./b.js", "source": "./a.ts"}}}, ["a.ts", "b.js"], "a.ts"),
        ({"exports": {".": {"default": "./b.js", "@lib/source": "./a.ts"}}}, ["a.ts", "b.js"], "a.ts"),
        ({"exports": {".": {"browser": "./b.js", "default": "./a.js"}}}, ["a.js", "b.js"], "a.js"),
        ({"exports": {".": {"production": "./b.js", "development": "./a.js"}}}, ["a.js", "b.js"], "a.js"),
        ({"exports": {".": {"default": "./b.js", "development": "./a.ts"}}}, ["a.ts", "b.js"], "a.ts"),
        ({"exports": {".": {"development": "./b.ts", "default": "./a.ts"}}}, ["a.ts", "b.ts"], "a.ts"),
        ({"exports": {".": {"require": "./b.cjs", "import": "./a.mjs"}}}, ["a.mjs", "b.cjs"], "a.mjs"),
        ({"exports": {".": {"node": {"import": "./a.mjs", "require": "./a.cjs"}}}}, ["a.mjs", "b.js"], "a.mjs"),
        ({"exports": {".": {"node": "./a.js", "default": "./b.js"}}}, ["a.js", "b.js"], "a.js"),
        (
            {"exports": {".": {"import": {"types": "./dist/a.d.mts", "default": "./dist/a.mjs"}}}},
            ["src/a.ts"],
            "src/a.ts",
        ),
        ({"exports": {".": {"types@>=5": "./dist/a.d.ts"}}}, ["src/a.ts"], "src/a.ts"),
        ({"exports": {".": {"import": None, "require": "./a.js"}}}, ["a.js"], "a.js"),
        ({"exports": {".": None}}, ["index.js", "src/index.ts"], None),
        ({"exports": {"./x": "./x.js"}}, ["index.js", "x.js"], None),
        ({"exports": {".": "./dist/bundle.js"}}, ["src/index.ts"], "src/index.ts"),
        ({"exports": {".": "../../out.js"}}, ["nothing.ts"], None),
    ],
)
def test_the_name_of_a_package(package: dict[str, object], sources: list[str], expected: str | None) -> None:
    assert lead(workspace(package, sources), "app/a.ts", "lib") == [f"lib/{expected}" if expected else "missing lib"]


EXPORTS = {
    ".": "./dist/index.js",
    "./package.json": "./package.json",
    "./exact": "./dist/named.js",
    "./types": "./dist/types/index.js",
    "./features/*.js": "./dist/features/*.js",
    "./features/*": {"types": "./dist/types/features/*.d.ts", "default": "./dist/features/*.js"},
    "./features/private/*": None,
    "./twice/*": "./dist/*/*.js",
    "./old/": "./dist/old/",
    "./style.css": "./dist/style.css",
    "./bundle": "./dist/b.min.js",
}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("lib/exact", "lib/src/named.ts"),
        ("lib/types", "lib/src/types/index.ts"),
        ("lib/features/a", "lib/src/features/a.ts"),
        ("lib/features/a.js", "lib/src/features/a.ts"),
        ("lib/features/deep/b", "lib/src/features/deep/b.ts"),
        ("lib/features/private/c", None),
        ("lib/twice/d", "lib/src/d/d.ts"),
        ("lib/old/e.js", "lib/src/old/e.ts"),
        ("lib/bundle", "lib/src/bundle.ts"),
        ("lib/style.css", None),
        ("lib/package.json", None),
        ("lib/src/named", None),
        ("lib/", "lib/src/index.ts"),
    ],
)
def test_subpaths_that_a_package_exports(spec: str, expected: str | None) -> None:
    sources = ["index", "named", "types/index", "features/a", "features/deep/b", "features/private/c", "d/d", "old/e"]
    files = workspace({"exports": EXPORTS}, [f"src/{source}.ts" for source in [*sources, "bundle", "style"]])
    assert lead(files, "app/a.ts", spec) == [expected or f"missing {spec}"]


def test_subpaths_of_a_package_without_exports() -> None:
    files = workspace(
        {"typesVersions": {"*": {"typed": ["dist/other.d.ts"]}}},
        ["src/x.ts", "deep/y.js", "deep/index.js", "src/other.ts", "sub/package.json", "sub/code/z.ts"],
    )
    files["lib/sub/package.json"] = '{"main": "code/z"}'
    specs = ["lib/src/x", "lib/x", "lib/dist/x.js", "lib/deep/y.js", "lib/deep", "lib/typed", "lib/sub", "lib/none"]
    assert lead(files, "app/a.ts", *specs) == [
        "lib/src/x.ts",
        "lib/src/x.ts",
        "lib/src/x.ts",
        "lib/deep/y.js",
        "lib/deep/index.js",
        "lib/src/other.ts",
        "lib/sub/code/z.ts",
        "missing lib/none",
    ]


def test_what_a_package_does_not_export_is_reached_where_exports_mean_nothing() -> None:
    files = workspace({"exports": {".": "./dist/index.js"}}, ["src/x.ts"])
    files["app/tsconfig.json"] = '{"compilerOptions": {"moduleResolution": "Node"}}'
    assert lead(files, "app/a.ts", "lib/src/x") == ["lib/src/x.ts"]
    files["app/tsconfig.json"] = '{"compilerOptions": {"moduleResolution": "NodeNext"}}'
    assert lead(files, "app/a.ts", "lib/src/x") == ["missing lib/src/x"]
    files["app/tsconfig.json"] = '{"compilerOptions": {"module": "commonjs"}}'
    assert lead(files, "app/a.ts", "lib/src/x") == ["lib/src/x.ts"]


def test_what_node_is_given_counts_where_node_resolves() -> None:
    files = workspace({"exports": {".": {"node": "./a.ts", "default": "./b.ts"}}}, ["a.ts", "b.ts"])
    assert lead(files, "app/a.ts", "lib") == ["lib/a.ts"]
    files["app/tsconfig.json"] = '{"compilerOptions": {"moduleResolution": "bundler"}}'
    assert lead(files, "app/a.ts", "lib") == ["lib/b.ts"]


def test_custom_conditions() -> None:
    files = workspace({"exports": {".": {"default": "./b.js", "ours": "./a.ts"}}}, ["a.ts", "b.js"])
    assert lead(files, "app/a.ts", "lib") == ["lib/b.js"]
    files["app/tsconfig.json"] = '{"compilerOptions": {"customConditions": ["ours"]}}'
    assert lead(files, "app/a.ts", "lib") == ["lib/a.ts"]


@pytest.mark.parametrize(
    ("options", "main", "source"),
    [
        ({"outDir": "made", "rootDir": "code"}, "made/x.js", "code/x.ts"),
        ({"outDir": "./made/", "rootDir": "./code/in"}, "made/x.mjs", "code/in/x.ts"),
        ({"outDir": "made"}, "made/code/x.js", "code/x.ts"),
        ({"outDir": "made", "declarationDir": "typed", "rootDir": "code"}, "typed/x.d.ts", "code/x.ts"),
        ({"outDir": ".", "rootDir": "code"}, "x.js", "code/x.ts"),
    ],
)
def test_out_dir_and_root_dir_tell_the_source(options: dict[str, object], main: str, source: str) -> None:
    files = workspace({"main": main}, [source], {"compilerOptions": options})
    assert lead(files, "app/a.ts", "lib") == [f"lib/{source}"]


def test_the_included_folder_tells_the_source() -> None:
    config = {"compilerOptions": {"outDir": "made"}, "include": ["code/**/*"]}
    assert lead(workspace({"main": "made/x.js"}, ["code/x.ts"], config), "app/a.ts", "lib") == ["lib/code/x.ts"]


def test_a_configuration_of_another_name_tells_the_source() -> None:
    files = workspace({"main": "made/x.js"}, ["code/x.ts"])
    files["lib/tsconfig.build.json"] = '{"compilerOptions": {"outDir": "made", "rootDir": "code"}}'
    assert lead(files, "app/a.ts", "lib") == ["lib/code/x.ts"]


def test_the_roots_configuration_tells_the_source() -> None:
    files = workspace({"main": "../made/lib/code/x.js"}, ["code/x.ts"])
    files["tsconfig.json"] = '{"compilerOptions": {"outDir": "made", "rootDir": "."}}'
    assert lead(files, "app/a.ts", "lib") == ["lib/code/x.ts"]


class TestOwnNames:
    def test_a_package_imports_itself(self) -> None:
        files = {
            "package.json": '{"name": "@me/tool", "exports": {".": "./dist/index.js", "./x": "./dist/x.js"}}',
            "src/index.ts": "",
            "src/x.ts": "",
            "src/deep/package.json": '{"type": "module"}',
            "src/deep/a.ts": "",
        }
        assert lead(files, "src/deep/a.ts", "@me/tool", "@me/tool/x", "@me/tool/y", "@me/other") == [
            "src/index.ts",
            "src/x.ts",
            "missing @me/tool/y",
            "external @me/other",
        ]

    def test_imports_of_a_package(self) -> None:
        imports = {
            "#exact": "./src/exact.js",
            "#lib/*": "./dist/lib/*.js",
            "#lib/secret/*": None,
            "#by-condition": {"node": "./src/node.js", "default": "./src/other.js"},
            "#dep": {"node": "fs-extra", "default": "./src/exact.js"},
            "#builtin": "node:fs",
            "#sibling": "lib",
            "#out": "./../../x.js",
            "#first": ["./nowhere.js", "./src/exact.js"],
        }
        files = {
            **workspace({}, ["index.ts"]),
            "app/package.json": json.dumps({"name": "app", "imports": imports}),
            **{f"app/src/{name}.ts": "" for name in ("exact", "lib/a", "lib/secret/b", "node", "other")},
        }
        names = ["exact", "lib/a", "lib/secret/b", "by-condition", "dep", "builtin", "sibling", "out", "first", "no"]
        assert lead(files, "app/src/exact.ts", *(f"#{name}" for name in names)) == [
            "app/src/exact.ts",
            "app/src/lib/a.ts",
            "missing #lib/secret/b",
            "app/src/node.ts",
            "external fs-extra",
            "external node:fs",
            "lib/index.ts",
            "missing #out",
            "app/src/exact.ts",
            "missing #no",
        ]


MEMBERS = {
    **{f"packages/{name}/package.json": json.dumps({"name": f"@x/{name}"}) for name in ("a", "b", "c")},
    **{f"packages/{name}/src/index.ts": "" for name in ("a", "b", "c")},
    "packages/deep/d/package.json": '{"name": "@x/d"}',
    "packages/deep/d/index.ts": "",
    "apps/web/package.json": '{"name": "web"}',
    "apps/web/a.ts": "",
    "packages/b/node_modules/@x/e/package.json": '{"name": "@x/e"}',
}


def members(files: dict[str, str]) -> str:
    """The letters of the packages that `apps/web` sees."""
    found = finder({**MEMBERS, **files})
    return "".join(name for name in "abcde" if found.find(f"@x/{name}", "apps/web/a.ts").kind == "file")


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["packages/*"], "abc"),
        (["./packages/*/"], "abc"),
        (["packages/a", "packages/c"], "ac"),
        (["packages/**"], "abcd"),
        (["**"], "abcd"),
        (["packages/*/d"], "d"),
        (["packages/{a,deep/d}"], "ad"),
        (["packages/*", "!packages/b"], "ac"),
        (["packages/**", "!**/d"], "abc"),
        (["packages/?"], "abc"),
        (["{packages,apps}/*"], "abc"),
        (["../packages/*", "/packages/a", "nowhere/*", ""], "a"),
        ([], ""),
    ],
)
def test_members_of_npm_and_yarn_workspaces(patterns: list[str], expected: str) -> None:
    assert members({"package.json": json.dumps({"workspaces": patterns})}) == expected
    assert members({"package.json": json.dumps({"workspaces": {"packages": patterns, "nohoist": ["**"]}})}) == expected


def test_a_later_pattern_takes_back_an_exclusion() -> None:
    patterns = ["packages/*", "!packages/*", "packages/b"]
    assert members({"package.json": json.dumps({"workspaces": patterns})}) == "b"


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("packages:\n  - packages/*\n  - '!packages/c'\n", "ab"),
        ("packages:\n- '!packages/c'\n- \"packages/*\"\n", "ab"),
        (
            "# head\ncatalog:\n  packages: 1\npackages: # list\n  # one\n  - 'packages/**' # deep\n\nother:\n  - x\n",
            "abcd",
        ),
        ("packages: ['packages/a', \"packages/b\",\n  packages/c # end\n]\n", "abc"),
        ("catalog:\n  react: 1\n", ""),
        ("packages:\n", ""),
        ("", ""),
        (": : [ } broken\n\t- x", ""),
    ],
)
def test_members_of_pnpm_workspaces(yaml: str, expected: str) -> None:
    assert members({"package.json": "{}", "pnpm-workspace.yaml": yaml}) == expected


def test_the_list_of_a_pnpm_workspace() -> None:
    assert package_patterns("packages: ['a,b', \"c]d\", {e}, 'it''s']") == ["a,b", "c]d", "{e}", "it's"]
    assert package_patterns("'packages':\r\n  - a # x\r\n  - 'b#c'\r\n  - d#e\r\n") == ["a", "b#c", "d#e"]


def test_members_of_lerna_and_rush() -> None:
    assert members({"package.json": "{}", "lerna.json": '{"packages": ["packages/*"]}'}) == "abc"
    rush = '/* x */ {"projects": [{"packageName": "@x/d", "projectFolder": "packages/deep/d"}, {}, 5]}'
    assert members({"rush.json": rush}) == "d"


PNP: dict[str, object] = {
    "dependencyTreeRoots": [{"name": "@x/a", "reference": "workspace:packages/a"}],
    "packageRegistryData": [
        [None, [[None, {"packageLocation": "./", "packageDependencies": []}]]],
        ["@x/a", [["workspace:packages/a", {"packageLocation": "./packages/a/", "packageDependencies": []}]]],
        ["@x/b", [["npm:1.0.0", {"packageLocation": "./.yarn/cache/b.zip/node_modules/@x/b/"}]]],
        [
            "web",
            [
                [
                    "workspace:apps/web",
                    {
                        "packageLocation": "./apps/web/",
                        "packageDependencies": [
                            ["@x/a", "workspace:packages/a"],
                            ["@x/b", "npm:1.0.0"],
                            ["alias", ["@x/a", "workspace:packages/a"]],
                            ["peer", None],
                        ],
                    },
                ]
            ],
        ],
    ],
}


@pytest.mark.parametrize(
    "files",
    [
        {".pnp.data.json": json.dumps(PNP)},
        {
            ".pnp.cjs": "const RAW_RUNTIME_STATE =\n'"
            + json.dumps({"__info": ["don't edit"], **PNP}, indent=2).replace("'", "\\'").replace("\n", "\\\n")
            + "';\nfunction $$SETUP_STATE(hydrateRuntimeState, basePath) { throw new Error('never run'); }\n"
        },
        {
            ".pnp.js": "function $$SETUP_STATE(hydrateRuntimeState, basePath) {\n  return hydrateRuntimeState("
            + json.dumps(PNP, indent=2)
            + ", {basePath: basePath || __dirname});\n}\n"
        },
    ],
)
def test_members_of_plug_n_play(files: dict[str, str]) -> None:
    tree = {**MEMBERS, "package.json": '{"workspaces": ["packages/*"]}', **files}
    assert lead(tree, "apps/web/a.ts", "@x/a", "alias", "@x/b", "peer", "@x/c") == [
        "packages/a/src/index.ts",
        "packages/a/src/index.ts",
        "external @x/b",
        "external peer",
        "packages/c/src/index.ts",
    ]


def test_versions_that_say_where_a_package_is() -> None:
    versions = {
        "near": "file:../../packages/a",
        "linked": "link:../../packages/b",
        "portal": "portal:../../packages/c/",
        "by-path": "workspace:../../packages/a",
        "renamed": "workspace:@x/b@*",
        "@x/c": "npm:@x/c@1.2.3",
        "@x/b": "workspace:^",
        "outside": "file:../../../../x",
        "round": "workspace:trip@*",
        "trip": "workspace:round@*",
    }
    tree = {
        **MEMBERS,
        "package.json": '{"workspaces": ["packages/*", "apps/*"]}',
        "apps/web/package.json": json.dumps({"dependencies": versions, "name": "web"}),
    }
    assert lead(tree, "apps/web/a.ts", *versions) == [
        "packages/a/src/index.ts",
        "packages/b/src/index.ts",
        "packages/c/src/index.ts",
        "packages/a/src/index.ts",
        "packages/b/src/index.ts",
        "external @x/c",
        "packages/b/src/index.ts",
        "external outside",
        "external round",
        "external trip",
    ]


def test_workspaces_in_workspaces() -> None:
    tree = {
        "package.json": '{"workspaces": ["outer", "libs/*"]}',
        "libs/x/package.json": '{"name": "x"}',
        "libs/x/index.ts": "",
        "libs/y/package.json": '{"name": "y"}',
        "libs/y/index.ts": "",
        "outer/package.json": '{"workspaces": ["in/*"]}',
        "outer/in/x/package.json": '{"name": "x"}',
        "outer/in/x/index.ts": "",
    }
    assert lead(tree, "outer/a.ts", "x", "y") == ["outer/in/x/index.ts", "libs/y/index.ts"]
    assert lead(tree, "a.ts", "x", "y") == ["libs/x/index.ts", "libs/y/index.ts"]


def test_two_packages_of_one_name() -> None:
    tree = {
        "package.json": '{"workspaces": ["one/*", "two/*"]}',
        **{f"{place}/index.ts": "" for place in ("one/x", "two/x", "one/app", "two/app")},
        "one/x/package.json": '{"name": "x"}',
        "two/x/package.json": '{\n  "version": "1",\n  "name": "x"\n}',
    }
    assert lead(tree, "one/app/index.ts", "x") == ["one/x/index.ts"]
    assert lead(tree, "two/app/index.ts", "x") == ["two/x/index.ts"]
    assert lead(tree, "other.ts", "x") == ["one/x/index.ts"]
    found = finder(tree)
    assert diagnostics(found) == []
    found.find("react", "two/x/index.ts")
    assert diagnostics(found) == ["two/x/package.json:3: a package of the name 'x' is in one/x/package.json, too"]


def test_a_workspace_package_without_sources_is_missing() -> None:
    assert lead(workspace({"main": "index.json"}, []), "app/a.ts", "lib", "lib/x") == ["missing lib", "missing lib/x"]
