"""All that must hold before a change is taken: style, types, the rooms' walls, then the tests."""

import argparse
import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext as _

from config.components import CHROMIUM, GETTEXT, POSTGRESQL, REDIS, install_hint, provide
from config.terminal import language

WORKERS = 2  # processes of tests at once
CHECKS = {
    "ruff check": ["ruff", "check", "--quiet", "."],
    "ruff format": ["ruff", "format", "--check", "--quiet", "."],
    "mypy": ["mypy"],
    "import-linter": ["lint-imports"],
    "djlint": ["djlint", "--quiet", "--lint", "templates"],
}


class Command(BaseCommand):
    help = "Checks style, types, imports, templates and translations, then runs the tests."

    def run_from_argv(self, argv: list[str]) -> None:
        """Take what is ours from the command line; pytest gets the rest."""
        parser = argparse.ArgumentParser(prog="manage.py test", description=self.help)
        size = parser.add_mutually_exclusive_group()
        size.add_argument("--fast", action="store_true", help="leave the browser out")
        more = "many more examples of each rule, more screens and languages"
        size.add_argument("--full", action="store_true", help=more)
        ours, for_pytest = parser.parse_known_args(argv[2:])
        with translation.override(language()):
            sys.exit(self.handle(for_pytest, fast=ours.fast, full=ours.full))

    def handle(self, for_pytest: Sequence[str], **sizes: Any) -> int:  # type: ignore[override]
        """Return the exit code: 0, 1 when a check failed, else pytest's own."""
        needed = [GETTEXT, POSTGRESQL, REDIS, *([] if sizes["fast"] else [CHROMIUM])]
        for component in provide(needed):
            hint = {"name": component.name, "command": install_hint(component)}
            self.stdout.write(_("%(name)s is missing: %(command)s") % hint)
        if not self._check():
            return 1
        environment = {**os.environ, "QUI_VIVE_TEST_REQUIRE": "1"}
        if sizes["full"]:
            environment["QUI_VIVE_TEST_SIZE"] = "full"
        subset = ["-m", "not browser"] if sizes["fast"] else []
        tests = [sys.executable, "-m", "pytest", "-n", str(WORKERS), *subset, *for_pytest]
        sys.stdout.flush()
        return subprocess.run(tests, cwd=settings.BASE_DIR, env=environment).returncode

    def _check(self) -> bool:
        """Run the checks side by side; say what each found."""
        good = True
        with ThreadPoolExecutor(WORKERS) as pool:
            for name, result in zip(CHECKS, pool.map(_run, CHECKS.values()), strict=True):
                text = _("%(check)s: failed") if result.returncode else _("%(check)s: good")
                self.stdout.write(text % {"check": name})
                if result.returncode:
                    good = False
                    self.stdout.write(result.stdout)
        return good


def _run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(Path(sysconfig.get_path("scripts")) / command[0]), *command[1:]],
        cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
