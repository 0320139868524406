"""Contract: what makes a function a tool.

One typed function in `tools/` is an MCP tool, a CLI command and a Python call. `@tool` keeps its name and texts
beside it; doors derive everything else from the signature: `Annotated[str, "description"]` describes a parameter, a
default makes it optional, `Literal` is an enum. The first parameter is always the `Graph` and is not shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, ParamSpec

import msgspec

P = ParamSpec("P")


class Answer(msgspec.Struct, frozen=True):
    """What a tool says: the contract's text, and what we add to it (absent when there is nothing to say)."""

    text: str
    note: str = ""
    data: Any = None
    """JSON tools: the object whose JSON is `text`; doors send it as structured content. None for text tools."""


class Tool(Generic[P]):
    """A registered tool. Calling it calls the function."""

    def __init__(
        self,
        function: Callable[P, Answer],
        name: str,
        command: str,
        description: str,
        examples: tuple[str, ...],
        rate_limit: int,
    ) -> None:
        self.function = function
        self.name = name
        """The MCP name: `dependenciesOf`."""
        self.command = command
        """The CLI command: `dependencies-of`. The Python name is the function's."""
        self.description = description
        """What an agent reads: what it is for, and when it beats grep."""
        self.examples = examples
        """CLI arguments after the command, shown by `--help`."""
        self.rate_limit = rate_limit
        """Requests a second for one client session over MCP; 0 is no limit."""
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Answer:
        return self.function(*args, **kwargs)


def tool(
    name: str,
    *,
    command: str,
    description: str,
    examples: tuple[str, ...] = (),
    rate_limit: int = 0,
) -> Callable[[Callable[P, Answer]], Tool[P]]:
    """Makes the function under it a tool."""

    def register(function: Callable[P, Answer]) -> Tool[P]:
        return Tool(function, name, command, description, examples, rate_limit)

    return register
