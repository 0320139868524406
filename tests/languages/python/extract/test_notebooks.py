"""Notebooks: code cells at the lines of the file in which they stand."""

from __future__ import annotations

import json

import msgspec

from codegps.model.graph import Sites
from tests.languages.python.extract.reading import diagnostics, facts, names, section, symbols

NOTEBOOK = r"""{
 "cells": [
  {
   "cell_type": "markdown",
   "source": [
    "def not_code(): pass\n"
   ]
  },
  {
   "cell_type": "code",
   "outputs": [{"text": ["def printed(): pass"]}],
   "source": [
    "%matplotlib inline\n",
    "import os\n",
    "def first(a):\n",
    "    return os.getcwd(\"é\")"
   ]
  },
  {
   "cell_type": "code",
   "source": "x = first(1\n"
  },
  {
   "cell_type": "code",
   "source": "!ls\ndef second():\n    first(2)\ny = %time 3"
  },
  {"cell_type": "code", "source": ["%%bash\n", "def shell(): pass"]}
 ],
 "metadata": {"kernelspec": {"language": "python"}},
 "nbformat": 4
}
""".encode()


def test_cells_stand_at_their_lines() -> None:
    assert section(NOTEBOOK, "symbols", "n.ipynb")[0] == "0 File <file> 1:1-31:2"
    assert symbols(NOTEBOOK, "n.ipynb") == ["Function first 15:6-16:31 (a)", "Function second 25:20-25:47"]


def test_calls_stand_at_their_lines() -> None:
    found = msgspec.msgpack.decode(facts(NOTEBOOK, "n.ipynb").sites, type=Sites)
    assert [(call.name, call.line, call.column) for call in found.calls] == [("getcwd", 16, 20), ("first", 25, 39)]


def test_an_error_costs_its_cell_at_most() -> None:
    assert diagnostics(NOTEBOOK, "n.ipynb") == [(21, "syntax error: this statement is left out")]


def test_other_kernels_are_left_alone() -> None:
    cells = [{"cell_type": "code", "source": ["def f(): pass"]}]
    for language, expected in (("python", ["f"]), ("R", []), ("julia", [])):
        book = {"cells": cells, "metadata": {"kernelspec": {"language": language}}}
        assert names(json.dumps(book).encode(), "n.ipynb") == expected


def test_old_notebooks_have_worksheets() -> None:
    book = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["def f():\n", "    pass"]}]}]}
    assert names(json.dumps(book).encode(), "n.ipynb") == ["f"]


def test_bad_json_is_told() -> None:
    assert diagnostics(b'{"cells": [', "n.ipynb") == [(1, "not valid JSON: nothing is taken from the notebook")]
    assert diagnostics(b"[" * 100_000, "n.ipynb") == [(1, "not valid JSON: nothing is taken from the notebook")]
    assert diagnostics(b"[]", "n.ipynb") == []
