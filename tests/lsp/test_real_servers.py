"""Real servers on small projects: what they say is what we hand on, in our places and paths."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from codegps.lsp import Analysis, Servers, Settings, Target
from tests.lsp.servers import path_with, scripts_folder

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")

PYTHON = """\
import b
from b import helper as h


class C:
    def __init__(self): self.m()

    def m(self):
        return h("𝄞"), b.other()


def f():
    x = C()
    return x.m()


f()
"""
TYPESCRIPT = """\
import { helper as h } from "./b";
import * as b from "./b";
export class C { constructor() { this.m(); } m() { return b.other("𝄞", h("𝄞")); } }
const f = () => { const c = new C(); return c.m(); };
f();
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve()


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8", newline="\n")


def settled(
    servers: Servers,
    root: Path,
    path: str,
    language: str,
    places: list[tuple[int, int]],
    stamps: dict[str, int] | None = None,
) -> Analysis:
    """The first whole answer: a busy machine may take more than five seconds to start a server."""
    answers = (servers.analyze_symbols(root, path, language, places, stamps=stamps) for _ in range(20))
    return next(answer for answer in answers if not answer.partial)


@pytest.fixture
def python_servers() -> Iterator[Servers]:
    with Servers(Settings(environment=environment(path_with(scripts_folder())))) as servers:
        yield servers


def environment(path: str) -> dict[str, str]:
    return {**os.environ, "PATH": path}


def test_basedpyright(root: Path, python_servers: Servers) -> None:
    write(root, {"a.py": PYTHON, "b.py": 'def helper(x): ...\n"""𝄞"""; other = lambda: 2\n'})
    places = [(6, 30), (9, 16), (9, 26), (13, 9), (14, 14), (17, 1)]
    answer = settled(python_servers, root, "a.py", "python", places)
    method = (Target("a.py", 8, 9),)
    helper = (Target("b.py", 1, 5),)
    assert answer == Analysis(
        "pyright",
        {
            (6, 30): method,
            (9, 16): helper,
            (9, 26): (Target("b.py", 2, 10),),
            (13, 9): (Target("a.py", 5, 7),),
            (14, 14): method,
            (17, 1): (Target("a.py", 12, 5),),
        },
        {(6, 30): method, (9, 16): helper, (13, 9): (Target("a.py", 5, 7),), (14, 14): method},
    )


def test_basedpyright_finds_references(root: Path, python_servers: Servers) -> None:
    write(root, {"a.py": PYTHON, "b.py": "def helper(x): ...\ndef other(): ...\n"})
    settled(python_servers, root, "a.py", "python", [])
    assert python_servers.references(root, "a.py", "python", (8, 9)).places == (
        Target("a.py", 6, 30),
        Target("a.py", 14, 14),
    )


Stamps = dict[str, int]


def test_basedpyright_hears_of_other_files_changes(root: Path, python_servers: Servers) -> None:
    write(root, {"a.py": "from b import f\nf()\n", "b.py": "def f(): ...\n"})

    def definition(stamps: Stamps) -> tuple[Target, ...]:
        return settled(python_servers, root, "a.py", "python", [(2, 1)], stamps).definitions[2, 1]

    assert definition({"a.py": 1, "b.py": 1}) == (Target("b.py", 1, 5),)
    write(root, {"b.py": "import os\n\ndef f(): ...\n"})
    assert definition({"a.py": 1, "b.py": 2}) == (Target("b.py", 3, 5),)
    write(root, {"b.py": "from c import f\n", "c.py": "\ndef f(): ...\n"})
    assert definition({"a.py": 1, "b.py": 3, "c.py": 1}) == (Target("c.py", 2, 5),)


def test_typescript_hears_of_other_files_changes(root: Path, typescript_path: str) -> None:
    write(root, {"tsconfig.json": "{}", "a.ts": 'import { f } from "./b";\nf();\n', "b.ts": "export function f() {}\n"})
    with Servers(Settings(environment=environment(typescript_path))) as servers:

        def definition(stamps: Stamps) -> tuple[Target, ...]:
            return settled(servers, root, "a.ts", "typescript", [(2, 1)], stamps).definitions[2, 1]

        assert definition({"a.ts": 1, "b.ts": 1}) == (Target("b.ts", 1, 17),)
        write(root, {"b.ts": "\n\nexport function f() {}\n"})
        assert definition({"a.ts": 1, "b.ts": 2}) == (Target("b.ts", 3, 17),)
        write(root, {"b.ts": 'export { f } from "./c";\n', "c.ts": "\nexport function f() {}\n"})
        assert definition({"a.ts": 1, "b.ts": 3, "c.ts": 1}) == (Target("c.ts", 2, 17),)


def test_basedpyright_on_broken_code(root: Path, python_servers: Servers) -> None:
    write(root, {"a.py": "def f(:\n  f(\nclass\x0c ((\n"})
    answer = settled(python_servers, root, "a.py", "python", [(2, 3), (3, 9)])
    assert answer.provider == "pyright"


def test_typescript(root: Path, typescript_path: str) -> None:
    write(
        root,
        {
            "tsconfig.json": "{}",
            "a.ts": TYPESCRIPT,
            "b.ts": "export function helper(x: string) { }\n/*𝄞*/ export const other = (...n: string[]) => n;\n",
        },
    )
    with Servers(Settings(environment=environment(typescript_path))) as servers:
        answer = settled(servers, root, "a.ts", "typescript", [(3, 39), (3, 61), (3, 72), (4, 33), (4, 47), (5, 1)])
        references = servers.references(root, "a.ts", "typescript", (4, 7))
    method = (Target("a.ts", 3, 46),)
    helper = (Target("b.ts", 1, 17),)
    other = (Target("b.ts", 2, 20),)
    assert answer == Analysis(
        "typescript",
        {
            (3, 39): method,
            (3, 61): other,
            (3, 72): helper,
            (4, 33): (Target("a.ts", 3, 14),),
            (4, 47): method,
            (5, 1): (Target("a.ts", 4, 7),),
        },
        {
            (3, 39): method,
            (3, 61): other,
            (3, 72): helper,
            (4, 33): (Target("a.ts", 3, 14),),
            (4, 47): method,
        },
    )
    assert references.places == (Target("a.ts", 5, 1),)


def test_javascript(root: Path, typescript_path: str) -> None:
    write(root, {"a.js": 'const b = require("./b");\nfunction f() { b.go(); }\n', "b.js": "exports.go = () => 1;\n"})
    with Servers(Settings(environment=environment(typescript_path))) as servers:
        answer = settled(servers, root, "a.js", "javascript", [(2, 18)])
    assert (answer.provider, answer.definitions) == ("typescript", {(2, 18): (Target("b.js", 1, 9),)})


@pytest.mark.parametrize("trusted", [False, True])
def test_the_workspaces_own_typescript_runs_only_when_trusted(root: Path, typescript_path: str, trusted: bool) -> None:
    proof = root.parent / f"{root.name}-ran"
    library = f'require("fs").writeFileSync({str(proof)!r}, "");\n'
    write(
        root,
        {
            "a.ts": "function f() {}\nf();\n",
            "node_modules/typescript/package.json": '{"name": "typescript", "version": "5.9.3"}',
            "node_modules/typescript/lib/tsserver.js": library,
        },
    )
    settings = Settings(environment=environment(typescript_path), trusted=(str(root),) if trusted else ())
    with Servers(settings) as servers:
        answer = servers.analyze_symbols(root, "a.ts", "typescript", [(2, 1)])
        if not trusted:
            answer = settled(servers, root, "a.ts", "typescript", [(2, 1)])
            assert answer.definitions == {(2, 1): (Target("a.ts", 1, 10),)}
    assert proof.exists() == trusted


def test_clangd(root: Path, clangd_path: str) -> None:
    main = '#include "b.h"\nstatic int k(int x) { return x; }\nint main(void) { return helper(k(1)); }\n'
    write(
        root, {"a.c": main, "b.h": "int helper(int x);\n", "b.c": '#include "b.h"\nint helper(int x) { return x; }\n'}
    )
    with Servers(Settings(environment=environment(clangd_path))) as servers:
        answer = settled(servers, root, "a.c", "c", [(3, 25), (3, 32)])
    targets = {(3, 25): (Target("b.h", 1, 5),), (3, 32): (Target("a.c", 2, 12),)}
    assert answer == Analysis("clangd", targets, targets)
    assert sorted(path.name for path in root.iterdir()) == ["a.c", "b.c", "b.h"]
