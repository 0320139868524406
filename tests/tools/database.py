"""One file with everything in it that `graphItLive_analyzeFileLogic` shows, as a graph by hand over real files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from codegps.model.graph import Imported
from codegps.model.kinds import Flag, Kind
from codegps.query.graph import Graph
from codegps.store import FileGraph
from codegps.stores.memory import MemoryStore
from tests.query.sites import site_graphs
from tests.stores.graphs import edge, fill, reference, symbol

FILE = "src/database.py"

SOURCE = """\
import dotenv
from winston import Logger
from .pool import Pool, drop

connection_string = "postgres://"


class Database:
    retries = 3

    def __init__(self):
        self.pool = Pool()

    def query(self, sql):
        return self.process(sql)

    def process(self, sql):
        return self.query(sql)


def connect():
    Logger.info(connection_string)
    database = Database()
    database.query("select 1")
    return again(lambda: drop())


def again(run, left=Database.retries):
    return again(run, left - 1)


config = dotenv.config()
print(mystery(connect))
connect()
"""

POOL = "class Pool:\n    def __init__(self):\n        pass\n\n\ndef drop():\n    pass\n"


def graphs() -> list[FileGraph]:
    made = site_graphs(
        {
            FILE: [
                symbol("connection_string", Kind.Variable, 5, 5),
                symbol("Database", Kind.Class, 8, 18),
                symbol("Database.retries", Kind.Variable, 9, 9),
                symbol("Database.__init__", Kind.Constructor, 11, 12, 5, 27),
                symbol("Database.query", Kind.Method, 14, 15, 5, 33),
                symbol("Database.process", Kind.Method, 17, 18, 5, 31),
                symbol("connect", Kind.Function, 21, 25, 1, 33),
                symbol("connect.<lambda1>", Kind.Function, 25, 25, 18, 32, Flag.ANONYMOUS),
                symbol("again", Kind.Function, 28, 29, 1, 32),
                symbol("config", Kind.Variable, 32, 32),
            ],
            "src/pool.py": [
                symbol("Pool", Kind.Class, 1, 3),
                symbol("Pool.__init__", Kind.Constructor, 2, 3),
                symbol("drop", Kind.Function, 6, 7),
            ],
        },
        {
            FILE: {
                "": ["dotenv.config@32:17", "print@33:1", "mystery@33:7", "connect@34:1"],
                "Database": [],
                "Database.__init__": ["Pool@12:21"],
                "Database.query": ["self.process@15:21"],
                "Database.process": ["self.query@18:21"],
                "connect": ["Logger.info@22:12", "Database@23:16", "database.query@24:14", "again@25:12"],
                "connect.<lambda1>": ["drop@25:26"],
                "again": ["again@29:12"],
            },
        },
        edges=[
            edge(f"{FILE}:Database.__init__", "CALLS", "src/pool.py:Pool.__init__", 12, 21, class_="src/pool.py:Pool"),
            edge(f"{FILE}:Database.query", "CALLS", f"{FILE}:Database.process", 15, 21),
            edge(f"{FILE}:Database.process", "CALLS", f"{FILE}:Database.query", 18, 21, "inferred", 2, "field"),
            edge(f"{FILE}:connect", "REFERENCES", f"{FILE}:connection_string", 22, 17),
            edge(f"{FILE}:connect", "CALLS", f"{FILE}:Database.__init__", 23, 16, class_=f"{FILE}:Database"),
            edge(f"{FILE}:connect", "CALLS", f"{FILE}:Database.query", 24, 14),
            edge(f"{FILE}:connect", "CALLS", f"{FILE}:again", 25, 12),
            edge(f"{FILE}:connect.<lambda1>", "CALLS", "src/pool.py:drop", 25, 26),
            edge(FILE, "REFERENCES", f"{FILE}:Database.retries", 28, 30),
            edge(f"{FILE}:again", "CALLS", f"{FILE}:again", 29, 12),
            edge(FILE, "REFERENCES", f"{FILE}:connect", 33, 15),
            edge(FILE, "CALLS", f"{FILE}:connect", 34, 1),
        ],
        references=[
            reference(f"{FILE}:connect", "CALLS", "info", 22, 12, "external", "winston.Logger.info"),
            reference(FILE, "CALLS", "config", 32, 17, "external", "dotenv.config"),
            reference(FILE, "CALLS", "print", 33, 1, "external", "builtins.print"),
            reference(FILE, "CALLS", "mystery", 33, 7),
        ],
    )
    with_imports(made[0], [("dotenv", ""), ("winston", "Logger"), (".pool", "Pool"), (".pool", "drop")])
    return made


def with_imports(graph: FileGraph, imports: Sequence[tuple[str, str]]) -> None:
    assert graph.sites is not None
    graph.sites = msgspec.structs.replace(graph.sites, imports=[Imported(*each) for each in imports])


def database(root: Path) -> Graph:
    """The project on disk and its graph."""
    (root / "src").mkdir(parents=True)
    (root / FILE).write_text(SOURCE)
    (root / "src/pool.py").write_text(POOL)
    return Graph(root, fill(MemoryStore(), graphs()))
