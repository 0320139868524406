"""Aliases: `paths`, `baseUrl`, `extends`, `references`, and which configuration governs a file."""

from __future__ import annotations

import json

import pytest

from tests.languages.javascript.trees import diagnostics, finder, lead


def paths(**aliases: list[str]) -> str:
    return json.dumps({"compilerOptions": {"paths": aliases}})


def test_paths_with_wildcards_and_several_targets() -> None:
    config = {
        "@/*": ["src/*"],
        "@gen/*": ["made/*", "src/made/*"],
        "exact": ["src/one.ts"],
        "*-lazy": ["src/lazy/*"],
        "@/deep/*": ["src/other/*"],
        "@both": ["nowhere", "src/b"],
        "@folder": ["src/folder"],
        "js/*": ["src/*.js"],
    }
    files = {
        "tsconfig.json": json.dumps({"compilerOptions": {"paths": config}}),
        **dict.fromkeys(("src/a.ts", "src/b.ts", "src/one.ts", "src/lazy/x.ts", "src/made/m.ts", "src/other/y.ts"), ""),
        "src/folder/index.tsx": "",
        "src/deep/y.ts": "",
    }
    specs = ["@/b", "@gen/m", "exact", "x-lazy", "@/deep/y", "@both", "@folder", "@/folder", "js/b", "@/b.js"]
    assert lead(files, "src/a.ts", *specs) == [
        "src/b.ts",
        "src/made/m.ts",
        "src/one.ts",
        "src/lazy/x.ts",
        "src/other/y.ts",
        "src/b.ts",
        "src/folder/index.tsx",
        "src/folder/index.tsx",
        "src/b.ts",
        "src/b.ts",
    ]


def test_paths_are_relative_to_base_url() -> None:
    config = '{"compilerOptions": {"baseUrl": "./src", "paths": {"@x/*": ["x/*"], "up/*": ["../lib/*"]}}}'
    files = {"tsconfig.json": config, "src/x/a.ts": "", "lib/b.ts": "", "src/plain/index.ts": "", "src/react.ts": ""}
    assert lead(files, "src/x/a.ts", "@x/a", "up/b", "plain", "x/a", "react", "vue") == [
        "src/x/a.ts",
        "lib/b.ts",
        "src/plain/index.ts",
        "src/x/a.ts",
        "src/react.ts",
        "external vue",
    ]


def test_base_url_is_not_tried_where_an_alias_fits() -> None:
    files = {
        "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"a/*": ["b/*"]}}}',
        "a/x.ts": "",
        "b/y.ts": "",
    }
    assert lead(files, "a/x.ts", "a/y", "a/x") == ["b/y.ts", "missing a/x"]


def test_aliases_to_what_is_built() -> None:
    aliases = {"@lib": ["lib/dist"], "@lib/*": ["lib/dist/*"], "@kit": ["kit"], "@types": ["lib/types"]}
    files = {
        "tsconfig.json": json.dumps({"compilerOptions": {"paths": aliases}}),
        "lib/package.json": '{"name": "lib"}',
        **dict.fromkeys(("lib/src/index.ts", "lib/src/x.ts", "lib/types.ts", "lib/other.ts", "kit/src/start.ts"), ""),
        "kit/package.json": '{"name": "kit", "main": "dist/start.js"}',
        "a.ts": "",
    }
    assert lead(files, "a.ts", "@lib", "@lib/x", "@lib/x.js", "@lib/other", "@kit", "@types") == [
        "lib/src/index.ts",
        "lib/src/x.ts",
        "lib/src/x.ts",
        "missing @lib/other",
        "kit/src/start.ts",
        "lib/types.ts",
    ]


def test_an_alias_to_nowhere_is_missing_unless_a_package_has_the_name() -> None:
    config = paths(**{"@/*": ["src/*"], "@app/*": ["../../out/*"], "dep/*": ["src/dep/*"], "*": ["types/*"]})
    files = {"tsconfig.json": config, "package.json": '{"dependencies": {"dep": "1"}}', "src/a.ts": ""}
    assert lead(files, "src/a.ts", "@/nothing", "@app/x", "dep/x", "react") == [
        "missing @/nothing",
        "external @app/x",
        "external dep/x",
        "external react",
    ]


def test_aliases_to_installed_packages_are_external() -> None:
    files = {"tsconfig.json": paths(react=["./node_modules/@types/react"]), "a.ts": ""}
    assert lead(files, "a.ts", "react") == ["external react"]


def test_comments_trailing_commas_and_other_encodings() -> None:
    text = """\ufeff// head
    {
      /* a block, "with": quotes */ "compilerOptions": {
        "paths": { "@/*": ["src/*", ], /* http://x */ "http://y/*": ["src/*"], }, // end
      },
    }
    """
    assert lead({"tsconfig.json": text, "src/b.ts": ""}, "src/b.ts", "@/b", "http://y/b") == ["src/b.ts", "src/b.ts"]


def test_the_nearest_configuration_governs() -> None:
    files = {
        "tsconfig.json": paths(**{"@/*": ["src/*"]}),
        "web/jsconfig.json": paths(**{"@/*": ["app/*"]}),
        "web/both/tsconfig.json": paths(**{"@/*": ["ts/*"]}),
        "web/both/jsconfig.json": paths(**{"@/*": ["js/*"]}),
        **dict.fromkeys(("src/x.ts", "web/app/x.js", "web/both/ts/x.ts", "web/both/js/x.js", "web/deep/er/a.js"), ""),
    }
    assert lead(files, "src/a.ts", "@/x") == ["src/x.ts"]
    assert lead(files, "web/deep/er/a.js", "@/x") == ["web/app/x.js"]
    assert lead(files, "web/both/a.ts", "@/x") == ["web/both/ts/x.ts"]


def test_a_base_configuration_alone_in_the_root_governs() -> None:
    files = {"tsconfig.base.json": paths(**{"@x": ["libs/x/src/index.ts"]}), "libs/x/src/index.ts": "", "apps/a.ts": ""}
    assert lead(files, "apps/a.ts", "@x") == ["libs/x/src/index.ts"]


class TestExtends:
    def test_paths_come_from_where_they_are_written(self) -> None:
        files = {
            "config/base.json": paths(**{"@/*": ["../src/*"]}),
            "app/tsconfig.json": '{"extends": "../config/base"}',
            "src/x.ts": "",
            "app/a.ts": "",
        }
        assert lead(files, "app/a.ts", "@/x") == ["src/x.ts"]

    def test_the_own_paths_replace_those_of_the_base(self) -> None:
        files = {
            "base.json": paths(**{"@a": ["a.ts"], "@b": ["b.ts"]}),
            "tsconfig.json": '{"extends": "./base.json", "compilerOptions": {"paths": {"@b": ["c.ts"]}}}',
            **dict.fromkeys(("a.ts", "b.ts", "c.ts"), ""),
        }
        assert lead(files, "a.ts", "@a", "@b") == ["external @a", "c.ts"]

    def test_of_several_bases_the_last_weighs_most(self) -> None:
        files = {
            "one.json": '{"compilerOptions": {"baseUrl": "one", "paths": {"@x": ["x.ts"]}}}',
            "two.json": '{"extends": "./deep.json", "compilerOptions": {"paths": {"@x": ["y.ts"]}}}',
            "deep.json": '{"compilerOptions": {"baseUrl": "deep"}}',
            "tsconfig.json": '{"extends": ["./one.json", "./two"]}',
            **dict.fromkeys(("a.ts", "one/x.ts", "one/y.ts", "deep/y.ts"), ""),
        }
        assert lead(files, "a.ts", "@x") == ["deep/y.ts"]

    def test_a_base_that_two_share_counts_where_the_later_one_brings_it_in(self) -> None:
        files = {
            "d.json": '{"compilerOptions": {"baseUrl": "d"}}',
            "b.json": '{"extends": "./d.json", "compilerOptions": {"baseUrl": "b"}}',
            "c.json": '{"extends": "./d.json"}',
            "tsconfig.json": '{"extends": ["./b.json", "./c.json"]}',
            **dict.fromkeys(("a.ts", "b/x.ts", "d/x.ts"), ""),
        }
        assert lead(files, "a.ts", "x") == ["d/x.ts"]

    def test_a_workspace_package_and_an_installed_one(self) -> None:
        files = {
            "package.json": '{"workspaces": ["tools/*", "apps/*"]}',
            "tools/config/package.json": '{"name": "@repo/config", "exports": {"./alias": "./json/alias.json"}}',
            "tools/config/base.json": '{"compilerOptions": {"paths": {"@/*": ["${configDir}/src/*"]}}}',
            "tools/config/json/alias.json": '{"extends": "../base.json"}',
            "node_modules/@org/ts/tsconfig.json": '{"compilerOptions": {"baseUrl": "${configDir}/lib"}}',
            "node_modules/@org/ts/package.json": "{}",
            "node_modules/main/package.json": '{"tsconfig": "strict.json"}',
            "node_modules/main/strict.json": '{"compilerOptions": {"baseUrl": "${configDir}/lib"}}',
            "apps/a/tsconfig.json": '{"extends": "@repo/config/base.json"}',
            "apps/b/tsconfig.json": '{"extends": "@repo/config/alias"}',
            "apps/c/tsconfig.json": '{"extends": ["@org/ts/tsconfig.json"]}',
            "apps/d/tsconfig.json": '{"extends": "@org/ts"}',
            "apps/e/tsconfig.json": '{"extends": "main"}',
            "apps/f/tsconfig.json": '{"extends": "not-installed/base"}',
            **{f"apps/{name}/src/x.ts": "" for name in "abf"},
            **{f"apps/{name}/lib/y.ts": "" for name in "cde"},
        }
        assert lead(files, "apps/a/src/x.ts", "@/x") == ["apps/a/src/x.ts"]
        assert lead(files, "apps/b/src/x.ts", "@/x") == ["apps/b/src/x.ts"]
        assert lead(files, "apps/c/lib/y.ts", "y") == ["apps/c/lib/y.ts"]
        assert lead(files, "apps/d/lib/y.ts", "y") == ["apps/d/lib/y.ts"]
        assert lead(files, "apps/e/lib/y.ts", "y") == ["apps/e/lib/y.ts"]
        found = finder(files)
        assert found.find("x", "apps/f/src/x.ts").kind == "external"
        assert diagnostics(found) == []

    def test_the_folder_above(self) -> None:
        files = {"tsconfig.json": paths(**{"@x": ["x.ts"]}), "a/tsconfig.json": '{"extends": ".."}', "x.ts": ""}
        assert lead({**files, "a/a.ts": ""}, "a/a.ts", "@x") == ["x.ts"]


SOLUTION = {
    "tsconfig.json": """{"files": [], "references": [
        {"path": "./tsconfig.app.json"}, {"path": "tsconfig.node.json"}]}""",
    "tsconfig.app.json": """{"compilerOptions": {"paths": {"@/*": ["src/*"]}},
        "include": ["src"], "exclude": ["**/*.spec.ts"]}""",
    "tsconfig.node.json": """{"compilerOptions": {"paths": {"@/*": ["tools/*"]}},
        "include": ["*.config.ts", "tools/**/*"]}""",
    "tsconfig.unlisted.json": '{"compilerOptions": {"paths": {"@/*": ["nowhere/*"]}}}',
    **dict.fromkeys(("src/x.ts", "src/x.spec.ts", "src/deep/App.vue", "tools/x.ts", "vite.config.ts"), ""),
}


class TestReferences:
    @pytest.mark.parametrize(
        ("importer", "expected"),
        [
            ("src/x.ts", "src/x.ts"),
            ("src/deep/App.vue", "src/x.ts"),
            ("vite.config.ts", "tools/x.ts"),
            ("tools/x.ts", "tools/x.ts"),
            ("src/x.spec.ts", "src/x.ts"),
            ("other.ts", "src/x.ts"),
        ],
    )
    def test_the_referenced_project_that_includes_a_file_governs_it(self, importer: str, expected: str) -> None:
        assert lead(SOLUTION, importer, "@/x") == [expected]

    def test_the_own_project_comes_first(self) -> None:
        files = {
            "tsconfig.json": """{"compilerOptions": {"baseUrl": "one"},
                "references": [{"path": "./other"}, {"path": "./"}]}""",
            "other/tsconfig.json": '{"compilerOptions": {"baseUrl": "../two"}, "include": ["../**/*"]}',
            **dict.fromkeys(("a.ts", "one/x.ts", "two/x.ts"), ""),
        }
        assert lead(files, "a.ts", "x") == ["one/x.ts"]

    def test_outputs_of_a_referenced_project_stand_for_its_sources(self) -> None:
        files = {
            "app/tsconfig.json": """{"references": [{"path": "../lib"}],
                "compilerOptions": {"paths": {"lib/*": ["../made/lib/*"]}}}""",
            "lib/tsconfig.json": '{"compilerOptions": {"composite": true, "outDir": "../made/lib", "rootDir": "code"}}',
            **dict.fromkeys(("app/a.ts", "lib/code/x.ts", "lib/code/deep/index.ts"), ""),
        }
        assert lead(files, "app/a.ts", "lib/x", "lib/deep", "../made/lib/x.js", "../made/lib/deep/index") == [
            "lib/code/x.ts",
            "lib/code/deep/index.ts",
            "lib/code/x.ts",
            "lib/code/deep/index.ts",
        ]

    def test_references_in_a_circle(self) -> None:
        files = {
            "a/tsconfig.json": '{"files": [], "references": [{"path": "../b"}]}',
            "b/tsconfig.json": '{"files": [], "references": [{"path": "../a"}, {"path": "../nowhere"}]}',
            "a/x.ts": "",
        }
        assert lead(files, "a/x.ts", "./x", "y") == ["a/x.ts", "external y"]


@pytest.mark.parametrize(
    ("selection", "file", "expected"),
    [
        ('"include": ["src"]', "src/deep/a.ts", True),
        ('"include": ["src/"]', "src/a.ts", True),
        ('"include": ["src/*"]', "src/a.ts", True),
        ('"include": ["src/*"]', "src/deep/a.ts", False),
        ('"include": ["src/**/*.test.ts"]', "src/a.test.ts", True),
        ('"include": ["src/**/*.test.ts"]', "src/a.ts", False),
        ('"include": ["*/src/**/*"]', "pkg/src/a.ts", True),
        ('"include": ["**/src"]', "pkg/src/deep/a.ts", True),
        ('"include": ["s?c/a.ts"]', "src/a.ts", True),
        ('"include": ["./**/*"], "exclude": ["src"]', "src/a.ts", False),
        ('"include": ["./**/*"], "exclude": ["**/deep"]', "src/deep/a.ts", False),
        ('"include": ["./**/*"], "exclude": ["**/d*p/**"]', "src/deep/er/a.ts", False),
        ('"files": ["src/a.ts"]', "src/a.ts", True),
        ('"files": ["src/a.ts"]', "src/b.ts", False),
        ('"files": ["src/a.ts"], "exclude": ["src"]', "src/a.ts", True),
        ('"compilerOptions": {"outDir": "made"}', "made/a.ts", False),
        ('"compilerOptions": {}', "anywhere/a.ts", True),
        ('"include": ["' + "**/*a*a*a*a*a*a*/" * 12 + 'b"]', "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/" * 20 + "c.ts", False),
    ],
)
def test_what_a_configuration_includes(selection: str, file: str, expected: bool) -> None:
    one = json.loads(f"{{{selection}}}")
    one["compilerOptions"] = {"baseUrl": "one", **one.get("compilerOptions", {})}
    files = {
        "tsconfig.json": '{"references": [{"path": "./one.json"}, {"path": "./two.json"}], "files": []}',
        "one.json": json.dumps(one),
        "two.json": '{"compilerOptions": {"baseUrl": "two"}}',
        **dict.fromkeys((file, "one/x.ts", "two/x.ts"), ""),
    }
    assert lead(files, file, "x") == ["one/x.ts" if expected else "two/x.ts"]


def test_what_generated_configurations_say_is_known() -> None:
    files = {
        "package.json": "{}",
        "tsconfig.json": '{"extends": "./.svelte-kit/tsconfig.json"}',
        "src/lib/x.ts": "",
        "src/y.ts": "",
        "src/routes/a.svelte": "",
    }
    assert lead(files, "src/routes/a.svelte", "$lib/x", "@/y", "~/y", "$lib/z") == [
        "src/lib/x.ts",
        "src/y.ts",
        "src/y.ts",
        "external $lib/z",
    ]
