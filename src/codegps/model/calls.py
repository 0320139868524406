"""The call-site graph as its readers see it: nodes, edges, and the three questions one may ask.

In: nothing (nouns and a contract). Out: what `find_calls_in_function` and `find_containing_function` walk, and what
they hand back. `query/README.md` draws the graph.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Literal, Protocol, runtime_checkable

import msgspec

FUNCTION: Final = "FUNCTION"
CLASS: Final = "CLASS"
MODULE: Final = "MODULE"
SCOPE: Final = "SCOPE"
CALL: Final = "CALL"
METHOD_CALL: Final = "METHOD_CALL"
VARIABLE: Final = "VARIABLE"

HAS_SCOPE: Final = "HAS_SCOPE"
CONTAINS: Final = "CONTAINS"
CALLS: Final = "CALLS"

CONTAINERS: Final = frozenset({FUNCTION, CLASS, MODULE})


class Node(Protocol):
    """What a node has to say of itself; any frozen object with these attributes will do."""

    @property
    def id(self) -> str: ...

    @property
    def type(self) -> str:
        """FUNCTION, CLASS, MODULE, SCOPE, CALL, METHOD_CALL, VARIABLE."""
        ...

    @property
    def name(self) -> str: ...

    @property
    def file(self) -> str | None: ...

    @property
    def line(self) -> int | None: ...

    @property
    def object(self) -> str | None:
        """A METHOD_CALL's receiver, as written; None for every other node."""
        ...


class Link(Protocol):
    """An edge between two nodes."""

    @property
    def src(self) -> str: ...

    @property
    def dst(self) -> str: ...

    @property
    def type(self) -> str:
        """HAS_SCOPE, CONTAINS, CALLS."""
        ...


class CallGraph(Protocol):
    """All that the shared queries ask. `CallSiteView` answers it from a store, a dict of nodes does in a test."""

    def get_node(self, node_id: str, /) -> Node | None: ...

    def get_outgoing_edges(self, node_id: str, edge_types: Collection[str] | None, /) -> Sequence[Link]:
        """Edges from a node, of these types or of all; a call's CALLS edges with the best proof first."""
        ...

    def get_incoming_edges(self, node_id: str, edge_types: Collection[str] | None, /) -> Sequence[Link]: ...


@runtime_checkable
class Batched(Protocol):
    """A graph that would rather be told which functions come next than be asked node by node."""

    def prepare(self, function_ids: Sequence[str], /) -> None: ...


class SiteNode(msgspec.Struct, frozen=True, kw_only=True):
    """A node of the view over a store."""

    id: str
    type: str
    name: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    object: str | None = None
    implicit: bool = False
    """A call that is not written as one: `with`, `for`, an operator, a property read."""
    external: str | None = None
    """A call that leaves the project: the library's dotted name."""


class SiteLink(msgspec.Struct, frozen=True):
    """An edge of the view over a store; CALLS edges say how they are known."""

    src: str
    dst: str
    type: str
    proof: str | None = None
    hops: int | None = None
    via: str | None = None


class CallTarget(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A function that a call may reach."""

    id: str
    name: str
    file: str | None = None
    line: int | None = None
    proof: str | None = None
    hops: int | None = None
    """How many steps the value travelled, where the proof is `inferred`."""
    via: str | None = None


class CallInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A function or method call found in code. Absent fields are left out of its JSON."""

    id: str
    name: str
    type: Literal["CALL", "METHOD_CALL"]
    object: str | None = None
    """The receiver's source text, `response` for `response.json()`."""
    resolved: bool = msgspec.field()
    """Whether the call has a CALLS edge."""
    target: CallTarget | None = None
    """The resolved target, or the first one."""
    targets: tuple[CallTarget, ...] = ()
    """Every target, the best proof first."""
    file: str | None = None
    line: int | None = None
    column: int | None = None
    depth: int = msgspec.field()
    """0 is a direct call; n is made by a function that is n calls away."""
    implicit: bool = False
    external: str | None = None


class CallerInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The function, class or module in which a call stands."""

    id: str
    name: str
    type: str
    """FUNCTION, CLASS or MODULE."""
    file: str | None = None
    line: int | None = None
    """Line of the call site."""


class FindCallsOptions(msgspec.Struct, frozen=True, kw_only=True):
    max_depth: int = 10
    """How deep nested blocks are followed."""
    transitive: bool = False
    """Follow the calls of the called, breadth first."""
    transitive_depth: int = 5
    """The deepest `depth` of a call that is handed back."""
    limit: int | None = None
    """Stop after this many calls (None: never)."""


class FunctionDetails(msgspec.Struct, frozen=True, kw_only=True):
    """What a function does, call by call, and who calls it."""

    id: str
    name: str
    file: str
    line: int
    is_async: bool
    transitive: bool
    calls: list[CallInfo]
    called_by: list[CallerInfo]
    more_calls: bool
    """The search stopped: there are more calls than these."""
    callers: int
    """How many containers call it, listed or not."""
