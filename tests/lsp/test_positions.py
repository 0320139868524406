"""Columns and addresses survive the way to the protocol and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegps.lsp.positions import Encoding, decode, inside, split_lines, to_column, to_path, to_units

LINE = "aé𝄞z"


@pytest.mark.parametrize(
    ("encoding", "units"), [("utf-8", [0, 1, 3, 7, 8]), ("utf-16", [0, 1, 2, 4, 5]), ("utf-32", [0, 1, 2, 3, 4])]
)
def test_columns_count_code_points(encoding: Encoding, units: list[int]) -> None:
    assert [to_units(LINE, column, encoding) for column in range(1, 6)] == units
    assert [to_column(LINE, unit, encoding) for unit in units] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_columns_out_of_the_line_are_its_ends(encoding: Encoding) -> None:
    assert [to_units("abc", column, encoding) for column in (-5, 0, 9)] == [0, 0, 3]
    assert [to_column(text, 1_000_000, encoding) for text in ("abc", LINE, "")] == [4, 5, 1]


def test_an_offset_inside_a_character_is_its_start() -> None:
    assert [to_column(LINE, units, "utf-16") for units in (2, 3, 4)] == [3, 3, 4]
    assert [to_column(LINE, units, "utf-8") for units in (3, 4, 5, 6, 7)] == [3, 3, 3, 3, 4]


def test_lines_end_where_the_protocol_ends_them() -> None:
    assert split_lines("a\r\nb\rc\n\x0cd\u2028e") == ["a", "b", "c", "\x0cd\u2028e"]
    assert decode(b"\xef\xbb\xbfa\xffb") == "a\ufffdb"


@pytest.mark.parametrize("name", ["a.py", "with space#?%.py", "é𝄞.py"])
def test_addresses_come_back_as_the_path(tmp_path: Path, name: str) -> None:
    assert Path(to_path((tmp_path / name).as_uri()) or "") == tmp_path / name


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/Users/x%20y/a.ts", "C:/Users/x y/a.ts"),
        ("file:///D:/a.ts", "D:/a.ts"),
        ("file:///etc/passwd", None),
        ("file://server/share/a.ts", None),
    ],
)
def test_windows_addresses(uri: str, path: str | None) -> None:
    assert to_path(uri, windows=True) == path


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "a.py",
        "untitled:1",
        "https://example.org/a.py",
        "file://host/a.py",
        "file:a.py",
        "file:///a%00.py",
        "file://[/a",
        "file:///" + "a/" * 5000,
    ],
)
def test_other_addresses_have_no_path(uri: str) -> None:
    assert to_path(uri, windows=False) is None


def test_inside_follows_links(tmp_path: Path) -> None:
    root = (tmp_path / "root").resolve()
    (root / "sub").mkdir(parents=True)
    (tmp_path / "secret").write_text("")
    (root / "link").symlink_to(tmp_path / "secret")
    assert inside(root, root / "sub" / ".." / "a.py") == root / "a.py"
    assert inside(root, root / "link") is None
    assert inside(root, root / ".." / "secret") is None
    assert inside(root, f"{root}-twin") is None
