"""Edits of JSON texts: one entry changes, every other byte stays."""

from __future__ import annotations

import pytest

from codegps.errors import CodeGPSError
from codegps.serve.connect.jsonc import parse, remove_entry, set_entry

PATH = ("mcpServers", "codegps")
ENTRY = {"command": "codegps", "args": ["serve"]}

ZED = """// Zed settings
//
// see the docs
{
\t"theme": "One Dark", // dark
\t/* servers
\t   live here */
\t"mcpServers": {
\t\t"other": {
\t\t\t"command": "npx",
\t\t\t"args": ["-y", "thing"], // trailing comma below
\t\t},
\t},
\t"tab_size": 4,
}
"""

ZED_WITH = """// Zed settings
//
// see the docs
{
\t"theme": "One Dark", // dark
\t/* servers
\t   live here */
\t"mcpServers": {
\t\t"other": {
\t\t\t"command": "npx",
\t\t\t"args": ["-y", "thing"], // trailing comma below
\t\t},
\t\t"codegps": {
\t\t\t"command": "codegps",
\t\t\t"args": [
\t\t\t\t"serve"
\t\t\t]
\t\t},
\t},
\t"tab_size": 4,
}
"""


def test_comments_order_and_indentation_survive() -> None:
    assert set_entry(ZED, PATH, ENTRY) == ZED_WITH


def test_what_was_added_is_taken_back_to_the_byte() -> None:
    assert remove_entry(ZED_WITH, PATH) == ZED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "m": {\n    "x": {\n      "a": 1\n    }\n  }\n}\n'),
        ("\n\n", '{\n  "m": {\n    "x": {\n      "a": 1\n    }\n  }\n}\n'),
        ("{}", '{\n  "m": {\n    "x": {\n      "a": 1\n    }\n  }\n}'),
        ('{"m": {}}\n', '{"m": {"x": {"a": 1}}}\n'),
        ('{"k": 1}', '{"k": 1, "m": {"x": {"a": 1}}}'),
        ('{"k": 1,}', '{"k": 1, "m": {"x": {"a": 1}}}'),
        ("{\n}\n", '{\n  "m": {\n    "x": {\n      "a": 1\n    }\n  }\n}\n'),
        (
            '{\n    "k": [1]\n}',
            '{\n    "k": [1],\n    "m": {\n        "x": {\n            "a": 1\n        }\n    }\n}',
        ),
        (
            '{\n  "k": 1 // one\n}\n',
            '{\n  "k": 1, // one\n  "m": {\n    "x": {\n      "a": 1\n    }\n  }\n}\n',
        ),
        (
            '{\n  "m": { // none yet\n  }\n}\n',
            '{\n  "m": { // none yet\n    "x": {\n      "a": 1\n    }\n  }\n}\n',
        ),
        ('{\r\n  "m": {}\r\n}\r\n', '{\r\n  "m": {\r\n    "x": {\r\n      "a": 1\r\n    }\r\n  }\r\n}\r\n'),
        ('\ufeff{\n  "k": 1\n}', '\ufeff{\n  "k": 1,\n  "m": {\n    "x": {\n      "a": 1\n    }\n  }\n}'),
    ],
)
def test_an_entry_goes_where_there_is_none(before: str, after: str) -> None:
    assert set_entry(before, ("m", "x"), {"a": 1}) == after


def test_an_entry_that_is_there_keeps_its_further_keys() -> None:
    text = '{\n  "m": {\n    "x": {\n      "env": {"A": "b"}, // mine\n      "a": 2\n    }\n  }\n}\n'
    assert set_entry(text, ("m", "x"), {"a": 1, "b": True}) == (
        '{\n  "m": {\n    "x": {\n      "env": {"A": "b"}, // mine\n      "a": 1,\n      "b": true\n    }\n  }\n}\n'
    )


def test_the_same_entry_again_changes_nothing() -> None:
    once = set_entry(ZED, PATH, ENTRY)
    assert set_entry(once, PATH, ENTRY) == once


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("{}", "{}"),
        ('{"m": {"x": {"a": 1}}}', '{"m": {}}'),
        ('{"m": {"x": {"a": 1}, "y": 2}}', '{"m": {"y": 2}}'),
        ('{"m": {"y": 2, "x": {"a": 1}}}', '{"m": {"y": 2}}'),
        ('{\n  "m": {\n    "y": 2,\n    "x": {\n      "a": 1\n    }\n  }\n}\n', '{\n  "m": {\n    "y": 2\n  }\n}\n'),
        ('{\n  "m": {\n    "x": {\n      "a": 1\n    },\n    "y": 2\n  }\n}\n', '{\n  "m": {\n    "y": 2\n  }\n}\n'),
        (
            '{\n  "m": {\n    // ours\n    "x": {}, // tail\n    "y": 2\n  }\n}\n',
            '{\n  "m": {\n    // ours\n    // tail\n    "y": 2\n  }\n}\n',
        ),
        ('{\r\n  "m": {\r\n    "y": 2,\r\n    "x": {}\r\n  }\r\n}', '{\r\n  "m": {\r\n    "y": 2\r\n  }\r\n}'),
        ('{"m": {"x": 1, "x": 2}}', '{"m": {}}'),
    ],
)
def test_an_entry_is_taken_out(before: str, after: str) -> None:
    assert remove_entry(before, ("m", "x")) == after


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', "line 3: a comma or } is missing"),
        ('{\n  "a": \n}', "line 3: a value is missing"),
        ('{\n  "a": 1,\n', "line 3: a string is expected here, or is not closed"),
        ('{\n  "a" 1\n}', 'line 2: after "a" a colon is missing'),
        ('{\n  "a": nul\n}', "line 2: nul is no value"),
        ('{\n  "a": "x\n}', "line 2: a string is expected here, or is not closed"),
        ("{}\n{}", "line 2: something follows the end of the document"),
        ("[]", "line 1: the document must be an object"),
        ('{\n\n  "m": 3\n}', 'line 3: "m" must be an object'),
        ("[" * 500, "line 1: too deeply nested"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(CodeGPSError) as caught:
        set_entry(text, ("m", "x"), {"a": 1})
    assert str(caught.value) == message


def test_values_are_read_as_json_reads_them() -> None:
    text = '{"a": [1, -2.5e3, true, null, "\\u00e9\\"//"], "b": {"c": "/* no comment */"}}'
    assert parse(text).data == {"a": [1, -2500.0, True, None, 'é"//'], "b": {"c": "/* no comment */"}}
