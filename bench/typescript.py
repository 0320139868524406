"""How true the call edges of TypeScript are: real packages in; precision and recall against the compiler's answers out.

python -m bench.typescript [--package NAME]... [--unseen] [--misses N] [--json FILE]

The packages come from npm with their TypeScript sources, the oracle is the compiler's own resolution of every call
(`typescript_oracle.js`, on Node). **Precision** is over all call edges at sites whose answer the compiler knows: one
to the function that the compiler names, to what implements or overrides it, or to a function that a library was given
there. **Recall** is over the sites with one target in the project. An interface's or abstract member, and one with
overrides, is right itself and so is each of its implementations; how often one of these is found is told apart.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import codegps
from codegps.model.graph import Edge, Symbol
from codegps.model.kinds import CLASS_KINDS, EdgeKind, Kind, Proof, Reason, Via

HERE: Final = Path(__file__).parent
WORK: Final = HERE / ".work" / "typescript"
ORACLE: Final = HERE / "typescript_oracle.js"
COMPILER: Final = "typescript@5.9"
FUNCTIONS: Final = frozenset({Kind.Function, Kind.Method, Kind.Constructor, Kind.Property})


class Package(NamedTuple):
    name: str
    version: str
    folder: str = "src"
    """Where the sources are in the package."""
    types: tuple[str, ...] = ()
    """Further packages whose types it needs."""


PACKAGES: Final = (
    Package("zod", "4.1.12"),
    Package("rxjs", "7.8.2"),
    Package("@trpc/server", "11.25.2"),
    Package("@reduxjs/toolkit", "2.12.0", "src", ("@types/react", "react")),
    Package("mobx", "6.15.0"),
    Package("ajv", "8.17.1", "lib"),
    Package("chevrotain", "11.2.0"),
    Package("mongodb", "7.8.0"),
    Package("@grpc/grpc-js", "1.14.7"),
    Package("@loopback/context", "8.0.15"),
)
UNSEEN: Final = (
    Package("bson", "7.3.4"),
    Package("ethers", "6.17.0", "src.ts"),
    Package("puppeteer-core", "24.43.1"),
    Package("botbuilder-core", "4.23.3"),
    Package("@tiptap/core", "3.34.0"),
    Package("tone", "15.5.44", "Tone"),
    Package("@tanstack/query-core", "5.108.0"),
    Package("@deck.gl/core", "9.4.0"),
    Package("openai", "6.49.0"),
    Package("@loopback/rest", "15.0.16"),
)


# -- getting the sources


def npm(folder: Path, *arguments: str) -> str:
    """Runs npm in a folder of the work tree; nothing of a package is executed."""
    program = shutil.which("npm")
    if program is None:
        raise SystemExit("The oracle needs Node and npm on PATH.")
    folder.mkdir(parents=True, exist_ok=True)
    quiet = ("--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--prefix", ".")
    command = [program, arguments[0], *quiet, *arguments[1:]]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def compiler() -> Path:
    folder = WORK / "compiler"
    found = folder / "node_modules" / "typescript"
    if not found.is_dir():
        npm(folder, "install", COMPILER)
    return found


def fetched(package: Package) -> Path:
    """The tree to index: manifest, configuration and sources, below a folder that has the package's dependencies."""
    folder = WORK / f"{package.name.replace('/', '-').lstrip('@')}-{package.version}"
    tree = folder / "tree"
    if not tree.is_dir():
        npm(folder, "install", f"{package.name}@{package.version}", "@types/node@22", *package.types)
        installed = folder / "node_modules" / package.name
        made = folder / "made"
        shutil.rmtree(made, ignore_errors=True)
        shutil.copytree(installed / package.folder, made / package.folder)
        for name in ("package.json", "tsconfig.json"):
            if (installed / name).is_file():
                shutil.copy(installed / name, made / name)
        shutil.rmtree(installed)
        made.rename(tree)
    return tree


def answers(package: Package, tree: Path) -> dict[str, Any]:
    """What the compiler says, kept beside the tree."""
    kept = tree.parent / "oracle.json"
    if not kept.is_file() or kept.stat().st_mtime < ORACLE.stat().st_mtime:
        command = ["node", "--max-old-space-size=4096", str(ORACLE), str(compiler()), str(tree)]
        kept.write_text(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return json.loads(kept.read_text())


# -- comparing


class Miss(NamedTuple):
    """One place where the two differ."""

    sort: str
    form: str
    cause: str
    place: str
    text: str


class Score:
    """Counts of one package."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.files = 0
        self.lines = 0
        self.sites = 0
        self.unmatched = 0
        """Sites of the compiler that the index has no call at."""
        self.right: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        """Edges by proof."""
        self.found: Counter[str] = Counter()
        self.missed: Counter[str] = Counter()
        """Sites by form."""
        self.several_found = 0
        self.several = 0
        """Sites with implementations, and those where one was found."""
        self.misses: list[Miss] = []

    @property
    def precision(self) -> float:
        return ratio(self.right.total(), self.wrong.total())

    @property
    def recall(self) -> float:
        return ratio(self.found.total(), self.missed.total())

    @property
    def implementations(self) -> float:
        return self.several_found / self.several if self.several else 1.0

    def add(self, other: Score) -> None:
        for name in ("files", "lines", "sites", "unmatched", "several", "several_found"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.right += other.right
        self.wrong += other.wrong
        self.found += other.found
        self.missed += other.missed
        self.misses += [each._replace(place=f"{other.name} {each.place}") for each in other.misses]


def ratio(good: int, bad: int) -> float:
    return good / (good + bad) if good + bad else 1.0


class Comparison:
    """One package's graph and the compiler's answers."""

    def __init__(self, graph: codegps.Graph, oracle: dict[str, Any], name: str) -> None:
        self.store = graph.store
        self.root = graph.root
        self.oracle = oracle
        self.score = Score(name)
        self.score.files, self.score.lines = oracle["files"], oracle["lines"]
        self.by_file: dict[str, list[Symbol]] = {}
        self.symbols: dict[int, Symbol] = {}
        for symbol in self.store.all_symbols():
            self.symbols[symbol.key] = symbol
            self.by_file.setdefault(symbol.file, []).append(symbol)
        self.keys = [self._key(row) for row in oracle["definitions"]]
        self.lines: dict[str, list[str]] = {}

    def _key(self, row: list[Any]) -> int:
        """The symbol of a definition: the smallest of a fitting kind around it."""
        file, line, column, name, signature = row
        fits: list[tuple[int, int]] = []
        for symbol in self.by_file.get(file, ()):
            if symbol.kind not in FUNCTIONS and symbol.kind not in CLASS_KINDS:
                continue
            if signature and symbol.name != name.strip("\"'"):
                continue
            first, last = (symbol.start_line, symbol.start_column), (symbol.end_line, symbol.end_column)
            if first <= (line, column) < last:
                size = (symbol.end_line - symbol.start_line) * 10_000 + symbol.end_column - symbol.start_column
                fits.append((size, symbol.key))
            elif symbol.name == name.strip("\"'") and symbol.start_line == line:
                fits.append((1 << 40, symbol.key))
        return min(fits)[1] if fits else -1

    def run(self) -> Score:
        edges: dict[tuple[str, int, int], list[Edge]] = {}
        reasons: dict[tuple[str, int, int], str] = {}
        for file in self.by_file:
            for edge in self.store.edges_in(file):
                if edge.kind == EdgeKind.CALLS and edge.site >= 0:
                    edges.setdefault((file, edge.line, edge.column), []).append(edge)
            for row in self.store.references_in(file):
                if row.kind == EdgeKind.CALLS and row.site >= 0:
                    word = f"external {row.external}" if row.reason == Reason.external else "unknown"
                    reasons[file, row.line, row.column] = word
        for site in self.oracle["sites"]:
            place = (site["file"], site["line"], site["column"])
            self.score.sites += 1
            self._site(site, edges.get(place, []), reasons.get(place))
        return self.score

    def _site(self, site: dict[str, Any], edges: list[Edge], reason: str | None) -> None:
        answer = site["answer"]
        if not edges and reason is None:
            self.score.unmatched += 1
            reason = "no call noted"
        if answer == "unknown":
            return
        targets = self._numbers(site["targets"])
        under = self._numbers(site["implementations"])
        right = targets | under | self._numbers(site["fitting"])
        given = self._numbers(site["given"])
        for edge in edges:
            good = edge.target in right or edge.class_ in right or self._was_given(site, edge, given)
            if good:
                self.score.right[proof(edge)] += 1
            else:
                self.score.wrong[proof(edge)] += 1
                self._note("wrong", site, f"{answer} {proof(edge)}", self._shown([edge]), right)
        if answer == "leaves" or not targets:
            # A signature inside a type that is no symbol of its own can be no target.
            return
        hits = {key for edge in edges for key in (edge.target, edge.class_)}
        if (answer == "one" and len(targets) == 1) or answer == "declared":
            if hits & (targets | under):
                self.score.found[site["form"]] += 1
            else:
                self.score.missed[site["form"]] += 1
                self._note("missed", site, reason or "wrong target", self._shown(edges), targets)
        if answer == "declared" and under:
            self.score.several += 1
            if hits & under:
                self.score.several_found += 1
            else:
                self._note("implementation", site, reason or "declared only", self._shown(edges), under)

    def _was_given(self, site: dict[str, Any], edge: Edge, given: set[int]) -> bool:
        """A function that a library calls because it was given it: written in the call, or over a variable; an iterator
        of what it was given."""
        if site["answer"] != "leaves" and edge.via != Via.parameter:
            return False
        iterator = self.symbols[edge.target].name in ("[Symbol.iterator]", "[Symbol.asyncIterator]", "next")
        return edge.target in given or (bool(site["open"]) and (edge.proof == Proof.inferred or iterator))

    def _numbers(self, numbers: Iterable[int]) -> set[int]:
        return {self.keys[each] for each in numbers} - {-1}

    def _shown(self, edges: list[Edge]) -> str:
        return ", ".join(f"{self.symbols[edge.target].id} ({proof(edge)})" for edge in edges)

    def _note(self, sort: str, site: dict[str, Any], cause: str, ours: str, theirs: set[int]) -> None:
        file: str = site["file"]
        lines: list[str] = self.lines.get(file) or (self.root / file).read_text().split("\n")
        self.lines[file] = lines
        number: int = site["line"]
        text = lines[number - 1].strip()[:110]
        named = ", ".join(sorted(self.symbols[key].id for key in theirs))[:160] or "outside"
        place = f"{file}:{site['line']}:{site['column']}"
        self.score.misses.append(
            Miss(sort, site["form"], cause, place, f"{text}\n      ours: {ours}\n      compiler: {named}")
        )


def proof(edge: Edge) -> str:
    return f"inferred {edge.hops} {edge.via.label}" if edge.hops else edge.proof.name


def measure(package: Package) -> Score:
    tree = fetched(package)
    oracle = answers(package, tree)
    with tempfile.TemporaryDirectory() as store:
        codegps.index(tree, store=store)
        with codegps.open_graph(tree, store=store, refresh=False) as graph:
            return Comparison(graph, oracle, package.name).run()


# -- telling


def told(score: Score) -> str:
    return (
        f"{score.name:22} {score.files:5} files {score.lines:7,} lines {score.sites:6,} calls"
        f"  precision {score.precision:.3f}  recall {score.recall:.3f}"
        f"  implementations {score.implementations:.2f} of {score.several}"
        + (f"  unmatched {score.unmatched}" if score.unmatched else "")
    )


def details(score: Score, misses: int) -> str:
    rows = ["", "edges by proof"]
    for each in sorted({*score.right, *score.wrong}):
        right, wrong = score.right[each], score.wrong[each]
        rows.append(f"  {each:24} {right + wrong:7,}  right {ratio(right, wrong):.3f}")
    rows += ["", "sites by form of call"]
    for each in sorted({*score.found, *score.missed}, key=lambda form: -score.missed[form]):
        found, missed = score.found[each], score.missed[each]
        rows.append(f"  {each:24} {found + missed:7,}  found {ratio(found, missed):.3f}  missed {missed}")
    rows += ["", "largest causes"]
    causes = Counter((each.sort, each.form, each.cause.partition(".")[0]) for each in score.misses)
    rows += [f"  {number:5}  {sort:14} {form:20} {cause}" for (sort, form, cause), number in causes.most_common(25)]
    if misses:
        rows += ["", "examples"]
        seen: Counter[tuple[str, str, str]] = Counter()
        for each in score.misses:
            key = (each.sort, each.form, each.cause)
            seen[key] += 1
            if seen[key] <= misses:
                rows.append(f"  {each.sort}, {each.form}, {each.cause}: {each.place}\n      {each.text}")
    return "\n".join(rows)


def main(arguments: Sequence[str] | None = None) -> dict[str, float]:
    parser = argparse.ArgumentParser(prog="python -m bench.typescript")
    parser.add_argument("--package", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--unseen", action="store_true", help="packages that nothing was fitted to")
    parser.add_argument("--misses", type=int, default=0, help="examples of each cause")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    chosen = UNSEEN if given.unseen else PACKAGES
    if given.package:
        chosen = tuple(each for each in (*PACKAGES, *UNSEEN) if each.name in given.package)
    total = Score("all")
    for package in chosen:
        score = measure(package)
        print(told(score), flush=True)
        total.add(score)
    print(told(total))
    if given.details or given.misses:
        print(details(total, given.misses))
    figures = {"precision": total.precision, "recall": total.recall, "implementations": total.implementations}
    if given.json:
        given.json.write_text(json.dumps(figures | {"files": total.files, "lines": total.lines, "calls": total.sites}))
    return figures


if __name__ == "__main__":
    main()
