"""A server that misbehaves: each way has its documented answer, and the next question is answered again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from codegps.lsp import STATIC, Analysis, Limits, References, Target
from tests.lsp.conftest import Fake

MakeFake = Callable[..., Fake]

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")

G = (Target("a.py", 2, 5),)
GOOD = Analysis("pyright", {(1, 10): G}, {(1, 10): G})


def uri(fake: Fake) -> str:
    return (fake.root.resolve() / "a.py").as_uri()


def test_a_good_server_answers_definitions_and_calls(fake: MakeFake) -> None:
    assert fake("good").ask() == GOOD


def test_a_good_server_answers_references(fake: MakeFake) -> None:
    good = fake("good")
    assert good.servers.references(good.root, "a.py", "python", (2, 5)) == References((Target("a.py", 1, 10),))


def test_a_name_that_no_call_hierarchy_covers_is_looked_up(fake: MakeFake) -> None:
    good = fake("good")
    answer = good.servers.analyze_symbols(good.root, "a.py", "python", [(2, 5), (1, 10)])
    assert answer == Analysis("pyright", {(1, 10): G, (2, 5): G}, {(1, 10): G})
    assert len(good.logged("textDocument/definition")) == 1


def test_one_server_is_reused(fake: MakeFake) -> None:
    good = fake("good")
    assert [good.ask() for _ in range(5)] == [GOOD] * 5
    assert len(good.logged("start")) == 1
    assert len(good.logged("textDocument/didOpen")) == 1


def test_a_changed_text_is_shown_again(fake: MakeFake) -> None:
    good = fake("good")
    good.ask()
    (good.root / "a.py").write_text("def f(): g()\ndef g(): pass\n", encoding="utf-8")
    good.ask()
    assert good.logged("textDocument/didChange") == [
        f'{{"textDocument": {{"uri": "{uri(good)}", "version": 2}}, '
        '"contentChanges": [{"text": "def f(): g()\\ndef g(): pass\\n"}]}'
    ]


def test_only_so_many_documents_stay_open(fake: MakeFake) -> None:
    good = fake("good", Limits(open_documents=2))
    for name in ("a.py", "b.py", "c.py"):
        (good.root / name).write_text("x = 1\n", encoding="utf-8")
        good.servers.analyze_symbols(good.root, name, "python", [])
    assert good.logged("textDocument/didClose") == [f'{{"textDocument": {{"uri": "{uri(good)}"}}}}']


def test_changed_files_are_announced(fake: MakeFake) -> None:
    good = fake("good")
    for stamps in ({"a.py": 1, "b.py": 1}, {"a.py": 1, "b.py": 1}, {"a.py": 2, "c.py": 1}):
        good.servers.analyze_symbols(good.root, "a.py", "python", [], stamps=stamps)
    folder = good.root.resolve().as_uri()
    assert good.logged("workspace/didChangeWatchedFiles") == [
        f'{{"changes": [{{"uri": "{folder}/a.py", "type": 2}}, {{"uri": "{folder}/b.py", "type": 3}}, '
        f'{{"uri": "{folder}/c.py", "type": 1}}]}}'
    ]


def test_one_that_does_not_start_gives_a_partial_answer(fake: MakeFake) -> None:
    answer = fake("silent").ask(0.2)
    assert answer == Analysis(STATIC, partial=True, reason="pyright is still starting; ask again")


def test_one_that_never_starts_is_replaced(fake: MakeFake) -> None:
    silent = fake("silent", Limits(grace_seconds=0.3, startup_seconds=0.2, restarts=100))
    expected = Analysis(available=False, reason="pyright: did not start within 0.2 seconds")
    assert silent.ask(0.3) == expected
    answers = (silent.ask(0.3) for _ in range(100))
    assert next(answer for answer in answers if len(silent.logged("start")) > 1) == expected


def test_one_that_hangs_gives_a_partial_answer(fake: MakeFake) -> None:
    answer = fake("hangs").ask_started()
    assert answer == Analysis(STATIC, partial=True, reason="pyright did not answer in time")


def test_one_that_hangs_on_is_replaced(fake: MakeFake) -> None:
    swallowing = fake("swallows", Limits(grace_seconds=0.3, silent_questions=3, silent_seconds=0.2))
    swallowing.ask_started(0.2)
    answers = [swallowing.ask(0.2).reason for _ in range(2)]
    assert answers == ["pyright did not answer in time", "pyright: left 3 questions in a row without any answer"]
    swallowing.ask_started(0.2)
    assert len(swallowing.logged("start")) == 2


def test_one_that_stops_reading_does_not_hold_us(fake: MakeFake) -> None:
    deaf = fake("deaf")
    (deaf.root / "a.py").write_text("x = 1\n" * 200_000, encoding="utf-8")
    assert deaf.ask_started() == Analysis(STATIC, partial=True, reason="pyright did not answer in time")


def test_one_that_stops_reading_does_not_fill_our_memory(fake: MakeFake) -> None:
    deaf = fake("deaf", Limits(grace_seconds=0.3, outgoing_bytes=500_000))
    (deaf.root / "a.py").write_text("x = 1\n" * 200_000, encoding="utf-8")
    assert deaf.ask_started().reason == "pyright: does not read what it is told"


def test_one_that_dies_in_the_middle_of_a_message_gives_a_partial_answer_and_is_restarted(fake: MakeFake) -> None:
    dying = fake("dies")
    expected = Analysis(STATIC, partial=True, reason="pyright: ended (fatal error: out of luck)")
    assert [dying.ask() for _ in range(3)] == [expected] * 3
    assert len(dying.logged("start")) == 3


def test_one_that_keeps_dying_is_left_alone(fake: MakeFake) -> None:
    dying = fake("dies", Limits(restarts=2))
    for _ in range(3):
        dying.ask()
    last = "pyright: ended (fatal error: out of luck)"
    reason = f"pyright failed 3 times and stays off for a while; last: {last}"
    assert [dying.ask() for _ in range(2)] == [Analysis(available=False, reason=reason)] * 2
    assert len(dying.logged("start")) == 3


def test_one_that_was_left_alone_gets_another_chance(fake: MakeFake) -> None:
    dying = fake("dies", Limits(restarts=0, restart_window_seconds=0.0))
    assert [dying.ask().partial for _ in range(3)] == [True] * 3


def test_one_that_dies_at_its_start_is_not_available(fake: MakeFake) -> None:
    answer = fake("dies-at-start").ask()
    assert answer == Analysis(available=False, reason="pyright: ended (Error: no license)")


def test_one_that_refuses_to_start_is_not_available(fake: MakeFake) -> None:
    answer = fake("refuses").ask()
    assert answer == Analysis(available=False, reason="pyright: refused to start: not on a Sunday")


def test_one_that_counts_columns_in_an_unknown_way_is_not_asked(fake: MakeFake) -> None:
    assert fake("encoding").ask() == Analysis(available=False, reason="pyright: counts columns in 'utf-7'")


def test_one_that_cannot_do_anything_adds_nothing(fake: MakeFake) -> None:
    assert fake("poor").ask() == Analysis("pyright")


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("garbage", "wrote b'Starting up, please wait...', which is not the protocol"),
        (
            "bad-json",
            "sent a message that is not the protocol: JSON is malformed: object keys must be strings (byte 1)",
        ),
        ("deep", "sent a message that is not the protocol: Expected `object`, got `array`"),
        ("no-length", "wrote the header b'Content-Type: text', which has no length"),
        ("huge", "sent a message of 99999999999 bytes"),
        ("floods", "flooded us with messages that nobody asked for"),
        ("floods-requests", "flooded us with messages that nobody asked for"),
        ("big-answers", "answered one question with more than 250000 bytes"),
        ("closes-stdout", "ended"),
    ],
)
def test_one_that_breaks_the_protocol_is_stopped(fake: MakeFake, mode: str, reason: str) -> None:
    answer = fake(mode, Limits(flood_messages=2000, flood_bytes=250_000)).ask()
    assert answer == Analysis(STATIC, partial=True, reason=f"pyright: {reason}")


@pytest.mark.parametrize("mode", ["endless-header", "bad-text"])
def test_one_that_sends_bytes_without_end_or_sense_is_stopped(fake: MakeFake, mode: str) -> None:
    answer = fake(mode).ask()
    assert (answer.provider, answer.partial) == (STATIC, True)
    assert "not the protocol" in answer.reason


def test_what_comes_late_is_dropped_and_the_next_question_is_answered(fake: MakeFake) -> None:
    late = fake("late")
    assert late.ask_started(0.2) == Analysis(STATIC, partial=True, reason="pyright did not answer in time")
    assert late.ask(5.0) == GOOD
    assert len(late.logged("start")) == 1


def test_one_that_answers_late_time_after_time_is_not_taken_for_hanging(fake: MakeFake) -> None:
    late = fake("late", Limits(grace_seconds=0.3, silent_questions=2, silent_seconds=1.0))
    late.ask_started(0.4)
    for _ in range(4):
        late.ask(0.4)
    assert len(late.logged("start")) == 1


def test_answers_of_the_wrong_form_count_as_none(fake: MakeFake) -> None:
    answer = fake("shapes").ask()
    assert answer == Analysis(STATIC, partial=True, reason="pyright could not answer everything")


def test_errors_count_as_no_answer(fake: MakeFake) -> None:
    assert fake("errors").ask() == Analysis(STATIC, partial=True, reason="pyright could not answer everything")


def test_a_question_that_met_a_change_is_put_again(fake: MakeFake) -> None:
    assert fake("modified").ask() == GOOD


def test_one_that_still_reads_the_project_is_waited_for(fake: MakeFake) -> None:
    reading = fake("reads")
    answer = reading.servers.analyze_symbols(reading.root, "a.py", "rust", [(1, 10)])
    assert answer == Analysis("rust-analyzer", {(1, 10): G}, {(1, 10): G})


def test_one_that_reads_the_project_for_long_gives_a_partial_answer(fake: MakeFake) -> None:
    reading = fake("reads-on")
    answers = [reading.servers.analyze_symbols(reading.root, "a.py", "rust", [(1, 10)], 0.5) for _ in range(2)]
    assert answers == [Analysis(STATIC, partial=True, reason="rust-analyzer is still starting; ask again")] * 2
    assert reading.logged("textDocument/documentSymbol") == []


def test_a_server_may_ask_back(fake: MakeFake) -> None:
    asking = fake("asks")
    assert asking.ask() == GOOD
    asking.servers.close()
    replies = asking.logged("reply")
    assert replies[1:3] == ["null", "null"]
    assert replies[0].startswith('[{"analysis": {"autoSearchPaths": true')
    assert replies[0].endswith("}, null]")


def test_places_elsewhere_are_named_but_not_opened(fake: MakeFake) -> None:
    server = fake("outside")
    answer = server.servers.analyze_symbols(server.root, "a.py", "python", [(2, 5)])
    assert answer.definitions == {
        (2, 5): (Target("/outside/of/it.py", 7, 8), Target("a.py", 2, 5), Target("a.py", 71, 6))
    }


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 11), ("utf-16", 9), ("utf-32", 8)])
def test_columns_are_counted_as_the_server_counts_them(fake: MakeFake, encoding: str, units: int) -> None:
    server = fake(encoding)
    (server.root / "a.py").write_text('\nf("𝄞"); g()\n', encoding="utf-8")
    server.servers.analyze_symbols(server.root, "a.py", "python", [(2, 9)])
    assert server.logged("textDocument/definition") == [
        f'{{"textDocument": {{"uri": "{uri(server)}"}}, "position": {{"line": 1, "character": {units}}}}}'
    ]


def test_a_closed_pool_answers_that_it_is_closed(fake: MakeFake) -> None:
    good = fake("good")
    good.servers.close()
    assert good.ask() == Analysis(available=False, reason="the language servers were closed")


def test_a_place_outside_of_the_text_is_not_asked_for(fake: MakeFake) -> None:
    good = fake("good")
    answer = good.servers.analyze_symbols(good.root, "a.py", "python", [(0, 1), (99, 1), (2, 5)])
    assert answer == Analysis("pyright", {(2, 5): G}, {(1, 10): G})
    assert len(good.logged("textDocument/definition")) == 1


def test_a_file_outside_of_the_workspace_is_not_shown(fake: MakeFake) -> None:
    good = fake("good")
    (good.root.parent / "secret.py").write_text("x = 1\n", encoding="utf-8")
    answer = good.servers.analyze_symbols(good.root, "../secret.py", "python", [(1, 1)])
    assert answer == Analysis(available=False, reason="../secret.py lies outside the workspace")
    assert good.logged("start") == []


def test_a_file_that_is_too_large_is_not_shown(fake: MakeFake) -> None:
    assert fake("good", Limits(document_bytes=10)).ask() == Analysis(
        available=False, reason="a.py is too large for a language server"
    )
