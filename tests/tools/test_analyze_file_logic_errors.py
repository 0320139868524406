"""What `graphItLive_analyzeFileLogic` refuses, with which code, and in which order it looks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from codegps.errors import ToolError
from codegps.model.graph import Skip
from codegps.query.graph import Graph
from codegps.stores.memory import MemoryStore
from codegps.tools.analyze_file_logic import analyze_file_logic
from tests.stores.graphs import fill
from tests.tools.database import FILE, database, graphs

links = pytest.mark.skipif(os.name == "nt", reason="making links needs a privilege on Windows")


def refused(graph: Graph, path: str, **more: Any) -> dict[str, Any]:
    with pytest.raises(ToolError) as error:
        analyze_file_logic(graph, path, **more)
    assert error.value.payload is not None
    assert error.value.payload["error"] == error.value.payload["code"]
    assert error.value.payload["message"] == str(error.value)
    return error.value.payload


class TestFileNotFound:
    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        gone = str(tmp_path / "src" / "gone.py")
        root = tmp_path.as_posix()
        assert refused(database(tmp_path), gone) == {
            "error": "FILE_NOT_FOUND",
            "code": "FILE_NOT_FOUND",
            "message": f"File not found: {gone}. Give the absolute path of a readable file inside {root}.",
        }

    def test_a_relative_path(self, tmp_path: Path) -> None:
        assert refused(database(tmp_path), FILE)["code"] == "FILE_NOT_FOUND"

    def test_a_folder(self, tmp_path: Path) -> None:
        assert refused(database(tmp_path), str(tmp_path / "src"))["code"] == "FILE_NOT_FOUND"

    def test_what_exists_outside_is_not_revealed(self, tmp_path: Path) -> None:
        graph = database(tmp_path / "project")
        secret = tmp_path / "secret.py"
        before = refused(graph, str(secret))
        secret.write_text("password = 1")
        assert refused(graph, str(secret)) == before
        assert before["code"] == "FILE_NOT_FOUND"

    @pytest.mark.parametrize("path", ["../secret.py", "src/../../secret.py", "src/../../project/../secret.py"])
    def test_dots_lead_nowhere_outside(self, tmp_path: Path, path: str) -> None:
        graph = database(tmp_path / "project")
        (tmp_path / "secret.py").write_text("password = 1")
        assert refused(graph, f"{tmp_path / 'project'}/{path}")["code"] == "FILE_NOT_FOUND"

    @links
    def test_a_link_leads_nowhere_outside(self, tmp_path: Path) -> None:
        graph = database(tmp_path / "project")
        (tmp_path / "secret.py").write_text("password = 1")
        (tmp_path / "project" / "link.py").symlink_to(tmp_path / "secret.py")
        assert refused(graph, str(tmp_path / "project" / "link.py"))["code"] == "FILE_NOT_FOUND"

    @links
    def test_a_link_to_a_file_inside_is_that_file(self, tmp_path: Path) -> None:
        graph = database(tmp_path)
        (tmp_path / "link.py").symlink_to(tmp_path / FILE)
        assert (
            analyze_file_logic(graph, str(tmp_path / "link.py")).text
            == analyze_file_logic(graph, str(tmp_path / FILE)).text
        )

    @pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a file that this user cannot read")
    def test_a_file_that_cannot_be_read(self, tmp_path: Path) -> None:
        graph = database(tmp_path)
        (tmp_path / FILE).chmod(0)
        assert refused(graph, str(tmp_path / FILE))["code"] == "FILE_NOT_FOUND"


class TestUnsupportedFileType:
    def test_an_extension_that_no_language_has(self, tmp_path: Path) -> None:
        graph = database(tmp_path)
        (tmp_path / "notes.txt").write_text("hello")
        found = refused(graph, str(tmp_path / "notes.txt"))
        assert found["code"] == "UNSUPPORTED_FILE_TYPE"
        assert found["message"].startswith("Unsupported file type: .txt. Supported: ")
        assert ".py" in found["message"]

    def test_no_extension(self, tmp_path: Path) -> None:
        graph = database(tmp_path)
        (tmp_path / "Makefile").write_text("all:")
        assert refused(graph, str(tmp_path / "Makefile"))["message"].startswith("Unsupported file type: Makefile.")

    def test_existence_is_looked_at_first(self, tmp_path: Path) -> None:
        assert refused(database(tmp_path), str(tmp_path / "gone.txt"))["code"] == "FILE_NOT_FOUND"


class TestAnalysisFailed:
    def test_a_file_that_was_skipped_says_why(self, tmp_path: Path) -> None:
        (tmp_path / "big.py").write_text("x = 1")
        store = fill(MemoryStore(), graphs())
        writer = store.write()
        writer.put_skips([Skip("big.py", "over 2 MB"), Skip("vendor/", "vendored")])
        writer.commit()
        graph = Graph(tmp_path, store)
        assert refused(graph, str(tmp_path / "big.py")) == {
            "error": "ANALYSIS_FAILED",
            "code": "ANALYSIS_FAILED",
            "message": "big.py is not indexed: over 2 MB.",
        }
        (tmp_path / "vendor").mkdir()
        (tmp_path / "vendor" / "lib.py").write_text("x = 1")
        assert (
            refused(graph, str(tmp_path / "vendor" / "lib.py"))["message"] == "vendor/lib.py is not indexed: vendored."
        )

    def test_a_file_that_the_index_does_not_hold(self, tmp_path: Path) -> None:
        graph = database(tmp_path)
        (tmp_path / "ignored.py").write_text("x = 1")
        found = refused(graph, str(tmp_path / "ignored.py"))
        assert found["code"] == "ANALYSIS_FAILED"
        assert found["message"].startswith("ignored.py is not indexed: ")


class TestArguments:
    @pytest.mark.parametrize("path", ["", "  ", "/a\0b.py", "/" + "x" * 4_096, None, 7, ["/a.py"]])
    def test_a_path_that_cannot_be_one(self, tmp_path: Path, path: str) -> None:
        with pytest.raises(ToolError, match=r"^`filePath` ") as error:
            analyze_file_logic(database(tmp_path), path)
        assert error.value.payload is None

    def test_a_bad_format_is_an_invalid_parameter(self, tmp_path: Path) -> None:
        bad: Any = "yaml"
        with pytest.raises(ToolError, match=r"^`format` must be 'toon' or 'json', not 'yaml'\.$") as error:
            analyze_file_logic(database(tmp_path), "/nowhere/at/all.py", format=bad)
        assert error.value.payload is None

    def test_a_bad_flag_is_an_invalid_parameter(self, tmp_path: Path) -> None:
        bad: Any = "yes"
        with pytest.raises(ToolError, match=r"^`includeExternal` must be true or false, not str\.$"):
            analyze_file_logic(database(tmp_path), str(tmp_path / FILE), includeExternal=bad)

    def test_a_bad_mode_is_an_invalid_parameter(self, tmp_path: Path) -> None:
        bad: Any = "always"
        with pytest.raises(ToolError, match=r"^`lsp` must be 'auto', 'off' or 'required', not 'always'\.$"):
            analyze_file_logic(database(tmp_path), str(tmp_path / FILE), lsp=bad)
