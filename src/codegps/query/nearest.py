"""A word and others in; the others by edit distance to it, ignoring case, out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def distance(left: str, right: str) -> int:
    """Levenshtein distance, a whole row of the table at a time as bits of one integer (Myers, Hyyrö)."""
    if not left:
        return len(right)
    masks: dict[str, int] = {}
    bit = 1
    for character in left:
        masks[character] = masks.get(character, 0) | bit
        bit <<= 1
    full, last = bit - 1, bit >> 1
    positive, negative, score = full, 0, len(left)
    for character in right:
        match = masks.get(character, 0)
        diagonal = (((match & positive) + positive) ^ positive) | match | negative
        rise = negative | ~(diagonal | positive)
        fall = positive & diagonal
        if rise & last:
            score += 1
        elif fall & last:
            score -= 1
        rise = (rise << 1) | 1
        positive = ((fall << 1) | ~(diagonal | rise)) & full
        negative = rise & diagonal & full
    return score


def nearest(word: str, items: Iterable[T], names: Callable[[T], Iterable[str]], count: int) -> list[T]:
    """The `count` items one of whose names is nearest to the word; equal ones stay in their order."""
    asked = word.lower()
    known: dict[str, int] = {}

    def far(item: T) -> int:
        best = -1
        for name in names(item):
            if name not in known:
                known[name] = distance(asked, name.lower())
            best = known[name] if best < 0 else min(best, known[name])
        return best

    return sorted(items, key=far)[:count]
