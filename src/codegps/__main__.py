"""`python -m codegps`: the command line."""

from __future__ import annotations

import sys

from codegps.serve.cli import main

if __name__ == "__main__":
    sys.exit(main())
