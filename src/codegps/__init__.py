"""CodeGPS: source trees in, an honest graph of calls, references and inheritance out.

>>> import codegps
>>> with codegps.open_graph("path/to/project") as graph:
...     print(codegps.dependents_of(graph, "src/app.py", "main").text)

Everything is imported when it is first used, so `import codegps` costs nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codegps.errors import (
        CodeGPSError,
        IndexBusy,
        IndexError_,
        IndexLocked,
        IndexOutdated,
        RootError,
        SettingError,
        ToolError,
        UsageError,
    )
    from codegps.model.calls import CallerInfo, CallGraph, CallInfo, FindCallsOptions
    from codegps.pipeline import Report
    from codegps.query.call_sites import CallSiteView
    from codegps.query.find import Place
    from codegps.query.find_calls_in_function import find_calls_in_function
    from codegps.query.find_containing_function import find_containing_function
    from codegps.query.graph import Graph
    from codegps.tool import Answer
    from codegps.tools.analyze_file_logic import analyze_file_logic
    from codegps.tools.dependencies_of import dependencies_of
    from codegps.tools.dependents_of import dependents_of
    from codegps.tools.find_symbol import find_symbol
    from codegps.tools.get_function_details import get_function_details
    from codegps.tools.paths_between import paths_between

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "CallGraph",
    "CallInfo",
    "CallSiteView",
    "CallerInfo",
    "CodeGPSError",
    "FindCallsOptions",
    "Graph",
    "IndexBusy",
    "IndexError_",
    "IndexLocked",
    "IndexOutdated",
    "Place",
    "Report",
    "RootError",
    "SettingError",
    "ToolError",
    "UsageError",
    "analyze_file_logic",
    "dependencies_of",
    "dependents_of",
    "find_calls_in_function",
    "find_containing_function",
    "find_symbol",
    "get_function_details",
    "index",
    "open_graph",
    "paths_between",
]

_PLACES = {
    "Answer": "codegps.tool",
    "CallGraph": "codegps.model.calls",
    "CallSiteView": "codegps.query.call_sites",
    "CallInfo": "codegps.model.calls",
    "CallerInfo": "codegps.model.calls",
    "CodeGPSError": "codegps.errors",
    "FindCallsOptions": "codegps.model.calls",
    "Graph": "codegps.query.graph",
    "IndexBusy": "codegps.errors",
    "IndexError_": "codegps.errors",
    "IndexLocked": "codegps.errors",
    "IndexOutdated": "codegps.errors",
    "Place": "codegps.query.find",
    "Report": "codegps.pipeline",
    "RootError": "codegps.errors",
    "SettingError": "codegps.errors",
    "ToolError": "codegps.errors",
    "UsageError": "codegps.errors",
    "analyze_file_logic": "codegps.tools.analyze_file_logic",
    "dependencies_of": "codegps.tools.dependencies_of",
    "dependents_of": "codegps.tools.dependents_of",
    "find_calls_in_function": "codegps.query.find_calls_in_function",
    "find_containing_function": "codegps.query.find_containing_function",
    "find_symbol": "codegps.tools.find_symbol",
    "get_function_details": "codegps.tools.get_function_details",
    "paths_between": "codegps.tools.paths_between",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'codegps' has no attribute {name!r}")
    value = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def index(
    root: str | os.PathLike[str] = ".",
    *,
    store: str | None = None,
    rebuild: bool = False,
    jobs: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Report:
    """Builds or refreshes the index of `root` and says what it holds.

    `store` is a folder for the index (default: beside the sources), `rebuild` starts from nothing, `jobs` is the
    number of processes, and `progress` is called with stage, done and total.
    """
    from pathlib import Path

    from codegps.serve.workspace import Workspace

    workspace = Workspace(Path(root), store)
    opened = workspace.open(rebuild=rebuild)
    try:
        return workspace.build(opened, progress, rebuild=rebuild, jobs=jobs)
    finally:
        opened.close()


def open_graph(
    root: str | os.PathLike[str] = ".",
    *,
    store: str | None = None,
    project: str | None = None,
    refresh: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
) -> Graph:
    """Opens the graph of `root` for questions; close it, or use it in a `with`.

    Changed files are refreshed first and a missing index is built, unless `refresh` is False.
    """
    from pathlib import Path

    from codegps.serve.workspace import Workspace

    workspace = Workspace(Path(root), store, project)
    opened = workspace.open()
    try:
        if refresh:
            workspace.refresh(opened, progress)
    except BaseException:
        opened.close()
        raise
    return workspace.graph(opened)
