"""A launch and a root → a running language server that can be asked, whatever it does.

Three threads a server: one reads its answers, one writes to it, one keeps the end of what it complains about. Whoever
asks waits for answers no longer than until the deadline; what comes later is dropped.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec

from codegps.lsp import messages
from codegps.lsp.child import Child, Guard
from codegps.lsp.framing import Frames, Garbage, frame
from codegps.lsp.positions import ENCODINGS, Encoding
from codegps.lsp.servers import Launch
from codegps.lsp.settings import Limits

_INITIALIZE = 0
_CONTENT_MODIFIED = -32801
_SERVER_CANCELLED = -32802
_METHOD_NOT_FOUND = -32601
MALFORMED = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)
_COMPLAINT_BYTES = 2000
_END_SECONDS = 2.0

_decode = msgspec.json.Decoder(messages.Incoming).decode
_encode = msgspec.json.Encoder().encode


def _gist(complaint: bytes) -> str:
    """The line that says most: the first that speaks of an error, else the last."""
    lines = [line.strip() for line in complaint.decode("utf-8", "replace").splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower()] + lines[-1:]
    return f" ({telling[0][:200]})" if telling else ""


class Ask(NamedTuple):
    """A request: its method and parameters."""

    method: str
    params: object


class Session:
    """One server process. Raises OSError where it cannot be started; later failures end in `failure`."""

    def __init__(self, launch: Launch, root: Path, guard: Guard, limits: Limits) -> None:
        self.launch = launch
        self.root = root
        self.limits = limits
        self.turn = threading.Lock()
        """Held by whoever asks: one file at a time."""
        self.failure = ""
        """Why the server is not there any more."""
        self.encoding: Encoding = "utf-16"
        self.capabilities = messages.Capabilities()
        self._changed = threading.Condition()
        self._answers: dict[int, messages.Incoming | None] = {}
        """Requests whose answer is awaited or was not fetched yet."""
        self._answer_bytes = 0
        self._silent_since = 0.0
        """When the first question was put that no answer of any kind has followed; 0 where one has."""
        self._silent = 0
        self._next_id = _INITIALIZE + 1
        self._greeted = False
        self._ready = False
        self._stopping = False
        self._outgoing: deque[bytes] = deque()
        self._outgoing_bytes = 0
        self._complaint = b""
        self._documents: OrderedDict[str, tuple[int, bytes]] = OrderedDict()
        self._stamps: dict[str, int] | None = None
        self._window = (0.0, 0, 0)
        self._started = time.monotonic()
        self._writer = threading.Thread(target=self._write, daemon=True, name="language-server-writer")
        self._listener = threading.Thread(target=self._listen, daemon=True, name="language-server-complaints")
        self._reader = threading.Thread(target=self._read, daemon=True, name="language-server-reader")
        # Its folder is the program's: nothing is found in the workspace for being the current folder.
        folder = str(Path(launch.command[0]).parent)
        self._child = Child(launch.command, launch.environment, folder, guard)
        for thread in (self._writer, self._listener, self._reader):
            thread.start()
        self._child.watch(self._note_end)
        self._send({"id": _INITIALIZE, "method": "initialize", "params": self._introduction()})

    # Asking

    def wait_ready(self, deadline: float) -> bool:
        """Whether the server has finished its greeting, by the deadline."""
        with self._changed:
            while not self._ready and not self.failure and (left := deadline - time.monotonic()) > 0:
                self._changed.wait(left)
            ready = self._ready
        late = time.monotonic() - self._started > self.limits.startup_seconds
        if late and not self._greeted and not self.failure:
            self.fail(f"did not start within {self.limits.startup_seconds:g} seconds")
        return ready

    def ask(self, asks: Sequence[Ask], deadline: float) -> list[msgspec.Raw | None]:
        """The result of each request; None where the deadline, an error or the server's end came before it."""
        results: list[msgspec.Raw | None] = [None] * len(asks)
        asked = time.monotonic()
        self._answer_bytes = 0
        todo = deque((index, True) for index in range(len(asks)))
        flying: dict[int, tuple[int, bool]] = {}
        while (todo or flying) and not self.failure and time.monotonic() < deadline:
            while todo and len(flying) < self.limits.in_flight:
                index, may_retry = todo.popleft()
                flying[self._request(asks[index])] = (index, may_retry)
            for number, answer in self._landed(flying, deadline):
                index, may_retry = flying.pop(number)
                if answer.error is None:
                    results[index] = answer.result
                elif may_retry and answer.error.code in (_CONTENT_MODIFIED, _SERVER_CANCELLED):
                    todo.append((index, False))
        self._give_up(flying)
        if flying:
            self._note_silence(asked)
        return results

    def _request(self, ask: Ask) -> int:
        with self._changed:
            number = self._next_id
            self._next_id += 1
            self._answers[number] = None
        self._send({"id": number, "method": ask.method, "params": ask.params})
        return number

    def _landed(self, flying: Mapping[int, object], deadline: float) -> list[tuple[int, messages.Incoming]]:
        """Answers that have come, at least one unless the deadline or the server's end came first."""
        with self._changed:
            while True:
                landed = [(number, answer) for number in flying if (answer := self._answers[number]) is not None]
                left = deadline - time.monotonic()
                if landed or self.failure or left <= 0:
                    break
                self._changed.wait(left)
            for number, _ in landed:
                del self._answers[number]
        return landed

    def _give_up(self, flying: Mapping[int, object]) -> None:
        with self._changed:
            for number in flying:
                self._answers.pop(number, None)
        for number in flying:
            self.notify("$/cancelRequest", {"id": number})

    def _note_silence(self, asked: float) -> None:
        """A server that answers nothing, question after question, hangs; one that answers late is only slow."""
        self._silent_since = self._silent_since or asked
        self._silent += 1
        silence = time.monotonic() - self._silent_since
        if self._silent >= self.limits.silent_questions and silence >= self.limits.silent_seconds:
            self.fail(f"left {self._silent} questions in a row without any answer")

    def notify(self, method: str, params: object) -> None:
        self._send({"method": method, "params": params})

    # Documents

    def show(self, uri: str, document_language: str, text: str) -> None:
        """Makes the server see this text as the file's content."""
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        version, known = self._documents.pop(uri, (0, b""))
        self._documents[uri] = (version + (known != digest), digest)
        if not version:
            document = {"uri": uri, "languageId": document_language, "version": 1, "text": text}
            self.notify("textDocument/didOpen", {"textDocument": document})
        elif known != digest:
            identity = {"uri": uri, "version": version + 1}
            self.notify("textDocument/didChange", {"textDocument": identity, "contentChanges": [{"text": text}]})
        while len(self._documents) > self.limits.open_documents:
            self._close_oldest()

    def _close_oldest(self) -> None:
        oldest, _ = self._documents.popitem(last=False)
        self.notify("textDocument/didClose", {"textDocument": {"uri": oldest}})

    def note_files(self, stamps: Mapping[str, int]) -> None:
        """Tells which files changed since the last time; `stamps` holds each file's path and time of change."""
        old, self._stamps = self._stamps, dict(stamps)
        if old is None:
            return
        changes = [(path, 3) for path in old.keys() - stamps.keys()]
        changes += [(path, 2 if path in old else 1) for path, stamp in stamps.items() if old.get(path) != stamp]
        if changes:
            told = [{"uri": (self.root / path).as_uri(), "type": kind} for path, kind in sorted(changes)]
            self.notify("workspace/didChangeWatchedFiles", {"changes": told})
        while changes and self.launch.reopens and self._documents:
            self._close_oldest()

    # Ending

    def fail(self, reason: str) -> None:
        """The end: notes why, wakes who waits, kills the process. Any thread may call this."""
        with self._changed:
            if not self.failure:
                self.failure = f"{self.launch.provider}: {reason}{_gist(self._complaint)}"
            self._changed.notify_all()
        self._child.kill()

    def say_goodbye(self) -> None:
        """Asks the server to shut down, without waiting."""
        with self._changed:
            self._stopping = True
        if not self.failure:
            self._send({"id": self._next_id, "method": "shutdown", "params": None})
            self.notify("exit", None)

    def stop(self, deadline: float) -> None:
        """Waits for the server to end by itself until the deadline, then ends it. Nothing is left of it after that."""
        if not self._stopping:
            self.say_goodbye()
        if not self.failure:
            self._reader.join(max(deadline - time.monotonic(), 0))
        self.fail("was stopped")
        self._reader.join(_END_SECONDS)
        self._child.join()

    # What the threads do

    def _read(self) -> None:
        frames = Frames(
            lambda size: self._child.stdout.read(size) or b"", self.limits.message_bytes, self.limits.header_bytes
        )
        reason = "ended"
        try:
            while (body := frames.next()) is not None and not self.failure:
                self._receive(_decode(body), len(body))
        except Garbage as garbage:
            reason = str(garbage)
        except MALFORMED as error:
            reason = f"sent a message that is not the protocol: {error}"
        except (OSError, ValueError, MemoryError) as error:
            reason = f"could not be read: {error}"
        finally:
            if reason == "ended":
                # What it said last explains its end better than we could.
                self._listener.join(0.2)
            self.fail(reason)
            self._writer.join(1.0)
            self._listener.join(1.0)
            if not self._writer.is_alive() and not self._listener.is_alive():
                self._child.close_pipes()

    def _note_end(self) -> None:
        """The reader finds out by itself, and knows more, unless somebody else holds the pipe."""
        self._reader.join(0.5)
        self.fail("ended")

    def _write(self) -> None:
        while True:
            with self._changed:
                while not self._outgoing and not self.failure:
                    self._changed.wait()
                if self.failure:
                    return
                data = memoryview(self._outgoing.popleft())
                self._outgoing_bytes -= len(data)
            try:
                while data:
                    data = data[self._child.stdin.write(data) or 0 :]
            except (OSError, ValueError):
                # Why it stopped reading is what the reader will find at the end of its output.
                return

    def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := self._child.stderr.read(1 << 14):
                self._complaint = (self._complaint + chunk)[-_COMPLAINT_BYTES:]

    def _send(self, message: Mapping[str, object]) -> None:
        data = frame(_encode({"jsonrpc": "2.0", **message}))
        with self._changed:
            if self.failure:
                return
            self._outgoing.append(data)
            self._outgoing_bytes += len(data)
            full = self._outgoing_bytes > self.limits.outgoing_bytes
            self._changed.notify_all()
        if full:
            self.fail("does not read what it is told")

    # What a server says

    def _receive(self, message: messages.Incoming, size: int) -> None:
        if message.method is None and isinstance(message.id, int):
            if message.id == _INITIALIZE and not self._greeted:
                self._greet(message)
                return
            with self._changed:
                self._silent, self._silent_since = 0, 0.0
                awaited = message.id in self._answers and self._answers[message.id] is None
                if awaited:
                    self._answers[message.id] = message
                    self._answer_bytes += size
                    self._changed.notify_all()
            if awaited and self._answer_bytes > self.limits.flood_bytes:
                raise Garbage(f"answered one question with more than {self.limits.flood_bytes} bytes")
            if awaited:
                return
        self._count_unasked(size)
        if message.method is not None and message.id is not None:
            self._reply(message)
        elif (
            self.launch.waits_for_quiet
            and message.method == "experimental/serverStatus"
            and msgspec.json.decode(message.params, type=messages.ServerStatus).quiescent
        ):
            self._set_ready()

    def _count_unasked(self, size: int) -> None:
        since, count, total = self._window
        now = time.monotonic()
        if now - since > self.limits.flood_window_seconds:
            since, count, total = now, 0, 0
        self._window = (since, count + 1, total + size)
        if count + 1 > self.limits.flood_messages or total + size > self.limits.flood_bytes:
            raise Garbage("flooded us with messages that nobody asked for")

    def _greet(self, message: messages.Incoming) -> None:
        if message.error is not None:
            raise Garbage(f"refused to start: {message.error.message[:200]}")
        self.capabilities = msgspec.json.decode(message.result, type=messages.InitializeResult).capabilities
        encoding = self.capabilities.position_encoding
        if encoding not in ENCODINGS:
            raise Garbage(f"counts columns in {encoding[:40]!r}")
        self.encoding = encoding
        self._greeted = True
        self.notify("initialized", {})
        self.notify("workspace/didChangeConfiguration", {"settings": self.launch.configuration})
        if not self.launch.waits_for_quiet:
            self._set_ready()

    def _set_ready(self) -> None:
        with self._changed:
            self._ready = True
            self._changed.notify_all()

    def _reply(self, message: messages.Incoming) -> None:
        """Servers ask for settings, and for permissions that we give without acting on them."""
        result: object = None
        if message.method == "workspace/configuration":
            items = msgspec.json.decode(message.params, type=messages.ConfigurationParams).items
            result = [self.launch.configuration.get(item.section or "") for item in items]
        elif message.method == "workspace/workspaceFolders":
            result = [self._folder()]
        elif message.method == "workspace/applyEdit":
            result = {"applied": False}
        elif message.method not in ("client/registerCapability", "client/unregisterCapability"):
            error = {"code": _METHOD_NOT_FOUND, "message": "not supported"}
            self._send({"id": message.id, "error": error})
            return
        self._send({"id": message.id, "result": result})

    def _introduction(self) -> dict[str, object]:
        return {
            "processId": os.getpid(),
            "clientInfo": {"name": "codegps"},
            "rootUri": self.root.as_uri(),
            "workspaceFolders": [self._folder()],
            "capabilities": messages.client_capabilities(),
            "initializationOptions": self.launch.options,
        }

    def _folder(self) -> dict[str, str]:
        return {"uri": self.root.as_uri(), "name": self.root.name.encode("utf-8", "replace").decode("utf-8")}
