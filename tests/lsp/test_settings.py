"""Settings come from the user's file and environment; each mistake in them is named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codegps.errors import SettingError
from codegps.lsp import Servers, Settings, read_settings
from codegps.model.confirmation import Confirmation, Confirmer

HERE = str(Path(os.sep).resolve() / "home" / "me")


def test_nothing_set_is_auto_and_trusts_nothing() -> None:
    assert read_settings({}, {}, "settings.toml") == Settings(environment={})
    assert not Settings().trusts(Path(HERE))


def test_the_file_sets_mode_trust_and_commands() -> None:
    table = {"mode": "off", "trusted": [HERE], "commands": {"clangd": ["clangd-18", "-j=1"]}}
    settings = read_settings(table, {}, "settings.toml")
    assert (settings.mode, settings.trusted, settings.commands) == ("off", (HERE,), {"clangd": ("clangd-18", "-j=1")})


def test_the_environment_wins() -> None:
    environment = {
        "CODEGPS_LSP": "required",
        "CODEGPS_LSP_TRUSTED": os.pathsep.join([HERE, "", str(Path(HERE) / "x")]),
        "CODEGPS_LSP_PYRIGHT": "pyright-langserver",
        "CODEGPS_LSP_RUST_ANALYZER": '["rust-analyzer", "--log-file", "x y"]',
    }
    table = {"mode": "off", "trusted": [str(Path(os.sep).resolve())], "commands": {"pyright": ["pyrefly", "lsp"]}}
    settings = read_settings(table, environment, "settings.toml")
    assert settings.mode == "required"
    assert settings.trusted == (HERE, str(Path(HERE) / "x"))
    assert settings.commands == {
        "pyright": ("pyright-langserver",),
        "rust-analyzer": ("rust-analyzer", "--log-file", "x y"),
    }
    assert settings.environment is environment


def test_trust_covers_what_lies_in_the_folder(tmp_path: Path) -> None:
    settings = Settings(trusted=(str(tmp_path / "work"),))
    root = tmp_path.resolve()
    assert settings.trusts(root / "work")
    assert settings.trusts(root / "work" / "project")
    assert not settings.trusts(root)
    assert not settings.trusts(root / "work2")


@pytest.mark.parametrize(
    ("table", "environment", "message"),
    [
        ({"moed": "off"}, {}, "s.toml: unknown setting lsp.moed; known are mode, trusted and commands."),
        ({"mode": "on"}, {}, "s.toml: lsp.mode is 'on'; it can be auto, off or required."),
        ({}, {"CODEGPS_LSP": "1"}, "CODEGPS_LSP is '1'; it can be auto, off or required."),
        ({"trusted": "/x"}, {}, "s.toml: lsp.trusted is a list of absolute folders."),
        ({"trusted": ["x"]}, {}, "s.toml: lsp.trusted is a list of absolute folders."),
        ({}, {"CODEGPS_LSP_TRUSTED": "x"}, "CODEGPS_LSP_TRUSTED is a list of absolute folders."),
        ({"commands": []}, {}, "s.toml: lsp.commands is a table of provider = [program, argument…]."),
        (
            {"commands": {"gopls": ["gopls"]}},
            {},
            "s.toml: lsp.commands has no provider 'gopls'; known are pyright, typescript, clangd, rust-analyzer.",
        ),
        ({"commands": {"clangd": "x"}}, {}, "s.toml: lsp.commands.clangd is a list: a program and its arguments."),
        ({"commands": {"clangd": []}}, {}, "s.toml: lsp.commands.clangd is a list: a program and its arguments."),
        ({"commands": {"clangd": ["x", 1]}}, {}, "s.toml: lsp.commands.clangd is a list: a program and its arguments."),
        (
            {},
            {"CODEGPS_LSP_CLANGD": "node_modules/.bin/clangd"},
            "CODEGPS_LSP_CLANGD names 'node_modules/.bin/clangd'; use a bare name, looked up on PATH, "
            "or an absolute path.",
        ),
        ({}, {"CODEGPS_LSP_CLANGD": '["a", {}]'}, "CODEGPS_LSP_CLANGD is a list: a program and its arguments."),
    ],
)
def test_mistakes_are_named(table: dict[str, object], environment: dict[str, str], message: str) -> None:
    with pytest.raises(SettingError) as caught:
        read_settings(table, environment, "s.toml")
    assert str(caught.value) == message


def test_a_broken_list_is_named() -> None:
    with pytest.raises(SettingError, match="CODEGPS_LSP_CLANGD starts like a JSON list but is none"):
        read_settings({}, {"CODEGPS_LSP_CLANGD": '["a'}, "s.toml")


def test_a_pool_is_what_tools_ask_for_a_second_opinion() -> None:
    with Servers(Settings(mode="off")) as servers:
        confirmer: Confirmer = servers
        said: Confirmation = confirmer.analyze_symbols(Path.cwd(), "a.py", "python", [(1, 1)], 0.1)
    assert (said.provider, said.available) == ("static", False)
