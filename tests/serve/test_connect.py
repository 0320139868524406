"""`codegps connect`: each agent's real configuration shape, written, written again, and taken back."""

from __future__ import annotations

import json
import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from codegps.errors import CodeGPSError
from codegps.serve.cli import main
from codegps.serve.connect import edit
from codegps.serve.connect.agents import AGENTS, Agent

CLAUDE_CODE = """{
  "mcpServers": {
    "github": {
      "type": "http",
      "url": "https://api.githubcopilot.com/mcp/"
    }
  }
}
"""
CLAUDE_DESKTOP = """{
    "globalShortcut": "Alt+Space",
    "mcpServers": {
        "filesystem": {
            "command": "npx",
            "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/me"]
        }
    }
}"""
CURSOR = """{"mcpServers": {"db": {"command": "uvx", "args": ["db"], "env": {"KEY": "${env:KEY}"}}}}
"""
VSCODE = """{
	// shared with the team
	"inputs": [
		{ "type": "promptString", "id": "key", "description": "Key", "password": true }
	],
	"servers": {
		"playwright": {
			"type": "stdio",
			"command": "npx",
			"args": ["-y", "@playwright/mcp@latest"],
		},
	},
}
"""
CODEX = """model = "gpt-5-codex"
approval_policy = "on-request"

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-mcp"]

[mcp_servers.docs.env]
KEY = "value"

[projects."/Users/me/shop"]
trust_level = "trusted"
"""
GEMINI = """{
  "theme": "GitHub",
  "selectedAuthType": "oauth-personal",
  "mcpServers": {}
}
"""
WINDSURF = """{
  "mcpServers": {
    "zapier": {
      "serverUrl": "https://actions.example.org/mcp"
    }
  }
}
"""
ZED = """// Zed settings
//
// For information on how to configure Zed, see the documentation.
{
  "ui_font_size": 16,
  "context_servers": {
    "local-server": {
      "command": "some-command",
      "args": ["arg-1"],
      "env": {},
    },
  },
  // the theme
  "theme": { "mode": "system", "light": "One Light", "dark": "One Dark" },
}
"""
OPENCODE = """{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "everything": {
      "type": "local",
      "command": ["npx", "-y", "everything"],
      "enabled": true,
    },
  },
}
"""
OPENCODE_2 = """{
  "mcp": {
    "servers": {
      "mine": { "type": "local", "command": ["npx", "mine"] }
    }
  }
}
"""

REAL: dict[str, str] = {
    "claude-code": CLAUDE_CODE,
    "claude-desktop": CLAUDE_DESKTOP,
    "cursor": CURSOR,
    "vscode": VSCODE,
    "codex": CODEX,
    "gemini": GEMINI,
    "windsurf": WINDSURF,
    "zed": ZED,
    "opencode": OPENCODE,
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in a home of its own, with `codegps` on the PATH."""
    home, programs, project = tmp_path / "home", tmp_path / "bin", tmp_path / "project"
    for folder in (home, programs, project):
        folder.mkdir()
    program = programs / ("codegps.exe" if sys.platform == "win32" else "codegps")
    program.write_text("")
    program.chmod(0o755)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.chdir(project)
    return project


def agent(name: str) -> Agent:
    return next(one for one in AGENTS if one.name == name)


def data_of(one: Agent, text: str) -> Any:
    return tomllib.loads(text) if one.is_toml else edit._data(one, text)  # pyright: ignore[reportPrivateUsage]


def test_every_agent_has_a_real_file_here() -> None:
    assert [one.name for one in AGENTS] == list(REAL)


@pytest.mark.parametrize("name", list(REAL))
def test_an_entry_is_written_once_and_taken_back_to_the_byte(root: Path, name: str) -> None:
    one = agent(name)
    file = one.file(root)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(REAL[name].encode())
    before = data_of(one, REAL[name])

    assert main(["connect", name, "--write"]) == 0
    written = file.read_bytes()
    after = data_of(one, written.decode())
    servers = after[one.keys[0]]
    entry = servers.pop("codegps")
    assert after == before
    assert entry == one.entry(root, [])
    for line in REAL[name].splitlines():
        assert line.rstrip(",}") in written.decode()

    assert main(["connect", name, "--write"]) == 0
    assert file.read_bytes() == written
    assert main(["connect", name, "--remove"]) == 0
    assert file.read_bytes().decode() == REAL[name]
    assert main(["connect", name, "--remove"]) == 0
    assert file.read_bytes().decode() == REAL[name]


@pytest.mark.parametrize("name", list(REAL))
def test_a_missing_file_is_made(root: Path, name: str) -> None:
    one = agent(name)
    assert main(["connect", name, "--write"]) == 0
    made = data_of(one, one.file(root).read_text("utf-8"))
    assert made == {one.keys[0]: {"codegps": one.entry(root, [])}}
    # Nothing but the configuration itself: no draft, no instructions to agents.
    files = [path.name for path in root.rglob("*") if path.is_file()]
    assert set(files) <= {one.file(root).name}


def test_entries_have_the_shapes_that_agents_read(root: Path) -> None:
    program = str(root.parent / "bin" / ("codegps.exe" if sys.platform == "win32" else "codegps"))
    plain = {"command": "codegps", "args": ["serve"]}
    own = {"command": program, "args": ["serve"]}
    rooted = {"command": program, "args": ["serve", "--root", str(root)]}
    assert {one.name: one.entry(root, []) for one in AGENTS} == {
        "claude-code": plain,
        "claude-desktop": rooted,
        "cursor": plain,
        "vscode": {"type": "stdio", **plain},
        "codex": own,
        "gemini": plain,
        "windsurf": rooted,
        "zed": own,
        "opencode": {"type": "local", "command": ["codegps", "serve"], "enabled": True},
    }


def test_files_lie_where_agents_look(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    home = Path.home()
    assert {one.name: one.file(root) for one in AGENTS} == {
        "claude-code": root / ".mcp.json",
        "claude-desktop": home / ".config" / "Claude" / "claude_desktop_config.json",
        "cursor": root / ".cursor" / "mcp.json",
        "vscode": root / ".vscode" / "mcp.json",
        "codex": home / ".codex" / "config.toml",
        "gemini": root / ".gemini" / "settings.json",
        "windsurf": home / ".codeium" / "windsurf" / "mcp_config.json",
        "zed": home / ".config" / "zed" / "settings.json",
        "opencode": root / "opencode.json",
    }
    monkeypatch.setattr(sys, "platform", "darwin")
    support = home / "Library" / "Application Support"
    assert agent("claude-desktop").file(root) == support / "Claude" / "claude_desktop_config.json"
    assert agent("zed").file(root) == home / ".config" / "zed" / "settings.json"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("APPDATA", str(home / "Roaming"))
    assert agent("claude-desktop").file(root) == home / "Roaming" / "Claude" / "claude_desktop_config.json"
    assert agent("zed").file(root) == home / "Roaming" / "Zed" / "settings.json"


def test_opencode_files_with_nested_servers(root: Path) -> None:
    (root / "opencode.jsonc").write_text(OPENCODE_2)
    assert main(["connect", "opencode", "--write"]) == 0
    made = json.loads((root / "opencode.jsonc").read_text())
    assert list(made["mcp"]["servers"]) == ["mine", "codegps"]
    assert list(made["mcp"]) == ["servers"]
    assert main(["connect", "opencode", "--remove"]) == 0
    assert (root / "opencode.jsonc").read_text() == OPENCODE_2


def test_what_the_user_added_to_our_entry_stays(root: Path) -> None:
    file = root / ".mcp.json"
    file.write_text('{"mcpServers": {"codegps": {"command": "old", "env": {"A": "b"}}}}')
    assert main(["connect", "claude-code", "--write"]) == 0
    assert json.loads(file.read_text()) == {
        "mcpServers": {"codegps": {"command": "codegps", "env": {"A": "b"}, "args": ["serve"]}}
    }


def test_options_go_into_the_entry(root: Path) -> None:
    assert main(["connect", "claude-code", "--write", "--project", "shop", "--store", "/data/shop"]) == 0
    assert json.loads((root / ".mcp.json").read_text())["mcpServers"]["codegps"]["args"] == [
        "serve",
        "--store",
        "/data/shop",
        "--project",
        "shop",
    ]


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("claude-code", '{\n  "mcpServers": {\n    "a": 1\n', "line 4: a comma or } is missing"),
        ("vscode", '{\n  "servers": []\n}\n', 'line 2: "servers" must be an object'),
        ("zed", "[]\n", "line 1: the document must be an object"),
        ("codex", "[mcp_servers\n", "line 1: Expected ']' at the end of a table declaration"),
    ],
)
def test_a_broken_file_is_refused_and_left_alone(
    root: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, reason: str
) -> None:
    file = agent(name).file(root)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    assert main(["connect", name, "--write"]) == 1
    assert capsys.readouterr().err == f"{file}, {reason}. Nothing was changed.\n"
    assert file.read_text() == text


def test_a_file_that_is_not_utf8(root: Path) -> None:
    (root / ".mcp.json").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(CodeGPSError, match=r"is not UTF-8 \(byte 7\)"):
        edit.write(agent("claude-code"), root, {"command": "x"})


def test_a_read_only_file_is_refused(root: Path) -> None:
    file = root / ".mcp.json"
    file.write_text(CLAUDE_CODE)
    file.chmod(0o444)
    with pytest.raises(CodeGPSError, match=r"is read-only\. Nothing was changed"):
        edit.write(agent("claude-code"), root, {"command": "x"})
    assert file.read_text() == CLAUDE_CODE
    file.chmod(0o644)


def test_a_folder_in_the_files_place(root: Path) -> None:
    (root / ".mcp.json").mkdir()
    with pytest.raises(CodeGPSError, match="cannot be read"):
        edit.write(agent("claude-code"), root, {"command": "x"})


def test_a_file_in_the_folders_place(root: Path) -> None:
    (root / ".cursor").write_text("")
    with pytest.raises(CodeGPSError, match="cannot be"):
        edit.write(agent("cursor"), root, {"command": "x"})


@pytest.mark.skipif(sys.platform == "win32", reason="no modes and links there")
def test_modes_and_links_survive(root: Path) -> None:
    real = root.parent / "dotfiles.json"
    real.write_text(CLAUDE_CODE)
    real.chmod(0o600)
    (root / ".mcp.json").symlink_to(real)
    assert main(["connect", "claude-code", "--write"]) == 0
    assert (root / ".mcp.json").is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert "codegps" in real.read_text()


def test_without_write_it_only_prints(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["connect", "vscode"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"servers": {"codegps": {"type": "stdio", "command": "codegps", "args": ["serve"]}}}
    assert str(root / ".vscode" / "mcp.json") in err
    assert main(["connect", "codex"]) == 0
    assert tomllib.loads(capsys.readouterr().out)["mcp_servers"]["codegps"]["args"] == ["serve"]
    assert list(root.iterdir()) == []


def test_without_an_agent_it_lists_what_is_found(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (Path.home() / ".cursor").mkdir()
    (root / ".mcp.json").write_text('{"mcpServers": {"codegps": {}}}')
    assert main(["connect"]) == 0
    rows = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()}
    assert rows["claude-code"] == ["yes", "yes", str(root / ".mcp.json")]
    assert rows["cursor"] == ["yes", "-", str(root / ".cursor" / "mcp.json")]
    assert rows["vscode"] == ["-", "-", str(root / ".vscode" / "mcp.json")]


def test_writing_without_an_agent_writes_to_all_found(root: Path) -> None:
    (Path.home() / ".cursor").mkdir()
    (root / ".mcp.json").write_text("")
    assert main(["connect", "--write"]) == 0
    assert "codegps" in (root / ".mcp.json").read_text()
    assert "codegps" in (root / ".cursor" / "mcp.json").read_text()
    assert not (root / ".vscode").exists()


def test_writing_where_no_agent_is_found(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["connect", "--write"]) == 1
    assert capsys.readouterr().err.startswith("No agent was found here. Name one: claude-code, ")


def test_an_unknown_agent(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["connect", "emacs"]) == 2
    assert capsys.readouterr().err.startswith("There is no agent emacs. The agents are claude-code, ")
