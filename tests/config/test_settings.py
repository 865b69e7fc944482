"""Settings from the environment, read by a fresh process: what is incoherent does not start."""

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
    ],
)
def test_an_unsafe_setting_is_refused_by_name(
    tmp_path: Path, environment: dict[str, str], complaint: str
) -> None:
    result = run(tmp_path, "-c", "import config.settings", **environment)
    assert result.returncode == 1
    assert complaint in result.stderr.strip().splitlines()[-1]


def test_a_data_directory_open_to_others_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    result = run(tmp_path, "-c", "import config.settings")
    assert result.returncode == 1
    assert str(tmp_path) in result.stderr.strip().splitlines()[-1]


def test_behind_https_nothing_is_left_for_djangos_deployment_check(tmp_path: Path) -> None:
    deploy = ("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    result = run(tmp_path, *deploy, QUI_VIVE_BASE_URL="https://table.example")
    assert result.returncode == 0, result.stderr


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
