"""The three graph tools on TypeScript sources: chains, diamonds, cycles, callbacks and tables, to the letter."""

from __future__ import annotations

from pathlib import Path

from codegps.query.find import Place
from codegps.tool import Answer
from codegps.tools.dependencies_of import dependencies_of
from codegps.tools.dependents_of import dependents_of
from codegps.tools.paths_between import paths_between
from tests.tools.typescript import dependencies, dependents, path, sample

CHAIN = """
// src/entry.ts
import { step02 } from "./step02";

export function entry() {
  return step02();
}
// src/step02.ts
import { step03 } from "./step03";

export function step02(): string {
  return step03() + "-02";
}
// src/step03.ts
export function step03(): string {
  return "03";
}
"""


def test_the_seeds_own_example_from_sources(tmp_path: Path) -> None:
    graph = sample(tmp_path, CHAIN)
    assert (
        dependencies_of(graph, "src/entry.ts", "entry").text
        == """\
## Graph

entry --CALLS--> step02 --CALLS--> step03

## Nodes

step02:
  file: src/step02.ts
  offset: 3, limit: 3
  snippet:
    3: export function step02(): string {
    4:   return step03() + "-02";
    5: }

step03:
  file: src/step03.ts
  offset: 1, limit: 3
  snippet:
    1: export function step03(): string {
    2:   return "03";
    3: }
"""
    )


def test_the_same_backwards_and_as_a_path(tmp_path: Path) -> None:
    graph = sample(tmp_path, CHAIN)
    assert dependents_of(graph, "src/step03.ts", "step03").text.startswith(
        "## Graph\n\nentry --CALLS--> step02 --CALLS--> step03\n\n## Nodes\n\n"
        "entry:\n  file: src/entry.ts\n  offset: 3, limit: 3\n  snippet:\n"
    )
    there = paths_between(graph, Place("src/entry.ts", "entry"), Place("src/step03.ts", "step03"))
    back = paths_between(graph, Place("src/step03.ts", "step03"), Place("src/entry.ts", "entry"))
    assert there == back
    assert there.text == (
        "## Graph\n\nentry --CALLS--> step02 --CALLS--> step03\n\n## Nodes\n\n"
        "step02:\n  file: src/step02.ts\n  offset: 3, limit: 3\n  snippet:\n"
        '    3: export function step02(): string {\n    4:   return step03() + "-02";\n    5: }\n'
    )
    direct = paths_between(graph, Place("src/entry.ts", "entry"), Place("src/step02.ts", "step02"))
    assert direct.text == "## Graph\n\nentry --CALLS--> step02"


def test_nothing_above_and_nothing_below(tmp_path: Path) -> None:
    graph = sample(tmp_path, CHAIN)
    assert dependencies_of(graph, "src/step03.ts", "step03") == Answer("No dependencies found.")
    assert dependents_of(graph, "src/entry.ts", "entry").text == "No dependents found."


DIAMOND = """
// a.ts
export function top() { left(); right(); }
function left() { bottom(); }
const right = () => bottom();
const bottom = function () { return 1; };
"""


def test_a_diamond_of_functions_arrows_and_function_expressions(tmp_path: Path) -> None:
    graph = sample(tmp_path, DIAMOND)
    lines = ["top --CALLS--> left --CALLS--> bottom", "top --CALLS--> right --CALLS--> bottom"]
    assert dependencies(graph, "a.ts", "top") == lines
    assert dependents(graph, "a.ts", "bottom") == lines


def test_cycles_over_files_and_self_calls(tmp_path: Path) -> None:
    graph = sample(
        tmp_path,
        """
// a.ts
import { b } from './b';
export function a(n: number): number { return n ? b(n - 1) : 0; }
export const self = (n: number): number => (n ? self(n - 1) : 0);
// b.ts
import { a } from './a';
export function b(n: number): number { return a(n); }
""",
    )
    assert dependencies(graph, "a.ts", "a") == ["a --CALLS--> b --CALLS--> a"]
    assert dependents(graph, "b.ts", "b") == ["a --CALLS--> b --CALLS--> a"]
    assert dependencies(graph, "a.ts", "self") == ["self --CALLS--> self"]
    assert path(graph, ("b.ts", "b"), ("a.ts", "a")) == ["b --CALLS--> a"]


CALLBACKS = """
// a.ts
export function run(callback: () => number): number { return callback(); }
export function task() { return inner(); }
function inner() { return 1; }
export function direct() { return run(task); }
export function arrow() { return run(() => task()); }
export function many() { return [1, 2].map(inner).filter(Boolean); }
export function later() { setTimeout(inner, 10); Promise.resolve().then(() => inner()); }
const alias = task;
export function renamed() { const own = alias; return own(); }
"""


def test_a_function_passed_as_an_argument_is_references_from_the_passer(tmp_path: Path) -> None:
    graph = sample(tmp_path, CALLBACKS)
    assert dependencies(graph, "a.ts", "direct") == [
        "direct --CALLS--> run",
        "direct --REFERENCES--> task --CALLS--> inner",
    ]
    assert dependencies(graph, "a.ts", "many") == ["many --REFERENCES--> inner"]
    assert dependencies_of(graph, "a.ts", "run").text == "No dependencies found."


def test_what_an_anonymous_function_calls_is_called_by_the_named_one_around_it(tmp_path: Path) -> None:
    graph = sample(tmp_path, CALLBACKS)
    assert dependencies(graph, "a.ts", "arrow") == ["arrow --CALLS--> run", "arrow --CALLS--> task --CALLS--> inner"]
    assert dependencies(graph, "a.ts", "later") == ["later --CALLS--> inner", "later --REFERENCES--> inner"]


def test_calling_another_name_of_a_function_is_calls_of_the_function(tmp_path: Path) -> None:
    graph = sample(tmp_path, CALLBACKS)
    assert "renamed --CALLS--> task --CALLS--> inner" in dependencies(graph, "a.ts", "renamed")


TABLE = """
// table.ts
const double = (n: number) => n * 2;
function half(n: number) { return n / 2; }
export const table: Record<string, (n: number) => number> = {
  a: double,
  b: half,
  c(n) { return double(n); },
  d: (n) => half(n),
};
export function dispatch(key: string, n: number) { return table[key](n); }
export const main = () => dispatch('a', 1);
"""


def test_a_table_of_functions(tmp_path: Path) -> None:
    graph = sample(tmp_path, TABLE)
    assert dependencies(graph, "table.ts", "dispatch") == [
        "dispatch --REFERENCES--> table --REFERENCES--> double",
        "table --REFERENCES--> half",
        "table --REFERENCES--> table.c --CALLS--> double",
        "table --REFERENCES--> table.d --CALLS--> half",
    ]
    assert dependents(graph, "table.ts", "half") == [
        "main --CALLS--> dispatch --REFERENCES--> table --REFERENCES--> half",
        "table --REFERENCES--> table.d --CALLS--> half",
    ]


def test_a_member_of_a_module_level_constant_object_is_a_plain_call(tmp_path: Path) -> None:
    graph = sample(
        tmp_path,
        """
// api.ts
export const api = {
  get(id: string) { return fetchOne(id); },
  all: () => [fetchOne('a')],
};
function fetchOne(id: string) { return id; }
// use.ts
import { api } from './api';
export function load() { return api.get('x'); }
""",
    )
    assert dependents(graph, "api.ts", "api.get") == [
        "load --CALLS--> api.get",
        "load --REFERENCES--> api --REFERENCES--> api.get",
    ]
    assert path(graph, ("use.ts", "load"), ("api.ts", "fetchOne")) == ["load --CALLS--> api.get --CALLS--> fetchOne"]


def test_two_functions_of_one_name_are_numbered_and_closures_are_their_own_symbols(tmp_path: Path) -> None:
    graph = sample(
        tmp_path,
        """
// a.ts
import { format } from './b';
export function outer() { return format() + inner(); function inner() { return local(); } }
const local = () => again();
function again() { return 2; }
// b.ts
import { format as other } from './c';
export function format() { return other(); }
// c.ts
export function format() { return 1; }
""",
    )
    assert dependencies(graph, "a.ts", "outer") == [
        "outer --CALLS--> format#1 --CALLS--> format#2",
        "outer --CALLS--> inner --CALLS--> local --CALLS--> again",
    ]


def test_top_level_code_is_done_by_the_file_and_initialisers_by_their_variable(tmp_path: Path) -> None:
    graph = sample(
        tmp_path,
        """
// src/main.ts
import { load } from './config';
const config = load();
export const start = () => config;
start();
// src/config.ts
export const load = () => ({ port: 1 });
""",
    )
    assert dependencies(graph, "src/main.ts", "src/main.ts") == [
        "src/main.ts --CALLS--> start --REFERENCES--> config --CALLS--> load",
    ]
    assert dependents(graph, "src/config.ts", "load") == [
        "src/main.ts --CALLS--> start --REFERENCES--> config --CALLS--> load",
    ]
