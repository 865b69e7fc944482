"""All that must hold before a change is taken: style, the rooms' walls, then types and tests."""

import argparse
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext as _

from config.components import (
    CHROMIUM,
    GETTEXT,
    HEADLESS_CHROMIUM,
    POSTGRESQL,
    REDIS,
    install_hint,
    provide,
)
from config.terminal import language

WORKERS = 2  # processes of tests at once
CHECKS = {
    "ruff check": ["ruff", "check", "--quiet", "."],
    "ruff format": ["ruff", "format", "--check", "--quiet", "."],
    "import-linter": ["lint-imports"],
    "djlint": ["djlint", "--quiet", "--lint", "templates"],
}
BESIDE = {"mypy": ["mypy"]}  # takes longer than all of them: while the tests run, too
MUTANTS_MEET = ["tests/rules", "tests/encounters", "-m", "not browser"]
MUTANTS_OF_FULL = "300"
LEAST_KILLED = 90  # percent of them; a sample of 300 strays by two or three
RULED = re.compile(rb"(\x1b\[[\d;]*m)*=")  # how a heading begins, and pytest's closing line
Checked = Mapping[str, "Future[subprocess.CompletedProcess[str]]"]


class Command(BaseCommand):
    help = "Checks style, types, imports, templates and translations, then runs the tests."

    def run_from_argv(self, argv: list[str]) -> None:
        """Take what is ours from the command line; pytest gets the rest."""
        parser = argparse.ArgumentParser(prog="manage.py test", description=self.help)
        size = parser.add_mutually_exclusive_group()
        size.add_argument("--fast", action="store_true", help="leave the browser out")
        more = "many more examples of each rule, more screens and languages, and mutants"
        size.add_argument("--full", action="store_true", help=more)
        tries = "change the code in so many small places, or in all, and see which no test tells"
        size.add_argument("--mutants", metavar="NUMBER", help=tries)
        ours, for_pytest = parser.parse_known_args(argv[2:])
        with translation.override(language()):
            if ours.mutants:
                sys.exit(_try_mutants(ours.mutants, for_pytest))
            code = self.handle(for_pytest, fast=ours.fast, full=ours.full)
            if ours.full and not (code or for_pytest):
                code = _try_mutants(MUTANTS_OF_FULL, ["--mutants-least", str(LEAST_KILLED)])
            sys.exit(code)

    def handle(self, for_pytest: Sequence[str], **sizes: Any) -> int:  # type: ignore[override]
        """Return the exit code: 0, 1 when a check failed, else pytest's own."""
        needed = [
            GETTEXT,
            POSTGRESQL,
            REDIS,
            *([] if sizes["fast"] else [CHROMIUM, HEADLESS_CHROMIUM]),
        ]
        for component in provide(needed):
            hint = {"name": component.name, "command": install_hint(component)}
            self.stdout.write(_("%(name)s is missing: %(command)s") % hint)
        with ThreadPoolExecutor(WORKERS) as pool:
            beside = {name: pool.submit(_run, command) for name, command in BESIDE.items()}
            before = {name: pool.submit(_run, command) for name, command in CHECKS.items()}
            if not self._tell(before):
                self._tell(beside)
                return 1
            return self._test(for_pytest, beside, **sizes)

    def _test(self, for_pytest: Sequence[str], beside: Checked, **sizes: Any) -> int:
        """Run pytest; what has been checked beside it is told before its closing line."""
        environment = {**_environment(), "QUI_VIVE_TEST_REQUIRE": "1"}
        if sizes["full"]:
            environment["QUI_VIVE_TEST_SIZE"] = "full"
        subset = ["-m", "not browser"] if sizes["fast"] else []
        colour = ["--color=yes"] if sys.stdout.isatty() else []
        options = ["-n", str(WORKERS), *colour, *subset, *for_pytest]
        tests = [sys.executable, "-m", "pytest", *options]
        pipe = subprocess.PIPE
        with subprocess.Popen(
            tests, cwd=settings.BASE_DIR, env=environment, stdout=pipe
        ) as running:
            closing = _passed_on(running.stdout)
            good = self._tell(beside)
        self.stdout.write(closing, ending="")
        return running.returncode or (0 if good else 1)

    def _tell(self, checks: Checked) -> bool:
        """Wait for the checks, and say what each found; whether all is good."""
        good = True
        for name, check in checks.items():
            failed = check.result().returncode != 0
            text = _("%(check)s: failed") if failed else _("%(check)s: good")
            self.stdout.write(text % {"check": name})
            if failed:
                good = False
                self.stdout.write(check.result().stdout)
        self.stdout.flush()
        return good


def _try_mutants(number: str, for_pytest: Sequence[str]) -> int:
    """Run them in one process: tests/mutation/plugin.py tells how."""
    options = ["-p", "tests.mutation.plugin", "-q", "-s", "--mutants", number, *for_pytest]
    chosen = any((settings.BASE_DIR / option).exists() for option in for_pytest)
    tests = [] if chosen else MUTANTS_MEET
    command = [sys.executable, "-m", "pytest", *options, *tests]
    return subprocess.run(command, cwd=settings.BASE_DIR, env=_environment()).returncode


def _passed_on(said: Any) -> str:
    """Pass on what is said as it comes, but for its closing line, which is returned."""
    held = b""
    while more := said.read1():
        text = held + more
        last = text.rfind(b"\n", 0, -1) + 1
        end = last if RULED.match(text, last) else len(text)
        sys.stdout.buffer.write(text[:end])
        sys.stdout.flush()
        held = text[end:]
    return held.decode(errors="replace")


def _environment() -> dict[str, str]:
    """Ours, in which what Python has compiled is kept: hundreds of processes begin with it.

    Where that is not to be written beside the sources, it is kept in the virtual environment.
    """
    if not sys.dont_write_bytecode:
        return dict(os.environ)
    kept = {"PYTHONPYCACHEPREFIX": str(Path(sys.prefix) / "bytecode")}
    return {**os.environ, **kept, "PYTHONDONTWRITEBYTECODE": ""}


def _run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(Path(sysconfig.get_path("scripts")) / command[0]), *command[1:]],
        cwd=settings.BASE_DIR,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
