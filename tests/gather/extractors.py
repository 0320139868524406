"""Extractors that do what none should: what a worker is told to import."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from codegps.gather import empty_facts
from codegps.language import Language, ModuleFinder, Project, Semantics
from codegps.model.facts import FACTS, HEAD, FileFacts


def finder(project: Project) -> ModuleFinder:
    raise AssertionError("gathering finds no modules")


def language(extract: Callable[[bytes, str], FileFacts]) -> Language:
    return Language(name="toy", version=7, extensions=(".toy",), extract=extract, finder=finder, semantics=Semantics())


def facts(text: str) -> FileFacts:
    """Facts that hold this text and nothing else."""
    return FACTS.decode(empty_facts("toy/7", "x.toy", 1, text))


def said(encoded: bytes) -> list[str]:
    """The diagnostics of encoded facts."""
    return [d.message for d in HEAD.decode(FACTS.decode(encoded).head).diagnostics]


def echo(source: bytes, path: str) -> FileFacts:
    return facts(f"{path}: {source.decode('utf-8', 'replace')}")


def tell_process(source: bytes, path: str) -> FileFacts:
    return facts(str(os.getpid()))


def obey(source: bytes, path: str) -> FileFacts:
    """Does what the file says."""
    for word in source.decode().split():
        if word == "die":
            os._exit(3)
        elif word == "abort":
            os.abort()
        elif word == "die-once":
            mark = Path(os.environ["MARK"])
            if not mark.exists():
                mark.touch()
                os._exit(3)
        elif word == "hang":
            time.sleep(600)
        elif word == "spin":
            while True:
                pass
        elif word == "print":
            print("noise" * 1_000, flush=True)
            os.write(1, b"more noise")
        elif word == "exit":
            sys.exit("words on the way out")
        elif word == "memory":
            raise MemoryError
        elif word == "key":
            raise KeyError("lost")
        elif word == "deep":
            return obey(source, path)
    return facts("fine")
