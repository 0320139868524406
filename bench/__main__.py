"""Everything that is measured, printed in one run: how quick, how true, against whom. `python -m bench --help`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

from bench.corpora import NotFetched


def speed(options: argparse.Namespace) -> None:
    from bench import speed

    speed.report(runs=options.runs, edits=options.edits, seed=options.seed)


def truth(options: argparse.Namespace) -> None:
    from bench.truth.report import report

    report(options.project, options.causes, options.again)


def answers(options: argparse.Namespace) -> None:
    from bench import answers

    answers.report(count=options.symbols)


def servers(options: argparse.Namespace) -> None:
    from bench import servers

    servers.report(options.project)


def toon(options: argparse.Namespace) -> None:
    del options
    from bench import corpora, toon

    with corpora.copy(corpora.source("django", "5.2")) as root:
        toon.main(str(root / "django"))


def typescript(options: argparse.Namespace) -> None:
    del options
    from bench import typescript

    typescript.main([])


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "speed": speed,
    "truth": truth,
    "answers": answers,
    "servers": servers,
    "toon": toon,
    "typescript": typescript,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", action="append", choices=PARTS, default=[], help="this part; may be repeated")
    parser.add_argument("--project", action="append", default=[], help="truth, servers: this project; may be repeated")
    parser.add_argument("--again", action="store_true", help="truth: run the tests again, whatever an earlier run saw")
    parser.add_argument("--causes", type=int, default=12, help="truth: how many causes of misses are shown")
    parser.add_argument("--runs", type=int, default=3, help="speed: the best of so many")
    parser.add_argument("--edits", type=int, default=50, help="speed: how many functions are edited")
    parser.add_argument("--seed", type=int, default=1, help="speed: which ones")
    parser.add_argument("--symbols", type=int, default=1000, help="answers: how many symbols are asked for")
    options = parser.parse_args(arguments)
    failed = 0
    for name in options.only or PARTS:
        started = time.perf_counter()
        print(f"== {name} ==", flush=True)
        try:
            PARTS[name](options)
        except NotFetched as reason:
            failed = 1
            print(f"not measured: {reason}")
        print(f"({time.perf_counter() - started:.0f} s)\n", flush=True)
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
