"""An agent's configuration file in; the same file with or without our entry, written whole or not at all, out."""

from __future__ import annotations

import contextlib
import copy
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from codegps.errors import CodeGPSError
from codegps.serve.connect import jsonc, toml
from codegps.serve.connect.agents import NAME, Agent


def connected(agent: Agent, root: Path) -> bool:
    """Whether the file has an entry of ours; a broken file has none."""
    try:
        text = _read(agent.file(root))
        return _lookup(_data(agent, text), entry_path(agent, text)) is not None
    except CodeGPSError:
        return False


def write(agent: Agent, root: Path, entry: Mapping[str, Any]) -> bool:
    """Puts the entry in; False if it was there already."""
    return _edit(agent, root, entry)


def remove(agent: Agent, root: Path) -> bool:
    """Takes the entry out; False if there was none."""
    return _edit(agent, root, None)


def entry_path(agent: Agent, text: str) -> tuple[str, ...]:
    """Where our entry belongs; newer opencode files nest servers one level deeper than older ones."""
    if agent.name == "opencode" and text.strip():
        servers = _lookup(_data(agent, text), (*agent.keys, "servers"))
        if isinstance(servers, dict) and not {"type", "command", "url", "enabled"} & set(
            cast("dict[str, Any]", servers)
        ):
            return (*agent.keys, "servers", NAME)
    return (*agent.keys, NAME)


def _edit(agent: Agent, root: Path, entry: Mapping[str, Any] | None) -> bool:
    file = agent.file(root)
    old = _read(file)
    format_ = toml if agent.is_toml else jsonc
    try:
        path = entry_path(agent, old)
        new = format_.remove_entry(old, path) if entry is None else format_.set_entry(old, path, entry)
        if new == old:
            return False
        if _others(_data(agent, new), path) != _others(_data(agent, old), path):
            raise CodeGPSError("the edit would change more than our entry; please make it by hand")
    except CodeGPSError as error:
        raise CodeGPSError(f"{file}, {error}. Nothing was changed.") from None
    _replace(file, new)
    return True


def _data(agent: Agent, text: str) -> Any:
    if agent.is_toml:
        return toml.parse(text)
    return jsonc.parse(text).data if text.strip("\ufeff \t\r\n") else {}


def _lookup(data: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        data = cast("dict[str, Any]", data).get(key) if isinstance(data, dict) else None
    return data


def _others(data: Any, path: tuple[str, ...]) -> Any:
    """Everything but our entry and the empty tables around it."""
    data = copy.deepcopy(data)
    parents = [data]
    for key in path[:-1]:
        parents.append(_lookup(parents[-1], (key,)))
    for key, parent in zip(reversed(path), reversed(parents), strict=True):
        if isinstance(parent, dict) and (key == path[-1] or parent.get(key) == {}):  # pyright: ignore[reportUnknownMemberType]
            cast("dict[str, Any]", parent).pop(key, None)
    return data


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise CodeGPSError(f"{file} is not UTF-8 (byte {error.start}). Nothing was changed.") from None
    except OSError as error:
        raise CodeGPSError(f"{file} cannot be read: {error.strerror}.") from None


def _replace(file: Path, text: str) -> None:
    """Writes beside the file and swaps, so that an agent never reads half of it. A link stays a link."""
    target = Path(os.path.realpath(file))
    mode = None
    try:
        if target.exists():
            mode = stat.S_IMODE(target.stat().st_mode)
            # Swapping would get around a file's write protection; somebody meant it.
            if not mode & 0o222:
                raise CodeGPSError(f"{file} is read-only. Nothing was changed.")
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".new")
    except OSError as error:
        raise CodeGPSError(f"{file} cannot be written: {error.strerror}. Nothing was changed.") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode())
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(0o644 if mode is None else mode)
        Path(name).replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise CodeGPSError(f"{file} cannot be written: {error.strerror}. Nothing was changed.") from None
