"""Every page: its links lead somewhere, its commands are run by some test and print what the page says."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codegps.tool import Tool
from codegps.tools import TOOLS
from tests.docs.pages import PAGES, ROOT, blocks, prose, scripts, shown, text_of
from tests.serve import test_docs as doors
from tests.serve.shop import environment, program, run
from tests.tools import test_docs as tools

EXAMPLE = ROOT / "docs" / "example"
ELSEWHERE = {f"docs/{page}" for page in doors.PAGES} | {f"docs/tools/{page}.md" for page in tools.PAGES}
"""Pages whose console blocks other tests run."""
HERE = sorted(page for page in PAGES if page not in ELSEWHERE and shown(page))
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture
def example(tmp_path: Path) -> Path:
    copy = tmp_path / "example"
    shutil.copytree(EXAMPLE, copy)
    (copy / ".codegps").mkdir()
    return copy


@pytest.mark.parametrize("page", HERE)
def test_commands_print_what_the_page_says(example: Path, page: str) -> None:
    for each in shown(page):
        name, *words = shlex.split(each.command)
        assert name == "codegps"
        done = run(words, example, HOME=str(example.parent))
        assert done.returncode == 0, f"{each.command}: {done.stderr}"
        assert each.agrees(done.stdout), done.stdout


def test_the_first_page_and_the_index_are_among_them() -> None:
    assert {"README.md", "docs/tools/index.md", "docs/tools/export.md"} <= set(HERE)


def test_an_answer_that_differs_is_noticed() -> None:
    (first, *_) = shown("docs/tools/index.md")
    assert first.agrees("\n".join([*first.answer[:-1], "seconds     0.10"]))
    assert not first.agrees("\n".join([*first.answer[:-2], "seconds     0.10"]))


def test_the_sixty_seconds_of_the_first_page(example: Path) -> None:
    install, go, *rest = scripts("README.md")
    assert (install, go) == ("pip install .", "cd docs/example")
    assert len(rest) == 3
    for line in rest:
        name, *words = shlex.split(line)
        assert name == "codegps"
        done = run(words, example, HOME=str(example.parent))
        assert done.returncode == 0, f"{line}: {done.stderr}"
        assert "Model.save" in done.stdout or "written to" in done.stdout


def test_the_program_of_the_first_page_runs(
    example: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(example)
    (source,) = blocks("README.md", "python")
    exec(source, {})
    assert capsys.readouterr().out.startswith(
        "## Graph\n\nhandle --CALLS--> checkout --CALLS--> Order.pay --CALLS--> Model.save\n\n## Nodes\n\nhandle:\n"
    )


def test_the_program_about_call_sites_runs(
    example: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(example)
    (source,) = blocks("src/codegps/query/README.md", "python")
    exec(source.replace("src/app.py:main", "shop/views.py:checkout"), {})
    assert capsys.readouterr().out == (
        "5 None Order shop/models.py:Order.__init__\n6 order pay shop/models.py:Order.pay\n"
    )


def test_servers_start_as_the_page_says(example: Path) -> None:
    lines = scripts("docs/tools/serve.md")
    assert len(lines) == 4
    token = example.parent / ".config" / "codegps" / "token"
    token.parent.mkdir(parents=True)
    token.write_text("secret of some length")
    for line in lines:
        name, *words = shlex.split(line.replace("127.0.0.1:8765", "127.0.0.1:0").replace("~", str(example.parent)))
        assert name == "codegps"
        if "--http" not in words:
            # Over stdio a server ends with its input.
            assert run(words, example).returncode == 0, line
            continue
        server = subprocess.Popen(
            program(*words),
            cwd=example,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        with server:
            assert server.stderr is not None
            try:
                said = server.stderr.readline()
                assert re.search(r"http://127\.0\.0\.1:\d+/mcp", said), f"{line}: {said}"
            finally:
                server.kill()


def test_no_page_has_commands_that_nothing_runs() -> None:
    run_here = {"README.md", "docs/tools/serve.md"}
    for page in PAGES:
        assert not scripts(page) or page in run_here, page
        plain = [line for block in blocks(page, "") for line in block.splitlines()]
        assert not [line for line in plain if line.lstrip("$ ").startswith("codegps ")], page


def test_make_has_the_targets_that_pages_name() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[0].split())
    named = {name for page in PAGES for name in re.findall(r"(?:^|`)make ([a-z]+)", text_of(page), re.MULTILINE)}
    assert {"demo", "test", "bench", "soak", "cases", "clean"} <= named <= targets


def test_measurements_that_pages_name_are_there() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--help"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    named = {name for page in PAGES for name in re.findall(r"-m bench --only (\w+)", text_of(page))}
    assert "truth" in named
    assert not [name for name in named if name not in done.stdout]
    for module in {name for page in PAGES for name in re.findall(r"-m bench\.(\w+)", text_of(page))}:
        assert (ROOT / "bench" / f"{module}.py").exists() or (ROOT / "bench" / module).is_dir(), module


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in LINK.findall(prose(page)):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        found = (ROOT / page).parent / path if path else ROOT / page
        assert found.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", found.read_text("utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}, target


def test_the_index_of_the_documentation_names_every_page() -> None:
    named = {(ROOT / "docs" / target).resolve() for target in LINK.findall(text_of("docs/README.md"))}
    missing = [page for page in PAGES if page.startswith("docs/") and (ROOT / page).resolve() not in named]
    assert missing == ["docs/README.md"]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.command)
def test_every_tool_has_a_page_with_every_parameter(tool: Tool[...]) -> None:
    page = text_of(f"docs/tools/{tool.command}.md")
    assert page.startswith(f"# `{tool.name}`: ")
    assert f"$ codegps {tool.command} " in page
    described = run([tool.command, "--help"], ROOT).stdout
    everywhere = {"--help", "--root", "--store", "--project", "--json"}
    options = set(re.findall(r"--(?!no-)[a-z-]+", described)) - everywhere
    assert not [option for option in sorted(options) if f"`{option}`" not in page]


def test_every_command_is_on_the_page_of_the_command_line() -> None:
    out = run(["--help"], ROOT).stdout
    commands = re.findall(r"^  ([a-z-]+)  +\S", out, re.MULTILINE)
    assert "serve" in commands
    text = text_of("docs/command-line.md") + text_of("docs/README.md")
    assert not [command for command in commands if f"`{command}" not in text and f"codegps {command}" not in text]
