"""The MCP server in this process, asked by the SDK's own client, in both eras of the protocol."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client

from codegps.errors import ToolError, UsageError
from codegps.serve.mcp import Door, Rate, choose, first_root, instructions
from tests.serve.doors import TOOLS, ByHand, Slow, count, echo, make_door

Body = Callable[[Client], Awaitable[None]]


@pytest.fixture(params=["legacy", "auto"])
def mode(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def workspace(tmp_path: Path) -> Generator[ByHand]:
    made = ByHand(tmp_path)
    yield made
    made.may_build.set()


@asynccontextmanager
async def client_of(door: Door, mode: str, **options: Any) -> AsyncGenerator[Client]:
    try:
        async with Client(door.server, mode=mode, **options) as client:
            yield client
    finally:
        door.close()


def ask(workspace: ByHand, mode: str, body: Body, wait: float = 30.0, **options: Any) -> None:
    async def run() -> None:
        async with client_of(make_door(workspace, workspace.root, wait), mode, **options) as client:
            await body(client)

    anyio.run(run)


def texts(result: types.CallToolResult) -> list[str]:
    return [block.text for block in result.content if isinstance(block, types.TextContent)]


def test_the_menu_is_derived_from_the_signatures(workspace: ByHand, mode: str) -> None:
    async def body(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["echo", "count", "fails", "slow"]
        assert tools[0].description == "Says what it was told. Nothing else."
        assert tools[0].input_schema == {
            "type": "object",
            "properties": {
                "word": {"type": "string", "description": "What to say"},
                "note": {"type": "string", "default": ""},
            },
            "required": ["word"],
        }
        assert all(tool.output_schema is None for tool in tools)

    ask(workspace, mode, body)


def test_a_text_tool_answers_in_text_blocks_alone(workspace: ByHand, mode: str) -> None:
    async def body(client: Client) -> None:
        plain = await client.call_tool("echo", {"word": "one\ntwo\n"})
        assert (texts(plain), plain.structured_content, plain.is_error) == (["one\ntwo\n"], None, False)
        noted = await client.call_tool("echo", {"word": "one", "note": "two"})
        assert (texts(noted), noted.structured_content) == (["one", "two"], None)

    ask(workspace, mode, body)


def test_a_json_tool_sends_structured_content_equal_to_its_first_block(workspace: ByHand, mode: str) -> None:
    async def body(client: Client) -> None:
        result = await client.call_tool("count", {})
        assert texts(result) == ['{"symbols": 3}']
        assert result.structured_content == {"symbols": 3}

    ask(workspace, mode, body)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            {},
            'echo: `word` is missing.\nCall it as echo {"word": "…"} (optional: note).',
        ),
        (
            {"word": 3},
            'echo: `word` must be a string, not 3.\nCall it as echo {"word": "…"} (optional: note).',
        ),
        (
            {"word": "x", "words": "y"},
            "echo: there is no parameter `words`. Did you mean `word`?\n"
            'Call it as echo {"word": "…"} (optional: note).',
        ),
        (
            {"word": "x" * 100_000},
            "echo: `word` is 100,000 characters long; the most is 4,096.\n"
            'Call it as echo {"word": "…"} (optional: note).',
        ),
    ],
)
def test_wrong_arguments_teach_the_next_call(
    workspace: ByHand, mode: str, arguments: dict[str, Any], text: str
) -> None:
    async def body(client: Client) -> None:
        result = await client.call_tool("echo", arguments)
        assert (texts(result), result.is_error) == ([text], True)

    ask(workspace, mode, body)


def test_an_unknown_tool_is_answered_with_the_known_ones(workspace: ByHand, mode: str) -> None:
    async def body(client: Client) -> None:
        result = await client.call_tool("grep", {})
        assert texts(result) == ["There is no tool 'grep'. The tools are echo, count, fails, slow."]
        assert result.is_error

    ask(workspace, mode, body)


def test_errors_are_sentences_or_their_json_and_never_tracebacks(workspace: ByHand, mode: str) -> None:
    async def body(client: Client) -> None:
        tool = await client.call_tool("fails", {"how": "tool"})
        assert (texts(tool), tool.is_error, tool.structured_content) == (["Symbol 'X' not found at Y."], True, None)
        payload = await client.call_tool("fails", {"how": "payload"})
        assert texts(payload) == ['{"error": "FILE_NOT_FOUND", "message": "no é"}']
        assert payload.is_error
        family = await client.call_tool("fails", {"how": "family"})
        assert (texts(family), family.is_error) == (["The index is damaged."], True)
        bug = await client.call_tool("fails", {"how": "bug"})
        assert texts(bug) == ["fails failed inside CodeGPS (KeyError). The server's log says more."]
        assert bug.is_error

    ask(workspace, mode, body)


def test_too_many_requests_in_a_second_are_refused(workspace: ByHand, mode: str) -> None:
    async def body(client: Client) -> None:
        results = [await client.call_tool("count", {}) for _ in range(5)]
        refused = [json.loads(texts(result)[0]) for result in results if result.is_error]
        assert refused
        assert refused[0] == {
            "error": "RATE_LIMITED",
            "code": "RATE_LIMITED",
            "message": "Over 3 requests to count within a second. Wait a second and ask again.",
        }
        other = await client.call_tool("echo", {"word": "free"})
        assert not other.is_error

    ask(workspace, mode, body)


def test_initialize_and_the_menu_do_not_wait_for_the_index(workspace: ByHand, mode: str) -> None:
    workspace.may_build.clear()

    async def body(client: Client) -> None:
        assert workspace.building.wait(5)
        assert len((await client.list_tools()).tools) == 4
        assert workspace.refreshes == 0
        workspace.may_build.set()

    ask(workspace, mode, body)


def test_a_call_waits_for_the_index_with_growing_progress(workspace: ByHand, mode: str) -> None:
    workspace.may_build.clear()
    heard: list[tuple[float, float | None, str | None]] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))
        if len(heard) == 2:
            workspace.may_build.set()

    async def body(client: Client) -> None:
        result = await client.call_tool("echo", {"word": "x"}, progress_callback=on_progress)
        assert texts(result) == ["x"]

    ask(workspace, mode, body)
    assert len(heard) >= 2
    assert heard[0][0] < heard[1][0] <= 100
    assert heard[0][1] == 100
    assert heard[0][2] is not None
    assert heard[0][2].startswith("extract ")


def test_a_call_that_waited_too_long_says_how_far_it_is_and_to_ask_again(workspace: ByHand, mode: str) -> None:
    workspace.may_build.clear()

    async def body(client: Client) -> None:
        result = await client.call_tool("echo", {"word": "x"})
        assert result.is_error
        (text,) = texts(result)
        assert text.startswith(f"The index of {workspace.project} is still being built: ")
        assert " % (extract " in text
        assert text.endswith("Ask again in a few seconds.")
        workspace.may_build.set()
        assert texts(await client.call_tool("echo", {"word": "x"})) == ["x"]

    ask(workspace, mode, body, wait=0.3)


def test_each_answer_looks_for_changed_files_first(workspace: ByHand, mode: str) -> None:
    async def body(client: Client) -> None:
        await client.call_tool("echo", {"word": "x"})
        before = workspace.refreshes
        await client.call_tool("echo", {"word": "x"})
        assert workspace.refreshes == before + 1

    ask(workspace, mode, body)


def test_a_failing_look_is_told_and_the_next_question_looks_again(workspace: ByHand, mode: str) -> None:
    async def body(client: Client) -> None:
        workspace.problem = OSError("disk")
        result = await client.call_tool("echo", {"word": "x"})
        assert result.is_error
        assert texts(result) == ["Indexing failed: OSError. The server's log says more."]
        workspace.problem = None
        assert texts(await client.call_tool("echo", {"word": "x"})) == ["x"]

    ask(workspace, mode, body)


def test_a_workspace_that_disappears(workspace: ByHand, mode: str) -> None:
    async def body(client: Client) -> None:
        await client.call_tool("echo", {"word": "x"})
        workspace.root.rmdir()
        result = await client.call_tool("echo", {"word": "x"})
        assert result.is_error
        assert texts(result) == [f"The folder {workspace.root} is gone. Start CodeGPS again where the sources are now."]
        workspace.root.mkdir()
        assert texts(await client.call_tool("echo", {"word": "x"})) == ["x"]

    ask(workspace, mode, body)


def test_many_calls_at_once_share_their_looks(workspace: ByHand, mode: str) -> None:
    async def body(client: Client) -> None:
        await client.call_tool("echo", {"word": "x"})
        before = workspace.refreshes
        answers: list[str] = []

        async def one(word: str) -> None:
            answers.extend(texts(await client.call_tool("echo", {"word": word})))

        workspace.may_build.clear()
        async with anyio.create_task_group() as tasks:
            for i in range(20):
                tasks.start_soon(one, str(i))
            await anyio.sleep(0.3)
            workspace.may_build.set()
        assert sorted(answers, key=int) == [str(i) for i in range(20)]
        # Eight run at once and share two looks; the other twelve may each come alone.
        assert workspace.refreshes - before <= 14

    ask(workspace, mode, body)


def test_a_client_that_goes_away_cancels_its_work(workspace: ByHand, mode: str) -> None:
    Slow.started.clear()
    Slow.stopped.clear()

    async def body(client: Client) -> None:
        with anyio.move_on_after(5) as scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(client.call_tool, "slow")
                await anyio.to_thread.run_sync(Slow.started.wait)
                tasks.cancel_scope.cancel()
        assert not scope.cancelled_caught
        assert await anyio.to_thread.run_sync(Slow.stopped.wait, 5)

    ask(workspace, mode, body)


# --- the root ---------------------------------------------------------------------------------------------------------


def roots_of(*uris: str) -> Callable[[Any], Awaitable[types.ListRootsResult]]:
    async def answer(context: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=uri) for uri in uris])  # pyright: ignore[reportArgumentType]

    return answer


def chosen_root(start: Path, mode: str, roots: Callable[[Any], Awaitable[types.ListRootsResult]] | None) -> Path:
    """The root that a server takes which was given none."""
    seen: list[Path] = []
    door = make_door(None, start)
    opened = door._open_live  # pyright: ignore[reportPrivateUsage]

    def spy(root: Path) -> Any:
        seen.append(root)
        return opened(root)

    door._open_live = spy  # pyright: ignore[reportPrivateUsage]

    async def run() -> None:
        async with client_of(door, mode, list_roots_callback=roots) as client:
            assert texts(await client.call_tool("echo", {"word": "x"})) == ["x"]
            assert texts(await client.call_tool("echo", {"word": "y"})) == ["y"]

    anyio.run(run)
    (root,) = seen
    return root


def test_without_a_root_the_clients_first_root_is_taken(tmp_path: Path, mode: str) -> None:
    first, second = tmp_path / "with space", tmp_path / "b"
    first.mkdir()
    second.mkdir()
    assert chosen_root(tmp_path, mode, roots_of(first.as_uri(), second.as_uri())) == first


@pytest.mark.parametrize("uris", [(), ("file:///no/such/folder",), ("file://host/share",)])
def test_roots_that_are_no_folder_here_leave_the_working_folder(
    tmp_path: Path, mode: str, uris: tuple[str, ...]
) -> None:
    (tmp_path / ".git").mkdir()
    start = tmp_path / "src"
    start.mkdir()
    assert chosen_root(start, mode, roots_of(*uris)) == tmp_path


def test_a_client_without_roots_leaves_the_working_folder(tmp_path: Path, mode: str) -> None:
    (tmp_path / ".codegps").mkdir()
    start = tmp_path / "src"
    start.mkdir()
    assert chosen_root(start, mode, None) == tmp_path


def test_a_root_with_odd_characters(tmp_path: Path) -> None:
    folder = tmp_path / "é #?%"
    folder.mkdir()
    assert first_root([types.Root(uri=folder.as_uri())]) == folder  # pyright: ignore[reportArgumentType]


# --- the menu ---------------------------------------------------------------------------------------------------------


def test_the_menu_can_be_limited_by_mcp_names_and_commands() -> None:
    assert list(choose(TOOLS, "count, echo")) == ["count", "echo"]
    assert list(choose(TOOLS, None)) == ["echo", "count", "fails", "slow"]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("echo,grep", "There is no tool grep. The tools are echo, count, fails, slow."),
        (" , ", "--tools names no tool. The tools are echo, count, fails, slow."),
    ],
)
def test_a_menu_of_unknown_tools_is_refused(names: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose(TOOLS, names)
    assert str(caught.value) == message


def test_instructions_name_the_tools_of_the_menu_alone() -> None:
    text = instructions({"echo": echo})
    assert "- echo: Says what it was told." in text
    assert "count" not in text


# --- the rate ---------------------------------------------------------------------------------------------------------


def test_the_second_slides() -> None:
    now = 0.0
    rate = Rate(lambda: now)
    rate.check("a", count)
    now = 0.1
    rate.check("a", count)
    rate.check("a", count)
    now = 0.9
    with pytest.raises(ToolError):
        rate.check("a", count)
    rate.check("b", count)
    now = 1.05
    rate.check("a", count)
    with pytest.raises(ToolError):
        rate.check("a", count)
    now = 1.15
    rate.check("a", count)


def test_a_tool_without_a_limit_has_none() -> None:
    rate = Rate(lambda: 0.0)
    for _ in range(100):
        rate.check("a", echo)


def test_sessions_that_left_are_forgotten() -> None:
    now = 0.0
    rate = Rate(lambda: now)
    for i in range(1000):
        now = i * 2.0
        rate.check(str(i), count)
    assert len(rate._calls) == 1  # pyright: ignore[reportPrivateUsage]


def test_threads_end_with_the_server(workspace: ByHand, mode: str) -> None:
    async def body(client: Client) -> None:
        await client.call_tool("echo", {"word": "x"})

    ask(workspace, mode, body)
    assert not [t for t in threading.enumerate() if t.name == "codegps-index"]
