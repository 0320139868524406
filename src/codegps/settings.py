"""A root folder in; the project's own settings out, from `codegps.toml` or `[tool.codegps]` in `pyproject.toml`.

These files lie inside the workspace, so nothing here names a program to run or a store to write to: both come from
the user. A setting that is wrong is refused with its file, line and key.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Literal, cast

import msgspec

from codegps.errors import SettingError

Lsp = Literal["auto", "off", "required"]

FILES: Final = ("codegps.toml", "pyproject.toml")
"""Where settings may stand; the first that has some is the only one that counts."""
USERS_OWN: Final = ("store", "commands", "trusted")
"""Settings that a workspace must not make; named here for a better message."""


class Settings(msgspec.Struct, frozen=True):
    """All settings of a project, with their defaults."""

    exclude: tuple[str, ...] = ()
    """Patterns as in `.gitignore`: what they match is not read."""
    include: tuple[str, ...] = ()
    """Patterns as in `.gitignore`: vendored, generated or minified files to read all the same."""
    max_file_bytes: int = 2_000_000
    """Larger files are skipped."""
    lsp: Lsp = "auto"
    """Whether tools that ask a language server may, must not or must."""


def load(root: Path) -> Settings:
    """The settings of this root; the defaults where nobody made any."""
    for name in FILES:
        try:
            source = (root / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise SettingError(f"{name} cannot be read: {error.strerror}.") from None
        if name == "pyproject.toml" and b"codegps" not in source:
            continue
        table = _table(name, source)
        if table is not None:
            return _settings(name, source.decode("utf-8"), table)
    return Settings()


def _table(name: str, source: bytes) -> dict[str, Any] | None:
    """Our table of a TOML file; None where a `pyproject.toml` has none."""
    try:
        everything: dict[str, Any] = tomllib.loads(source.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise SettingError(f"{name}, line {line}: this is not UTF-8. Save the file as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{name}: this is not TOML: {error}.") from None
    if name != "pyproject.toml":
        return everything
    tools: Any = everything.get("tool")
    table: Any = cast("dict[str, Any]", tools).get("codegps") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        line = _line(name, source.decode("utf-8"), "codegps")
        raise SettingError(f"{name}, line {line}: tool.codegps must be a table, [tool.codegps].")
    return cast("dict[str, Any] | None", table)


def _settings(name: str, text: str, table: dict[str, Any]) -> Settings:
    for key, value in table.items():
        problem = _problem(key, value)
        if problem:
            raise SettingError(f"{name}, line {_line(name, text, key)}: {problem}")
    return msgspec.convert(table, Settings)


def _problem(key: str, value: object) -> str:
    """What is wrong with a setting, as the end of a sentence; empty if nothing is."""
    check = _CHECKS.get(key)
    if check is not None:
        return check(key, value)
    if key in USERS_OWN:
        return f"{key} is a setting of yours, not of a project: give it on the command line or in the environment."
    near = get_close_matches(key, _CHECKS, 1)
    known = f"Did you mean {near[0]}?" if near else f"There are {', '.join(_CHECKS)}."
    return f"there is no setting {key}. {known}"


def _patterns(key: str, value: object) -> str:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in cast("list[object]", value)):
        return f'{key} must be a list of patterns as in .gitignore, such as {key} = ["docs/", "*_pb2.py"].'
    # Imported here because it is slow to load and most projects have no patterns.
    from pathspec import GitIgnoreSpec

    for pattern in cast("list[str]", value):
        try:
            GitIgnoreSpec.from_lines([pattern])
        except (ValueError, re.error):
            return f"{key} has {pattern!r}, which is no pattern as in .gitignore."
    return ""


def _bytes(key: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        return f"{key} must be a whole number of bytes over 0, such as {key} = 2000000."
    return ""


def _lsp(key: str, value: object) -> str:
    return "" if value in ("auto", "off", "required") else f'{key} must be "auto", "off" or "required".'


_CHECKS: Final[dict[str, Callable[[str, object], str]]] = {
    "exclude": _patterns,
    "include": _patterns,
    "max_file_bytes": _bytes,
    "lsp": _lsp,
}


def _line(name: str, text: str, key: str) -> int:
    """The line where a key of our table is set; the table's own, or 1, where it is written in some rarer way."""
    inside = name != "pyproject.toml"
    best = 1
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[+\s*([^\]]*?)\s*\]", line)
        if header:
            title = re.sub(r"[\s\"']", "", header[1])
            inside = title == "tool.codegps" if name == "pyproject.toml" else False
            wanted = title.rpartition(".")[2] == key
            if inside or wanted:
                best = number
            if wanted:
                return number
        elif re.match(rf"\s*(tool\.)?(codegps\.)?[\"']?{re.escape(key)}[\"']?\s*[=.]", line):
            if inside:
                return number
            best = number if best == 1 else best
    return best
