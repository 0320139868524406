"""Which program is run, and that none from the workspace is, however it got onto PATH."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from codegps.lsp import Servers, Settings
from codegps.lsp.servers import SERVERS, Candidate, NoServer, document_language, find_program, launch
from codegps.lsp.settings import PROVIDERS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="marks files as programs the POSIX way")


TSSERVER = {"useSyntaxServer": "never", "useClientFileWatcher": True}


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = (tmp_path / "workspace").resolve()
    root.mkdir()
    return root


def with_path(*folders: Path | str, **more: object) -> Settings:
    return Settings(environment={"PATH": os.pathsep.join(map(str, folders))}, **more)  # pyright: ignore


def reason(language: str, root: Path, settings: Settings) -> str:
    with pytest.raises(NoServer) as caught:
        launch(language, root, settings)
    return str(caught.value)


def test_each_provider_is_in_the_table() -> None:
    assert tuple(server.provider for server in SERVERS) == PROVIDERS


def test_the_first_candidate_on_path_is_taken(root: Path, tmp_path: Path) -> None:
    program(tmp_path / "one" / "pyrefly")
    second = program(tmp_path / "two" / "pyright-langserver")
    plan = launch("python", root, with_path(tmp_path / "one", tmp_path / "two"))
    assert (plan.provider, plan.command) == ("pyright", (str(second), "--stdio"))


def test_pyrefly_is_the_last_choice(root: Path, tmp_path: Path) -> None:
    only = program(tmp_path / "one" / "pyrefly")
    assert launch("python", root, with_path(tmp_path / "one")).command == (str(only), "lsp")


def test_nothing_on_path_says_how_to_get_it(root: Path) -> None:
    assert reason("python", root, with_path()) == (
        "none of basedpyright-langserver, pyright-langserver, pyrefly is on PATH outside the workspace: "
        "pip install basedpyright"
    )


def test_an_unknown_language_has_no_server(root: Path) -> None:
    assert reason("wlanguage", root, with_path()) == "no language server is known for wlanguage"


def test_programs_in_the_workspace_are_not_run(root: Path, tmp_path: Path) -> None:
    name = "typescript-language-server"
    program(root / "node_modules" / ".bin" / name)
    outside = tmp_path / "bin"
    outside.mkdir()
    (outside / name).symlink_to(root / "node_modules" / ".bin" / name)
    (tmp_path / "linked").symlink_to(root / "node_modules" / ".bin")
    folders = (root / "node_modules" / ".bin", outside, tmp_path / "linked", "", ".", "node_modules/.bin")
    assert "is on PATH outside the workspace" in reason("typescript", root, with_path(*folders))


def test_trust_does_not_bring_programs_of_the_workspace_onto_path(root: Path) -> None:
    program(root / "bin" / "clangd")
    assert "is on PATH outside the workspace" in reason("c", root, with_path(root / "bin", trusted=(str(root),)))


def test_files_that_are_no_programs_are_passed_over(root: Path, tmp_path: Path) -> None:
    (tmp_path / "one" / "clangd").mkdir(parents=True)
    program(tmp_path / "two" / "clangd").chmod(0o644)
    third = program(tmp_path / "three" / "clangd")
    folders = (tmp_path / "one", tmp_path / "two", tmp_path / "three")
    assert launch("c", root, with_path(*folders)).command[0] == str(third)


def test_a_server_that_runs_project_code_waits_for_trust(root: Path, tmp_path: Path) -> None:
    rust = program(tmp_path / "bin" / "rust-analyzer")
    assert reason("rust", root, with_path(rust.parent)) == (
        "rust-analyzer runs the project's build scripts and macros, so it is off until you trust the workspace"
    )
    plan = launch("rust", root, with_path(rust.parent, trusted=(str(root.parent),)))
    assert plan.command == (str(rust),)


def test_typescript_is_named_so_that_the_workspaces_own_is_not_run(root: Path, tmp_path: Path) -> None:
    modules = tmp_path / "npm" / "node_modules"
    server = program(modules / "typescript-language-server" / "lib" / "cli.mjs")
    library = program(modules / "typescript" / "lib" / "tsserver.js")
    program(root / "node_modules" / "typescript" / "lib" / "tsserver.js")
    (modules / ".bin").mkdir()
    (modules / ".bin" / "typescript-language-server").symlink_to(server)
    plan = launch("typescript", root, with_path(modules / ".bin"))
    assert plan.options["tsserver"] == {**TSSERVER, "path": str(library.resolve())}
    trusted = launch("typescript", root, with_path(modules / ".bin", trusted=(str(root),)))
    assert trusted.options["tsserver"] == TSSERVER


def test_typescript_installed_apart_is_found_by_its_compiler(root: Path, tmp_path: Path) -> None:
    server = program(tmp_path / "bin" / "typescript-language-server")
    modules = tmp_path / "lib" / "node_modules"
    library = program(modules / "typescript" / "lib" / "tsserver.js")
    compiler = program(modules / "typescript" / "bin" / "tsc")
    (server.parent / "tsc").symlink_to(compiler)
    plan = launch("typescript", root, with_path(server.parent))
    assert plan.options["tsserver"] == {**TSSERVER, "path": str(library.resolve())}


def test_without_another_typescript_the_workspace_must_be_trusted(root: Path, tmp_path: Path) -> None:
    server = program(tmp_path / "bin" / "typescript-language-server")
    program(root / "node_modules" / "typescript" / "lib" / "tsserver.js")
    assert "the workspace's runs only when the workspace is trusted" in reason(
        "typescript", root, with_path(server.parent)
    )


def test_a_set_command_is_taken_with_the_usual_arguments(root: Path, tmp_path: Path) -> None:
    mine = program(tmp_path / "mine" / "pyrefly")
    program(tmp_path / "bin" / "basedpyright-langserver")
    other = program(tmp_path / "bin" / "my-server")
    folder = tmp_path / "bin"

    def command(*words: str) -> tuple[str, ...]:
        return launch("python", root, with_path(folder, commands={"pyright": words})).command

    assert command(str(mine)) == (str(mine), "lsp")
    assert command("my-server") == (str(other), "--stdio")
    assert command("my-server", "-v") == (str(other), "-v")


def test_a_set_command_that_is_not_there_is_an_error(root: Path, tmp_path: Path) -> None:
    program(tmp_path / "bin" / "clangd")
    settings = with_path(tmp_path / "bin", commands={"clangd": ("clangd-99",)})
    assert reason("c", root, settings) == "clangd-99, set for clangd, is not on PATH outside the workspace"
    gone = str(tmp_path / "gone")
    answer = Servers(with_path(commands={"clangd": (gone,)})).references(root, "a.c", "c", (1, 1))
    assert answer.reason == "a.c cannot be read: No such file or directory"


def test_a_set_command_that_cannot_be_started_is_not_available(root: Path, tmp_path: Path) -> None:
    (root / "a.c").write_text("int x;\n", encoding="utf-8")
    gone = str(tmp_path / "gone")
    with Servers(with_path(commands={"clangd": (gone,)})) as servers:
        answer = servers.analyze_symbols(root, "a.c", "c", [(1, 5)])
    assert (answer.available, answer.reason) == (False, f"{gone} cannot be started: No such file or directory")


def test_a_set_command_in_the_workspace_takes_trust(root: Path) -> None:
    inner = program(root / "bin" / "clangd")
    commands = {"clangd": (str(inner),)}
    assert reason("c", root, with_path(commands=commands)) == (
        f"{inner}, set for clangd, lies in the workspace, which is not trusted"
    )
    assert launch("c", root, with_path(commands=commands, trusted=(str(root),))).command[0] == str(inner)


def test_servers_search_no_code_in_the_workspace(root: Path, tmp_path: Path) -> None:
    bin_folder = program(tmp_path / "bin" / "clangd").parent
    search = os.pathsep.join([str(root / "bin"), "relative", str(bin_folder)])
    environment = {"PATH": search, "PYTHONPATH": search, "NODE_PATH": search, "HOME": "here"}
    plan = launch("c", root, Settings(environment=environment))
    only = str(bin_folder)
    assert plan.environment == {"PATH": only, "PYTHONPATH": only, "NODE_PATH": only, "HOME": "here"}
    trusted = launch("c", root, Settings(environment=environment, trusted=(str(root),)))
    assert trusted.environment == environment


def test_switched_off_starts_nothing(root: Path, tmp_path: Path) -> None:
    program(tmp_path / "bin" / "clangd")
    (root / "a.c").write_text("int x;\n", encoding="utf-8")
    with Servers(with_path(tmp_path / "bin", mode="off")) as servers:
        answer = servers.analyze_symbols(root, "a.c", "c", [(1, 5)])
    assert (answer.available, answer.reason) == (False, "language servers are switched off (lsp = off)")


def test_on_windows_npms_script_is_started_without_a_shell(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "npm"
    program(folder / "pyright-langserver.cmd")
    script = program(folder / "node_modules" / "pyright" / "langserver.index.js")
    node = program(tmp_path / "node" / "node.exe")
    candidate = Candidate("pyright-langserver", script="node_modules/pyright/langserver.index.js")
    environment = {"PATH": os.pathsep.join([str(folder), str(node.parent)])}
    assert find_program(candidate, root, environment, windows=True) == (str(node), str(script))
    assert find_program(Candidate("pyright-langserver"), root, environment, windows=True) is None


@pytest.mark.parametrize(
    ("path", "language", "word"),
    [
        ("a.tsx", "typescript", "typescriptreact"),
        ("a.JSX", "javascript", "javascriptreact"),
        ("a.pyi", "python", "python"),
        ("a.vue", "typescript", "typescript"),
        ("a.h", "cpp", "cpp"),
        ("a.h", "c", "c"),
    ],
)
def test_documents_are_announced_in_the_protocols_words(path: str, language: str, word: str) -> None:
    assert document_language(path, language) == word
