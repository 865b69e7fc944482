"""Commands of the project run as they are typed, away from the tests' own settings."""

import os
import subprocess
import sys

from django.conf import settings

HANG = 60  # seconds after which a process is given up


def clean_environment(**extra: str) -> dict[str, str]:
    """The environment without what the tests set for themselves."""
    ours = ("QUI_VIVE_", "DJANGO_", "LC_", "LANG")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "LC_ALL": "C.UTF-8", **extra}


def run_python(environment: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run Python on the arguments in the project's folder."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=HANG,
    )
