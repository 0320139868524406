"""A running server and a file → where the names at some places lead, and what the file's functions call."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from codegps.lsp import messages
from codegps.lsp.messages import Position, Range
from codegps.lsp.positions import LONG_LINE, Encoding, decode, inside, split_lines, to_column, to_path, to_units
from codegps.lsp.session import MALFORMED, Ask, Session

STATIC = "static"
"""The provider of an answer in which no server took part."""

Place = tuple[int, int]
"""Line and column, 1-based, in code points."""

T = TypeVar("T")
_LAST_NAME = re.compile(r"#?[\w$]+$")
_DOTTED = re.compile(r"(?:[\w$]+\.)*([\w$]+)\s*\(")
_LONGEST_NAME = 200
_PLACES = msgspec.json.Decoder(list[messages.Place] | None)
_SYMBOLS = msgspec.json.Decoder(list[messages.DocumentSymbol] | None)
_ITEMS = msgspec.json.Decoder(list[msgspec.Raw] | None)
_CALLS = msgspec.json.Decoder(list[messages.OutgoingCall] | None)


class Target(NamedTuple):
    """Where a name leads: the place of the name in its definition."""

    path: str
    """Relative to the root, with `/`; absolute where it lies outside."""
    line: int
    column: int


class Analysis(msgspec.Struct, frozen=True):
    """What a server said about a file. Places without an answer are left out."""

    provider: str = STATIC
    definitions: dict[Place, tuple[Target, ...]] = {}
    """For the places that were asked for; out of the call hierarchy where that knows them."""
    calls: dict[Place, tuple[Target, ...]] = {}
    """For each call inside a function of the file, whether asked for or not: what its call hierarchy names."""
    partial: bool = False
    """A server took part, or should have, and did not say everything: too late, or it died."""
    available: bool = True
    """False where there is no server that could be asked."""
    reason: str = ""
    """Why it is partial or not available, and what to do."""


class Document(msgspec.Struct, frozen=True):
    """A file as the server is to see it."""

    path: Path
    language: str
    """The protocol's word for it."""
    text: str
    lines: list[str]

    @property
    def uri(self) -> str:
        return self.path.as_uri()

    def has(self, place: Place) -> bool:
        """Whether it is worth asking about."""
        return 0 < place[0] <= len(self.lines) and len(self.lines[place[0] - 1]) <= LONG_LINE


def ask_definitions(
    session: Session, document: Document, places: Sequence[Place], deadline: float
) -> tuple[dict[Place, tuple[Target, ...]], bool]:
    """The definitions, and whether every place was answered."""
    if not session.capabilities.definition_provider:
        return {}, True
    unique = [place for place in dict.fromkeys(places) if document.has(place)]
    asks = [Ask("textDocument/definition", _at(session, document, place)) for place in unique]
    texts = _Texts(session, document)
    found: dict[Place, tuple[Target, ...]] = {}
    complete = True
    for place, raw in zip(unique, session.ask(asks, deadline), strict=True):
        answer = _read_places(raw)
        complete = complete and answer is not None
        if answer and (targets := texts.targets(answer[: session.limits.targets])):
            found[place] = targets
    return found, complete


def ask_references(
    session: Session, document: Document, place: Place, deadline: float
) -> tuple[tuple[Target, ...], bool]:
    """Where else the name at a place is used, and whether the server answered."""
    if not session.capabilities.references_provider or not document.has(place):
        return (), True
    params = {**_at(session, document, place), "context": {"includeDeclaration": False}}
    answer = _read_places(session.ask([Ask("textDocument/references", params)], deadline)[0])
    return _Texts(session, document).targets((answer or [])[: session.limits.places]), answer is not None


def ask_calls(session: Session, document: Document, deadline: float) -> tuple[dict[Place, tuple[Target, ...]], bool]:
    """The call hierarchy, one step out from each function of the file, by the place of the call."""
    capabilities = session.capabilities
    if not capabilities.call_hierarchy_provider or not capabilities.document_symbol_provider:
        return {}, True
    identity = {"textDocument": {"uri": document.uri}}
    symbols = _read(session.ask([Ask("textDocument/documentSymbol", identity)], deadline)[0], _SYMBOLS)
    if symbols is None:
        return {}, False
    starts = _callables(symbols, session.launch.callables)[: session.limits.places]
    prepare = [Ask("textDocument/prepareCallHierarchy", {**identity, "position": start}) for start in starts]
    prepared = [_read(raw, _ITEMS) for raw in session.ask(prepare, deadline)]
    follow = [Ask("callHierarchy/outgoingCalls", {"item": item}) for items in prepared for item in items or []]
    followed = [_read(raw, _CALLS) for raw in session.ask(follow, deadline)]
    texts = _Texts(session, document)
    calls: dict[Place, set[Target]] = {}
    for call in (call for answer in followed for call in answer or []):
        target = texts.target(call.to.uri, call.to.selection_range)
        if target is not None:
            for part in call.from_ranges:
                calls.setdefault(texts.callee(part), set()).add(target)
    limit = session.limits.targets
    found = {place: tuple(sorted(targets)[:limit]) for place, targets in sorted(calls.items())}
    return found, None not in prepared and None not in followed


def analyze(session: Session, document: Document, places: Sequence[Place], deadline: float) -> Analysis:
    """The calls first: one answer tells of a whole function, which takes a server a fortieth of the time that asking
    for each name's definition takes. Definitions where that leaves a place open, such as code outside of functions."""
    session.show(document.uri, document.language, document.text)
    calls, all_called = ask_calls(session, document, deadline)
    left = [place for place in places if place not in calls]
    definitions, all_defined = ask_definitions(session, document, left, deadline)
    definitions |= {place: calls[place] for place in places if place in calls}
    definitions = dict(sorted(definitions.items()))
    provider = session.launch.provider
    if all_defined and all_called:
        return Analysis(provider, definitions, calls)
    late = time.monotonic() >= deadline
    reason = session.failure or f"{provider} {'did not answer in time' if late else 'could not answer everything'}"
    return Analysis(provider if definitions or calls else STATIC, definitions, calls, partial=True, reason=reason)


class _Texts:
    """Turns the server's places into ours, which takes the text of the line they lie in."""

    def __init__(self, session: Session, document: Document) -> None:
        self._root = session.root
        self._encoding: Encoding = session.encoding
        self._largest = session.limits.document_bytes
        self._document = document.path
        self._lines: dict[Path, list[str]] = {document.path: document.lines}
        self._paths: dict[str, tuple[str, Path | None] | None] = {}

    def target(self, uri: str, span: Range) -> Target | None:
        if uri not in self._paths:
            self._paths[uri] = self._resolve(uri)
        resolved = self._paths[uri]
        if resolved is None:
            return None
        shown, path = resolved
        # What lies outside is not opened, so there a column counts the server's units.
        return Target(shown, *self.place(self._text(path) if path else [], span.start))

    def callee(self, span: Range) -> Place:
        """Where a call stands: at the callee's last name, else at the parenthesis. Servers differ in what they give:
        that name, the whole callee (`a.b` of `a.b()`), the whole call."""
        lines = self._lines[self._document]
        start, end = self.place(lines, span.start), self.place(lines, span.end)
        if end[0] > len(lines) or len(lines[end[0] - 1]) > LONG_LINE:
            return start
        before, after = lines[end[0] - 1][: end[1] - 1], lines[end[0] - 1][end[1] - 1 :]
        name = _LAST_NAME.search(before[-_LONGEST_NAME:])
        if name:
            return max(start, (end[0], end[1] - len(name[0])))
        if after.lstrip().startswith("("):
            return end
        whole = _DOTTED.match(lines[start[0] - 1], start[1] - 1)
        return (start[0], whole.start(1) + 1) if whole else start

    def targets(self, places: Sequence[messages.Place]) -> tuple[Target, ...]:
        found: set[Target] = set()
        for place in places:
            span = place.target_selection_range or place.range
            target = self.target(place.target_uri or place.uri, span) if span else None
            if target is not None:
                found.add(target)
        return tuple(sorted(found))

    def place(self, lines: Sequence[str], position: Position) -> Place:
        if position.line < len(lines) and len(lines[position.line]) <= LONG_LINE:
            return position.line + 1, to_column(lines[position.line], position.character, self._encoding)
        return position.line + 1, position.character + 1

    def _resolve(self, uri: str) -> tuple[str, Path | None] | None:
        path = to_path(uri)
        if path is None:
            return None
        real = inside(self._root, path)
        if real is None:
            return Path(path).as_posix(), None
        return real.relative_to(self._root).as_posix(), real

    def _text(self, path: Path) -> list[str]:
        if path not in self._lines:
            try:
                with path.open("rb") as file:
                    self._lines[path] = split_lines(decode(file.read(self._largest)))
            except OSError:
                self._lines[path] = []
        return self._lines[path]


def _at(session: Session, document: Document, place: Place) -> dict[str, object]:
    line, column = place
    units = to_units(document.lines[line - 1], column, session.encoding)
    return {"textDocument": {"uri": document.uri}, "position": {"line": line - 1, "character": units}}


def _read(raw: msgspec.Raw | None, decoder: msgspec.json.Decoder[list[T] | None]) -> list[T] | None:
    """The answer; None where there is none, and an answer of the wrong form is none."""
    if raw is None:
        return None
    try:
        return decoder.decode(raw) or []
    except MALFORMED:
        return None


def _read_places(raw: msgspec.Raw | None) -> list[messages.Place] | None:
    """One place may come without a list around it."""
    if raw is None or not bytes(raw).startswith(b"{"):
        return _read(raw, _PLACES)
    return _read(msgspec.Raw(b"[%s]" % bytes(raw)), _PLACES)


def _callables(symbols: Sequence[messages.DocumentSymbol], kinds: frozenset[int]) -> list[Position]:
    """Where the names of the functions stand, nested ones too."""
    found: list[Position] = []
    todo = list(reversed(symbols))
    while todo:
        symbol = todo.pop()
        if symbol.kind in kinds and symbol.selection_range is not None:
            found.append(symbol.selection_range.start)
        todo += reversed(symbol.children)
    return found
