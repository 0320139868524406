"""The command line as a shell runs it: what goes to stdout, what to stderr, and the exit status."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

import codegps
from codegps.serve.cli import COMMANDS
from codegps.serve.menu import menu
from tests.serve.shop import environment, make_shop, program, run


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_shop(tmp_path_factory.mktemp("shop"))
    done = run(["index"], folder)
    assert done.returncode == 0, done.stderr
    return folder


def answer(folder: Path, tool: str, *arguments: str) -> str:
    with codegps.open_graph(folder) as graph:
        return getattr(codegps, tool)(graph, *arguments).text


def test_stdout_is_the_first_block_and_nothing_else(shop: Path) -> None:
    done = run(["dependents-of", "shop/prices.py", "total"], shop)
    assert done.returncode == 0
    text = answer(shop, "dependents_of", "shop/prices.py", "total")
    assert text.startswith("## Graph\n\n")
    assert done.stdout == (text if text.endswith("\n") else text + "\n")


def test_what_we_add_goes_to_stderr(shop: Path) -> None:
    with codegps.open_graph(shop) as graph:
        note = codegps.dependencies_of(graph, "shop/orders.py", "Order").note
    assert note
    done = run(["dependencies-of", "shop/orders.py", "Order"], shop)
    assert done.stderr == note + "\n"


def test_structures_are_flattened(shop: Path) -> None:
    done = run(["paths-between", "shop/app.py", "main", "shop/prices.py", "net"], shop)
    assert done.returncode == 0
    assert "main --CALLS--> Order.checkout --CALLS--> total --CALLS--> net" in done.stdout


def test_options_follow_the_signature(shop: Path) -> None:
    done = run(["dependencies-of", "shop/app.py", "main", "--max-depth", "1"], shop)
    assert "net" not in done.stdout
    assert "Order.checkout" in done.stdout


def test_file_is_relative_to_the_working_folder(shop: Path) -> None:
    above = run(["dependents-of", "shop/prices.py", "total"], shop)
    inside = run(["dependents-of", "prices.py", "total"], shop / "shop")
    outside = run(["dependents-of", "--root", str(shop), "shop/prices.py", "total"], shop.parent)
    absolute = run(["dependents-of", str(shop / "shop" / "prices.py"), "total"], shop)
    assert inside.stdout == outside.stdout == absolute.stdout == above.stdout


def test_call_takes_a_tools_mcp_name_and_json(shop: Path) -> None:
    plain = run(["dependents-of", "shop/prices.py", "total"], shop)
    given = json.dumps({"file_path": "shop/prices.py", "symbol": "total"})
    assert run(["call", "dependentsOf", given], shop).stdout == plain.stdout
    assert run(["call", "dependentsOf", "-"], shop, given).stdout == plain.stdout
    # Over MCP, and so here, paths are relative to the root.
    assert run(["call", "dependentsOf", given], shop / "shop").stdout == plain.stdout


def test_json_wraps_a_text_answer(shop: Path) -> None:
    done = run(["dependents-of", "shop/prices.py", "total", "--json"], shop)
    assert json.loads(done.stdout)["text"] == answer(shop, "dependents_of", "shop/prices.py", "total")


@pytest.mark.parametrize(
    ("words", "status", "error"),
    [
        (["dependents-of", "shop/prices.py", "totl"], 1, "Symbol 'totl' not found at shop/prices.py."),
        (["dependents-of", "shop/none.py", "total"], 1, "File 'shop/none.py' is not indexed."),
        (["call", "grep", "{}"], 2, "There is no tool grep. The tools are dependenciesOf,"),
        (["call", "dependentsOf", "{"], 2, "The arguments are not JSON: "),
        (["call", "dependentsOf", "[]"], 2, "dependentsOf: the arguments must be an object, not []."),
        (["call", "dependentsOf", '{"symbol": "x"}'], 2, "dependentsOf: `file_path` is missing."),
        (["dependents-of", "shop/prices.py", "total", "--max-nodes", "many"], 2, "usage: codegps dependents-of"),
        (["dependents-of", "shop/prices.py"], 2, "usage: codegps dependents-of"),
        (["dependents-of", "shop/prices.py", "x" * 5000], 2, "dependentsOf: `symbol` is 5,000 characters long"),
        (["dependent-of"], 2, "There is no command dependent-of. Did you mean dependents-of? See codegps --help."),
        (["--verbose"], 2, "There is no option --verbose without a command. See codegps --help."),
        ([], 2, "usage: codegps COMMAND"),
        (["status", "--root", "nowhere"], 1, "There is no folder "),
        (["index", "shop/prices.py"], 1, "shop/prices.py is a file."),
        (["index", "--store", "mongodb://x"], 2, "The store mongodb:// is not known here."),
        (["completion", "tcsh"], 2, "usage: codegps completion"),
        (["serve", "--http", "0.0.0.0:80"], 2, "--http listens on this machine only"),
        (["serve", "--tools", "grep"], 2, "There is no tool grep."),
    ],
)
def test_errors_go_to_stderr_with_their_status(shop: Path, words: list[str], status: int, error: str) -> None:
    done = run(words, shop)
    assert done.returncode == status
    assert done.stdout == ""
    assert error in done.stderr
    assert "Traceback" not in done.stderr


def test_an_empty_answer_is_an_answer(shop: Path) -> None:
    done = run(["dependents-of", "shop/app.py", "refund"], shop)
    assert (done.returncode, done.stdout) == (0, "No dependents found.\n")


def test_version_and_help(shop: Path) -> None:
    assert run(["--version"], shop).stdout == f"codegps {codegps.__version__}\n"
    text = run(["--help"], shop).stdout
    for name in (*COMMANDS, *(tool.command for tool in menu())):
        assert f"\n  {name} " in text


@pytest.mark.parametrize("name", [*COMMANDS, *(tool.command for tool in menu())])
def test_every_command_has_help_with_its_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from codegps.serve.cli import main

    assert main([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: codegps {name} ")
    if name not in ("status", "verify", "gc", "export"):
        assert f"\n  codegps {name}" in text


def test_a_command_without_an_index_builds_it_and_says_so(tmp_path: Path) -> None:
    folder = make_shop(tmp_path)
    done = run(["dependents-of", "shop/prices.py", "total"], folder)
    assert done.returncode == 0
    assert done.stdout.startswith("## Graph\n\n")
    assert f"Indexing {folder} for the first time" in done.stderr
    assert (folder / ".codegps" / ".gitignore").read_text() == "*\n"
    again = run(["dependents-of", "shop/prices.py", "total"], folder)
    assert again.stdout == done.stdout
    assert "Indexing" not in again.stderr


def set_version(folder: Path, version: int) -> None:
    """Makes the index look as if another CodeGPS had written it."""
    name = (folder / ".codegps" / "current").read_text().strip()
    with closing(sqlite3.connect(folder / ".codegps" / name)) as database:
        database.execute(f"PRAGMA user_version = {version}")
        database.commit()


def test_an_index_of_an_older_version_is_rebuilt_with_a_word(tmp_path: Path) -> None:
    folder = make_shop(tmp_path)
    before = run(["dependents-of", "shop/prices.py", "total"], folder)
    set_version(folder, 0)
    done = run(["dependents-of", "shop/prices.py", "total"], folder)
    assert (done.returncode, done.stdout) == (0, before.stdout)
    assert "was written by an older CodeGPS; it is built anew." in done.stderr
    assert "older" not in run(["dependents-of", "shop/prices.py", "total"], folder).stderr


def test_an_index_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    folder = make_shop(tmp_path)
    assert run(["index"], folder).returncode == 0
    set_version(folder, 1_000_000)
    done = run(["dependents-of", "shop/prices.py", "total"], folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert "was written by a newer CodeGPS" in done.stderr
    assert run(["index", "--rebuild"], folder).returncode == 0
    assert run(["dependents-of", "shop/prices.py", "total"], folder).returncode == 0


def test_a_damaged_index_says_how_to_mend_it(tmp_path: Path) -> None:
    folder = make_shop(tmp_path)
    assert run(["index"], folder).returncode == 0
    name = (folder / ".codegps" / "current").read_text().strip()
    for left in (folder / ".codegps").glob(f"{name}*"):
        left.write_bytes(b"nonsense" * 1000)
    done = run(["dependents-of", "shop/prices.py", "total"], folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert "codegps index --rebuild" in done.stderr
    assert run(["index", "--rebuild"], folder).returncode == 0
    assert run(["dependents-of", "shop/prices.py", "total"], folder).returncode == 0


def test_each_command_looks_for_changed_files(tmp_path: Path) -> None:
    folder = make_shop(tmp_path)
    assert run(["dependents-of", "shop/app.py", "refund"], folder).stdout == "No dependents found.\n"
    with (folder / "shop" / "app.py").open("a") as file:
        file.write("\n\ndef undo():\n    return refund(1)\n")
    assert "undo --CALLS--> refund" in run(["dependents-of", "shop/app.py", "refund"], folder).stdout


def test_index_says_what_there_is(shop: Path) -> None:
    done = run(["index"], shop)
    rows = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert list(rows) == ["files", "symbols", "edges", "unresolved", "seconds"]
    assert rows["files"] == "4"
    counts = json.loads(run(["index", "--json"], shop).stdout)["counts"]
    assert counts["files"] == 4


def test_status_says_what_was_skipped(tmp_path: Path) -> None:
    folder = make_shop(tmp_path)
    assert run(["status"], folder).returncode == 1
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "x.js").write_text("f()")
    run(["index"], folder)
    done = run(["status"], folder)
    assert done.returncode == 0
    assert f"root        {folder}\n" in done.stdout
    assert "files       4\n" in done.stdout
    shown = json.loads(run(["status", "--json"], folder).stdout)
    assert shown["counts"]["files"] == 4
    assert shown["project"] == folder.name


def test_verify_and_gc(shop: Path) -> None:
    done = run(["verify"], shop)
    assert (done.returncode, done.stdout) == (0, "The index equals one built from nothing.\n")
    assert run(["gc"], shop).returncode == 0


def test_export_prints_one_object_a_line(shop: Path) -> None:
    done = run(["export", "--format", "jsonl"], shop)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert {record["record"] for record in records} >= {"symbol", "edge", "unresolved"}
    assert "shop/prices.py:total" in {record["id"] for record in records if record["record"] == "symbol"}


def test_query_lists_callers_and_calls(shop: Path) -> None:
    done = run(["query", "total"], shop)
    assert done.returncode == 0
    assert "Called by (1)" in done.stdout
    assert json.loads(run(["query", "total", "--json"], shop).stdout)


@pytest.mark.skipif(sys.platform == "win32", reason="there pipes close differently")
def test_a_closed_pipe_is_silent(shop: Path) -> None:
    with subprocess.Popen(
        program("export"), cwd=shop, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there signals differ")
@pytest.mark.parametrize("door", [[], ["--http", "127.0.0.1:0"]])
def test_an_interruption_has_its_own_status(shop: Path, door: list[str]) -> None:
    with subprocess.Popen(
        program("serve", *door),
        cwd=shop,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        if door:
            process.stderr.readline()
        else:
            process.stdin.write(b"x\n")
            process.stdin.flush()
            process.stdout.readline()
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert b"Traceback" not in process.stderr.read()


def test_completion_scripts_are_understood_by_their_shells(shop: Path, tmp_path: Path) -> None:
    for shell in ("bash", "zsh", "fish"):
        done = run(["completion", shell], shop)
        assert done.returncode == 0
        assert "dependents-of" in done.stdout
        assert "max-nodes" in done.stdout
        script = tmp_path / shell
        script.write_text(done.stdout)
        try:
            checked = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, check=False)
        except FileNotFoundError:
            continue
        assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs bash")
def test_bash_completes_commands_and_options(shop: Path, tmp_path: Path) -> None:
    script = tmp_path / "completion"
    script.write_text(run(["completion", "bash"], shop).stdout)

    def complete(*words: str) -> list[str]:
        line = f"source {script}; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _codegps; "
        done = subprocess.run(
            ["bash", "-c", line + 'printf "%s\\n" "${COMPREPLY[@]}"'], capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    assert complete("codegps", "dependenc") == ["dependencies-of"]
    assert complete("codegps", "dependents-of", "--max-d") == ["--max-depth"]


def test_an_internal_error_is_a_sentence(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from codegps.serve import cli

    def fail(words: list[str]) -> int:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(cli, "_dispatch", fail)
    monkeypatch.delenv("CODEGPS_DEBUG", raising=False)
    assert cli.main(["index"]) == 1
    monkeypatch.setenv("CODEGPS_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["index"])


@pytest.mark.skipif(sys.platform == "win32" or not hasattr(os, "openpty"), reason="needs a terminal")
def test_on_a_terminal_answers_have_colours_and_sources_do_not_steer_it(tmp_path: Path) -> None:
    folder = make_shop(tmp_path)
    file = folder / "shop" / "prices.py"
    file.write_text(file.read_text().replace("    return round", '    "\x1b[2J\x9b2J"\n    return round'))
    assert run(["index"], folder).returncode == 0
    ours, theirs = os.openpty()
    with subprocess.Popen(
        program("dependents-of", "shop/prices.py", "net"),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=environment(TERM="xterm-256color", COLUMNS="200"),
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 65536):
                shown += chunk
        except OSError:  # the other side has gone
            pass
        process.wait(30)
    os.close(ours)
    assert b"\x1b[1m## Graph" in shown
    assert b"total" in shown
    assert b"\x1b[2J" not in shown
    assert "\x9b".encode() not in shown
