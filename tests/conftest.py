"""Options of the whole suite."""

from __future__ import annotations

import signal

import pytest

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # Whoever runs us in the background may have told us to ignore interrupts. The programs that tests start and
    # interrupt must not inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-cases", action="store_true", help="rewrite the graph blocks of case files, for review")
