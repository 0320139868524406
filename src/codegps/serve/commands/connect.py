"""An agent's name in; its configuration entry printed, written or taken back."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from codegps.errors import CodeGPSError, UsageError
from codegps.serve.connect import edit
from codegps.serve.connect.agents import AGENTS, NAME, Agent
from codegps.serve.root import find_root


def add(parser: argparse.ArgumentParser) -> None:
    names = ", ".join(agent.name for agent in AGENTS)
    parser.add_argument("agent", metavar="AGENT", nargs="?", help=f"one of {names}; without it all that are found")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="put the entry into the agent's configuration")
    action.add_argument("--remove", action="store_true", help="take the entry back")
    parser.epilog = (
        "examples:\n  codegps connect\n  codegps connect claude-code\n  codegps connect cursor --write\n"
        "  codegps connect codex --remove"
    )


def run(options: argparse.Namespace) -> int:
    root = find_root(Path.cwd(), options.root)
    words = [
        word for name in ("store", "project") if (value := getattr(options, name)) for word in (f"--{name}", value)
    ]
    if options.agent is None and not (options.write or options.remove):
        return _list(root)
    agents = [_agent(options.agent)] if options.agent else [agent for agent in AGENTS if agent.found(root)]
    if not agents:
        names = ", ".join(agent.name for agent in AGENTS)
        raise CodeGPSError(f"No agent was found here. Name one: {names}.")
    if not (options.write or options.remove):
        return _print(agents[0], root, words)
    status = 0
    for agent in agents:
        try:
            _change(agent, root, words if options.write else None)
        except CodeGPSError as error:
            print(error, file=sys.stderr)
            status = 1
    return status


def _agent(name: str) -> Agent:
    found = next((agent for agent in AGENTS if name.lower() in (agent.name, agent.title.lower())), None)
    if found is None:
        raise UsageError(f"There is no agent {name}. The agents are {', '.join(agent.name for agent in AGENTS)}.")
    return found


def _change(agent: Agent, root: Path, words: list[str] | None) -> None:
    file = agent.file(root)
    if words is None:
        done = edit.remove(agent, root)
        print(f"{agent.title}: {'removed from' if done else 'was not in'} {file}")
        return
    done = edit.write(agent, root, agent.entry(root, words))
    print(f"{agent.title}: {'written to' if done else 'was already in'} {file}")


def _list(root: Path) -> int:
    rows = [("AGENT", "FOUND", "CONNECTED", "CONFIGURATION")]
    for agent in AGENTS:
        found, there = agent.found(root), edit.connected(agent, root)
        rows.append((agent.name, _yes(found), _yes(there), str(agent.file(root))))
    widths = [max(len(row[i]) for row in rows) + 2 for i in range(3)]
    for row in rows:
        print("".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=False)) + row[3])
    print("codegps connect AGENT prints the entry; --write puts it in, --remove takes it back.", file=sys.stderr)
    return 0


def _yes(value: bool) -> str:
    return "yes" if value else "-"


def _print(agent: Agent, root: Path, words: list[str]) -> int:
    entry: Any = agent.entry(root, words)
    if agent.is_toml:
        print(
            "\n".join([f"[{agent.keys[0]}.{NAME}]", *(f"{key} = {json.dumps(value)}" for key, value in entry.items())])
        )
    else:
        for key in reversed((*agent.keys, NAME)):
            entry = {key: entry}
        print(json.dumps(entry, indent=2, ensure_ascii=False))
    print(f"This belongs into {agent.file(root)}. codegps connect {agent.name} --write puts it there.", file=sys.stderr)
    return 0
