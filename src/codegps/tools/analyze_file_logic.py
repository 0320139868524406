"""`graphItLive_analyzeFileLogic`: a file in; its symbols, who calls and names whom inside it, and its circles, out."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from codegps.errors import ToolError
from codegps.format.logic_json import compact, logic_object
from codegps.format.logic_notes import logic_notes
from codegps.format.toon import toon
from codegps.languages import LANGUAGES, load, load_all
from codegps.model.confirmation import Confirmation, LspMode
from codegps.model.graph import FileRow
from codegps.model.logic import FileLogic
from codegps.model.visible import visible
from codegps.query.argument import plain
from codegps.query.confirm import call_places, confirm
from codegps.query.graph import Graph
from codegps.query.outline import Library, Outline
from codegps.query.workspace import PATH_LIMIT, inside
from codegps.tool import Answer, tool

BUDGET_SECONDS: Final = 4.5
"""For the language server, so that the whole answer comes within 5 seconds."""
LATE: Final = "Symbol analysis incomplete (LSP timeout after 5 seconds). Partial results returned."
STATIC: Final = "static"

DESCRIPTION: Final = (
    "WHEN: Use this when you need to understand how functions call each other within a single file. "
    "WHY: Static analysis of import statements doesn't show internal function calls—this tool traces execution flow "
    "symbol-by-symbol, from resolved names and types, and confirms it by a language server where one is set up. "
    "WHAT: Returns symbol nodes (functions, classes, variables) and call edges (who calls whom) with cycle detection, "
    "optimized for AI consumption via TOON format (far fewer tokens than JSON)."
)

Format = Literal["toon", "json"]


@tool(
    "graphItLive_analyzeFileLogic",
    command="analyze-file-logic",
    description=DESCRIPTION,
    examples=("src/app.py", "src/app.py --include-external --format json"),
    rate_limit=10,
)
def analyze_file_logic(
    graph: Graph,
    filePath: Annotated[str, "Absolute path to file to analyze"],
    includeExternal: Annotated[bool, "Include calls to imported functions from other files (default: false)"] = False,
    format: Annotated[Format, "Output format: 'toon' (compressed, default) or 'json' (verbose)"] = "toon",
    lsp: Annotated[
        LspMode | None,
        "Language server: 'auto' lets it confirm, 'off' never asks, 'required' insists (default: the setting)",
    ] = None,
) -> Answer:
    """How the functions of one file call each other."""
    asked, mode = _checked(graph, filePath, includeExternal, format, lsp)
    with graph.store.snapshot():
        row = _row(graph, asked)
        outline = Outline(graph.store, row.path, includeExternal, _library(row.language))
        outline.read()
        said = _ask(graph, row, outline, mode)
        differ = confirm(outline, said, graph.lines) if said is not None else []
        logic = msgspec.structs.replace(outline.logic(), disagreements=differ)
    answer = _answer(logic, Path(filePath).as_posix(), said, format)
    _insist(mode, said, answer)
    return answer


def _checked(graph: Graph, path: object, external: object, format: object, lsp: object) -> tuple[str, LspMode]:
    """The arguments: the path as the caller wrote it, and whether a language server is asked."""
    asked = plain(path, "filePath", PATH_LIMIT)
    if not isinstance(external, bool):
        raise ToolError(f"`includeExternal` must be true or false, not {type(external).__name__}.")
    if format not in ("toon", "json"):
        raise ToolError(f"`format` must be 'toon' or 'json', not '{visible(str(format), 100)}'.")
    mode = graph.lsp_mode if lsp is None else lsp
    if mode not in ("auto", "off", "required"):
        raise ToolError(f"`lsp` must be 'auto', 'off' or 'required', not '{visible(str(mode), 100)}'.")
    return asked, mode


def _row(graph: Graph, asked: str) -> FileRow:
    """The indexed file that is meant; workspace, existence and extension are looked at in this order."""
    missing = _error(
        "FILE_NOT_FOUND",
        f"File not found: {visible(asked)}. Give the absolute path of a readable file inside {graph.root.as_posix()}.",
    )
    if not Path(asked).is_absolute():
        raise missing
    try:
        path = inside(graph.root, asked, "filePath")
    except ToolError:
        raise missing from None
    whole = graph.root / path
    if not whole.is_file() or not os.access(whole, os.R_OK):
        raise missing
    row = graph.store.file(path) or graph.store.file(_real(graph.root, whole))
    if row is not None:
        return row
    known = sorted({extension for language in load_all().values() for extension in language.extensions})
    if whole.suffix.lower() not in known:
        raise _error(
            "UNSUPPORTED_FILE_TYPE",
            f"Unsupported file type: {visible(whole.suffix or whole.name)}. Supported: {', '.join(known)}.",
        )
    raise _error("ANALYSIS_FAILED", _why_not_indexed(graph, path))


def _real(root: Path, whole: Path) -> str:
    """The path of what a link inside the workspace leads to."""
    return os.path.relpath(os.path.realpath(whole), os.path.realpath(root)).replace(os.sep, "/")


def _why_not_indexed(graph: Graph, path: str) -> str:
    for skip in graph.store.skips():
        if path == skip.file or (skip.file.endswith("/") and path.startswith(skip.file)):
            return f"{visible(path)} is not indexed: {skip.reason}."
    return (
        f"{visible(path)} is not indexed: it is ignored, or too new. `codegps status` lists what was skipped and why."
    )


def _error(code: str, message: str) -> ToolError:
    return ToolError(message, {"error": code, "code": code, "message": message})


def _library(language: str) -> Library:
    if language not in LANGUAGES:
        return Library()
    semantics = load(language).semantics
    return Library(semantics.builtins, semantics.globals)


# ---- the language server


def _ask(graph: Graph, row: FileRow, outline: Outline, mode: LspMode) -> Confirmation | None:
    """What the server says; None where none is asked."""
    if mode == "off":
        return None
    if graph.confirmer is None:
        if mode == "required":
            raise _error("LSP_UNAVAILABLE", f"No language server is set up for {row.language}.")
        return None
    started = time.monotonic()
    stamps = {each.path: each.mtime_ns for each in graph.store.files()}
    said = graph.confirmer.analyze_symbols(
        graph.root, row.path, row.language, call_places(outline), BUDGET_SECONDS, stamps=stamps
    )
    if mode == "required" and not said.available:
        raise _error("LSP_UNAVAILABLE", said.reason or f"No language server is set up for {row.language}.")
    died = said.partial and time.monotonic() - started < BUDGET_SECONDS
    if mode == "required" and died and not said.definitions and not said.calls:
        raise _error("LSP_UNAVAILABLE", said.reason)
    return said


def _insist(mode: LspMode, said: Confirmation | None, answer: Answer) -> None:
    """`required` takes no half answer; what there is goes with the error."""
    if mode == "required" and said is not None and said.partial:
        error = _error("LSP_TIMEOUT", LATE)
        partial: Any = answer.text if answer.data is None else answer.data
        raise ToolError(str(error), {**(error.payload or {}), "partial": partial})


# ---- the answer


def _answer(logic: FileLogic, path: str, said: Confirmation | None, format: Format) -> Answer:
    partial = said is not None and said.partial
    reason = said.reason if said is not None and partial else None

    def notes(logic: FileLogic, listed: Mapping[str, tuple[int, int]]) -> str:
        return "\n".join(logic_notes(logic, listed, reason))

    if format == "toon":
        written = toon(logic)
        return Answer(written.text, notes(logic, written.listed))
    provider = said.provider if said is not None else STATIC
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    made = logic_object(logic, path, provider, now, partial)
    return Answer(compact(made.data), notes(logic, made.listed), made.data)
