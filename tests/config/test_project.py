"""What the tree promises about itself: locks, vendored scripts, migrations, logs."""

import hashlib
import logging
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from config.logs import SecretPaths

LOCKS = ("main", "scale", "dev", "uv")


def pins(lock: str) -> dict[str, str]:
    """Name -> version of each package in a lock."""
    text = (settings.BASE_DIR / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w-]+)==([\w.]+)", text, re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_is_locked_by_hash_and_no_host_is_named(lock: str) -> None:
    text = (settings.BASE_DIR / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=[\w-]+==)", text.strip())
    assert len(entries) == len(pins(lock))
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)


def test_what_tests_run_is_what_is_installed() -> None:
    assert pins("main").items() <= pins("scale").items() <= pins("dev").items()


def test_django_is_new_enough_to_be_safe() -> None:
    assert tuple(int(part) for part in pins("main")["django"].split(".")) >= (5, 2, 19)


def test_vendored_scripts_are_as_they_were_published() -> None:
    folder = settings.BASE_DIR / "static" / "vendor"
    table = (folder / "VENDORED.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([\w.]+)` .* `([0-9a-f]{64})` \|$", table, re.MULTILINE))
    scripts = [path.name for path in folder.iterdir() if path.suffix == ".js"]
    assert sorted(listed) == sorted(scripts) != []
    for name, digest in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
        assert (folder / f"{name.split('.')[0]}.LICENSE").exists()


@pytest.mark.django_db
def test_the_rows_have_their_migrations() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.parametrize("path", ["/j/{}", "/J/{}/live?lang=fr", "/entry/{}/"])
def test_logs_do_not_hold_the_addresses_that_open_something(path: str) -> None:
    token = "0123456789ABCDEFGHJKMNPQRS"
    address = path.format(token)
    record = logging.LogRecord("django", logging.ERROR, "", 0, "Failed: %s", (address,), None)
    assert SecretPaths().filter(record)
    assert token not in record.getMessage()
    digest = hashlib.sha256(token.encode()).hexdigest()[:6]
    assert f"…{digest}" in record.getMessage()


def test_the_licence_and_the_attribution_are_there() -> None:
    root: Path = settings.BASE_DIR
    assert "MIT License" in (root / "LICENSE").read_text(encoding="utf-8")
    notice = (root / "NOTICE").read_text(encoding="utf-8")
    assert "System Reference Document 5.1" in notice
    assert "System Reference Document 5.2" in notice
