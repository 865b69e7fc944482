"""The command `test` and the programs it needs, with every outside command only written down."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from config import components
from config.components import Component, install_hint, provide
from encounters.management.commands import test as test_command
from tests.processes import need

ABSENT = Component("Lantern", ("lantern-of-lia",), debian=("lantern",), ubuntu=("lantern-snap",))
PRESENT = Component("Shell", ("sh", "cmd"), debian=("dash",), ubuntu=("dash",))


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What was run, as root on Debian."""
    run: list[list[str]] = []

    def record(command: list[str], **_options: Any) -> "subprocess.CompletedProcess[str]":
        run.append(command)
        return subprocess.CompletedProcess(command, 0, stdout="")

    monkeypatch.setattr(subprocess, "run", record)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(components, "_system", lambda: "debian")
    return run


def test_root_on_debian_gets_what_is_missing(commands: list[list[str]]) -> None:
    assert provide([PRESENT, ABSENT]) == [ABSENT]  # installing was only written down
    assert [command[:2] for command in commands] == [["apt-get", "update"], ["apt-get", "install"]]
    assert "lantern" in commands[1]
    assert "dash" not in commands[1]


def test_nothing_is_installed_when_all_is_there(commands: list[list[str]]) -> None:
    assert provide([PRESENT]) == []
    assert commands == []


@pytest.mark.parametrize(("system", "user"), [("debian", 1000), ("fedora", 0), ("", 0)])
def test_elsewhere_nothing_is_installed(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, system: str, user: int
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(components, "_system", lambda: system)
    assert provide([ABSENT]) == [ABSENT]
    assert commands == []


def test_what_is_missing_is_named_as_the_system_calls_it(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert install_hint(ABSENT) == "sudo apt install lantern"
    monkeypatch.setattr(components, "_system", lambda: "ubuntu")
    assert install_hint(ABSENT) == "sudo apt install lantern-snap"
    monkeypatch.setattr(components, "_system", lambda: "fedora")
    assert install_hint(ABSENT) == "Lantern"


def test_a_test_without_its_program_fails_where_all_must_be_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QUI_VIVE_TEST_REQUIRE", "1")
    with pytest.raises(pytest.fail.Exception, match="Lantern"):
        need(ABSENT)
    monkeypatch.delenv("QUI_VIVE_TEST_REQUIRE")
    with pytest.raises(pytest.skip.Exception, match="Lantern"):
        need(ABSENT)
    assert need(PRESENT)


def test_of_several_versions_that_no_path_holds_the_newest_is_found(tmp_path: Path) -> None:
    for version in ("9", "15", "16"):
        program = tmp_path / version / "bin" / "lantern-of-lia"
        program.parent.mkdir(parents=True)
        program.touch(mode=0o755)
    (tmp_path / "17" / "bin").mkdir(parents=True)
    lantern = replace(ABSENT, folders=f"{tmp_path}/*/bin".lstrip("/"))
    assert lantern.find() == str(tmp_path / "16" / "bin" / "lantern-of-lia")


# The command


@pytest.fixture
def no_components(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_command, "provide", lambda _needed: [])


def exit_code(*arguments: str) -> Any:
    with pytest.raises(SystemExit) as ended:
        test_command.Command().run_from_argv(["manage.py", "test", *arguments])
    return ended.value.code


OF_RULES_AND_TABLE = ["tests/encounters", "-m", "not browser"]
WRONG = ["ruff", "check", "--select", "nonsense"]


def test_a_failed_check_ends_it_before_the_tests(
    no_components: None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(test_command, "CHECKS", {"ruff": WRONG})
    monkeypatch.setattr(test_command, "BESIDE", {})
    assert exit_code("tests/no_such_file.py") == 1
    said = capfd.readouterr().out
    assert "nonsense" in said
    assert "pytest" not in said


def test_the_tests_answer_is_the_commands(
    no_components: None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(test_command, "CHECKS", {})
    monkeypatch.setattr(test_command, "BESIDE", {"ruff": ["ruff", "check", "tests/processes.py"]})
    assert exit_code("-n", "0", "--collect-only", "tests/no_such_file.py") == 4
    *_, beside, closing = capfd.readouterr().out.splitlines()
    assert beside == "ruff: good"
    assert re.fullmatch("=+ no tests collected in .* =+", closing)


def test_a_check_that_fails_beside_the_tests_is_told_and_counts(
    no_components: None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(test_command, "CHECKS", {})
    monkeypatch.setattr(test_command, "BESIDE", {"ruff": WRONG})
    assert exit_code("-n", "0", "--collect-only", "tests/rules/test_dice.py") == 1
    said = capfd.readouterr().out
    assert "ruff: failed" in said
    assert "nonsense" in said
    assert re.fullmatch("=+ .*collected in .* =+", said.splitlines()[-1])


def test_what_python_has_compiled_is_kept_where_it_is_not_to_be_written_beside_the_sources(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert test_command._run(["ruff", "--version"]).returncode == 0
    subprocess.run([sys.executable, "-c", "import rules"], env=test_command._environment())
    assert list(tmp_path.rglob("rules/**/*.pyc"))


@pytest.mark.parametrize(
    ("arguments", "passed_on", "size"),
    [
        (["--fast"], ["-m", "not browser"], ""),
        (["--full"], [], "full"),
        (["-k", "surprise", "-x"], ["-k", "surprise", "-x"], ""),
    ],
)
def test_sizes_and_pytests_own_options(
    no_components: None,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    passed_on: list[str],
    size: str,
) -> None:
    seen: list[tuple[list[str], dict[str, str]]] = []
    started = subprocess.Popen

    def start(command: list[str], **options: Any) -> "subprocess.Popen[bytes]":
        seen.append((command, options["env"]))
        return started([sys.executable, "-c", ""], stdout=options.get("stdout"))

    for checks in ("CHECKS", "BESIDE"):
        monkeypatch.setattr(test_command, checks, {})
    monkeypatch.delenv("QUI_VIVE_TEST_SIZE", raising=False)
    monkeypatch.setattr(subprocess, "Popen", start)
    assert exit_code(*arguments) == 0
    (command, environment), *mutants = seen
    assert command == [sys.executable, "-m", "pytest", "-n", "2", *passed_on]
    assert environment["QUI_VIVE_TEST_REQUIRE"] == "1"
    assert environment.get("QUI_VIVE_TEST_SIZE", "") == size
    assert [command[-3:] for command, _ in mutants] == ([OF_RULES_AND_TABLE] if size else [])
