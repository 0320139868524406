"""Every error that a user of CodeGPS can meet; each message says what to do next.

CodeGPSError                 the family; doors render its message, never a traceback
├── UsageError               wrong arguments: exit status 2 on the command line
├── RootError                the root is missing, a file, unreadable
├── SettingError             a setting is wrong: names the file, the line and the key
├── IndexError_              the index cannot be used: damaged, newer, locked, not there yet
│   ├── IndexOutdated        an older version wrote it: to be rebuilt
│   ├── IndexLocked          another process is writing, and it says which
│   └── IndexBusy            the first index is still being built: how far it is, ask again
└── ToolError                a tool cannot answer; carries the object a contract fixes, if any
"""

from typing import Any


class CodeGPSError(Exception):
    """Something that the user can mend; the message says how."""


class UsageError(CodeGPSError):
    """Wrong arguments."""


class RootError(CodeGPSError):
    """The folder to index cannot be used."""


class SettingError(CodeGPSError):
    """A setting is wrong."""


class IndexError_(CodeGPSError):
    """The stored graph cannot be used."""


class IndexOutdated(IndexError_):
    """An older version wrote the index; it is to be rebuilt."""


class IndexLocked(IndexError_):
    """Another process writes to the index."""


class IndexBusy(IndexError_):
    """The first index is not finished."""


class ToolError(CodeGPSError):
    """A tool cannot answer. `payload` is the error object where a contract fixes one."""

    def __init__(self, message: str, payload: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.payload = payload
