"""A tool's signature in: its parameters, the JSON schema that clients see, and arguments checked against them, out.

This is the one place that reads signatures. The command line, the MCP menu and both argument checks are derived
from the `Parameter`s made here, so no parameter is declared twice.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Union, cast

import msgspec

from codegps.errors import UsageError
from codegps.tool import Tool

TEXT_LIMIT = 4_096
"""Characters in one string, where the parameter does not say otherwise."""
LIST_LIMIT = 1_000
"""Items in one list."""


class Required:
    """The default of a parameter that has none."""


class Parameter(NamedTuple):
    """One parameter of a tool, or one field of a parameter that is a structure."""

    name: str
    """As clients write it: `from`."""
    keyword: str
    """As the function has it: `from_`."""
    type: Any
    """Without `Annotated` and without `| None`."""
    description: str
    default: Any
    limit: int
    """Greatest length of a string."""

    @property
    def required(self) -> bool:
        return self.default is Required

    @property
    def fields(self) -> tuple[Parameter, ...]:
        """Of a structure; empty for everything else."""
        return fields_of(self.type) if is_structure(self.type) else ()


def is_structure(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def choices_of(kind: Any) -> tuple[str, ...]:
    """The values of a `Literal`, else nothing."""
    return typing.get_args(kind) if typing.get_origin(kind) is Literal else ()


def item_of(kind: Any) -> Any:
    """The type of a list's items; None for everything that is no list."""
    return typing.get_args(kind)[0] if typing.get_origin(kind) in (list, tuple) else None


def parameters(tool: Tool[...]) -> tuple[Parameter, ...]:
    """What the tool takes besides the graph, in order."""
    return _parameters(tool.function)


@lru_cache(maxsize=128)
def _parameters(function: Any) -> tuple[Parameter, ...]:
    code = function.__code__
    count = code.co_argcount
    names = code.co_varnames[: count + code.co_kwonlyargcount]
    defaults = dict(zip(names[:count][::-1], (function.__defaults__ or ())[::-1], strict=False))
    defaults.update(function.__kwdefaults__ or {})
    hints = typing.get_type_hints(function, include_extras=True)
    return tuple(_parameter(name, name.rstrip("_"), hints[name], defaults.get(name, Required)) for name in names[1:])


@lru_cache(maxsize=128)
def fields_of(structure: type[msgspec.Struct]) -> tuple[Parameter, ...]:
    hints = typing.get_type_hints(structure, include_extras=True)
    names = structure.__struct_fields__
    shown = structure.__struct_encode_fields__
    defaults = dict(zip(names[::-1], structure.__struct_defaults__[::-1], strict=False))
    return tuple(
        _parameter(name, label, hints[name], defaults.get(name, Required))
        for name, label in zip(names, shown, strict=True)
    )


def _parameter(keyword: str, name: str, hint: Any, default: Any) -> Parameter:
    description, limit = "", TEXT_LIMIT
    if hasattr(hint, "__metadata__"):
        for extra in hint.__metadata__:
            if isinstance(extra, str):
                description = extra
            elif isinstance(extra, int):
                limit = extra
        hint = hint.__origin__
    if typing.get_origin(hint) in (Union, types.UnionType):
        # None is how "not given" is said; clients leave the argument out instead.
        (hint,) = [part for part in typing.get_args(hint) if part is not type(None)]
        if hasattr(hint, "__metadata__"):
            return _parameter(keyword, name, hint, default)
    return Parameter(name, keyword, hint, description, default, limit)


# --- what clients see -------------------------------------------------------------------------------------------------


def schema(tool: Tool[...]) -> dict[str, Any]:
    """The tool's input schema."""
    return _object_schema(parameters(tool))


def _object_schema(members: tuple[Parameter, ...]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {member.name: _member_schema(member) for member in members},
        "required": [member.name for member in members if member.required],
    }


def _member_schema(member: Parameter) -> dict[str, Any]:
    result = _type_schema(member.type)
    if member.description:
        result["description"] = member.description
    if isinstance(member.default, bool | int | str):
        result["default"] = member.default
    elif member.default and isinstance(member.default, list | tuple):
        result["default"] = list(cast("list[str]", member.default))
    return result


def _type_schema(kind: Any) -> dict[str, Any]:
    if choices := choices_of(kind):
        return {"type": "string", "enum": list(choices)}
    if is_structure(kind):
        return _object_schema(fields_of(kind))
    if (item := item_of(kind)) is not None:
        return {"type": "array", "items": _type_schema(item)}
    return {"type": _TYPE_NAMES[kind]}


_TYPE_NAMES: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def usage(tool: Tool[...]) -> str:
    """The shape of a right call, for errors: `dependentsOf {"file_path": "…", "symbol": "…"}`."""
    needed = {member.name: _placeholder(member) for member in parameters(tool) if member.required}
    text = f"{tool.name} {json.dumps(needed, ensure_ascii=False)}"
    optional = [member.name for member in parameters(tool) if not member.required]
    return f"{text} (optional: {', '.join(optional)})" if optional else text


def _placeholder(member: Parameter) -> Any:
    if choices := choices_of(member.type):
        return choices[0]
    if members := member.fields:
        return {part.name: _placeholder(part) for part in members if part.required}
    if item_of(member.type) is not None:
        return ["…"]
    return {int: 1, float: 1.0, bool: True}.get(member.type, "…")


# --- checking arguments -----------------------------------------------------------------------------------------------


def accept(tool: Tool[...], arguments: object) -> dict[str, Any]:
    """Keyword arguments for the tool out of a client's JSON; a `UsageError` that shows the right call."""
    try:
        return _accept_members("", parameters(tool), arguments)
    except UsageError as error:
        raise UsageError(f"{tool.name}: {error}\nCall it as {usage(tool)}.") from None


def _accept_members(path: str, members: tuple[Parameter, ...], value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        what = f"`{path}`" if path else "the arguments"
        raise UsageError(f"{what} must be an object, not {_shown(value)}.")
    given = cast("Mapping[object, object]", value)
    known = {member.name: member for member in members}
    for name in given:
        if name not in known:
            raise UsageError(_unknown(_join(path, str(name)), str(name), list(known)))
    result: dict[str, Any] = {}
    for member in members:
        argument = given.get(member.name)
        if argument is None:
            if member.required:
                raise UsageError(f"`{_join(path, member.name)}` is missing.")
            continue
        result[member.keyword] = _accept_value(_join(path, member.name), member.type, member.limit, argument)
    return result


def _join(path: str, name: str) -> str:
    return f"{path}.{_short(name)}" if path else _short(name)


def _unknown(path: str, name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name[:100], known, 1)
    hint = f" Did you mean `{near[0]}`?" if near else ""
    return f"there is no parameter `{path}`.{hint}"


def _accept_value(path: str, kind: Any, limit: int, value: object) -> Any:
    if choices := choices_of(kind):
        if value not in choices:
            raise UsageError(f"`{path}` must be one of {', '.join(choices)}, not {_shown(value)}.")
        return value
    if is_structure(kind):
        return kind(**_accept_members(path, fields_of(kind), value))
    if (item := item_of(kind)) is not None:
        if not isinstance(value, list):
            raise UsageError(f"`{path}` must be a list, not {_shown(value)}.")
        values = cast("list[object]", value)
        if len(values) > LIST_LIMIT:
            raise UsageError(f"`{path}` has {len(values):,} items; the most is {LIST_LIMIT:,}.")
        made = [_accept_value(f"{path}[{i}]", item, limit, one) for i, one in enumerate(values)]
        return tuple(made) if typing.get_origin(kind) is tuple else made
    if kind is str:
        return _accept_text(path, limit, value)
    if kind is bool:
        if isinstance(value, bool):
            return value
    elif kind in (int, float) and isinstance(value, int | float) and not isinstance(value, bool):
        if kind is float:
            return float(value)
        if value == value // 1 and abs(value) < 2**53:
            return int(value)
    article = "an" if kind is int else "a"
    raise UsageError(f"`{path}` must be {article} {_TYPE_NAMES[kind]}, not {_shown(value)}.")


def _accept_text(path: str, limit: int, value: object) -> str:
    if not isinstance(value, str):
        raise UsageError(f"`{path}` must be a string, not {_shown(value)}.")
    if len(value) > limit:
        raise UsageError(f"`{path}` is {len(value):,} characters long; the most is {limit:,}.")
    if "\0" in value:
        raise UsageError(f"`{path}` contains a NUL character.")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"`{path}` is not valid Unicode.") from None
    return value


def _shown(value: object) -> str:
    """The value as JSON, short and without control characters."""
    try:
        return _short(json.dumps(value))
    except (TypeError, ValueError):
        return type(value).__name__


def _short(text: str) -> str:
    text = "".join(c if c.isprintable() else " " for c in text[:61])
    return text[:60] + "…" if len(text) > 60 else text
