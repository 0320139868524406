"""The menu read from sources is the one that importing gives."""

from __future__ import annotations

import pytest

from codegps.serve import menu
from codegps.serve.menu import Entry, entries, first_sentence


def test_reading_and_importing_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    read = entries()
    assert read == [Entry(tool.command, tool.description, tool.examples[0]) for tool in menu.menu()]

    def fail(name: str) -> Entry:
        raise OSError("sources are not there")

    monkeypatch.setattr(menu, "_read_entry", fail)
    assert entries() == read


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Finds it. Use it so.", "Finds it."),
        ("Finds it\nand more", "Finds it"),
        ("a.b is a name", "a.b is a name"),
        ("word " * 10, "word word word…"),
    ],
)
def test_first_sentences(text: str, sentence: str) -> None:
    assert first_sentence(text, 20) == sentence
