"""The languages that are registered are those that are there, and registering one costs little."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from codegps import languages
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


def test_extractors_can_be_imported_by_a_worker() -> None:
    for name in LANGUAGES:
        extract = load(name).extract
        assert getattr(sys.modules[extract.__module__], extract.__qualname__) is extract


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
