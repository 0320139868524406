"""Edits of TOML texts: one table changes, every other byte stays."""

from __future__ import annotations

import pytest

from codegps.errors import CodeGPSError
from codegps.serve.connect.toml import remove_entry, set_entry

PATH = ("mcp_servers", "codegps")
ENTRY = {"command": "codegps", "args": ["serve"]}

CODEX = """# my settings
model = "gpt"   # the big one

[mcp_servers.other]
command = "npx"
args = [
  "-y",  # yes
  "thing",
]

[projects."/home/me/shop"]
trust_level = "trusted"
"""

BLOCK = """
[mcp_servers.codegps]
command = "codegps"
args = ["serve"]
"""


def test_a_table_is_appended_and_taken_back_to_the_byte() -> None:
    assert set_entry(CODEX, PATH, ENTRY) == CODEX + BLOCK
    assert remove_entry(CODEX + BLOCK, PATH) == CODEX


def test_into_an_empty_file() -> None:
    assert set_entry("", PATH, ENTRY) == BLOCK[1:]
    assert remove_entry(BLOCK[1:], PATH) == ""


def test_a_file_without_a_last_line_end() -> None:
    assert set_entry('a = "b"', PATH, ENTRY) == 'a = "b"\n' + BLOCK


def test_windows_line_ends_stay() -> None:
    assert set_entry('a = "b"\r\n', PATH, ENTRY) == 'a = "b"\r\n' + BLOCK.replace("\n", "\r\n")


def test_our_keys_change_and_others_stay() -> None:
    text = (
        "[mcp_servers.codegps]\n# keep me\nargs = [\n  'old',\n]\nstartup_timeout_sec = 20\n\n"
        '[mcp_servers.codegps.env]\nA = "b"\n'
    )
    assert set_entry(text, PATH, ENTRY) == (
        '[mcp_servers.codegps]\ncommand = "codegps"\n# keep me\nargs = ["serve"]\nstartup_timeout_sec = 20\n\n'
        '[mcp_servers.codegps.env]\nA = "b"\n'
    )


def test_the_same_entry_again_changes_nothing() -> None:
    assert set_entry(CODEX + BLOCK, PATH, ENTRY) == CODEX + BLOCK


def test_tables_below_ours_go_with_it() -> None:
    text = f'a = 1\n{BLOCK}\n[mcp_servers.codegps.env]\nA = "b"\n\n# about the next\n[other]\nb = 2\n'
    assert remove_entry(text, PATH) == "a = 1\n\n# about the next\n[other]\nb = 2\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('a = 1\nb = "x\n', "line 2: Illegal character '\\n'"),
        ("a = 1\n[x\n", "line 2: Expected ']' at the end of a table declaration"),
        ("mcp_servers = 3\n", "mcp_servers.codegps is no table"),
        (
            "[mcp_servers]\ncodegps = { command = 'x' }\n",
            "mcp_servers.codegps is written without a header of its own; please change it by hand",
        ),
    ],
)
def test_what_cannot_be_edited_is_refused(text: str, message: str) -> None:
    with pytest.raises(CodeGPSError) as caught:
        set_entry(text, PATH, ENTRY)
    assert str(caught.value) == message
