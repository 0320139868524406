"""Symbols with their callers and calls in; a list that is pleasant to read, or its JSON, out."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from codegps.format.function_details import call_line, call_object, caller_line, caller_object
from codegps.model.calls import CallerInfo, CallInfo
from codegps.model.visible import visible

LISTED: Final = 10
"""Callers and calls shown for one symbol; the heading counts them all."""
IN_JSON: Final = 100


class Match(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    kind: str
    file: str
    line: int
    end_line: int
    called_by: list[CallerInfo] = []
    callers: int = 0
    """How many there are, listed or not."""
    calls: list[CallInfo] | None = None
    """None for what has no body: a variable."""


def matches_text(matches: list[Match], nothing: str, near: list[str]) -> str:
    if not matches:
        return "\n".join([nothing, *(["", "Nearest names:", *(f"  - {name}" for name in near)] if near else [])])
    return "\n\n".join("\n".join(_lines(match)) for match in matches)


def matches_json(pattern: str, matches: list[Match], total: int, near: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {"pattern": pattern, "total": total, "symbols": [_object(match) for match in matches]}
    if near:
        found["nearest"] = near
    return found


def _lines(match: Match) -> list[str]:
    lines = [f"{match.name} ({match.kind}) {visible(match.file)}:{match.line}"]
    if match.calls is None:
        return lines
    lines.append(f"  Called by ({match.callers}):")
    lines += [f"  {caller_line(caller)}" for caller in match.called_by[:LISTED]]
    lines += _more(match.callers)
    # A call that stands there twice is said once.
    calls = list(dict.fromkeys(call_line(call) for call in match.calls))
    lines.append(f"  Calls ({len(calls)}):")
    lines += [f"  {call}" for call in calls[:LISTED]]
    return lines + _more(len(calls))


def _more(count: int) -> list[str]:
    return [f"    ... and {count - LISTED:,} more"] if count > LISTED else []


def _object(match: Match) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": match.id,
        "name": match.name,
        "kind": match.kind,
        "file": match.file,
        "line": match.line,
        "endLine": match.end_line,
    }
    if match.calls is not None:
        found["calledBy"] = [caller_object(caller) for caller in match.called_by[:IN_JSON]]
        found["calls"] = [call_object(call) for call in match.calls[:IN_JSON]]
        found["totals"] = {"calledBy": match.callers, "calls": len(match.calls)}
    return found
