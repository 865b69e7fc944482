"""Programs that tests run: the project's own as they are typed, and what else must be there."""

import os
import subprocess
import sys

import pytest
from django.conf import settings

from config.components import Component

HANG = 60  # seconds after which a process is given up


def clean_environment(**extra: str) -> dict[str, str]:
    """The environment without what the tests set for themselves."""
    ours = ("QUI_VIVE_", "DJANGO_", "LC_", "LANG", "DATABASE_URL", "REDIS_URL", "WEB_CONCURRENCY")
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


def need(component: Component) -> str:
    """The component's program. Without it a test is skipped, or fails where all must be there."""
    program = component.find()
    if program is None:
        sentence = f"{component.name} is missing"
        if os.environ.get("QUI_VIVE_TEST_REQUIRE") == "1":
            pytest.fail(sentence)
        pytest.skip(sentence)
    return program
