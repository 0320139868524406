"""Encoded facts in under the content they are of; the same bytes out, for every branch and worktree.

The cache is a folder of packs: files that are written once under a name of their own and never changed, each with an
index at its end. Nobody waits for anybody, a process that dies leaves a draft that nobody reads, and whatever is
missing or damaged is extracted again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import struct
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, NamedTuple

from codegps.model.facts import FACTS_VERSION

KEY_BYTES: Final = 16
MAGIC: Final = b"codegps facts 1\n"
RECORD: Final = struct.Struct(f">{KEY_BYTES}sQII")
"""Key, offset, length, checksum."""
FOOTER: Final = struct.Struct(">QII16s")
"""Offset of the index, number of records, checksum of the index, magic."""
SMALL_PACK: Final = 4_000_000
MANY_PACKS: Final = 24
"""So many small packs are merged into one."""
SWOLLEN_BYTES: Final = 256_000_000
SWOLLEN_SHARE: Final = 4
"""A cache of this size, and so many times what its roots need, is collected without being asked."""
DRAFT_SECONDS: Final = 86_400
"""A draft of this age has no writer any more."""


def facts_key(sha: str, language: str, version: int, name: str) -> bytes:
    """What facts depend on: the content, the extractor and the file's own name."""
    text = f"{FACTS_VERSION}\n{language}/{version}\n{sha}\n{name}"
    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=KEY_BYTES).digest()


class Collected(NamedTuple):
    """What a collection left and took away."""

    kept: int
    dropped: int
    bytes_freed: int


class _Pack:
    """A pack that is open for reading."""

    def __init__(self, path: Path) -> None:
        """Raises OSError; ValueError where it is damaged."""
        self.path = path
        self._file = path.open("rb", buffering=0)
        try:
            self._index = self._read_index()
        except BaseException:
            self._file.close()
            raise
        self.count = len(self._index) // RECORD.size

    def _read_index(self) -> bytes:
        size = self._file.seek(0, os.SEEK_END)
        if size < FOOTER.size:
            raise ValueError("too short")
        self._file.seek(size - FOOTER.size)
        start, count, checksum, magic = FOOTER.unpack(_exactly(self._file, FOOTER.size))
        if magic != MAGIC or start + count * RECORD.size + FOOTER.size != size:
            raise ValueError("no footer")
        self._file.seek(start)
        index = _exactly(self._file, count * RECORD.size)
        if zlib.crc32(index) != checksum:
            raise ValueError("damaged index")
        return index

    def get(self, key: bytes) -> bytes | None:
        record = self._find(key)
        return None if record is None else self.read(record)

    def has(self, key: bytes) -> bool:
        return self._find(key) is not None

    def _find(self, key: bytes) -> tuple[bytes, int, int, int] | None:
        """Halves the index, which is ordered by key."""
        low, high = 0, self.count
        while low < high:
            middle = (low + high) // 2
            at = middle * RECORD.size
            if self._index[at : at + KEY_BYTES] < key:
                low = middle + 1
            else:
                high = middle
        at = low * RECORD.size
        if low == self.count or self._index[at : at + KEY_BYTES] != key:
            return None
        return RECORD.unpack_from(self._index, at)

    def read(self, record: tuple[bytes, int, int, int]) -> bytes | None:
        """None where the bytes are not those that were written."""
        _, offset, length, checksum = record
        try:
            self._file.seek(offset)
            data = _exactly(self._file, length)
        except (OSError, ValueError):
            return None
        return data if zlib.crc32(data) == checksum else None

    def records(self) -> Iterator[tuple[bytes, int, int, int]]:
        yield from RECORD.iter_unpack(self._index)

    def close(self) -> None:
        self._file.close()


def _exactly(file: BinaryIO, count: int) -> bytes:
    data = file.read(count)
    while len(data) < count:
        more = file.read(count - len(data))
        if not more:
            raise ValueError("cut off")
        data += more
    return data


class _Draft:
    """A pack that is being written. What is in it can be read at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / f"draft-{os.getpid()}-{secrets.token_hex(6)}"
        self._file = self._path.open("w+b")
        self._end = 0
        self.records: dict[bytes, tuple[int, int, int]] = {}

    def put(self, key: bytes, data: bytes) -> None:
        """Raises OSError."""
        if key in self.records:
            return
        self._file.seek(self._end)
        self._file.write(data)
        self.records[key] = (self._end, len(data), zlib.crc32(data))
        self._end += len(data)

    def get(self, key: bytes) -> bytes | None:
        found = self.records.get(key)
        if found is None:
            return None
        self._file.seek(found[0])
        data = self._file.read(found[1])
        return data if zlib.crc32(data) == found[2] else None

    def publish(self) -> Path | None:
        """Raises OSError. None where there is nothing in it."""
        if not self.records:
            self.drop()
            return None
        index = b"".join(RECORD.pack(key, *self.records[key]) for key in sorted(self.records))
        self._file.seek(self._end)
        self._file.write(index + FOOTER.pack(self._end, len(self.records), zlib.crc32(index), MAGIC))
        self._file.close()
        name = hashlib.blake2b(index, digest_size=8).hexdigest()
        path = self._folder / f"{name}-{secrets.token_hex(4)}.pack"
        self._path.replace(path)
        return path

    def drop(self) -> None:
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self._path.unlink()


class FactsCache:
    """Facts by key. Where its folder cannot be used it still works, in memory, for as long as it is open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._packs: list[_Pack] | None = None
        self._draft: _Draft | None = None
        self._memory: dict[bytes, bytes] | None = None
        """In use once a write failed: the disk is full, the folder read-only."""

    def __enter__(self) -> FactsCache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, key: bytes) -> bytes | None:
        if self._draft is not None and (data := self._draft.get(key)) is not None:
            return data
        if self._memory is not None and key in self._memory:
            return self._memory[key]
        for pack in self._open_packs():
            data = pack.get(key)
            if data is not None:
                return data
        return None

    def put(self, key: bytes, data: bytes) -> None:
        if self._memory is None:
            try:
                if self._draft is None:
                    self.folder.mkdir(parents=True, exist_ok=True)
                    self._draft = _Draft(self.folder)
                self._draft.put(key, data)
                return
            except OSError:
                self._rescue()
        assert self._memory is not None
        self._memory[key] = data

    def _rescue(self) -> None:
        """Keeps in memory what can still be read of a draft that cannot be written any more."""
        self._memory = {}
        draft, self._draft = self._draft, None
        if draft is None:
            return
        for key in list(draft.records):
            with contextlib.suppress(OSError):
                data = draft.get(key)
                if data is not None:
                    self._memory[key] = data
        draft.drop()

    def refer(self, user: Path, keys: Iterable[bytes]) -> None:
        """Notes that this root's index is made of these facts, so that a collection leaves them."""
        name = hashlib.blake2b(os.fsencode(user), digest_size=8).hexdigest()
        place = self.folder / "refs" / name
        draft = place.with_name(f"{name}-{os.getpid()}-{secrets.token_hex(4)}")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(os.fsencode(user) + b"\0" + b"".join(sorted(set(keys))))
            draft.replace(place)
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink()

    def close(self) -> None:
        """Lets others see what was put."""
        draft, self._draft = self._draft, None
        if draft is not None:
            try:
                if draft.publish() is not None:
                    self._merge()
            except OSError:
                draft.drop()
        for pack in self._packs or ():
            pack.close()
        self._packs = None

    def collect(self) -> Collected:
        """Drops the facts to which no root refers that is still there."""
        wanted = _referred(self.folder / "refs")
        for draft in self.folder.glob("draft-*"):
            _remove_if_old(draft)
        packs = self._open_packs()
        before = sum(_size(pack.path) for pack in packs)
        present = {record[0] for pack in packs for record in pack.records()}
        kept = len(present & wanted)
        if kept < len(present) or len(packs) > 1:
            self._rewrite(packs, wanted)
        after = sum(_size(path) for path in self.folder.glob("*.pack"))
        return Collected(kept, len(present) - kept, max(before - after, 0))

    def _merge(self) -> None:
        """Makes one pack of the many small ones that many small changes leave."""
        small = [path for path in self.folder.glob("*.pack") if _size(path) < SMALL_PACK]
        if len(small) <= MANY_PACKS:
            return
        for draft in self.folder.glob("draft-*"):
            _remove_if_old(draft)
        self._rewrite(_opened(small), None)
        packs = _opened(self.folder.glob("*.pack"))
        wanted = _referred(self.folder / "refs")
        needed = sum(record[2] for pack in packs for record in pack.records() if record[0] in wanted)
        if sum(_size(pack.path) for pack in packs) > max(SWOLLEN_BYTES, SWOLLEN_SHARE * needed):
            self._rewrite(packs, wanted)
        for pack in packs:
            pack.close()

    def _rewrite(self, packs: list[_Pack], wanted: set[bytes] | None) -> None:
        """Writes these packs into one, without what is not wanted, and removes them. Raises OSError."""
        draft = _Draft(self.folder)
        try:
            for pack in packs:
                for record in pack.records():
                    if (wanted is None or record[0] in wanted) and record[0] not in draft.records:
                        data = pack.read(record)
                        if data is not None:
                            draft.put(record[0], data)
            draft.publish()
        except BaseException:
            draft.drop()
            raise
        for pack in packs:
            pack.close()
            with contextlib.suppress(OSError):  # Windows keeps what another process reads; the next collection goes
                pack.path.unlink()
        if packs is self._packs:
            self._packs = None

    def _open_packs(self) -> list[_Pack]:
        if self._packs is None:
            self._packs = _opened(self.folder.glob("*.pack"))
        return self._packs


def _opened(paths: Iterable[Path]) -> list[_Pack]:
    """Those that can be opened. Damaged ones go: their facts are extracted again."""
    packs: list[_Pack] = []
    for path in sorted(paths):
        try:
            packs.append(_Pack(path))
        except OSError:
            continue  # merged by another process since we looked
        except (ValueError, struct.error):
            with contextlib.suppress(OSError):
                path.unlink()
    return packs


def _referred(refs: Path) -> set[bytes]:
    """Keys that some root needs. A root that is gone needs none."""
    keys: set[bytes] = set()
    for place in refs.glob("*"):
        try:
            root, _, data = place.read_bytes().partition(b"\0")
            if Path(os.fsdecode(root)).is_dir():
                keys.update(data[at : at + KEY_BYTES] for at in range(0, len(data), KEY_BYTES))
            else:
                place.unlink()
        except OSError:
            continue
    return keys


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _remove_if_old(draft: Path) -> None:
    with contextlib.suppress(OSError):
        if time.time() - draft.stat().st_mtime > DRAFT_SECONDS:
            draft.unlink()
