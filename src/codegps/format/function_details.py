"""What `get_function_details` knows in, its text and JSON out, never longer than an agent can read."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec

from codegps.model.calls import METHOD_CALL, CallerInfo, CallInfo, FunctionDetails
from codegps.model.visible import visible

MAX_CHARACTERS: Final = 76_000
MAX_TARGETS: Final = 10
"""Targets listed for one call; `targetsTotal` says how many there are."""
_CALLERS_SHARE: Final = 20_000


class Details(msgspec.Struct, frozen=True):
    text: str
    calls: int
    """How many calls are listed."""
    callers: int


def function_details(details: FunctionDetails) -> Details:
    """The summary, a blank line, the JSON. The nearest calls and the first callers stay where not all have room."""
    callers: list[CallerInfo] = []
    room = MAX_CHARACTERS - 1_000
    share = _CALLERS_SHARE
    for caller in details.called_by:
        cost = len(caller_line(caller)) + len(_json(caller_object(caller), 3))
        if cost > share:
            break
        share -= cost
        room -= cost
        callers.append(caller)
    calls: list[CallInfo] = []
    for call in details.calls:
        cost = len(call_line(call)) + len(_json(call_object(call), 3))
        if cost > room:
            break
        room -= cost
        calls.append(call)
    text = f"{_summary(details, calls, callers)}\n\n{_json(_object(details, calls, callers), 0)}"
    return Details(text, len(calls), len(callers))


def _json(value: Any, depth: int) -> str:
    """As `JSON.stringify(value, null, 2)` prints it `depth` levels deep."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return text if depth == 0 else text.replace("\n", "\n" + "  " * depth)


def _object(details: FunctionDetails, calls: list[CallInfo], callers: list[CallerInfo]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": details.id,
        "name": details.name,
        "file": details.file,
        "line": details.line,
        "async": details.is_async,
        "calls": [call_object(call) for call in calls],
        "calledBy": [caller_object(caller) for caller in callers],
    }
    totals: dict[str, Any] = {}
    if len(calls) < len(details.calls) or details.more_calls:
        totals["calls"] = len(details.calls)
        if details.more_calls:
            totals["moreCalls"] = True
    if len(callers) < details.callers:
        totals["calledBy"] = details.callers
    if totals:
        found["totals"] = totals
    return found


def call_object(call: CallInfo) -> dict[str, Any]:
    """A call as JSON: absent fields are left out, `targets` is there for several."""
    found: dict[str, Any] = msgspec.to_builtins(call)
    if len(call.targets) < 2:
        found.pop("targets", None)
    elif len(call.targets) > MAX_TARGETS:
        found["targets"] = found["targets"][:MAX_TARGETS]
        found["targetsTotal"] = len(call.targets)
    return found


def caller_object(caller: CallerInfo) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(caller)
    return found


def _summary(details: FunctionDetails, calls: list[CallInfo], callers: list[CallerInfo]) -> str:
    more = "+" if details.more_calls else ""
    lines = [
        f"Function: {visible(details.name)}",
        f"File: {visible(details.file)}:{details.line}",
        f"Async: {'true' if details.is_async else 'false'}",
        f"Transitive: {'true' if details.transitive else 'false'}",
        "",
        f"Calls ({len(details.calls)}{more}):",
        *(call_line(call) for call in calls if call.depth == 0),
    ]
    indirect = [call for call in calls if call.depth > 0]
    if indirect:
        lines += ["", "  Transitive calls:", *(call_line(call) for call in indirect)]
    lines += ["", f"Called by ({details.callers}):", *(caller_line(caller) for caller in callers)]
    return "\n".join(lines)


def call_line(call: CallInfo) -> str:
    """`  - response.json() (unresolved)`; a transitive call is indented by its depth."""
    name = visible(call.name) or "<anonymous>"
    shown = f"{visible(' '.join((call.object or '').split()))}.{name}()" if call.type == METHOD_CALL else f"{name}()"
    target = call.target
    if call.depth > 0:
        reached = f" -> {visible(target.name)}" if target else ""
        return f"{'  ' * (call.depth + 1)}[depth={call.depth}] {shown}{reached}{_others(call)}"
    if target is None:
        return f"  - {shown} (unresolved)"
    return f"  - {shown} -> {visible(target.name)} ({_place(target.file, target.line)}){_others(call)}"


def _others(call: CallInfo) -> str:
    return f" and {len(call.targets) - 1} more" if len(call.targets) > 1 else ""


def caller_line(caller: CallerInfo) -> str:
    return f"  - {visible(caller.name)} ({_place(caller.file, caller.line)})"


def _place(file: str | None, line: int | None) -> str:
    return f"{visible(file or 'unknown')}:{'?' if line is None else line}"
