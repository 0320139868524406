"""From a signature to parameters, schemas and checked arguments."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from codegps.errors import UsageError
from codegps.query.graph import Graph
from codegps.serve.signature import accept, parameters, schema, usage
from codegps.tool import Answer, Tool, tool


class Point(msgspec.Struct):
    file_path: Annotated[str, "File of the point"]
    symbol: Annotated[str, "Name of the point", 20]


@tool("everything", command="everything", description="Takes everything.")
def everything(
    graph: Graph,
    from_: Annotated[Point, "Where it starts"],
    name: Annotated[str, "A name"],
    depth: Annotated[int, "How deep"] = 3,
    direction: Annotated[Literal["up", "down"], "Which way"] = "down",
    kinds: Annotated[list[str] | None, "Which kinds"] = None,
    whole: bool = False,
    share: float | None = None,
) -> Answer:
    return Answer("")


TOOL: Tool[...] = everything
GOOD: dict[str, Any] = {"from": {"file_path": "a.py", "symbol": "f"}, "name": "x"}


def test_parameters_come_in_order_without_the_graph() -> None:
    assert [p.name for p in parameters(TOOL)] == ["from", "name", "depth", "direction", "kinds", "whole", "share"]
    assert [p.name for p in parameters(TOOL) if p.required] == ["from", "name"]


def test_schema_is_what_the_signature_says() -> None:
    assert schema(TOOL) == {
        "type": "object",
        "properties": {
            "from": {
                "type": "object",
                "properties": {
                    "file_path": {"type": "string", "description": "File of the point"},
                    "symbol": {"type": "string", "description": "Name of the point"},
                },
                "required": ["file_path", "symbol"],
                "description": "Where it starts",
            },
            "name": {"type": "string", "description": "A name"},
            "depth": {"type": "integer", "description": "How deep", "default": 3},
            "direction": {
                "type": "string",
                "enum": ["up", "down"],
                "description": "Which way",
                "default": "down",
            },
            "kinds": {"type": "array", "items": {"type": "string"}, "description": "Which kinds"},
            "whole": {"type": "boolean", "default": False},
            "share": {"type": "number"},
        },
        "required": ["from", "name"],
    }


def test_usage_shows_the_right_call() -> None:
    assert usage(TOOL) == (
        'everything {"from": {"file_path": "…", "symbol": "…"}, "name": "…"} '
        "(optional: depth, direction, kinds, whole, share)"
    )


def test_arguments_become_keywords() -> None:
    given = {**GOOD, "depth": 5.0, "direction": "up", "kinds": ["a"], "whole": True, "share": 1}
    assert accept(TOOL, given) == {
        "from_": Point("a.py", "f"),
        "name": "x",
        "depth": 5,
        "direction": "up",
        "kinds": ["a"],
        "whole": True,
        "share": 1.0,
    }


def test_null_is_an_argument_left_out() -> None:
    assert accept(TOOL, {**GOOD, "depth": None, "kinds": None}) == {"from_": Point("a.py", "f"), "name": "x"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": None}, "`name` is missing."),
        ({"from": None}, "`from` is missing."),
        ({"from": {"symbol": "f"}}, "`from.file_path` is missing."),
        ({"from": "a.py"}, '`from` must be an object, not "a.py".'),
        ({"name": 3}, "`name` must be a string, not 3."),
        ({"name": ["x"]}, '`name` must be a string, not ["x"].'),
        ({"depth": "3"}, '`depth` must be an integer, not "3".'),
        ({"depth": True}, "`depth` must be an integer, not true."),
        ({"depth": 1.5}, "`depth` must be an integer, not 1.5."),
        ({"depth": float("nan")}, "`depth` must be an integer, not NaN."),
        ({"depth": float("inf")}, "`depth` must be an integer, not Infinity."),
        ({"depth": 10**30}, "`depth` must be an integer, not 1000000000000000000000000000000."),
        ({"direction": "sideways"}, '`direction` must be one of up, down, not "sideways".'),
        ({"direction": ["up"]}, '`direction` must be one of up, down, not ["up"].'),
        ({"kinds": "a"}, '`kinds` must be a list, not "a".'),
        ({"kinds": ["a", 1]}, "`kinds[1]` must be a string, not 1."),
        ({"kinds": ["a"] * 1001}, "`kinds` has 1,001 items; the most is 1,000."),
        ({"whole": 1}, "`whole` must be a boolean, not 1."),
        ({"name": "x" * 5000}, "`name` is 5,000 characters long; the most is 4,096."),
        ({"from": {"file_path": "a.py", "symbol": "f" * 21}}, "`from.symbol` is 21 characters long; the most is 20."),
        ({"name": "a\0b"}, "`name` contains a NUL character."),
        ({"name": "\ud800"}, "`name` is not valid Unicode."),
        ({"dept": 3}, "there is no parameter `dept`. Did you mean `depth`?"),
        ({"from": {**GOOD["from"], "line": 1}}, "there is no parameter `from.line`."),
        ({"x" * 500: 1}, f"there is no parameter `{'x' * 60}…`."),
        ({"\x1b[31mred": 1}, "there is no parameter ` [31mred`."),
    ],
)
def test_wrong_arguments_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        accept(TOOL, {**GOOD, **change})
    assert str(caught.value) == f"everything: {message}\nCall it as {usage(TOOL)}."


@pytest.mark.parametrize("given", [None, [], "x", 3])
def test_arguments_that_are_no_object(given: object) -> None:
    with pytest.raises(UsageError, match="the arguments must be an object, not "):
        accept(TOOL, given)
