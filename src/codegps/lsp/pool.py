"""Settings → the language servers that run for us: one for each language and workspace, reused, replaced, ended."""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import msgspec

from codegps.lsp.analysis import (
    Analysis,
    Document,
    Place,
    Target,
    analyze,
    ask_references,
)
from codegps.lsp.child import Guard
from codegps.lsp.positions import decode, inside, split_lines
from codegps.lsp.servers import NoServer, document_language, launch
from codegps.lsp.session import Session
from codegps.lsp.settings import Settings

T = TypeVar("T")
_Key = tuple[str, Path]


class References(msgspec.Struct, frozen=True):
    """Where else a name is used, as a server sees it; `partial`, `available` and `reason` as in `Analysis`."""

    places: tuple[Target, ...] = ()
    partial: bool = False
    available: bool = True
    reason: str = ""


class _Late(Exception):
    """A server is there and did not answer in time."""


class Servers:
    """Owns the server processes. Close it, or use it as a context; else the end of the program closes it."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._owner = os.getpid()
        self._guard = Guard()
        self._lock = threading.Lock()
        self._sessions: OrderedDict[_Key, Session] = OrderedDict()
        self._crashes: dict[_Key, deque[tuple[float, str]]] = {}
        self._closed = False
        atexit.register(self.close)

    @property
    def closed(self) -> bool:
        """Whether it answers no more; in a forked child the parent's pool counts as closed."""
        return self._closed or os.getpid() != self._owner

    def __enter__(self) -> Servers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def analyze_symbols(
        self,
        root: Path,
        path: str,
        language: str,
        places: Sequence[Place],
        budget_seconds: float | None = None,
        *,
        text: str | None = None,
        stamps: Mapping[str, int] | None = None,
    ) -> Analysis:
        """Asks the language's server about a file, within the budget and never over five seconds.

        `places` are names in the file (line and column, 1-based); `text` is the file's content where it was read
        already; `stamps` tells each file of the project with its time of change, so that the server hears of changes.
        Never raises for what a server does: the answer says what is missing.
        """

        def question(session: Session, document: Document, deadline: float) -> Analysis:
            return analyze(session, document, places[: session.limits.places], deadline)

        try:
            return self._ask(root, path, language, budget_seconds, text, stamps, question)
        except NoServer as reason:
            return Analysis(available=False, reason=str(reason))
        except _Late as reason:
            return Analysis(partial=True, reason=str(reason))

    def references(
        self, root: Path, path: str, language: str, place: Place, budget_seconds: float | None = None
    ) -> References:
        """Where else the name at a place is used, its definition left out."""

        def question(session: Session, document: Document, deadline: float) -> References:
            session.show(document.uri, document.language, document.text)
            places, complete = ask_references(session, document, place, deadline)
            return References(places, not complete, reason="" if complete else session.failure or "no answer in time")

        try:
            return self._ask(root, path, language, budget_seconds, None, None, question)
        except NoServer as reason:
            return References(available=False, reason=str(reason))
        except _Late as reason:
            return References(partial=True, reason=str(reason))

    def close(self) -> None:
        """Ends every server: asks it to, waits a second at most, then kills what is left."""
        with self._lock:
            if self.closed:
                return
            self._closed = True
            sessions = list(self._sessions.values())
            self._sessions.clear()
        atexit.unregister(self.close)
        for session in sessions:
            session.say_goodbye()
        deadline = time.monotonic() + self.settings.limits.grace_seconds
        for session in sessions:
            session.stop(deadline)
        self._guard.close()

    def _ask(
        self,
        root: Path,
        path: str,
        language: str,
        budget_seconds: float | None,
        text: str | None,
        stamps: Mapping[str, int] | None,
        question: Callable[[Session, Document, float], T],
    ) -> T:
        """Raises NoServer where nobody can be asked, _Late where nobody answered in time."""
        limits = self.settings.limits
        budget = limits.answer_seconds if budget_seconds is None else min(budget_seconds, limits.answer_seconds)
        deadline = time.monotonic() + budget
        root = Path(os.path.realpath(root))
        document = self._document(root, path, language, text)
        session = self._session(language, root)
        if not session.turn.acquire(timeout=max(deadline - time.monotonic(), 0)):
            raise _Late(f"{session.launch.provider} was busy with another question")
        try:
            if not session.wait_ready(deadline):
                if session.failure:
                    raise NoServer(session.failure)
                raise _Late(f"{session.launch.provider} is still starting; ask again")
            if stamps is not None:
                session.note_files(stamps)
            return question(session, document, deadline)
        finally:
            session.turn.release()

    def _document(self, root: Path, path: str, language: str, text: str | None) -> Document:
        real = inside(root, root / path)
        if real is None:
            raise NoServer(f"{path} lies outside the workspace")
        if text is None:
            try:
                text = decode(real.read_bytes())
            except OSError as error:
                raise NoServer(f"{path} cannot be read: {error.strerror}") from error
        if len(text) > self.settings.limits.document_bytes:
            raise NoServer(f"{path} is too large for a language server")
        return Document(real, document_language(path, language), text, split_lines(text))

    def _session(self, language: str, root: Path) -> Session:
        if self.settings.mode == "off":
            raise NoServer("language servers are switched off (lsp = off)")
        plan = launch(language, root, self.settings)
        key = (plan.provider, root)
        with self._lock:
            if self.closed:
                raise NoServer("the language servers were closed")
            session = self._sessions.get(key)
            if session is not None and not session.failure:
                self._sessions.move_to_end(key)
                return session
            if session is not None:
                self._note_crash(key, session.failure)
                del self._sessions[key]
            self._refuse_after_crashes(key)
            try:
                session = Session(plan, root, self._guard, self.settings.limits)
            except OSError as error:
                reason = f"{plan.command[0]} cannot be started: {error.strerror}"
                self._note_crash(key, reason)
                raise NoServer(reason) from error
            self._sessions[key] = session
            oldest = None
            if len(self._sessions) > self.settings.limits.servers:
                _, oldest = self._sessions.popitem(last=False)
        if oldest is not None:
            oldest.fail("made room for another server")
        return session

    def _note_crash(self, key: _Key, reason: str) -> None:
        self._crashes.setdefault(key, deque()).append((time.monotonic(), reason))

    def _refuse_after_crashes(self, key: _Key) -> None:
        limits = self.settings.limits
        crashes = self._crashes.get(key, deque())
        while crashes and time.monotonic() - crashes[0][0] > limits.restart_window_seconds:
            crashes.popleft()
        if len(crashes) > limits.restarts:
            raise NoServer(f"{key[0]} failed {len(crashes)} times and stays off for a while; last: {crashes[-1][1]}")
