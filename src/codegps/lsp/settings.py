"""The user's own settings and environment → how language servers may be used; nothing is read from a workspace."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, cast

import msgspec

from codegps.errors import SettingError

Mode = Literal["auto", "off", "required"]
MODES: tuple[Mode, ...] = ("auto", "off", "required")
ANSWER_SECONDS = 5.0
"""No answer waits longer for a server than this."""

PROVIDERS = ("pyright", "typescript", "clangd", "rust-analyzer")


class Limits(msgspec.Struct, frozen=True):
    """What a server may cost us before it is stopped. Tests make these small."""

    answer_seconds: float = ANSWER_SECONDS
    startup_seconds: float = 60.0
    """A server that has not finished its greeting by then is replaced."""
    grace_seconds: float = 1.0
    """From the request to shut down to the kill."""
    silent_questions: int = 3
    silent_seconds: float = 60.0
    """So many questions in a row, and so long, without a single answer: it hangs."""
    restarts: int = 3
    restart_window_seconds: float = 600.0
    """More crashes than `restarts` in this time and the server stays off until the time has passed."""
    message_bytes: int = 32 << 20
    header_bytes: int = 8 << 10
    flood_bytes: int = 32 << 20
    flood_messages: int = 20_000
    flood_window_seconds: float = 10.0
    """Messages that nobody asked for, in this time."""
    outgoing_bytes: int = 64 << 20
    """Waiting to be read by a server."""
    document_bytes: int = 4 << 20
    open_documents: int = 32
    in_flight: int = 32
    """Requests sent ahead of their answers."""
    places: int = 5_000
    targets: int = 50
    servers: int = 4
    """Running at a time; the one that was used longest ago makes room."""


class Settings(msgspec.Struct, frozen=True):
    """How language servers may be used."""

    mode: Mode = "auto"
    commands: dict[str, tuple[str, ...]] = {}
    """Provider → program and arguments. A program is a bare name, looked up on PATH, or an absolute path. Without
    arguments the usual ones are added."""
    trusted: tuple[str, ...] = ()
    """Folders in which servers may run the project's own code."""
    environment: Mapping[str, str] | None = None
    """What servers inherit; None is the environment of this process."""
    limits: Limits = Limits()

    def trusts(self, root: Path) -> bool:
        """Whether the root is one of the trusted folders or lies in one."""
        return any(root.is_relative_to(os.path.realpath(folder)) for folder in self.trusted)


def read_settings(table: Mapping[str, object], environment: Mapping[str, str], source: str) -> Settings:
    """The table `lsp` of the user's settings file, then the environment, which wins; `source` names the file in errors.

    Table: `mode`, `trusted = [folder…]`, `commands = {provider = [program, argument…]}`. Environment: CODEGPS_LSP,
    CODEGPS_LSP_TRUSTED (folders joined as in PATH), CODEGPS_LSP_PYRIGHT, _TYPESCRIPT, _CLANGD, _RUST_ANALYZER (a
    program, or a JSON list of program and arguments).
    """
    unknown = sorted(set(table) - {"mode", "trusted", "commands"})
    if unknown:
        raise SettingError(f"{source}: unknown setting lsp.{unknown[0]}; known are mode, trusted and commands.")
    mode = _mode(table.get("mode", "auto"), f"{source}: lsp.mode")
    trusted = _folders(table.get("trusted", []), f"{source}: lsp.trusted")
    commands: dict[str, tuple[str, ...]] = {}
    raw = table.get("commands", {})
    if not isinstance(raw, Mapping):
        raise SettingError(f"{source}: lsp.commands is a table of provider = [program, argument…].")
    for provider, command in cast(Mapping[str, object], raw).items():
        commands[_provider(provider, source)] = _command(command, f"{source}: lsp.commands.{provider}")
    if "CODEGPS_LSP" in environment:
        mode = _mode(environment["CODEGPS_LSP"], "CODEGPS_LSP")
    if environment.get("CODEGPS_LSP_TRUSTED"):
        folders = [folder for folder in environment["CODEGPS_LSP_TRUSTED"].split(os.pathsep) if folder]
        trusted = _folders(folders, "CODEGPS_LSP_TRUSTED")
    for provider in PROVIDERS:
        variable = f"CODEGPS_LSP_{provider.upper().replace('-', '_')}"
        if environment.get(variable):
            commands[provider] = _from_variable(environment[variable], variable)
    return Settings(mode, commands, trusted, environment)


def _mode(value: object, where: str) -> Mode:
    for mode in MODES:
        if value == mode:
            return mode
    raise SettingError(f"{where} is {value!r}; it can be auto, off or required.")


def _provider(name: str, source: str) -> str:
    if name not in PROVIDERS:
        raise SettingError(f"{source}: lsp.commands has no provider {name!r}; known are {', '.join(PROVIDERS)}.")
    return name


def _words(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list | tuple):
        return None
    words = tuple(cast("list[object] | tuple[object, ...]", value))
    return tuple(str(word) for word in words) if all(isinstance(word, str) for word in words) else None


def _folders(value: object, where: str) -> tuple[str, ...]:
    folders = _words(value)
    if folders is None or not all(Path(folder).is_absolute() for folder in folders):
        raise SettingError(f"{where} is a list of absolute folders.")
    return folders


def _command(value: object, where: str) -> tuple[str, ...]:
    words = _words(value)
    if not words or not words[0] or any("\0" in word for word in words):
        raise SettingError(f"{where} is a list: a program and its arguments.")
    bare = not any(separator and separator in words[0] for separator in (os.sep, os.altsep))
    if not bare and not Path(words[0]).is_absolute():
        raise SettingError(f"{where} names {words[0]!r}; use a bare name, looked up on PATH, or an absolute path.")
    return words


def _from_variable(text: str, variable: str) -> tuple[str, ...]:
    if not text.startswith("["):
        return _command([text], variable)
    try:
        words = msgspec.json.decode(text.encode("utf-8", "replace"))
    except msgspec.DecodeError as error:
        raise SettingError(f"{variable} starts like a JSON list but is none: {error}") from error
    return _command(words, variable)
