"""Paths of the tree: `/` between the parts, no `.` or `..`, the root is the empty string."""

from __future__ import annotations

from collections.abc import Iterator


def joined(folder: str, written: str) -> str | None:
    """`written` in a file of `folder`, as a path of the tree; None where it leads out of it."""
    if written.startswith("/") or written[1:2] == ":":
        return None
    parts = folder.split("/") if folder else []
    for part in written.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part and part != ".":
            parts.append(part)
    return "/".join(parts)


def inside(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder and name else folder or name


def above(path: str) -> str:
    return path.rpartition("/")[0]


def ancestors(folder: str) -> Iterator[str]:
    """The folder itself, then those around it, the root last."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def within(path: str, folder: str) -> str | None:
    """What is left of a path below a folder; None where it is not below."""
    if not folder or path == folder:
        return "" if path == folder else path
    return path[len(folder) + 1 :] if path.startswith(f"{folder}/") else None


def shared(one: str, other: str) -> int:
    """How many leading folders two paths have in common."""
    count = 0
    for left, right in zip(one.split("/") if one else (), other.split("/"), strict=False):
        if left != right:
            break
        count += 1
    return count
