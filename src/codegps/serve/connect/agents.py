"""A root in; for each agent the file where it keeps MCP servers and the entry that belongs there, out."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

NAME = "codegps"


class Agent(NamedTuple):
    name: str
    title: str
    file: Callable[[Path], Path]
    """Root → the configuration file."""
    keys: tuple[str, ...]
    """Where servers stand in it."""
    shape: str = "command"
    """How an entry is written: `command`, `stdio` (with a type), `local` (command as one list)."""
    shared: bool = True
    """The file belongs to the project and may be committed: no path of this machine in it."""
    rooted: bool = False
    """The agent starts servers anywhere, so the entry names the root."""
    marks: tuple[str, ...] = ()
    """Programs on the PATH, or files below home (`~/…`), that show that the agent is here."""

    @property
    def is_toml(self) -> bool:
        return self.file(Path()).suffix == ".toml"

    def entry(self, root: Path, options: list[str]) -> dict[str, Any]:
        """The server entry; `options` go to `codegps serve`."""
        words = [*command_words(self.shared), "serve", *(["--root", str(root)] if self.rooted else []), *options]
        if self.shape == "local":
            return {"type": "local", "command": words, "enabled": True}
        made = {"command": words[0], "args": words[1:]}
        return {"type": "stdio", **made} if self.shape == "stdio" else made

    def found(self, root: Path) -> bool:
        if self.file(root).exists():
            return True
        return any(Path(mark).expanduser().exists() if mark[0] == "~" else shutil.which(mark) for mark in self.marks)


def command_words(shared: bool) -> list[str]:
    """How to start CodeGPS: by name where that works, by its place where the name is not known to the agent."""
    on_path = shutil.which(NAME)
    if on_path and shared:
        return [NAME]
    if on_path:
        return [on_path]
    beside = Path(sys.executable).with_name(NAME + (".exe" if sys.platform == "win32" else ""))
    return [str(beside)] if beside.exists() else [sys.executable, "-m", NAME]


def _application_data(name: str) -> Path:
    """Where desktop applications keep their settings."""
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / name
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / name
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / name


def _in_project(name: str) -> Callable[[Path], Path]:
    return lambda root: root / name


def _claude_desktop(root: Path) -> Path:
    return _application_data("Claude") / "claude_desktop_config.json"


def _windsurf(root: Path) -> Path:
    return Path.home() / ".codeium" / "windsurf" / "mcp_config.json"


def _zed(root: Path) -> Path:
    if sys.platform == "win32":
        return _application_data("Zed") / "settings.json"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "zed" / "settings.json"


def _codex(root: Path) -> Path:
    return Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex") / "config.toml"


def _opencode(root: Path) -> Path:
    """The first that exists, as opencode looks for them."""
    names = ("opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc")
    return next((root / name for name in names if (root / name).exists()), root / names[0])


AGENTS: tuple[Agent, ...] = (
    Agent(
        "claude-code",
        "Claude Code",
        _in_project(".mcp.json"),
        ("mcpServers",),
        marks=("claude", "~/.claude", "~/.claude.json"),
    ),
    Agent(
        "claude-desktop",
        "Claude Desktop",
        _claude_desktop,
        ("mcpServers",),
        shared=False,
        rooted=True,
        marks=("~/.config/Claude", "~/Library/Application Support/Claude", "~/AppData/Roaming/Claude"),
    ),
    Agent(
        "cursor",
        "Cursor",
        _in_project(".cursor/mcp.json"),
        ("mcpServers",),
        marks=("cursor", "~/.cursor"),
    ),
    Agent(
        "vscode",
        "VS Code",
        _in_project(".vscode/mcp.json"),
        ("servers",),
        shape="stdio",
        marks=("code", "~/.vscode"),
    ),
    Agent("codex", "Codex", _codex, ("mcp_servers",), shared=False, marks=("codex", "~/.codex")),
    Agent(
        "gemini",
        "Gemini CLI",
        _in_project(".gemini/settings.json"),
        ("mcpServers",),
        marks=("gemini", "~/.gemini"),
    ),
    Agent(
        "windsurf",
        "Windsurf",
        _windsurf,
        ("mcpServers",),
        shared=False,
        rooted=True,
        marks=("windsurf", "~/.codeium/windsurf"),
    ),
    Agent("zed", "Zed", _zed, ("context_servers",), shared=False, marks=("zed",)),
    Agent(
        "opencode",
        "opencode",
        _opencode,
        ("mcp",),
        shape="local",
        marks=("opencode", "~/.config/opencode"),
    ),
)
