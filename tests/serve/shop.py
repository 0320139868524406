"""A small real project, and ways to run the real program on it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import codegps

FILES = {
    "shop/__init__.py": "",
    "shop/prices.py": '''"""What things cost."""


def net(items):
    return sum(item.price for item in items)


def total(items, rate=0.2):
    return round(net(items) * (1 + rate), 2)
''',
    "shop/orders.py": """from shop.prices import total


class Order:
    def __init__(self, items):
        self.items = items

    def checkout(self):
        return pay(total(self.items))


def pay(amount):
    return f"paid {amount}"
""",
    "shop/app.py": """from shop.orders import Order, pay


def main(items):
    order = Order(items)
    return order.checkout()


def refund(amount):
    return pay(-amount)
""",
}

SOURCE = Path(codegps.__file__).parent.parent


def make_shop(folder: Path) -> Path:
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    # Whatever lies above must not count as the root.
    (folder / ".codegps").mkdir(exist_ok=True)
    return folder


def environment(**more: str) -> dict[str, str]:
    """As ours, without settings of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CODEGPS", "PYTEST"))}
    return {**kept, "PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8", **more}


def program(*words: str) -> list[str]:
    return [sys.executable, "-m", "codegps", *words]


def run(words: Sequence[str], folder: Path, given: str | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    """The program as a shell would run it in a pipe."""
    return subprocess.run(
        program(*words),
        cwd=folder,
        input=given,
        stdin=subprocess.DEVNULL if given is None else None,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(**more),
        timeout=60,
        check=False,
    )
