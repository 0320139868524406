"""The registry, compared with its folder."""

from __future__ import annotations

from pathlib import Path

import codegps.tools
from codegps.tools import NAMES, TOOLS, load

NOT_ON_THE_MENU = {"query"}
"""Commands of their own."""


def test_every_file_of_the_folder_is_a_tool_of_that_name() -> None:
    folder = Path(codegps.tools.__file__).parent
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} - NOT_ON_THE_MENU == set(NAMES)


def test_file_function_and_command_have_one_name() -> None:
    for name, tool in zip(NAMES, TOOLS, strict=True):
        assert tool is load(name)
        assert tool.__name__ == name
        assert tool.command == name.replace("_", "-")
        assert tool.description


def test_descriptions_begin_as_the_contract_has_them() -> None:
    assert [tool.description.partition(".")[0] for tool in TOOLS[:3]] == [
        "Find all code that a symbol depends on (forward dependencies)",
        "Find all code that depends on a symbol (reverse dependencies)",
        "Find how two symbols connect through the code graph",
    ]
