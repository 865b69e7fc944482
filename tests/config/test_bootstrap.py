"""From a bare Python to an environment, with every outside command only written down."""

import sys
from pathlib import Path

import pytest

from config import bootstrap


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """What was run, in a project whose environment is still to be made; no uv is installed."""
    venv, locks = tmp_path / ".venv", tmp_path / "requirements"
    locks.mkdir()
    for name in ("main", "scale", "dev", "uv"):
        (locks / f"{name}.txt").write_text(f"# {name}\n")
    run: list[list[str]] = []

    def record(command: list[str]) -> None:
        run.append(command)
        if command[-1] == str(venv):
            (venv / "bin").mkdir(parents=True)
            (venv / "bin" / "python").touch()

    monkeypatch.setattr(bootstrap, "VENV", venv)
    monkeypatch.setattr(bootstrap, "LOCKS", locks)
    monkeypatch.setattr(bootstrap, "_run", record)
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("REDIS_URL", raising=False)
    return run


def installed(commands: list[list[str]]) -> list[str]:
    """The locks that were installed, by name; each with its hashes checked."""
    locks = [command for command in commands if "-r" in command]
    assert all("--require-hashes" in command for command in locks)
    return [Path(command[-1]).stem for command in locks]


def test_starting_installs_once_and_no_more_than_it_needs(commands: list[list[str]]) -> None:
    bootstrap._make_ready(development=False)
    assert installed(commands) == ["main"]
    commands.clear()
    bootstrap._make_ready(development=False)
    assert commands == []


def test_testing_installs_what_tests_need_and_starting_then_needs_nothing(
    commands: list[list[str]],
) -> None:
    bootstrap._make_ready(development=True)
    assert installed(commands) == ["uv", "dev"]
    commands.clear()
    bootstrap._make_ready(development=False)
    bootstrap._make_ready(development=True)
    assert commands == []


@pytest.mark.parametrize(
    ("name", "url"),
    [("DATABASE_URL", "postgresql://lia@db.example/table"), ("REDIS_URL", "redis://bus.example")],
)
def test_a_server_of_its_own_for_rows_or_news_brings_what_speaks_to_it(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, name: str, url: str
) -> None:
    bootstrap._make_ready(development=False)
    commands.clear()
    monkeypatch.setenv(name, url)
    bootstrap._make_ready(development=False)
    assert installed(commands) == ["scale"]
    commands.clear()
    bootstrap._make_ready(development=False)
    monkeypatch.delenv(name)
    bootstrap._make_ready(development=False)
    assert commands == []


def test_sqlite_by_address_needs_no_more_than_by_default(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:////var/lib/table.sqlite3")
    bootstrap._make_ready(development=False)
    assert installed(commands) == ["main"]


def test_a_changed_lock_is_installed_into_the_environment_there_is(
    commands: list[list[str]],
) -> None:
    bootstrap._make_ready(development=False)
    commands.clear()
    (bootstrap.LOCKS / "main.txt").write_text("# newer\n")
    bootstrap._make_ready(development=False)
    assert len(commands) == 1
    assert installed(commands) == ["main"]


def test_another_python_gets_an_environment_of_its_own(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    bootstrap._make_ready(development=False)
    commands.clear()
    monkeypatch.setattr(bootstrap, "_python_version", lambda: "3.99.0")
    bootstrap._make_ready(development=False)
    assert commands[0][1:3] == ["-m", "venv"]
    assert installed(commands) == ["main"]


def test_a_set_up_that_broke_off_is_done_again(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off(_name: str) -> None:
        raise SystemExit

    with monkeypatch.context() as during:
        during.setattr(bootstrap, "_install", break_off)
        with pytest.raises(SystemExit):
            bootstrap._make_ready(development=False)
    commands.clear()
    bootstrap._make_ready(development=False)
    assert installed(commands) == ["main"]


def test_uv_does_it_all_where_it_is_installed(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/opt/{name}")
    bootstrap._make_ready(development=True)
    assert {command[0] for command in commands} == {"/opt/uv"}
    assert installed(commands) == ["dev"]


def test_a_debian_without_the_venv_module_is_told_its_packages_name(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(SystemExit) as told:
        bootstrap._make_ready(development=False)
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    assert f"apt install {package}" in str(told.value.code)
    assert commands == []


def test_an_old_python_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))
    with pytest.raises(SystemExit, match=r"3\.11"):
        bootstrap.enter_environment(development=False)


def test_inside_somebodys_own_environment_nothing_is_touched(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "own"))
    bootstrap.enter_environment(development=True)
    assert commands == []
    assert not bootstrap.VENV.exists()


def test_a_bare_python_goes_on_inside_the_new_environment(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    became: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "_become", became.append)
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    monkeypatch.setattr(sys, "argv", ["manage.py", "start", "--lan"])
    bootstrap.enter_environment(development=False)
    assert became == [[str(bootstrap._venv_python()), "manage.py", "start", "--lan"]]
