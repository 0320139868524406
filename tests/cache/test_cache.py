"""The facts cache: what is put is found by everybody, whatever happens to processes, disks and files."""

from __future__ import annotations

import errno
import os
import random
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from codegps import cache as module
from codegps.cache import Collected, FactsCache, facts_key


def key(n: int) -> bytes:
    return facts_key(f"{n:040}", "python", 1, "a.py")


def put(folder: Path, *entries: tuple[int, bytes]) -> None:
    with FactsCache(folder) as cache:
        for n, data in entries:
            cache.put(key(n), data)


def get(folder: Path, *numbers: int) -> list[bytes | None]:
    with FactsCache(folder) as cache:
        return [cache.get(key(n)) for n in numbers]


def packs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.pack"))


def test_a_key_depends_on_content_extractor_and_name() -> None:
    keys = {
        facts_key("a" * 40, "python", 1, "a.py"),
        facts_key("b" * 40, "python", 1, "a.py"),
        facts_key("a" * 40, "python", 2, "a.py"),
        facts_key("a" * 40, "javascript", 1, "a.py"),
        facts_key("a" * 40, "python", 1, "b.py"),
    }
    assert len(keys) == 5
    assert facts_key("a" * 40, "python", 1, "a.py") == facts_key("a" * 40, "python", 1, "a.py")


def test_what_is_put_is_found_at_once_and_later(tmp_path: Path) -> None:
    with FactsCache(tmp_path / "facts") as cache:
        assert cache.get(key(1)) is None
        cache.put(key(1), b"one")
        cache.put(key(2), b"")
        assert cache.get(key(1)) == b"one"
        cache.put(key(3), b"three" * 1_000)
        assert [cache.get(key(n)) for n in (1, 2, 3, 4)] == [b"one", b"", b"three" * 1_000, None]
    assert get(tmp_path / "facts", 1, 2, 3, 4) == [b"one", b"", b"three" * 1_000, None]


def test_a_cache_that_is_only_read_makes_nothing(tmp_path: Path) -> None:
    assert get(tmp_path / "facts", 1) == [None]
    assert not (tmp_path / "facts").exists()


def test_many_entries_are_all_found(tmp_path: Path) -> None:
    generator = random.Random(1)
    entries = {n: generator.randbytes(generator.randrange(300)) for n in range(2_000)}
    put(tmp_path, *entries.items())
    assert get(tmp_path, *entries) == list(entries.values())
    assert len(packs(tmp_path)) == 1


def test_readers_see_what_others_wrote_before_they_opened(tmp_path: Path) -> None:
    put(tmp_path, (1, b"one"))
    with FactsCache(tmp_path) as first, FactsCache(tmp_path) as second:
        first.put(key(2), b"two")
        second.put(key(3), b"three")
        assert second.get(key(2)) is None
    assert get(tmp_path, 1, 2, 3) == [b"one", b"two", b"three"]


def test_a_writer_that_dies_leaves_nothing_that_anybody_reads(tmp_path: Path) -> None:
    put(tmp_path, (1, b"one"))
    script = textwrap.dedent("""
        import os, sys
        from pathlib import Path
        from codegps.cache import FactsCache
        from tests.cache.test_cache import key
        cache = FactsCache(Path(sys.argv[1]))
        for n in range(2, 500):
            cache.put(key(n), b"x" * 1000)
        os._exit(9)
    """)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], env=environment, check=False)
    assert done.returncode == 9
    assert get(tmp_path, 1, 2, 3) == [b"one", None, None]
    drafts = list(tmp_path.glob("draft-*"))
    assert len(drafts) == 1
    with FactsCache(tmp_path) as cache:
        cache.refer(tmp_path, [key(1)])
        cache.collect()
    assert drafts[0].exists(), "its writer might still be at it"
    long_ago = time.time() - 100_000
    os.utime(drafts[0], (long_ago, long_ago))
    with FactsCache(tmp_path) as cache:
        cache.collect()
    assert not drafts[0].exists()


def test_processes_write_and_read_at_once(tmp_path: Path) -> None:
    script = textwrap.dedent("""
        import sys
        from pathlib import Path
        from codegps.cache import FactsCache
        from tests.cache.test_cache import key
        start = int(sys.argv[2])
        for n in range(start, start + 40):
            with FactsCache(Path(sys.argv[1])) as cache:
                cache.put(key(n), str(n).encode())
            with FactsCache(Path(sys.argv[1])) as cache:
                for m in range(start, n + 1):
                    assert cache.get(key(m)) in (str(m).encode(), None), m
    """)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-c", script, str(tmp_path)]
    running = [subprocess.Popen([*command, str(start)], env=environment) for start in (0, 1_000, 2_000)]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert len(packs(tmp_path)) <= 3 * (module.MANY_PACKS + 1), "small packs were merged"
    numbers = [*range(40), *range(1_000, 1_040), *range(2_000, 2_040)]
    found = get(tmp_path, *numbers)
    missing = [n for n, data in zip(numbers, found, strict=True) if data is None]
    assert [data for data in found if data is not None] == [str(n).encode() for n in numbers if n not in missing]
    assert missing == []


@pytest.mark.parametrize("where", ["data", "index", "footer", "end"])
def test_what_is_damaged_is_not_found(tmp_path: Path, where: str) -> None:
    put(tmp_path, (1, b"one" * 100), (2, b"two" * 100))
    (pack,) = packs(tmp_path)
    data = bytearray(pack.read_bytes())
    if where == "end":
        del data[-7:]
    else:
        data[{"data": 10, "index": 620, "footer": -20}[where]] ^= 0xFF
    pack.write_bytes(data)
    found = get(tmp_path, 1, 2)
    if where == "data":
        assert found == [None, b"two" * 100]
    else:
        assert found == [None, None]
        assert packs(tmp_path) == [], "a pack that cannot be read goes"
    put(tmp_path, (1, b"one" * 100), (2, b"two" * 100))
    assert get(tmp_path, 1, 2) == [b"one" * 100, b"two" * 100]


def test_what_is_no_pack_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "empty.pack").touch()
    (tmp_path / "text.pack").write_text("hello" * 100)
    put(tmp_path, (1, b"one"))
    assert get(tmp_path, 1) == [b"one"]


def test_small_packs_are_merged_and_nothing_is_lost(tmp_path: Path) -> None:
    for n in range(module.MANY_PACKS * 2 + 3):
        put(tmp_path, (n, str(n).encode()))
    assert len(packs(tmp_path)) <= module.MANY_PACKS
    assert get(tmp_path, *range(module.MANY_PACKS * 2 + 3)) == [
        str(n).encode() for n in range(module.MANY_PACKS * 2 + 3)
    ]


def test_a_swollen_cache_is_collected_without_being_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SWOLLEN_BYTES", 2_000)
    with FactsCache(tmp_path) as cache:
        cache.refer(tmp_path, [key(1)])
    for n in range(module.MANY_PACKS + 1):
        put(tmp_path, (n, b"x" * 200))
    assert get(tmp_path, 0, 1, 2) == [None, b"x" * 200, None]


def test_a_cache_that_its_roots_need_is_not_collected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SWOLLEN_BYTES", 2_000)
    with FactsCache(tmp_path) as cache:
        cache.refer(tmp_path, [key(n) for n in range(9)])
    for n in range(module.MANY_PACKS + 1):
        put(tmp_path, (n, b"x" * 200))
    assert get(tmp_path, 0, 20) == [b"x" * 200, b"x" * 200]


def test_a_full_disk_leaves_a_cache_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = FactsCache(tmp_path)
    cache.put(key(1), b"one")
    draft: Any = cache._draft  # pyright: ignore[reportPrivateUsage]

    def full(key: bytes, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(draft, "put", full)
    cache.put(key(2), b"two")
    assert (cache.get(key(1)), cache.get(key(2))) == (b"one", b"two")
    cache.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_disk_that_is_full_at_the_end_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, (1, b"one"))
    cache = FactsCache(tmp_path)
    cache.put(key(2), b"two")
    draft: Any = cache._draft  # pyright: ignore[reportPrivateUsage]
    draft._file.flush()
    with Path("/dev/full").open("r+b", buffering=0) as full:
        monkeypatch.setattr(draft, "_file", full)
        cache.close()
    assert get(tmp_path, 1, 2) == [b"one", None]
    assert [p.suffix for p in tmp_path.iterdir()] == [".pack"]


def test_a_folder_that_cannot_be_made_leaves_a_cache_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with FactsCache(tmp_path / "file" / "facts") as cache:
        cache.put(key(1), b"one")
        cache.refer(tmp_path, [key(1)])
        assert cache.get(key(1)) == b"one"


def test_collecting_keeps_what_living_roots_refer_to(tmp_path: Path) -> None:
    folder = tmp_path / "facts"
    roots = [tmp_path / name for name in ("main", "side", "gone")]
    for root in roots:
        root.mkdir()
    put(folder, (1, b"one"), (2, b"two" * 100), (3, b"three"))
    put(folder, (4, b"four"), (5, b"five" * 100))
    with FactsCache(folder) as cache:
        cache.refer(roots[0], [key(1), key(4)])
        cache.refer(roots[1], [key(3), key(4)])
        cache.refer(roots[2], [key(2)])
    roots[2].rmdir()
    with FactsCache(folder) as cache:
        done = cache.collect()
    assert (done.kept, done.dropped) == (3, 2)
    assert done.bytes_freed > 700
    assert get(folder, 1, 2, 3, 4, 5) == [b"one", None, b"three", b"four", None]
    assert len(packs(folder)) == 1
    with FactsCache(folder) as cache:
        assert cache.collect() == Collected(3, 0, 0)


def test_a_root_refers_to_what_it_named_last(tmp_path: Path) -> None:
    folder = tmp_path / "facts"
    put(folder, (1, b"one"), (2, b"two"))
    with FactsCache(folder) as cache:
        cache.refer(tmp_path, [key(1)])
        cache.refer(tmp_path, [key(2), key(2)])
        cache.collect()
    assert get(folder, 1, 2) == [None, b"two"]


def test_an_open_reader_survives_a_collection(tmp_path: Path) -> None:
    put(tmp_path, (1, b"one"), (2, b"two"))
    with FactsCache(tmp_path) as reader:
        assert reader.get(key(1)) == b"one"
        with FactsCache(tmp_path) as other:
            other.refer(tmp_path, [key(2)])
            other.collect()
        assert reader.get(key(2)) == b"two"
        assert reader.get(key(1)) in (b"one", None)
