"""Every way in which a file's bytes may be off: facts where there are any, and a word about it."""

from __future__ import annotations

import random

from tests.languages.python.extract.reading import diagnostics, facts, head, names, symbols


def test_byte_order_mark_is_no_column() -> None:
    assert symbols(b"\xef\xbb\xbfdef f(): pass\n") == ["Function f 1:1-1:14"]


def test_utf16_is_told() -> None:
    source = "def f(): pass\n".encode("utf-16")
    assert names(source) == []
    assert diagnostics(source) == [(1, "the file is UTF-16, which Python does not read: nothing is taken from it")]


def test_latin1_with_a_coding_line() -> None:
    source = "# -*- coding: latin-1 -*-\ndef größe(): pass\n".encode("latin-1")
    assert symbols(source) == ["Function größe 2:1-2:18"]
    assert diagnostics(source) == []


def test_latin1_without_a_coding_line_is_told() -> None:
    source = "x = 1\ndef größe(): pass\n".encode("latin-1")
    assert names(source) == ["x", "größe"]
    assert diagnostics(source) == [(2, "not valid UTF-8, and no coding line: read as Latin-1")]


def test_unknown_coding_is_told() -> None:
    source = "# coding: klingon\ndef größe(): pass\n".encode()
    assert names(source) == ["größe"]
    assert diagnostics(source) == [(1, "unknown encoding 'klingon': read as UTF-8")]


def test_line_ends_of_all_systems() -> None:
    expected = ["Function f 1:1-2:8", "Function g 3:1-3:14"]
    for end in ("\n", "\r\n", "\r"):
        assert symbols(f"def f():{end}    g(){end}def g(): pass{end}".encode()) == expected


def test_nul_bytes_are_blanks() -> None:
    source = b"def f():\n    g()\n\0\ndef h(): pass\n" + b"# much more text than that\n" * 2
    assert names(source) == ["f", "h"]
    assert diagnostics(source) == [(3, "NUL bytes, which Python refuses: read as blanks")]


def test_binary_files_are_told() -> None:
    source = b"\x7fELF" + b"\0\1" * 500
    assert names(source) == []
    assert diagnostics(source) == [(1, "the file is binary: nothing is taken from it")]


def test_empty_files_have_a_file_symbol() -> None:
    found = head(b"")
    assert [(s.name, s.start_line, s.end_line) for s in found.symbols] == [("m.py", 1, 1)]
    assert found.lines == 0


def test_noise_never_raises() -> None:
    noise = random.Random(7)
    for size in range(1, 400, 7):
        facts(noise.randbytes(size))
        facts(bytes(noise.choices(b"def class():\n\t '\"#=@[]{}x1\\,.*", k=size * 3)))


def test_truncated_files_keep_what_stands_before() -> None:
    source = b"import os\ndef f(a):\n    return os.getcwd()\nclass A:\n    def m(self):\n        return {'k': [f(1), "
    assert names(source) == ["f", "A", "A.m"]
