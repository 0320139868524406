"""The export, line by line."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec

from codegps.format.export import export
from codegps.model.graph import Entry
from codegps.model.kinds import Kind
from codegps.stores.memory import MemoryStore
from codegps.stores.sqlite import SqliteStore
from tests.stores.graphs import EdgeLine, build, file_graphs, fill

FILES = {
    "b.py": [("f", Kind.Function, 1, 3), ("C", Kind.Class, 5, 9), ("C.__init__", Kind.Method, 6, 8)],
    "a.py": [("g", Kind.Function, 1, 4), ("g~2", Kind.Function, 6, 7), ("g.<lambda1>", Kind.Function, 2, 2)],
}
EDGES = [
    ("a.py:g", "CALLS", "b.py:f", 3, 5),
    EdgeLine("a.py:g", "CALLS", "b.py:C.__init__", 2, 9, "inferred", 2, "return", "b.py:C"),
    ("b.py:C", "CALLS", "b.py:f", 7, 1, "dispatch"),
    ("a.py:g", "CALLS", "b.py:C", 3, 5, "dispatch"),
    ("a.py", "REFERENCES", "a.py:g~2", 3, 5),
]
REFERENCES = [
    ("b.py:f", "CALLS", "fetch", 2, 3, "external", "lib.dom.fetch"),
    ("b.py:f", "USES_TYPE", "C", 2, 1, "unknown", "", ["b.py:C", "a.py:g"]),
]
LINES = [
    '{"record":"symbol","id":"a.py","name":"a.py","qualified_name":"","kind":"File","file":"a.py","start_line":1,'
    '"start_column":1,"end_line":7,"end_column":1,"parent":null,"language":"python"}',
    '{"record":"symbol","id":"a.py:g","name":"g","qualified_name":"g","kind":"Function","file":"a.py","start_line":1,'
    '"start_column":1,"end_line":4,"end_column":1,"parent":"a.py","language":"python"}',
    '{"record":"symbol","id":"a.py:g.<lambda1>","name":"<lambda1>","qualified_name":"g.<lambda1>","kind":"Function",'
    '"file":"a.py","start_line":2,"start_column":1,"end_line":2,"end_column":1,"parent":"a.py:g","language":"python"}',
    '{"record":"symbol","id":"a.py:g~2","name":"g","qualified_name":"g~2","kind":"Function","file":"a.py",'
    '"start_line":6,"start_column":1,"end_line":7,"end_column":1,"parent":"a.py","language":"python"}',
    '{"record":"symbol","id":"b.py","name":"b.py","qualified_name":"","kind":"File","file":"b.py","start_line":1,'
    '"start_column":1,"end_line":9,"end_column":1,"parent":null,"language":"python"}',
    '{"record":"symbol","id":"b.py:f","name":"f","qualified_name":"f","kind":"Function","file":"b.py","start_line":1,'
    '"start_column":1,"end_line":3,"end_column":1,"parent":"b.py","language":"python"}',
    '{"record":"symbol","id":"b.py:C","name":"C","qualified_name":"C","kind":"Class","file":"b.py","start_line":5,'
    '"start_column":1,"end_line":9,"end_column":1,"parent":"b.py","language":"python"}',
    '{"record":"symbol","id":"b.py:C.__init__","name":"__init__","qualified_name":"C.__init__","kind":"Method",'
    '"file":"b.py","start_line":6,"start_column":1,"end_line":8,"end_column":1,"parent":"b.py:C","language":"python"}',
    '{"record":"edge","kind":"CALLS","source":"a.py:g","target":"b.py:C.__init__","file":"a.py","line":2,"column":9,'
    '"proof":"inferred","hops":2,"via":"return","class":"b.py:C"}',
    '{"record":"edge","kind":"CALLS","source":"a.py:g","target":"b.py:C","file":"a.py","line":3,"column":5,'
    '"proof":"dispatch","hops":0,"via":null,"class":null}',
    '{"record":"edge","kind":"CALLS","source":"a.py:g","target":"b.py:f","file":"a.py","line":3,"column":5,'
    '"proof":"resolved","hops":0,"via":null,"class":null}',
    '{"record":"edge","kind":"REFERENCES","source":"a.py","target":"a.py:g~2","file":"a.py","line":3,"column":5,'
    '"proof":"resolved","hops":0,"via":null,"class":null}',
    '{"record":"edge","kind":"CALLS","source":"b.py:C","target":"b.py:f","file":"b.py","line":7,"column":1,'
    '"proof":"dispatch","hops":0,"via":null,"class":null}',
    '{"record":"unresolved","kind":"USES_TYPE","source":"b.py:f","name":"C","file":"b.py","line":2,"column":1,'
    '"reason":"unknown","external":null,"candidates":["a.py:g","b.py:C"]}',
    '{"record":"unresolved","kind":"CALLS","source":"b.py:f","name":"fetch","file":"b.py","line":2,"column":3,'
    '"reason":"external","external":"lib.dom.fetch","candidates":[]}',
    '{"record":"entry","kind":"script","key":"run","symbol":"a.py:g","file":"a.py","line":1}',
    '{"record":"entry","kind":"test","key":"g","symbol":"a.py:g~2","file":"a.py","line":6}',
    '{"record":"entry","kind":"main","key":"b.py","symbol":"b.py","file":"b.py","line":9}',
]


def graphs(shuffle: random.Random | None = None):
    """The graph of this file; rows in another order where `shuffle` is given."""
    found = file_graphs(FILES, EDGES, REFERENCES)
    by_path = {graph.row.path: graph for graph in found}
    key = {symbol.id: symbol.key for graph in found for symbol in graph.symbols}
    by_path["a.py"].entries = [Entry("test", "g", key["a.py:g~2"], 6), Entry("script", "run", key["a.py:g"], 1)]
    by_path["b.py"].entries = [Entry("main", "b.py", key["b.py"], 9)]
    if shuffle:
        shuffle.shuffle(found)
        for graph in found:
            for rows in (graph.symbols, graph.edges, graph.references, graph.entries):
                shuffle.shuffle(rows)
    return found


def test_the_export_is_this_text() -> None:
    assert list(export(fill(MemoryStore(), graphs()))) == LINES


def test_the_export_does_not_depend_on_the_order_of_writing_nor_on_the_store(tmp_path: Path) -> None:
    for seed in range(5):
        shuffled = graphs(random.Random(seed))
        assert list(export(fill(MemoryStore(), shuffled))) == LINES
        store = SqliteStore.open(tmp_path / str(seed), create=True)
        assert list(export(fill(store, shuffled))) == LINES
        store.close()


def test_an_empty_graph_exports_nothing() -> None:
    assert list(export(build({}))) == []


def test_every_line_is_json_of_its_own_whatever_the_names() -> None:
    names = ['quote"', "back\\slash", "new\nline", "ümlaut", "\u2028", "half\ud800", "tab\t"]
    store = build({f"dir/{n}.py": [(name, Kind.Function, 1, 2)] for n, name in enumerate(names)})
    lines = list(export(store))
    assert [json.loads(line)["name"] for line in lines if '"Function"' in line] == [
        *names[:5],
        "half\\ud800",
        "tab\t",
    ]
    assert not [line for line in lines if "\n" in line]
    assert all(line.encode() for line in lines)


def test_via_and_hops_say_how_a_value_travelled() -> None:
    edges = [
        ("a.py:f", "CALLS", "a.py:g", 1, n + 1, "inferred", n + 1, via)
        for n, via in enumerate(("field", "parameter", "element"))
    ]
    store = build({"a.py": [("f", Kind.Function, 1, 1), ("g", Kind.Function, 2, 2)]}, edges)
    found = [json.loads(line) for line in export(store) if '"edge"' in line]
    assert [(e["hops"], e["via"]) for e in found] == [(1, "field"), (2, "parameter"), (3, "element")]


def test_records_have_exactly_the_fields_of_the_contract() -> None:
    fields: dict[str, list[str]] = {}
    for line in LINES:
        record = msgspec.json.decode(line, type=dict[str, object])
        fields[str(record["record"])] = list(record)
    place = ["file", "line", "column"]
    span = ["start_line", "start_column", "end_line", "end_column"]
    assert fields == {
        "symbol": ["record", "id", "name", "qualified_name", "kind", "file", *span, "parent", "language"],
        "edge": ["record", "kind", "source", "target", *place, "proof", "hops", "via", "class"],
        "unresolved": ["record", "kind", "source", "name", *place, "reason", "external", "candidates"],
        "entry": ["record", "kind", "key", "symbol", "file", "line"],
    }
