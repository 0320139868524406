"""The user's own settings file and environment in; what of it the doors need, out.

Commands to run and stores to write to come from here and from flags, never from a file inside a workspace.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from codegps.errors import SettingError
from codegps.serve.root import config_folder

if TYPE_CHECKING:
    from codegps.lsp.pool import Servers
    from codegps.model.confirmation import Confirmation, LspMode, Place

KNOWN = ("store", "lsp")
STORE_VARIABLE = "CODEGPS_STORE"


def settings_file() -> Path:
    return config_folder() / "settings.toml"


def user_settings() -> dict[str, Any]:
    """The file's tables; nothing where there is no file. A wrong one is refused with its line and key."""
    file = settings_file()
    try:
        source = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise SettingError(f"{file} cannot be read: {error.strerror}.") from None
    import tomllib

    try:
        text = source.decode("utf-8-sig")
        table = tomllib.loads(text)
    except UnicodeDecodeError:
        raise SettingError(f"{file} is not UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{file}: {error}.") from None
    for key, value in table.items():
        if key not in KNOWN:
            raise SettingError(
                f"{file}, line {_line(text, key)}: there is no setting {key}. Known: {', '.join(KNOWN)}."
            )
        if not isinstance(value, str if key == "store" else dict):
            kind = "a text" if key == "store" else "a table"
            raise SettingError(f"{file}, line {_line(text, key)}: {key} must be {kind}.")
    return table


def _line(text: str, key: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*\[?\s*[\"']?{re.escape(key)}\b", line):
            return number
    return 1


def store_address(given: str | None) -> str | None:
    """From the command line, else the environment, else the user's file; None is the default."""
    return given or os.environ.get(STORE_VARIABLE) or cast("str | None", user_settings().get("store"))


class Confirmations:
    """Language servers that are set up and started only when a tool asks for one; a `Confirmer`."""

    def __init__(self) -> None:
        self._servers: Servers | None = None

    def mode(self, project: LspMode) -> LspMode:
        """The user's word, else the project's."""
        table = cast("Mapping[str, Any]", user_settings().get("lsp", {}))
        if "CODEGPS_LSP" not in os.environ and "mode" not in table:
            return project
        return self._ready().settings.mode

    def analyze_symbols(
        self,
        root: Path,
        path: str,
        language: str,
        places: Sequence[Place],
        budget_seconds: float | None = None,
        *,
        text: str | None = None,
        stamps: Mapping[str, int] | None = None,
    ) -> Confirmation:
        servers = self._ready()
        return servers.analyze_symbols(root, path, language, places, budget_seconds, text=text, stamps=stamps)

    def _ready(self) -> Servers:
        if self._servers is None:
            from codegps.lsp import Servers, read_settings

            table = cast("Mapping[str, object]", user_settings().get("lsp", {}))
            self._servers = Servers(read_settings(table, os.environ, str(settings_file())))
        return self._servers

    def close(self) -> None:
        if self._servers is not None:
            self._servers.close()
