"""A file's logic in; what one should know before one trusts the answer, out: a few short sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codegps.format.call_notes import plural
from codegps.model.logic import FileLogic
from codegps.model.visible import visible

_PLACES: Final = 3


def logic_notes(logic: FileLogic, listed: Mapping[str, tuple[int, int]], reason: str | None) -> list[str]:
    """`listed` says what was cut, `reason` why the language server did not say everything (None: it did)."""
    notes: list[str] = []
    if reason is not None:
        notes.append(f"isPartial: the language server did not say everything ({visible(reason)}).")
    notes += [
        f"{name}: the first {shown:,} of {total:,} are listed." for name, (shown, total) in sorted(listed.items())
    ]
    if logic.more_cycles:
        notes.append(f"cycles: the first {len(logic.cycles)} are listed, there are more.")
    return [*notes, *_uncertain(logic), *_unresolved(logic), *_disagreements(logic)]


def _uncertain(logic: FileLogic) -> list[str]:
    edges = [edge for edge in logic.edges if edge.proof in ("dispatch", "inferred")]
    if not edges:
        return []
    hops = max(edge.hops for edge in edges)
    far = f" (up to {hops} {plural(hops, 'hop')})" if hops else ""
    return [
        f"{len(edges):,} {plural(len(edges), 'edge')} {'is' if len(edges) == 1 else 'are'} dispatch or inferred{far}."
    ]


def _unresolved(logic: FileLogic) -> list[str]:
    notes: list[str] = []
    count = len(logic.unresolved)
    if count:
        names = [f"{visible(name) or '<anonymous>'} at line {line}" for name, line in logic.unresolved[:_PLACES]]
        more = ", ..." if count > _PLACES else ""
        notes.append(f"{count:,} {plural(count, 'call')} could not be resolved: {', '.join(names)}{more}.")
    if logic.left_out:
        notes.append(f"{logic.left_out:,} {plural(logic.left_out, 'call')} of the language's own library left out.")
    return notes


def _disagreements(logic: FileLogic) -> list[str]:
    notes = [
        f"Line {each.line}: the engine says {', '.join(map(visible, each.engine))}, "
        f"the language server {', '.join(map(visible, each.lsp))}."
        for each in logic.disagreements[:_PLACES]
    ]
    if len(logic.disagreements) > _PLACES:
        notes.append(f"They disagree at {len(logic.disagreements):,} places; format json lists them all.")
    return notes
