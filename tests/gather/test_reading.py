"""What a file's bytes are taken for: its identity, its lines, text or not."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import msgspec
import pytest

from codegps.gather import count_lines, facts_of, read_source
from codegps.model.facts import FACTS, HEAD, FileFacts
from codegps.model.graph import Sites
from codegps.model.kinds import Kind
from tests.gather.extractors import facts, said


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (b"", 0),
        (b"a", 1),
        (b"a\n", 1),
        (b"a\nb", 2),
        (b"a\r\nb\r\n", 2),
        (b"a\rb\r", 2),
        (b"a\r\nb\rc\nd", 4),
        ("a\nb\n".encode("utf-16"), 2),
    ],
)
def test_lines_are_counted_with_any_line_ends(source: bytes, lines: int) -> None:
    assert count_lines(source) == lines


def test_the_hash_is_gits(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"hello\n")
    content = read_source(str(tmp_path), "a")
    assert content.sha == "ce013625030ba8dba906f756967f9e9ca394464a"
    assert content.size == 6
    assert content.mtime_ns == (tmp_path / "a").stat().st_mtime_ns


def test_the_hash_of_nothing_is_gits(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    assert read_source(str(tmp_path), "a").sha == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


def test_a_folder_is_no_source(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        read_source(str(tmp_path), ".")


def keep(source: bytes, path: str) -> FileFacts:
    return facts(f"{path}={source!r}")


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        (b"plain\r\n", b"plain\r\n"),
        ("größe\n".encode("latin-1"), "größe\n".encode("latin-1")),
        (b"\xef\xbb\xbfbom\n", b"\xef\xbb\xbfbom\n"),
        (b"one \0 byte in a text that is long enough\n", b"one \0 byte in a text that is long enough\n"),
        ("größe\n".encode("utf-16"), "größe\n".encode()),
        ("größe\n".encode("utf-16-be").join([b"\xfe\xff", b""]), "größe\n".encode()),
        (b"\xff\xfea\0b", "a\ufffd".encode()),
        (b"", b""),
    ],
)
def test_text_reaches_the_extractor(source: bytes, seen: bytes) -> None:
    encoded, failure = facts_of(keep, "toy/7", "deep/x.toy", source)
    assert said(encoded) == [f"x.toy={seen!r}"]
    assert failure == ""


@pytest.mark.parametrize(
    "source",
    [
        b"\x7fELF\x02\x01\x01" + b"\0" * 9 + bytes(range(256)) * 4,
        "text in utf-16 without its mark".encode("utf-16-le"),
        "text in utf-32".encode("utf-32"),
    ],
)
def test_binary_is_said_and_not_read(source: bytes) -> None:
    encoded, failure = facts_of(keep, "toy/7", "x.toy", source)
    assert said(encoded) == ["this is binary, or text in an unknown encoding; nothing of it was read"]
    assert failure == ""


def test_a_file_of_which_nothing_is_known_is_still_a_file() -> None:
    def fail(source: bytes, path: str) -> FileFacts:
        raise ValueError("no")

    encoded, failure = facts_of(fail, "toy/7", "deep/x.toy", b"a\nb\n")
    assert failure == "ValueError: no"
    found = FACTS.decode(encoded)
    head = HEAD.decode(found.head)
    assert found.version == "toy/7"
    assert [(s.name, s.qualified_name, s.kind, s.end_line) for s in head.symbols] == [("x.toy", "", int(Kind.File), 2)]
    assert head.lines == 2
    assert msgspec.msgpack.decode(found.sites, type=Sites).calls == []


@pytest.mark.skipif(os.name == "nt", reason="a pipe as a file")
def test_a_pipe_is_no_source(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    writer = subprocess.Popen(["sh", "-c", f"echo hello > {tmp_path}/a"])
    try:
        with pytest.raises(OSError, match="not a regular file"):
            read_source(str(tmp_path), "a")
    finally:
        writer.kill()
        writer.wait()
