"""Wildcard patterns of project files (`src/**/*.ts`, `packages/*`) in; whether a path fits, out. Never slow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

BRACES: Final = 100
"""So many patterns at most come from one with braces."""


def fits_name(pattern: str, name: str) -> bool:
    """One part of a path against one part of a pattern with `*` and `?`."""
    at = mark = back = 0
    star = -1
    while at < len(name):
        here = pattern[mark : mark + 1]
        if here == "*":
            star, mark, back = mark, mark + 1, at
        elif here and (here == "?" or here == name[at]):
            at, mark = at + 1, mark + 1
        elif star >= 0:
            back += 1
            at, mark = back, star + 1
        else:
            return False
    return not pattern[mark:].strip("*")


def fits(pattern: Sequence[str], path: Sequence[str]) -> bool:
    """Parts of a path against parts of a pattern; `**` stands for any number of folders."""
    reached = {0}
    for part in (*path, None):
        # Where `**` may stand for nothing.
        for at in range(len(pattern)):
            if at in reached and pattern[at] == "**":
                reached.add(at + 1)
        if part is None:
            break
        following: set[int] = set()
        for at in reached:
            if at < len(pattern):
                here = pattern[at]
                if here == "**":
                    following.add(at)
                elif fits_name(here, part):
                    following.add(at + 1)
        if not following:
            return False
        reached = following
    return len(pattern) in reached


def is_wild(part: str) -> bool:
    return "*" in part or "?" in part


def without_braces(pattern: str) -> list[str]:
    """`{apps,libs}/*` as `apps/*`, `libs/*`."""
    done: list[str] = []
    todo = [pattern]
    while todo and len(done) + len(todo) <= BRACES:
        each = todo.pop(0)
        close = each.find("}")
        start = each.rfind("{", 0, close) if close >= 0 else -1
        if start < 0:
            done.append(each)
        else:
            todo += [each[:start] + word + each[close + 1 :] for word in each[start + 1 : close].split(",")]
    return done
