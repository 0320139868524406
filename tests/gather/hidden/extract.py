"""What hides the function of this name."""

from __future__ import annotations

import os

from codegps.model.facts import FileFacts
from tests.gather.extractors import facts


def extract(source: bytes, path: str) -> FileFacts:
    return facts(str(os.getpid()))
