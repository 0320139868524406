"""A shell's name in; its completion script, made from the same signatures as the commands, out."""

from __future__ import annotations

import argparse

from codegps.serve.cli import COMMANDS, Command, new_parser
from codegps.serve.commands.tool import make_parser
from codegps.serve.menu import menu


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))
    parser.epilog = (
        "examples:\n"
        '  eval "$(codegps completion bash)"\n'
        '  codegps completion zsh > "${fpath[1]}/_codegps"\n'
        "  codegps completion fish > ~/.config/fish/completions/codegps.fish"
    )


def run(options: argparse.Namespace) -> int:
    writers = {"bash": bash, "zsh": zsh, "fish": fish}
    print(writers[options.shell](commands()), end="")
    return 0


Options = dict[str, tuple[str, bool]]
"""Option → its help, and whether it takes a value."""
Commands = dict[str, tuple[str, Options]]
"""Command → its summary and its options."""


def commands() -> Commands:
    found: Commands = {}
    for tool in menu():
        found[tool.command] = (_line(tool.description), options_of(make_parser(tool)))
    for name, command in COMMANDS.items():
        found[name] = (_line(command.summary), options_of(_parser(name, command)))
    return found


def _parser(name: str, command: Command) -> argparse.ArgumentParser:
    from importlib import import_module

    parser = new_parser(name, command.summary)
    import_module(f"codegps.serve.commands.{command.module}").add(parser)
    return parser


def options_of(parser: argparse.ArgumentParser) -> Options:
    actions = parser._actions  # pyright: ignore[reportPrivateUsage]  # argparse has no other way to list them
    return {
        option: (_line(action.help or ""), action.nargs != 0)
        for action in actions
        for option in action.option_strings
        if option[1] == "-"
    }


def _line(text: str) -> str:
    """One line that no shell can misread."""
    line = " ".join(text.replace("%%", "%").split())
    return "".join(c for c in line if c not in "'\"`$\\[]:")[:80]


def bash(commands: Commands) -> str:
    cases = "\n".join(f"    {name}) words='{' '.join(options)}' ;;" for name, (_, options) in commands.items())
    return f"""_codegps() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} words=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{" ".join(commands)} --help --version' -- "$cur"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}}
complete -o filenames -F _codegps codegps
"""


def zsh(commands: Commands) -> str:
    names = "\n".join(f"    '{name}:{summary}'" for name, (summary, _) in commands.items())
    cases = "\n".join(
        "    {}) _arguments {} '*:file:_files' ;;".format(
            name, " ".join(f"'{name}[{text}]{':value:_files' * value}'" for name, (text, value) in options.items())
        )
        for name, (_, options) in commands.items()
    )
    return f"""#compdef codegps
_codegps() {{
  local -a names
  names=(
{names}
  )
  if (( CURRENT == 2 )); then
    _describe command names
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{cases}
  esac
}}
if [ "$funcstack[1]" = _codegps ]; then
  _codegps "$@"
else
  compdef _codegps codegps
fi
"""


def fish(commands: Commands) -> str:
    lines = ["complete -c codegps -n __fish_use_subcommand -f"]
    for name, (summary, options) in commands.items():
        lines.append(f"complete -c codegps -n __fish_use_subcommand -a {name} -d '{summary}'")
        lines += [
            f"complete -c codegps -n '__fish_seen_subcommand_from {name}' -l {option[2:]}{' -r' * value} -d '{text}'"
            for option, (text, value) in options.items()
        ]
    return "\n".join(lines) + "\n"
