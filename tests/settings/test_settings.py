"""What settings a project can make, and what is said where they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegps.errors import SettingError
from codegps.settings import Settings, load


def test_without_settings_there_are_defaults(tmp_path: Path) -> None:
    assert load(tmp_path) == Settings(exclude=(), include=(), max_file_bytes=2_000_000, lsp="auto")


def test_settings_stand_in_codegps_toml(tmp_path: Path) -> None:
    (tmp_path / "codegps.toml").write_text('exclude = ["docs/"]\nmax_file_bytes = 10\nlsp = "off"\n')
    assert load(tmp_path) == Settings(exclude=("docs/",), max_file_bytes=10, lsp="off")


def test_settings_stand_in_pyproject(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n[tool.codegps]\ninclude = ["vendor/ours/"]\n')
    assert load(tmp_path) == Settings(include=("vendor/ours/",))


def test_codegps_toml_wins_over_pyproject(tmp_path: Path) -> None:
    (tmp_path / "codegps.toml").write_text('lsp = "off"\n')
    (tmp_path / "pyproject.toml").write_text('[tool.codegps]\nlsp = "required"\nexclude = ["a"]\n')
    assert load(tmp_path) == Settings(lsp="off")


def test_a_pyproject_of_others_is_no_matter_of_ours(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project\nthis is broken")
    assert load(tmp_path) == Settings()
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "codegps"\n')
    assert load(tmp_path) == Settings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'lsp = "off"\nmax_file_byte = 5\n',
            "codegps.toml, line 2: there is no setting max_file_byte. Did you mean max_file_bytes?",
        ),
        (
            "\n\nzebra = 5\n",
            "codegps.toml, line 3: there is no setting zebra. There are exclude, include, max_file_bytes, lsp.",
        ),
        (
            'lsp = "sometimes"\n',
            'codegps.toml, line 1: lsp must be "auto", "off" or "required".',
        ),
        (
            "# sizes\nmax_file_bytes = -1\n",
            "codegps.toml, line 2: max_file_bytes must be a whole number of bytes over 0, such as "
            "max_file_bytes = 2000000.",
        ),
        (
            "max_file_bytes = true\n",
            "codegps.toml, line 1: max_file_bytes must be a whole number of bytes over 0, such as "
            "max_file_bytes = 2000000.",
        ),
        (
            'exclude = "docs/"\n',
            "codegps.toml, line 1: exclude must be a list of patterns as in .gitignore, such as "
            'exclude = ["docs/", "*_pb2.py"].',
        ),
        (
            'exclude = [\n  "docs/",\n  3,\n]\n',
            "codegps.toml, line 1: exclude must be a list of patterns as in .gitignore, such as "
            'exclude = ["docs/", "*_pb2.py"].',
        ),
        (
            'store = "postgresql://elsewhere"\n',
            "codegps.toml, line 1: store is a setting of yours, not of a project: give it on the command line or in "
            "the environment.",
        ),
    ],
)
def test_a_wrong_setting_names_file_line_and_key(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "codegps.toml").write_text(text)
    with pytest.raises(SettingError) as caught:
        load(tmp_path)
    assert str(caught.value) == message


def test_a_wrong_setting_in_pyproject_is_found_in_its_own_table(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.other]\nlsp = 1\n\n[tool.codegps]\nexclude = []\nlsp = "no"\n')
    with pytest.raises(SettingError, match=r"^pyproject\.toml, line 6: lsp must be"):
        load(tmp_path)


def test_a_wrong_setting_in_an_inline_table_is_found(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n[tool]\ncodegps = 3\n')
    with pytest.raises(SettingError, match=r"^pyproject\.toml, line 4: tool\.codegps must be a table"):
        load(tmp_path)


def test_what_is_no_toml_is_said_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "codegps.toml").write_text("exclude = []\nlsp = \n")
    with pytest.raises(SettingError, match=r"^codegps\.toml: this is not TOML: .*line 2, column 7"):
        load(tmp_path)


def test_what_is_no_utf8_is_said_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "codegps.toml").write_bytes(b"# caf\xe9\n")
    with pytest.raises(SettingError, match=r"^codegps\.toml, line 1: this is not UTF-8"):
        load(tmp_path)


def test_a_settings_file_that_is_a_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "codegps.toml").mkdir()
    with pytest.raises(SettingError, match=r"^codegps\.toml cannot be read"):
        load(tmp_path)
