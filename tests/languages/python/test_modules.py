"""Where imports lead, in trees of every layout."""

from __future__ import annotations

from codegps.language import Found
from codegps.languages.python.entries import scripts
from codegps.languages.python.modules import Finder


class Tree:
    def __init__(self, *paths: str, **files: str) -> None:
        self._paths = sorted(paths)
        self._files = {name.replace("_", "."): text.encode() for name, text in files.items()}

    def paths(self) -> list[str]:
        return self._paths

    def has(self, path: str) -> bool:
        return path in self._paths

    def read(self, path: str) -> bytes | None:
        return self._files.get(path)

    def listing(self, folder: str) -> list[str]:
        return []


def found(tree: Tree, spec: str, importer: str) -> str:
    where = Finder(tree).find(spec, importer)
    return f"{where.kind} {where.name}"


LIBRARY = Tree(
    "src/pkg/__init__.py",
    "src/pkg/a.py",
    "src/pkg/a.pyi",
    "src/pkg/json.py",
    "src/pkg/only.pyi",
    "src/pkg/sub/__init__.py",
    "src/pkg/sub/b.py",
    "tests/test_a.py",
    "tests/support.py",
    "ns/x/y.py",
    "script.py",
    "setup.py",
)


def test_absolute() -> None:
    assert found(LIBRARY, "pkg", "script.py") == "file src/pkg/__init__.py"
    assert found(LIBRARY, "pkg.a", "tests/test_a.py") == "file src/pkg/a.py"
    assert found(LIBRARY, "pkg.sub.b", "src/pkg/a.py") == "file src/pkg/sub/b.py"


def test_relative() -> None:
    assert found(LIBRARY, ".", "src/pkg/sub/b.py") == "file src/pkg/sub/__init__.py"
    assert found(LIBRARY, "..", "src/pkg/sub/b.py") == "file src/pkg/__init__.py"
    assert found(LIBRARY, "..a", "src/pkg/sub/b.py") == "file src/pkg/a.py"
    assert found(LIBRARY, ".a", "src/pkg/__init__.py") == "file src/pkg/a.py"
    assert found(LIBRARY, ".nope", "src/pkg/a.py") == "missing .nope"
    assert found(LIBRARY, ".....a", "src/pkg/a.py") == "missing .....a"


def test_sources_win_over_stubs() -> None:
    assert found(LIBRARY, "pkg.a", "script.py") == "file src/pkg/a.py"
    assert found(LIBRARY, "pkg.only", "script.py") == "file src/pkg/only.pyi"


def test_scripts_see_their_siblings() -> None:
    assert found(LIBRARY, "support", "tests/test_a.py") == "file tests/support.py"
    assert found(LIBRARY, "support", "src/pkg/a.py") == "external support"


def test_modules_of_a_package_do_not_see_their_siblings() -> None:
    assert found(LIBRARY, "json", "src/pkg/a.py") == "external json"
    assert found(LIBRARY, "a", "src/pkg/sub/b.py") == "external a"


def test_namespace_packages() -> None:
    assert found(LIBRARY, "ns", "script.py") == "folder ns"
    assert found(LIBRARY, "ns.x.y", "script.py") == "file ns/x/y.py"
    finder = Finder(LIBRARY)
    assert finder.submodule(Found("folder", "ns"), "x") == Found("folder", "ns/x")
    assert finder.submodule(Found("folder", "ns/x"), "y") == Found("file", "ns/x/y.py")
    assert finder.submodule(Found("folder", "ns"), "z") is None


def test_submodules() -> None:
    finder = Finder(LIBRARY)
    assert finder.submodule(Found("file", "src/pkg/__init__.py"), "sub") == Found("file", "src/pkg/sub/__init__.py")
    assert finder.submodule(Found("file", "src/pkg/__init__.py"), "nope") is None
    assert finder.submodule(Found("file", "src/pkg/a.py"), "sub") is None
    assert finder.submodule(Found("external", "os"), "path") == Found("external", "os.path")


def test_what_is_not_ours_is_external() -> None:
    assert found(LIBRARY, "os.path", "script.py") == "external os.path"
    assert found(LIBRARY, "numpy.linalg", "script.py") == "external numpy.linalg"
    assert found(LIBRARY, "pkg.gone", "script.py") == "missing pkg.gone"


def test_the_library_is_not_shadowed_from_afar() -> None:
    tree = Tree(
        "pkg/__init__.py", "pkg/a.py", "vendor/six/__init__.py", "vendor/types/__init__.py", "json.py", "run.py"
    )
    assert found(tree, "types", "pkg/a.py") == "external types"
    assert found(tree, "json", "run.py") == "file json.py"
    assert found(tree, "six", "pkg/a.py") == "file vendor/six/__init__.py"


def test_the_nearest_of_several_wins() -> None:
    tree = Tree(
        "one/util/__init__.py", "one/app/__init__.py", "one/app/m.py",
        "two/util/__init__.py", "two/app2/__init__.py", "two/app2/m.py", "main.py",
    )  # fmt: skip
    assert found(tree, "util", "one/app/m.py") == "file one/util/__init__.py"
    assert found(tree, "util", "two/app2/m.py") == "file two/util/__init__.py"
    assert found(tree, "util", "main.py") == "file one/util/__init__.py"


def test_packages_win_over_modules_of_their_name() -> None:
    assert found(Tree("a.py", "a/__init__.py", "m.py"), "a", "m.py") == "file a/__init__.py"


def test_declared_roots() -> None:
    tree = Tree("code/app/m.py", "main.py", pyproject_toml='[tool.setuptools.package-dir]\n"" = "code"\n')
    assert found(tree, "app.m", "main.py") == "file code/app/m.py"
    tree = Tree("code/m.py", "main.py", setup_cfg="[options]\npackage_dir =\n    = code\n")
    assert found(tree, "m", "main.py") == "file code/m.py"
    assert found(Tree("code/m.py", "main.py"), "m", "main.py") == "external m"


def test_broken_project_files_are_told() -> None:
    finder = Finder(Tree("m.py", pyproject_toml="[tool", setup_cfg="no section"))
    assert [(found.file, found.line) for found in finder.diagnostics()] == [("pyproject.toml", 1), ("setup.cfg", 1)]
    assert finder.find("m", "m.py") == Found("file", "m.py")


def test_scripts_of_packaging_files() -> None:
    tree = Tree(
        pyproject_toml='[project.scripts]\nrun = "pkg.cli:main"\n[project.gui-scripts]\nwin = "pkg.gui:open[extra]"\n',
        setup_cfg="[options.entry_points]\nconsole_scripts =\n    old = pkg.old:main\n    run = pkg.none:main\n",
    )
    assert scripts(tree) == [("old", "pkg.old:main"), ("run", "pkg.cli:main"), ("win", "pkg.gui:open")]


def test_scripts_of_setup_py() -> None:
    listed = 'setup(entry_points={"console_scripts": ["run = pkg.cli:main", \'stop=pkg.cli:stop [x]\']})'
    assert scripts(Tree(setup_py=listed)) == [("run", "pkg.cli:main"), ("stop", "pkg.cli:stop")]
    section = 'setup(entry_points="""\n[console_scripts]\nrun = pkg.cli:main\n[other]\na = b:c\n""")'
    assert scripts(Tree(setup_py=section)) == [("run", "pkg.cli:main")]
