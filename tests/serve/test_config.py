"""The user's own settings: read from one file and the environment, never from a workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegps.errors import SettingError, UsageError
from codegps.serve.config import Confirmations, settings_file, store_address, user_settings
from codegps.serve.workspace import Workspace


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    for name in ("CODEGPS_STORE", "CODEGPS_LSP"):
        monkeypatch.delenv(name, raising=False)
    found = settings_file()
    found.parent.mkdir(parents=True)
    return found


def test_without_a_file_nothing_is_set(file: Path) -> None:
    assert user_settings() == {}
    assert store_address(None) is None
    assert Confirmations().mode("required") == "required"


def test_flag_wins_over_environment_over_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('store = "/from/file"\n')
    assert store_address(None) == "/from/file"
    monkeypatch.setenv("CODEGPS_STORE", "/from/environment")
    assert store_address(None) == "/from/environment"
    assert store_address("/from/flag") == "/from/flag"


def test_the_users_word_on_language_servers_wins(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('[lsp]\nmode = "off"\n')
    assert Confirmations().mode("auto") == "off"
    monkeypatch.setenv("CODEGPS_LSP", "required")
    assert Confirmations().mode("auto") == "required"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# mine\n\nstores = 1\n", "{file}, line 3: there is no setting stores. Known: store, lsp."),
        ("store = 1\n", "{file}, line 1: store must be a text."),
        ("\nlsp = 'off'\n", "{file}, line 2: lsp must be a table."),
        ("store = \n", "{file}: Invalid value (at line 1, column 9)."),
    ],
)
def test_a_wrong_setting_is_named(file: Path, text: str, message: str) -> None:
    file.write_text(text)
    with pytest.raises(SettingError) as caught:
        user_settings()
    assert str(caught.value) == message.format(file=file)


def test_a_file_that_is_not_utf8(file: Path) -> None:
    file.write_bytes(b"store = '\xff'")
    with pytest.raises(SettingError, match="is not UTF-8"):
        user_settings()


def test_an_unknown_store_is_refused(file: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="The store mongodb:// is not known here"):
        Workspace(tmp_path, "mongodb://localhost/x")
