"""The project's pages in; their blocks, links and commands out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PLACES = (("", "*.md"), ("docs", "**/*.md"), ("bench", "*.md"), ("src", "**/*.md"))
PAGES = sorted(page.relative_to(ROOT).as_posix() for folder, names in PLACES for page in (ROOT / folder).glob(names))


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def blocks(page: str, language: str) -> list[str]:
    """The page's fenced blocks of a language."""
    return [body for info, body in FENCE.findall(text_of(page)) if info.strip() == language]


class Shown(NamedTuple):
    """A command and what the page says that it prints."""

    command: str
    answer: list[str]

    def agrees(self, out: str) -> bool:
        """Whether it prints that; the line `...` stands for any lines."""
        parts = ["(.*\n)*" if line == "..." else re.escape(line) + "\n" for line in self.answer]
        return re.fullmatch("".join(parts), out if out.endswith("\n") else out + "\n") is not None


def shown(page: str) -> list[Shown]:
    """Every command of the page's console blocks, in order."""
    found: list[Shown] = []
    for block in blocks(page, "console"):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append(Shown(line.removeprefix("$ "), []))
            else:
                found[-1].answer.append(line)
    return found


def scripts(page: str) -> list[str]:
    """The lines of the page's shell blocks, without their comments."""
    lines = [line.partition("  #")[0].strip() for block in blocks(page, "sh") for line in block.splitlines()]
    return [line for line in lines if line]


def prose(page: str) -> str:
    """The page without its blocks."""
    return FENCE.sub("", text_of(page))
