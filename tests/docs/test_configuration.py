"""The page about configuration: every setting, default and variable is there, and its example is accepted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from codegps.lsp.settings import read_settings
from codegps.serve.config import store_address, user_settings
from codegps.settings import Settings
from tests.docs.pages import ROOT, blocks, prose, text_of

PAGE = "docs/configuration.md"


def test_the_projects_settings_are_those_of_the_table() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", prose(PAGE), re.MULTILINE)
    fields = msgspec.json.decode(msgspec.json.encode(Settings()))
    assert {name: json.loads(default) for name, default in rows} == fields


def test_your_own_settings_as_the_example_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = blocks(PAGE, "toml")
    for name in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("CODEGPS_STORE", "CODEGPS_LSP"):
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "codegps" / "settings.toml"
    file.parent.mkdir()
    file.write_text(example, "utf-8")
    assert set(user_settings()) == {"store", "lsp"}
    assert store_address(None) == "/data/index"
    servers = read_settings(user_settings()["lsp"], {}, "settings.toml")
    assert (servers.mode, servers.trusted) == ("auto", ("/home/me/work",))
    assert servers.commands == {"pyright": ("basedpyright-langserver", "--stdio")}


def test_every_variable_is_explained() -> None:
    source = "\n".join(file.read_text("utf-8") for file in (ROOT / "src").rglob("*.py"))
    pages = text_of(PAGE) + text_of("docs/language-servers.md")
    assert [name for name in sorted(set(re.findall(r"CODEGPS_[A-Z_]*[A-Z]", source))) if name not in pages] == []
