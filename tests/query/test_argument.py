"""Arguments before anything is done with them, and text of others before anything is printed of it."""

from __future__ import annotations

import pytest

from codegps.errors import ToolError
from codegps.model.visible import visible
from codegps.query.argument import clamped, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain name", "plain name"),
        ("Größe 名前", "Größe 名前"),
        ("a\nb\tc\0", "a\\nb\\tc\\x00"),
        ("\x9b31m", "\\x9b31m"),
        ("right\u202eleft", "right\\u202eleft"),
        ("line\u2028end", "line\\u2028end"),
        ("half \ud83d", "half \\ud83d"),
        ("x" * 501, "x" * 499 + "…"),
    ],
)
def test_visible_stays_on_one_line_and_hides_nothing(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_plain_takes_text_as_it_is() -> None:
    assert plain("a b", "symbol") == "a b"
    with pytest.raises(ToolError, match=r"^`symbol` must be text, not int\.$"):
        plain(5, "symbol")


def test_clamped_says_what_was_used() -> None:
    assert clamped(5, "limit", 1, 10) == (5, "")
    assert clamped(50_000, "limit", 1, 1_000) == (1_000, "limit must be from 1 to 1,000; 1,000 was used.")
