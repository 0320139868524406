"""Command line words in; an answer on stdout, everything else on stderr, and an exit status out.

0 is an answer, 1 a tool or index that cannot answer, 2 wrong usage, 130 an interruption. Only the command that is
asked for is imported, so that a cold question is quick.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from codegps.errors import CodeGPSError, UsageError

if TYPE_CHECKING:
    import argparse


class Command(NamedTuple):
    """A command that is not a tool. Its module has `add(parser)` and `run(options) -> int`."""

    module: str
    summary: str


COMMANDS: dict[str, Command] = {
    "query": Command("query", "Find symbols by a part of their name, with their callers and calls."),
    "index": Command("index", "Build or refresh the index of a project."),
    "status": Command("status", "Show what the index holds, what was skipped and why."),
    "verify": Command("verify", "Prove that the refreshed index equals one built from nothing."),
    "gc": Command("gc", "Drop cached facts that no worktree needs any more."),
    "export": Command("export", "Print the graph, one JSON object a line."),
    "serve": Command("serve", "Speak MCP to agents, over stdio or HTTP."),
    "connect": Command("connect", "Put CodeGPS into an agent's configuration."),
    "call": Command("call", "Call a tool by its MCP name with JSON arguments."),
    "completion": Command("completion", "Print a completion script for bash, zsh or fish."),
}

GLOBAL_OPTIONS = ("--root", "--store", "--project")
"""Options with a value that may stand before the command."""


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    _plain_stdout()
    try:
        status = _dispatch(words)
        sys.stdout.flush()
        return status
    except CodeGPSError as error:
        from codegps.serve.refusal import text_of

        print(text_of(error), file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    except SystemExit as leaving:  # argparse, after --help or wrong usage
        return leaving.code if isinstance(leaving.code, int) else 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read us has enough. Nothing may be flushed into the pipe at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except Exception as error:  # a mistake of ours: a sentence, and a way to see more
        if os.environ.get("CODEGPS_DEBUG"):
            raise
        print(f"codegps: internal error: {type(error).__name__}: {error}", file=sys.stderr)
        print("This is a mistake in CodeGPS. CODEGPS_DEBUG=1 shows where it happened.", file=sys.stderr)
        return 1


def _dispatch(words: list[str]) -> int:
    position = command_position(words)
    if position is None:
        return _without_command(words)
    name = words.pop(position)
    if name in COMMANDS:
        module = import_module(f"codegps.serve.commands.{COMMANDS[name].module}")
        parser = new_parser(name, COMMANDS[name].summary)
        module.add(parser)
        return module.run(parser.parse_args(words))
    from codegps.serve.menu import find

    tool = find(name)
    if tool is None:
        raise UsageError(_unknown(name))
    from codegps.serve.commands.tool import run

    return run(tool, words)


def command_position(words: list[str]) -> int | None:
    """Index of the first word that is neither an option nor an option's value."""
    skip = False
    for i, word in enumerate(words):
        if skip:
            skip = False
        elif not word.startswith("-"):
            return i
        else:
            skip = word in GLOBAL_OPTIONS
    return None


def _without_command(words: list[str]) -> int:
    if "--version" in words:
        from codegps import __version__

        print(f"codegps {__version__}")
        return 0
    if "-h" in words or "--help" in words:
        print(_help())
        return 0
    if words:
        raise UsageError(f"There is no option {words[0]} without a command. See codegps --help.")
    print(_help(), file=sys.stderr)
    return 2


def _help() -> str:
    from codegps.serve.menu import entries, first_sentence

    tools = entries()
    rows = [(tool.command, first_sentence(tool.summary, 90)) for tool in tools]
    others = [(name, command.summary) for name, command in COMMANDS.items()]
    width = max(len(name) for name, _ in (*rows, *others)) + 2
    lines = ["usage: codegps COMMAND [ARGUMENT...] [--root FOLDER] [--store ADDRESS] [--json]", ""]
    lines += ["GPS for code: who calls, references, extends or implements what, with proof.", ""]
    lines += ["Questions:", *(f"  {name:{width}}{text}" for name, text in rows), ""]
    lines += ["Everything else:", *(f"  {name:{width}}{text}" for name, text in others), ""]
    lines += ["Examples:"]
    lines += [f"  codegps {tool.command} {tool.example}" for tool in tools[:3]]
    lines += ["  codegps connect claude-code --write", ""]
    lines += ["codegps COMMAND --help tells more. A question without an index builds it first."]
    return "\n".join(lines)


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    from codegps.serve.menu import entries

    near = get_close_matches(name, [*COMMANDS, *(tool.command for tool in entries())], 1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"There is no command {name}.{hint} See codegps --help."


def new_parser(name: str, description: str) -> argparse.ArgumentParser:
    """A parser for one command, with the options that all share."""
    import argparse

    parser = argparse.ArgumentParser(
        prog=f"codegps {name}",
        description=description,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    group = parser.add_argument_group("where to look")
    group.add_argument("--root", metavar="FOLDER", help="the project (default: the nearest index, git root, or here)")
    group.add_argument("--store", metavar="ADDRESS", help="where the index lies (default: FOLDER/.codegps)")
    group.add_argument("--project", metavar="NAME", help="the project's name (default: the folder's)")
    return parser


def _plain_stdout() -> None:
    """Answers are UTF-8 with `\\n` wherever they go; a terminal keeps its own habits."""
    for stream in (sys.stdout, sys.stderr):
        if not stream.isatty() and hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


if __name__ == "__main__":
    sys.exit(main())
