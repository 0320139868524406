"""The three graph tools on TypeScript modules: barrels, aliases, workspaces and default exports, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegps.errors import ToolError
from codegps.query.find import Place
from codegps.tools.dependencies_of import dependencies_of
from codegps.tools.dependents_of import dependents_of
from codegps.tools.paths_between import paths_between
from tests.tools.typescript import dependencies, dependents, path, sample

BARREL = """
// src/app.ts
import { createUser as make, format, looped } from './lib';
import { N } from './lib';
import * as lib from './lib';
export function main() {
  format(make('a').name);
  N.deep();
  lib.parse('x');
  looped();
}
// src/lib/index.ts
export * from './users';
export { formatName as format } from './strings';
export * as N from './deep';
export { default as parse } from './parse';
export * from './cycle';
// src/lib/cycle.ts
export * from './index';
export const looped = () => 1;
// src/lib/users.ts
import { formatName } from './strings';
export function createUser(name: string) { return { name: formatName(name) }; }
// src/lib/strings.ts
export function formatName(name: string): string { return trim(name); }
function trim(name: string) { return name.trim(); }
// src/lib/deep.ts
export const deep = () => deeper();
const deeper = function () { return 1; };
// src/lib/parse.ts
export default function (text: string) { return text; }
"""


def test_barrels_are_transparent_with_renames_namespaces_defaults_and_cycles(tmp_path: Path) -> None:
    graph = sample(tmp_path, BARREL)
    assert dependencies(graph, "src/app.ts", "main") == [
        "main --CALLS--> formatName --CALLS--> trim",
        "main --CALLS--> createUser --CALLS--> formatName",
        "main --CALLS--> deep --CALLS--> deeper",
        "main --CALLS--> default",
        "main --CALLS--> looped",
    ]
    assert dependents(graph, "src/lib/deep.ts", "deeper") == ["main --CALLS--> deep --CALLS--> deeper"]
    assert dependents(graph, "src/lib/parse.ts", "default") == ["main --CALLS--> default"]
    assert path(graph, ("src/app.ts", "main"), ("src/lib/strings.ts", "trim")) == [
        "main --CALLS--> formatName --CALLS--> trim"
    ]


def test_edges_end_at_the_real_definition_and_the_barrel_is_no_node(tmp_path: Path) -> None:
    graph = sample(tmp_path, BARREL)
    assert "src/lib/index.ts" not in dependencies_of(graph, "src/app.ts", "main").text
    answer = dependents_of(graph, "src/lib/strings.ts", "trim").text
    assert "formatName:\n  file: src/lib/strings.ts\n  offset: 1, limit: 1\n" in answer
    assert "main:\n  file: src/app.ts\n  offset: 4, limit: 6\n" in answer


def test_a_symbol_asked_at_its_barrel_is_not_found_there_and_the_answer_says_where_it_is(tmp_path: Path) -> None:
    graph = sample(tmp_path, BARREL)
    with pytest.raises(ToolError) as error:
        dependents_of(graph, "src/lib/index.ts", "createUser")
    assert str(error.value) == (
        "Symbol 'createUser' not found at src/lib/index.ts.\n\nFound 'createUser' in:\n  - src/lib/users.ts"
    )


def test_a_misspelt_symbol_lists_the_nearest_of_the_file(tmp_path: Path) -> None:
    graph = sample(tmp_path, BARREL)
    with pytest.raises(ToolError) as error:
        dependencies_of(graph, "src/lib/strings.ts", "formatNane")
    assert str(error.value) == (
        "Symbol 'formatNane' not found at src/lib/strings.ts.\n\n"
        "Available symbols in this file:\n  - formatName (Function)\n  - trim (Function)"
    )
    with pytest.raises(ToolError) as error:
        dependencies_of(graph, "src/lib/string.ts", "formatName")
    assert str(error.value) == (
        "File 'src/lib/string.ts' is not indexed.\n\nFound 'formatName' in:\n  - src/lib/strings.ts"
    )


def test_both_endpoints_are_reported_where_both_are_bad(tmp_path: Path) -> None:
    graph = sample(tmp_path, BARREL)
    with pytest.raises(ToolError) as error:
        paths_between(graph, Place("src/app.ts", "mian"), Place("src/none.ts", "trim"))
    assert str(error.value) == (
        "Symbol 'mian' not found at src/app.ts.\n\nAvailable symbols in this file:\n  - main (Function)\n\n"
        "File 'src/none.ts' is not indexed.\n\nFound 'trim' in:\n  - src/lib/strings.ts"
    )


def test_path_aliases_of_a_tsconfig_that_extends_another(tmp_path: Path) -> None:
    graph = sample(
        tmp_path,
        """
// tsconfig.base.json
{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], "~util": ["src/util/index.ts"] /* one */, } } }
// tsconfig.json
{ "extends": "./tsconfig.base.json" }
// src/main.ts
import { load } from '@/data/load';
import { clean } from '~util';
import { plain } from 'src/plain';
export const main = () => [load(), clean(), plain()];
// src/data/load.ts
export const load = () => 1;
// src/util/index.ts
export const clean = () => 2;
// src/plain.js
export function plain() { return 3; }
""",
    )
    assert dependencies(graph, "src/main.ts", "main") == [
        "main --CALLS--> load",
        "main --CALLS--> clean",
        "main --CALLS--> plain",
    ]


WORKSPACE = """
// package.json
{ "name": "root", "private": true, "workspaces": ["packages/*"] }
// packages/core/package.json
{ "name": "@acme/core", "main": "dist/index.js", "types": "dist/index.d.ts",
  "exports": { ".": "./dist/index.js", "./math": "./dist/math.js" } }
// packages/core/src/index.ts
export { Circle } from './shapes';
// packages/core/src/math.ts
export function square(n: number) { return n * n; }
// packages/core/src/shapes.ts
import { square } from './math';
export class Circle {
  constructor(private r: number) {}
  area() { return 3 * square(this.r); }
}
// packages/app/package.json
{ "name": "@acme/app", "dependencies": { "@acme/core": "workspace:*" } }
// packages/app/src/main.ts
import { Circle } from '@acme/core';
import { square } from '@acme/core/math';
export function main() { return new Circle(square(2)).area(); }
"""


def test_a_workspace_package_resolves_to_its_source(tmp_path: Path) -> None:
    graph = sample(tmp_path, WORKSPACE)
    assert dependencies(graph, "packages/app/src/main.ts", "main") == [
        "main --CALLS--> Circle",
        "main --CALLS--> square",
        "main --CALLS--> Circle.area --CALLS--> square",
    ]
    assert dependents(graph, "packages/core/src/math.ts", "square") == [
        "main --CALLS--> square",
        "main --CALLS--> Circle.area --CALLS--> square",
    ]


def test_default_exports_named_unnamed_and_of_expressions(tmp_path: Path) -> None:
    graph = sample(
        tmp_path,
        """
// src/use.ts
import run from './run';
import Service from './service';
import config, { load as read } from './config';
import arrow from './arrow';
export function main() {
  run();
  new Service().start();
  config.get();
  read();
  arrow();
}
// src/run.ts
export default function run() { return 1; }
// src/service.ts
export default class { start() { return helper(); } }
function helper() { return 1; }
// src/config.ts
const config = { get: () => load() };
export function load() { return 1; }
export default config;
// src/arrow.ts
export default () => 1;
""",
    )
    assert dependencies(graph, "src/use.ts", "main") == [
        "main --CALLS--> run",
        "main --CALLS--> default#1",
        "main --CALLS--> default.start --CALLS--> helper",
        "main --CALLS--> config.get --CALLS--> load",
        "main --CALLS--> load",
        "main --CALLS--> default#2",
        "main --REFERENCES--> config --REFERENCES--> config.get",
    ]


def test_dynamic_imports_and_commonjs(tmp_path: Path) -> None:
    graph = sample(
        tmp_path,
        """
// src/main.ts
import legacy = require('./legacy');
export async function main() {
  const { late } = await import('./late');
  late();
  legacy.old();
}
// src/late.ts
export const late = () => 1;
// src/legacy.js
function old() { return inner(); }
function inner() { return 1; }
module.exports = { old };
""",
    )
    assert dependencies(graph, "src/main.ts", "main") == [
        "main --CALLS--> late",
        "main --CALLS--> old --CALLS--> inner",
    ]
