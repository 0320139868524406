"""The few records of the Language Server Protocol that we speak; what a server says beside them is ignored."""

from __future__ import annotations

from typing import Annotated

import msgspec

Natural = Annotated[int, msgspec.Meta(ge=0, le=(1 << 31) - 1)]


class Position(msgspec.Struct, frozen=True, gc=False):
    line: Natural
    character: Natural


class Range(msgspec.Struct, frozen=True, gc=False):
    start: Position
    end: Position


class Place(msgspec.Struct, frozen=True, rename="camel", gc=False):
    """A Location or a LocationLink, whichever the server prefers."""

    uri: str = ""
    range: Range | None = None
    target_uri: str = ""
    target_selection_range: Range | None = None


Places = Place | list[Place] | None


class DocumentSymbol(msgspec.Struct, frozen=True, rename="camel"):
    """`selection_range` is absent in the flat form (SymbolInformation), which does not say where the name stands."""

    name: str
    kind: int
    selection_range: Range | None = None
    children: list[DocumentSymbol] = []


class CallItem(msgspec.Struct, frozen=True, rename="camel", gc=False):
    name: str
    uri: str
    selection_range: Range


class OutgoingCall(msgspec.Struct, frozen=True, rename="camel", gc=False):
    to: CallItem
    from_ranges: list[Range]


class Capabilities(msgspec.Struct, frozen=True, rename="camel"):
    """Each provider is a boolean or a table of options."""

    position_encoding: str = "utf-16"
    definition_provider: object = None
    references_provider: object = None
    document_symbol_provider: object = None
    call_hierarchy_provider: object = None


class InitializeResult(msgspec.Struct, frozen=True):
    capabilities: Capabilities


class ServerStatus(msgspec.Struct, frozen=True):
    """rust-analyzer's word that it has read the project."""

    quiescent: bool = False


class ConfigurationItem(msgspec.Struct, frozen=True):
    section: str | None = None


class ConfigurationParams(msgspec.Struct, frozen=True):
    items: list[ConfigurationItem]


class Fault(msgspec.Struct, frozen=True):
    code: int
    message: str = ""


class Incoming(msgspec.Struct):
    """A request (method and id), a notification (method alone) or an answer (id alone)."""

    id: int | str | None = None
    method: str | None = None
    params: msgspec.Raw = msgspec.Raw(b"null")
    result: msgspec.Raw = msgspec.Raw(b"null")
    error: Fault | None = None


def client_capabilities() -> dict[str, object]:
    """What we tell a server we can do: little, so that it asks little."""
    return {
        "general": {"positionEncodings": ["utf-32", "utf-8", "utf-16"]},
        "textDocument": {
            "synchronization": {"dynamicRegistration": False},
            "definition": {"linkSupport": True},
            "references": {},
            "callHierarchy": {},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        },
        "workspace": {
            "configuration": True,
            "workspaceFolders": True,
            "didChangeConfiguration": {"dynamicRegistration": False},
            "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        },
        "window": {"workDoneProgress": False},
        "experimental": {"serverStatusNotification": True},
    }
