"""Which import brought a name into a file."""

from __future__ import annotations

import pytest

from codegps.model.graph import Imported, Symbol
from codegps.model.kinds import Kind
from codegps.query.modules import Imports


def symbol(file: str, qualified_name: str) -> Symbol:
    return Symbol(1, qualified_name.rpartition(".")[2], qualified_name, Kind.Function, file, 1, 1, 1, 1, 0, "any")


def imports(*written: tuple[str, str]) -> Imports:
    return Imports([Imported(*each) for each in written])


@pytest.mark.parametrize(
    ("file", "name", "written", "module"),
    [
        ("shop/db.py", "connect", [(".db", "connect")], ".db"),
        ("shop/db.py", "connect", [("shop.db", "")], "shop.db"),
        ("shop/db.py", "connect", [("shop", "db")], "shop.db"),
        ("shop/db.py", "connect", [(".", "db")], ".db"),
        ("shop/db.py", "Pool.take", [(".db", "Pool")], ".db"),
        ("shop/__init__.py", "connect", [("shop", "")], "shop"),
        ("src/db/client.ts", "Client", [("@/db/client", "Client")], "@/db/client"),
        ("src/db/client.ts", "Client", [("./db", "Client")], "./db"),
        ("src/db/client.ts", "Client", [("../db/client.js", "")], "../db/client.js"),
        ("packages/db/src/index.ts", "Client", [("@shop/db", "Client")], "@shop/db"),
        ("src/db/client.ts", "Client", [("./barrel", "Client")], "./barrel"),
        ("src/db/client.ts", "Client", [("./barrel", "Client"), ("./db", "Client")], "./db"),
        ("src/db/client.ts", "Client", [("./other", "Other")], "src/db/client.ts"),
        ("src/db/client.ts", "Client", [], "src/db/client.ts"),
    ],
)
def test_a_symbol_of_another_file_came_by_the_import_that_names_it(
    file: str, name: str, written: list[tuple[str, str]], module: str
) -> None:
    assert imports(*written).module(symbol(file, name)) == module


@pytest.mark.parametrize(
    ("dotted", "written", "expected"),
    [
        ("dotenv.config", [("dotenv", "")], ("dotenv", "config")),
        ("winston.Logger.info", [("winston", "Logger")], ("winston", "Logger.info")),
        ("os.path.join", [("os.path", "")], ("os.path", "join")),
        ("os.path.join", [("os", "path")], ("os", "path.join")),
        ("os.path.join", [("os", ""), ("os.path", "")], ("os.path", "join")),
        ("@scope/pkg.run", [("@scope/pkg", "run")], ("@scope/pkg", "run")),
        ("osmosis.run", [("os", "")], (None, "")),
        ("requests", [("requests", "")], ("requests", "")),
        ("requests.get", [], (None, "")),
        ("requests.get", [("", "get")], (None, "")),
    ],
)
def test_a_library_s_symbol_came_by_the_longest_import_that_it_begins_with(
    dotted: str, written: list[tuple[str, str]], expected: tuple[str | None, str]
) -> None:
    assert imports(*written).external(dotted) == expected
