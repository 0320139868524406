"""A symbol, its call sites and its file's lines in; the lines worth reading, with their numbers, out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SITES = 5
"""Call sites of one symbol that get their surroundings."""
FILLED_GAP = 2
"""So few lines are shown rather than counted."""


def context_of(count: int) -> int:
    """Lines of context where so many symbols are listed."""
    return 10 if count <= 5 else (25 - count) // 2


def snippet(start: int, end: int, sites: Iterable[tuple[int, int]], source: Sequence[str], context: int) -> list[str]:
    """Lines of the symbol from `start` to `end`; `source` holds the file's lines."""
    places = sorted(set(sites))[:SITES]
    end = min(end, len(source))
    if not places:
        ranges = [(start, min(end, start + context - 1))]
    elif end - start + 1 <= 2 * context:
        ranges = [(start, end)]
    else:
        ranges = _joined([(max(1, at - context), min(len(source), at + context)) for at, _ in places])
    shown: list[str] = []
    last = 0
    for first, final in ranges:
        if last:
            shown.append(f"    ... {first - last - 1} lines omitted ...")
        shown += [f"    {number}: {source[number - 1]}" for number in range(first, final + 1)]
        last = final
    return shown


def _joined(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in order, those that touch or leave only a small gap made one."""
    joined: list[tuple[int, int]] = []
    for first, final in ranges:
        if final < first:
            continue
        if joined and first - joined[-1][1] - 1 <= FILLED_GAP:
            joined[-1] = (joined[-1][0], max(joined[-1][1], final))
        else:
            joined.append((first, final))
    return joined
