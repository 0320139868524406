"""Tools and a workspace in; an MCP server that offers them, out.

A tool runs in a worker thread, so many clients are served at once. A text tool answers in text blocks alone, since
many clients show their model only structured content where there is some; a JSON tool's structured content equals
its first block.
"""

from __future__ import annotations

import json
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import Server

from codegps import __version__
from codegps.errors import CodeGPSError, RootError, ToolError, UsageError
from codegps.serve.live import Cancelled, Live
from codegps.serve.menu import first_sentence
from codegps.serve.refusal import payload_of, text_of
from codegps.serve.root import checked, find_root
from codegps.serve.signature import accept, parameters, schema
from codegps.tool import Answer, Tool

log = logging.getLogger(__name__)

Context = ServerRequestContext[Any, Any]
Menu = Mapping[str, Tool[...]]

THREADS = 8
"""Tools that run at the same time; more wait their turn."""
PROGRESS_SECONDS = 0.5
ROOTS_SECONDS = 5.0
"""How long a client may take to say which folders it has open."""
ROOTS_REQUEST = "roots"
"""Key of our question for the roots where a client answers within the call."""


def choose(tools: Iterable[Tool[...]], names: str | None) -> dict[str, Tool[...]]:
    """The menu: all tools, or those named (by MCP name or command, separated by commas)."""
    offered = {tool.name: tool for tool in tools}
    if names is None:
        return offered
    known = {**offered, **{tool.command: tool for tool in offered.values()}}
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if unknown := [name for name in wanted if name not in known]:
        raise UsageError(f"There is no tool {', '.join(unknown)}. The tools are {', '.join(offered)}.")
    if not wanted:
        raise UsageError(f"--tools names no tool. The tools are {', '.join(offered)}.")
    return {known[name].name: known[name] for name in wanted}


class Rate:
    """How often each client session asked each tool within the last second."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._calls: dict[tuple[str, str], deque[float]] = {}

    def check(self, session: str, tool: Tool[...]) -> None:
        if not tool.rate_limit:
            return
        now = self._clock()
        for key in [key for key, times in self._calls.items() if times[-1] <= now - 1]:
            del self._calls[key]
        calls = self._calls.setdefault((session, tool.name), deque())
        while calls and calls[0] <= now - 1:
            calls.popleft()
        if len(calls) >= tool.rate_limit:
            message = f"Over {tool.rate_limit} requests to {tool.name} within a second. Wait a second and ask again."
            raise ToolError(message, {"error": "RATE_LIMITED", "code": "RATE_LIMITED", "message": message})
        calls.append(now)


class Door:
    """One MCP server over one workspace; the workspace may become known only once a client says its root."""

    def __init__(self, menu: Menu, open_live: Callable[[Path], Live], root: Path | None, start: Path) -> None:
        self.menu = menu
        self._open_live = open_live
        self._start = start
        self._live: Live | None = None
        self._choosing = anyio.Lock()
        self._threads: anyio.CapacityLimiter | None = None
        self._rate = Rate()
        if root is not None:
            self._begin(root)
        self.server = self._make_server()

    def close(self) -> None:
        if self._live:
            self._live.close()

    def _make_server(self) -> Server[Any]:
        server: Server[Any] = Server(
            "codegps",
            version=__version__,
            title="CodeGPS",
            instructions=instructions(self.menu),
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )
        server.middleware = [self._begin_early]
        return server

    # --- the root -----------------------------------------------------------------------------------------------------

    def _begin(self, root: Path) -> Live:
        live = self._open_live(root)
        live.start()
        self._live = live
        return live

    async def _begin_early(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """Indexing begins with a client's first words, not with its first question."""
        result = await call_next(ctx)
        if self._live is None and ctx.method != "initialize":
            try:
                if not _has_roots(ctx):
                    self._begin(find_root(self._start))
                elif ctx.method == "notifications/initialized":
                    await self._live_for(ctx, None)
            except CodeGPSError as error:  # the first question will say it to the client
                log.warning("%s", error)
        return result

    async def _live_for(self, ctx: Context, params: types.CallToolRequestParams | None) -> Live | None:
        """The index to ask; None if the client must first be asked for its roots within this call."""
        async with self._choosing:
            if self._live is not None:
                return self._live
            roots: types.ListRootsResult | None = None
            if _has_roots(ctx):
                said = params.input_responses if params else None
                if ctx.session.can_send_request:
                    roots = await _ask_roots(ctx)
                elif said is None:
                    return None
                elif isinstance(answer := said.get(ROOTS_REQUEST), types.ListRootsResult):
                    roots = answer
            return self._begin(first_root(roots.roots if roots else []) or find_root(self._start))

    # --- requests -----------------------------------------------------------------------------------------------------

    async def _list_tools(self, ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    description=tool.description,
                    input_schema=schema(tool),
                    annotations=types.ToolAnnotations(read_only_hint=not _writes(tool), open_world_hint=False),
                )
                for tool in self.menu.values()
            ]
        )

    async def _call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        try:
            tool = self.menu.get(params.name)
            if tool is None:
                raise ToolError(f"There is no tool {params.name[:60]!r}. The tools are {', '.join(self.menu)}.")
            arguments = accept(tool, params.arguments or {})
            self._rate.check(session_of(ctx), tool)
            live = await self._live_for(ctx, params)
            if live is None:
                return types.InputRequiredResult(input_requests={ROOTS_REQUEST: types.ListRootsRequest()})
            return answered(await self._work(ctx, live, tool, arguments))
        except CodeGPSError as error:
            return refused(error)
        except Exception as error:  # a mistake of ours; the client gets a sentence, the log the traceback
            log.exception("%s failed", params.name[:60])
            text = f"{params.name[:60]} failed inside CodeGPS ({type(error).__name__}). The server's log says more."
            return refused(ToolError(text))

    async def _work(self, ctx: Context, live: Live, tool: Tool[...], arguments: dict[str, Any]) -> Answer:
        """Runs the tool in a worker thread, telling the client how far the index is while it waits."""
        self._threads = self._threads or anyio.CapacityLimiter(THREADS)
        gone = threading.Event()
        result: list[Answer | Exception] = []

        def run() -> None:
            # A task group would wrap what is raised here.
            try:
                with live.graph(gone) as graph:
                    result.append(tool.function(graph, **arguments))
            except Exception as error:  # raised again where the call is answered
                result.append(error)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_report, ctx, live)
            tasks.start_soon(_notice_leaving, ctx, tasks.cancel_scope)
            try:
                await anyio.to_thread.run_sync(run, limiter=self._threads, abandon_on_cancel=True)
            finally:
                gone.set()
                tasks.cancel_scope.cancel()
        outcome = result[0] if result else Cancelled()
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


async def _report(ctx: Context, live: Live) -> None:
    last = -1.0
    while True:
        await anyio.sleep(PROGRESS_SECONDS)
        share, words = live.progress()
        # The protocol wants progress to grow with each notification.
        last = share if share > last else last + 0.001
        await ctx.session.report_progress(last, 100.0, words)


async def _notice_leaving(ctx: Context, work: anyio.CancelScope) -> None:
    """Over HTTP a client goes away by closing its connection; the guard notices."""
    left = ctx.request.scope.get("codegps.left") if ctx.request is not None else None
    if isinstance(left, anyio.Event):
        await left.wait()
        work.cancel()


# --- answers ----------------------------------------------------------------------------------------------------------


def answered(answer: Answer) -> types.CallToolResult:
    blocks: list[types.ContentBlock] = [types.TextContent(type="text", text=answer.text)]
    if answer.note:
        blocks.append(types.TextContent(type="text", text=answer.note))
    if answer.data is None:
        return types.CallToolResult(content=blocks)
    return types.CallToolResult(content=blocks, structured_content=json.loads(answer.text))


def refused(error: CodeGPSError) -> types.CallToolResult:
    block = types.TextContent(type="text", text=text_of(error))
    return types.CallToolResult(content=[block], structured_content=payload_of(error), is_error=True)


def instructions(menu: Menu) -> str:
    """What an agent reads before it reads the tools."""
    lines = [
        "CodeGPS answers questions about how this project's code hangs together: who calls, references, extends or "
        "implements what. Its answers come from resolved names, imports and types, not from matching text, and they "
        "are of the files as they are at this moment, edits of a second ago included.",
        "Prefer it to grep whenever the question is about relations between functions, methods, classes or modules; "
        "use grep for plain text, comments and configuration.",
        "Paths are relative to the project's root. If a name is not found, the error lists the nearest ones: call "
        "again with one of them.",
        *(f"- {tool.name}: {first_sentence(tool.description)}" for tool in menu.values()),
    ]
    return "\n".join(lines)


def _writes(tool: Tool[...]) -> bool:
    """A tool that changes something shows a preview until it is told to `confirm`."""
    return any(member.name == "confirm" for member in parameters(tool))


# --- clients ----------------------------------------------------------------------------------------------------------


def session_of(ctx: Context) -> str:
    """Who asks, for the rate limit: the process over stdio, else the HTTP session, else the client by its name."""
    request = ctx.request
    if request is None:
        return "stdio"
    if session := request.headers.get("mcp-session-id"):
        return str(session)
    client = ctx.session.client_params
    name = f"{client.client_info.name} {client.client_info.version}" if client else ""
    return f"{request.client.host if request.client else ''} {name}"


def _has_roots(ctx: Context) -> bool:
    return ctx.session.check_client_capability(types.ClientCapabilities(roots=types.RootsCapability()))


async def _ask_roots(ctx: Context) -> types.ListRootsResult | None:
    try:
        with anyio.fail_after(ROOTS_SECONDS):
            return await ctx.session.send_request(types.ListRootsRequest(), types.ListRootsResult)
    except Exception as error:  # a client that cannot say its roots is served at our own
        log.warning("The client did not say its roots (%s).", type(error).__name__)
        return None


def first_root(roots: Iterable[types.Root]) -> Path | None:
    """The first root a client has open, if it is a folder of this machine."""
    for root in roots:
        parts = urlsplit(str(root.uri))
        if parts.scheme != "file":
            return None
        try:
            return checked(Path(url2pathname(parts.path)))
        except RootError as error:
            log.warning("%s", error)
            return None
    return None
