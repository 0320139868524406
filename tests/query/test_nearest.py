"""Edit distance, against the textbook's table."""

from __future__ import annotations

import random

from codegps.query.nearest import distance, nearest


def table(left: str, right: str) -> int:
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def test_known_distances() -> None:
    assert distance("kitten", "sitting") == 3
    assert distance("", "abc") == 3
    assert distance("abc", "") == 3
    assert distance("", "") == 0
    assert distance("same", "same") == 0


def test_the_same_as_the_table_for_random_words() -> None:
    words = random.Random(1)
    for _ in range(3_000):
        left = "".join(words.choices("abcé", k=words.randrange(90)))
        right = "".join(words.choices("abcé", k=words.randrange(90)))
        assert distance(left, right) == table(left, right)


def test_nearest_ignores_case_and_keeps_the_order_of_equals() -> None:
    items = ["beta", "ALPHA", "alpha", "alphas", "gamma"]
    assert nearest("Alpha", items, lambda item: (item,), 3) == ["ALPHA", "alpha", "alphas"]
