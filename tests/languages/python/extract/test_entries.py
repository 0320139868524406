"""Tests and ways into the program."""

from __future__ import annotations

from tests.languages.python.extract.reading import entries


def test_pytest_by_file_and_name() -> None:
    source = """
        def test_one(): pass
        def helper(): pass
        class TestX:
            def test_a(self): pass
            def other(self): pass
        class Helper:
            def test_b(self): pass
    """
    assert entries(source, "tests/test_x.py") == [
        ("test", "test_one", "test_one"),
        ("test", "TestX.test_a", "TestX.test_a"),
    ]


def test_unittest_by_base() -> None:
    """Also through a class of the same file."""
    source = """
        class Case(unittest.TestCase):
            def test_a(self): pass
        class Sub(Case):
            def test_b(self): pass
        class TestNot:
            def test_c(self): pass
        def test_d(): pass
    """
    assert entries(source, "pkg/views.py") == [
        ("test", "Case.test_a", "Case.test_a"),
        ("test", "Sub.test_b", "Sub.test_b"),
    ]


def test_main_guards() -> None:
    source = """
        if __name__ == "__main__":
            main()
    """
    assert entries(source, "pkg/app.py") == [
        ("main", "pkg/app.py", ""),
    ]


def test_commands_of_click_and_typer() -> None:
    source = """
        @click.command()
        @click.option("--n")
        def say_hello(n): pass
        @cli.command("bye")
        def goodbye(): pass
        @app.command(name="third")
        def x(): pass
        @cli.group()
        def grp(): pass
        def command(): pass
    """
    assert entries(source) == [
        ("command", "say-hello", "say_hello"),
        ("command", "bye", "goodbye"),
        ("command", "third", "x"),
        ("command", "grp", "grp"),
    ]


def test_commands_of_argparse() -> None:
    source = """
        run_parser = commands.add_parser("run")
        run_parser.set_defaults(func=run)
        parser.set_defaults(func=mod.other, level=3)
    """
    assert entries(source) == [
        ("command", "run", ""),
        ("command", "other", ""),
    ]


def test_routes_by_decorator() -> None:
    source = """
        @app.route("/users/<id>", methods=["GET", "post"])
        def users(id): pass
        @app.get("/items/{id}")
        async def item(id): pass
        @bp.route("/plain")
        def plain(): pass
        @cache.get("key")
        def no(): pass
    """
    assert entries(source) == [
        ("route", "GET /users/<id>", "users"),
        ("route", "POST /users/<id>", "users"),
        ("route", "GET /items/{id}", "item"),
        ("route", "GET /plain", "plain"),
    ]


def test_routes_of_django() -> None:
    source = """
        urlpatterns = [
            path("users/", views.users),
            path("x/<int:id>/", views.Detail.as_view(), name="x"),
            re_path(r"^old$", old),
            path("inc/", include("other.urls")),
        ]
        urlpatterns += [path("more/", more)]
        path("not/", more)
    """
    assert entries(source, "urls.py") == [
        ("route", "users/", "urlpatterns"),
        ("route", "x/<int:id>/", "urlpatterns"),
        ("route", "^old$", "urlpatterns"),
        ("route", "more/", "urlpatterns"),
    ]
