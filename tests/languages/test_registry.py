"""The languages that are registered are those that are there, and registering one costs little."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from codegps import languages
from codegps.gather import Task, gather
from codegps.languages import LANGUAGES, load, load_all

FOLDER = Path(languages.__file__).parent


def test_the_registry_names_the_folders() -> None:
    folders = {path.parent.name for path in FOLDER.glob("*/__init__.py")}
    assert sorted(LANGUAGES) == sorted(folders)


def test_a_language_has_the_name_of_its_folder() -> None:
    assert {name: language.name for name, language in load_all().items()} == {name: name for name in LANGUAGES}


def test_no_two_languages_claim_an_extension() -> None:
    claims = [extension for language in load_all().values() for extension in language.extensions]
    assert len(claims) == len(set(claims))
    assert all(extension.startswith(".") and extension == extension.lower() for extension in claims)


def test_workers_extract_every_language(tmp_path: Path) -> None:
    tasks: list[Task] = []
    for number, language in enumerate(load_all().values()):
        for copy in range(4):
            path = f"{language.name}{copy}{language.extensions[0]}"
            (tmp_path / path).write_text("")
            tasks.append(Task(number * 4 + copy, path, language.name, 400_000))
    answers = list(gather(str(tmp_path), tasks, load_all(), jobs=2))
    assert sorted(answer.number for answer in answers) == list(range(4 * len(LANGUAGES)))
    assert [answer.failure for answer in answers if answer.failure] == []


def test_a_look_at_languages_loads_no_parser() -> None:
    code = "import sys; from codegps.languages import load_all; load_all(); print('tree_sitter' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"


def test_the_facts_of_nothing_say_who_made_them() -> None:
    for name in LANGUAGES:
        language = load(name)
        facts = language.extract(b"", f"a{language.extensions[0]}")
        assert facts.version == f"{name}/{language.version}"
