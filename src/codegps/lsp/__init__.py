"""Language-server client: a file and places in it go in, what a real server says about them comes out.

Tools ask `Servers.analyze_symbols` and never speak the protocol themselves.
"""

from codegps.lsp.analysis import STATIC, Analysis, Target
from codegps.lsp.pool import References, Servers
from codegps.lsp.settings import Limits, Mode, Settings, read_settings

__all__ = [
    "STATIC",
    "Analysis",
    "Limits",
    "Mode",
    "References",
    "Servers",
    "Settings",
    "Target",
    "read_settings",
]
