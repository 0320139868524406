"""A small shop as a graph by hand, for the tools that show call sites."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from codegps.model.kinds import Flag, Kind
from codegps.query.graph import Graph
from codegps.tool import Answer
from tests.query.sites import build_sites
from tests.stores.graphs import edge, reference, symbol

ROOT = Path("/projects/shop").absolute()


def shop() -> Graph:
    store = build_sites(
        {
            "src/app.py": [
                symbol("main", Kind.Function, 5, 12, flags=Flag.ASYNC),
                symbol("helper", Kind.Function, 14, 16),
            ],
            "src/cart.py": [
                symbol("Cart", Kind.Class, 3, 20),
                symbol("Cart.__init__", Kind.Constructor, 4, 5),
                symbol("Cart.total", Kind.Method, 7, 10),
                symbol("Cart.save", Kind.Method, 12, 20),
            ],
            "src/user.py": [symbol("User", Kind.Class, 1, 9), symbol("User.save", Kind.Method, 3, 9)],
            "src/loop.py": [
                symbol("ping", Kind.Function, 1, 2),
                symbol("pong", Kind.Function, 4, 5),
                symbol("again", Kind.Function, 7, 8),
            ],
        },
        {
            "src/app.py": {
                "": ["main@18:1"],
                "main": ["cart@6", "Cart@6:12", ["if@7", "cart.total@8:14"], "response.json@9:14", "helper@10:5"],
                "helper": ["os.getcwd@15:8"],
            },
            "src/cart.py": {
                "Cart": [],
                "Cart.__init__": [],
                "Cart.total": ["sum@8:16"],
                "Cart.save": ["self.total@13:14"],
            },
            "src/user.py": {"User": [], "User.save": []},
            "src/loop.py": {"ping": ["pong@2:5"], "pong": ["ping@5:5"], "again": ["again@8:5"]},
        },
        edges=[
            edge("src/app.py", "CALLS", "src/app.py:main", 18, 1),
            edge("src/app.py:main", "CALLS", "src/cart.py:Cart.__init__", 6, 12, class_="src/cart.py:Cart"),
            edge("src/app.py:main", "CALLS", "src/cart.py:Cart.total", 8, 14),
            edge("src/app.py:main", "CALLS", "src/app.py:helper", 10, 5),
            edge("src/cart.py:Cart.save", "CALLS", "src/cart.py:Cart.total", 13, 14, "inferred", 2, "field"),
            edge("src/loop.py:ping", "CALLS", "src/loop.py:pong", 2, 5),
            edge("src/loop.py:pong", "CALLS", "src/loop.py:ping", 5, 5),
            edge("src/loop.py:again", "CALLS", "src/loop.py:again", 8, 5),
        ],
        references=[
            reference("src/app.py:main", "CALLS", "json", 9, 14, "unknown"),
            reference("src/app.py:helper", "CALLS", "getcwd", 15, 8, "external", "os.getcwd"),
            reference("src/cart.py:Cart.total", "CALLS", "sum", 8, 16, "external", "builtins.sum"),
        ],
    )
    return Graph(ROOT, store)


def json_of(answer: Answer) -> dict[str, Any]:
    """The JSON under the summary."""
    return json.loads(answer.text[answer.text.index("\n\n{") + 2 :])
