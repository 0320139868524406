"""The three graph tools on TypeScript classes, interfaces, overloads, namespaces, decorators and JSX, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegps.errors import ToolError
from codegps.query.find import Place
from codegps.tools.dependencies_of import dependencies_of
from codegps.tools.dependents_of import dependents_of
from codegps.tools.paths_between import paths_between
from tests.tools.typescript import dependencies, dependents, path, sample

SHAPES = """
// shapes.ts
import { square } from './math';
export interface Area { area(): number }
export abstract class Shape implements Area {
  abstract area(): number;
  describe(): string { return `${this.name()}: ${this.area()}`; }
  protected name() { return 'shape'; }
}
export class Circle extends Shape {
  constructor(private readonly r: number) { super(); check(r); }
  area() { return 3 * square(this.r); }
}
export class Square extends Shape {
  side = initial();
  area() { return square(this.side); }
  protected override name() { return 'square of ' + super.name(); }
}
function check(n: number) { if (n < 0) throw new Error('negative'); }
const initial = () => 1;
// math.ts
export function square(n: number) { return n * n; }
// main.ts
import { Circle, Square, type Shape, type Area } from './shapes';
export function make(): Shape { return new Circle(2); }
export function total(areas: Area[]) { return areas.map((each) => each.area()).reduce(sum, 0); }
function sum(a: number, b: number) { return a + b; }
export function main() { return make().describe() + total([new Square()]); }
"""


def test_what_the_constructor_and_initialisers_do_is_done_by_the_class(tmp_path: Path) -> None:
    graph = sample(tmp_path, SHAPES)
    assert dependencies(graph, "shapes.ts", "Circle") == [
        "Circle --CALLS--> Shape --IMPLEMENTS--> Area",
        "Circle --CALLS--> check",
        "Circle --EXTENDS--> Shape",
    ]
    assert dependencies(graph, "shapes.ts", "Square") == [
        "Square --CALLS--> initial",
        "Square --EXTENDS--> Shape --IMPLEMENTS--> Area",
    ]
    assert dependencies_of(graph, "shapes.ts", "Circle.constructor") == dependencies_of(graph, "shapes.ts", "Circle")


def test_an_abstract_member_and_its_overrides(tmp_path: Path) -> None:
    graph = sample(tmp_path, SHAPES)
    assert dependencies(graph, "shapes.ts", "Shape.describe") == [
        "Shape.describe --CALLS--> Shape.name",
        "Shape.describe --CALLS--> Square.name --CALLS--> Shape.name",
        "Shape.describe --CALLS--> Shape.area",
        "Shape.describe --CALLS--> Circle.area --CALLS--> square",
        "Shape.describe --CALLS--> Square.area --CALLS--> square",
    ]
    note = dependencies_of(graph, "shapes.ts", "Shape.describe").note
    assert note is not None
    assert note.split("\n")[1] == (
        "Dispatch, one of several possible targets: Shape.describe --CALLS--> Square.name; "
        "Shape.describe --CALLS--> Circle.area; Shape.describe --CALLS--> Square.area."
    )


def test_dependents_of_a_class_and_of_an_interface(tmp_path: Path) -> None:
    graph = sample(tmp_path, SHAPES)
    assert dependents(graph, "shapes.ts", "Shape") == [
        "main --CALLS--> make --CALLS--> Circle --CALLS--> Shape",
        "main --CALLS--> Square --EXTENDS--> Shape",
        "Circle --EXTENDS--> Shape",
    ]
    assert dependents(graph, "shapes.ts", "Area") == [
        "main --CALLS--> make --CALLS--> Circle --CALLS--> Shape --IMPLEMENTS--> Area",
        "main --CALLS--> total --REFERENCES--> Area",
        "main --CALLS--> Square --EXTENDS--> Shape",
        "Circle --EXTENDS--> Shape",
    ]
    assert dependents_of(graph, "shapes.ts", "Circle").note == (
        "Found: 2 symbols and 2 edges, all shown.\nMethods are symbols of their own: Circle.area."
    )


def test_a_path_leads_through_a_declared_member_to_its_implementation(tmp_path: Path) -> None:
    graph = sample(tmp_path, SHAPES)
    assert path(graph, ("main.ts", "main"), ("math.ts", "square")) == [
        "main --CALLS--> Shape.describe --CALLS--> Circle.area --CALLS--> square"
    ]
    assert path(graph, ("main.ts", "main"), ("shapes.ts", "check")) == [
        "main --CALLS--> make --CALLS--> Circle --CALLS--> check"
    ]


def test_a_class_and_its_constructor_are_one_symbol(tmp_path: Path) -> None:
    graph = sample(tmp_path, SHAPES)
    with pytest.raises(ToolError, match=r"^Invalid query: source and target are the same symbol\.$"):
        paths_between(graph, Place("shapes.ts", "Circle"), Place("shapes.ts", "Circle.constructor"))


def test_an_interface_has_its_declared_implementations_only(tmp_path: Path) -> None:
    graph = sample(
        tmp_path,
        """
// a.ts
export interface Store<T> { find(id: string): Promise<T>; all(): T[] }
export class Memory<T> implements Store<T> {
  async find(id: string): Promise<T> { return this.all()[0]; }
  all(): T[] { return []; }
}
export class Lookalike { find(id: string) { return id; } }
export class Item { show() {} }
export class App {
  constructor(private store: Store<Item>) {}
  async run(id: string) {
    const item = await this.store.find(id);
    item.show();
    for (const each of this.store.all()) each.show();
  }
}
""",
    )
    assert dependencies(graph, "a.ts", "App.run") == [
        "App.run --CALLS--> Store.find",
        "App.run --CALLS--> Memory.find --CALLS--> Memory.all",
        "App.run --CALLS--> Item.show",
        "App.run --CALLS--> Store.all",
        "App.run --CALLS--> Memory.all",
    ]
    assert dependents_of(graph, "a.ts", "Lookalike.find").text == "No dependents found."


def test_overloads_are_one_symbol(tmp_path: Path) -> None:
    graph = sample(
        tmp_path,
        """
// a.ts
export function format(text: string): string;
export function format(text: number): string;
export function format(text: any): string { return pad(String(text)); }
function pad(text: string) { return text; }
export class C {
  get(key: string): string;
  get(key: number): string;
  get(key: any) { return format(key); }
}
export const main = () => new C().get('a');
""",
    )
    assert dependencies(graph, "a.ts", "main") == [
        "main --CALLS--> C",
        "main --CALLS--> C.get --CALLS--> format --CALLS--> pad",
    ]
    assert "format:\n  file: a.ts\n  offset: 1, limit: 3\n" in dependencies_of(graph, "a.ts", "C.get").text


def test_namespaces_and_enums(tmp_path: Path) -> None:
    graph = sample(
        tmp_path,
        """
// a.ts
export namespace Geometry {
  export function point(x: number) { return helper(x); }
  const helper = (x: number) => x;
  export namespace Deep { export const go = () => point(1); }
}
export enum Color { Red, Green }
export function paint(color: Color) { return color === Color.Red ? Geometry.Deep.go() : 0; }
// b.ts
import { Geometry as G } from './a';
export const main = () => G.point(2);
""",
    )
    assert dependents(graph, "a.ts", "helper") == [
        "paint --CALLS--> go --CALLS--> point --CALLS--> helper",
        "main --CALLS--> point",
    ]
    assert dependents(graph, "a.ts", "Color") == ["paint --REFERENCES--> Color"]


def test_decorators_belong_to_what_they_stand_at(tmp_path: Path) -> None:
    graph = sample(
        tmp_path,
        """
// a.ts
function register(target: unknown) { store(target); }
function store(target: unknown) {}
export function injectable(target: any) { register(target); return target; }
export const route = (path: string) => (target: any, key: string) => { register(path); };
@injectable
export class Controller {
  @route('/users') list(): number { return find(); }
}
function find() { return 1; }
""",
    )
    assert dependencies(graph, "a.ts", "Controller") == [
        "Controller --CALLS--> injectable --CALLS--> register --CALLS--> store",
    ]
    assert dependencies(graph, "a.ts", "Controller.list") == [
        "Controller.list --CALLS--> route --CALLS--> register --CALLS--> store",
        "Controller.list --CALLS--> find",
    ]


JSX = """
// Button.tsx
import React, { useCallback } from 'react';
import * as Icons from './icons';
import { format } from './format';
type Props = { label: string; onPress?: () => void };
export function Button({ label, onPress }: Props) {
  const press = useCallback(() => { log(); }, []);
  return <button onClick={press}><Icons.Star size={1} />{format(label)}</button>;
}
const log = () => {};
export const Toolbar = ({ items }: { items: string[] }) => (
  <>{items.map((item) => <Button key={item} label={item} onPress={save} />)}</>
);
function save() { format('saved'); }
export default class Page extends React.Component {
  handle = () => { this.toggle(); };
  toggle() { this.setState({ open: true }); }
  render() { return <Toolbar items={['a']} onClick={this.handle} />; }
}
// icons.tsx
export const Star = (props: { size: number }) => <i>{props.size}</i>;
// format.ts
export function format(text: string): string { return text; }
"""


def test_a_jsx_element_includes_its_component_and_handlers_are_references(tmp_path: Path) -> None:
    graph = sample(tmp_path, JSX)
    assert dependencies(graph, "Button.tsx", "Page.render") == [
        "Page.render --INCLUDES--> Toolbar --INCLUDES--> Button --CALLS--> log",
        "Page.render --REFERENCES--> Page.handle --CALLS--> Page.toggle",
        "Toolbar --REFERENCES--> save --CALLS--> format",
        "Button --CALLS--> format",
        "Button --INCLUDES--> Star",
    ]
    assert dependents(graph, "icons.tsx", "Star") == [
        "Page.render --INCLUDES--> Toolbar --INCLUDES--> Button --INCLUDES--> Star"
    ]


def test_more_than_fifteen_nodes_have_no_snippets(tmp_path: Path) -> None:
    functions = "\n".join(f"function f{n}() {{ return {n}; }}" for n in range(16))
    calls = "; ".join(f"f{n}()" for n in range(16))
    graph = sample(tmp_path, f"// a.ts\nexport function main() {{ {calls}; }}\n{functions}\n")
    text = dependencies_of(graph, "a.ts", "main").text
    assert "snippet:" not in text
    assert text.endswith(
        "f15:\n  file: a.ts\n  offset: 17, limit: 1\n\n"
        "Note: Snippets omitted (16 nodes). Use Read tool with offset/limit shown above.\n"
    )
