"""A function's calls in; what one should know before one trusts the list, out: a few short sentences."""

from __future__ import annotations

from collections import Counter
from typing import Final

from codegps.model.calls import CallInfo, FunctionDetails
from codegps.model.visible import visible

_PLACES: Final = 3
_PACKAGES: Final = 5


def call_notes(details: FunctionDetails, calls: int, callers: int) -> list[str]:
    """`calls` and `callers` are how many the answer lists."""
    listed = details.calls[:calls]
    return [*_cut(details, calls, callers), *_proofs(listed), *_unresolved(listed)]


def plural(count: int, word: str) -> str:
    return word if count == 1 else word + "s"


def _cut(details: FunctionDetails, calls: int, callers: int) -> list[str]:
    notes: list[str] = []
    if calls < len(details.calls) or details.more_calls:
        total = f"{'more than ' if details.more_calls else ''}{len(details.calls):,}"
        deepest = max((call.depth for call in details.calls[:calls]), default=0)
        notes.append(f"The nearest {calls:,} of {total} calls are listed (depth 0 to {deepest}).")
    if callers < details.callers:
        notes.append(f"The first {callers:,} of {details.callers:,} callers are listed.")
    return notes


def _proofs(calls: list[CallInfo]) -> list[str]:
    """Which targets are less than certain."""
    targets = [call.target for call in calls if call.target is not None]
    proofs = Counter(target.proof for target in targets)
    notes: list[str] = []
    if proofs["dispatch"]:
        notes.append(f"{_calls(proofs['dispatch'])} by dispatch: any of a known set of targets.")
    if proofs["inferred"]:
        hops = max(target.hops or 0 for target in targets if target.proof == "inferred")
        many = f"{_calls(proofs['inferred'])} inferred: the function travelled as a value"
        notes.append(f"{many}, up to {hops} {plural(hops, 'hop')}.")
    return notes


def _unresolved(calls: list[CallInfo]) -> list[str]:
    left = [call for call in calls if not call.resolved]
    if not left:
        return []
    outside = Counter(call.external.partition(".")[0] for call in left if call.external)
    unknown = [call for call in left if not call.external]
    parts: list[str] = []
    if outside:
        packages = [visible(name) for name, _ in sorted(outside.items(), key=lambda item: (-item[1], item[0]))]
        more = ", ..." if len(packages) > _PACKAGES else ""
        count = outside.total()
        parts.append(
            f"{count:,} {'leaves' if count == 1 else 'leave'} the project ({', '.join(packages[:_PACKAGES])}{more})"
        )
    if unknown:
        places = [
            f"{visible(call.name) or '<anonymous>'} at {visible(call.file or '')}:{call.line}" for call in unknown
        ]
        more = ", ..." if len(unknown) > _PLACES else ""
        parts.append(f"{len(unknown):,} could not be resolved ({', '.join(places[:_PLACES])}{more})")
    return [f"Of {len(left):,} unresolved {plural(len(left), 'call')} {' and '.join(parts)}."]


def _calls(count: int) -> str:
    return f"{count:,} {plural(count, 'call')} {'is' if count == 1 else 'are'}"
