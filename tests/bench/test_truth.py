"""The truth bench on a project of our own: which calls it sees, and how it judges the graph by them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from bench.truth.judge import Judged, Level, judge
from bench.truth.run import Traced, read, trace

import codegps

SHOP = """\
import functools


class Item:
    def __init__(self, price):
        self.price = price

    def cost(self):
        return self.price


class Gift(Item):
    def cost(self):
        return 0


def total(items, round_by=None):
    found = sum(item.cost() for item in items)
    return round_by(found) if round_by else found


@functools.lru_cache
def rate():
    return 2


def double(x):
    return x * (rate)()


def lines(items):
    for item in items:
        yield Item.cost(item)


def never(x):
    return total([x])
"""
TESTS = """\
import shop


def test_total():
    assert shop.total([shop.Item(3), shop.Gift(4)], shop.double) == 6
    assert shop.total([], lambda x: x) == 0


def test_lines():
    assert sorted(shop.lines([shop.Item(1)]), key=lambda x: -x) == [1]


def test_replaced(monkeypatch):
    monkeypatch.setattr(shop, "rate", lambda: 5)
    assert shop.double(2) == 10
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop").resolve()
    (folder / "shop.py").write_text(SHOP)
    (folder / "test_shop.py").write_text(TESTS)
    return folder


@pytest.fixture(scope="module")
def traced(root: Path) -> Traced:
    out = root / "calls.json"
    trace(root, sys.executable, ["test_shop.py"], out)
    return read(out)


@pytest.fixture(scope="module")
def judged(root: Path, traced: Traced) -> Judged:
    codegps.index(root)
    with codegps.open_graph(root) as graph:
        return judge("shop", graph, traced.calls)


def test_calls_that_entered_the_project(traced: Traced) -> None:
    seen = {place: sorted((e.name, e.first_line) for e in entered) for place, entered in traced.calls.items()}
    assert seen == {
        ("shop.py", 18, 22): [("cost", 8), ("cost", 13)],
        ("shop.py", 19, 12): [("<lambda>", 6), ("double", 27)],
        ("shop.py", 28, 22): [("<lambda>", 14), ("rate", 22)],
        ("shop.py", 33, 20): [("cost", 8)],
        ("test_shop.py", 5, 17): [("total", 17)],
        ("test_shop.py", 5, 29): [("__init__", 5)],
        ("test_shop.py", 5, 43): [("__init__", 5)],
        ("test_shop.py", 6, 17): [("total", 17)],
        ("test_shop.py", 10, 24): [("lines", 31)],
        ("test_shop.py", 10, 36): [("__init__", 5)],
        ("test_shop.py", 15, 17): [("double", 27)],
    }
    assert traced.summary.startswith("3 passed")


def test_every_entered_function_has_a_symbol(judged: Judged) -> None:
    assert judged.unknown_bodies == 0


def test_each_site_and_target_counts_once(judged: Judged) -> None:
    assert judged.every.sites == 11
    assert judged.every.recall.predicted == 14
    assert judged.library.sites == 4
    assert judged.library.recall.predicted == 7


def test_a_replaced_function_is_a_miss(judged: Judged) -> None:
    assert [miss.target for miss in judged.missed] == ["test_shop.py:test_replaced.<lambda1>"]
    assert judged.missed[0].place == ("shop.py", 28, 22)


def test_what_is_resolved_was_entered(judged: Judged) -> None:
    assert judged.every.alone == Level(8, 8)
    assert judged.wrong == []
