"""The projects whose tests are run: real, in use, of many styles, with tests that need no network."""

from __future__ import annotations

from typing import NamedTuple


class Project(NamedTuple):
    name: str
    version: str
    needs: tuple[str, ...] = ()
    """What its tests import besides itself and what it depends on."""
    arguments: tuple[str, ...] = ()
    """For pytest; folders of tests, and what cannot run here."""

    @property
    def requirement(self) -> str:
        return f"{self.name}=={self.version}"


PROJECTS = (
    Project("arrow", "1.4.0", ("pytz", "simplejson", "pytest-mock", "dateparser"), ("tests",)),
    Project("attrs", "26.1.0", ("hypothesis", "cloudpickle"), ("tests",)),
    Project("boltons", "26.2.0", (), ("tests",)),
    Project("cattrs", "26.2.1", ("hypothesis", "immutables"), ("tests", "--ignore=tests/preconf")),
    Project("click", "8.5.1", (), ("tests", "-m", "not stress")),
    Project("flask", "3.1.3", ("asgiref", "python-dotenv"), ("tests",)),
    Project("httpx", "0.28.1", ("trio", "trustme", "uvicorn", "chardet", "zstandard", "brotli", "h2"), ("tests",)),
    Project("jinja2", "3.1.6", ("trio",), ("tests",)),
    Project("lark", "1.3.1", ("regex",), ("tests/__main__.py", "tests/test_parser.py")),
    Project("markdown", "3.11.3", ("pyyaml",), ("tests",)),
    Project("marshmallow", "4.4.0", ("simplejson",), ("tests",)),
    Project("mistune", "3.4.0", (), ("tests",)),
    Project("more_itertools", "11.2.1", (), ("tests",)),
    Project("networkx", "3.6.1", (), ("networkx/algorithms/tests", "networkx/classes", "networkx/generators")),
    Project("packaging", "26.3", ("pretend", "tomli_w"), ("tests", "-m", "not property")),
    Project("parso", "0.8.7", (), ("test",)),
    Project("pyparsing", "3.3.3", ("railroad-diagrams", "jinja2"), ("tests/test_unit.py",)),
    Project("python_dateutil", "4.0.0", ("hypothesis", "freezegun"), ("tests",)),
    Project("sqlparse", "0.6.1", (), ("tests",)),
    Project(
        "starlette", "1.10.0", ("httpx", "httpx2", "trio", "itsdangerous", "python-multipart", "pyyaml"), ("tests",)
    ),
    Project("structlog", "26.1.0", ("pretend", "freezegun", "time-machine"), ("tests",)),
    Project("tomlkit", "0.15.2", ("pyyaml",), ("tests",)),
    Project(
        "werkzeug",
        "3.1.9",
        ("ephemeral-port-reserve", "watchdog", "cryptography"),
        ("tests", "--ignore=tests/test_serving.py"),
    ),
    Project("wtforms", "3.3.2", ("babel", "email-validator", "markupsafe"), ("tests",)),
)
