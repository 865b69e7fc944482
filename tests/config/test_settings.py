"""Settings from the environment, read by a fresh process: what is incoherent does not start."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.processes import clean_environment, run_python

KEY = "for-one-test-only-" * 3


def run(tmp_path: Path, *command: str, **environment: str) -> "CompletedProcess[str]":
    return run_python(clean_environment(QUI_VIVE_DATA=str(tmp_path), **environment), *command)


@pytest.mark.parametrize(
    ("environment", "complaint"),
    [
        ({"QUI_VIVE_HOSTS": "table.example, *"}, "QUI_VIVE_HOSTS"),
        ({"QUI_VIVE_HOSTS": "*.example"}, "QUI_VIVE_HOSTS"),
        ({"QUI_VIVE_BASE_URL": "http://table.example"}, "QUI_VIVE_BASE_URL"),
        ({"QUI_VIVE_BASE_URL": "https://table.example/board"}, "QUI_VIVE_BASE_URL"),
        ({"QUI_VIVE_SECRET_KEY": "short"}, "QUI_VIVE_SECRET_KEY"),
        ({"QUI_VIVE_DEBUG": "1", "QUI_VIVE_LAN": "1"}, "QUI_VIVE_DEBUG"),
        ({"QUI_VIVE_DEBUG": "1", "QUI_VIVE_BASE_URL": "https://table.example"}, "QUI_VIVE_DEBUG"),
        ({"QUI_VIVE_PROXY_HOPS": "-1"}, "QUI_VIVE_PROXY_HOPS"),
        ({"QUI_VIVE_PROXY_HOPS": "one"}, "QUI_VIVE_PROXY_HOPS"),
        ({"QUI_VIVE_PROXY_HOPS": "1", "QUI_VIVE_LAN": "1"}, "QUI_VIVE_PROXY_HOPS"),
        ({"QUI_VIVE_METRICS_TOKEN": "short"}, "QUI_VIVE_METRICS_TOKEN"),
        ({"DATABASE_URL": "mysql://lia@db.example/table"}, "DATABASE_URL"),
        ({"DATABASE_URL": "postgresql://db.example"}, "DATABASE_URL"),
        ({"DATABASE_URL": "sqlite://:memory:"}, "DATABASE_URL"),
        ({"REDIS_URL": "bus.example:6379"}, "REDIS_URL"),
        ({"WEB_CONCURRENCY": "4"}, "WEB_CONCURRENCY"),
    ],
)
def test_an_unsafe_setting_is_refused_by_name(
    tmp_path: Path, environment: dict[str, str], complaint: str
) -> None:
    result = run(tmp_path, "-c", "import config.settings", **environment)
    assert result.returncode == 1
    assert complaint in result.stderr.strip().splitlines()[-1]


def test_a_database_address_that_cannot_be_read_is_not_repeated(tmp_path: Path) -> None:
    address = "postgresql://lia:s3same[@db.example/table"
    result = run(tmp_path, "-c", "import config.settings", DATABASE_URL=address)
    assert "DATABASE_URL" in result.stderr.strip().splitlines()[-1]
    assert "s3same" not in result.stderr


SHOW_DATABASE = "import json; from config.settings import DATABASES as d; print(json.dumps({}))"


def test_postgresql_gives_no_question_more_time_than_a_person_has(tmp_path: Path) -> None:
    show = SHOW_DATABASE.format("d['default']")
    url = (
        "postgresql://lia:pass%40word@db.example:5433/table?sslmode=require&options=-csearch_path=q"
    )
    result = run(tmp_path, "-c", show, DATABASE_URL=url, WEB_CONCURRENCY="4")
    found = json.loads(result.stdout)
    assert (found["HOST"], found["PORT"], found["PASSWORD"]) == ("db.example", 5433, "pass@word")
    assert found["CONN_MAX_AGE"] is None
    assert found["CONN_HEALTH_CHECKS"] is True
    assert found["OPTIONS"]["sslmode"] == "require"
    assert found["OPTIONS"]["connect_timeout"] <= 3
    session = found["OPTIONS"]["options"]
    assert "-c statement_timeout=5s -c lock_timeout=2s" in session
    assert session.endswith("-csearch_path=q")


def test_without_the_packages_for_it_postgresql_is_refused_with_what_to_type(
    tmp_path: Path,
) -> None:
    hide = "import importlib.util as u; u.find_spec = lambda name: None; import config.settings"
    result = run(tmp_path, "-c", hide, DATABASE_URL="postgres://lia@db.example/table")
    assert "requirements/scale.txt" in result.stderr.strip().splitlines()[-1]


def test_a_data_directory_open_to_others_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    result = run(tmp_path, "-c", "import config.settings")
    assert result.returncode == 1
    assert str(tmp_path) in result.stderr.strip().splitlines()[-1]


def test_behind_https_nothing_is_left_for_djangos_deployment_check(tmp_path: Path) -> None:
    deploy = ("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    result = run(tmp_path, *deploy, QUI_VIVE_BASE_URL="https://table.example")
    assert result.returncode == 0, result.stderr


def test_browsers_are_bound_to_https_for_this_host_alone_unless_asked(tmp_path: Path) -> None:
    show = "import config.asgi, config.headers as h; print(*h.transport_security().values())"
    over_https = {"QUI_VIVE_BASE_URL": "https://table.example"}
    assert run(tmp_path, "-c", show, **over_https).stdout.strip() == "max-age=31536000"
    asked = run(tmp_path, "-c", show, **over_https, QUI_VIVE_HSTS_PRELOAD="1").stdout.strip()
    assert asked == "max-age=31536000; includeSubDomains; preload"
    assert run(tmp_path, "-c", show).stdout.strip() == ""


def test_two_installations_on_one_computer_do_not_share_cookies(tmp_path: Path) -> None:
    show = "from config import settings as s; print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME)"
    names = [
        run(tmp_path, "-c", show, QUI_VIVE_SECRET_KEY=f"{number}{KEY}").stdout.split()
        for number in (1, 2)
    ]
    assert len(set(names[0] + names[1])) == 4
    assert all(name.startswith("qv_") for name in names[0])


def test_cookies_over_https_are_bound_to_host_and_channel(tmp_path: Path) -> None:
    show = (
        "from config import settings as s; print(s.SESSION_COOKIE_NAME, s.SESSION_COOKIE_SECURE,"
        " s.CSRF_COOKIE_SECURE)"
    )
    result = run(tmp_path, "-c", show, QUI_VIVE_BASE_URL="https://table.example")
    name, *secure = result.stdout.split()
    assert name.startswith("__Host-")
    assert secure == ["True", "True"]
